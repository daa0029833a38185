"""What a ``checkpoint`` with a policy saves besides what goes into it.

Before, in what is differentiated:
    %y = checkpoint {policy = ("dots_saveable", ()), outputs = 0} { %h = matmul %x, %w
      %1 = tanh %h ... region_yield %y.1 }
After:
    %y, %h.1 = checkpoint {policy = ..., outputs = 0, saved = (1,)} { ... region_yield %y.1, %h }
and in what runs it again, on the way back:
    %y, %gx = vjp %x, %gy { %h.2 = matmul %x.1, %w ; %0 = recall %h.2, %h.1 ; %2 = tanh %h.2 ... }
Derivatives flow through all of it. Then ``%h.1`` stands where ``%h.2`` stood, which nobody reads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from staticpy import ops
from staticpy.autodiff.activity import Activity
from staticpy.ir import Block, Builder, Operation, Region, Value, builder_before, rewriter
from staticpy.ops import Effect, checkpoint_policies, custom_rules, operation_effects


def yield_what_is_saved(block: Block) -> None:
    """Let the checkpoints of a block, which is to be differentiated, give what they save."""
    found = [each for each in _outermost(block) if each.attrs["policy"]]
    found = [each for each in found if "saved" not in each.attrs]
    if not found:
        return
    activity = Activity(block.operations[:-1], block.args)
    for operation in found:
        _yield_from(operation, activity)


def _outermost(block: Block) -> Iterator[Operation]:
    """The checkpoints of a block that are in no other one."""
    for operation in block.operations:
        if operation.op is ops.checkpoint:
            yield operation
        else:
            for region in operation.regions:
                yield from _outermost(region.block)


def _yield_from(operation: Operation, activity: Activity) -> None:
    block = operation.regions[0].block
    made = checkpoint_policies.saved_by(operation.attrs["policy"], block.operations[:-1])
    wanted = [value for value in made if _may_be_saved(value, block, activity)]
    yielded = list(block.terminator.operands)
    yielded += [value for value in wanted if value not in yielded]
    numbers = tuple(yielded.index(value) for value in wanted)
    rewriter.set_operands(block.terminator, yielded)
    builder = builder_before(operation)
    region = Region(block)
    operation.regions = ()
    attrs = {**operation.attrs, "saved": numbers}
    with builder.at(operation.span):
        results = builder.emit(ops.checkpoint, [], attrs, [region]).results
    rewriter.replace(operation, results[: len(operation.results)])


def _may_be_saved(value: Value, block: Block, activity: Activity) -> bool:
    """Whether a number or array is on the way back what it was when it was computed, and something
    is computed of it.
    """
    made = value.defining_op
    if all(user is block.terminator for user in value.users):
        return False
    is_own = made is not None and made.block is block and made.op is not ops.constant
    memory = [value, *(each.results[0] for each in value.users if each.name == "numpy.shared")]
    is_kept = not any(map(activity.is_changed, memory))
    return is_own and custom_rules.is_number(value.type) and is_kept


def saved_copies(
    operation: Operation, activity: Activity, builder: Builder
) -> list[tuple[Value, Value]]:
    """What a checkpoint has saved, where it runs again: each value in its region, and what it is.
    Of an array that is a copy: what is computed of it must not be found to be known.
    """
    block = operation.regions[0].block
    results = ((operation.results[n], n) for n in operation.attrs.get("saved", ()))
    found = ((result, number) for result, number in results if not activity.is_changed(result))
    yielded = block.terminator.operands
    return [(yielded[number], ops.own_copy(result, builder)) for result, number in found]


def take_saved(block: Block) -> None:
    """Put what is saved in the place of what was computed again, now that the way back of
    ``block`` is known.
    """
    for operation in [each for each in block.operations if each.op is ops.recall]:
        again, saved = operation.operands
        rewriter.erase(operation)
        rewriter.replace_all_uses(again, saved)


def drop_unread(operations: Sequence[Operation]) -> None:
    """Drop those of ``operations``, which run again, that nobody reads, also where they might
    raise: they were run before with the same operands.
    """
    for operation in reversed(operations):
        is_unread = operation.results and not any(result.uses for result in operation.results)
        is_pure = Effect.WRITES not in operation_effects(operation)
        if operation.block is not None and is_unread and is_pure:
            rewriter.erase(operation)
