"""The loops of a cluster, on several threads where they are long.

In: the function of the loops, and a table of what they walk along. Out: the loops are done. Each
number of the table has 64 bits, but for wide complex ones:

    sizes                       of the domain
    data, strides               of each array
    number                      each of them, and what more the loops have to know

``loops(table)`` does them as they are. Where they are long, or rows have gaps, they are done by a
function that knows them by a second table alone, their shape, see ``Shape``; it is one for a
process. It copies what has gaps, lets go of the interpreter's lock, and cuts the longest axis along
which it may into parts, which it gives to ``pool.run``; the last one, along which the lines of the
cache lie, if it is far longer than others. Of these parts each copies what it reads, as much at a
time as the cache holds, if one row isn't more than that:

    run(loops, table, shape)
    part(context, begin, end)   the loops over a range of one axis
    box(loops, table, shape, begins, counts)    over a range of each axis, as a product has it

Elements don't depend on each other, nor do rows: what is computed doesn't depend on where it is
cut. Axes that are reduced are not cut.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.capi import declare
from staticpy.backends.llvm.context import NULL
from staticpy.backends.llvm.counting import counted
from staticpy.backends.llvm.engine import Code, compile_modules, once
from staticpy.backends.llvm.forms import I1, I8, I64, POINTER, register_type
from staticpy.backends.llvm.linked import LinkedFunction
from staticpy.backends.llvm.lock import without_lock
from staticpy.backends.llvm.packing import define_pack, number_at, place_at
from staticpy.backends.llvm.pool import emit_run, is_worth
from staticpy.backends.llvm.units import Effort
from staticpy.backends.llvm.vectors import load_fields, store_fields
from staticpy.backends.llvm.workers import PART

LONG = 1 << 15
"""Walks over more elements than these need no lock of the interpreter."""

WORK = 1 << 22
"""Walks of more work than this are cut: some tenths of a millisecond, many times what it takes to
wake a thread. Walking along an array is one unit for each element, and so is an operation."""

LEAST_WORK = 1 << 17
"""So are those of more than this where several of them follow each other, see ``is_worth``: some
microseconds, many times what it takes to share them out."""

CYCLES = 1 << 20
"""How long a walk of ``WORK`` takes, in about cycles, at most."""

_PIECE = 1 << 13
"""About so many elements each part has at least; a multiple of what loops compute at a time."""

_TURNS = 32
"""About how many parts each thread gets, so that one that is held up does fewer, and that the cache
still holds the last ones when the next walk begins with them."""

_LINES = 6
"""The last of several axes is taken if it is that many times as long as another, as power of 2."""

_ROOM = 160 << 10
"""The bytes of the copies that a part makes at a time: the second cache holds them, and ``malloc``
has them at hand."""

_LINE = 64
"""The bytes of a line of the cache."""

_TOGETHER_IN_LINES = 8
"""A multiple of so many indexes is copied at a time if there is room: of a transposed matrix they
are neighbours in lines of the cache."""

LOOPS = ir.FunctionType(ir.VoidType(), [POINTER])
"""``loops(table)``."""

_WORDS, _RANK, _ROW_AXES, _AXES, _LIMIT, _LONG, _TOGETHER, _ARRAYS, _ITEMSIZES = range(9)
"""Where in the table of a shape everything is; the last is the first of as many as arrays."""


def words_of(type_: ir.Type) -> int:
    """How many words of the table a number takes: a wide complex one two."""
    return 2 if type_ == register_type(np.dtype(np.complex128)) else 1


class Words:
    """What a table says, word after word."""

    def __init__(self, builder: ir.IRBuilder, table: ir.Value) -> None:
        self._builder = builder
        self._table = table
        self._place = 0

    def next(self, type_: ir.Type = I64) -> ir.Value:
        """What the table holds at the next place."""
        place = place_at(self._builder, self._table, I64(self._place))
        self._place += words_of(type_)
        return self._builder.load(place, typ=type_, align=8)

    def several(self, count: int) -> list[ir.Value]:
        """So many numbers."""
        return [self.next() for _ in range(count)]


@dataclass(frozen=True, slots=True)
class Shape:
    """What is to be known of a table.

    Attributes:
        rank: the axes of the domain.
        row_axes: how many of them, the last ones, make a row.
        itemsizes: for each array, of which rows must have no gaps; 0 where they are as they are.
        numbers: how many words they take, and others at the end.
        axes: those that may be cut: along which no number is shared.
        work: the units of work for each element.
        together: where rows of a matrix are cut, how many of their elements at least stay together:
            each cut is in the midst of a line of the cache, in each row, and two threads that write
            there wait for each other.
    """

    rank: int
    row_axes: int
    itemsizes: tuple[int, ...]
    numbers: int
    axes: tuple[int, ...]
    work: int
    together: int

    @property
    def words(self) -> int:
        """The length of the table."""
        return self.rank + len(self.itemsizes) * (1 + self.rank) + self.numbers

    @property
    def limit(self) -> int:
        """Over how many elements walks may be cut."""
        return min(LEAST_WORK, WORK) // self.work

    @property
    def long(self) -> int:
        """Over how many elements they are."""
        return WORK // self.work

    def constant(self, module: ir.Module) -> ir.Value:
        """The address of the shape's own table."""
        axes = sum(1 << axis for axis in self.axes)
        head = (self.words, self.rank, self.row_axes, axes, self.limit, self.long, self.together)
        numbers = (*head, len(self.itemsizes), *self.itemsizes)
        name = "shape." + ".".join(map(str, numbers))
        known = module.globals.get(name)
        if known is None:
            type_ = ir.ArrayType(I64, len(numbers))
            known = ir.GlobalVariable(module, type_, name)
            known.linkage, known.global_constant = "internal", True
            known.initializer = ir.Constant(type_, numbers)
        return known


class _Walk:
    """A table and its shape, in the functions that know no more of them."""

    def __init__(self, builder: ir.IRBuilder, table: ir.Value, shape: ir.Value) -> None:
        self._builder = builder
        self.table = table
        self.shape = shape
        self.rank = self.said(_RANK)
        self.arrays = self.said(_ARRAYS)

    def said(self, word: int) -> ir.Value:
        """A number of the shape."""
        return number_at(self._builder, self.shape, I64(word))

    def itemsize(self, array: ir.Value) -> ir.Value:
        """That of an array whose rows must have no gaps; else 0."""
        return number_at(self._builder, self.shape, self._builder.add(array, I64(_ITEMSIZES)))

    def place(self, array: ir.Value) -> ir.Value:
        """Where the data of an array are said, and behind them the strides."""
        builder = self._builder
        offset = builder.mul(array, builder.add(self.rank, I64(1)))
        return place_at(builder, self.table, builder.add(self.rank, offset))

    def copied(self) -> _Walk:
        """The same in a table of its own."""
        builder = self._builder
        words = self.said(_WORDS)
        made = _Walk(builder, builder.alloca(I64, size=words), self.shape)
        made.restore(self.table)
        return made

    def restore(self, table: ir.Value) -> None:
        """Let the table say what another one does."""
        builder = self._builder
        with counted(builder, I64(0), self.said(_WORDS)) as index:
            builder.store(number_at(builder, table, index), place_at(builder, self.table, index))


def _begun(
    module: ir.Module, name: str, result: ir.Type, types: Sequence[ir.Type]
) -> tuple[ir.IRBuilder, Sequence[ir.Value]]:
    """A new function, internal to the module, and its arguments."""
    function = ir.Function(module, ir.FunctionType(result, types), name)
    function.linkage = "internal"
    return ir.IRBuilder(function.append_basic_block()), function.args


def _define_is_dense(module: ir.Module) -> None:
    """``is_dense(place, table, rank, row_axes, itemsize)``: whether elements of a row have no gaps
    between them.
    """
    builder, args = _begun(module, "is_dense", I1, [POINTER, POINTER, I64, I64, I64])
    place, table, rank, row_axes, itemsize = args
    wanted = builder.alloca(I64)
    builder.store(itemsize, wanted)
    with counted(builder, I64(0), row_axes) as index:
        axis = builder.sub(rank, builder.add(index, I64(1)))
        stride = number_at(builder, place, builder.add(axis, I64(1)))
        step = builder.load(wanted, typ=I64)
        with builder.if_then(builder.icmp_signed("!=", stride, step)):
            builder.ret(I1(0))
        builder.store(builder.mul(step, number_at(builder, table, axis)), wanted)
    builder.ret(I1(1))


@contextmanager
def _with_gaps(builder: ir.IRBuilder, walk: _Walk) -> Iterator[tuple[ir.Value, list[ir.Value]]]:
    """What is emitted within is done for each array whose rows have gaps: where it is said to lie,
    and the rank, the axes of a row and the itemsize.
    """
    row_axes = walk.said(_ROW_AXES)
    with counted(builder, I64(0), walk.arrays) as array:
        place, itemsize = walk.place(array), walk.itemsize(array)
        with builder.if_then(builder.icmp_signed("!=", itemsize, I64(0))):
            rows = [walk.rank, row_axes, itemsize]
            known = builder.module.globals["is_dense"]
            is_dense = builder.call(known, [place, walk.table, *rows])
            with builder.if_then(builder.not_(is_dense)):
                yield place, rows


def _define_pack_all(module: ir.Module) -> None:
    """``pack_all(table, shape, memory)``: let the table tell of copies where rows have gaps, in
    ``memory`` or, if that is NULL, in memory of their own. The first for which there is none ends
    it: whether that was so.
    """
    types = [POINTER, POINTER, POINTER]
    builder, (table, shape, memory) = _begun(module, "pack_all", I1, types)
    free = builder.alloca(POINTER)
    builder.store(memory, free)
    with _with_gaps(builder, _Walk(builder, table, shape)) as (place, rows):
        here = builder.load(free, typ=POINTER)
        used = builder.call(module.globals["pack"], [place, table, *rows, here])
        with builder.if_then(builder.icmp_signed("==", used, I64(0))):
            builder.ret(I1(0))
        is_given = builder.icmp_unsigned("!=", here, NULL)
        with builder.if_then(is_given):
            lines = builder.and_(builder.add(used, I64(_LINE - 1)), I64(-_LINE))
            builder.store(builder.gep(here, [lines], source_etype=I8), free)
    builder.ret(I1(1))


def _define_block(module: ir.Module) -> None:
    """``block(table, shape, total)``: how many indexes of the axis that may be cut are copied at a
    time, where rows have gaps. 0 if none have, there is no such axis, the walk is short, or one
    index is more than there is room for.
    """
    builder, (table, shape, total) = _begun(module, "block", I64, [POINTER, POINTER, I64])
    walk = _Walk(builder, table, shape)
    length = builder.alloca(I64)
    builder.store(I64(0), length)
    with _with_gaps(builder, walk) as (_, rows):
        builder.store(builder.add(builder.load(length, typ=I64), rows[-1]), length)
    bytes_ = builder.load(length, typ=I64)
    has_gaps = builder.icmp_signed("!=", bytes_, I64(0))
    axes = walk.said(_AXES)
    may_be_cut = builder.icmp_signed("!=", axes, I64(0))
    may_be_cut = builder.and_(may_be_cut, builder.icmp_signed(">", total, I64(_PIECE)))
    with builder.if_then(builder.and_(has_gaps, may_be_cut)):
        count = number_at(builder, table, _longest(builder, walk, axes))
        each = builder.mul(builder.sdiv(total, count), bytes_)
        room = builder.sub(I64(_ROOM), builder.mul(walk.arrays, I64(_LINE)))
        count = builder.sdiv(room, each)
        lines = builder.and_(count, I64(-_TOGETHER_IN_LINES))
        has_lines = builder.icmp_signed("!=", lines, I64(0))
        builder.ret(builder.select(has_lines, lines, count))
    builder.ret(I64(0))


def _define_free_all(module: ir.Module) -> None:
    """``free_all(table, original, shape)``: let go of the copies."""
    builder, args = _begun(module, "free_all", ir.VoidType(), [POINTER, POINTER, POINTER])
    mine, original = (_Walk(builder, table, args[-1]) for table in args[:2])
    with counted(builder, I64(0), mine.arrays) as array:
        one, other = (builder.load(each.place(array), typ=POINTER) for each in (mine, original))
        with builder.if_then(builder.icmp_unsigned("!=", one, other)):
            builder.call(declare(module, "free"), [one])
    builder.ret_void()


_CONTEXT = ir.LiteralStructType([POINTER, POINTER, POINTER, I64, I64])
"""The loops, the table, its shape, the axis that is cut, and ``block``."""


def _define_part(module: ir.Module) -> None:
    """``part(context, begin, end)``."""
    builder, (place, begin, end) = _begun(module, "part", PART.return_type, PART.args)
    loops, table, shape, axis, block = load_fields(builder, place, _CONTEXT)
    walk = _Walk(builder, table, shape).copied()
    with builder.if_then(builder.icmp_signed("==", block, I64(0))):
        _narrow(builder, walk, axis, begin, end)
        _call_loops(builder, loops, walk.table)
        builder.ret_void()
    memory = builder.alloca(POINTER)
    made = builder.call(declare(module, "malloc"), [I64(_ROOM)])
    builder.store(made, memory)
    is_none = builder.icmp_unsigned("==", made, NULL)
    with builder.if_then(is_none):  # others may have written already: it has to be done
        builder.store(builder.alloca(I8, size=I64(_ROOM)), memory)
    here = builder.load(memory, typ=POINTER)
    with counted(builder, begin, end, block) as start:
        walk.restore(table)
        next_ = builder.add(start, block)
        stop = builder.select(builder.icmp_signed("<", next_, end), next_, end)
        _narrow(builder, walk, axis, start, stop)
        builder.call(module.globals["pack_all"], [walk.table, shape, here])
        _call_loops(builder, loops, walk.table)
    with builder.if_then(builder.not_(is_none)):
        builder.call(declare(module, "free"), [made])
    builder.ret_void()


def _narrow(
    builder: ir.IRBuilder, walk: _Walk, axis: ir.Value, begin: ir.Value, end: ir.Value
) -> None:
    """Let a walk go over a range of one axis."""
    builder.store(builder.sub(end, begin), place_at(builder, walk.table, axis))
    with counted(builder, I64(0), walk.arrays) as array:
        _move(builder, walk.place(array), axis, begin)


def _define_box(module: ir.Module) -> None:
    """``box(loops, table, shape, begins, counts)``: do the loops for some indexes."""
    function = ir.Function(module, BOX.type, "box")
    loops, table, shape, begins, counts = function.args
    builder = ir.IRBuilder(function.append_basic_block())
    walk = _Walk(builder, table, shape).copied()
    with counted(builder, I64(0), walk.rank) as axis:
        builder.store(number_at(builder, counts, axis), place_at(builder, walk.table, axis))
        begin = number_at(builder, begins, axis)
        with counted(builder, I64(0), walk.arrays) as array:
            _move(builder, walk.place(array), axis, begin)
    _call_loops(builder, loops, walk.table)
    builder.ret_void()


def _move(builder: ir.IRBuilder, array: ir.Value, axis: ir.Value, begin: ir.Value) -> None:
    """Let an array begin at an index of one axis."""
    stride = number_at(builder, array, builder.add(axis, I64(1)))
    moved = builder.add(builder.load(array, typ=I64), builder.mul(begin, stride))
    builder.store(moved, array)


def _call_loops(builder: ir.IRBuilder, loops: ir.Value, table: ir.Value) -> None:
    function = builder.inttoptr(builder.ptrtoint(loops, I64), ir.PointerType(LOOPS))
    builder.call(function, [table])


def _define_cut(module: ir.Module) -> None:
    """``cut(loops, table, shape, total, block)``: do the loops, in parts where it is worth it."""
    types = [POINTER, POINTER, POINTER, I64, I64]
    builder, (loops, table, shape, total, block) = _begun(module, "cut", ir.VoidType(), types)
    walk = _Walk(builder, table, shape)
    axes = walk.said(_AXES)
    with builder.if_then(builder.icmp_signed("!=", axes, I64(0))):
        axis = _longest(builder, walk, axes)
        count = number_at(builder, table, axis)
        place = builder.alloca(_CONTEXT)
        store_fields(builder, place, _CONTEXT, (loops, table, shape, axis, block))
        part = module.globals["part"]
        with (
            builder.if_then(builder.icmp_signed(">", total, walk.said(_LIMIT))),
            builder.if_then(_is_worth(builder, walk, total)),
        ):
            enough = builder.sdiv(I64(_PIECE), builder.sdiv(total, count))
            last = builder.sub(walk.rank, I64(1))
            cuts_rows = builder.icmp_signed("==", axis, last)
            cuts_rows = builder.and_(cuts_rows, builder.icmp_signed(">", last, I64(0)))
            fewest = builder.select(cuts_rows, walk.said(_TOGETHER), I64(1))
            turns = builder.select(cuts_rows, I64(1), I64(_TURNS))
            least = builder.select(builder.icmp_signed(">", enough, fewest), enough, fewest)
            emit_run(builder, part, place, count, least, turns, I64(0))
            builder.ret_void()
        with builder.if_then(builder.icmp_signed("!=", block, I64(0))):
            builder.call(part, [place, I64(0), count])
            builder.ret_void()
    _call_loops(builder, loops, table)
    builder.ret_void()


def _is_worth(builder: ir.IRBuilder, walk: _Walk, total: ir.Value) -> ir.Value:
    long = walk.said(_LONG)
    length = builder.sdiv(builder.mul(total, I64(CYCLES)), builder.add(long, I64(1)))
    return is_worth(builder, builder.icmp_signed(">", total, long), length)


def _longest(builder: ir.IRBuilder, walk: _Walk, axes: ir.Value) -> ir.Value:
    """The longest of the axes whose bits are set, the first of several; the last one of several
    counts less.
    """
    last = builder.sub(walk.rank, I64(1))
    has_others = builder.icmp_signed(">", last, I64(0))
    longest, size = builder.alloca(I64), builder.alloca(I64)
    builder.store(I64(0), longest)
    builder.store(I64(-1), size)
    with counted(builder, I64(0), walk.rank) as axis:
        bit = builder.and_(builder.lshr(axes, axis), I64(1))
        here = number_at(builder, walk.table, axis)
        is_last = builder.and_(has_others, builder.icmp_signed("==", axis, last))
        here = builder.select(is_last, builder.lshr(here, I64(_LINES)), here)
        is_longer = builder.icmp_signed(">", here, builder.load(size, typ=I64))
        may_be_cut = builder.icmp_signed("!=", bit, I64(0))
        with builder.if_then(builder.and_(may_be_cut, is_longer)):
            builder.store(axis, longest)
            builder.store(here, size)
    return builder.load(longest, typ=I64)


def _define_run(module: ir.Module) -> None:
    """``run(loops, table, shape)``: whether it is done; if there is no memory nothing is."""
    function = ir.Function(module, RUN.type, "run")
    loops, table, shape = function.args
    builder = ir.IRBuilder(function.append_basic_block())
    walk = _Walk(builder, table, shape).copied()
    total = builder.alloca(I64)
    builder.store(I64(1), total)
    with counted(builder, I64(0), walk.rank) as axis:
        size = number_at(builder, table, axis)
        builder.store(builder.mul(builder.load(total, typ=I64), size), total)
    number = builder.load(total, typ=I64)
    block = builder.call(module.globals["block"], [table, shape, number])
    packed = builder.alloca(I1)
    builder.store(I1(1), packed)
    with builder.if_then(builder.icmp_signed("==", block, I64(0))):
        done = builder.call(module.globals["pack_all"], [walk.table, shape, NULL])
        builder.store(done, packed)
    is_packed = builder.load(packed, typ=I1)
    with (
        builder.if_then(is_packed),
        without_lock(builder, builder.icmp_signed(">", number, I64(LONG))),
    ):
        builder.call(module.globals["cut"], [loops, walk.table, shape, number, block])
    builder.call(module.globals["free_all"], [walk.table, table, shape])
    builder.ret(is_packed)


@once
def compiled() -> Code:
    """The code of ``run`` and ``box``."""
    module = ir.Module("parts")
    for define in (
        _define_is_dense,
        define_pack,
        _define_pack_all,
        _define_free_all,
        _define_block,
        _define_part,
        _define_cut,
        _define_run,
        _define_box,
    ):
        define(module)
    return compile_modules([(module, Effort.RARELY)], ["run", "box"])


RUN = LinkedFunction(
    "parts.run", ir.FunctionType(I1, [POINTER] * 3), lambda: compiled().address("run")
)

BOX = LinkedFunction(
    "parts.box", ir.FunctionType(ir.VoidType(), [POINTER] * 5), lambda: compiled().address("box")
)


def run_long(builder: ir.IRBuilder, loops: ir.Function, table: ir.Value, shape: Shape) -> ir.Value:
    """Do the loops where they are long, or rows have gaps. Whether they are done: there may be no
    memory for copies.
    """
    function = builder.bitcast(loops, POINTER)
    return RUN.call(builder, function, table, shape.constant(builder.module))
