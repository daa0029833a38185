"""``pullback.make`` and ``pullback.call`` replaced by what they stand for.

Before:
    %out, %back = pullback.make %x {outputs = 1} (%x.1: f64) {
      %0 = sin %x.1 : f64
      region_yield %0
    }
    %gx = pullback.call %back, %g
After:
    %out = sin %x : f64
    %0 = cos %x : f64
    %gx = multiply %g, %0 : f64

A call goes back through what the region has computed. Where memory is written to, in the region or
later, that is no longer there. Then the call becomes a ``vjp`` with a copy of the region, which
reads what the first run has read: a copy of each array that is written to before that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from staticpy import ops
from staticpy.autodiff.activity import (
    Activity,
    changed_by,
    may_be_rerun,
    writes,
    written,
)
from staticpy.autodiff.held import is_array_sometimes
from staticpy.autodiff.origins import Origins
from staticpy.autodiff.prepare import prepare_to_go_back
from staticpy.autodiff.refusals import words_for
from staticpy.autodiff.regions import RegionReverse
from staticpy.autodiff.results import apart, cotangent_of
from staticpy.autodiff.reverse import NOTHING
from staticpy.autodiff.scopes import memory_around
from staticpy.autodiff.shadows import Shadows
from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import (
    Block,
    Builder,
    Function,
    Operation,
    Region,
    TensorType,
    Value,
    builder_before,
    copy_body,
    is_mutable_memory,
    rewriter,
    walk,
    with_inner,
)
from staticpy.ops import Traced

_CALLS: dict[Any, ops.OpDef] = {ops.call_pullback: ops.vjp, ops.call_pushforward: ops.jvp}
"""The calls of what ``pullback.make`` gives, and what they stand for."""
_UNKNOWN = "what it gives leaves the block that it was made in"


def expand_pullbacks(function: Function) -> bool:
    """Replace every ``pullback.make`` and its calls; whether there was one.

    Raises:
        DiagnosticError: NO_PULLBACK, something could tell that the function is run again.
    """
    found = [each for each in walk(function.block) if each.op is ops.make_pullback]
    for operation in reversed(found):  # those inside of others first
        _expand(function, operation)
    strays = [each for each in walk(function.block) if each.op in _CALLS]
    if strays:
        raise _refusal(strays[0], _UNKNOWN)
    if found:
        rewriter.refresh_uses(function)
    return bool(found)


def _expand(function: Function, operation: Operation) -> None:
    region = operation.regions[0]
    calls = list(operation.results[-1].users)
    if any(user.op not in _CALLS for user in calls):
        raise _refusal(operation, _UNKNOWN)
    again: list[Block] = []
    if calls:
        around = memory_around(region.block)
        require_no_trace(region.block, [*around, *region.block.args])
        if not _go_back(function, operation, calls, around):
            again = [_copied(region.block, operation.attrs["outputs"]) for _ in calls]
    yielded = rewriter.inline_region(region, operation.operands, operation)
    operation.regions = ()
    for result, value in zip(operation.results, yielded, strict=False):
        rewriter.replace_all_uses(result, value)
    if again:
        activity = Activity(function.block.operations, ())
        written_later = _written_later(activity, operation, calls)
        kept = _kept(operation, [*operation.operands, *around], written_later)
        for call, block in zip(calls, again, strict=True):
            _run_again(operation, call, block, kept)
    rewriter.erase(operation)


# --- what the first run has computed --------------------------------------------------------------


def _go_back(
    function: Function, operation: Operation, calls: Sequence[Operation], around: Iterable[Value]
) -> bool:
    """Replace the calls by ways back through the region, if all that they read stays as it is."""
    if any(call.op is not ops.call_pullback for call in calls):
        return False
    block = operation.regions[0].block
    prepare_to_go_back(block, block.args)
    activity = Activity(block.operations[:-1], block.args)
    given = block.terminator.operands[: operation.attrs["outputs"]]
    has_shadows = activity.has_shadows() or any(is_array_sometimes(each.type) for each in given)
    if has_shadows or not all(map(_stays, walk(block))):
        return False
    outside = Activity(function.block.operations, ())
    written_later = _written_later(outside, operation, calls)
    memory = (*operation.operands, *operation.results, *around)
    if any(map(written_later, filter(lambda value: is_mutable_memory(value.type), memory))):
        return False
    for call in calls:
        _pull_back(activity, block, call)
    return True


_CONTROL_FLOW = (ops.if_, ops.for_, ops.while_)


def _stays(operation: Operation) -> bool:
    """Whether an operation can be gone back through as often as needed."""
    is_known = not operation.regions or operation.op in _CONTROL_FLOW
    return is_known and operation.op not in (*_CALLS, ops.call) and not writes(operation)


def _pull_back(activity: Activity, block: Block, call: Operation) -> None:
    """Put the way back through ``block`` into the place of a call."""
    builder = builder_before(call)
    reverse = RegionReverse(activity, Shadows(activity), builder, block, NOTHING)
    seeds = call.operands[1:]
    with builder.current():
        for value, seed in zip(block.terminator.operands, seeds, strict=False):
            reverse.add(value, Traced(seed))
    reverse.run(block.operations[:-1])
    with builder.current():
        flowing = [cotangent_of(reverse, argument) for argument in block.args]
    own = [result for operation in block.operations for result in operation.results]
    rewriter.replace(call, apart(builder, flowing, [*own, *seeds]))


# --- a second run ---------------------------------------------------------------------------------


def _copied(block: Block, outputs: int) -> Block:
    made = Block()
    values: dict[Value, Value] = {each: made.add_arg(each.type) for each in block.args}
    builder = Builder(made)
    results = copy_body(block, builder, values, lambda span: span)
    builder.emit(ops.region_yield, results[:outputs])
    return made


def _run_again(
    operation: Operation, call: Operation, block: Block, kept: dict[Value, Value]
) -> None:
    """Put a ``vjp`` or a ``jvp`` into the place of a call."""
    for inner in walk(block):
        for position, operand in enumerate(inner.operands):
            if operand in kept:
                rewriter.set_operand(inner, position, kept[operand])
    builder = builder_before(call)
    operands = [kept.get(primal, primal) for primal in operation.operands]
    operands += call.operands[1:]
    outputs = operation.attrs["outputs"]
    made = builder.emit(_CALLS[call.op], operands, {"outputs": outputs}, [Region(block)])
    rewriter.replace(call, made.results[outputs:])


def _written_later(
    activity: Activity, operation: Operation, calls: Iterable[Operation]
) -> Callable[[Value], Operation | None]:
    """What gives for memory an operation that writes to it before the last of the calls, which all
    stand behind ``operation`` in its block, or in regions there.
    """
    block = operation.block
    assert block is not None
    last = max(block.position(_ancestor_in(block, call)) for call in calls)
    between = block.operations[block.position(operation) : last + 1]
    writers = [inner for outer in between for inner in with_inner([outer]) if writes(inner)]

    def writer_of(value: Value) -> Operation | None:
        is_array = isinstance(value.type, TensorType)  # a list of arrays is other memory
        for writer in writers:
            others = () if is_array and writer.name.startswith("list.") else written(writer)
            if any(activity.may_share(value, other) for other in others):
                return writer
        return None

    return writer_of


def _ancestor_in(block: Block, operation: Operation) -> Operation:
    while operation.block is not block:
        assert operation.parent is not None
        operation = operation.parent
    return operation


def _kept(
    operation: Operation,
    memory: Iterable[Value],
    written_later: Callable[[Value], Operation | None],
) -> dict[Value, Value]:
    """For each array in ``memory`` that is written to later, a copy from where the operation is."""
    builder = builder_before(operation)
    kept: dict[Value, Value] = {}
    for value in dict.fromkeys(memory):
        writer = written_later(value)
        if writer is None:
            continue
        if not isinstance(value.type, TensorType):
            raise _refusal(writer, "it reads memory that is written to here")
        kept[value] = builder.emit(ops.copy, [value], {"order": "K"}).result
    return kept


def require_no_trace(block: Block, memory: Iterable[Value]) -> None:
    """Refuse what could be seen of a second run: effects, and writes to ``memory``, which is from
    outside.

    Raises:
        DiagnosticError: NO_PULLBACK.
    """
    activity, origins = Activity(block.operations[:-1], ()), Origins(block.operations)
    outside = set(memory)

    def may_share(target: Value) -> bool:
        return any(activity.may_share(target, value) for value in outside)

    for operation in walk(block):
        if not writes(operation) or not operation.attrs.get("seen", True):
            continue
        if not may_be_rerun(operation):
            raise _refusal(operation, f"{words_for(operation)} would happen again")
        if any(origins.may_be_of(each, outside, may_share) for each in changed_by(operation)):
            raise _refusal(operation, "it writes to memory from outside of it")


def _refusal(operation: Operation, why: str) -> DiagnosticError:
    return DiagnosticError(catalog.NO_PULLBACK, operation.span, why=why)
