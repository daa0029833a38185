"""Tapes whose memory is kept for the next call.

In: a Module of ways there and back. Out: one in which a list that each round of a ``for`` appends a
number to, for the way back of that loop, is one from the last call:

    t = []                               t = take_tape(n)
    for _ in range(n):                   for i in range(n):
        t.append(x)                          t[i] = x
        ...                                  ...
    for a in reversed(t):                for a in reversed(t):
        ...                                  ...
                                         keep_tapes(t)

So is one of lists, which the rounds of loops in it append to, where all of these have one length:

    t = []                               t = take_tape(n, m)
    for _ in range(n):                   for i in range(n):
        u = []                               u = t[i]
        t.append(u)
        for _ in range(m):                   for j in range(m):
            u.append(x)                          u[j] = x
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from staticpy import ops
from staticpy.backends.python_source.folding import constant_of
from staticpy.ir import (
    Block,
    BlockArgument,
    Builder,
    ListType,
    Module,
    Operation,
    PythonType,
    ScalarType,
    Value,
    copy_module,
    members_of,
    rewriter,
    walk,
)
from staticpy.ops import REGISTRY, for_

_READS = ("list.getitem", "list.len")


class _Level(NamedTuple):
    """A tape, or a row of one, and what appends to it in each round of ``loop``."""

    tape: Value
    append: Operation
    loop: Operation


def with_kept_tapes(module: Module) -> Module:
    """``module``, or a copy of it with kept tapes where it can have them."""
    if not any(True for _ in _tapes_of(module)):
        return module
    copy = copy_module(module)
    by_loop: dict[Operation, list[list[_Level]]] = {}
    for levels in list(_tapes_of(copy)):
        by_loop.setdefault(levels[0].loop, []).append(levels)
    for loop, tapes in by_loop.items():
        _keep(loop, tapes)
    return copy


def _tapes_of(module: Module) -> Iterator[list[_Level]]:
    """Each tape that can be kept, with its rows, if it is one of rows."""
    for function in module.functions.values():
        for operation in walk(function.block):
            if operation.name == "list.make" and not operation.operands:
                level = _level(operation.result, reads=True)
                levels = _with_rows(level) if level is not None else []
                if levels and levels[0].loop.parent is None:
                    yield levels


def _with_rows(outermost: _Level) -> list[_Level]:
    """A tape and its rows, down to that of the numbers; none if it can't be kept."""
    levels = [outermost]
    while not _is_of_numbers(levels[-1].tape):
        row = levels[-1].append.operands[1]
        made = row.defining_op
        is_made = made is not None and made.name == "list.make" and not made.operands
        level = _level(row, reads=False) if is_made and len(list(row.users)) == 2 else None
        if level is None or level.loop.parent is not levels[-1].loop:
            return []
        if not all(_block_of(each) is outermost.loop.block for each in level.loop.operands[:2]):
            return []
        levels.append(level)
    return levels


def _block_of(value: Value) -> Block | None:
    if isinstance(value, BlockArgument):
        return value.block
    return value.defining_op.block if value.defining_op is not None else None


def _level(tape: Value, *, reads: bool) -> _Level | None:
    """What appends once in each round of a loop, which is sure to run all its rounds or to leave
    the function; None if the tape is used in another way. A row is read by way of its tape.
    """
    appends = [each for each in tape.users if each.name == "list.append"]
    own = [each for each in appends if each.operands[0] is tape]
    loop = own[0].parent if len(own) == 1 else None
    if loop is None or not _is_whole(loop) or own[0].operands[1] is tape:
        return None
    if not reads:
        return _Level(tape, own[0], loop)
    others = [each for each in tape.users if each is not own[0]]
    is_tape = any("saved" in each.attrs for each in others)
    is_read = is_tape and all(_reads_behind(each, loop) for each in others)
    return _Level(tape, own[0], loop) if is_read else None


def _is_whole(loop: Operation) -> bool:
    """Whether a loop goes through ``range(start, stop)`` to its end."""
    return loop.op is for_ and not loop.attrs["breaks"] and constant_of(loop.operands[2]) == 1


def _reads_behind(reader: Operation, loop: Operation) -> bool:
    """Whether an operation reads a list where a loop is over, in the same block or within it, and
    what it reads is a number, or a list that is only read as well.
    """
    if loop.block is None or not _only_reads(reader):
        return False
    current: Operation | None = reader
    while current is not None and current.block is not loop.block:
        current = current.parent
    operations = loop.block.operations
    return current is not None and operations.index(current) > operations.index(loop)


def _only_reads(reader: Operation) -> bool:
    if reader.name not in _READS:
        return False
    is_row = isinstance(reader.result.type, ListType)
    return not is_row or all(map(_only_reads, reader.result.users))


def _is_of_numbers(tape: Value) -> bool:
    """Whether nothing but numbers is kept, whose lifetime nobody sees."""
    is_list = isinstance(tape.type, ListType)
    items = members_of(tape.type.item) if isinstance(tape.type, ListType) else ()
    return is_list and all(isinstance(each, PythonType | ScalarType) for each in items)


def _keep(loop: Operation, tapes: Sequence[Sequence[_Level]]) -> None:
    """Let the tapes of an outermost loop be kept ones."""
    assert loop.block is not None
    before, behind = Builder(loop.block), Builder(loop.block)
    before.before(loop)
    before.span = behind.span = loop.span
    taken = []
    for levels in tapes:
        rounds = [_rounds(each.loop, before) for each in levels]
        tape = levels[0].tape
        made: Value = before.emit(REGISTRY["tape.take"], rounds, {"type": tape.type}).result
        taken.append(made)
        for level in levels:
            made = _fill(level, made)
    behind.before(loop.block.terminator)
    behind.emit(REGISTRY["tape.keep"], taken)
    for level in (each for levels in tapes for each in levels):
        if level.tape.defining_op is not None:
            rewriter.erase(level.tape.defining_op)


def _rounds(loop: Operation, builder: Builder) -> Value:
    start, stop = loop.operands[:2]
    if constant_of(start) == 0:
        return stop
    with builder.current():
        return ops.as_value(ops.binary("-", stop, start))


def _fill(level: _Level, made: Value) -> Value:
    """Put each item into the place of ``made`` that it has been appended to; or get the row that
    is there, which is returned, if the items are rows.
    """
    made.name = level.tape.name
    builder = Builder(level.loop.regions[0].block)
    builder.before(level.append)
    builder.span = level.append.span
    start, number = level.loop.operands[0], level.loop.regions[0].block.args[0]
    with builder.current():
        place = number if constant_of(start) == 0 else ops.as_value(ops.binary("-", number, start))
    item = level.append.operands[1]
    is_row = isinstance(item.type, ListType)
    name, more = ("list.getitem", []) if is_row else ("list.setitem", [item])
    operation = builder.emit(REGISTRY[name], [made, place, *more])
    rewriter.erase(level.append)
    rewriter.replace_all_uses(level.tape, made)
    return operation.result if is_row else made
