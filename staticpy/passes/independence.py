"""Loops whose rounds don't depend on each other, so that any order of them does the same.

In: a ``for`` over a range. Out: which arrays it writes to, and along which axis each round has a
place of its own there; nothing where a round may see what another one has done.

    for %start, %stop, %1 {breaks = false} (%i: int) {               nothing is carried
      %0 = index %x, %i, %k {spec = ("value", "value")} : f64        %x is only read
      store %out, %0, %i, %k {spec = ("value", "value")}             each round has its own row
      region_yield
    }

That arrays don't overlap, that no index counts from the end, and that no two elements of an array
share their memory, is only known when the loop runs: whoever changes the order has to ask.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from staticpy.ir import Block, Operation, TensorType, Value, dims_of, is_mutable_memory, walk
from staticpy.ops import Effect, call, constant_value, for_, if_, while_
from staticpy.passes.effects import effects_by_op

FIRST_INDEX = {"index": 1, "store": 2}
"""The ops that read and write an element, and from which operand on they have indexes."""


class Written(NamedTuple):
    """An array that a loop writes to, each round where an index is the loop's own.

    Attributes:
        axis: which of them.
        offset: what is added to it.
    """

    array: Value
    axis: int
    offset: int


class Independence(NamedTuple):
    """What a loop of independent rounds does.

    Attributes:
        written: the arrays that it writes to.
        read: those that it reads alone.
        others: at most one index at which all rounds read along the axis on which they write, and
            the offset there. The round that writes there, if one does, depends on those before it,
            and those after it on that: these two pieces have independent rounds.
        inside: the values that its rounds make.
        repeats: whether it does the same if it is done once more, since it reads nothing that it
            writes.
    """

    written: tuple[Written, ...]
    read: tuple[Value, ...]
    others: tuple[tuple[Value, int], ...]
    inside: frozenset[Value]
    repeats: bool


def independence(loop: Operation) -> Independence | None:
    """What ``loop`` does if its rounds are independent of each other, else None."""
    if loop.op is not for_ or loop.attrs["breaks"] or loop.results:
        return None
    block = loop.regions[0].block
    inside = frozenset(made_in(block))
    operations = list(walk(block))
    if constant_value(loop.operands[2]) != 1 or not all(_is_plain(e, inside) for e in operations):
        return None
    accesses = [each for each in operations if each.op.name in FIRST_INDEX]
    changed = dict.fromkeys(each.operands[0] for each in accesses if each.op.name == "store")
    places = []
    for array in changed:
        here = [each for each in accesses if each.operands[0] is array]
        place = _place_of(array, here, block.args[0], inside)
        if place is None:
            return None
        places.append(place)
    others = dict.fromkeys((o, each.offset) for each, found in places for o in found)
    if len(others) > 1 or not places:
        return None
    reads = [each.operands[0] for each in accesses if each.op.name == "index"]
    read = tuple(each for each in dict.fromkeys(reads) if each not in changed)
    repeats = not any(each in changed for each in reads)
    written = tuple(each for each, _ in places)
    return Independence(written, read, tuple(others), inside, repeats)


def made_in(block: Block) -> Iterator[Value]:
    """The values that a block and those in it make, their arguments included."""
    yield from block.args
    for operation in block.operations:
        yield from operation.results
        for region in operation.regions:
            yield from made_in(region.block)


def is_of_element(operation: Operation) -> bool:
    """Whether an operation of FIRST_INDEX has a number for each axis of its array."""
    spec = operation.attrs["spec"]
    is_one = all(isinstance(each, int) or each == "value" for each in spec)
    return is_one and len(spec) == len(dims_of(operation.operands[0].type))


def _is_plain(operation: Operation, inside: frozenset[Value]) -> bool:
    """Whether an operation computes with numbers, or reads or writes one element of an array that
    is there before the loop.
    """
    if operation.regions:
        return operation.op in (for_, while_, if_) and not _has_memory(operation.results)
    if operation.op.is_terminator:
        return not _has_memory(operation.operands)
    if operation.op.name in FIRST_INDEX:
        array, *others = operation.operands
        is_known = isinstance(array.type, TensorType) and array not in inside
        is_one = is_known and is_of_element(operation)
        return is_one and not _has_memory([*others, *operation.results])
    if operation.op.name == "dim":
        return operation.operands[0] not in inside
    values = [*operation.operands, *operation.results]
    is_other = operation.op is not call and Effect.WRITES not in effects_by_op(operation)
    return is_other and not _has_memory(values)


def _has_memory(values: Sequence[Value]) -> bool:
    return any(is_mutable_memory(each.type) for each in values)


def _place_of(
    array: Value, accesses: Sequence[Operation], index: Value, inside: frozenset[Value]
) -> tuple[Written, list[Value]] | None:
    """Where each round writes to ``array``, if it has a place of its own, and where else along
    that axis it reads.
    """
    for axis in range(len(dims_of(array.type))):
        offsets: dict[int | None, None] = {}
        others: dict[Value, None] = {}
        for access in accesses:
            value = index_along(access, axis)
            is_elsewhere = value is not None and value not in inside
            if value is not None and is_elsewhere and access.op.name == "index":
                others[value] = None
            else:
                offsets[None if value is None else offset_from(value, index)] = None
        if len(offsets) == 1 and (offset := next(iter(offsets))) is not None:
            return Written(array, axis, offset), list(others)
    return None


def index_along(access: Operation, axis: int) -> Value | None:
    """The index of an element along one axis; None where the text has a number."""
    spec = access.attrs["spec"]
    if spec[axis] != "value":
        return None
    before: int = spec[:axis].count("value")
    return access.operands[FIRST_INDEX[access.op.name] + before]


def offset_from(value: Value, index: Value) -> int | None:
    """What is added to ``index`` to give ``value``, if that is a known number."""
    base, offset = _base_and_offset(value)
    return 0 if value is index else offset if base is index else None


def _base_and_offset(value: Value) -> tuple[Value, int]:
    """A number as another one to which a small known number is added; any other as itself and 0."""
    made = value.defining_op
    if made is None or made.op.name not in ("py.add", "py.sub"):
        return value, 0
    base, known = made.operands[0], constant_value(made.operands[1])
    if made.op.name == "py.add" and type(known) is not int:
        base, known = made.operands[1], constant_value(made.operands[0])
    if type(known) is not int or abs(known) >= 1 << 31:
        return value, 0
    return base, known if made.op.name == "py.add" else -known
