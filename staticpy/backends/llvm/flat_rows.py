"""What the rounds of loops in loops save, in one list of numbers.

In: a Module of ways there and back, without regions of other ops than ``if``, ``for`` and
``while``. Out: one in which a list of lists of numbers, a row for each round, is a list of all
numbers, and one of the places where rows begin:

    %t = list.make : list[list[float]]          %f = list.make : list[float]
                                                %s = list.make : list[int]
    ... = for ... {                             ... = for ... {
      %r = list.make : list[float]                %b = list.len %f : int
      list.append %t, %r                          list.append %s, %b
      ... = for ... {                             ... = for ... {
        list.append %r, %x                          list.append %f, %x

    %r = list.getitem %t, %i {saved = ...}      %b = list.getitem %s, %i : int
    %x = list.getitem %r, %j {saved = ...}      %k = py.add %b, %j : int
                                                %x = list.getitem %f, %k {saved = ...}

So the numbers are in memory of their own (``number_lists``), and no row is an object. A row ends
where the next one begins. Of rows of rows the outer ones become places first, then the inner ones.
Whatever else is done with such lists leaves them as they are. Python is faster through rows, so the
twin keeps them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from staticpy import ops
from staticpy.backends.llvm.branch_lists import has_branch_lists, make_before, makes_list
from staticpy.backends.llvm.number_lists import item_form
from staticpy.ir import (
    INT,
    Block,
    Builder,
    Function,
    ListType,
    Module,
    Operation,
    OpResult,
    Value,
    builder_before,
    copy_module,
    rewriter,
    walk,
)
from staticpy.ops import REGISTRY, if_


@dataclass(frozen=True)
class _Rows:
    """A list of rows: the only operation that puts one in, what that is, and what reads them."""

    tape: OpResult
    append: Operation
    row: OpResult
    reads: list[Operation]


def with_flat_rows(module: Module) -> Module:
    """``module``, or a copy of it in which the rows of its entry are flat where they can be."""
    has_rows = any(_rows_of(each) for each in _tapes(module.main))
    if not has_rows and not has_branch_lists(module.main):
        return module
    copy = copy_module(module)
    make_before(copy.main)
    pending = list(_tapes(copy.main))
    while pending:
        rows = _rows_of(pending.pop())
        if rows is not None:
            flat = _flatten(rows)
            pending += [flat] if _is_of_rows(flat) else []
    return copy


def _tapes(function: Function) -> Iterator[OpResult]:
    """The empty lists for rows of numbers."""
    for operation in walk(function.block):
        if makes_list(operation) and _is_of_rows(operation.result):
            yield operation.result


def _is_of_rows(value: Value) -> bool:
    """Whether a list is of lists, of lists perhaps, of numbers."""
    type_ = value.type
    is_of_lists = isinstance(type_, ListType) and isinstance(type_.item, ListType)
    while isinstance(type_, ListType) and isinstance(type_.item, ListType):
        type_ = type_.item
    return is_of_lists and item_form(type_) is not None


# --- what is done with rows -----------------------------------------------------------------------


def _rows_of(tape: OpResult) -> _Rows | None:
    """What is done with a list of rows; None if that is more than a tape is for."""
    if any(place != 0 for _, place in tape.uses):
        return None
    appends = [user for user in tape.users if user.name == "list.append"]
    reads = [user for user in tape.users if user.name != "list.append"]
    if len(appends) != 1 or not all(map(_is_read, reads)):
        return None
    (append,) = appends
    row = append.operands[1]
    if not isinstance(row, OpResult) or not _is_filled(row, append):
        return None
    found = _Rows(tape, append, row, reads)
    rows = [each.result for each in reads if each.name == "list.getitem"]
    are_read = all(place == 0 and _is_read(user) for each in rows for user, place in each.uses)
    return found if are_read and all(_is_in_time(each, found) for each in reads) else None


def _is_read(user: Operation) -> bool:
    """Whether an operation asks for the length of a list, or for an item that is there."""
    return user.name == "list.len" or (user.name == "list.getitem" and "saved" in user.attrs)


def _is_filled(row: OpResult, append: Operation) -> bool:
    """Whether a row is made anew in each round that appends it, and nothing is done with it but to
    append to it and to read it.
    """
    is_new = makes_list(row.owner) and row.owner.block is append.block
    return is_new and all(_fills(*use) for use in row.uses if use != (append, 1))


def _fills(user: Operation, place: int) -> bool:
    if place != 0 or user.name != "list.append":
        return place == 0 and _is_read(user)
    items = user.operands[0].type
    return isinstance(items, ListType) and user.operands[1].type == items.item


def _is_in_time(read: Operation, rows: _Rows) -> bool:
    """Whether a list of rows is read when the last one is full; its length may be asked for before,
    but not where a row is begun and not yet appended.
    """
    block, inner = rows.tape.owner.block, rows.append.block
    assert block is not None
    assert inner is not None
    reader, last = ancestor_in(block, read), ancestor_in(block, rows.append)
    assert reader is not None
    assert last is not None
    if block.position(reader) > block.position(last):
        return True
    between = ancestor_in(inner, read)
    if read.name != "list.len" or between is None:
        return read.name == "list.len"
    begun, appended = inner.position(rows.row.owner), inner.position(rows.append)
    return not begun <= inner.position(between) <= appended


def ancestor_in(block: Block, operation: Operation) -> Operation | None:
    """What holds an operation in a block; None if nothing does."""
    current: Operation | None = operation
    while current is not None and current.block is not block:
        current = current.parent
    return current


# --- one list in their place ----------------------------------------------------------------------


def _flatten(rows: _Rows) -> OpResult:
    """Let all rows be parts of one list, which is returned."""
    assert isinstance(rows.tape.type, ListType)
    builder = builder_before(rows.tape.owner)
    flat = builder.emit(REGISTRY["list.make"], [], {"type": rows.tape.type.item}).result
    starts = builder.emit(REGISTRY["list.make"], [], {"type": ListType(INT)}).result
    builder = builder_before(rows.row.owner)
    start = builder.emit(REGISTRY["list.len"], [flat]).result
    builder.emit(REGISTRY["list.append"], [starts, start])
    rewriter.erase(rows.append)
    _read_part(rows.row, flat, start, lambda each: each.emit(REGISTRY["list.len"], [flat]).result)
    rewriter.erase(rows.row.owner)
    for read in rows.reads:
        if read.name == "list.getitem":
            _read_row(read, flat, starts)
        else:
            rewriter.set_operand(read, 0, starts)
    rewriter.erase(rows.tape.owner)
    return flat


def _read_part(row: Value, flat: Value, start: Value, end: Callable[[Builder], Value]) -> None:
    """Let all that reads a row, or appends to it, do so with ``flat``, from ``start`` on."""
    for user in list(row.users):
        builder = builder_before(user)
        with builder.current():
            if user.name == "list.len":
                rewriter.replace(user, [ops.as_value(ops.binary("-", end(builder), start))])
                continue
            if user.name == "list.getitem" and ops.constant_value(user.operands[1]) != 0:
                at = ops.as_value(ops.binary("+", start, user.operands[1]))
                rewriter.set_operand(user, 1, at)
            elif user.name == "list.getitem":
                rewriter.set_operand(user, 1, start)
        rewriter.set_operand(user, 0, flat)


def _read_row(read: Operation, flat: Value, starts: Value) -> None:
    """Let a read of a row be one of where it begins."""
    number = read.operands[1]
    builder = builder_before(read)
    with builder.current():
        start = builder.emit(REGISTRY["list.getitem"], [starts, number]).result
    has_length = any(user.name == "list.len" for user in read.result.users)
    end = _end(builder, flat, starts, number) if has_length else start
    _read_part(read.result, flat, start, lambda _: end)
    rewriter.erase(read)


def _end(builder: Builder, flat: Value, starts: Value, number: Value) -> Value:
    """Where a row ends, all of which are full: where the next one begins, if there is one."""
    with builder.current():
        following = ops.as_value(ops.binary("+", number, 1))
        count = builder.emit(REGISTRY["list.len"], [starts]).result
        is_inner = ops.as_value(ops.compare("<", following, count))
        with builder.region() as inner:
            item = builder.emit(REGISTRY["list.getitem"], [starts, following]).result
            builder.emit(ops.region_yield, [item])
        with builder.region() as last:
            builder.emit(ops.region_yield, [builder.emit(REGISTRY["list.len"], [flat]).result])
        return builder.emit(if_, [is_inner], {}, [inner, last]).result
