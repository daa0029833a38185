"""``try`` in what is differentiated: run once to see how it ends, then as branches.

Before:                                        After:
    %y = try {handlers = (("ValueError",),)} {     %n, %e = try {handlers = (("ValueError",),)} {
      %a = math.log %x                               %a = math.log %x
      region_yield %a                                region_yield 0, undef
    } (%e: object) {                               } (%e: object) {
      region_yield %x                                region_yield 1, %e
    }                                              }
                                                   %0 = py.eq %n, 0
                                                   %y = if %0 { ... } { region_yield %x }

So no handler sees what derivatives raise. The body runs twice, less what nobody reads of the first
time; so it must not be seen that it does. A handler that always raises, as that of a ``finally``
does, gives nothing: such a ``try`` stays, and derivatives go through its body.

A write that the body ends with is left out the first time, which reads there instead: where that
raises, so would the write, and nothing was written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from staticpy import ops
from staticpy.autodiff.activity import (
    Activity,
    is_differentiable,
    may_be_rerun,
    with_inner,
    writes,
    written,
)
from staticpy.autodiff.holders import refusal
from staticpy.autodiff.shadows import memory_around
from staticpy.ir import (
    FLOAT,
    Block,
    Builder,
    Operation,
    Region,
    ScalarType,
    TensorType,
    Value,
    copy_body,
    rewriter,
    walk,
)
from staticpy.ops import REGISTRY, Effect, operation_effects

_RAISING = (ops.raise_, ops.raise_value, ops.reraise)


def always_raises(operation: Operation) -> bool:
    """Whether no handler of a ``try`` goes on behind it."""
    handlers = [region.block for region in operation.regions[1:]]
    return all(any(each.op in _RAISING for each in block.operations) for block in handlers)


def open_tries(block: Block, sources: Iterable[Value]) -> None:
    """Replace each ``try`` that derivatives by ``sources`` flow out of, those inside of others
    first.

    Raises:
        DiagnosticError: NO_DERIVATIVE, its body changes what is around it.
    """
    if not any(each.op is ops.try_ for each in walk(block)):
        return
    given, trials = list(sources), set[Operation]()
    _drop_unread_boxes(block)
    while True:
        activity = Activity(block.operations[:-1], given)
        found = [each for each in activity.visible if _is_due(each, activity)]
        found = [each for each in found if trials.isdisjoint(_around(each))]
        if not found:
            return
        trials.add(_open(found[-1]))


def _around(operation: Operation) -> Iterator[Operation]:
    current: Operation | None = operation
    while current is not None:
        yield current
        current = current.parent


def _is_due(operation: Operation, activity: Activity) -> bool:
    if operation.op is not ops.try_ or always_raises(operation):
        return False
    changing = filter(writes, with_inner([operation]))
    changed = (value for inner in changing for value in written(inner))
    return any(value in activity.varied for value in (*operation.results, *changed))


# --- boxes ----------------------------------------------------------------------------------------


def _drop_unread_boxes(block: Block) -> None:
    """Drop lists that are written to, for a handler that might read them, and read by nobody."""
    for made in [each for each in walk(block) if each.name == "list.make"]:
        users = list(made.result.users)
        reads = [each for each in users if each.name == "list.getitem"]
        others = [each for each in users if each not in reads]
        is_read = any(each.result.uses for each in reads)
        if reads + others and not is_read and all(map(_is_put, others)):
            if any(each.operands[2] is made.result for each in others):
                continue
            for each in (*reads, *others, made):
                rewriter.erase(each)


def _is_put(operation: Operation) -> bool:
    return operation.name == "list.setitem"


# --- the two runs ---------------------------------------------------------------------------------


def _open(operation: Operation) -> Operation:
    """Replace a ``try``; its first run."""
    last = _last_writes(operation.regions[0].block)
    twice = list(_boxed_twice(operation, last))
    assert operation.block is not None
    builder = Builder(operation.block)
    builder.before(operation)
    with builder.current():
        trial = _trial(operation, last, builder)
        number, *errors = trial.results
        blocks = [region.block for region in operation.regions]
        for block, error in zip(blocks[1:], errors, strict=True):
            rewriter.replace_all_uses(block.args[0], error)
            rewriter.remove_args(block, {0})
        made = _branches(number, 0, blocks, builder)
    for each in twice:
        rewriter.erase(each)
    operation.regions = ()
    rewriter.replace(operation, made.results)
    return trial


def _trial(operation: Operation, last: Sequence[Operation], builder: Builder) -> Operation:
    """The first run, which gives the number of the region that it ends in, and the exception."""
    body, *handlers = (region.block for region in operation.regions)
    caught = [block.args[0] for block in handlers]

    def end(number: int, error: Value | None = None) -> None:
        held = [ops.emit(ops.undef, type=each.type) for each in caught]
        if error is not None:
            held[number - 1] = error
        builder.emit(ops.region_yield, [ops.as_value(number), *held])

    with builder.region() as first:
        copy_body(body, builder, {}, lambda span: span)
        pairs = list(zip(body.operations, first.block.operations, strict=False))
        for copy in [copy for original, copy in pairs if original in last]:
            _probe(copy)
        builder.span = operation.span
        end(0)
    regions = [first]
    for number, argument in enumerate(caught, 1):
        with builder.region([argument.type], [argument.name]) as region:
            end(number, region.block.args[0])
        regions.append(region)
    return builder.emit(ops.try_, operation.operands, operation.attrs, regions)


def _branches(number: Value, first: int, blocks: Sequence[Block], builder: Builder) -> Operation:
    """One of the blocks from ``first`` on, by its number."""
    is_first = ops.as_value(ops.compare("==", number, ops.as_value(first)))
    if first == len(blocks) - 2:
        orelse = Region(blocks[-1])
    else:
        with builder.region() as orelse:
            inner = _branches(number, first + 1, blocks, builder)
            builder.emit(ops.region_yield, inner.results)
    return builder.emit(ops.if_, [is_first], {}, [Region(blocks[first]), orelse])


# --- what may be run twice ------------------------------------------------------------------------


_READS = {"store": "index", "list.setitem": "list.getitem"}
"""The ops that read where others write, and raise what these raise."""


def _probe(operation: Operation) -> None:
    """Read in the place of a write."""
    if operation.name in _READS:
        assert operation.block is not None
        builder = Builder(operation.block)
        builder.before(operation)
        target, *more = operation.operands
        more.pop(0 if operation.name == "store" else -1)
        builder.emit(REGISTRY[_READS[operation.name]], [target, *more], operation.attrs)
    rewriter.erase(operation)


def _last_writes(body: Block) -> list[Operation]:
    """The writes that a body ends with, of which only the first may raise: where that does, nothing
    was written. The first run leaves them out.
    """
    found: list[Operation] = []
    for operation in reversed(body.operations[:-1]):
        is_write = operation.name in (*_READS, "list.append")
        if is_write and _is_sure_but_for_its_place(operation):
            found.append(operation)
            if operation.name != "list.append" and not _is_box(operation):
                break
        elif operation_effects(operation) is not Effect.NONE:
            break
    return found


def _is_sure_but_for_its_place(operation: Operation) -> bool:
    """Whether a write raises at most since there is no such place."""
    if operation.name != "store":
        return True
    target, value = (operand.type for operand in operation.operands[:2])
    if not isinstance(target, TensorType):
        return False
    is_float = value == FLOAT and target.dtype == np.float64
    return is_float or value == ScalarType(target.dtype)


def _is_box(operation: Operation) -> bool:
    """Whether an operation writes to a list of one item, which is there."""
    box, place = operation.operands[:2]
    made, known = box.defining_op, place.defining_op
    is_first = known is not None and known.op is ops.constant and known.attrs["value"] == 0
    is_made = made is not None and made.name == "list.make" and len(made.operands) == 1
    is_kept = all(_is_put(each) or each.name == "list.getitem" for each in box.users)
    return is_first and is_made and is_kept and operation.name == "list.setitem"


def _boxed_twice(operation: Operation, last: Sequence[Operation]) -> Iterator[Operation]:
    """What the second run of a body leaves out, since the first has done it: the values that it
    puts into boxes, where nobody differentiates them.

    Raises:
        DiagnosticError: NO_DERIVATIVE, it changes more than that around it.
    """
    body = operation.regions[0].block
    activity = Activity(body.operations[:-1], ())
    around = memory_around(body)
    for inner in filter(writes, walk(body)):
        if inner in last:
            continue
        targets = list(written(inner))
        if may_be_rerun(inner) and not any(
            activity.may_share(target, value) for target in targets for value in around
        ):
            continue
        box = inner.operands[0] if _is_put(inner) else None
        if box is None or box not in around or _is_read_in(box, body):
            raise refusal(inner, ", in a 'try' that may end half way through what it changes")
        if is_differentiable(inner.operands[2].type):
            raise refusal(operation, ": it may end half way, and what it has computed is read")
        yield inner


def _is_read_in(box: Value, body: Block) -> bool:
    operands = [(each, value) for each in walk(body) for value in each.operands]
    return any(
        value is box and not (_is_put(each) and each.operands[0] is box) for each, value in operands
    )
