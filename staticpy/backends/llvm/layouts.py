"""How arrays lie in memory, as far as native code asks: conditions on sizes and strides.

In: LLVM values of sizes and strides. Out: LLVM values of truth.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import combinations, pairwise

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.forms import I1, I64
from staticpy.ir import UNKNOWN, Dim


def in_order(
    builder: ir.IRBuilder, sizes: Sequence[ir.Value], strides: Sequence[ir.Value]
) -> Iterator[ir.Value]:
    """What must hold so that each axis has longer steps than those after it. NumPy lets its results
    lie as its operands do: then they are in C order.
    """
    magnitudes = [magnitude(builder, stride) for stride in strides]
    axes = zip(sizes, magnitudes, strict=True)
    # Not neighbours alone: one of size 1 between two says nothing of these.
    for (size, big), (next_size, small) in combinations(axes, 2):
        longer = builder.icmp_unsigned(">=", big, small)
        few = [builder.icmp_signed("<=", each, I64(1)) for each in (size, next_size)]
        yield builder.or_(builder.or_(longer, few[0]), few[1])


def told_sizes(
    builder: ir.IRBuilder, axes: Sequence[tuple[ir.Value, Dim]], strides: Sequence[ir.Value]
) -> list[ir.Value]:
    """The sizes of axes that are walked along; 1 where only the run knows whether an array has them
    or is stretched, and it is: then its steps tell nothing of their order.
    """

    def told(size: ir.Value, stride: ir.Value) -> ir.Value:
        is_stretched = builder.icmp_signed("==", stride, I64(0))
        return builder.select(is_stretched, I64(1), size)

    pairs = zip(axes, strides, strict=True)
    return [told(size, stride) if dim == UNKNOWN else size for (size, dim), stride in pairs]


def sums_in_order(
    builder: ir.IRBuilder, operands: Sequence[tuple[Sequence[ir.Value], Sequence[ir.Value]]]
) -> Iterator[ir.Value]:
    """What must hold so that NumPy lets the sum of products of two operands lie in C order.

    Each has outer axes, one of its own, and the one that is summed; no step goes backwards. NumPy's
    iterator begins with the axes of the result, outermost first, and then the sum, and moves an
    axis inwards past others along which all operands that have both make longer steps. So no axis
    of the result may want to pass another one, and those that want to pass the sum must be the last
    ones: one that did would stand within those that didn't.
    """
    for sizes, strides in operands:
        yield from in_order(builder, sizes[:-1], strides[:-1])
    wants: list[ir.Value] = []
    for axis in range(-max(len(sizes) for sizes, _ in operands), -2):
        pairs = [
            _compared(builder, sizes, strides, axis)
            for sizes, strides in operands
            if len(sizes) >= -axis
        ]
        has_any = reduce(builder.or_, [says for says, _ in pairs])
        none_against = [builder.or_(builder.not_(says), below) for says, below in pairs]
        wants.append(reduce(builder.and_, none_against, has_any))
    for sizes, strides in operands:
        says, below = _compared(builder, sizes, strides, -2)
        wants.append(builder.and_(says, below))
    for outer, inner in pairwise(wants):
        yield builder.or_(builder.not_(outer), inner)


def _compared(
    builder: ir.IRBuilder, sizes: Sequence[ir.Value], strides: Sequence[ir.Value], axis: int
) -> tuple[ir.Value, ir.Value]:
    """Whether an operand says how an axis and its last one are to be ordered, and whether the steps
    of the axis are shorter. What has one element only, or the same one again, says nothing.
    """
    steps = [
        builder.and_(
            builder.icmp_signed(">", sizes[each], I64(1)),
            builder.icmp_signed("!=", strides[each], I64(0)),
        )
        for each in (axis, -1)
    ]
    return builder.and_(*steps), builder.icmp_signed("<", strides[axis], strides[-1])


def is_dense(
    builder: ir.IRBuilder, sizes: Sequence[ir.Value], strides: Sequence[ir.Value], itemsize: int
) -> ir.Value:
    """Whether elements lie one after the other, without gaps, in the order of the axes."""
    dense = builder.icmp_signed("==", strides[-1], I64(itemsize))
    for axis in range(len(sizes) - 1):
        step = builder.mul(strides[axis + 1], sizes[axis + 1])
        dense = builder.and_(dense, builder.icmp_signed("==", strides[axis], step))
    return dense


def without_ones(
    builder: ir.IRBuilder,
    sizes: Sequence[ir.Value],
    strides: Sequence[ir.Value],
    dims: Sequence[Dim],
    itemsize: int,
) -> list[ir.Value]:
    """The strides of an array to which axes that are known to have one element are no gaps: nobody
    goes along them, and NumPy lets their strides be anything.
    """
    step, changed = I64(itemsize), list(strides)
    for axis in reversed(range(len(changed))):
        if dims[axis] == 1:
            changed[axis] = step
        step = builder.mul(changed[axis], sizes[axis])
    return changed


def is_spread(
    builder: ir.IRBuilder, sizes: Sequence[ir.Value], strides: Sequence[ir.Value], itemsize: int
) -> ir.Value:
    """Whether it is plain to see that no two elements share memory: along the axes in their order,
    or in the reverse, each step goes beyond all that the others reach.
    """
    axes = list(zip(sizes, strides, strict=True))
    found: ir.Value = I1(0)
    for order in (axes[::-1], axes):
        reach: ir.Value = I64(itemsize)
        holds: ir.Value = I1(1)
        for size, stride in order:
            step = magnitude(builder, stride)
            is_one = builder.icmp_signed("<=", size, I64(1))
            goes_beyond = builder.icmp_unsigned(">=", step, reach)
            holds = builder.and_(holds, builder.or_(is_one, goes_beyond))
            reach = builder.select(is_one, reach, builder.mul(step, size))
        found = builder.or_(found, holds)
    return found


def is_upwards(builder: ir.IRBuilder, strides: Sequence[ir.Value]) -> Iterator[ir.Value]:
    """What must hold so that no axis is walked along backwards."""
    for stride in strides:
        yield builder.icmp_signed(">=", stride, I64(0))


def is_aligned(
    builder: ir.IRBuilder, data: ir.Value, strides: Sequence[ir.Value], itemsize: int
) -> ir.Value:
    """Whether all elements lie at multiples of their size."""
    places = reduce(builder.or_, strides, builder.ptrtoint(data, I64))
    return builder.icmp_signed("==", builder.and_(places, I64(itemsize - 1)), I64(0))


def extent(
    builder: ir.IRBuilder,
    data: ir.Value,
    sizes: Sequence[ir.Value],
    strides: Sequence[ir.Value],
    itemsize: int,
) -> tuple[ir.Value, ir.Value]:
    """The first address of an array, and the one after its last."""
    zero = I64(0)
    low = builder.ptrtoint(data, I64)
    high = builder.add(low, I64(itemsize))
    for stride, size in zip(strides, sizes, strict=True):
        reach = builder.mul(stride, builder.sub(size, I64(1)))
        is_down = builder.icmp_signed("<", reach, zero)
        low = builder.add(low, builder.select(is_down, reach, zero))
        high = builder.add(high, builder.select(is_down, zero, reach))
    return low, high


def are_apart(
    builder: ir.IRBuilder, one: tuple[ir.Value, ir.Value], other: tuple[ir.Value, ir.Value]
) -> ir.Value:
    """Whether two extents have no address in common."""
    before = builder.icmp_unsigned("<=", other[1], one[0])
    after = builder.icmp_unsigned("<=", one[1], other[0])
    return builder.or_(before, after)


def magnitude(builder: ir.IRBuilder, number: ir.Value) -> ir.Value:
    """A number without its sign."""
    negative = builder.icmp_signed("<", number, I64(0))
    return builder.select(negative, builder.sub(I64(0), number), number)
