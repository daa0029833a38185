"""Which values of a piece of the graph derivatives flow through.

In: a block, and the values that it is differentiated by. Out: the values that depend on those by
more than jumps (``varied``), and the memory that is written to, in which a value is not the same
wherever it is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from staticpy.ir import (
    Block,
    DictType,
    ListType,
    ObjectType,
    Operation,
    PythonType,
    ScalarType,
    TensorType,
    TupleType,
    Type,
    Value,
    is_mutable_memory,
    members_of,
    walk,
)
from staticpy.ops import IN_PLACE, REGISTRY, RULES, Effect, for_, while_

_IN_PLACE = frozenset(IN_PLACE.values())
_HOLDERS = (ListType, DictType, TupleType, ObjectType)
"""Types whose values may hold numbers that are differentiated by."""


def is_differentiable(type_: Type) -> bool:
    """Whether a value of this type can have a cotangent: it may be a real or complex number, or
    an array of them.
    """
    return any(_is_inexact(member) for member in members_of(type_))


def _is_inexact(type_: Type) -> bool:
    if isinstance(type_, PythonType):
        return type_.kind in ("float", "complex")
    return isinstance(type_, ScalarType | TensorType) and type_.dtype.kind in "fc"


class Activity:
    """What flows in one block, the regions of its operations included.

    Attributes:
        varied: the values that depend on the sources.
        writes: for a value in memory that is written to, an operation that writes.
    """

    def __init__(self, block: Block, sources: Iterable[Value]) -> None:
        self._operations = list(walk(block))
        self._homes: dict[Value, Value] = {}
        self.varied: set[Value] = set(sources)
        self.writes: dict[Value, Operation] = {}
        self._find_memory()
        self._spread()

    def is_written(self, value: Value) -> Operation | None:
        """An operation that writes to what ``value`` may be part of; None where there is none."""
        return self.writes.get(self._home(value)) if is_mutable_memory(value.type) else None

    def rename(self, old: Value, new: Value) -> None:
        """Let ``new`` stand in the place of ``old``."""
        self._join(old, new)
        if old in self.varied:
            self.varied.add(new)

    # --- memory -----------------------------------------------------------------------------------

    def _find_memory(self) -> None:
        for operation in self._operations:
            if _may_share(operation):
                for value in _touched(operation):
                    self._join(next(_touched(operation)), value)
        for operation in self._operations:
            if Effect.WRITES in _effects(operation):
                for value in _touched(operation):
                    self.writes.setdefault(self._home(value), operation)
        for value, operation in list(self.writes.items()):
            self.writes.setdefault(self._home(value), operation)

    def _home(self, value: Value) -> Value:
        """The one value that stands for all that may share memory with ``value``."""
        while (home := self._homes.get(value, value)) is not value:
            value = home
        return value

    def _join(self, left: Value, right: Value) -> None:
        self._homes[self._home(right)] = self._home(left)

    # --- dependence -------------------------------------------------------------------------------

    def _spread(self) -> None:
        """Go through the operations until nothing more depends on the sources: what loops carry
        takes a further time.
        """
        before = -1
        while before != len(self.varied):
            before = len(self.varied)
            for operation in self._operations:
                self._through(operation)

    def _through(self, operation: Operation) -> None:
        pairs = list(_flows(operation))
        if not operation.regions and any(x in self.varied for x in operation.operands):
            rule = RULES.get(operation.name)
            pairs += [(x, r) for x in operation.operands for r in operation.results]
            if rule is not None and rule.jvp is None and not rule.reason:
                pairs = []
            if Effect.WRITES in _effects(operation):
                pairs += [(x, y) for x in operation.operands for y in _touched(operation)]
        for source, target in pairs:
            if source in self.varied and _may_vary(target.type):
                self.varied.add(target)
                home = self._home(target)
                if home in self.writes:
                    self.varied.add(home)
        for value in _touched(operation):
            if self._home(value) in self.writes and self._home(value) in self.varied:
                self.varied.add(value)


def _may_vary(type_: Type) -> bool:
    held = any(isinstance(member, _HOLDERS) for member in members_of(type_))
    return held or is_differentiable(type_)


def _effects(operation: Operation) -> Effect:
    op = REGISTRY[operation.name]
    return op.effects_of([operand.type for operand in operation.operands], operation.attrs)


def _touched(operation: Operation) -> Iterator[Value]:
    """The memory that an operation reads, gives and hands on."""
    values = [*operation.operands, *operation.results]
    for region in operation.regions:
        values += [*region.block.args, *region.block.terminator.operands]
    return (value for value in values if is_mutable_memory(value.type))


def _may_share(operation: Operation) -> bool:
    """Whether results of an operation may be, or hold, the memory that it reads."""
    op = REGISTRY[operation.name]
    family = op.name.partition(".")[0]
    held = family in ("tuple", "list", "dict", "set", "object", "exception", "any")
    return held or op.view or op in _IN_PLACE or bool(operation.regions) or op.name == "call"


def _flows(operation: Operation) -> Iterator[tuple[Value, Value]]:
    """From where to where values flow into, through and out of the regions of an operation."""
    blocks = [region.block for region in operation.regions]
    if operation.op is for_:
        (body,) = blocks
        yielded = body.terminator.operands[bool(operation.attrs["breaks"]) :]
        for given in (operation.operands[3:], yielded):
            yield from zip(given, body.args[1:], strict=True)
            yield from zip(given, operation.results, strict=True)
    elif operation.op is while_:
        before, after = blocks
        forwarded = before.terminator.operands[1:]
        yield from zip(operation.operands, before.args, strict=True)
        yield from zip(after.terminator.operands, before.args, strict=True)
        yield from zip(forwarded, after.args, strict=True)
        yield from zip(forwarded, operation.results, strict=True)
    else:
        for block in blocks:
            yield from zip(operation.operands, block.args, strict=False)
            yield from zip(block.terminator.operands, operation.results, strict=False)
