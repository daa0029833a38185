"""One long row, on several threads.

In: what walks along a part of a row, and stores what it has reduced: sums, as ``pairwise`` makes
them, or others. Out: that of the whole row. Sums are a tree, whose halves are summed by themselves:
its first branches are shared out, however many threads there are, and then added as ``pairwise``
does. Others have no order; a walk that only computes elements reduces nothing.

    tree(leaf, frame, size, table, length, mask)    lets ``leaf`` walk along each branch
    leaf(frame, start, count, place)                walks along one, and stores what it has reduced
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.counting import counted
from staticpy.backends.llvm.engine import Code, compile_modules, once
from staticpy.backends.llvm.forms import I8, I64, POINTER
from staticpy.backends.llvm.linked import LinkedFunction
from staticpy.backends.llvm.pool import emit_run
from staticpy.backends.llvm.units import Effort
from staticpy.backends.llvm.vectors import load_fields, store_fields
from staticpy.backends.llvm.workers import PART

_DEPTH = 4
"""How often the row is halved."""

_BRANCHES = 1 << _DEPTH

LEAF = ir.FunctionType(ir.VoidType(), [POINTER, I64, I64, POINTER])

_CONTEXT = ir.LiteralStructType([POINTER, POINTER, I64, POINTER, I64, I64])
"""The arguments of ``tree``."""

Frame = Mapping[object, ir.Value]


def stored(builder: ir.IRBuilder, memory: ir.IRBuilder, frame: Frame) -> ir.Value:
    """The address of what a frame holds, for another function; ``memory`` reserves it."""
    type_ = _type_of(frame)
    place = memory.alloca(type_)
    store_fields(builder, place, type_, frame.values())
    return place


def loaded(builder: ir.IRBuilder, place: ir.Value, frame: Frame) -> dict[object, ir.Value]:
    """The same frame there."""
    return dict(zip(frame, load_fields(builder, place, _type_of(frame)), strict=True))


def _type_of(frame: Frame) -> ir.LiteralStructType:
    return ir.LiteralStructType([value.type for value in frame.values()])


@dataclass(frozen=True)
class Sharing:
    """How a row is shared out.

    Attributes:
        limit: the most elements that one thread walks along.
        width: the first half of a row has a multiple of so many elements.
        numbers: the type of what is reduced.
        both: emits the number that two parts of a row have together; its place comes first.
    """

    limit: int
    width: int
    numbers: ir.LiteralStructType
    both: Callable[[int, ir.Value, ir.Value], ir.Value]


def shared_row(
    builder: ir.IRBuilder,
    memory: ir.IRBuilder,
    leaf: ir.Function,
    row: tuple[ir.Value, ir.Value],
    sharing: Sharing,
) -> ir.Value:
    """What is reduced of a row, a frame and its size; on several threads if it is long."""
    type_ = sharing.numbers
    frame, size = row
    table = memory.alloca(ir.ArrayType(type_, _BRANCHES))
    is_long = builder.icmp_signed(">", size, I64(sharing.limit))
    with builder.if_else(is_long, likely=False) as (shared, alone):
        with shared:
            length = builder.ptrtoint(
                _branch(builder, ir.Constant(POINTER, None), type_, I64(1)), I64
            )
            address = builder.bitcast(leaf, POINTER)
            _TREE.call(builder, address, frame, size, table, length, I64(-sharing.width))
            _join(builder, table, sharing)
        with alone:
            builder.call(leaf, [frame, I64(0), size, table])
    return builder.load(table, typ=type_)


def _branch(builder: ir.IRBuilder, table: ir.Value, type_: ir.Type, place: ir.Value) -> ir.Value:
    return builder.gep(table, [place], source_etype=type_)


def _join(builder: ir.IRBuilder, table: ir.Value, sharing: Sharing) -> None:
    """Let the first of a table be what all branches have together: neighbours first."""
    type_ = sharing.numbers
    with counted(builder, I64(0), I64(_DEPTH)) as level:
        pairs = builder.lshr(I64(_BRANCHES // 2), level)
        with counted(builder, I64(0), pairs) as pair:
            places = [builder.add(builder.shl(pair, I64(1)), I64(n)) for n in range(2)]
            one, other = (
                builder.load(_branch(builder, table, type_, place), typ=type_) for place in places
            )
            found = one
            for number in range(len(type_.elements)):
                parts = [builder.extract_value(each, number) for each in (one, other)]
                found = builder.insert_value(found, sharing.both(number, *parts), number)
            builder.store(found, _branch(builder, table, type_, pair))


def leaf_of(function: ir.Function) -> ir.Function:
    """What stores that which a function of the frame, the start and the count gives."""
    made = ir.Function(function.module, LEAF, f"{function.name}.leaf")
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
    leaf, frame, size, table, length, mask = load_fields(builder, context, _CONTEXT)
    leaf = builder.inttoptr(builder.ptrtoint(leaf, I64), ir.PointerType(LEAF))
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
    module = ir.Module("long_rows")
    part = _define_part(module)
    function = ir.Function(module, _TREE.type, "tree")
    builder = ir.IRBuilder(function.append_basic_block())
    context = builder.alloca(_CONTEXT)
    store_fields(builder, context, _CONTEXT, function.args)
    emit_run(builder, part, context, I64(_BRANCHES), I64(1), I64(_BRANCHES), I64(0))
    builder.ret_void()
    return compile_modules([(module, Effort.RARELY)], ["tree"])


_TREE = LinkedFunction(
    "long_rows.tree",
    ir.FunctionType(ir.VoidType(), _CONTEXT.elements),
    lambda: compiled().address("tree"),
)
