"""Tables of numbers, lists of rows that nobody outside of the function sees, as lists of numbers.

    t = [[0] * m for _ in range(n)]       numbers, starts, lengths = [], [], []
    t[i][j] = t[i][k] + 1                 numbers[starts[i] + j] = numbers[starts[i] + k] + 1

In: a module. Out: it, or a copy in which a list of lists of numbers, to which one operation appends
rows that are made for it and complete, is a list of all numbers, and two of the places where rows
begin and of their lengths. These are memory of their own (``number_lists``): no row and no number
is an object. All else that is done with the table is to ask for its length, for rows of which items
are read and set, to put one of its rows elsewhere in it, or else at last to return it. An index is
asked for whether its row has it (``list.place``). Python is faster with rows, so the twin keeps
them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from staticpy import ops
from staticpy.backends.llvm.branch_lists import makes_list
from staticpy.backends.llvm.flat_rows import ancestor_in
from staticpy.backends.llvm.number_lists import is_item, is_place, item_form, joined
from staticpy.ir import (
    INT,
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
from staticpy.ops import REGISTRY, for_, list_place, list_rows, region_yield, return_


@dataclass(frozen=True)
class _Table:
    """A list of rows: what makes a row, and the only operation that appends one."""

    value: OpResult
    made: Operation
    append: Operation

    @property
    def items(self) -> ListType:
        """The type of a row."""
        assert isinstance(self.value.type, ListType)
        assert isinstance(self.value.type.item, ListType)
        return self.value.type.item

    def row_uses(self) -> list[tuple[Operation, int]]:
        """All that is done with a row, but to append it."""
        return [use for use in self.made.result.uses if use != (self.append, 1)]


def with_tables(module: Module) -> Module:
    """``module``, or a copy of it in which the tables of its entry are lists of numbers."""
    if not any(_tables(module.main)):
        return module
    copy = copy_module(module)
    while table := next(_tables(copy.main), None):  # of its rows another one may be copied
        _Flattening(table).run()
    return copy


def _tables(function: Function) -> Iterator[_Table]:
    for operation in walk(function.block):
        table = _table_of(operation.result) if makes_list(operation) else None
        if table is not None:
            yield table


# --- what is done with one ------------------------------------------------------------------------


def _table_of(value: OpResult) -> _Table | None:
    """What is done with a list of rows; None if it is more than a table is for."""
    type_ = value.type
    if not isinstance(type_, ListType) or item_form(type_.item) is None:
        return None
    appends = [user for user in value.users if user.name == "list.append"]
    if len(appends) != 1:
        return None
    (append,) = appends
    made = append.operands[1].defining_op
    if made is None or made.block is not append.block or not _is_before(value.owner, made):
        return None
    found = _Table(value, made, append)
    if not _is_row(found) or not all(_is_used_as_one(*use, found) for use in value.uses):
        return None
    return found


def _is_before(operation: Operation, other: Operation) -> bool:
    block = operation.block
    assert block is not None
    place = ancestor_in(block, other)
    return place is not None and block.position(operation) < block.position(place)


def _is_used_as_one(user: Operation, place: int, table: _Table) -> bool:
    if user.op is return_:
        return list(user.operands).count(table.value) == 1
    if place != 0 or user.name not in ("list.append", "list.len", "list.getitem", "list.setitem"):
        return False
    if user.name == "list.getitem":
        uses = user.result.uses
        are_known = all(_is_moved(*use, table) or _is_of_items(*use, table) for use in uses)
        return are_known and is_place(user.operands[1])
    if user.name == "list.setitem":
        return _is_moved(user, 2, table) and is_place(user.operands[1])
    return True


def _is_moved(user: Operation, place: int, table: _Table) -> bool:
    """Whether an operation puts a row of the table elsewhere in it. Who gets the table at last
    would see that two rows are one.
    """
    if user.name != "list.setitem" or place != 2 or user.operands[0] is not table.value:
        return False
    read = user.operands[2].defining_op
    is_own = read is not None and read.name == "list.getitem" and read.operands[0] is table.value
    return is_own and not any(each.op is return_ for each in table.value.users)


def _is_of_items(user: Operation, place: int, table: _Table) -> bool:
    """Whether an operation asks for the length of a row, or reads or sets an item."""
    if place != 0 or user.name not in ("list.len", "list.getitem", "list.setitem"):
        return False
    if user.name == "list.setitem" and not is_item(user.operands[2], table.items):
        return False
    return user.name == "list.len" or is_place(user.operands[1])


def _is_row(table: _Table) -> bool:
    """Whether the rows are made of numbers, for the table alone, and complete when it gets them."""
    made = table.made
    if made.name == "list.repeat":
        short = made.operands[0].defining_op
        if short is None or short.name != "list.make" or short.block is not made.block:
            return False
        if len(made.operands[0].uses) != 1 or made.operands[1].type != INT:
            return False
        numbers = short.operands
    elif made.name == "list.make":
        numbers = made.operands
    elif len(joined(made)) == 1:
        return made.operands[0].type == table.items and _are_filled(table)
    else:
        return False
    if not all(is_item(each, table.items) for each in numbers):
        return False
    return _are_filled(table)


def _are_filled(table: _Table) -> bool:
    return all(_fills(*use, table) for use in table.row_uses())


def _fills(user: Operation, place: int, table: _Table) -> bool:
    """Whether an operation puts an item into a row before the table gets that, or is of items."""
    if place != 0 or user.name != "list.append":
        return _is_of_items(user, place, table)
    block = table.append.block
    assert block is not None
    before = ancestor_in(block, user)
    assert before is not None
    is_early = block.position(before) < block.position(table.append)
    return is_early and is_item(user.operands[1], table.items)


# --- lists in its place ---------------------------------------------------------------------------


class _Flattening:
    """One table becomes three lists: of all numbers, and of the places and lengths of rows."""

    def __init__(self, table: _Table) -> None:
        self._table = table
        builder = builder_before(table.value.owner)
        self._numbers, *self._places = (
            builder.emit(REGISTRY["list.make"], [], {"type": type_}).result
            for type_ in (table.items, ListType(INT), ListType(INT))
        )
        self._reads: dict[Operation, tuple[Value, Value]] = {}

    def run(self) -> None:
        """Change all that is done with it."""
        table = self._table
        start = self._begin()
        for user, _ in table.row_uses():
            self._use(user, start, None)
        builder = builder_before(table.append)
        for each, number in zip(self._places, (start, self._length(builder, start)), strict=True):
            builder.emit(REGISTRY["list.append"], [each, number])
        rewriter.erase(table.append)
        rewriter.erase(table.made)
        for user in list(table.value.users):
            self._use_table(user)
        for read in self._reads:
            rewriter.erase(read)
        rewriter.erase(table.value.owner)

    def _begin(self) -> Value:
        """Put in what a row is made of; where it begins."""
        made = self._table.made
        builder = builder_before(made)
        start = builder.emit(REGISTRY["list.len"], [self._numbers]).result
        if made.name == "list.make":
            self._put_in(builder, made.operands)
            return start
        source = made.operands[0]
        is_copy = bool(joined(made))
        count = builder.emit(REGISTRY["list.len"], [source]).result if is_copy else made.operands[1]
        with builder.region([INT]) as body:
            if is_copy:
                read = builder.emit(REGISTRY["list.getitem"], [source, body.block.args[0]])
                self._put_in(builder, [read.result])
            else:
                assert source.defining_op is not None
                self._put_in(builder, source.defining_op.operands)
            builder.emit(region_yield)
        with builder.current():
            bounds = [ops.as_value(0), count, ops.as_value(1)]
            builder.emit(for_, bounds, {"breaks": False}, [body])
        return start

    def _put_in(self, builder: Builder, numbers: Sequence[Value]) -> None:
        for each in numbers:
            builder.emit(REGISTRY["list.append"], [self._numbers, each])

    def _length(self, builder: Builder, start: Value) -> Value:
        """How long the last row is, as far as it is there."""
        with builder.current():
            end = builder.emit(REGISTRY["list.len"], [self._numbers]).result
            return ops.as_value(ops.binary("-", end, start))

    def _use_table(self, user: Operation) -> None:
        if user.op is return_:
            made = builder_before(user).emit(list_rows, [self._numbers, *self._places]).result
            rewriter.set_operand(user, list(user.operands).index(self._table.value), made)
        elif user.name == "list.len":
            rewriter.set_operand(user, 0, self._places[0])
        elif user.name == "list.getitem":
            start, length = self._row(user)
            for each in list(user.result.users):
                if each.operands[0] is user.result:
                    self._use(each, start, length)
        else:
            builder, index, row = builder_before(user), *user.operands[1:]
            assert row.defining_op is not None
            for places, number in zip(self._places, self._row(row.defining_op), strict=True):
                builder.emit(REGISTRY["list.setitem"], [places, index, number])
            rewriter.erase(user)

    def _row(self, read: Operation) -> tuple[Value, Value]:
        """Where the row begins that an operation reads, and its length."""
        if read not in self._reads:
            builder, index = builder_before(read), read.operands[1]
            start, length = (
                builder.emit(REGISTRY["list.getitem"], [each, index]).result
                for each in self._places
            )
            self._reads[read] = start, length
        return self._reads[read]

    def _use(self, user: Operation, start: Value, length: Value | None) -> None:
        """Let an operation on a row be one on the numbers; without a length, on the last row."""
        if user.name == "list.append":
            rewriter.set_operand(user, 0, self._numbers)
            return
        builder = builder_before(user)
        length = self._length(builder, start) if length is None else length
        if user.name == "list.len":
            rewriter.replace(user, [length])
            return
        with builder.current():
            writes = {"writes": user.name == "list.setitem"}
            found = builder.emit(list_place, [user.operands[1], length], writes).result
            place = ops.as_value(ops.binary("+", start, found))
        rewriter.set_operand(user, 0, self._numbers)
        rewriter.set_operand(user, 1, place)
