"""Which results are written inside the expression that reads them.

In: a Function, its Flow and its MemoryPlan. Out: the set of nested values. All others get a
variable:

    %0 = add %w, %x
    %1 = add %w, 1           y = (w + x) * (w + 1)
    %y = multiply %0, %1

A value is nested if it has one reader, in its own block, and no name that the user gave it. What
can raise or warn must still happen in the order of the graph. While a block is read, the values
that may yet be nested wait on a stack; a reader takes what lies on top of it in the order in
which Python will evaluate its operands, and whatever can't be taken in that order becomes a
variable.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from staticpy.backends.python_source.calls import definition
from staticpy.backends.python_source.ends import (
    UNPACKING,
    is_constant,
    is_raising,
    user_name,
)
from staticpy.backends.python_source.expressions import ROWS, Writer, is_operator
from staticpy.backends.python_source.flow import Flow
from staticpy.backends.python_source.folding import Literal, Operand, constant_of
from staticpy.backends.python_source.lines import LINES, line_of
from staticpy.backends.python_source.literals import load
from staticpy.backends.python_source.tape_loops import is_tape_read
from staticpy.backends.python_source.waiting import Waiting
from staticpy.ir import Block, Function, Operation, OpResult, Value
from staticpy.ops import IN_PLACE, Effect, broadcast, errstate, for_, if_, try_, while_
from staticpy.passes import AliasAnalysis, MemoryPlan

_ALIASES = ("any.narrow", "object.cast")
"""The ops whose result is their operand."""
_NEVER_NESTED = frozenset((while_, for_, try_, errstate, broadcast))
_DEEPEST = 12
_HEAVIEST = 16


class Nesting:
    """Decides for each value of a function whether it is nested, and knows what each operation
    reads.
    """

    def __init__(self, function: Function, flow: Flow, plan: MemoryPlan, writer: Writer) -> None:
        self.flow = flow
        self.folding = flow.folding
        self.nested: set[Value] = set()
        self._plan = plan
        self._writer = writer
        self._aliases = AliasAnalysis(function) if plan.reuses else None
        self._buffers = {reuse.buffer for reuse in plan.reuses.values()}
        self._effects: dict[Value, Effect] = {}
        self._all_effects: dict[Operation, Effect] = {}
        self._weights: dict[Value, tuple[int, int]] = {}
        self._readers: dict[Value, list[Operation | Block]] = {}
        self._reads: dict[Operation, list[Operand]] = {}
        self._collect_readers(function)
        self._block(function.block)

    # --- what is read -----------------------------------------------------------------------------

    def reads(self, operation: Operation) -> list[Operand]:
        """The operands of an operation in the order in which the source evaluates them."""
        known = self._reads.get(operation)
        if known is None:
            known = self._reads[operation] = self._find_reads(operation)
        return known

    def buffers_of(self, operation: Operation) -> list[Value]:
        """The arrays that the results of an operation are written into, which need not be among its
        operands: these may be stretched views of them.
        """
        reuses = self._plan.reuses
        return [reuses[result].buffer for result in operation.results if result in reuses]

    def _find_reads(self, operation: Operation) -> list[Operand]:
        needed = self.flow.needed
        if operation.op is if_:
            return [operation.operands[0]]
        if operation.op is while_:
            args = operation.regions[0].block.args
            return [v for v, arg in zip(operation.operands, args, strict=True) if arg in needed]
        if operation.op is for_:
            args = operation.regions[0].block.args[1:]
            carried = zip(operation.operands[3:], args, strict=True)
            return [*(v for v, arg in carried if arg in needed), *operation.operands[:3]]
        operands = self.folding.operands(operation)
        if not _has_row(operation):
            return list(operands)
        return [operands[position] for position in self._order(operation, operands)]

    def _template(self, operation: Operation, operands: Sequence[Operand]) -> ast.AST:
        """The expression or statement of an operation with a numbered place for each operand."""
        places: list[ast.expr] = [load(f"%{i}") for i in range(len(operands))]
        line = line_of(self._writer, operation, places)
        if line is not None:
            return line
        return self._writer.write(operation, places, [operand.type for operand in operands])

    def _find_globals(self, operation: Operation) -> None:
        """Let every global variable have its name before the local ones get theirs."""
        if operation.regions or is_raising(operation):
            for value in operation.attrs.get("args", ()):
                self._writer.globals.expression(value)
        elif not _has_row(operation):  # of the others, to know what is read is to write it
            operands = self.folding.operands(operation)
            if not is_operator(definition(operation), [operand.type for operand in operands]):
                self._template(operation, operands)
        for operand in self.reads(operation):
            self._find_constant(operand)

    def _find_constant(self, operand: Operand) -> None:
        known = constant_of(operand)
        if known is not None:
            self._writer.globals.expression(known)

    def _order(self, operation: Operation, operands: Sequence[Operand]) -> list[int]:
        return [
            int(name[1:])
            for name in _names_in_order(self._template(operation, operands))
            if name.startswith("%")
        ]

    def _collect_readers(self, function: Function) -> None:
        for block, end in self.flow.ends.items():
            for operation in block.operations:
                if not self.flow.is_silent(operation):
                    self._find_globals(operation)
                    for operand in self.reads(operation):
                        self._add_reader(operand, operation)
            if self.flow.hands_on(block):
                continue
            for value in end.reads:
                self._find_constant(value)
                self._add_reader(value, block)
            if len(end.stops) > 1:  # the second one is read only where the first one is false
                for value in end.reads:
                    self._add_reader(value, block)
        for loop in self.flow.forms:
            self._block_forwarding(loop)

    def _block_forwarding(self, loop: Operation) -> None:
        """What a ``while`` forwards is read on both of its paths, so that it is never nested."""
        for value in loop.regions[0].block.terminator.operands[1:]:
            self._readers.setdefault(value, []).extend([loop, loop])

    def _add_reader(self, operand: Operand, reader: Operation | Block) -> None:
        if not isinstance(operand, Literal):
            self._readers.setdefault(operand, []).append(reader)

    # --- what is nested ---------------------------------------------------------------------------

    def leaves(self, operand: Operand) -> list[Value]:
        """The variables that the expression of ``operand`` reads."""
        if operand not in self.nested:
            return [operand] if isinstance(operand, Value) and not is_constant(operand) else []
        found: list[Value] = []
        pending: list[Operand] = [operand]
        while pending:
            value = pending.pop()
            if is_constant(value):
                continue
            assert isinstance(value, Value)
            if value not in self.nested:
                found.append(value)
                continue
            assert isinstance(value, OpResult)
            pending += self.reads(value.owner)
            if value.owner.op is if_:
                yields = (region.block.terminator for region in value.owner.regions)
                pending += [end.operands[value.index] for end in yields]
        return found

    def effects(self, operation: Operation) -> Effect:
        """What an operation can do, with its regions and what is nested in it."""
        if operation in self._all_effects:
            return self._all_effects[operation]
        effects = self.folding.effects(operation)
        if operation.op in (while_, for_):
            effects |= Effect.RAISES  # it may never end
        for read in self.reads(operation):
            if read in self.nested and isinstance(read, Value):
                effects |= self._effects[read]
        for block in self.flow.inner_blocks(operation) if operation.regions else ():
            for inner in block.operations:
                if inner in self.flow.printed:
                    effects |= self.effects(inner)
        return effects

    def is_effective(self, operand: Operand) -> bool:
        """Whether writing ``operand`` where it is read makes something happen."""
        return operand in self.nested and bool(self._effects.get(operand))

    def is_expression(self, branch: Operation) -> bool:
        """Whether all that an ``if`` does fits in a conditional expression."""
        if branch not in self.flow.inline_ifs:
            return False
        return not any(self.roots(region.block) for region in branch.regions)

    def roots(self, block: Block) -> list[Operation]:
        """The operations of a block that get a line of their own."""
        return [
            operation
            for operation in block.operations
            if not self.flow.is_silent(operation) and self.nested.isdisjoint(operation.results)
        ]

    def _block(self, block: Block) -> None:
        waiting = Waiting()
        for operation in block.operations:
            if self.flow.is_silent(operation):
                continue
            if self._is_alias(operation, waiting):
                self._nest_alias(operation.result)
                continue
            if operation.regions:
                for inner in self.flow.inner_blocks(operation):
                    self._block(inner)
            self._take(operation, self.reads(operation), waiting)
            effects = self._all_effects[operation] = self.effects(operation)
            if self._may_nest(operation, block):
                value = operation.result if len(operation.results) == 1 else self._only(operation)
                self._effects[value] = effects
                waiting.add(value, self.leaves_of(value), has_effect=effects is not Effect.NONE)
            else:
                self._settle(operation, effects, waiting)
        if not self.flow.hands_on(block):
            self._take(None, list(self.flow.ends[block].reads), waiting)

    def _is_alias(self, operation: Operation, waiting: Waiting) -> bool:
        """Whether a result is just another name of a variable, which its readers can read."""
        if operation.name not in _ALIASES or operation.operands[0] in waiting:
            return False
        readers = self._readers.get(operation.result, ())
        targets = (written_target(each) for each in readers if isinstance(each, Operation))
        return all(target is not operation.result for target in targets)

    def _nest_alias(self, value: OpResult) -> None:
        self.nested.add(value)
        self._effects[value] = self._all_effects[value.owner] = Effect.NONE
        self._weights[value] = (0, 0)

    def _only(self, branch: Operation) -> Value:
        (value,) = (result for result in branch.results if result in self.flow.needed)
        return value

    def _may_nest(self, operation: Operation, block: Block) -> bool:
        if operation.op in _NEVER_NESTED or operation.name in UNPACKING or is_raising(operation):
            return False
        if is_tape_read(operation):
            return False
        needed = [result for result in operation.results if result in self.flow.needed]
        if operation.op is if_:
            if not self.is_expression(operation):
                return False
        elif len(operation.results) != 1 or Effect.WRITES in self.folding.effects(operation):
            return False
        if len(needed) != 1 or user_name(needed[0]):
            return False
        if needed[0] in self._plan.reuses or needed[0] in self._buffers:
            return False
        (reader, *others) = self._readers.get(needed[0], [None, None])
        home = reader if isinstance(reader, Block) else reader.block if reader else None
        return home is block and not others

    def _take(self, reader: Operation | None, reads: list[Operand], waiting: Waiting) -> None:
        """Nest in ``reader`` (None: the end of the block) what can be taken from the stack."""
        wanted = [read for read in reads if read in waiting and isinstance(read, Value)]
        taken = self._taken(reader, wanted, waiting) if wanted else set()
        self.nested |= taken
        if reader is not None:
            self._weigh(reader, taken)
        for value in wanted:
            if value not in taken:
                waiting.drop_until(value, taken)
        waiting.discard(taken)

    def _taken(self, reader: Operation | None, wanted: list[Value], waiting: Waiting) -> set[Value]:
        """What ``reader`` can take of the values that it reads."""
        target = written_target(reader) if reader is not None else None
        entering = [v for v in wanted if v is not target and self._may_enter(v, reader)]
        if reader is not None and reader.op is try_:
            entering = []  # a class that a handler names is read after the body
        allowed = self._within_limits(entering)
        in_order = [value for value in allowed if self._effects[value] is not Effect.NONE]
        taken = {value for value in allowed if self._effects[value] is Effect.NONE}
        for value in waiting.last_effects():
            if value not in in_order:
                break
            taken.add(value)
            in_order = in_order[: in_order.index(value)]
        return taken

    def _within_limits(self, values: list[Value]) -> list[Value]:
        """``values`` without the heaviest, so that the line doesn't get too long, nor too deep."""
        weight = sum(self._weights[value][0] for value in values)
        dropped = set()
        for value in sorted(values, key=lambda value: -self._weights[value][0]):
            if weight <= _HEAVIEST:
                break
            dropped.add(value)
            weight -= self._weights[value][0]
        kept = [value for value in values if value not in dropped]
        return [value for value in kept if self._weights[value][1] < _DEEPEST]

    def _weigh(self, operation: Operation, taken: set[Value]) -> None:
        inner = list(taken)
        if operation.op is if_:
            for region in operation.regions:
                inner += [
                    v for op in region.block.operations for v in op.results if v in self.nested
                ]
        weight, depth = 1, 1
        for value in inner:
            more, deep = self._weights[value]
            weight += more
            depth = max(depth, 1 + deep)
        for result in operation.results:
            self._weights[result] = weight, depth

    def _may_enter(self, value: Value, reader: Operation | None) -> bool:
        """A line of the source has one place in the user's program, which a traceback shows."""
        if reader is None or Effect.RAISES not in self._effects[value]:
            return True
        assert isinstance(value, OpResult)
        one, two = value.owner.span, reader.span
        return (one.line, one.function, one.inlined_at) == (two.line, two.function, two.inlined_at)

    def _settle(self, operation: Operation, effects: Effect, waiting: Waiting) -> None:
        """Take off the stack what can't be evaluated after the line of ``operation``."""
        if effects is not Effect.NONE:
            waiting.drop_effects()
        if Effect.WRITES in effects:
            waiting.drop_readers()
        elif self._aliases is not None:
            for result in operation.results:
                if result in self._plan.reuses:
                    buffer = self._plan.reuses[result].buffer
                    waiting.drop_readers(self._aliases.aliases(buffer))

    def leaves_of(self, value: Value) -> list[Value]:
        """The variables that a value on the stack would read."""
        assert isinstance(value, OpResult)
        found = [leaf for read in self.reads(value.owner) for leaf in self.leaves(read)]
        for region in value.owner.regions:
            found += self.leaves(region.block.terminator.operands[value.index])
        return found


def _has_row(operation: Operation) -> bool:
    """Whether the order in which the source reads the operands may be any."""
    return operation.name in ROWS or operation.name in LINES


def written_target(operation: Operation) -> Value | None:
    """The array that ``x += y`` of the user's program writes to."""
    return operation.operands[0] if operation.op in IN_PLACE.values() else None


def _names_in_order(tree: ast.AST) -> list[str]:
    """The names that an expression or statement reads, in the order of evaluation."""
    found: list[str] = []
    pending = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Name):
            found.append(node.id)
        elif not isinstance(node, ast.Constant):
            pending.extend(reversed(_children(node)))
    return found


def _children(node: ast.AST) -> list[ast.AST]:
    """What a node evaluates, in order: that of its fields, but for two kinds of node."""
    if isinstance(node, ast.Assign):
        return [node.value, *node.targets]
    if isinstance(node, ast.Dict):
        pairs = zip(node.keys, node.values, strict=True)
        return [each for pair in pairs for each in pair if each is not None]
    found: list[ast.AST] = []
    for field in _EVALUATED.get(type(node), node._fields):
        value = getattr(node, field, None)
        if isinstance(value, ast.AST):
            found.append(value)
        elif isinstance(value, list):
            found += [each for each in value if isinstance(each, ast.AST)]
    return found


_EVALUATED: dict[type[ast.AST], tuple[str, ...]] = {
    ast.Attribute: ("value",),
    ast.BinOp: ("left", "right"),
    ast.List: ("elts",),
    ast.Subscript: ("value", "slice"),
    ast.Tuple: ("elts",),
}
"""The fields of the most frequent nodes that are no contexts and no operators."""
