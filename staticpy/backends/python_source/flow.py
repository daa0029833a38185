"""What is needed, and where each block hands its values.

In: a Function and its Folding. Out: the values that the source has to compute, and for each block its End:
which variables the end of the block assigns. An ``if`` at the end of a block hands on to the end of that block
directly, so that an early ``return`` or a ``break`` stays what it was in the user's program.
"""

from __future__ import annotations

import keyword
from collections.abc import Iterator
from dataclasses import dataclass

from staticpy.backends.python_source.folding import (
    CONVERSIONS,
    Folding,
    Literal,
    Operand,
    constant_of,
)
from staticpy.ir import Block, BlockArgument, Function, Operation, OpResult, Value, walk
from staticpy.ops import Effect, constant, for_, if_, raise_, return_, undef, while_

KEPT = Effect.RAISES | Effect.WRITES
_LARGEST_EXPRESSION = 5


@dataclass(frozen=True, slots=True)
class End:
    """What happens where a block ends: ``targets`` get the values of ``sources``, all at once.

    Then the loop is left if ``stop`` is true, or the function returns ``sources``.
    """

    targets: tuple[Value, ...]
    sources: tuple[Value, ...]
    stop: Value | bool | None = None
    returns: bool = False

    def through(self, branch: Operation, region: int) -> End:
        """This end, reached by one branch of an ``if`` whose results it reads."""
        yields = branch.regions[region].block.terminator.operands
        inner = dict(zip(branch.results, yields, strict=True))
        sources = tuple(inner.get(source, source) for source in self.sources)  # type: ignore[call-overload]
        stop = self.stop
        if isinstance(stop, Value):
            stop = inner.get(stop, stop)  # type: ignore[call-overload]
            known = constant_of(stop)
            if stop is branch.operands[0]:
                known = region == 0
            stop = known if isinstance(known, bool) else stop
        return End(self.targets, sources, stop, self.returns)

    def only(self, needed: set[Value]) -> End:
        """This end without the targets that nobody reads."""
        if self.returns:
            return self
        pairs = [p for p in zip(self.targets, self.sources, strict=True) if p[0] in needed]
        return End(tuple(t for t, _ in pairs), tuple(s for _, s in pairs), self.stop)

    @property
    def reads(self) -> list[Value]:
        """The values it reads, in the order in which the source evaluates them."""
        return [*self.sources, *([self.stop] if isinstance(self.stop, Value) else [])]


def user_name(value: Value) -> str:
    """The name that the user gave a value; "" for the flags of ``break``, ``continue`` and ``return``,
    which are called by these keywords."""
    name = value.name.lstrip("%")
    return "" if keyword.iskeyword(name) or name != value.name else name


def is_constant(value: Operand) -> bool:
    """Whether the source writes ``value`` as a constant wherever it is read."""
    if isinstance(value, Literal):
        return True
    operation = value.defining_op
    return operation is not None and operation.op in (constant, undef)


class Flow:
    """The needed values, printed operations and block ends of one function."""

    def __init__(self, function: Function, folding: Folding) -> None:
        self.folding = folding
        self.needed: set[Value] = set()
        self.printed: set[Operation] = set()
        self.ends: dict[Block, End] = {}
        self.inline_ifs: set[Operation] = set()
        """The ``if`` operations to be tried as conditional expressions."""
        self.tails: set[Operation] = set()
        """The ``if`` operations whose branches go on to the end of the block around them."""
        self._mark(function)
        self._uses = self._count_uses(function)
        self._assign_ends(function)

    # --- what is needed ---------------------------------------------------------------------------

    def _mark(self, function: Function) -> None:
        pending: list[Value] = []
        for operation in walk(function.block):
            is_kept = operation.op in (return_, while_) or self.folding.effects(operation) & KEPT
            if is_kept and not self.folding.is_gone(operation):
                self._mark_operation(operation, pending)
        while pending:
            value = pending.pop()
            if value not in self.needed:
                self.needed.add(value)
                self._mark_value(value, pending)

    def _mark_operation(self, operation: Operation | None, pending: list[Value]) -> None:
        while operation is not None and operation not in self.printed:
            self.printed.add(operation)
            pending += [v for v in self.steering(operation) if not isinstance(v, Literal)]
            operation = operation.parent

    def steering(self, operation: Operation) -> list[Operand]:
        """What an operation reads for itself, apart from what it hands through its regions."""
        if operation.op is if_:
            return [operation.operands[0]]
        if operation.op is while_:
            return [operation.regions[0].block.terminator.operands[0]]
        if operation.op is for_:
            stop = operation.regions[0].block.terminator.operands[: int(operation.attrs["breaks"])]
            return [*operation.operands[:3], *stop]
        return list(self.folding.operands(operation))

    def _mark_value(self, value: Value, pending: list[Value]) -> None:
        if isinstance(value, OpResult):
            self._mark_operation(value.owner, pending)
            pending += sources_of(value.owner, value)
        elif isinstance(value, BlockArgument):
            region = value.block.region
            parent = region.parent if region else None
            if parent is not None:
                self._mark_operation(parent, pending)
                pending += sources_of(parent, value)

    # --- ends -------------------------------------------------------------------------------------

    def _count_uses(self, function: Function) -> dict[Value, int]:
        uses: dict[Value, int] = {}
        for operation in walk(function.block):
            if operation in self.printed or operation.op.is_terminator:
                for operand in self.folding.operands(operation):
                    if not isinstance(operand, Literal):
                        uses[operand] = uses.get(operand, 0) + 1
        return uses

    def _assign_ends(self, function: Function) -> None:
        returned = End((), tuple(function.results), returns=True)
        pending = [(function.block, returned)]
        while pending:
            block, end = pending.pop()
            self.ends[block] = end = end.only(self.needed)
            last = self._last_printed(block)
            for operation in block.operations:
                if operation.regions and operation in self.printed:
                    pending += self._region_ends(operation, end if operation is last else None)

    def _region_ends(self, operation: Operation, end: End | None) -> Iterator[tuple[Block, End]]:
        blocks = [region.block for region in operation.regions]
        yields = [tuple(block.terminator.operands) for block in blocks]
        if operation.op is while_:
            yield blocks[0], End((), (), yields[0][0])
            yield blocks[1], End(tuple(blocks[0].args), yields[1])
        elif operation.op is for_:
            breaks = bool(operation.attrs["breaks"])
            stop = yields[0][0] if breaks else None
            yield blocks[0], End(tuple(blocks[0].args[1:]), yields[0][breaks:], stop)
        elif self._is_expression(operation):
            self.inline_ifs.add(operation)
            for block, sources in zip(blocks, yields, strict=True):
                yield block, End(operation.results, sources)
        elif end is not None and self._hands_on(operation, end):
            self.tails.add(operation)
            yield from ((block, end.through(operation, i)) for i, block in enumerate(blocks))
        else:
            for block, sources in zip(blocks, yields, strict=True):
                yield block, End(operation.results, sources)

    def _last_printed(self, block: Block) -> Operation | None:
        """The last printed operation of a block; None before the test of a ``while``."""
        parent = block.region.parent if block.region else None
        if parent is not None and parent.op is while_ and parent.regions[0].block is block:
            return None
        printed = (op for op in reversed(block.operations[:-1]) if op in self.printed)
        return next(printed, None)

    def _hands_on(self, branch: Operation, end: End) -> bool:
        """Whether the results of an ``if`` are read by the end of its block and by nobody else."""
        needed = [result for result in branch.results if result in self.needed]
        here = sum(read in needed for read in end.reads)
        return here == sum(self._uses.get(result, 0) for result in needed)

    def _is_expression(self, branch: Operation) -> bool:
        """Whether an ``if`` is small enough for a conditional expression."""
        needed = [result for result in branch.results if result in self.needed]
        if len(needed) != 1:
            return False
        (result,) = needed
        for region in branch.regions:
            block = region.block
            value = block.terminator.operands[result.index]
            is_own = value.defining_op is not None and value.defining_op.block is block
            if result.name and not is_constant(value) and not is_own and value.name == result.name:
                return False  # ``if a: x = ...``, and x stays what it was otherwise
            operations = [
                op
                for op in block.operations[:-1]
                if op in self.printed and op.op not in (constant, undef) and not self.folding.is_gone(op)
            ]
            if len(operations) > _LARGEST_EXPRESSION or not all(map(self._is_simple, operations)):
                return False
        return True

    def _is_simple(self, operation: Operation) -> bool:
        if operation.op is if_:
            return self._is_expression(operation)
        if operation.regions or operation.op is raise_ or len(operation.results) != 1:
            return False
        is_writing = Effect.WRITES in self.folding.effects(operation)
        return not (user_name(operation.result) or is_writing or operation.name == "unpack")


def sources_of(operation: Operation, value: Value) -> list[Value]:
    """The values that may become ``value``, a result or block argument of control flow."""
    if operation.op is if_:
        assert isinstance(value, OpResult)
        return [region.block.terminator.operands[value.index] for region in operation.regions]
    if operation.op is for_:
        return _for_sources(operation, value)
    if operation.op is while_:
        before, after = (region.block for region in operation.regions)
        assert isinstance(value, OpResult | BlockArgument)
        if value in before.args:
            return [operation.operands[value.index], after.terminator.operands[value.index]]
        return [before.terminator.operands[1 + value.index]]
    return []


def _for_sources(operation: Operation, value: Value) -> list[Value]:
    body = operation.regions[0].block
    if isinstance(value, OpResult):
        return [body.args[1 + value.index]]
    assert isinstance(value, BlockArgument)
    if value.index == 0:
        return []
    yields = body.terminator.operands[int(operation.attrs["breaks"]) :]
    return [operation.operands[2 + value.index], yields[value.index - 1]]


def is_silent(operation: Operation, folding: Folding) -> bool:
    """Whether an operation has no line and no expression of its own."""
    gone = operation.op in CONVERSIONS and folding.is_gone(operation)
    return gone or operation.op in (constant, undef) or operation.op.is_terminator
