"""Walks along rows by vectors that lie in one line of the cache each, with AVX-512.

In: an array that a walk writes or reads, what computes whole vectors, and what some elements. Out:
the loops. Large arrays begin 16 bytes behind a line of the cache, so that a vector as long as a
line would lie in two. The elements before the next line are computed first, under a mask, and last
what is left, by the same code:

    for begin, count, is_last in (start, before, no), (stop, left, yes):
        some(begin, count)
        if not is_last: whole vectors from start + before to stop
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.counting import counted
from staticpy.backends.llvm.forms import I1, I64
from staticpy.backends.llvm.members import dtype_of, operands_of
from staticpy.ir import Operation, Value, dims_of
from staticpy.passes import Cluster, Schedule, Walk, is_there

Row = tuple[Operation | Value, int]
"""The key of an array in the frame of the loops, and the bytes of an element."""

_LINE = 64

_MANY = 32
"""From so many vectors on a row is worth one more."""


def row_along(walk: Walk, schedule: Schedule, cluster: Cluster) -> Row | None:
    """An array that a walk writes, or else one that it reads."""
    for sink in walk.sinks:
        if not is_there(sink):
            return cluster.firsts[sink], dtype_of(sink.operands[0]).itemsize
    made = [value for each in walk.elements for value in each.results]
    written = [value for value in made if value in schedule.kept]
    read = [schedule.source(each) for step in walk.steps for each in operands_of(step)]
    rows = [each for each in read if each in cluster.inputs and dims_of(each.type)]
    rows = [each for each in rows if not cluster.is_constant_along_row(each)]
    for value in (*written, *rows):
        return cluster.firsts.get(value, value), dtype_of(value).itemsize
    return None


def before_aligned(
    builder: ir.IRBuilder, frame: Mapping[Any, ir.Value], row: Row | None, width: int
) -> ir.Value:
    """How many elements of a row come before the first that is aligned as vectors of ``width`` of
    them are, at most as lines; 0 if there are few. The frame says where the row is, and its size.
    """
    if row is None:
        return I64(0)
    key, itemsize = row
    address = builder.ptrtoint(frame[key], I64)
    line = min(_LINE, width * itemsize)
    between = builder.and_(builder.sub(I64(0), address), I64(line - 1))
    before = builder.sdiv(between, I64(itemsize))
    is_long = builder.icmp_signed(">=", frame["size"], I64(_MANY * width))
    return builder.select(is_long, before, I64(0))


def emit_walk(
    builder: ir.IRBuilder,
    part: tuple[ir.Value, ir.Value, ir.Value],
    width: int,
    some: Callable[[ir.Value, ir.Value], Any],
    whole: Callable[[ir.Value], Any],
) -> None:
    """A walk along a part of a row: its first element, how many they are, and how many come before
    those that are aligned. ``some(begin, count)`` emits elements from one on, of which there are
    fewer than ``width``; ``whole(index)`` as many.
    """
    start, size, before = part
    entry = builder.block
    head, few, after, main, rest = (builder.append_basic_block() for _ in range(5))
    builder.branch(head)
    builder.position_at_end(head)
    begin, count, is_last = builder.phi(I64), builder.phi(I64), builder.phi(I1)
    builder.cbranch(builder.icmp_signed("==", count, I64(0)), after, few)
    builder.position_at_end(few)
    some(begin, count)
    builder.branch(after)
    builder.position_at_end(after)
    builder.cbranch(is_last, rest, main)
    builder.position_at_end(main)
    vectors = builder.and_(builder.sub(size, before), I64(-width))
    aligned = builder.add(start, before)
    stop, left = builder.add(aligned, vectors), builder.sub(size, builder.add(before, vectors))
    with counted(builder, aligned, stop, width, as_written=True) as index:
        whole(index)
    turns = (begin, start, stop), (count, before, left), (is_last, I1(0), I1(1))
    for phi, first, then in turns:
        phi.add_incoming(first, entry)
        phi.add_incoming(then, builder.block)
    builder.branch(head)
    builder.position_at_end(rest)
