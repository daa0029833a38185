"""Indexes of elements as sums: of a loop's index, of ints that no round changes, each of them a
known number of times, and a known one.

In: an index of an access, in an innermost loop. Out: the sum, ``best[i + 1, i + length]``,
``x[2 * i + 1]`` and ``ways[t - coin]`` are such, by which one looks before the loop whether all
rounds are in bounds.
What an ``if`` around it says counts: ``if coin <= t`` that ``t - coin`` isn't negative.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import NamedTuple

import numpy as np

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.conditions import known_outcomes, not_the_first, order_of
from staticpy.backends.llvm.context import Context
from staticpy.backends.llvm.forms import I64
from staticpy.ir import INT, BlockArgument, Operation, ScalarType, Type, Value
from staticpy.ops import constant

Ends = tuple[ir.Value, ir.Value]
"""The smallest of the values that a number has in the rounds of loops, and the largest."""

_FAR = 1 << 54
"""Sums of a few numbers up to here, each a few times, don't leave 64 bits."""

MOST_TIMES = 64
"""How often a number may be in a sum."""

_LARGEST = 1 << 31
"""Up to where a known number may be."""

_MOST = 4
"""How many numbers a sum may have."""

_SIGNS = {"py.add": 1, "py.sub": -1, "add": 1, "subtract": -1}
_PRODUCTS = ("py.mul", "multiply")
_ORDERS = {"<": (1, 1), "<=": (1, 0), ">": (-1, 1), ">=": (-1, 0)}
"""For comparisons how often the right side less the left one is at least how much."""

_CONVERSIONS = ("from_python", "py.int")
_I64 = np.dtype(np.int64)


class Sum(NamedTuple):
    """Values, each with how often it is in it, and a known int."""

    terms: tuple[tuple[Value, int], ...]
    known: int

    def emit(self, cx: Context, *flags: str) -> ir.Value:
        """What it is, modulo 2**64; with the flag ``nsw`` it is known not to leave 64 bits."""
        total: ir.Value = I64(0)
        for value, times in self.terms:
            combine = cx.builder.add if times > 0 else cx.builder.sub
            total = combine(total, _times(cx, cx.get(value).value, abs(times), *flags), flags)
        return cx.builder.add(total, I64(self.known), flags)


def _times(cx: Context, number: ir.Value, times: int, *flags: str) -> ir.Value:
    return number if times == 1 else cx.builder.mul(number, I64(times), flags)


class Entry(NamedTuple):
    """One index of an access: a known int, or a value and what is added to it.

    Attributes:
        value: the index of the loop if it is in the sum; None if all of it is known.
        offset: the known int.
        times: how often the value is in the sum; negative if it is subtracted.
        others: what no round changes, and how often.
        low: what it is not below, since an ``if`` has said so.
        high: what it is not above.
    """

    value: Value | None
    offset: int
    times: int = 1
    others: tuple[tuple[Value, int], ...] = ()
    low: Sum | None = None
    high: Sum | None = None

    @property
    def is_always_in_bounds(self) -> bool:
        """Whether it is in bounds in rounds, too, in which nobody asks for the element."""
        return self.low is None and self.high is None

    @property
    def sum(self) -> Sum:
        """All of it."""
        first = () if self.value is None else ((self.value, self.times),)
        return Sum((*first, *self.others), self.offset)

    def conditions(
        self, cx: Context, size: ir.Value, ends_of: Callable[[Value], Ends]
    ) -> Iterator[ir.Value]:
        """What holds where it is in bounds, without a sign of its own, of an axis of ``size``."""
        builder = cx.builder
        if self.value is None:
            beyond = self.offset + 1 if self.offset >= 0 else -self.offset
            yield builder.icmp_signed("<=", I64(beyond), size)
            return
        low, high = ends_of(self.value)
        added = [
            *self.others,
            *(each for end in (self.low, self.high) if end for each in end.terms),
        ]
        if self.times != 1 or added or not self.is_always_in_bounds:
            for number in (low, high, *(cx.get(value).value for value, _ in added)):
                yield builder.icmp_unsigned("<", builder.add(number, I64(_FAR)), I64(2 * _FAR))
        if self.times != 1:
            low, high = (builder.mul(each, I64(self.times)) for each in (low, high))
            low, high = (low, high) if self.times > 0 else (high, low)
        others = Sum(self.others, 0).emit(cx)
        # Sizes are below 2**62, and so is what passes: sums of these don't overflow.
        low, high = (builder.add(each, others) for each in (low, high))
        low_holds = builder.icmp_signed(">=", low, I64(-self.offset))
        high_holds = builder.icmp_signed("<", high, builder.sub(size, I64(self.offset)))
        if self.low is not None:
            said = builder.icmp_signed(">=", self.low.emit(cx), I64(0))
            low_holds = builder.or_(low_holds, said)
        if self.high is not None:
            said = builder.icmp_signed("<", self.high.emit(cx), size)
            high_holds = builder.or_(high_holds, said)
        yield low_holds
        yield high_holds

    def position(self, cx: Context, size: ir.Value) -> ir.Value:
        """The index, of an access that is in bounds."""
        if self.value is None:
            known = I64(self.offset)
            return known if self.offset >= 0 else cx.builder.add(size, known)
        return self.sum.emit(cx, "nsw")


def entry_of(
    value: Value, operation: Operation, index: Value, inside: Collection[Value]
) -> Entry | None:
    """An index of an access as a sum, where ``inside`` are the values that rounds of the loop make;
    None if it is none, or an ``if`` around it may know more of it than is known here.
    """
    found = _as_sum(_counted(value, index, inside), index)
    if found is None:
        return None
    if not found.terms:
        return Entry(None, found.known) if found.known >= 0 else None
    (first, times), *others = found.terms
    entry = Entry(first, found.known, times, tuple(others))
    low = high = None
    facts = list(_facts(operation, index, inside))
    for fact in facts:
        low = _without(fact, found, 1, index) or low
        high = _without(fact, found, -1, index) or high
    assert isinstance(index, BlockArgument)
    if operation.block is not index.block and not facts and (others or times < 0):
        return None
    return entry._replace(low=low, high=high)


def _without(fact: Sum, found: Sum, sign: int, index: Value) -> Sum | None:
    """What ``found`` is not below, or above with a ``sign`` of -1, if that is what ``fact`` says,
    which is not negative: a sum without the index.
    """
    counts = dict(fact.terms)
    for value, count in found.terms:
        counts[value] = counts.get(value, 0) - sign * count
    rest = _as_sum((counts, fact.known - sign * found.known), index)
    if rest is None or any(value is index for value, _ in rest.terms):
        return None
    return Sum(  # of a fact that is found and a rest
        tuple((value, -sign * count) for value, count in rest.terms), -sign * rest.known
    )


def _facts(operation: Operation, index: Value, inside: Collection[Value]) -> Iterator[Sum]:
    """Sums that are not negative where an operation is done, as the branches around it say."""
    assert isinstance(index, BlockArgument)
    for comparison, truth in known_outcomes(operation, index.block):
        other = not_the_first(comparison, truth)
        if other is not None:
            yield Sum(((other[0], 1),), -other[1] - 1)
        symbol = order_of(comparison)
        if symbol is None:
            continue
        left, right = (_counted(each, index, inside) for each in comparison.operands)
        sign, least = _ORDERS[symbol]
        if not truth:
            sign, least = -sign, 1 - least
        if left is not None and right is not None:
            counts, known = _difference(right, left)
            if not all(counts.values()):
                continue  # of a number on both sides nobody asks later whether its sums overflow
            signed = {value: sign * count for value, count in counts.items()}
            found = _as_sum((signed, sign * known - least), index)
            if found is not None:
                yield found


def _as_sum(found: tuple[dict[Value, int], int] | None, index: Value) -> Sum | None:
    """What is counted as a sum with the index in front, unless it is a long one."""
    if found is None:
        return None
    counts, known = found
    terms = [(each, count) for each, count in counts.items() if count]
    is_short = len(terms) <= _MOST and all(abs(count) <= MOST_TIMES for _, count in terms)
    terms.sort(key=lambda term: term[0] is not index)
    return Sum(tuple(terms), known) if is_short and abs(known) < _LARGEST else None


def _difference(
    one: tuple[dict[Value, int], int], other: tuple[dict[Value, int], int], sign: int = -1
) -> tuple[dict[Value, int], int]:
    counts = dict(one[0])
    for each, count in other[0].items():
        counts[each] = counts.get(each, 0) + sign * count
    return counts, one[1] + sign * other[1]


def sums_in(value: Value, inside: Collection[Value]) -> Iterator[Operation]:
    """What is added up to an index that is a sum."""
    made = value.defining_op
    if made is None or value not in inside:
        return
    if made.op.name in (*_SIGNS, *_PRODUCTS) or _converts(made):
        if not _converts(made):
            yield made
        for operand in made.operands:
            yield from sums_in(operand, inside)


def _counted(
    value: Value, index: Value, inside: Collection[Value]
) -> tuple[dict[Value, int], int] | None:
    """How often each value is in a sum, and the known int."""
    if not is_index(value.type):
        return None
    made = value.defining_op
    if made is not None and made.op is constant:
        return {}, int(made.attrs["value"])
    if value is index or value not in inside:
        return {value: 1}, 0
    if made is None:
        return None
    if _converts(made):
        return _counted(made.operands[0], index, inside)
    sign = _SIGNS.get(made.op.name)
    if (sign is None and made.op.name not in _PRODUCTS) or len(made.operands) != 2:
        return None
    left, right = (_counted(each, index, inside) for each in made.operands)
    if left is None or right is None:
        return None
    return _product(left, right) if sign is None else _difference(left, right, sign)


def _product(
    one: tuple[dict[Value, int], int], other: tuple[dict[Value, int], int]
) -> tuple[dict[Value, int], int] | None:
    """That of a sum and a known number."""
    (counts, known), (others, times) = (other, one) if not one[0] else (one, other)
    if others or abs(times) > MOST_TIMES:
        return None
    return {value: count * times for value, count in counts.items()}, known * times


def _converts(operation: Operation) -> bool:
    """Whether an operation gives the number that it gets, as an int of another kind."""
    return operation.op.name in _CONVERSIONS and is_index(operation.operands[0].type)


def is_index(type_: Type) -> bool:
    """Whether a number is an int of 64 bits with a sign."""
    return type_ == INT or (isinstance(type_, ScalarType) and type_.dtype == _I64)
