"""What is needed, and where each block hands its values.

In: a Function and its Folding. Out: the values that the source has to compute, and for each block
its End: which variables the end of the block assigns. An ``if`` at the end of a block hands on to
the end of that block directly, so that an early ``return`` or a ``break`` stays what it was in
the user's program; what such a branch knows of its condition goes with it. So do a ``try`` and an
``errstate``.
"""

from __future__ import annotations

from collections.abc import Iterator

from staticpy.backends.python_source.ends import (
    UNPACKING,
    End,
    LoopForm,
    alternatives,
    is_constant,
    is_raising,
    loop_form,
    sources_of,
    user_name,
)
from staticpy.backends.python_source.folding import CONVERSIONS, Folding, Literal, Operand
from staticpy.ir import Block, BlockArgument, Function, Operation, OpResult, Value
from staticpy.ops import Effect, constant, for_, if_, return_, undef, while_
from staticpy.passes import KEPT

_LARGEST_EXPRESSION = 5


class Flow:
    """The needed values, printed operations and block ends of one function."""

    def __init__(self, function: Function, folding: Folding) -> None:
        self.folding = folding
        self.needed: set[Value] = set()
        self.printed: set[Operation] = set()
        self.ends: dict[Block, End] = {}
        self.forms: dict[Operation, LoopForm] = {}
        """How each ``while`` is written."""
        self.inline_ifs: set[Operation] = set()
        """The ``if`` operations to be tried as conditional expressions."""
        self.tails: set[Operation] = set()
        """The operations whose regions go on to the end of the block around them."""
        self._handed_on: set[Block] = set()
        self._absorbed: set[Operation] = set()
        self._stops: dict[Operation, tuple[Value, ...]] = {}
        self._find_loops()
        self._mark()
        self._uses = self._count_uses()
        self._heads = {form.head for form in self.forms.values()}
        self._expressions: dict[Operation, bool] = {}
        for operation in reversed(folding.operations):
            if operation.op is if_ and operation in self.printed:
                self._expressions[operation] = self._is_expression(operation)
        self._assign_ends(function)

    def inner_blocks(self, operation: Operation) -> list[Block]:
        """The blocks that are written inside an operation."""
        if operation.op is while_:
            form = self.forms[operation]
            after = operation.regions[1].block
            return [after] if form.head is None else [form.head, after]
        return [region.block for region in operation.regions]

    def hands_on(self, block: Block) -> bool:
        """Whether the regions of the operation at the end of ``block`` do what its End says."""
        return block in self._handed_on

    def is_silent(self, operation: Operation) -> bool:
        """Whether an operation has no line and no expression of its own."""
        if operation not in self.printed or operation.op.is_terminator:
            return True
        gone = operation.op in CONVERSIONS and self.folding.is_gone(operation)
        return gone or operation.op in (constant, undef)

    # --- what is needed ---------------------------------------------------------------------------

    def _find_loops(self) -> None:
        for operation in self.folding.operations:
            if operation.op is while_:
                form = self.forms[operation] = loop_form(operation)
                self._absorbed.update(form.absorbed)
                if form.stop is not None:
                    end = operation.regions[1].block.terminator
                    self._stop_at(operation, end.operands[form.stop.index])
            elif operation.op is for_ and operation.attrs["breaks"]:
                self._stop_at(operation, operation.regions[0].block.terminator.operands[0])

    def _stop_at(self, loop: Operation, stop: Value) -> None:
        values, absorbed = alternatives(stop, loop.regions[-1].block)
        self._stops[loop] = tuple(values)
        self._absorbed.update(absorbed)

    def _mark(self) -> None:
        pending: list[Value] = []
        for operation in self.folding.operations:
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
            if operation not in self._absorbed:
                self.printed.add(operation)
                pending += [v for v in self._steering(operation) if not isinstance(v, Literal)]
            operation = operation.parent

    def _steering(self, operation: Operation) -> list[Operand]:
        """What an operation reads for itself, apart from what it hands through its regions."""
        if operation.op is if_:
            return [operation.operands[0]]
        stops = self._stops.get(operation, ())
        if operation.op is while_:
            test = self.forms[operation].test
            return [*stops] if test is None else [test, *stops]
        if operation.op is for_:
            return [*operation.operands[:3], *stops]
        return list(self.folding.operands(operation))

    def _mark_value(self, value: Value, pending: list[Value]) -> None:
        if isinstance(value, OpResult):
            self._mark_operation(value.owner, pending)
            pending += sources_of(value.owner, value)
        elif isinstance(value, BlockArgument):
            parent = value.block.parent
            if parent is not None:
                self._mark_operation(parent, pending)
                pending += sources_of(parent, value)

    # --- ends -------------------------------------------------------------------------------------

    def _count_uses(self) -> dict[Value, int]:
        uses: dict[Value, int] = {}
        for operation in self.folding.operations:
            if (
                operation in self.printed
                or operation in self._absorbed
                or operation.op.is_terminator
            ):
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
                    pending += self._region_ends(operation, end, operation is last)

    def _region_ends(
        self, operation: Operation, end: End, is_last: bool
    ) -> Iterator[tuple[Block, End]]:
        blocks = [region.block for region in operation.regions]
        yields = [tuple(block.terminator.operands) for block in blocks]
        stops = self._stops.get(operation, ())
        if operation.op is while_:
            form = self.forms[operation]
            if form.head is not None:
                test = () if form.test is None else (form.test,)
                yield form.head, End((), (), test, known=end.known)
            yield blocks[1], End(tuple(blocks[0].args), yields[1], stops, known=end.known)
        elif operation.op is for_:
            sources = yields[0][int(operation.attrs["breaks"]) :]
            yield blocks[0], End(tuple(blocks[0].args[1:]), sources, stops, known=end.known)
        elif self._expressions.get(operation, False):
            self.inline_ifs.add(operation)
            for block, sources in zip(blocks, yields, strict=True):
                yield block, End(operation.results, sources, known=end.known)
        elif is_last and self._hands_on(operation, end):
            self.tails.add(operation)
            assert operation.block is not None
            self._handed_on.add(operation.block)
            yield from ((block, end.through(operation, i)) for i, block in enumerate(blocks))
        else:
            joined = End(operation.results, operation.results, known=end.known)
            yield from ((block, joined.through(operation, i)) for i, block in enumerate(blocks))

    def _last_printed(self, block: Block) -> Operation | None:
        """The last printed operation of a block; None before the test of a ``while``."""
        if block in self._heads:
            return None
        printed = (op for op in reversed(block.operations[:-1]) if op in self.printed)
        return next(printed, None)

    def _hands_on(self, branch: Operation, end: End) -> bool:
        """Whether the results of an operation are read by the end of its block and by nobody
        else.
        """
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
            name = user_name(result)
            if name and not is_constant(value) and not is_own and value.name == name:
                return False  # ``if a: x = ...``, and x stays what it was otherwise
            operations = [op for op in block.operations if not self.is_silent(op)]
            if len(operations) > _LARGEST_EXPRESSION or not all(map(self._is_simple, operations)):
                return False
        return True

    def _is_simple(self, operation: Operation) -> bool:
        if operation.op is if_:
            return self._expressions[operation]
        if operation.regions or is_raising(operation) or len(operation.results) != 1:
            return False
        is_writing = Effect.WRITES in self.folding.effects(operation)
        return not (user_name(operation.result) or is_writing or operation.name in UNPACKING)
