"""Derivatives that a program gives itself, in plain Python on Tensors."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from staticpy import ops
from staticpy.autodiff.back import as_value
from staticpy.autodiff.custom import Flows, Record, Rule
from staticpy.autodiff.tensors.history import pulled_back
from staticpy.autodiff.tensors.order import current_order, is_in_rule, of_order
from staticpy.autodiff.tensors.reverse import own
from staticpy.autodiff.tensors.tape import (
    Tape,
    going_back,
    is_grad_enabled,
    is_recording,
    note,
    operations_tape,
    recording,
)
from staticpy.autodiff.tensors.tensor import Tensor, held, is_needed, place_on
from staticpy.autodiff.tensors.trees import each, items_of, leaves_of
from staticpy.autodiff.tensors.users_line import said_at_users_line
from staticpy.ir import Operation, Value, type_of
from staticpy.ops import OpDef, Traced, custom_rules, traced_type

Function = Callable[..., Any]


def stop_gradient(tree: Any) -> Any:
    """``tree`` with leaves that nothing is differentiated by.

    Raises:
        TypeError: a leaf is no number and no array.
    """
    return each_number(tree, "stop_gradient", partial(ops.emit, ops.stop_gradient))


def each_number(tree: Any, name: str, emit: Callable[[Value], Value]) -> Any:
    """``tree`` with what ``emit`` makes of its Tensors in their place.

    Raises:
        TypeError: a leaf is no number and no array, in what ``name`` is called on.
    """

    def change(leaf: Any) -> Any:
        if isinstance(leaf, Tensor):
            return leaf.apply(emit, leaf)
        type_ = type_of(leaf)
        if type_ is None or not custom_rules.is_number(type_):
            raise TypeError(custom_rules.NO_TREE_OF_NUMBERS.format(name))
        return leaf

    return each(tree, change)


# --- rules of functions ---------------------------------------------------------------------------


def call_with_vjp(
    fun: Function,
    rule: tuple[Function, Function],
    nondiff_argnums: int | Sequence[int],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> Any:
    """``fun(*args, **kwargs)``, of which derivatives are those that ``rule`` gives.

    Raises:
        DiagnosticError: CUSTOM_RULE, ``fwd`` or ``bwd`` is no rule.
        TypeError: an argument can be given by keyword only.
    """
    if not _is_differentiated((args, kwargs)):
        return fun(*args, **kwargs)
    with _said():
        return _with_vjp(_Call.of(fun, nondiff_argnums, args, kwargs), *rule)


def _with_vjp(call: _Call, fwd: Function, bwd: Function) -> Any:
    with call.forward():
        call.out, residuals = custom_rules.pair_of(fwd(*call.inside), custom_rules.OF_FORWARD)

    def pull_back(cotangents: list[Value]) -> Flows:
        tape, order = going_back(), call.order_back()
        tree = call.tree_of(tape, cotangents, order)
        with of_order(order):
            found = bwd(*_known(tape, call.rest), _known(tape, residuals), tree)
        pairs = custom_rules.flows_of(found, call.arguments, _children)
        return call.flows(tape, pairs, call.tensors)

    return call.with_rule(ops.custom_vjp, pull_back)


def call_with_jvp(
    fun: Function,
    rule: Function,
    nondiff_argnums: int | Sequence[int],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> Any:
    """``fun(*args, **kwargs)``, of which tangents are those that ``rule`` gives.

    Raises:
        DiagnosticError: CUSTOM_RULE, ``rule`` is none.
        TypeError: an argument can be given by keyword only.
    """
    if not _is_differentiated((args, kwargs)):
        return fun(*args, **kwargs)
    with _said():
        return _with_jvp(_Call.of(fun, nondiff_argnums, args, kwargs), fun, rule)


def _with_jvp(call: _Call, fun: Function, rule: Function) -> Any:
    with call.forward():
        call.out = call_with_jvp(fun, rule, call.rest_numbers, tuple(call.inside), {})

    def push(tape: Tape, tangents: list[Value]) -> Flows:
        with tape.builder.current():  # arrays that the rule may change
            copies = [ops.own_copy(tangent) for tangent in tangents]
        tape.compute()
        given = (held(tape, tangent) for tangent in copies)
        numbers = tuple(call.inside[number] for number in call.numbers)
        tree = each(
            tuple(call.arguments),
            lambda x: next(given) if isinstance(x, Tensor) else custom_rules.zero_like(x),
        )
        with of_order(call.order_back()):
            found = rule(*_known(tape, call.rest), _known(tape, numbers), tree)
        _, tangent = custom_rules.pair_of(found, custom_rules.OF_TANGENTS)
        pairs = custom_rules.matched(call.out, tangent, _children)
        return call.flows(tape, pairs, call.leaves)

    return call.with_rule(
        ops.custom_jvp,
        lambda cotangents: _transposed(call, push, cotangents),
        lambda tangents: push(going_back(), tangents),
    )


def _transposed(
    call: _Call, push: Callable[[Tape, list[Value]], Flows], cotangents: list[Value]
) -> Flows:
    """The cotangents of the arguments: a rule for tangents is linear, and is gone back through
    where these are zero.
    """
    back = going_back()
    call.order_back()
    back.compute()
    with recording() as tape:  # the same, if a function is being differentiated
        given = [x if tape is back else tape.given(back.values[x]) for x in cotangents]
        start = tape.length
        zeros = [tape.given(custom_rules.zero_like(tensor.content)) for tensor in call.tensors]
        leaves, flowing = _known(tape, call.leaves), []
        for number, item in push(tape, zeros):
            with tape.builder.current():
                tangent = as_value(item, _value(tape, leaves[number]))
            flowing.append((tangent, given[number]))
        tape.compute()
        found = pulled_back(tape, zeros, flowing, start)
    return [
        (number, Traced(item if tape is back else back.given(tape.values[item])))
        for number, item in enumerate(found)
        if item is not None
    ]


@dataclass(eq=False, slots=True)
class _Call:
    """A call of a function with a rule, in what is differentiated.

    Attributes:
        tape: what is recorded.
        order: of what order derivatives of the rule are.
        args: the arguments by position; numbers: which may be differentiated by; places: the
            Tensors among these on the tape.
        inside: the arguments that the rule gets: plain numbers and arrays in the place of Tensors
            where no derivatives of the rule are taken.
        out: what the call gives; operations: those that compute it.
    """

    tape: Tape
    order: int
    args: tuple[Any, ...]
    numbers: list[int]
    places: list[Value] = field(default_factory=list)
    inside: list[Any] = field(default_factory=list)
    out: Any = None
    operations: list[Operation] = field(default_factory=list)

    @classmethod
    def of(cls, fun: Function, named: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> _Call:
        """A call of ``fun``; ``named`` are its ``nondiff_argnums``."""
        args = _positional(fun, args, kwargs)
        numbers = custom_rules.other_numbers(
            named, len(args), lambda: list(inspect.signature(fun).parameters)
        )
        made = cls(operations_tape(), 0, args, numbers)
        _require_numbers(made.arguments)
        made.places = [place_on(made.tape, tensor) for tensor in made.tensors]
        made.order = _order_on(made.tape)
        made.inside = list(args)
        for number in made.numbers:
            made.inside[number] = args[number] if made.order else each(args[number], _plain)
        return made

    @property
    def arguments(self) -> list[Any]:
        """What may be differentiated by."""
        return [self.args[number] for number in self.numbers]

    @property
    def rest(self) -> list[Any]:
        """What is named in ``nondiff_argnums``."""
        return [self.args[number] for number in self.rest_numbers]

    @property
    def rest_numbers(self) -> list[int]:
        """The places of these."""
        return [number for number in range(len(self.args)) if number not in self.numbers]

    @property
    def tensors(self) -> list[Tensor]:
        """What is differentiated by."""
        return [leaf for leaf in leaves_of(self.arguments) if isinstance(leaf, Tensor)]

    @property
    def leaves(self) -> list[Any]:
        """What has a derivative of what the call gives."""
        return [leaf for leaf in leaves_of(self.out) if _is_output(leaf)]

    @contextmanager
    def forward(self) -> Iterator[None]:
        """Record the way there."""
        start = self.tape.length
        with of_order(self.order):
            yield
        self.operations = self.tape.block.operations[start:]

    def with_rule(self, op: OpDef, pull_back: Rule, push: Rule | None = None) -> Any:
        """Emit the call; what it gives."""
        if not self.order and any(isinstance(leaf, Tensor) for leaf in self.leaves):
            raise custom_rules.error(custom_rules.DEPENDS_ON_OTHERS)
        if not self.tensors:
            return self.out
        tape = self.tape
        outputs = [_value(tape, leaf) for leaf in self.leaves]
        operands = [*self.places, *outputs]
        attrs = {"outputs": len(outputs), "record": Record(self.operations, pull_back, push)}
        known = [own(tape.values[output]) for output in outputs]
        results = iter(tape.emit_known(op, operands, attrs, known))
        note(tape)
        return each(self.out, lambda x: held(tape, next(results)) if _is_output(x) else x)

    def order_back(self) -> int:
        """Of what order the derivatives of the rule are on the way back.

        Raises:
            DiagnosticError: CUSTOM_RULE, they are to be recorded where the way there was not.
        """
        tape = going_back()
        if not tape.is_shared and tape.keeps_history:
            raise custom_rules.error(_ONE_DERIVATIVE)
        return max(self.order, _order_on(tape))

    def tree_of(self, tape: Tape, cotangents: list[Value], order: int) -> Any:
        """The tree of the cotangents of what the call has given."""
        tape.compute()
        given = (held(tape, x) if order else own(tape.values[x]) for x in cotangents)
        return each(self.out, lambda leaf: next(given) if _is_output(leaf) else None)

    def flows(self, tape: Tape, pairs: Iterable[tuple[Any, Any]], wanted: list[Any]) -> Flows:
        """What flows to leaves that are ``wanted``, by number; zeros are left out."""
        due = [(leaf, item) for leaf, item in pairs if any(leaf is each for each in wanted)]
        if len(due) != len(wanted):
            raise custom_rules.error("takes trees of a kind that it can't take apart")
        found = [
            (number, Traced(_value(tape, custom_rules.fitted(item, leaf))))
            for number, (leaf, item) in enumerate(due)
            if item is not None
        ]
        tape.compute()
        return found


_ONE_DERIVATIVE = (
    "has, of Tensors outside of a function that a transform differentiates, one derivative alone: "
    "take the second one by staticpy.grad of staticpy.grad"
)


def _said() -> AbstractContextManager[None]:
    """Where no transform is running, what is wrong with a rule is said at the line of the call."""
    return nullcontext() if is_recording() else said_at_users_line


def _is_differentiated(tree: Any) -> bool:
    """Whether derivatives are taken around a call with these arguments."""
    order = current_order()
    if order is None:
        tensors = (leaf for leaf in leaves_of(tree) if isinstance(leaf, Tensor))
        return is_grad_enabled() and any(map(is_needed, tensors))
    return order > 0 and is_grad_enabled()


def _order_on(tape: Tape) -> int:
    """How many derivatives are taken of what is run on a tape, but for the one that applies the
    rule: those of transforms, and one by Tensors from outside of these.
    """
    inner = max((current_order() or 0) - 1, 0)
    return inner + int(tape.is_shared and bool(tape.sources) and not is_in_rule())


def _known(tape: Tape, tree: Any) -> Any:
    """A tree with the Tensors of another tape, all of which this one knows, as those of it."""

    def known(leaf: Any) -> Any:
        is_other = isinstance(leaf, Tensor) and leaf.tape is not tape
        return held(tape, leaf.value) if is_other and tape.values.knows(leaf.value) else leaf

    return each(tree, known)


def _value(tape: Tape, item: Any) -> Value:
    return place_on(tape, item) if isinstance(item, Tensor) else tape.given(item)


def _is_output(leaf: Any) -> bool:
    type_ = traced_type(leaf)
    return type_ is not None and ops.is_inexact(type_)


def _plain(leaf: Any) -> Any:
    """The number or array that a Tensor is, as of now; the array can't be written to."""
    if not isinstance(leaf, Tensor):
        return leaf
    data = own(leaf.content)
    if isinstance(data, np.ndarray):
        data.flags.writeable = False
    return data


def _children(tree: Any) -> dict[Any, Any] | None:
    return {} if tree is None else items_of(tree)


def _require_numbers(arguments: list[Any]) -> None:
    for leaf in leaves_of(arguments):
        type_ = traced_type(leaf)
        if type_ is None or not custom_rules.is_number(type_):
            raise custom_rules.error(custom_rules.NO_NUMBERS.format(type(leaf).__name__))


def _positional(fun: Function, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
    """The arguments of ``fun`` in their order, defaults included."""
    try:
        signature = inspect.signature(fun)
    except ValueError:  # a function of C, which says nothing
        signature = None
    if signature is None and not kwargs:
        return args
    bound = signature.bind(*args, **kwargs) if signature else None
    if bound is None:
        raise TypeError(custom_rules.BY_KEYWORD)
    bound.apply_defaults()
    if bound.kwargs:
        raise TypeError(custom_rules.BY_KEYWORD)
    return bound.args
