"""Where blocks end and how loops are left.

In: control flow operations of the graph. Out: the End of a block, which says what its end assigns
and when it leaves the loop or the function, and the LoopForm of a ``while``.
"""

from __future__ import annotations

import keyword
from dataclasses import dataclass

from staticpy.backends.python_source.folding import Literal, Operand, constant_of
from staticpy.ir import BOOL, Block, BlockArgument, Operation, OpResult, Value
from staticpy.ops import REGISTRY, constant, errstate, for_, if_, not_, try_, undef, while_


@dataclass(frozen=True, eq=False, slots=True)
class Known:
    """A condition of which the way to a block tells the value, and what else the way tells."""

    condition: Value
    value: bool
    outer: Known | None


@dataclass(frozen=True, slots=True)
class End:
    """What happens where a block ends: ``targets`` get the values of ``sources``, all at once.

    Then the loop is left if one of ``stops`` is true, or the function returns ``sources``.
    ``known`` are the conditions of which the way here tells the value.
    """

    targets: tuple[Value, ...]
    sources: tuple[Operand, ...]
    stops: tuple[Operand, ...] = ()
    returns: bool = False
    known: Known | None = None

    def through(self, branch: Operation, region: int) -> End:
        """This end, reached by one region of an ``if``, a ``try`` or an ``errstate`` whose results
        it reads.
        """
        yields = branch.regions[region].block.terminator.operands
        inner: dict[Operand, Operand] = dict(zip(branch.results, yields, strict=True))
        known = self.known
        if branch.op is if_:
            known = Known(branch.operands[0], region == 0, known)

        def seen(operand: Operand) -> Operand:
            operand = inner.get(operand, operand)
            found = _known(operand, known)
            return operand if found is None else Literal(found)

        sources, stops = tuple(map(seen, self.sources)), tuple(map(seen, self.stops))
        return End(self.targets, sources, _still_open(stops), self.returns, known)

    def only(self, needed: set[Value]) -> End:
        """This end without the targets that nobody reads."""
        if self.returns:
            return self
        pairs = [p for p in zip(self.targets, self.sources, strict=True) if p[0] in needed]
        targets, sources = tuple(t for t, _ in pairs), tuple(s for _, s in pairs)
        return End(targets, sources, self.stops, known=self.known)

    @property
    def reads(self) -> list[Value]:
        """The values it reads, in the order in which the source evaluates them."""
        return [value for value in (*self.sources, *self.stops) if isinstance(value, Value)]


def _known(operand: Operand, known: Known | None) -> bool | None:
    """What a condition is known to be."""
    if isinstance(operand, Literal) or operand.type != BOOL:
        return None
    found = known
    while found is not None:
        if found.condition is operand:
            return found.value
        found = found.outer
    operation = operand.defining_op
    if operation is not None and operation.op is not_:
        inner = _known(operation.operands[0], known)
        return None if inner is None else not inner
    return None


def _still_open(stops: tuple[Operand, ...]) -> tuple[Operand, ...]:
    """``stops`` without those known to be false; the one that is known to be true alone."""
    if any(constant_of(stop) is True for stop in stops):
        return (Literal(True),)
    return tuple(stop for stop in stops if constant_of(stop) is not False)


@dataclass(frozen=True, slots=True)
class LoopForm:
    """How a ``while`` is written.

    ``head`` is the block that computes ``test``; without one, the loop is left from inside alone.
    Where the loop carries a flag ``stop`` that does nothing but end it, ``break`` takes its
    place, and the operations ``absorbed`` are not written.
    """

    head: Block | None
    test: Value | None
    stop: BlockArgument | None = None
    absorbed: tuple[Operation, ...] = ()


def loop_form(loop: Operation) -> LoopForm:
    """The form of a ``while``."""
    before = loop.regions[0].block
    test = before.terminator.operands[0]
    plain = LoopForm(before, test)
    work = [op for op in before.operations[:-1] if op.op not in (constant, undef)]
    for stop, first in zip(before.args, loop.operands, strict=True):
        if stop.type == BOOL and constant_of(first) is False and len(stop.uses) == 1:
            found = _stopping_form(stop, test, work)
            if found is not None:
                return found
    return plain


def _stopping_form(stop: BlockArgument, test: Value, work: list[Operation]) -> LoopForm | None:
    """The form of a loop whose test is ``not stop`` or ``not stop and ...``."""
    (reader,) = stop.users
    going_on: Value = stop
    if reader.op is not_:
        going_on = reader.result
        if going_on is test and work == [reader] and len(test.uses) == 1:
            return LoopForm(None, None, stop, (reader,))
    branch = test.defining_op
    if branch is None or branch.op is not if_ or len(test.uses) != 1:
        return None
    expected = [branch] if going_on is stop else [reader, branch]
    if work != expected or branch.operands[0] is not going_on or len(going_on.uses) != 1:
        return None
    assert isinstance(test, OpResult)
    goes_on = 1 if going_on is stop else 0
    ends = [region.block.terminator.operands[test.index] for region in branch.regions]
    if len(branch.results) != 1 or constant_of(ends[1 - goes_on]) is not False:
        return None
    if len(branch.regions[1 - goes_on].block.operations) > 2:
        return None
    return LoopForm(branch.regions[goes_on].block, ends[goes_on], stop, tuple(expected))


def alternatives(stop: Value, block: Block) -> tuple[list[Value], list[Operation]]:
    """The flags of which ``stop`` is the disjunction, and the operations that join them."""
    operation = stop.defining_op
    joins = operation is not None and operation.op is REGISTRY["py.or"] and stop.type == BOOL
    if operation is None or not joins or operation.block is not block or len(stop.uses) != 1:
        return [stop], []
    values: list[Value] = []
    absorbed = [operation]
    for operand in operation.operands:
        more, inner = alternatives(operand, block)
        values += more
        absorbed += inner
    return values, absorbed


def user_name(value: Value) -> str:
    """The name that the user gave a value; "" for the flags of ``break``, ``continue`` and
    ``return``, which are called by these keywords.
    """
    name = value.name.lstrip("%")
    return "" if keyword.iskeyword(name) or name != value.name else name


def is_constant(value: Operand) -> bool:
    """Whether the source writes ``value`` as a constant wherever it is read."""
    if isinstance(value, Literal):
        return True
    operation = value.defining_op
    return operation is not None and (operation.op is constant or operation.op is undef)


_RAISING = ("raise", "raise_value", "reraise")

UNPACKING = ("unpack", "tuple.items")
"""The ops whose results are always written as ``a, b = ...``."""


def is_raising(operation: Operation) -> bool:
    """Whether an operation does nothing but raise."""
    return operation.name in _RAISING


def sources_of(operation: Operation, value: Value) -> list[Value]:
    """The values that may become ``value``, a result or block argument of control flow."""
    if operation.op in (if_, try_, errstate):
        if not isinstance(value, OpResult):
            return []  # the exception that a handler gets
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
