"""Copies of arrays for loops that read elements that are neighbours.

In: a table of sizes, and one of where an array lies, its data and strides. Out: the second table
says where a copy lies, in which the elements of a row are neighbours. The functions are for arrays
of any kind. What goes from element to element is compiled by itself; a row of which all elements
are the same one, as a gradient of a mean has, needs none of it. Of a transposed matrix some columns
are copied at a time, as many as the first cache holds lines of.
"""

from __future__ import annotations

from itertools import product

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.capi import declare
from staticpy.backends.llvm.context import NULL
from staticpy.backends.llvm.copies import copy_bytes
from staticpy.backends.llvm.counting import counted
from staticpy.backends.llvm.engine import Code, compile_modules, once
from staticpy.backends.llvm.forms import I1, I8, I64, POINTER
from staticpy.backends.llvm.linked import LinkedFunction
from staticpy.backends.llvm.units import Effort
from staticpy.backends.llvm.vectors import backwards, moved, parted, splat

_ITEMSIZES = (1, 2, 4, 8, 16)
"""Those whose elements are copied as numbers."""

_COMMON = (4, 8)
"""Those of numbers of which rows are mostly made."""

_RATIOS = (2, 3, 4, -1)
"""The steps in elements that are taken most: of pairs, colours, and backwards."""

_LINE = 64
"""The bytes of a line of the cache."""

_COLUMNS = 8
"""How many columns of a transposed matrix are copied at a time."""

_STEP = [I64, I64, POINTER, POINTER, I64]
_ARRAY = [POINTER, POINTER]
"""Data and strides."""


def number_at(builder: ir.IRBuilder, table: ir.Value, index: ir.Value) -> ir.Value:
    """A number of a table of 64 bits each."""
    return builder.load(place_at(builder, table, index), typ=I64)


def place_at(builder: ir.IRBuilder, table: ir.Value, index: ir.Value) -> ir.Value:
    """The address of a number of a table of 64 bits each."""
    return builder.gep(table, [index], source_etype=I64)


def _elements_module() -> ir.Module:
    """``elements(size, itemsize, target, source, step)``: copy elements with such steps between
    them.
    """
    module = ir.Module("elements")
    function = ir.Function(module, _ELEMENTS.type, "elements")
    size, itemsize, target, source, step = function.args
    builder = ir.IRBuilder(function.append_basic_block())
    for known, ratio in product(_COMMON, _RATIOS):
        with builder.if_then(
            builder.and_(
                builder.icmp_signed("==", itemsize, I64(known)),
                builder.icmp_signed("==", step, I64(known * ratio)),
            )
        ):
            _copy_vectors(builder, target, source, size, known, ratio)
            builder.ret_void()
    for known in _ITEMSIZES:
        with builder.if_then(builder.icmp_signed("==", itemsize, I64(known))):
            with counted(builder, I64(0), size) as index:
                here = builder.gep(source, [builder.mul(index, step)], source_etype=I8)
                there = builder.gep(target, [builder.mul(index, itemsize)], source_etype=I8)
                element = builder.load(here, typ=ir.IntType(8 * known), align=1)
                builder.store(element, there, align=1)
            builder.ret_void()
    with counted(builder, I64(0), size) as index:
        here = builder.gep(source, [builder.mul(index, step)], source_etype=I8)
        there = builder.gep(target, [builder.mul(index, itemsize)], source_etype=I8)
        builder.call(copy_bytes(module), [there, here, itemsize, I1(0)])
    builder.ret_void()
    return module


def _copy_vectors(
    builder: ir.IRBuilder,
    target: ir.Value,
    source: ir.Value,
    size: ir.Value,
    itemsize: int,
    ratio: int,
) -> None:
    """Copy every so many elements, or all in reverse, a line of the cache at a time. Of the last
    line nothing is read behind the last element.
    """
    count, item = _LINE // itemsize, ir.IntType(8 * itemsize)
    step, length = I64(ratio * itemsize), I64(itemsize)
    whole = builder.and_(builder.sub(size, I64(1)), I64(-count))
    whole = builder.select(builder.icmp_signed(">", size, I64(0)), whole, I64(0))
    vector = ir.VectorType(item, count * abs(ratio))
    with counted(builder, I64(0), whole, count) as index:
        first = builder.add(index, I64(count - 1)) if ratio < 0 else index
        loaded = builder.load(moved(builder, source, first, step), typ=vector, align=1)
        wanted = backwards(builder, loaded) if ratio < 0 else parted(builder, loaded, ratio)[0]
        builder.store(wanted, moved(builder, target, index, length), align=1)
    with counted(builder, whole, size) as index:
        element = builder.load(moved(builder, source, index, step), typ=item, align=1)
        builder.store(element, moved(builder, target, index, length), align=1)


def _turned_module() -> ir.Module:
    """``turned(rows, columns, itemsize, target, its step, source, its step)``: copy a matrix whose
    rows have steps, to one whose columns have; elements are neighbours in the columns of the source
    and the rows of the target. It is not done if they are of another size than numbers.
    """
    module = ir.Module("turned")
    function = ir.Function(module, _TURNED.type, "turned")
    rows, columns, itemsize, target, target_step, source, step = function.args
    builder = ir.IRBuilder(function.append_basic_block())
    whole = builder.and_(columns, I64(-_COLUMNS))
    for known in _ITEMSIZES:
        item = ir.IntType(8 * known)
        with builder.if_then(builder.icmp_signed("==", itemsize, I64(known))):
            for first, last, count in ((I64(0), whole, _COLUMNS), (whole, columns, 1)):
                with (
                    counted(builder, first, last, count, as_written=True) as column,
                    counted(builder, I64(0), rows, as_written=True) as row,
                ):
                    here = moved(builder, source, row, I64(known))
                    there = moved(builder, target, row, target_step)
                    places = [builder.add(column, I64(n)) for n in range(count)]
                    from_ = [moved(builder, here, place, step) for place in places]
                    found = [builder.load(place, typ=item, align=1) for place in from_]
                    for place, each in zip(places, found, strict=True):
                        builder.store(each, moved(builder, there, place, I64(known)), align=1)
            builder.ret(I1(1))
    builder.ret(I1(0))
    return module


@once
def compiled() -> Code:
    """The code that copies elements one by one."""
    modules = [(each, Effort.LOOPS) for each in (_elements_module(), _turned_module())]
    return compile_modules(modules, ["elements", "turned"])


_TURNED_TYPES = [I64, I64, I64, POINTER, I64, POINTER, I64]
_ELEMENTS = LinkedFunction(
    "packing.elements",
    ir.FunctionType(ir.VoidType(), _STEP),
    lambda: compiled().address("elements"),
)
_TURNED = LinkedFunction(
    "packing.turned", ir.FunctionType(I1, _TURNED_TYPES), lambda: compiled().address("turned")
)


def _row_function(module: ir.Module) -> ir.Function:
    """``row(size, itemsize, target, source, step)``: the same, of any steps."""
    function = ir.Function(module, _ELEMENTS.type, "row")
    function.linkage = "internal"
    size, itemsize, target, source, step = function.args
    builder = ir.IRBuilder(function.append_basic_block())
    with builder.if_then(builder.icmp_signed("==", step, itemsize)):
        length = builder.mul(size, itemsize)
        builder.call(copy_bytes(module), [target, source, length, I1(0)])
        builder.ret_void()
    is_still = builder.icmp_signed("==", step, I64(0))
    with builder.if_then(builder.and_(is_still, builder.icmp_signed(">", size, I64(0)))):
        for known in _COMMON:
            with builder.if_then(builder.icmp_signed("==", itemsize, I64(known))):
                _repeat(builder, target, source, size, known)
                builder.ret_void()
        builder.call(copy_bytes(module), [target, source, itemsize, I1(0)])
        _double(builder, target, builder.mul(size, itemsize), itemsize)
        builder.ret_void()
    _ELEMENTS.call(builder, *function.args)
    builder.ret_void()
    return function


def _repeat(
    builder: ir.IRBuilder, target: ir.Value, source: ir.Value, size: ir.Value, itemsize: int
) -> None:
    """Store one element ``size`` times, a line of the cache at a time."""
    count = _LINE // itemsize
    number = builder.load(source, typ=ir.IntType(8 * itemsize), align=1)
    line = splat(builder, number, count)
    whole = builder.and_(size, I64(-count))
    with counted(builder, I64(0), whole, count) as index:
        builder.store(line, moved(builder, target, index, I64(itemsize)), align=1)
    with counted(builder, whole, size) as index:
        builder.store(number, moved(builder, target, index, I64(itemsize)), align=1)


def _double(builder: ir.IRBuilder, target: ir.Value, length: ir.Value, known: ir.Value) -> None:
    """Repeat the first ``known`` bytes up to ``length``, twice as many each time."""
    done = builder.alloca(I64)
    builder.store(known, done)
    head, body, rest = (builder.append_basic_block() for _ in range(3))
    builder.branch(head)
    builder.position_at_end(head)
    here = builder.load(done, typ=I64)
    builder.cbranch(builder.icmp_signed("<", here, length), body, rest)
    builder.position_at_end(body)
    left = builder.sub(length, here)
    more = builder.select(builder.icmp_signed("<", here, left), here, left)
    place = builder.gep(target, [here], source_etype=I8)
    builder.call(copy_bytes(builder.module), [place, target, more, I1(0)])
    builder.store(builder.add(here, more), done)
    builder.branch(head)
    builder.position_at_end(rest)


def _copy_function(module: ir.Module) -> ir.Function:
    """``copy(axis, rank, itemsize, sizes, target and its strides, source and its strides)``: what
    is at one place of the axes before ``axis``.
    """
    types = [I64, I64, I64, POINTER, *_ARRAY, *_ARRAY]
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), types), "copy")
    function.linkage = "internal"
    axis, rank, itemsize, sizes, target, target_strides, source, source_strides = function.args
    builder = ir.IRBuilder(function.append_basic_block())
    tables = sizes, target_strides, source_strides
    size, target_step, step = (number_at(builder, each, axis) for each in tables)
    next_ = builder.add(axis, I64(1))
    with builder.if_then(builder.icmp_signed("==", next_, rank)):
        builder.call(_row_function(module), [size, itemsize, target, source, step])
        builder.ret_void()
    last = builder.sub(rank, I64(1))
    is_turned = builder.and_(
        builder.icmp_signed("==", next_, last), builder.icmp_signed("==", step, itemsize)
    )
    with builder.if_then(is_turned):
        row, row_step = number_at(builder, sizes, last), number_at(builder, source_strides, last)
        given = [size, row, itemsize, target, target_step, source, row_step]
        with builder.if_then(_TURNED.call(builder, *given)):
            builder.ret_void()
    with counted(builder, I64(0), size) as index:
        there = builder.gep(target, [builder.mul(index, target_step)], source_etype=I8)
        here = builder.gep(source, [builder.mul(index, step)], source_etype=I8)
        arrays = [there, target_strides, here, source_strides]
        builder.call(function, [next_, rank, itemsize, sizes, *arrays])
    builder.ret_void()
    return function


def define_pack(module: ir.Module) -> None:
    """``pack(place, sizes, rank, row_axes, itemsize, memory)``: how many bytes the copy takes, and
    one more; 0 if there is no memory. ``place`` holds the data and the strides of the array, then
    of the copy, which is in ``memory`` or, if that is NULL, in memory of its own. Where an array is
    stretched, so is the copy, but for the rows, which are the last ``row_axes`` axes.
    """
    type_ = ir.FunctionType(I64, [POINTER, POINTER, I64, I64, I64, POINTER])
    function = ir.Function(module, type_, "pack")
    function.linkage = "internal"
    place, sizes, rank, row_axes, itemsize, memory = function.args
    builder = ir.IRBuilder(function.append_basic_block())
    new, own = (builder.alloca(I64, size=rank) for _ in range(2))
    length = builder.alloca(I64)
    builder.store(itemsize, length)
    strides, before_rows = place_at(builder, place, I64(1)), builder.sub(rank, row_axes)
    with counted(builder, I64(0), rank) as index:
        axis = builder.sub(builder.sub(rank, I64(1)), index)
        is_outer = builder.icmp_signed("<", axis, before_rows)
        is_still = builder.icmp_signed("==", number_at(builder, strides, axis), I64(0))
        whole = number_at(builder, sizes, axis)
        is_longer = builder.icmp_signed(">", whole, I64(1))  # of an empty array nothing is read
        is_stretched = builder.and_(builder.and_(is_outer, is_still), is_longer)
        step = builder.load(length, typ=I64)
        size = builder.select(is_stretched, I64(1), whole)
        step_here = builder.select(is_stretched, I64(0), step)
        builder.store(step_here, place_at(builder, new, axis))
        builder.store(size, place_at(builder, own, axis))
        builder.store(builder.mul(step, size), length)
    wanted = builder.add(builder.load(length, typ=I64), I64(1))
    made_here = builder.alloca(POINTER)
    builder.store(memory, made_here)
    is_own = builder.icmp_unsigned("==", memory, NULL)
    with builder.if_then(is_own):
        builder.store(builder.call(declare(module, "malloc"), [wanted]), made_here)
    made = builder.load(made_here, typ=POINTER)
    with builder.if_then(builder.icmp_unsigned("==", made, NULL)):
        builder.ret(I64(0))
    source = builder.load(place, typ=POINTER)
    arguments = [I64(0), rank, itemsize, own, made, new, source, strides]
    builder.call(_copy_function(module), arguments)
    builder.store(made, place)
    with counted(builder, I64(0), rank) as index:
        builder.store(number_at(builder, new, index), place_at(builder, strides, index))
    builder.ret(wanted)
