"""Derivatives that a program gives itself, in plain Python on Tensors."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from staticpy import ops
from staticpy.autodiff.back import as_value
from staticpy.autodiff.custom import Flows, Record, Rule
from staticpy.autodiff.history import pulled_back
from staticpy.autodiff.order import current_order, of_order
from staticpy.autodiff.tape import Tape, going_back, is_grad_enabled, operations_tape
from staticpy.autodiff.tensor import Tensor, held, place_on
from staticpy.autodiff.trees import each, leaves_of
from staticpy.ir import Operation, Value, type_of
from staticpy.ops import OpDef, Traced, custom_rules

Function = Callable[..., Any]


def stop_gradient(tree: Any) -> Any:
    """``tree`` with leaves that nothing is differentiated by.

    Raises:
        TypeError: a leaf is no number and no array.
    """
    return each(tree, _stopped)


def _stopped(leaf: Any) -> Any:
    if isinstance(leaf, Tensor):
        return leaf.apply(_emit_stop, leaf)
    type_ = type_of(leaf)
    if type_ is None or not custom_rules.is_number(type_):
        raise TypeError(custom_rules.NO_TREE_OF_NUMBERS)
    return leaf


def _emit_stop(value: Value) -> Value:
    return ops.emit(ops.stop_gradient, value)  # type: ignore[no-any-return]


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
    order = _order_of((args, kwargs))
    if not order:
        return fun(*args, **kwargs)
    call = _Call.of(fun, nondiff_argnums, args, kwargs, order - 1)
    fwd, bwd = rule
    with call.forward():
        call.out, residuals = custom_rules.pair_of(fwd(*call.inside), custom_rules.OF_FORWARD)

    def pull_back(cotangents: list[Value]) -> Flows:
        tree = call.tree_of(cotangents)
        with of_order(call.order):
            found = bwd(*call.rest, residuals, tree)
        return call.flows(custom_rules.flows_of(found, call.arguments, _children), call.tensors)

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
    order = _order_of((args, kwargs))
    if not order:
        return fun(*args, **kwargs)
    call = _Call.of(fun, nondiff_argnums, args, kwargs, order - 1)
    with call.forward():
        call.out = call_with_jvp(fun, rule, nondiff_argnums, tuple(call.inside), {})

    def push(tangents: list[Value]) -> Flows:
        tape = going_back()
        tape.compute()
        given = (held(tape, tangent) for tangent in tangents)
        numbers = [call.inside[number] for number in call.numbers]
        tree = each(
            tuple(call.arguments),
            lambda x: next(given) if isinstance(x, Tensor) else custom_rules.zero_like(x),
        )
        with of_order(call.order):
            found = rule(*call.rest, tuple(numbers), tree)
        _, tangent = custom_rules.pair_of(found, custom_rules.OF_TANGENTS)
        pairs = custom_rules.matched(call.out, tangent, _children)
        return call.flows(pairs, [leaf for leaf in leaves_of(call.out) if _is_output(leaf)])

    return call.with_rule(ops.custom_jvp, lambda given: _transposed(call, push, given), push)


def _transposed(call: _Call, push: Rule, cotangents: list[Value]) -> Flows:
    """The cotangents of the arguments: a rule for tangents is linear, and is gone back through
    where these are zero.
    """
    tape = going_back()
    start = tape.length
    zeros = [tape.given(custom_rules.zero_like(tensor.content)) for tensor in call.tensors]
    pushed = push(zeros)
    leaves = [leaf for leaf in leaves_of(call.out) if _is_output(leaf)]
    flowing = []
    with tape.builder.current():
        for number, item in pushed:
            tangent = as_value(item, _value(tape, leaves[number]))
            flowing.append((tangent, cotangents[number]))
    found = pulled_back(tape, zeros, flowing, start)
    return [(number, Traced(item)) for number, item in enumerate(found) if item is not None]


@dataclass(eq=False, slots=True)
class _Call:
    """A call of a function with a rule, in what is differentiated.

    Attributes:
        order: of what order derivatives of the rule are.
        args: the arguments by position; numbers: which may be differentiated by.
        inside: the arguments that the rule gets: plain numbers and arrays in the place of Tensors
            where no derivatives of the rule are taken.
        out: what the call gives; operations: those that compute it.
    """

    order: int
    args: tuple[Any, ...]
    numbers: list[int]
    inside: list[Any] = field(default_factory=list)
    recorded: Tape = field(default_factory=operations_tape)
    out: Any = None
    operations: list[Operation] = field(default_factory=list)

    @classmethod
    def of(
        cls, fun: Function, named: Any, args: tuple[Any, ...], kwargs: dict[str, Any], order: int
    ) -> _Call:
        """A call of ``fun``; ``named`` are its ``nondiff_argnums``."""
        args = _positional(fun, args, kwargs)
        made = cls(order, args, custom_rules.other_numbers(named, len(args)))
        _require_numbers(made.arguments)
        made.inside = list(args)
        for number in made.numbers:
            made.inside[number] = args[number] if order else each(args[number], _plain)
        return made

    @property
    def arguments(self) -> list[Any]:
        """What may be differentiated by."""
        return [self.args[number] for number in self.numbers]

    @property
    def rest(self) -> list[Any]:
        """What is named in ``nondiff_argnums``."""
        return [arg for number, arg in enumerate(self.args) if number not in self.numbers]

    @property
    def tensors(self) -> list[Tensor]:
        """What is differentiated by."""
        return [leaf for leaf in leaves_of(self.arguments) if isinstance(leaf, Tensor)]

    @property
    def tape(self) -> Tape:
        """What is recorded."""
        return self.recorded

    @contextmanager
    def forward(self) -> Iterator[None]:
        """Record the way there."""
        start = self.tape.length if self.tensors else 0
        with of_order(self.order):
            yield
        self.operations = self.tape.block.operations[start:] if self.tensors else []

    def with_rule(self, op: OpDef, pull_back: Rule, push: Rule | None = None) -> Any:
        """Emit the call; what it gives."""
        if not self.tensors:
            return self.out
        tape, leaves = self.tape, [leaf for leaf in leaves_of(self.out) if _is_output(leaf)]
        if not self.order and any(isinstance(leaf, Tensor) for leaf in leaves):
            raise custom_rules.error(custom_rules.DEPENDS_ON_OTHERS)
        outputs = [_value(tape, leaf) for leaf in leaves]
        operands = [*(place_on(tape, tensor) for tensor in self.tensors), *outputs]
        attrs = {"outputs": len(outputs), "record": Record(self.operations, pull_back, push)}
        known = [_own(tape.values[output]) for output in outputs]
        made = iter(tape.emit_known(op, operands, attrs, known))
        return each(self.out, lambda x: held(tape, next(made)) if _is_output(x) else x)

    def tree_of(self, cotangents: list[Value]) -> Any:
        """The tree of the cotangents of what the call has given."""
        tape = going_back()
        tape.compute()
        tensors = (held(tape, cotangent) for cotangent in cotangents)
        given = (each if self.order else _own(each.content) for each in tensors)
        return each(self.out, lambda leaf: next(given) if _is_output(leaf) else None)

    def flows(self, pairs: Iterable[tuple[Any, Any]], wanted: list[Any]) -> Flows:
        """What flows to leaves that are ``wanted``, by number; zeros are left out."""
        due = [(leaf, item) for leaf, item in pairs if any(leaf is each for each in wanted)]
        if len(due) != len(wanted):
            raise custom_rules.error("takes trees of a kind that it can't take apart")
        tape = going_back()
        found = [
            (number, Traced(_value(tape, custom_rules.fitted(item, leaf))))
            for number, (leaf, item) in enumerate(due)
            if item is not None
        ]
        tape.compute()
        return found


def _order_of(tree: Any) -> int:
    """How many derivatives are taken around a call with these arguments.

    Raises:
        TypeError: the arguments are Tensors, which no transform has made.
    """
    order = current_order()
    if not is_grad_enabled():
        return 0
    if order is None and any(isinstance(leaf, Tensor) for leaf in leaves_of(tree)):
        raise TypeError(custom_rules.NO_TRANSFORM)
    return order or 0


def _value(tape: Tape, item: Any) -> Value:
    return place_on(tape, item) if isinstance(item, Tensor) else tape.given(item)


def _type(leaf: Any) -> Any:
    return leaf.type if isinstance(leaf, Tensor) else type_of(leaf)


def _is_output(leaf: Any) -> bool:
    type_ = _type(leaf)
    return type_ is not None and ops.is_inexact(type_)


def _plain(leaf: Any) -> Any:
    """The number or array that a Tensor is; the array can't be written to."""
    data = leaf.content if isinstance(leaf, Tensor) else leaf
    if isinstance(leaf, Tensor) and isinstance(data, np.ndarray):
        data = data.view()
        data.flags.writeable = False
    return data


def _own(data: Any) -> Any:
    """An array that its reader may change."""
    return np.copy(data) if isinstance(data, np.ndarray) else data


def _children(tree: Any) -> dict[Any, Any] | None:
    if isinstance(tree, tuple) or type(tree) is list:
        return dict(enumerate(tree))
    if type(tree) is dict:
        return tree
    return {} if tree is None else None


def _require_numbers(arguments: list[Any]) -> None:
    for leaf in leaves_of(arguments):
        type_ = _type(leaf)
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
