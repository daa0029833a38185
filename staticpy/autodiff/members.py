"""Operators on values that are an array on some paths, as one operator for each path.

Before:
    %y = any.mul %x, %w : f64[n]|float             # %x : f64[n]|float
After:
    %0 = any.is %x {type = !f64[n]} : bool
    %y = if %0 : f64[n]|float {
      %x.1 = any.narrow %x {type = !f64[n]} : f64[n]
      %1 = multiply %x.1, %w : f64[n]
      region_yield %1
    } {
      %x.2 = any.narrow %x {type = !float} : float
      ...

So derivatives meet operators on numbers and arrays only: that of an array and that of a number have
no form in common.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from staticpy import ops
from staticpy.autodiff.activity import Activity, is_differentiable
from staticpy.autodiff.cotangents import may_be_array
from staticpy.diagnostics import DiagnosticError
from staticpy.ir import (
    Block,
    Builder,
    Operation,
    PythonType,
    ScalarType,
    TensorType,
    Type,
    Value,
    members_of,
    rewriter,
    walk,
)
from staticpy.ops import REGISTRY

_OPERATORS: Mapping[str, Callable[..., Any]] = {
    **{op.name: ops.binary for op in ops.dynamic.BINARY.values()},
    **{op.name: ops.unary for op in ops.dynamic.UNARY.values()},
}
_SYMBOLS = {
    op.name: symbol
    for table in (ops.dynamic.BINARY, ops.dynamic.UNARY)
    for symbol, op in table.items()
}
_NUMBERS = (PythonType, ScalarType, TensorType)


def split_operators(block: Block, sources: Iterable[Value]) -> None:
    """Split the operators of ``block`` on such values that depend on ``sources``."""
    found = [each for each in walk(block) if each.name in _OPERATORS and _is_split(each)]
    if not found:
        return
    varied = Activity(block.operations[:-1], sources).varied
    for operation in [each for each in found if not varied.isdisjoint(each.operands)]:
        _split(operation)


def _is_split(operation: Operation) -> bool:
    return any(map(_is_several, operation.operands))


def _is_several(value: Value) -> bool:
    is_one = len(members_of(value.type)) == 1
    return not is_one and may_be_array(value.type) and is_differentiable(value.type)


def _split(operation: Operation) -> None:
    assert operation.block is not None
    builder = Builder(operation.block)
    builder.before(operation)
    with builder.current():
        made = _by_member(builder, operation, operation.operands)
        if made.type != operation.result.type:
            attrs = {"type": operation.result.type}
            made = builder.emit(REGISTRY["any.narrow"], [made], attrs).result
    rewriter.replace(operation, [made])


def _by_member(builder: Builder, operation: Operation, operands: Sequence[Value]) -> Value:
    """What the operator gives for ``operands``; a branch for each type of those of several."""
    several = next(filter(_is_several, operands), None)
    if several is None:
        return _of_one_type(builder, operation, operands)

    def of_rest(members: Sequence[Type]) -> Value:
        member, *others = members
        if not others:
            return of_member(member)
        is_it = builder.emit(REGISTRY["any.is"], [several], {"type": member}).result
        with builder.region() as then:
            builder.emit(ops.region_yield, [of_member(member)])
        with builder.region() as orelse:
            builder.emit(ops.region_yield, [of_rest(others)])
        return builder.emit(ops.if_, [is_it], {}, [then, orelse]).result

    def of_member(member: Type) -> Value:
        narrow = builder.emit(REGISTRY["any.narrow"], [several], {"type": member}).result
        narrowed = [narrow if each is several else each for each in operands]
        return _by_member(builder, operation, narrowed)

    return of_rest(members_of(several.type))


def _of_one_type(builder: Builder, operation: Operation, operands: Sequence[Value]) -> Value:
    symbol = _SYMBOLS[operation.name]
    if all(isinstance(each, _NUMBERS) for value in operands for each in members_of(value.type)):
        try:
            return ops.as_value(_OPERATORS[operation.name](symbol, *operands))
        except DiagnosticError:  # Python raises for these
            pass
    return builder.emit(operation.op, operands, operation.attrs).result
