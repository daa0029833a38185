"""The derivative of what is composed of ops that have one.

In: a function written in NumPy, and what it is applied to. Out: its tangents or cotangents, found
by going through the ops that it consists of: those that it emits where it is given Traced operands,
and else those of a graph made for the purpose, which are run one by one. A ``jvp``, which is linear
in the tangents, is transposed in the same way, so that it gives the ``vjp``, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from staticpy.ir import (
    Block,
    Builder,
    Operation,
    ShapeFacts,
    TensorType,
    Type,
    Value,
    current_builder,
    dims_of,
)
from staticpy.ops.containers import sample_type
from staticpy.ops.opdef import REGISTRY, results_of
from staticpy.ops.operators import unary
from staticpy.ops.rules.arrays import fit, refuse
from staticpy.ops.rules.base import RULES, NoDerivativeError, Rule, flows
from staticpy.ops.traced import Traced, call_adapter, is_traced, trace, untrace

Function = Callable[..., Any]


class Composed:
    """The ops of ``function(*operands)``, with all of their values."""

    def __init__(self, function: Function, operands: Sequence[Any]) -> None:
        self._known: dict[Value, Any] = {}
        self.operations: list[Operation] = []
        if is_traced(*operands):
            operands = _told_apart(operands)
            made = self._emit(current_builder(), function, operands)
            self.arguments = [untrace(each) for each in operands]
        else:
            block = Block([_type_of(each) for each in operands])
            builder = Builder(block, ShapeFacts(_sizes(block)))
            with builder.current():
                made = self._emit(builder, function, trace(tuple(block.args)))
            self.arguments = list(block.args)
            self._run(operands)
        self.results = untrace(made if isinstance(made, tuple) else (made,))
        if any(isinstance(each, np.ndarray) and each.dtype.kind == "O" for each in self.results):
            raise NoDerivativeError("NumPy has computed what only the graph can")

    def _emit(self, builder: Builder, function: Function, operands: Sequence[Any]) -> Any:
        operations = builder.block.operations
        start = len(operations) if builder.index is None else builder.index
        made = function(*operands)
        stop = len(operations) if builder.index is None else builder.index
        self.operations = operations[start:stop]
        return made

    def _run(self, operands: Sequence[Any]) -> None:
        self._known.update(zip(self.arguments, operands, strict=True))
        for operation in self.operations:
            kernel = REGISTRY[operation.name].kernel
            assert kernel is not None
            computed = kernel(*map(self.value, operation.operands), **operation.attrs)
            types = [result.type for result in operation.results]
            found = results_of(computed, types)
            self._known.update(zip(operation.results, found, strict=True))

    def value(self, value: Value) -> Any:
        """A value, to compute with."""
        return self._known[value] if self._known else Traced(value)

    def outcome(self, operation: Operation) -> Any:
        """What an operation gives, as its rule gets it."""
        found = tuple(map(self.value, operation.results))
        return found[0] if len(found) == 1 else found

    def pull(self, g: Sequence[Any], wanted: Sequence[int]) -> list[Any]:
        """The cotangents of the ``wanted`` operands for those of the results."""
        active = self._active(wanted)
        found: dict[Value, Any] = {}
        for result, item in zip(self.results, g, strict=True):
            self._add(found, active, result, item)
        for operation in reversed(self.operations):
            given = tuple(found.pop(result, None) for result in operation.results)
            if any(each is not None for each in given):
                self._pull_one(operation, given, found, active)
        return [found.get(self.arguments[each]) for each in wanted]

    def _pull_one(
        self, operation: Operation, given: Any, found: dict[Value, Any], active: set[Value]
    ) -> None:
        vjp = rule_of(operation.name).vjp
        assert vjp is not None
        operands = map(self.value, operation.operands)
        g = given[0] if len(given) == 1 else given
        flowing = vjp(g, self.outcome(operation), *operands, **operation.attrs)
        for operand, item in zip(operation.operands, flowing, strict=True):
            self._add(found, active, operand, item)

    def _add(self, found: dict[Value, Any], active: set[Value], value: Any, item: Any) -> None:
        if item is None or not isinstance(value, Value) or value not in active:
            return
        item = fit(item, self.value(value))
        found[value] = found[value] + item if value in found else item

    def _active(self, wanted: Sequence[int]) -> set[Value]:
        """The values that depend on the ``wanted`` operands and have tangents."""
        active = {self.arguments[each] for each in wanted}
        for operation in self.operations:
            if not active.isdisjoint(operation.operands):
                active.update(each for each in operation.results if flows(self.value(each)))
        return active

    def push(self, tangents: Sequence[Any]) -> tuple[Any, ...]:
        """The tangents of the results for those of the operands."""
        pairs = zip(self.arguments, tangents, strict=True)
        found = {value: t for value, t in pairs if t is not None}
        for operation in self.operations:
            given = tuple(map(found.get, operation.operands))
            if all(each is None for each in given):
                continue
            jvp = rule_of(operation.name).jvp
            assert jvp is not None
            operands = map(self.value, operation.operands)
            made = jvp(given, self.outcome(operation), *operands, **operation.attrs)
            items = made if isinstance(made, tuple) else (made,) * len(operation.results)
            moved = zip(operation.results, items, strict=True)
            found.update({result: item for result, item in moved if item is not None})
        return tuple(found.get(each) if isinstance(each, Value) else None for each in self.results)


def _told_apart(operands: Sequence[Any]) -> list[Any]:
    """The operands, of which none is the same Value as another: each has a cotangent of its own."""
    seen: set[Any] = set()
    found = []
    for operand in operands:
        given = operand
        if isinstance(operand, Traced) and operand.value in seen:
            is_array = isinstance(operand.type, TensorType)
            given = operand.view() if is_array else call_adapter(unary, "+", operand)
        if isinstance(given, Traced):
            seen.add(given.value)
        found.append(given)
    return found


def _type_of(operand: Any) -> Type:
    """The type of an operand. Its sizes are symbols, the same for the same size; only a size of 1
    is known, as it broadcasts.
    """
    type_ = sample_type(operand)
    if not isinstance(type_, TensorType):
        return type_
    return TensorType(type_.dtype, tuple(1 if n == 1 else f"n{n}" for n in operand.shape))


def _sizes(block: Block) -> dict[str, int]:
    dims = {dim for argument in block.args for dim in dims_of(argument.type)}
    return {dim: int(dim[1:]) for dim in dims if isinstance(dim, str)}


def rule_of(name: str) -> Rule:
    """The rule of an op, which must have a derivative."""
    rule = RULES.get(name, Rule())
    if rule.vjp is None:
        raise refuse(name, "x")
    return rule
