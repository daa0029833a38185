"""Lists of numbers that control flow hands on, as vectors.

    prev, cur = [0] * n, [0] * n                  prev, cur = vector([0] * n), vector([0] * n)
    for ...:                                      for ...:
        cur[j] = prev[j - 1] + 1                      cur[place(j)] = int(prev[place(j - 1)]) + 1
        prev, cur = cur, prev                         prev, cur = cur, prev

In: a module. Out: it, or a copy in which lists of ints, floats or bools, of which nothing is done
while control flow has them but to read and set items and to ask for their length, are arrays of one
axis from where it gets them on, until they are returned. A list is complete when it is handed on,
and nobody reads it under its own name afterwards: so it may be copied then, from memory of its own
(``number_lists``). Python is faster with lists, so the twin keeps them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from staticpy import ops
from staticpy.backends.llvm.flat_rows import ancestor_in
from staticpy.backends.llvm.number_lists import is_own, is_place, joined, makes_numbers
from staticpy.ir import (
    UNKNOWN,
    Function,
    ListType,
    Module,
    Operation,
    PythonType,
    TensorType,
    Value,
    builder_before,
    copy_module,
    rewriter,
    walk,
)
from staticpy.ops import REGISTRY, is_undef, list_place, list_vector, return_, undef
from staticpy.passes import Source, slots_of

_DTYPES = {"int": np.dtype(np.int64), "float": np.dtype(np.float64), "bool": np.dtype(np.bool_)}
_NUMBERS = {"int": "py.int", "float": "py.float", "bool": "truth"}
"""What makes an element a number of Python's again."""


@dataclass(eq=False)
class _Group:
    """Values that may be the same list.

    Attributes:
        members: results and arguments of control flow, and copies of these.
        sources: where it gets them, from each other or from elsewhere.
    """

    members: list[Value] = field(default_factory=list)
    sources: list[Source] = field(default_factory=list)


def with_carried_lists(module: Module) -> Module:
    """``module``, or a copy of it in which the lists that its entry hands on are vectors."""
    if not any(map(_is_group, _groups(module.main))):
        return module
    copy = copy_module(module)
    for group in list(filter(_is_group, _groups(copy.main))):
        _make_vectors(group)
    return copy


def _groups(function: Function) -> list[_Group]:
    found: dict[Value, _Group] = {}
    slots = [slot for each in walk(function.block) for slot in slots_of(each)]
    slots = [slot for slot in slots if _item(slot.members[0]) is not None]
    for slot in slots:
        group = _Group([*slot.members], [*slot.sources])
        for value in slot.members:
            found[value] = group
    for operation in walk(function.block):
        copied = joined(operation)
        if len(copied) == 1 and copied[0] in found:
            found[operation.result] = found[copied[0]]
            found[operation.result].members.append(operation.result)
    for slot in slots:
        for source in slot.sources:
            if source.value in found:
                _unite(found, found[slot.members[0]], found[source.value])
    return list(dict.fromkeys(found.values()))


def _unite(found: dict[Value, _Group], one: _Group, other: _Group) -> None:
    if one is not other:
        one.members += other.members
        one.sources += other.sources
        found |= dict.fromkeys(other.members, one)


def _item(value: Value) -> str | None:
    """Of which numbers of Python's a list is, if of one type."""
    type_ = value.type.item if isinstance(value.type, ListType) else None
    return type_.kind if isinstance(type_, PythonType) and type_.kind in _DTYPES else None


# --- what is done with them -----------------------------------------------------------------------


def _is_group(group: _Group) -> bool:
    """Whether all that is done is what a vector is for."""
    if len({value.type for value in group.members}) != 1:
        return False
    places = {(each.operation, each.position) for each in group.sources}
    for value in group.members:
        if not all(use in places or _is_of_vector(*use, value) for use in value.uses):
            return False
    returns = [user for value in group.members for user in value.users if user.op is return_]
    if len(returns) != len(set(returns)):  # who gets two of them would see whether they are one
        return False
    made = _handed_on(group)
    return bool(made) and all(_is_complete(value, links) for value, links in made.items())


def _handed_on(group: _Group) -> dict[Value, list[Source]]:
    """The lists that control flow gets from elsewhere, and where it does."""
    made: dict[Value, list[Source]] = {}
    for source in group.sources:
        if source.value not in group.members and not is_undef(source.value):
            made.setdefault(source.value, []).append(source)
    return made


def _is_of_vector(user: Operation, place: int, value: Value) -> bool:
    """Whether an operation reads or sets an item, asks for the length, or copies or returns the
    list.
    """
    if user.op is return_:
        return list(user.operands).count(value) == 1
    if joined(user):
        return len(joined(user)) == 1
    if place != 0 or user.name not in ("list.getitem", "list.setitem", "list.len"):
        return False
    assert isinstance(value.type, ListType)
    if user.name == "list.setitem" and user.operands[2].type != value.type.item:
        return False
    return user.name == "list.len" or is_place(user.operands[1])


def _is_complete(value: Value, links: list[Source]) -> bool:
    """Whether nothing is done with a list after one operation hands it on, which is done once for
    each that is made.
    """
    made, last = value.defining_op, links[0].operation
    if made is None or not makes_numbers(made) or made.block is not last.block:
        return False
    if any(each.operation is not last for each in links):
        return False
    assert made.block is not None
    end = made.block.position(last)
    for user in value.users:
        before = ancestor_in(made.block, user)
        if user is not last and (before is None or made.block.position(before) >= end):
            return False
    return is_own(value, {(each.operation, each.position) for each in links})


# --- vectors in their place -----------------------------------------------------------------------


def _make_vectors(group: _Group) -> None:
    kind = _item(group.members[0])
    assert kind is not None
    type_ = TensorType(_DTYPES[kind], (UNKNOWN,))
    for value, links in _handed_on(group).items():
        builder = builder_before(links[0].operation)
        vector = builder.emit(list_vector, [value], {"dtype": type_.dtype}).result
        for link in links:
            rewriter.set_operand(link.operation, link.position, vector)
    for source in group.sources:
        if is_undef(source.value):
            nothing = builder_before(source.operation).emit(undef, [], {"type": type_}).result
            rewriter.set_operand(source.operation, source.position, nothing)
    for value in group.members:
        value.type = type_
    for place, value in enumerate(group.members):
        made = value.defining_op
        if made is not None and joined(made):
            copied = builder_before(made).emit(ops.copy, made.operands[:1], {"order": "C"})
            rewriter.replace(made, [copied.result])
            group.members[place] = copied.result
    for value in group.members:
        for user in list(value.users):
            if user.op is return_ or user.name.startswith("list."):
                _use(user, value, kind)


def _use(user: Operation, vector: Value, kind: str) -> None:
    """Let an operation on a list be one on the vector."""
    builder = builder_before(user)
    if user.op is return_:
        found = builder.emit(REGISTRY["list.from_array"], [vector], {"to_python": True}).result
        rewriter.set_operand(user, list(user.operands).index(vector), found)
        return
    length = builder.emit(ops.dim, [vector], {"axis": 0}).result
    if user.name == "list.len":
        rewriter.replace(user, [length])
        return
    writes = {"writes": user.name == "list.setitem"}
    place = builder.emit(list_place, [user.operands[1], length], writes).result
    if user.name == "list.setitem":
        operands, spec = [vector, user.operands[2], place], {"spec": ("value",)}
        builder.emit(REGISTRY["store"], operands, spec)
        rewriter.erase(user)
        return
    element = builder.emit(REGISTRY["index"], [vector, place], {"spec": ("value",)}).result
    rewriter.replace(user, [builder.emit(REGISTRY[_NUMBERS[kind]], [element]).result])
