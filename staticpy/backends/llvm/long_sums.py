"""The sums of one long row, on several threads.

In: the function that sums a part of a row (``pairwise``). Out: the sums of the whole row. They are
a tree, whose halves are summed by themselves: its first branches are shared out, however many
threads there are, and then added as the function itself would have done.

    tree(leaf, frame, size, table, length, mask)    lets ``leaf`` sum each branch, for all functions
    leaf(frame, start, count, place)                sums one, and stores it
"""

from __future__ import annotations

from collections.abc import Mapping

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.counting import counted
from staticpy.backends.llvm.engine import Code, compile_modules, once
from staticpy.backends.llvm.forms import I8, I64, POINTER
from staticpy.backends.llvm.late import LateFunction
from staticpy.backends.llvm.pool import emit_run
from staticpy.backends.llvm.units import Effort
from staticpy.backends.llvm.vectors import field
from staticpy.backends.llvm.workers import PART

_DEPTH = 4
"""How often the row is halved."""

_BRANCHES = 1 << _DEPTH

_LEAF = ir.FunctionType(ir.VoidType(), [POINTER, I64, I64, POINTER])

_CONTEXT = ir.LiteralStructType([POINTER, POINTER, I64, POINTER, I64, I64])
"""The arguments of ``tree``."""

Frame = Mapping[object, ir.Value]


def stored(builder: ir.IRBuilder, memory: ir.IRBuilder, frame: Frame) -> ir.Value:
    """The address of what a frame holds, for another function; ``memory`` reserves it."""
    type_ = _type_of(frame)
    place = memory.alloca(type_)
    for number, value in enumerate(frame.values()):
        builder.store(value, field(builder, place, type_, number))
    return place


def loaded(builder: ir.IRBuilder, place: ir.Value, frame: Frame) -> dict[object, ir.Value]:
    """The same frame there."""
    type_ = _type_of(frame)
    return {
        key: builder.load(field(builder, place, type_, number), typ=value.type)
        for number, (key, value) in enumerate(frame.items())
    }


def _type_of(frame: Frame) -> ir.LiteralStructType:
    return ir.LiteralStructType([value.type for value in frame.values()])


def summed(
    builder: ir.IRBuilder,
    memory: ir.IRBuilder,
    function: ir.Function,
    row: tuple[ir.Value, ir.Value],
    limit: int,
    width: int,
) -> ir.Value:
    """The sums of a row, a frame and its size, as ``function`` gives them; on several threads if it
    has more than ``limit`` elements. ``width`` is how many accumulators each sum has.
    """
    sums = function.ftype.return_type
    frame, size = row
    found, table = memory.alloca(sums), memory.alloca(ir.ArrayType(sums, _BRANCHES))
    with builder.if_else(builder.icmp_signed(">", size, I64(limit)), likely=False) as (long, short):
        with long:
            length = builder.ptrtoint(_branch(builder, ir.Constant(POINTER, None), sums, 1), I64)
            leaf = builder.bitcast(_leaf(function), POINTER)
            is_done = _TREE.call(builder, leaf, frame, size, table, length, I64(-width))
            with builder.if_else(is_done, likely=True) as (shared, alone):
                with shared:
                    builder.store(_added(builder, table, sums), found)
                with alone:
                    builder.store(builder.call(function, [frame, I64(0), size]), found)
        with short:
            builder.store(builder.call(function, [frame, I64(0), size]), found)
    return builder.load(found, typ=sums)


def _branch(builder: ir.IRBuilder, table: ir.Value, sums: ir.Type, place: int) -> ir.Value:
    return builder.gep(table, [I64(place)], source_etype=sums)


def _added(builder: ir.IRBuilder, table: ir.Value, sums: ir.Type) -> ir.Value:
    """The sums of all branches: neighbours first."""
    places = (_branch(builder, table, sums, place) for place in range(_BRANCHES))
    parts = [builder.load(place, typ=sums) for place in places]
    while len(parts) > 1:
        pairs = zip(parts[::2], parts[1::2], strict=True)
        parts = [_plus(builder, one, other) for one, other in pairs]
    return parts[0]


def _plus(builder: ir.IRBuilder, one: ir.Value, other: ir.Value) -> ir.Value:
    total = one
    for number in range(len(one.type.elements)):
        both = [builder.extract_value(each, number) for each in (one, other)]
        total = builder.insert_value(total, builder.fadd(*both), number)
    return total


def _leaf(function: ir.Function) -> ir.Function:
    """``leaf`` of a function."""
    made = ir.Function(function.module, _LEAF, f"{function.name}.leaf")
    made.linkage = "internal"
    builder = ir.IRBuilder(made.append_basic_block())
    *arguments, place = made.args
    builder.store(builder.call(function, arguments), place)
    builder.ret_void()
    return made


# --- what is the same for all functions -----------------------------------------------------------


def _define_part(module: ir.Module) -> ir.Function:
    """``part(context, begin, end)``: sum these branches."""
    function = ir.Function(module, PART, "part")
    function.linkage = "internal"
    context, begin, end = function.args
    builder = ir.IRBuilder(function.append_basic_block())
    leaf, frame, size, table, length, mask = (
        builder.load(field(builder, context, _CONTEXT, number), typ=type_)
        for number, type_ in enumerate(_CONTEXT.elements)
    )
    leaf = builder.inttoptr(builder.ptrtoint(leaf, I64), ir.PointerType(_LEAF))
    with counted(builder, begin, end) as branch:
        start: ir.Value = I64(0)
        count = size
        for level in reversed(range(_DEPTH)):
            half = builder.and_(builder.lshr(count, I64(1)), mask)
            bit = builder.and_(builder.lshr(branch, I64(level)), I64(1))
            is_second = builder.icmp_signed("!=", bit, I64(0))
            start = builder.select(is_second, builder.add(start, half), start)
            count = builder.select(is_second, builder.sub(count, half), half)
        place = builder.gep(table, [builder.mul(branch, length)], source_etype=I8)
        builder.call(leaf, [frame, start, count, place])
    builder.ret_void()
    return function


@once
def compiled() -> Code:
    """The code of ``tree``."""
    module = ir.Module("long_sums")
    part = _define_part(module)
    function = ir.Function(module, _TREE.type, "tree")
    builder = ir.IRBuilder(function.append_basic_block())
    context = builder.alloca(_CONTEXT)
    for number, value in enumerate(function.args):
        builder.store(value, field(builder, context, _CONTEXT, number))
    emit_run(builder, part, context, I64(_BRANCHES), I64(1), I64(_BRANCHES), I64(0))
    builder.ret(I64(1))
    return compile_modules([(module, Effort.RARELY)], ["tree"])


_TREE = LateFunction("long_sums.tree", _CONTEXT.elements, lambda: compiled().address("tree"))
