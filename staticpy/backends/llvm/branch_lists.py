"""Lists that a branch makes, made before it.

In: an ``if`` that yields an empty list which one of its branches has made, for what comes behind
it: what a loop in a branch saves, for one. Out: the same without that result.

    %l = if %c {                                %l = list.make : list[float]
      %m = list.make : list[float]              if %c {
      ... list.append %m, %x                      ... list.append %l, %x
      region_yield %m                             region_yield
    } {                                         } {
      %u = undef : list[float]
      region_yield %u                             region_yield
    }                                           }

So all that is done with the list is done with one value: then it can be memory of its own
(``number_lists``). Where the branch is not taken nobody reads it.
"""

from __future__ import annotations

from staticpy.ir import Block, Function, Operation, OpResult, rewriter, walk
from staticpy.ops import if_, is_undef


def makes_list(operation: Operation) -> bool:
    """Whether an operation makes an empty list."""
    return operation.name == "list.make" and not operation.operands


def has_branch_lists(function: Function) -> bool:
    """Whether there is such a list."""
    return any(_list_of(each) is not None for _, each in _results(function))


def make_before(function: Function) -> None:
    """Make all such lists of ``function`` before the branches."""
    for branch, result in _results(function):
        made = _list_of(result)
        if made is None:
            continue
        if made.owner.block is not branch.block:
            rewriter.move_before(made.owner, branch)
        for region in branch.regions:
            _drop(region.block, result.index)
        rewriter.replace_all_uses(result, made)
        rewriter.remove_results(branch, [result.index])


def _results(function: Function) -> list[tuple[Operation, OpResult]]:
    """The results of branches, of those within others first."""
    branches = [each for each in walk(function.block) if each.op is if_]
    return [(each, result) for each in reversed(branches) for result in each.results]


def _list_of(result: OpResult) -> OpResult | None:
    """The empty list that is the result of an ``if``, if it is one."""
    branch = result.owner
    found = None
    for region in branch.regions:
        value = region.block.terminator.operands[result.index]
        if is_undef(value):
            continue
        if found is not None or not isinstance(value, OpResult) or not makes_list(value.owner):
            return None
        is_near = value.owner.block in (region.block, branch.block)
        if not is_near or value.type != result.type:
            return None
        found = value
    return found


def _drop(block: Block, index: int) -> None:
    """Yield one value less."""
    end = block.terminator
    dropped = end.operands[index]
    kept = [each for place, each in enumerate(end.operands) if place != index]
    rewriter.set_operands(end, kept)
    if is_undef(dropped) and not dropped.uses and dropped.defining_op is not None:
        rewriter.erase(dropped.defining_op)
