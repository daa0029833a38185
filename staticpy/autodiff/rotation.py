"""A ``while`` whose test computes what the loop hands on, or changes something, as one that tests a
flag: there is a test before the loop, and one at the end of each round.

Before:
    %r = while %x : f64 (%s: f64) {              # while (s := f(s)) > 1: s = g(s)
      %t = f %s : f64
      %0 = greater %t, 1.0 : bool
      region_yield %0, %t
    } (%u: f64) {
      %v = g %u : f64
      region_yield %v
    }
After:
    %t = f %x : f64
    %0 = greater %t, 1.0 : bool
    %1, %r = while %0, %t : bool, f64 (%flag: bool, %s: f64) {
      region_yield %flag, %flag, %s
    } (%flag.1: bool, %u: f64) {
      %v = g %u : f64
      %w = f %v : f64
      %2 = greater %w, 1.0 : bool
      region_yield %2, %w
    }

The way back goes through what a round does, and has nothing to do with such a test.
"""

from __future__ import annotations

from collections.abc import Sequence

from staticpy import ops
from staticpy.autodiff.activity import writes
from staticpy.ir import (
    BOOL,
    Block,
    Builder,
    Operation,
    Region,
    Value,
    copy_body,
    rewriter,
    walk,
)


def is_rotated(operation: Operation) -> bool:
    """Whether the test of a ``while`` hands on what the loop does not carry, or may change
    something.
    """
    before = operation.regions[0].block
    is_computed = any(each not in before.args for each in before.terminator.operands[1:])
    return is_computed or any(map(writes, walk(before)))


def rotate(builder: Builder, operation: Operation) -> None:
    """Put a ``while`` that tests a flag into the place of one."""
    before, after = (region.block for region in operation.regions)
    first = _tested(builder, before, operation.operands)
    test = Block([BOOL, *(argument.type for argument in after.args)])
    with builder.inside(test):
        builder.emit(ops.region_yield, [test.args[0], *test.args])
    body = Block([argument.type for argument in test.args])
    with builder.inside(body):
        values: dict[Value, Value] = dict(zip(after.args, body.args[1:], strict=True))
        carried = copy_body(after, builder, values, lambda span: span)
        builder.emit(ops.region_yield, _tested(builder, before, carried))
    builder.span = operation.span
    made = builder.emit(ops.while_, first, operation.attrs, [Region(test), Region(body)])
    rewriter.replace(operation, made.results[1:])


def _tested(builder: Builder, before: Block, given: Sequence[Value]) -> list[Value]:
    """Emit the test on the values that a loop carries: its flag, and what it hands on."""
    values: dict[Value, Value] = dict(zip(before.args, given, strict=True))
    return copy_body(before, builder, values, lambda span: span)
