"""The loop of the way back, and the rounds of it that differ from the others.

In: the block of a round back, whose arguments are its number and what it carries. Out: a loop that
runs it from the last number down to 0, which asks nothing that is known of all rounds but one.

Where the round 0 differs, as in a loop that begins with ``guess = x``, that one stands behind it:

    %c = compare %last, %0 {operator = ">="}
    %s = if %c {
      %r = for %last, %0, %-1, %g (%i: int, %h: float) { ... as if %i were not 0 }
      ... with 0 for %i, %r for %h
    } { region_yield %g }

Where the round that was the last one there may have ended the loop, it stands before it:

    %first, %f = if %ended { ... with %last for %i, %g for %h } { region_yield %last, %g }
    %r = for %first, %-1, %-1, %f (%i: int, %h: float) { ... as if the flag were False }

That is for rounds of few operations: others take their time elsewhere, and what is written out
twice has to be compiled twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from staticpy import ops
from staticpy.ir import (
    Block,
    Builder,
    Operation,
    Region,
    Value,
    builder_before,
    copy_body,
    rewriter,
    walk,
)

_MOST_OPERATIONS = 100


@dataclass(frozen=True)
class Rounds:
    """``block`` is to be run with the numbers from ``last`` to 0, and begins with ``inits``."""

    builder: Builder
    block: Block
    last: Value
    inits: Sequence[Value]

    def run(self, is_zero: Value | None) -> Operation:
        """Emit the loop. ``is_zero``, if it is there, is what the block computes of whether its
        number is 0.
        """
        is_apart = is_zero is not None and is_short(self.block)
        minus, zero = ops.as_value(-1), ops.as_value(0)
        operands = [self.last, zero if is_apart else minus, minus, *self.inits]
        if is_zero is None or not is_apart:
            return self._loop(operands)
        condition = ops.as_value(ops.compare(">=", self.last, 0))
        with self.builder.region() as then:
            made = self._loop(operands)
            values = self._copy([zero, *made.results])
        fix(values[is_zero], True)
        fix(is_zero, False)
        return self.builder.emit(ops.if_, [condition], {}, [then, _ending(self.inits)])

    def _loop(self, operands: Sequence[Value]) -> Operation:
        return self.builder.emit(ops.for_, operands, {"breaks": False}, [Region(self.block)])

    def after(self, ended: Value, flag: Value) -> Rounds:
        """What is left behind the round that has ``ended`` the loop, if one has; ``flag`` says so
        in the block, where it is False.
        """
        previous = ops.as_value(ops.binary("-", self.last, 1))
        with self.builder.region() as before:
            values = self._copy([self.last, *self.inits], previous)
        fix(values[flag], True)
        sides = [before, _ending([self.last, *self.inits])]
        made = self.builder.emit(ops.if_, [ended], {}, sides).results
        return Rounds(self.builder, self.block, made[0], made[1:])

    def _copy(self, arguments: Sequence[Value], *more: Value) -> dict[Value, Value]:
        """Emit a round with these arguments, which yields ``more`` first; what its values are."""
        values: dict[Value, Value] = dict(zip(self.block.args, arguments, strict=True))
        results = copy_body(self.block, self.builder, values, lambda span: span)
        self.builder.emit(ops.region_yield, [*more, *results])
        return values


def is_short(block: Block) -> bool:
    """Whether a round is worth being written out twice. A recursion, whose way back gets further
    operands when all of it is known, takes longer than any test.
    """
    operations = list(walk(block))
    calls = any(each.op is ops.call for each in operations)
    computing = [each for each in operations if each.op is not ops.constant]
    count = sum(not each.op.is_terminator for each in computing)
    return count <= _MOST_OPERATIONS and not calls


def fix(flag: Value, known: bool) -> None:
    """Let a constant stand in the place of what computes ``flag``."""
    test = flag.defining_op
    assert test is not None
    builder = builder_before(test)
    rewriter.replace(test, [builder.emit(ops.constant, [], {"value": known}).result])


def _ending(values: Sequence[Value]) -> Region:
    block = Block()
    Builder(block).emit(ops.region_yield, values)
    return Region(block)
