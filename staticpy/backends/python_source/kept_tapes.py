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
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from staticpy import ops
from staticpy.backends.python_source.folding import constant_of
from staticpy.ir import (
    Builder,
    ListType,
    Module,
    Operation,
    PythonType,
    ScalarType,
    Value,
    members_of,
    rewriter,
    walk,
)
from staticpy.ops import REGISTRY, for_
from staticpy.passes import copy_module


def with_kept_tapes(module: Module) -> Module:
    """``module``, or a copy of it with kept tapes where it can have them."""
    if not any(True for _ in _tapes_of(module)):
        return module
    copy = copy_module(module)
    by_loop: dict[Operation, list[Operation]] = {}
    for append in list(_tapes_of(copy)):
        assert append.parent is not None
        by_loop.setdefault(append.parent, []).append(append)
    for loop, appends in by_loop.items():
        _keep(loop, appends)
    return copy


def _tapes_of(module: Module) -> Iterator[Operation]:
    """For each tape that can be kept, what appends to it."""
    for function in module.functions.values():
        for operation in walk(function.block):
            if operation.name == "list.make" and not operation.operands:
                append = _only_append(operation.result)
                if append is not None and _is_of_numbers(operation.result):
                    yield append


def _only_append(tape: Value) -> Operation | None:
    """What appends once in each round of a loop, which is sure to run all its rounds or to leave
    the function; None if the tape is used in another way.
    """
    appends = [each for each in tape.users if each.name == "list.append"]
    others = [each for each in tape.users if each.name != "list.append"]
    loop = appends[0].parent if len(appends) == 1 else None
    if loop is None or not _runs_once(loop) or appends[0].operands[1] is tape:
        return None
    is_tape = any("saved" in each.attrs for each in others)
    return appends[0] if is_tape and all(_reads_behind(each, loop) for each in others) else None


def _runs_once(loop: Operation) -> bool:
    """Whether a loop through ``range(start, stop)`` to its end runs once in a call, and no handler
    sees what it leaves unfinished.
    """
    is_whole = loop.op is for_ and not loop.attrs["breaks"] and constant_of(loop.operands[2]) == 1
    return is_whole and loop.parent is None


def _reads_behind(reader: Operation, loop: Operation) -> bool:
    """Whether an operation reads a list where a loop is over, in the same block or within it."""
    if reader.name not in ("list.getitem", "list.len") or loop.block is None:
        return False
    current: Operation | None = reader
    while current is not None and current.block is not loop.block:
        current = current.parent
    operations = loop.block.operations
    return current is not None and operations.index(current) > operations.index(loop)


def _is_of_numbers(tape: Value) -> bool:
    """Whether nothing but numbers is kept, whose lifetime nobody sees."""
    is_list = isinstance(tape.type, ListType)
    items = members_of(tape.type.item) if isinstance(tape.type, ListType) else ()
    return is_list and all(isinstance(each, PythonType | ScalarType) for each in items)


def _keep(loop: Operation, appends: Sequence[Operation]) -> None:
    assert loop.block is not None
    before, behind = Builder(loop.block), Builder(loop.block)
    before.before(loop)
    before.span = behind.span = loop.span
    inside = Builder(loop.regions[0].block)
    start, stop = loop.operands[:2]
    is_from_0 = constant_of(start) == 0
    with before.current():
        rounds = stop if is_from_0 else ops.as_value(ops.binary("-", stop, start))
    empty = [append.operands[0].defining_op for append in appends]
    taken = []
    for append in appends:
        tape, item = append.operands
        made = before.emit(REGISTRY["tape.take"], [rounds], {"type": tape.type}).result
        made.name = tape.name
        inside.before(append)
        inside.span = append.span
        with inside.current():
            number: Value = loop.regions[0].block.args[0]
            if not is_from_0:
                number = ops.as_value(ops.binary("-", number, start))
        inside.emit(REGISTRY["list.setitem"], [tape, number, item])
        rewriter.erase(append)
        rewriter.replace_all_uses(tape, made)
        taken.append(made)
    behind.before(loop.block.terminator)
    behind.emit(REGISTRY["tape.keep"], taken)
    for each in filter(None, empty):
        rewriter.erase(each)
