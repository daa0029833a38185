"""Whether a list may change its length while somebody goes through it.

In: the lists, and what a piece of the program wrote and emitted. A list that is known while
compiling has changed if it was written to. One in memory may have, if an operation that resizes
lists gets what may be the same list.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from staticpy.frontend.values import EnumerateIterable, ListRef, ReversedIterable, ZipIterable
from staticpy.ir import Block, BlockArgument, Operation, OpResult, Value

_RESIZING = frozenset(
    f"list.{name}"
    for name in (
        "append",
        "extend",
        "insert",
        "insort_left",
        "insort_right",
        "heappop",
        "heappush",
        "pop",
        "remove",
        "clear",
        "delitem",
        "delslice",
        "setslice",
    )
)
_OPAQUE = frozenset(("call", "object.call", "object.construct"))
"""Ops that may resize any list."""
_MAKING = frozenset(
    f"list.{name}"
    for name in (
        "make",
        "array",
        "concat",
        "copy",
        "from_array",
        "getslice",
        "nlargest",
        "nsmallest",
        "repeat",
        "sorted_by",
    )
)


def lists_of(iterable: Any) -> list[ListRef]:
    """The lists that ``zip``, ``enumerate`` and ``reversed`` go through."""
    if isinstance(iterable, ListRef):
        return [iterable]
    if isinstance(iterable, ZipIterable):
        return [ref for column in iterable.iterables for ref in lists_of(column)]
    if isinstance(iterable, EnumerateIterable | ReversedIterable):
        return lists_of(iterable.iterable)
    return []


def may_resize(operations: Iterable[Operation], memory: list[Value], entry: Block) -> bool:
    """Whether operations may change the length of one of some lists; ``entry`` is the block of the
    function.
    """
    pending = list(operations)
    while pending:
        operation = pending.pop()
        if operation.name in _OPAQUE:
            return True
        if operation.name in _RESIZING:
            changed = operation.operands[0]
            if any(_may_be_same(changed, each, entry) for each in memory):
                return True
        for region in operation.regions:
            pending.extend(region.block.operations)
    return False


def _may_be_same(left: Value, right: Value, entry: Block) -> bool:
    """Whether two Values may be one list: not where an operation has made one of them, and the
    other is another's, or came from outside before.
    """
    roots = _root(left), _root(right)
    if roots[0] is roots[1]:
        return True
    made = [isinstance(r, OpResult) and r.owner.name in _MAKING for r in roots]
    given = [isinstance(r, BlockArgument) and r.block is entry for r in roots]
    return not (any(made) and all(m or g for m, g in zip(made, given, strict=True)))


def _root(value: Value) -> Value:
    while isinstance(value, OpResult) and value.owner.name == "object.cast":
        value = value.owner.operands[0]
    return value
