"""Branches that compute a few ints, as selects.

In: an ``if`` whose sides are some operators on Python's ints. Out: both sides, one after the other,
and a choice among what they give; where the side that is taken leaves 64 bits, the function is left
behind them. An exit on one side keeps LLVM from doing so, and a branch that no processor foresees,
as whether a number is even, takes longer than a few additions.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.context import OVERFLOWED, Context
from staticpy.backends.llvm.forms import I1, Native, form_of
from staticpy.ir import BOOL, INT, Block, Operation, walk
from staticpy.ops import constant_value

_MOST = 8
"""How many operations both sides may have."""

_OF_INTS = (
    *("constant", "if", "region_yield", "py.add", "py.sub", "py.mul", "py.neg", "py.min", "py.max"),
    *("py.and", "py.or", "py.xor", "py.lt", "py.le", "py.gt", "py.ge", "py.eq", "py.ne", "py.not"),
    *("py.floordiv", "py.mod"),
)
_DIVISIONS = ("py.floordiv", "py.mod")


def is_select(operation: Operation) -> bool:
    """Whether an ``if`` is computed on both sides."""
    inside = [each for region in operation.regions for each in walk(region.block)]
    counted = [each for each in inside if each.op.name not in ("constant", "region_yield")]
    return (
        0 < len(counted) <= _MOST
        and any(each.op.name.startswith("py.") for each in counted)
        and all(value.type in (INT, BOOL) for value in operation.results)
        and all(map(_is_of_ints, inside))
    )


def _is_of_ints(operation: Operation) -> bool:
    if operation.op.name not in _OF_INTS or operation.attrs.get("key") is not None:
        return False
    values = (*operation.operands, *operation.results)
    if not all(value.type in (INT, BOOL) for value in values):
        return False
    return operation.op.name not in _DIVISIONS or _is_power_of_two(operation)


def _is_power_of_two(division: Operation) -> bool:
    """Whether a division is a shift."""
    number = constant_value(division.operands[1])
    return isinstance(number, int) and number > 0 and number & (number - 1) == 0


def selected(cx: Context, operation: Operation, condition: ir.Value) -> list[Native]:
    """What an ``if`` gives."""
    outside = cx.leaving
    sides = [_side(cx, region.block) for region in operation.regions]
    cx.leaving = outside
    (then, then_leaves), (other, other_leaves) = sides
    leaves = cx.builder.select(condition, then_leaves, other_leaves)
    if outside is not None:
        outside.append(leaves)
    elif not all(isinstance(each, ir.Constant) for each in (then_leaves, other_leaves)):
        cx.exit_if(leaves, OVERFLOWED)
    return [
        Native(form_of(value.type), (cx.builder.select(condition, one, another),))
        for value, one, another in zip(operation.results, then, other, strict=True)
    ]


def _side(cx: Context, block: Block) -> tuple[Sequence[ir.Value], ir.Value]:
    """What a side yields, and whether it leaves 64 bits."""
    cx.leaving = []
    terminator = cx.block(block)
    leaves = reduce(cx.builder.or_, cx.leaving) if cx.leaving else I1(0)
    return [cx.get(value).value for value in terminator.operands], leaves
