"""Branches that compute a few ints, or choose among floats, as selects.

In: an ``if`` whose sides are some operators on Python's ints, or nothing, and give ints or, by a
comparison of floats, numbers. Out: both sides, one after the other, and a choice among what they
give; where the side that is taken leaves 64 bits, the function is left behind them. An exit on one
side keeps LLVM from doing so, and a branch that no processor foresees, as whether a number is even,
takes longer than a few additions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, reduce

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.choices import QUIET, Choice
from staticpy.backends.llvm.context import Context
from staticpy.backends.llvm.forms import I1, Native, form_of
from staticpy.backends.llvm.status import OVERFLOWED
from staticpy.ir import BOOL, FLOAT, INT, Block, Operation, ScalarType, Type, walk
from staticpy.ops import REGISTRY, constant_value

_MOST = 8
"""How many operations both sides may have."""

_OF_INTS = (
    *("constant", "if", "region_yield", "py.add", "py.sub", "py.mul", "py.neg", "py.min", "py.max"),
    *("py.and", "py.or", "py.xor", "py.lt", "py.le", "py.gt", "py.ge", "py.eq", "py.ne", "py.not"),
    *("py.floordiv", "py.mod"),
)
_SYMBOLS = {
    name: op.symbol
    for name, op in REGISTRY.items()
    if op.symbol in QUIET and (name.startswith("py.") or op.ufunc is not None)
}
"""The comparisons of numbers of one type."""

_DIVISIONS = ("py.floordiv", "py.mod")


def is_select(operation: Operation) -> bool:
    """Whether an ``if`` is computed on both sides."""
    inside = [each for region in operation.regions for each in walk(region.block)]
    counted = [each for each in inside if each.op.name not in ("constant", "region_yield")]
    if len(counted) > _MOST or not all(map(_is_of_ints, counted)):
        return False
    if all(value.type in (INT, BOOL) for value in operation.results):
        return any(each.op.name.startswith("py.") for each in counted)
    types = _types(operation)
    compared = comparison_of(operation)
    return compared is not None and compared.operands[0].type in types and all(map(_is_one, types))


def _types(branch: Operation) -> set[Type]:
    return {value.type for value in branch.results}


def comparison_of(operation: Operation) -> Operation | None:
    """The comparison of two floats of one type that an ``if`` is, and nothing else is; or None."""
    made = operation.operands[0].defining_op
    if made is not None and made.op.name == "truth" and list(made.result.users) == [operation]:
        operation, made = made, made.operands[0].defining_op
    if made is None or made.op.name not in _SYMBOLS or list(made.result.users) != [operation]:
        return None
    left, right = (value.type for value in made.operands)
    is_float = left == FLOAT or (isinstance(left, ScalarType) and left.dtype.char in "fd")
    return made if is_float and left == right else None


def _is_one(type_: Type) -> bool:
    """Whether a number is one register."""
    is_numpys = isinstance(type_, ScalarType) and type_.dtype.kind in "biuf"
    return type_ in (INT, BOOL, FLOAT) or is_numpys


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
    choose: Callable[[ir.Value, ir.Value], ir.Value] = partial(cx.builder.select, condition)
    compared = comparison_of(operation)
    if cx.makes_vectors or (
        compared is not None and compared.operands[0].type not in _types(operation)
    ):
        compared = None
    if compared is not None and all(map(cx.has, compared.operands)):
        operands = [cx.get(value).value for value in compared.operands]
        choice = Choice(cx.builder, _SYMBOLS[compared.op.name], *operands)
        choose, condition = choice.of, choice.holds
    leaves = cx.builder.select(condition, then_leaves, other_leaves)
    if outside is not None:
        outside.append(leaves)
    elif not all(isinstance(each, ir.Constant) for each in (then_leaves, other_leaves)):
        cx.exit_if(leaves, OVERFLOWED, is_whole=True)
    return [
        Native(form_of(value.type), (choose(one, another),))
        for value, one, another in zip(operation.results, then, other, strict=True)
    ]


def _side(cx: Context, block: Block) -> tuple[Sequence[ir.Value], ir.Value]:
    """What a side yields, and whether it leaves 64 bits."""
    cx.leaving = []
    terminator = cx.block(block)
    leaves = reduce(cx.builder.or_, cx.leaving) if cx.leaving else I1(0)
    return [cx.get(value).value for value in terminator.operands], leaves
