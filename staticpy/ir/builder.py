"""Builder: the one way an operation comes into being.

The builder knows where it stands (a block), which span of the source it works for, and what is
known of the sizes (ShapeFacts). It computes the result types from the op's own rule, so that an
operation whose types disagree with its op can't be built.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from staticpy.ir.core import Block, OpDefinition, Operation, Region, Value
from staticpy.ir.facts import ShapeFacts
from staticpy.ir.inference import infer_types
from staticpy.ir.types import Type
from staticpy.source import NO_SPAN, SourceSpan

_CURRENT: ContextVar[Builder | None] = ContextVar("staticpy_builder", default=None)


class Builder:
    """Appends operations to a block, or puts them before position ``index`` of it."""

    def __init__(
        self, block: Block, facts: ShapeFacts | None = None, *, shares: bool = False
    ) -> None:
        self.block = block
        self.facts = facts or ShapeFacts({})
        self.span = NO_SPAN
        self.index: int | None = None
        self._shared = _Shared() if shares else None

    def emit_shared(self, op: OpDefinition, attrs: Mapping[str, Any], key: Hashable) -> Operation:
        """``emit`` of what is the same wherever it stands, known by ``key``: a constant.

        At the end of a block, a builder that ``shares`` gives again what it has emitted in this
        block or in one around it.
        """
        shared = self._shared if self.index is None else None
        found = shared.find(key) if shared is not None else None
        if found is None:
            found = self.emit(op, (), attrs)
            if shared is not None:
                shared.keep(key, self.block.operations)
        return found

    def emit(
        self,
        op: OpDefinition,
        operands: Sequence[Value] = (),
        attrs: Mapping[str, Any] | None = None,
        regions: Sequence[Region] = (),
    ) -> Operation:
        """Append one operation at the current position and span.

        Raises:
            DiagnosticError: the op's type rule refuses these operands.
        """
        attrs = attrs or {}
        types = self.facts.resolve_types([operand.type for operand in operands])
        result_types = infer_types(op, types, attrs, regions)
        return self.emit_typed(op, operands, result_types, attrs, regions)

    def emit_typed(
        self,
        op: OpDefinition,
        operands: Sequence[Value],
        result_types: Sequence[Type],
        attrs: Mapping[str, Any],
        regions: Sequence[Region],
    ) -> Operation:
        """``emit`` with result types that are known already: those of a text or of an original."""
        operation = Operation(op, operands, result_types, attrs, regions, self.span)
        for position, operand in enumerate(operands):
            operand.uses[operation, position] = None
        for region in regions:
            region.parent = operation
        self._place(operation)
        return operation

    def _place(self, operation: Operation) -> None:
        operation.block = self.block
        if self.index is None:
            self.block.operations.append(operation)
        else:
            self.block.operations.insert(self.index, operation)
            self.index += 1

    @contextmanager
    def inside(self, block: Block) -> Iterator[Block]:
        """Build at the end of ``block`` for a while, then go on where the builder stood."""
        saved = self.block, self.index, self._shared
        self.block, self.index = block, None
        if self._shared is not None:
            self._shared = _Shared()
        try:
            yield block
        finally:
            self.block, self.index, self._shared = saved

    @contextmanager
    def region(self, arg_types: Sequence[Type] = (), names: Sequence[str] = ()) -> Iterator[Region]:
        """Build inside a new region, to be given to ``emit`` afterwards."""
        region = Region(Block(arg_types, names))
        shared = self._shared
        count = len(shared) if shared is not None else 0
        try:
            with self.inside(region.block):
                self._shared = shared  # what stands before the operation can be read in its regions
                yield region
        finally:
            if shared is not None:
                shared.forget(count)

    def before(self, operation: Operation) -> None:
        """Stand before ``operation`` and work for its span."""
        assert operation.block is not None
        self.block = operation.block
        self.index = self.block.position(operation)
        self.span = operation.span

    def after(self, operation: Operation) -> None:
        """Stand behind ``operation`` and work for its span."""
        self.before(operation)
        assert self.index is not None
        self.index += 1

    @contextmanager
    def at(self, span: SourceSpan) -> Iterator[None]:
        """Give the operations made inside the ``with`` this span."""
        saved, self.span = self.span, span
        try:
            yield
        finally:
            self.span = saved

    @contextmanager
    def current(self) -> Iterator[Builder]:
        """Make this the builder to which ops that are applied to Values are emitted."""
        token = _CURRENT.set(self)
        try:
            yield self
        finally:
            _CURRENT.reset(token)


def builder_before(operation: Operation) -> Builder:
    """A builder that stands before ``operation`` and works for its span."""
    assert operation.block is not None
    builder = Builder(operation.block)
    builder.before(operation)
    return builder


class _Shared:
    """What can be read again in a block and in the regions of what follows there: each operation
    with where it stands, by its key.

    Operations may be taken out of a block again, where an attempt fails; then what stands at the
    position is another one.
    """

    __slots__ = ("_kept", "_log")

    def __init__(self) -> None:
        self._kept: dict[Hashable, tuple[list[Operation], int, Operation]] = {}
        self._log: list[tuple[Hashable, Any]] = []

    def __len__(self) -> int:
        """How much is kept: what ``forget`` returns to."""
        return len(self._log)

    def keep(self, key: Hashable, operations: list[Operation]) -> None:
        """Note the operation that was just appended to those of a block."""
        self._log.append((key, self._kept.get(key)))
        self._kept[key] = operations, len(operations) - 1, operations[-1]

    def find(self, key: Hashable) -> Operation | None:
        """What is known by ``key``, if it still stands where it did."""
        if key not in self._kept:
            return None
        operations, position, operation = self._kept[key]
        return operation if operation in operations[position : position + 1] else None

    def forget(self, count: int) -> None:
        """Forget what came after the first ``count``: the region where it stands has ended."""
        while len(self._log) > count:
            key, before = self._log.pop()
            if before is None:
                del self._kept[key]
            else:
                self._kept[key] = before


def current_builder() -> Builder:
    """The builder of the running ``Builder.current`` block.

    Raises:
        RuntimeError: an op met a Value outside of any such block.
    """
    builder = _CURRENT.get()
    if builder is None:
        raise RuntimeError("an op was applied to a Value, but no Builder is current")
    return builder
