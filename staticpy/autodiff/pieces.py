"""Loops in a ``checkpoint``, divided before derivatives are taken.

Of a loop of n rounds

    %r = for %0, %n, %1, %init { |%i, %s| ... region_yield %s }

about as many pieces are made as each has rounds, and each is a checkpoint of its own:

    %r = for %0, %pieces, %1, %init { |%c, %s|
      %t = checkpoint { %u = for %first, %last, %1, %s { |%k, %s| ... } region_yield %u }
      region_yield %t
    }

So the way there saves what is carried to the beginning of each piece; the way back runs a piece
again, saving what the rules read, and goes back through it. Of a ``while``, which may run any
number of rounds, the first piece has one round, and each has one more than the one before.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from staticpy import ops
from staticpy.autodiff.activity import Activity, is_differentiable, may_vary, writes, written
from staticpy.autodiff.held import is_array_sometimes
from staticpy.autodiff.scopes import memory_around
from staticpy.ir import (
    INT,
    Block,
    Builder,
    Operation,
    Region,
    Value,
    builder_before,
    copy_body,
    rewriter,
    walk,
    with_inner,
)
from staticpy.ops import checkpoint_policies

_LEAVING = (ops.raise_, ops.raise_value, ops.reraise)
_WHOLE = {"outputs": 0, "is_whole": True, "policy": ()}
_Division = Callable[[Operation, Any], None]
"""Divides an operation with regions, in what has a policy."""


def divide_loops(block: Block) -> None:
    """Divide the loops in the checkpoints of a block."""
    found = [each for each in walk(block) if each.op is ops.checkpoint]
    for operation in found:
        if not operation.attrs["is_whole"]:
            _divide(operation)


def _divide(operation: Operation) -> None:
    """Let a checkpoint whose region has loops be one for each part of it."""
    block, policy = operation.regions[0].block, operation.attrs["policy"]
    activity = Activity(block.operations[:-1], ())

    def division_of(each: Operation) -> _Division | None:
        if policy and _holds_saved(each, policy):
            return _in_rounds if _are_apart_in_rounds(each, activity) else None
        if _is_divisible(each, activity):
            return _in_pieces if each.op is ops.for_ else _in_segments
        return None

    groups = itertools.groupby(block.operations[:-1], division_of)
    parts = [(division, list(each)) for division, each in groups]
    if not any(division for division, _ in parts) or not _are_apart(parts, activity):
        return
    if not all(map(_may_be_read_again, _handed_on(parts))):
        return
    rewriter.replace(operation, rewriter.inline_region(operation.regions[0], (), operation))
    for division, operations in parts:
        if division is None:
            _in_checkpoint(operations, policy)
        else:
            for each in operations:
                division(each, policy)


def _is_divisible(loop: Operation, activity: Activity) -> bool:
    """Whether a loop is a ``for`` with steps that are known, which is not left in the middle, or a
    ``while`` whose test may be asked again, carries what checkpoints may read, and writes to memory
    of its own rounds alone.
    """
    if any(is_array_sometimes(each.type) for each in loop.results):
        return False
    if loop.op is ops.for_:
        is_known = not loop.attrs["breaks"] and _step_of(loop) != 0
        return is_known and len(loop.operands) > 3 and _is_own(loop, activity)
    is_plain = loop.op is ops.while_ and bool(loop.operands) and _is_own(loop, activity)
    return is_plain and _may_be_asked_again(loop)


def _is_own(loop: Operation, activity: Activity) -> bool:
    """Whether a loop writes to memory of its own rounds alone."""
    blocks = [region.block for region in loop.regions]
    memory = (value for body in blocks for value in (*memory_around(body), *body.args))
    outer = set(map(activity.home_of, memory))
    changing = (each for body in blocks for each in walk(body) if writes(each))
    return outer.isdisjoint(activity.home_of(value) for each in changing for value in written(each))


def _may_be_asked_again(loop: Operation) -> bool:
    """Whether the test of a ``while`` writes to nothing, and hands on what the loop carries."""
    test = loop.regions[0].block
    own = {result for each in walk(test) for result in each.results}
    return not any(map(writes, walk(test))) and own.isdisjoint(test.terminator.operands[1:])


def _step_of(loop: Operation) -> int:
    """The step of a ``for``; 0 where it is not known."""
    made = loop.operands[2].defining_op
    is_known = made is not None and made.op is ops.constant
    return int(made.attrs["value"]) if is_known else 0  # type: ignore[union-attr]


def _are_apart(parts: Sequence[tuple[Any, list[Operation]]], activity: Activity) -> bool:
    """Whether no part writes to memory of another one."""
    seen: dict[Value, int] = {}
    changed: set[Value] = set()
    for number, (_, operations) in enumerate(parts):
        for each in with_inner(operations):
            for value in (*each.operands, *each.results):
                home = activity.home_of(value)
                if seen.setdefault(home, number) != number:
                    seen[home] = -1
            if writes(each):
                changed.update(map(activity.home_of, written(each)))
    return all(seen.get(home) != -1 for home in changed)


def _handed_on(parts: Sequence[tuple[Any, list[Operation]]]) -> Iterator[Value]:
    """What one part, or one loop, makes and another one reads."""
    units = [[each] for division, part in parts if division for each in part]
    units += [part for division, part in parts if not division]
    made_in: dict[Value, int] = {
        result: number
        for number, unit in enumerate(units)
        for each in unit
        for result in each.results
    }
    for number, unit in enumerate(units):
        for each in with_inner(unit):
            yield from (x for x in each.operands if made_in.get(x, number) != number)


def _may_be_read_again(value: Value) -> bool:
    """Whether a checkpoint may read a value from around it."""
    is_read = is_differentiable(value.type) and not is_array_sometimes(value.type)
    return is_read or not may_vary(value.type)


def _in_checkpoint(
    operations: Sequence[Operation], policy: Any, *, is_whole: bool = True
) -> Operation | None:
    """Put operations of one block, which follow one another, into a checkpoint, if somebody reads
    what they make.
    """
    operations = [each for each in operations if each.op is not ops.constant]
    inside = set(with_inner(operations))
    results = [result for operation in operations for result in operation.results]
    handed = [value for value in results if any(user not in inside for user in value.users)]
    if not handed:
        return None
    last = operations[-1]
    assert last.block is not None
    builder = Builder(last.block)
    builder.after(last)
    region = Region(Block())
    with builder.inside(region.block):
        ending = builder.emit(ops.region_yield, [])
    rewriter.move_all_before(operations, ending)
    rewriter.set_operands(ending, handed)
    assert builder.index is not None
    builder.index -= len(operations)
    attrs = {"outputs": 0, "is_whole": is_whole, "policy": policy}
    made = builder.emit(ops.checkpoint, [], attrs, [region])
    for value, result in zip(handed, made.results, strict=True):
        for user, position in list(value.uses):
            if user not in inside and user is not ending:
                rewriter.set_operand(user, position, result)
    return made


def _in_rounds(operation: Operation, policy: Any) -> None:
    """Let each round of a loop, or each side of a branch, be a checkpoint of its own."""
    for block in _rounds_of(operation):
        made = _in_checkpoint(block.operations[:-1], policy, is_whole=False)
        if made is not None:
            _divide(made)


def _holds_saved(operation: Operation, policy: Any) -> bool:
    """Whether something is saved of the rounds of a loop, or of one side of a branch."""
    inner = (each for block in _rounds_of(operation) for each in walk(block))
    return any(checkpoint_policies.saved_by(policy, [each]) for each in inner)


def _rounds_of(operation: Operation) -> list[Block]:
    if operation.op not in (ops.for_, ops.while_, ops.if_):
        return []
    return [region.block for region in operation.regions[1 if operation.op is ops.while_ else 0 :]]


def _are_apart_in_rounds(operation: Operation, activity: Activity) -> bool:
    """Whether each round of a loop, or side of a branch, may be a checkpoint."""
    for block in _rounds_of(operation):
        inner = walk(block)
        if any(
            each.op is ops.try_ or (each.op in _LEAVING and each.block is block) for each in inner
        ):
            return False
        if not all(map(_may_be_read_again, (*block.args, *block.terminator.operands))):
            return False
    return _is_own(operation, activity)


def _in_pieces(loop: Operation, _: Any = None) -> None:
    """Let a loop be one over pieces of it, each in a checkpoint."""
    builder = builder_before(loop)
    start, stop, step = loop.operands[:3]
    known = _step_of(loop)
    body = loop.regions[0].block
    with builder.current():
        distance = ops.binary("+", ops.binary("-", stop, start), known - (1 if known > 0 else -1))
        count = _larger(ops.binary("//", distance, known), 0)
        rounds = ops.binary("+", _root(ops.binary("-", _larger(count, 1), 1)), 1)
        pieces = ops.binary("//", ops.binary("+", ops.binary("-", count, 1), rounds), rounds)
        outer = Block([INT, *(argument.type for argument in body.args[1:])])
        _number_rounds(body, start, step)
        with builder.inside(outer):
            piece = _piece(builder, body, outer, rounds, count)
            builder.emit(ops.region_yield, piece.results)
        zero, one = ops.as_value(0), ops.as_value(1)
        operands = [zero, ops.as_value(pieces), one, *loop.operands[3:]]
        made = builder.emit(ops.for_, operands, {"breaks": False}, [Region(outer)])
    loop.regions = ()
    rewriter.replace(loop, made.results)


def _piece(builder: Builder, body: Block, outer: Block, rounds: Any, count: Any) -> Operation:
    """One piece of a loop, as a checkpoint."""
    region = Region(Block())
    with builder.inside(region.block):
        first = ops.binary("*", outer.args[0], rounds)
        last = ops.emit(ops.REGISTRY["py.min"], ops.binary("+", first, rounds), count)
        one = ops.as_value(1)
        operands = [ops.as_value(first), ops.as_value(last), one, *outer.args[1:]]
        inner = builder.emit(ops.for_, operands, {"breaks": False}, [Region(body)])
        builder.emit(ops.region_yield, inner.results)
    return builder.emit(ops.checkpoint, [], _WHOLE, [region])


def _in_segments(loop: Operation, _: Any = None) -> None:
    """Let a ``while``, which may run any number of rounds, be one over segments of it, each in a
    checkpoint: of 1, 2, 3, … rounds, so that there are as many as the last ones have rounds.
    """
    builder = builder_before(loop)
    with builder.current():
        types = [argument.type for argument in loop.regions[0].block.args]
        test, segment = Block([*types, INT]), Block([*types, INT])
        with builder.inside(test):
            builder.emit(ops.region_yield, [_test(builder, loop, test.args), *test.args])
        with builder.inside(segment):
            carried = _segment(builder, loop, segment.args).results
            longer = ops.as_value(ops.binary("+", segment.args[-1], 1))
            builder.emit(ops.region_yield, [*carried, longer])
        operands = [*loop.operands, ops.as_value(1)]
        made = builder.emit(ops.while_, operands, {}, [Region(test), Region(segment)])
    found = _forwarded(loop, made.results)
    rewriter.replace(loop, found)


def _segment(builder: Builder, loop: Operation, given: Sequence[Value]) -> Operation:
    """At most so many rounds of a ``while`` as the last value that is given says."""
    region = Region(Block())
    types = [value.type for value in given]
    test, body = Block(types), Block(types)
    with builder.inside(test):
        is_short = ops.compare("<", test.args[-1], given[-1])
        goes_on = ops.binary("&", is_short, _test(builder, loop, test.args))
        builder.emit(ops.region_yield, [ops.as_value(goes_on), *test.args])
    with builder.inside(body):
        after = loop.regions[1].block
        values: dict[Value, Value] = dict(zip(after.args, _forwarded(loop, body.args), strict=True))
        following = copy_body(after, builder, values, lambda span: span)
        number = ops.as_value(ops.binary("+", body.args[-1], 1))
        builder.emit(ops.region_yield, [*following, number])
    with builder.inside(region.block):
        operands = [*given[:-1], ops.as_value(0)]
        inner = builder.emit(ops.while_, operands, {}, [Region(test), Region(body)])
        builder.emit(ops.region_yield, inner.results[:-1])
    return builder.emit(ops.checkpoint, [], _WHOLE, [region])


def _test(builder: Builder, loop: Operation, carried: Sequence[Value]) -> Value:
    """The test of a ``while`` again, of what is carried."""
    before = loop.regions[0].block
    values: dict[Value, Value] = dict(zip(before.args, carried, strict=False))
    return copy_body(before, builder, values, lambda span: span)[0]


def _forwarded(loop: Operation, carried: Sequence[Value]) -> list[Value]:
    """What a ``while`` hands on, of what is carried."""
    before = loop.regions[0].block
    values: dict[Value, Value] = dict(zip(before.args, carried, strict=False))
    return [values.get(value, value) for value in before.terminator.operands[1:]]


def _number_rounds(body: Block, start: Value, step: Value) -> None:
    """Let the body of a loop get the number of its round, and find its index by that."""
    number = body.args[0]
    readers = list(number.uses)
    builder = Builder(body)
    builder.index = 0
    with builder.current():
        index = ops.as_value(ops.binary("+", ops.binary("*", number, step), start))
    for user, position in readers:
        rewriter.set_operand(user, position, index)


def _larger(left: Any, right: int) -> Any:
    return ops.emit(ops.REGISTRY["py.max"], left, right)


def _root(value: Any) -> Any:
    return ops.untrace(ops.call_traced(math.isqrt, ops.trace(value)))
