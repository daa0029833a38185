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
from staticpy.backends.llvm.breaks import is_break
from staticpy.backends.llvm.choices import QUIET, Choice
from staticpy.backends.llvm.context import Context
from staticpy.backends.llvm.forms import I1, Native, form_of
from staticpy.backends.llvm.records import is_made_of
from staticpy.backends.llvm.status import OVERFLOWED
from staticpy.ir import BOOL, FLOAT, INT, Block, Operation, ScalarType, Type, UnionType, Value, walk
from staticpy.ops import REGISTRY, constant_value, index

_MOST = 8
"""How many operations both sides may have."""

_OF_INTS = (
    *("constant", "if", "region_yield", "py.add", "py.sub", "py.mul", "py.neg", "py.min", "py.max"),
    *("py.and", "py.or", "py.xor", "py.lt", "py.le", "py.gt", "py.ge", "py.eq", "py.ne", "py.not"),
    *("py.floordiv", "py.mod"),
)
_OF_NUMPYS_INTS = ("add", "subtract", "py.max", "py.min")
_MOST_WITH_ELEMENTS = 12
"""How many operations both sides may have that also read elements."""

_SYMBOLS = {
    name: op.symbol
    for name, op in REGISTRY.items()
    if op.symbol in QUIET and (name.startswith("py.") or op.ufunc is not None)
}
"""The comparisons of numbers of one type."""

_DIVISIONS = ("py.floordiv", "py.mod")


def is_select(operation: Operation) -> bool:
    """Whether an ``if`` is computed on both sides."""
    if is_break(operation):
        return False
    inside = [each for region in operation.regions for each in walk(region.block)]
    counted = [each for each in inside if each.op.name not in ("constant", "region_yield")]
    if len(counted) > _MOST or not all(map(_is_of_ints, counted)):
        return False
    if all(value.type in (INT, BOOL) for value in operation.results):
        return any(each.op.name.startswith("py.") for each in counted)
    compared = comparison_of(operation)
    are_numbers = all(_is_one(value.type) for value in operation.results)
    return compared is not None and are_numbers and _chooses_floats(operation, compared)


def chooses_elements(cx: Context, branch: Operation) -> bool:
    """Whether an ``if`` whose sides read elements, too, is computed on both sides."""
    if is_break(branch) or not branch.results:
        return False
    sides = [region.block.operations for region in branch.regions]
    are_ints = all(form_of(each.type).is_whole for each in branch.results)
    keep_types = all(
        [each.type for each in side[-1].operands] == [each.type for each in branch.results]
        for side in sides
    )
    computed = [each for side in sides for each in side[:-1]]
    return are_ints and keep_types and can_be_computed(cx, computed)


def can_be_computed(cx: Context, operations: Sequence[Operation]) -> bool:
    """Whether nobody sees that operations are done where Python doesn't do them: they read elements
    that are in bounds, and compute a few ints.
    """
    if not cx.can_run_again or cx.overflown is not None:
        return False
    counted = [each for each in operations if each.op.name != "constant"]
    return len(counted) <= _MOST_WITH_ELEMENTS and all(_is_seen_by_nobody(cx, e) for e in counted)


def _is_seen_by_nobody(cx: Context, operation: Operation) -> bool:
    if operation.regions or not all(form_of(each.type).is_whole for each in operation.results):
        return False
    if operation.op is index:
        access = cx.checked.get(operation)
        return access is not None and access.entries is not None
    are_ints = all(form_of(each.type).is_whole for each in operation.operands)
    return are_ints and (_is_of_ints(operation) or operation.op.name in _OF_NUMPYS_INTS)


def _chooses_floats(branch: Operation, compared: Operation) -> bool:
    """Whether what is chosen from are floats as wide as what is compared."""
    width = _register(compared.operands[0].type)
    return any(_register(value.type) == width for value in branch.results)


def _register(type_: Type) -> ir.Type:
    """That of a number, whose type may be one of several."""
    return form_of(type_).parts[-1]


def comparison_of(operation: Operation) -> Operation | None:
    """The comparison of two floats of one type that an ``if`` is, and nothing else is; or None."""
    made = operation.operands[0].defining_op
    if made is not None and made.op.name == "truth" and list(made.result.users) == [operation]:
        operation, made = made, made.operands[0].defining_op
    if made is None or made.op.name not in _SYMBOLS or list(made.result.users) != [operation]:
        return None
    left, right = (value.type for value in made.operands)
    return made if _is_float(left) and left == right else None


def _is_one(type_: Type) -> bool:
    """Whether a number is one register, and maybe of one of several types of floats."""
    if isinstance(type_, UnionType):
        return form_of(type_).kind == "either" and all(map(_is_float, type_.members))
    is_numpys = isinstance(type_, ScalarType) and type_.dtype.kind in "biuf"
    return type_ in (INT, BOOL, FLOAT) or is_numpys


def _is_float(type_: Type) -> bool:
    """Whether a number is a float of 64 or 32 bits."""
    return type_ == FLOAT or (isinstance(type_, ScalarType) and type_.dtype.char in "fd")


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
    (then, then_leaves), (other, other_leaves) = (
        _side(cx, region.block, operation.results) for region in operation.regions
    )
    choose: Callable[[ir.Value, ir.Value], ir.Value] = partial(cx.builder.select, condition)
    compared = comparison_of(operation)
    if cx.makes_vectors or (compared is not None and not _chooses_floats(operation, compared)):
        compared = None
    if compared is not None and all(map(cx.has, compared.operands)):
        operands = [cx.get(value).value for value in compared.operands]
        symbol = _SYMBOLS[compared.op.name]
        if not cx.shows and symbol in ("<", ">") and _is_extremum(operation, compared):
            # a NaN sets a flag, and the twin sees that it need not
            condition = cx.builder.fcmp_ordered(symbol, *operands)
            choose = partial(cx.builder.select, condition)
        else:
            choice = Choice(cx.builder, symbol, *operands)
            choose, condition = choice.of, choice.holds
    leave_by(cx, condition, then_leaves, other_leaves)
    return [
        Native(one.form, tuple(map(choose, one.parts, another.parts)))
        for one, another in zip(then, other, strict=True)
    ]


def leave_by(cx: Context, condition: ir.Value, one: ir.Value, other: ir.Value) -> None:
    """Leave the function if the side that is taken leaves 64 bits."""
    leaves = cx.builder.select(condition, one, other)
    if cx.leaving is not None:
        cx.leaving.append(leaves)
    elif not all(isinstance(each, ir.Constant) for each in (one, other)):
        cx.exit_if(leaves, OVERFLOWED, is_whole=True)


def side_until(cx: Context, block: Block, until: Operation | None = None) -> ir.Value:
    """Compute a side, up to an operation or its end: whether it leaves 64 bits."""
    outside, cx.leaving = cx.leaving, []
    cx.block(block, until=until)
    leaves = reduce(cx.builder.or_, cx.leaving) if cx.leaving else I1(0)
    cx.leaving = outside
    return leaves


def _is_extremum(branch: Operation, compared: Operation) -> bool:
    """Whether the floats that are chosen from are the two that are compared: the processor has an
    instruction for that.
    """
    yielded = (region.block.terminator.operands for region in branch.regions)
    width = _register(compared.operands[0].type)
    return all(
        any(all(map(is_made_of, compared.operands, pair)) for pair in (given, given[::-1]))
        for given in zip(*yielded, strict=True)
        if _register(given[0].type) == width
    )


def _side(cx: Context, block: Block, results: Sequence[Value]) -> tuple[Sequence[Native], ir.Value]:
    """What a side yields, and whether it leaves 64 bits."""
    leaves = side_until(cx, block)
    pairs = zip(block.operations[-1].operands, results, strict=True)
    return [cx.convert(cx.get(value), result.type) for value, result in pairs], leaves
