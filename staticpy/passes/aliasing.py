"""Which arrays share memory, which reach the caller, and which are written to.

In: a Function. Out: an AliasAnalysis that the passes and the memory plan ask. Numbers are
immutable, so only arrays take part. A value flows into another where both may be one array or views
of one memory: through a view, an in-place operation, the yields and carried values of control flow.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from staticpy.ir import (
    Block,
    BlockArgument,
    Function,
    Operation,
    OpResult,
    TensorType,
    Value,
    walk,
)
from staticpy.ops import Effect, broadcast, call, for_, if_, raise_, return_, undef, while_
from staticpy.passes.effects import definition, own_effects

Flow = tuple[Value, Value]
_OPAQUE = (call, raise_, return_)
"""Ops that hand their operands to somebody outside of the function."""


def flows(operation: Operation) -> Iterator[Flow]:
    """The pairs (source, target) by which arrays flow through one operation."""
    op = operation.op
    if op is if_:
        for region in operation.regions:
            yield from zip(region.block.terminator.operands, operation.results, strict=True)
    elif op is while_:
        before, after = (region.block for region in operation.regions)
        forwarded = before.terminator.operands[1:]
        yield from zip(operation.operands, before.args, strict=True)
        yield from zip(forwarded, after.args, strict=True)
        yield from zip(forwarded, operation.results, strict=True)
        yield from zip(after.terminator.operands, before.args, strict=True)
    elif op is for_:
        body = operation.regions[0].block
        carried = operation.operands[3:]
        yielded = body.terminator.operands[bool(operation.attrs["breaks"]) :]
        for sources in (carried, yielded):
            yield from zip(sources, body.args[1:], strict=True)
            yield from zip(sources, operation.results, strict=True)
    elif op is broadcast:
        yield from zip(operation.operands, operation.results, strict=True)
    elif op is call:
        yield from ((a, b) for a in operation.operands for b in operation.results)
    elif definition(operation).view and operation.operands:
        yield from ((operation.operands[0], result) for result in operation.results)


class AliasAnalysis:
    """The flow of arrays through one function, computed once; ``note_*`` keeps it true after a
    change.
    """

    def __init__(self, function: Function) -> None:
        self._sources: dict[Value, list[Value]] = defaultdict(list)
        self._targets: dict[Value, list[Value]] = defaultdict(list)
        handed: list[Value] = []
        written: list[Value] = []
        for operation in walk(function.block):
            for source, target in flows(operation):
                if _is_array(source) and _is_array(target):
                    self._sources[target].append(source)
                    self._targets[source].append(target)
            if operation.op in _OPAQUE:
                handed += filter(_is_array, operation.operands)
            if Effect.WRITES in own_effects(operation):
                written += operation.operands if operation.op is call else operation.operands[:1]
        self._positions: dict[Block, dict[Operation, int]] = {}
        self._escaping = reach(handed, self._sources)
        roots = reach(filter(_is_array, written), self._sources)
        if not roots.isdisjoint(function.args):
            # The caller may have passed one array, or overlapping views, as two arguments.
            roots.update(filter(_is_array, function.args))
        self._written = reach(roots, self._targets)

    def escapes(self, value: Value) -> bool:
        """Whether an array may reach the caller, itself or as a view of its memory."""
        return value in self._escaping

    def is_written(self, value: Value) -> bool:
        """Whether the memory of an array may be written to by an operation of this function."""
        return value in self._written

    def is_private(self, value: Value) -> bool:
        """Whether nobody can tell this array from another of equal content: a number, or an array
        that doesn't escape and is never written to.
        """
        return value not in self._escaping and value not in self._written

    def may_stand_for(self, value: Value, other: Value) -> bool:
        """Whether ``value`` may take the place of ``other``, an array of equal content."""
        if self.is_written(value) or self.is_written(other):
            return False
        return not (self.escapes(value) and self.escapes(other))

    def note_replacement(self, value: Value, other: Value) -> None:
        """Note that ``value`` now stands where ``other`` stood."""
        if not _is_array(value):
            return
        self._targets[value] += self._targets[other]
        for target in self._targets[other]:
            self._sources[target].append(value)
        if other in self._escaping:
            self._escaping |= reach([value], self._sources)

    def aliases(self, value: Value) -> set[Value]:
        """All values of the function that may share memory with ``value``, itself included."""
        roots = reach([value], self._sources)
        return reach(roots, self._targets)

    def owned_buffer(self, value: Value) -> bool:
        """Whether ``value`` is an array that its operation has just allocated."""
        operation = value.defining_op
        if operation is None or not _is_array(value) or operation.op is undef:
            return False
        return not operation.regions and not self._sources.get(value)

    def last_use(self, value: Value) -> Operation | None:
        """The operation, in the block that defines ``value``, after which no alias of it is read:
        by itself or in its regions. None where nobody reads it.
        """
        block = _block_of(value)
        if block not in self._positions:
            self._positions[block] = {op: at for at, op in enumerate(block.operations)}
        anchors = (
            _ancestor_in(user, block) for alias in self.aliases(value) for user in alias.users
        )
        positions = self._positions[block]
        return max(
            (anchor for anchor in anchors if anchor is not None),
            key=positions.__getitem__,
            default=None,
        )


def possibly_undefined(function: Function) -> set[Value]:
    """The values that are ``undef`` on some path; only a test of the path tells that none is."""
    targets: dict[Value, list[Value]] = defaultdict(list)
    undefined: list[Value] = []
    for operation in walk(function.block):
        if operation.op is undef:
            undefined += operation.results
        for source, target in flows(operation):
            targets[source].append(target)
    return reach(undefined, targets)


def reach(start: Iterable[Value], edges: dict[Value, list[Value]]) -> set[Value]:
    """Everything that can be reached from ``start`` along ``edges``."""
    reached = set(start)
    pending = list(reached)
    while pending:
        for value in edges.get(pending.pop(), ()):
            if value not in reached:
                reached.add(value)
                pending.append(value)
    return reached


def _is_array(value: Value) -> bool:
    return isinstance(value.type, TensorType)


def _block_of(value: Value) -> Block:
    if isinstance(value, BlockArgument):
        return value.block
    assert isinstance(value, OpResult)
    block = value.owner.block
    assert block is not None
    return block


def _ancestor_in(operation: Operation, block: Block) -> Operation | None:
    current: Operation | None = operation
    while current is not None and current.block is not block:
        current = current.parent
    return current
