"""Elements that one round of a loop hands on to the next ones, in registers.

In: an innermost loop whose accesses hold (``bounds``), which writes ``t[i, j]`` and reads
``t[i, j - 1]``, as a table of distances or a running sum does. Out: a variable for what the rounds
before have written there, so that a round doesn't wait until its predecessor's number has gone to
memory and come back, which takes longer than most of what is computed.

Nothing but this element may be written to in a round: then, what is read is what was written.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.bounds import Access, as_checked, element_address
from staticpy.backends.llvm.boxes import load_number
from staticpy.backends.llvm.context import Context
from staticpy.backends.llvm.forms import I64, Native, form_of, register_type
from staticpy.backends.llvm.short_loops import is_slow
from staticpy.ir import Block, Operation, Value, walk

_FARTHEST = 3
"""How many rounds later an element may be read."""


class HandedOn:
    """The elements of one loop that are handed on.

    Args:
        cx: the function.
        block: a round.
        step: what it adds to the index, its first argument.
        stores: the writes, all of one element.
        reads: how many rounds later an operation reads that element.
    """

    def __init__(
        self,
        cx: Context,
        block: Block,
        step: int,
        stores: Sequence[Access],
        reads: dict[Operation, int],
    ) -> None:
        self._cx = cx
        self._index = block.args[0]
        self._step = step
        self._stores = stores
        self._operations = {each.operation for each in stores}
        self._reads = reads
        self._is_always_written = _writes(block, self._operations)
        array = cx.get(stores[0].array)
        assert array.form.dtype is not None
        self._type = register_type(array.form.dtype)
        self._variables = [cx.variable(self._type) for _ in range(max(reads.values()))]
        self._now: list[ir.Value] = []

    def begin_piece(self, now: ir.Value) -> None:
        """Read what the rounds before ``now`` have written, or was there before the loop; anew
        after handlers of signals have run.
        """
        for distance, variable in enumerate(self._variables, 1):
            before = self._cx.builder.sub(now, I64(distance * self._step))
            self._cx.builder.store(self._load(before), variable)

    def begin_round(self, now: ir.Value) -> None:
        """What was written in the round before becomes what was written in the one before that."""
        builder = self._cx.builder
        self._now = [builder.load(each, typ=self._type) for each in self._variables]
        for value, variable in zip(self._now, self._variables[1:], strict=False):
            builder.store(value, variable)
        if not self._is_always_written:
            builder.store(self._load(now), self._variables[0])

    def _load(self, index: ir.Value) -> ir.Value:
        """The element that the round of an index writes to."""
        cx, access = self._cx, self._stores[0]
        cx.set(self._index, Native(form_of(self._index.type), (index,)))
        array = as_checked(cx.get(access.array), access)
        return load_number(cx.builder, element_address(cx, access, array), self._type)

    def read(self, operation: Operation) -> ir.Value | None:
        """What an operation reads, if it was handed on."""
        distance = self._reads.get(operation)
        return None if distance is None else self._now[distance - 1]

    def written(self, operation: Operation, value: ir.Value) -> None:
        """Note what an operation has written."""
        if operation in self._operations:
            self._cx.builder.store(value, self._variables[0])


def handed_on(
    cx: Context, loop: Operation, accesses: Iterable[Access], step: int
) -> HandedOn | None:
    """What a loop hands on, if anything. One that isn't cut into pieces, as its rounds take longer
    than memory does, hands on nothing.
    """
    block = loop.regions[0].block
    if is_slow(loop):
        return None
    known = {each.operation: each for each in accesses if _is_always_in_bounds(each)}
    writes = [each for each in walk(block) if each.op.name == "store"]
    stores = [known[each] for each in writes if each in known]
    if not stores or len(stores) < len(writes):
        return None
    first, index = stores[0], block.args[0]
    if any(each.entries != first.entries or each.array is not first.array for each in stores):
        return None
    distances = {each.operation: _distance(first, each, index, step) for each in known.values()}
    reads = {operation: distance for operation, distance in distances.items() if distance}
    return HandedOn(cx, block, step, stores, reads) if reads else None


def _is_always_in_bounds(access: Access) -> bool:
    """Whether an element can be read before it is known that a round does."""
    return access.entries is None or all(each.is_always_in_bounds for each in access.entries)


def _distance(store: Access, read: Access, index: Value, step: int) -> int:
    """How many rounds later ``read`` reads what ``store`` writes; 0 if it never does, or nobody
    knows.
    """
    if read.array is not store.array or store.entries is None or read.entries is None:
        return 0
    found = set()
    for written, wanted in zip(store.entries, read.entries, strict=True):
        if written.value is not wanted.value or written.value is not index:
            if written != wanted:
                return 0
            continue
        if written.times < 0 or (written.times, written.others) != (wanted.times, wanted.others):
            return 0
        found.add((written.offset - wanted.offset) / (written.times * step))
    distance = found.pop() if len(found) == 1 else 0
    is_near = distance == 1 or (distance in range(2, _FARTHEST + 1) and _is_in_row(store, index))
    return int(distance) if is_near else 0


def _is_in_row(access: Access, index: Value) -> bool:
    """Whether the rounds of a loop go along the last axis, where no two elements overlap."""
    assert access.entries is not None
    return access.is_along_row and all(each.value is not index for each in access.entries[:-1])


def _writes(block: Block, stores: set[Operation]) -> bool:
    """Whether one of ``stores`` is done whatever way is taken through a block."""
    return any(
        each in stores
        or (bool(each.regions) and all(_writes(region.block, stores) for region in each.regions))
        for each in block.operations
    )
