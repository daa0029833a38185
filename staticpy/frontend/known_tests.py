"""What the tests on a path say of the tests that follow.

In: the ``gast`` node of a function. Out: for what is known on a path (Facts) and a test, what is
known where it is true, and where it is false; nothing, where it can't be.

    if verbose:             {verbose: True}     or      {verbose: False}
        …
    if verbose and n > 0:   {verbose: True, 0 < n: True}  …

Two tests of the same text have the same truth while nothing in them is assigned. A sequence that a
loop goes through counts as tested: it has items where a round is reached.
"""

from __future__ import annotations

import ast
import operator
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import gast

from staticpy.frontend.resolve import COMPREHENSIONS, bound_by, iter_own, target_names

Facts = frozenset[tuple[str, bool]]
"""Tests, by their text, with the truth that they are known to have."""

_SAME: Mapping[type, tuple[type, bool, bool]] = {
    gast.NotEq: (gast.Eq, False, False),
    gast.IsNot: (gast.Is, False, False),
    gast.NotIn: (gast.In, False, False),
    gast.Gt: (gast.Lt, True, True),
    gast.LtE: (gast.Lt, True, False),
    gast.GtE: (gast.Lt, False, False),
}
"""Each comparison by another one: which, whether its sides are swapped, and its truth."""
_COMPARED: Mapping[type, Callable[[Any, Any], Any]] = {
    gast.Eq: operator.eq,
    gast.Is: operator.is_,
    gast.Lt: operator.lt,
}
_GO_THROUGH_ALL = frozenset(("enumerate", "list", "reversed", "set", "sorted", "tuple"))
"""The functions whose result is empty if and only if their first argument is."""
_NOT_NONE = (
    gast.BinOp, gast.Constant, gast.Dict, gast.JoinedStr, gast.Lambda, gast.List, gast.ListComp,
    gast.Set, gast.SetComp, gast.Tuple, gast.UnaryOp,
)  # fmt: skip
"""What has a value of which something is known: a constant, or an object that is not None."""
_SOMETHING = object()
_ZERO, _ONE = gast.Constant(0, None), gast.Constant(1, None)


class Tests:
    """The tests of one function: what is asked twice, or of a variable that is set to a constant,
    is worth to be kept in mind.
    """

    def __init__(self, function: Any) -> None:
        nodes = list(iter_own(function.body))
        decided = [_decided(test, truth=True)[0] for node in nodes for test, _ in _asked_by(node)]
        found = [(_text(node), node) for node in decided]
        counts = Counter(text for text, _ in found)
        constant = {
            name
            for node in nodes
            if isinstance(node, gast.Assign)
            for names, value in assigned_values(node)
            if isinstance(value, _NOT_NONE)
            for name in names
        }
        constant |= {name for node in nodes for name, _ in _first_values(node)}
        names = {text: _names(node) for text, node in found}
        kept = {text for text in counts if counts[text] > 1 or constant & names[text]}
        asked_of_none = {text: _none_of(node) for text, node in found}
        for text, other in asked_of_none.items():
            kept |= {text, other} if other in counts else set()
        self._atoms = {text: node for text, node in found if text in kept}
        self._names = {text: names[text] for text in kept}
        self.has_walrus = any(map(_may_name, nodes))
        self._texts: dict[Any, tuple[str, bool]] = {}
        """For each test that was met, the text and the truth of what it is decided by."""

    def assume(self, facts: Facts, test: Any, *, truth: bool) -> Iterator[Facts]:
        """What is known where ``test`` has this truth; nothing where it can't."""
        known_text = self._texts.get(test)
        if known_text is None:
            decided, is_same = _decided(test, truth=True)
            self._texts[test] = known_text = _text(decided), is_same
        text, is_same = known_text
        truth = truth is is_same
        known = next((is_true for other, is_true in facts if other == text), None)
        if known is None and text in self._atoms:
            yield facts | {(text, truth)} | self._implied(test, truth=truth)
        elif known is None or known is truth:
            yield facts

    def _implied(self, test: Any, *, truth: bool) -> Facts:
        """What is None is not true."""
        text = _none_of(_decided(test, truth=True)[0]) if truth else ""
        return frozenset([(text, False)] if text in self._atoms else [])

    def assign(self, facts: Facts, names: Iterable[str], value: Any = None) -> Facts:
        """What is known once ``names`` are assigned: of one that is set to a constant, all that is
        asked of it alone; of one that is set to a new object, that it is not None.
        """
        if not facts and not isinstance(value, _NOT_NONE):
            return facts
        names = set(names)
        kept = {fact for fact in facts if not names & self._names[fact[0]]}
        if isinstance(value, _NOT_NONE) and len(names) == 1:
            given = _constant(value)
            for text, atom in self._atoms.items():
                truth = _evaluated(atom, next(iter(names)), given)
                kept |= set() if truth is None else {(text, truth)}
        return frozenset(kept)

    def enter(self, facts: Facts, loop: Any) -> Facts:
        """What is known in the first round of a ``for`` loop."""
        facts = self.assign(facts, _names(loop.target))
        for name, value in _first_values(loop):
            facts = self.assign(facts, [name], value)
        return facts

    def is_nonempty(self, facts: Facts, sequence: Any) -> bool:
        """Whether a loop through this surely has a round."""
        sequence = _gone_through(sequence)
        if isinstance(sequence, gast.List | gast.Tuple | gast.Set):
            return any(not isinstance(each, gast.Starred) for each in sequence.elts)
        if isinstance(sequence, gast.Constant):
            return bool(sequence.value)
        if _function(sequence) != "range":
            return False
        start, stop, step = _range(sequence)
        try:
            numbers = [ast.literal_eval(ast.unparse(each)) for each in (start, stop, step)]
            return bool(range(*numbers))
        except (TypeError, ValueError):
            tests = [_decided(test, truth=truth) for test, truth in _implied_by_a_round(sequence)]
            return any((_text(test), truth) in facts for test, truth in tests)


def asks(loop: Any) -> Any:
    """What a ``for`` loop tells of, whether it has a round or none."""
    return _gone_through(loop.iter)


def assigned_values(node: Any) -> Iterator[tuple[list[str], Any]]:
    """The names that are assigned, with the value where there is one for each."""
    if not isinstance(node, gast.Assign):
        yield target_names(node.target), None
        return
    for target in node.targets:
        targets, values = (getattr(each, "elts", [each]) for each in (target, node.value))
        if len(targets) == len(values):
            pairs = zip(targets, values, strict=True)
            yield from ((target_names(each), value) for each, value in pairs)
        else:
            yield target_names(target), None


def _asked_by(node: Any) -> Iterator[tuple[Any, bool]]:
    """The parts of which a statement or expression asks the truth."""
    if isinstance(node, gast.If | gast.While | gast.IfExp | gast.Assert):
        yield node.test, True
    elif isinstance(node, gast.BoolOp):
        yield from ((each, True) for each in node.values)
    elif isinstance(node, gast.For):
        yield asks(node), True
        yield from _implied_by_a_round(asks(node))


def _range(call: Any) -> tuple[Any, Any, Any]:
    """The start, stop and step of a ``range``."""
    arguments = call.args
    start, stop = (_ZERO, arguments[0]) if len(arguments) == 1 else arguments[:2]
    return start, stop, arguments[2] if len(arguments) > 2 else _ONE


def _implied_by_a_round(sequence: Any) -> Iterator[tuple[Any, bool]]:
    """The tests of which each says that a ``range`` isn't empty, with that truth."""
    if _function(sequence) != "range":
        return
    start, stop, _ = _range(sequence)
    yield gast.Compare(start, [gast.Lt()], [stop]), True
    if _is_zero(start):
        yield stop, True
        yield gast.Compare(stop, [gast.Eq()], [_ZERO]), False
        yield gast.Compare(stop, [gast.Lt()], [_ONE]), False


def _decided(test: Any, *, truth: bool) -> tuple[Any, bool]:
    """A test that stands for all that say the same, and the truth that it has then."""
    while isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
        test, truth = test.operand, not truth
    if isinstance(test, gast.NamedExpr):
        test = test.target
    if _function(test) in ("bool", "len") and len(test.args) == 1:
        return _decided(test.args[0], truth=truth)
    if not isinstance(test, gast.Compare) or len(test.ops) > 1:
        return test, truth
    left, right = test.left, test.comparators[0]
    kind, is_swapped, is_same = _SAME.get(type(test.ops[0]), (type(test.ops[0]), False, True))
    truth = truth is is_same
    left, right = (right, left) if is_swapped else (left, right)
    counted = _counted(kind, left, right)
    if counted is not None:
        return counted[0], truth is counted[1]
    return gast.Compare(left, [kind()], [right]), truth


def _counted(kind: type, left: Any, right: Any) -> tuple[Any, bool] | None:
    """What is asked by a comparison of its length: whether it has items, or has none."""
    if kind is gast.Eq and _function(left) == "len" and _is_zero(right):
        return left.args[0], False
    if kind is gast.Lt and _function(right) == "len" and _is_zero(left):
        return right.args[0], True
    if kind is gast.Lt and _function(left) == "len" and getattr(right, "value", 0) == 1:
        return left.args[0], False
    return None


def _gone_through(sequence: Any) -> Any:
    """What is empty if and only if a sequence is."""
    while True:
        name = _function(sequence)
        is_method = isinstance(sequence, gast.Call) and isinstance(sequence.func, gast.Attribute)
        if name in _GO_THROUGH_ALL or (name == "range" and _function(sequence.args[0]) == "len"):
            sequence = sequence.args[0]
        elif name == "len":
            return sequence.args[0]
        elif is_method and sequence.func.attr in ("items", "keys", "values") and not sequence.args:
            sequence = sequence.func.value
        else:
            return sequence


def _function(node: Any) -> str | None:
    """The name of the function that is called with at least one argument."""
    is_call = isinstance(node, gast.Call) and isinstance(node.func, gast.Name)
    return node.func.id if is_call and node.args else None


def _first_values(node: Any) -> Iterator[tuple[str, Any]]:
    """The variables of a loop that are 0 in the first round."""
    if not isinstance(node, gast.For):
        return
    target, name = node.target, _function(node.iter)
    if name == "enumerate" and isinstance(target, gast.Tuple) and len(node.iter.args) == 1:
        target = target.elts[0]
    elif name != "range" or not (len(node.iter.args) == 1 or _is_zero(node.iter.args[0])):
        return
    if isinstance(target, gast.Name):
        yield target.id, _ZERO


def _constant(node: Any) -> Any:
    """The value of a constant; of anything else that has one, something."""
    if isinstance(node, gast.Constant):
        return node.value
    is_negative = isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub)
    number = getattr(node.operand, "value", None) if is_negative else None
    return -number if isinstance(number, int | float) else _SOMETHING


def _none_of(test: Any) -> str:
    """The text of what a test asks whether it is None; "" if it asks something else."""
    if not isinstance(test, gast.Compare) or not isinstance(test.ops[0], gast.Is):
        return ""
    right = test.comparators[0]
    is_none = isinstance(right, gast.Constant) and right.value is None
    return _text(test.left) if is_none else ""


def _is_zero(node: Any) -> bool:
    return isinstance(node, gast.Constant) and node.value == 0


def _evaluated(atom: Any, name: str, value: Any) -> bool | None:
    """The truth of a test of one variable, which has this value; None for others."""
    if isinstance(atom, gast.Name):
        return bool(value) if atom.id == name and value is not _SOMETHING else None
    kind = type(atom.ops[0]) if isinstance(atom, gast.Compare) else type(None)
    if kind not in _COMPARED or (value is _SOMETHING and kind is not gast.Is):
        return None
    sides = []
    for side in (atom.left, *atom.comparators):
        if isinstance(side, gast.Name) and side.id == name:
            sides.append(value)
        elif _constant(side) is not _SOMETHING:
            sides.append(_constant(side))
    try:
        return bool(_COMPARED[kind](*sides)) if len(sides) == 2 else None
    except TypeError:
        return None


def _may_name(node: Any) -> bool:
    """Whether an expression binds a name by ``:=``."""
    is_comprehension = isinstance(node, COMPREHENSIONS)
    return isinstance(node, gast.NamedExpr) or (is_comprehension and bool(bound_by(node)))


def _names(node: Any) -> frozenset[str]:
    return frozenset(each.id for each in gast.walk(node) if isinstance(each, gast.Name))


def _text(node: Any) -> str:
    """A text that is the same for nodes that say the same."""
    return ast.dump(node)
