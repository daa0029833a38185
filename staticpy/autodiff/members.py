"""Operators on values that are an array on some paths, as one operator for each path
(``ops/by_member.py``), so that derivatives meet operators on numbers and arrays only: that of an
array and that of a number have no form in common.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from staticpy import ops
from staticpy.autodiff.activity import Activity, is_differentiable
from staticpy.autodiff.cotangents import may_be_array
from staticpy.ir import Block, Operation, Value, members_of, walk

_OPERATORS = {op.name for table in (ops.dynamic.BINARY, ops.dynamic.UNARY) for op in table.values()}


def split_operators(block: Block, sources: Iterable[Value]) -> None:
    """Split the operators of ``block`` on such values that depend on ``sources``, and those of a
    number of several types and an array, whose dtype is that of the number.
    """
    _split(block, sources, lambda operation: operation.operands, _is_several)
    _split(block, sources, lambda operation: operation.results, _is_of_several_types)


def _split(
    block: Block,
    sources: Iterable[Value],
    asked: Callable[[Operation], Sequence[Value]],
    is_several: Callable[[Value], bool],
) -> None:
    """Split the operators of which what is ``asked`` for may be an array or something else."""
    operators = [each for each in walk(block) if each.name in _OPERATORS]
    found = [each for each in operators if any(map(_is_several, asked(each)))]
    if not found:
        return
    varied = Activity(block.operations[:-1], sources).varied
    for operation in [each for each in found if not varied.isdisjoint(each.operands)]:
        ops.split_by_member(operation, is_several)


def _is_several(value: Value) -> bool:
    return may_be_array(value.type) and _is_of_several_types(value)


def _is_of_several_types(value: Value) -> bool:
    return len(members_of(value.type)) > 1 and is_differentiable(value.type)
