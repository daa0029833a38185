"""``checkpoint``: what the way back runs again, in the place of saving it.

Before, in what is differentiated by %x:
    %y = checkpoint { %h = sin %x ... region_yield %y }
After, on the way back:
    %y, %gx = vjp %x, %gy {outputs = 1} (%x.1: f64) { %h = sin %x.1 ... region_yield %y }
which is expanded in its turn.

A loop in the region is divided first. Of n rounds

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
from collections.abc import Iterator, Sequence
from typing import Any

from staticpy import ops
from staticpy.autodiff.activity import (
    Activity,
    changed_by,
    is_differentiable,
    is_unseeded,
    writes,
    written,
)
from staticpy.autodiff.cotangents import as_cotangent
from staticpy.autodiff.custom import CustomReverse, require_own_memory
from staticpy.autodiff.origins import Origins
from staticpy.autodiff.scopes import free_values, memory_around
from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import (
    INT,
    Block,
    Builder,
    Operation,
    Region,
    Value,
    copy_body,
    rewriter,
    walk,
)
from staticpy.ops import Traced, untrace


class CheckpointReverse(CustomReverse):
    """Reverse mode that runs parts of the way there again."""

    def region_operation(self, operation: Operation, given: list[Any]) -> None:
        """Pull back through an operation that holds regions."""
        if operation.op is ops.checkpoint:
            self._run_again(operation, given)
        else:
            super().region_operation(operation, given)

    def _run_again(self, operation: Operation, given: list[Any]) -> None:
        block = operation.regions[0].block
        values = self.read_by(operation)
        sources = [value for value in free_values(block) if value in self.activity.varied]
        for value in sources:
            if not is_differentiable(value.type):
                why = f"reads a {value.type} from around it: give it the items"
                raise checkpoint_error(operation, why)
        primals = [self._own(values.get(value, value)) for value in sources]
        due = [number for number, item in enumerate(given) if item is not None]
        region = Region(Block([value.type for value in primals]))
        values.update(zip(sources, region.block.args, strict=True))
        with self.builder.inside(region.block):
            yielded = self.copy_of(block, values)
            self.builder.emit(ops.region_yield, [yielded[number] for number in due])
        seeds = [as_cotangent(given[number], operation.results[number].type) for number in due]
        operands = [*primals, *(ops.as_value(untrace(seed)) for seed in seeds)]
        made = self.builder.emit(ops.vjp, operands, {"outputs": len(due)}, [region])
        for source, result in zip(sources, made.results[len(due) :], strict=True):
            self.add(source, Traced(result))

    def _own(self, value: Value) -> Value:
        """An array as another one: what is run again must not be found to be known."""
        return ops.own_copy(value, self.builder)  # type: ignore[no-any-return]


def require_repeatable(activity: Activity) -> None:
    """Refuse checkpoints that can't be run twice.

    Raises:
        DiagnosticError: CUSTOM_RULE.
    """
    for operation in activity.visible:
        if operation.op is not ops.checkpoint:
            continue
        block = operation.regions[0].block
        around, origins = set(memory_around(block)), Origins(block.operations)
        outer = set(map(activity.home_of, around))

        def may_share(target: Value, outer: set[Value] = outer) -> bool:
            return activity.home_of(target) in outer

        for inner in filter(writes, walk(block)):
            if is_unseeded(inner):
                raise checkpoint_error(inner, "runs twice, and this has no seed")
            targets = list(changed_by(inner))
            if not targets or any(origins.may_be_of(x, around, may_share) for x in targets):
                raise checkpoint_error(inner, "runs twice, and this is seen by others")
        require_own_memory(operation, block.terminator.operands, block, activity)


def checkpoint_error(operation: Operation, why: str) -> DiagnosticError:
    """What is wrong with a checkpoint."""
    return DiagnosticError(catalog.CUSTOM_RULE, operation.span, why=f"checkpoint {why}")


# --- loops ----------------------------------------------------------------------------------------


def divide_loops(block: Block) -> None:
    """Divide the loops in the checkpoints of a block."""
    found = [each for each in walk(block) if each.op is ops.checkpoint]
    for operation in found:
        if not operation.attrs["is_whole"]:
            _divide(operation)


def _divide(operation: Operation) -> None:
    """Let a checkpoint whose region has loops be one for each part of it."""
    block = operation.regions[0].block
    activity = Activity(block.operations[:-1], ())
    is_loop = lambda each: _is_divisible(each, activity)  # noqa: E731
    groups = itertools.groupby(block.operations[:-1], is_loop)
    parts = [(is_found, list(each)) for is_found, each in groups]
    if not any(is_found for is_found, _ in parts) or not _are_apart(parts, activity):
        return
    rewriter.replace(operation, rewriter.inline_region(operation.regions[0], (), operation))
    for is_found, operations in parts:
        if is_found:
            for loop in operations:
                (_in_pieces if loop.op is ops.for_ else _in_segments)(loop)
        else:
            _in_checkpoint([each for each in operations if each.op is not ops.constant])


def _is_divisible(loop: Operation, activity: Activity) -> bool:
    """Whether a loop is a ``for`` with steps that are known, which is not left in the middle, or a
    ``while`` whose test may be asked again, and writes to memory of its own rounds alone.
    """
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


def _are_apart(parts: Sequence[tuple[bool, list[Operation]]], activity: Activity) -> bool:
    """Whether no part writes to memory of another one."""
    seen: dict[Value, int] = {}
    changed: set[Value] = set()
    for number, (_, operations) in enumerate(parts):
        for each in _all_of(operations):
            for value in (*each.operands, *each.results):
                home = activity.home_of(value)
                if seen.setdefault(home, number) != number:
                    seen[home] = -1
            if writes(each):
                changed.update(map(activity.home_of, written(each)))
    return all(seen.get(home) != -1 for home in changed)


def _all_of(operations: Sequence[Operation]) -> Iterator[Operation]:
    for operation in operations:
        yield operation
        for region in operation.regions:
            yield from walk(region.block)


def _in_checkpoint(operations: Sequence[Operation]) -> None:
    """Put operations of one block, which follow one another, into a checkpoint."""
    inside = set(_all_of(operations))
    results = [result for operation in operations for result in operation.results]
    handed = [value for value in results if any(user not in inside for user in value.users)]
    if not handed:
        return
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
    made = builder.emit(ops.checkpoint, [], {"outputs": 0, "is_whole": True}, [region])
    for value, result in zip(handed, made.results, strict=True):
        for user, position in list(value.uses):
            if user not in inside and user is not ending:
                rewriter.set_operand(user, position, result)


def _in_pieces(loop: Operation) -> None:
    """Let a loop be one over pieces of it, each in a checkpoint."""
    assert loop.block is not None
    builder = Builder(loop.block)
    builder.before(loop)
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
    return builder.emit(ops.checkpoint, [], {"outputs": 0, "is_whole": True}, [region])


def _in_segments(loop: Operation) -> None:
    """Let a ``while``, which may run any number of rounds, be one over segments of it, each in a
    checkpoint: of 1, 2, 3, … rounds, so that there are as many as the last ones have rounds.
    """
    assert loop.block is not None
    builder = Builder(loop.block)
    builder.before(loop)
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
    return builder.emit(ops.checkpoint, [], {"outputs": 0, "is_whole": True}, [region])


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
