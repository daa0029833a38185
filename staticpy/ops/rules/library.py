"""The rules of calls of NumPy's functions, and the table of what they do for each function.

A function has a ``LibraryRule`` by its dotted name. There are four ways to give it one: by both
directions (``explicit``), by the transpose of what is linear (``transposed``), by NumPy code that
computes the same (``composed``), and by the tangent alone (``pushed``), which is transposed.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from staticpy.ir import TupleType, UnionType, current_builder
from staticpy.ops.containers import tuple_items
from staticpy.ops.library import Nesting, operands_of, unpacked
from staticpy.ops.library_functions import ADAPTERS
from staticpy.ops.rules.arrays import fit, made, refuse_sequences
from staticpy.ops.rules.base import (
    NoDerivativeError,
    NoRuleError,
    NotKnownError,
    add_up,
    defrule,
    flows,
    kind_of,
    known,
    reapply,
    wants,
    zeros_like,
)
from staticpy.ops.rules.composed import Composed
from staticpy.ops.signatures import signature_of
from staticpy.ops.store import numpy_function
from staticpy.ops.traced import Traced, is_traced, leader, trace

Function = Callable[..., Any]


@dataclass(frozen=True)
class Call:
    """A call of a function of NumPy: how its operands and attributes are passed."""

    function: str
    keywords: tuple[str, ...]
    nesting: Nesting
    attrs: dict[str, Any]

    def apply(self, function: Function, *operands: Any, first: tuple[Any, ...] = ()) -> Any:
        """``function`` with the arguments of the call.

        Raises:
            NoDerivativeError: it has not all of these parameters.
        """
        operands = tuple(map(_taken_apart, operands))
        given, named = operands_of(operands, self.keywords, self.nesting)
        signature = signature_of(function)
        assert signature is not None
        try:
            bound = signature.bind(*first, *given, **named, **self.attrs)
        except TypeError as error:
            reason = f"np.{self.function}() has no derivative with these arguments: {error}"
            raise NoDerivativeError(reason) from None
        _make_arrays(bound, len(first), leader((*first, *operands)))
        return function(*bound.args, **bound.kwargs)


_STRUCTURE = (
    *("axis", "axes", "axisa", "axisb", "axisc", "shape", "new_shape", "s", "window_shape"),
    *("strides", "bins", "range", "q", "obj", "deg", "arrays", "sample", "subscripts", "ord"),
)
"""Parameters of which a tuple or list says what is to be done, or is gone through by the rule."""
_SEQUENCES = ("tup", "choices", "condlist", "choicelist", "varargs", "operands")
"""Parameters that hold several arrays."""
_SEVERAL = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
"""Kinds of parameters that hold all that is left."""


def _make_arrays(bound: inspect.BoundArguments, skipped: int, like: Any) -> None:
    """Let numbers that stand in tuples and lists for an array be an array, as NumPy takes them."""
    parameters = bound.signature.parameters
    for name, value in list(bound.arguments.items())[skipped:]:
        if name in _SEQUENCES and isinstance(value, tuple | list):
            bound.arguments[name] = type(value)(_as_array(each, like) for each in value)
        elif name not in (*_STRUCTURE, *_SEQUENCES) and parameters[name].kind not in _SEVERAL:
            bound.arguments[name] = _as_array(value, like)


def _as_array(x: Any, like: Any) -> Any:
    if not isinstance(x, tuple | list):
        return x
    is_array = _is_of_running_numbers(x) if is_traced(x) else _is_of_numbers(x)
    return made(like, np.array, x) if is_array else x


def _is_of_running_numbers(x: Any) -> bool:
    return all(kind_of(each) in "biufc" for each in unpacked((x,)))


def _is_of_numbers(x: Any) -> bool:
    """Whether a tuple or list is an array of numbers to NumPy; those that run are none."""
    return not is_traced(x) and _kind(x) in "biufc"


def _kind(x: Any) -> str:
    try:
        return np.array(x).dtype.kind
    except ValueError:  # of sequences of several lengths
        return "O"


@dataclass(frozen=True)
class LibraryRule:
    """The derivative of a function: ``vjp(call, g, outs, operands)`` gives the cotangents of the
    operands, ``jvp(call, tangents, outs, operands)`` the tangents of the results. ``g`` and
    ``outs`` are tuples. ``is_flat``: nothing flows. ``takes_sequences``: operands may stand in
    tuples and lists.
    """

    vjp: Function
    jvp: Function
    is_flat: bool = False
    takes_sequences: bool = False


LIBRARY: dict[str, LibraryRule] = {}
"""The rule of each function by its name under ``numpy``."""


def tuple_of(found: Any) -> tuple[Any, ...]:
    """What a function returns, as one item for each result."""
    return tuple(found) if isinstance(found, tuple | list) else (found,)


# --- ways to give a rule --------------------------------------------------------------------------


def explicit(name: str, vjp: Function, jvp: Function) -> None:
    """A function by both directions: ``vjp(g, out, …)`` and ``jvp(tangents, out, …)``, with the
    arguments of the call behind. ``vjp`` gives cotangents of the first parameters; of a function
    with one result ``g``, ``out`` and the tangent are no tuples.
    """

    def pull(call: Call, g: Any, outs: Any, operands: Any) -> Any:
        first = (g[0], outs[0]) if len(outs) == 1 else (g, outs)
        found = tuple_of(call.apply(vjp, *operands, first=first))
        return (*found, *(None,) * (len(operands) - len(found)))[: len(operands)]

    def push(call: Call, tangents: Any, outs: Any, operands: Any) -> Any:
        first = (tangents, outs[0] if len(outs) == 1 else outs)
        return tuple_of(call.apply(jvp, *operands, first=first))

    LIBRARY[name] = LibraryRule(pull, push)


def transposed(name: str, vjp: Function) -> None:
    """A function that is linear in each operand that has tangents, by the transpose of it."""

    def jvp(call: Call, tangents: Any, _outs: Any, operands: Any) -> Any:
        found = []
        for at, t in enumerate(tangents):
            if t is not None:
                given = (*operands[:at], t, *operands[at + 1 :])
                found.append(call.apply(numpy_function(name), *given))
        return (add_up(found),)

    explicit(name, vjp, lambda *_: None)
    LIBRARY[name] = LibraryRule(LIBRARY[name].vjp, jvp)


def _moving(operands: Any) -> list[int]:
    """The operands of which a cotangent is wanted."""
    return [at for at, x in enumerate(operands) if is_number(x) and wants(x)]


def composed(name: str, function: Function, *, steered: bool = False) -> None:
    """A function by NumPy code that computes the same and has its parameters. ``steered``: its
    numbers of Python's say what is to be done.
    """
    LIBRARY[name] = _composed(function, float if steered else ())


def _composed(function: Function, fixed: Any = ()) -> LibraryRule:
    def of(call: Call, operands: Any) -> tuple[Composed, list[int]]:
        passed = [at for at, x in enumerate(operands) if is_number(x) and type(x) is not fixed]

        def run(*values: Any) -> Any:
            given = list(operands)
            for at, value in zip(passed, values, strict=True):
                given[at] = value
            return tuple_of(call.apply(function, *given))

        return Composed(run, [operands[at] for at in passed]), passed

    def vjp(call: Call, g: Any, _outs: Any, operands: Any) -> Any:
        made, passed = of(call, operands)
        moving = [at for at in _moving(operands) if at in passed]
        found = made.pull(g, [passed.index(at) for at in moving])
        by_place = dict(zip(moving, found, strict=True))
        return tuple(by_place.get(at) for at in range(len(operands)))

    def jvp(call: Call, tangents: Any, _outs: Any, operands: Any) -> Any:
        made, passed = of(call, operands)
        return made.push([tangents[at] for at in passed])

    return LibraryRule(vjp, jvp, takes_sequences=True)


def _of_arrays(function: Function) -> Function:
    """A function of arrays that are made of what stands in tuples and lists."""

    @functools.wraps(function)
    def of_arrays(*args: Any, **kwargs: Any) -> Any:
        return made(leader((*args, *kwargs.values())), function, *args, **kwargs)

    return of_arrays


def pushed(name: str, push: Function) -> None:
    """A function by the tangents of its results: ``push(tangents, outs, …)``, which is linear in
    the tangents; it gets zeros for those that are not there.
    """

    def jvp(call: Call, tangents: Any, outs: Any, operands: Any) -> Any:
        given = _zeros_for(tangents, operands, leader((*tangents, *operands)))
        return tuple_of(call.apply(push, *operands, first=(given, outs)))

    def vjp(call: Call, g: Any, outs: Any, operands: Any) -> Any:
        moving = [at for at in _moving(operands) if flows(operands[at])]
        passed = [at for at, x in enumerate(operands) if is_number(x)]
        count = len(moving)
        if not moving:
            return (None,) * len(operands)

        def run(*values: Any) -> Any:
            none = (None,) * len(operands)
            ts, given = list(_zeros_for(none, operands, leader(values))), list(operands)
            for at, value in zip(moving, values[:count], strict=True):
                ts[at] = value
            for at, value in zip(passed, values[count + len(outs) :], strict=True):
                given[at] = value
            first = (tuple(ts), values[count : count + len(outs)])
            made = tuple_of(call.apply(push, *given, first=first))
            return tuple(None if each is None else t for t, each in zip(made, g, strict=True))

        zeros = [zeros_like(operands[at]) for at in moving]
        made = Composed(run, [*zeros, *outs, *(operands[at] for at in passed)])
        by_place = dict(zip(moving, made.pull(g, range(count)), strict=True))
        return tuple(by_place.get(at) for at in range(len(operands)))

    LIBRARY[name] = LibraryRule(vjp, jvp)


def _zeros_for(tangents: Any, operands: Any, like: Any = None) -> tuple[Any, ...]:
    """The tangents, with zeros for those that are not there; ``like`` is traced where they are."""
    found = []
    for t, x in zip(tangents, operands, strict=True):
        if t is None and is_number(x) and flows(x):
            found.append(zeros_like(x))
        elif t is None and isinstance(x, tuple | list) and _is_of_numbers(x):
            found.append(made(like, np.zeros, np.shape(x)))
        else:
            found.append(t)
    return tuple(found)


def constant(*names: str) -> None:
    """Functions that are constant but for jumps: nothing flows through them."""
    for name in names:
        LIBRARY[name] = LibraryRule(
            lambda _call, _g, _outs, operands: (None,) * len(operands),
            lambda _call, _tangents, outs, _operands: (None,) * len(outs),
            is_flat=True,
        )


# --- the rules of the ops -------------------------------------------------------------------------


def is_number(x: Any) -> bool:
    """Whether an operand is an array or a number that is passed on as a value: a Traced, an array,
    or a number with a point; other numbers, and texts, say what is to be done.
    """
    return isinstance(x, Traced | np.ndarray | np.generic | float | complex)


def _known(x: Any) -> Any:
    """What a Traced is, where it is a constant of the graph, or a tuple or list of constants that
    nothing else has.
    """
    if not isinstance(x, Traced) or known(x) is not x:
        return known(x)
    operation = x.value.defining_op
    is_tuple = operation is not None and operation.name == "tuple.make"
    is_list = operation is not None and operation.name == "list.make" and len(x.value.uses) == 1
    if operation is None or not (is_tuple or is_list):
        return x
    items = tuple(_known(Traced(each)) for each in operation.operands)
    return x if is_traced(*items) else items


def _taken_apart(x: Any) -> Any:
    """A tuple that the running program makes, as a tuple of its items, which rules look for."""
    if not isinstance(x, Traced) or not isinstance(x.type, TupleType):
        return x
    return trace(current_builder().emit(tuple_items, [x.value]).results)


def _known_operands(function: str, operands: tuple[Any, ...]) -> tuple[Any, ...]:
    found = tuple(map(_known, operands))
    refuse_sequences(f"np.{function}()", found)
    return found


def _entry(function: str, attrs: dict[str, Any]) -> tuple[LibraryRule, Call]:
    if function not in LIBRARY and numpy_function(function) in ADAPTERS:
        raise NoRuleError(f"np.{function}()")
    if function not in LIBRARY:  # it has an op, but not for an axis that only the run knows
        raise NotKnownError(f"np.{function}()")
    keywords, nesting = attrs.pop("keywords", ()), attrs.pop("nesting", ())
    attrs.pop("results", None)
    rule = LIBRARY[function]
    if nesting and not (rule.takes_sequences or rule.is_flat):
        rule = _composed(_of_arrays(numpy_function(function)))
    return rule, Call(function, keywords, nesting, attrs)


def _is_of_several(x: Any) -> bool:
    return isinstance(x, Traced) and isinstance(x.type, UnionType)


def as_one(x: Any) -> Any:
    """What is real or complex as one of these, complex."""
    return x * (1 + 0j) if _is_of_several(x) else x


def _vjp(g: Any, out: Any, *operands: Any, function: str, **attrs: Any) -> Any:
    rule, call = _entry(function, attrs)
    known = _known_operands(function, operands)
    gs, outs = (g, out) if isinstance(out, tuple) else ((g,), (out,))
    found = rule.vjp(call, tuple(map(as_one, gs)), tuple(map(as_one, outs)), known)
    return tuple(
        None if each is None or not is_number(x) else fit(each, x)
        for each, x in zip(found, known, strict=True)
    )


def _fit(t: Any, out: Any) -> Any:
    """A tangent of the type of the result, real where that is."""
    return reapply("any.real_as", t + 0j, out) if _is_of_several(out) else fit(t, out)


def _jvp(tangents: Any, out: Any, *operands: Any, function: str, **attrs: Any) -> Any:
    rule, call = _entry(function, attrs)
    outs = out if isinstance(out, tuple) else (out,)
    known = _known_operands(function, operands)
    found = rule.jvp(call, tangents, tuple(map(as_one, outs)), known)
    items = tuple(
        None if t is None or not flows(each) else _fit(t, each)
        for t, each in zip(found, outs, strict=True)
    )
    return items if isinstance(out, tuple) else items[0]


defrule("numpy.call", _vjp, _jvp)
defrule("numpy.view", _vjp, _jvp)
defrule("numpy.shared", lambda g, _out, _base, _part: (None, g), lambda t, *_: t[1])
