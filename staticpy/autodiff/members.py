"""Operators on values that are an array on some paths, as one operator for each path
(``ops/by_member.py``), so that derivatives meet operators on numbers and arrays only: that of an
array and that of a number have no form in common.
"""

from __future__ import annotations

from collections.abc import Iterable

from staticpy import ops
from staticpy.autodiff.activity import Activity, is_differentiable
from staticpy.autodiff.cotangents import may_be_array
from staticpy.ir import Block, Value, members_of, walk

_OPERATORS = {op.name for table in (ops.dynamic.BINARY, ops.dynamic.UNARY) for op in table.values()}


def split_operators(block: Block, sources: Iterable[Value]) -> None:
    """Split the operators of ``block`` on such values that depend on ``sources``."""
    found = [
        each
        for each in walk(block)
        if each.name in _OPERATORS and any(map(_is_several, each.operands))
    ]
    if not found:
        return
    varied = Activity(block.operations[:-1], sources).varied
    for operation in [each for each in found if not varied.isdisjoint(each.operands)]:
        ops.split_by_member(operation, _is_several)


def _is_several(value: Value) -> bool:
    is_one = len(members_of(value.type)) == 1
    return not is_one and may_be_array(value.type) and is_differentiable(value.type)
