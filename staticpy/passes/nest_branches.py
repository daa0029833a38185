"""A branch on two conditions that chooses a float becomes a branch in a branch.

In: a Module, and which types of numbers a backend computes with. Out: the same Module. No pass of
the pipeline: to Python it is as good, and it is what the user wrote.

Before, for ``if j > 0 and x[j - 1] < best: best = x[j - 1]``:
    %1 = if %0 : bool {
      %2 = index %x, %k {spec = ("value",)} : f64
      %3 = py.lt %2, %best : bool
      region_yield %3
    } {
      region_yield %false
    }
    %best.1 = if %1 : f64 {
      %4 = index %x, %k {spec = ("value",)} : f64
      region_yield %4
    } {
      region_yield %best
    }
After:
    %best.1 = if %0 : f64 {
      %2 = index %x, %k {spec = ("value",)} : f64
      %3 = py.lt %2, %best : bool
      %5 = if %3 : f64 {
        region_yield %2
      } {
        region_yield %best
      }
      region_yield %5
    } {
      region_yield %best
    }

The inner one asks one comparison, and what it chooses from is there: a backend can compute it
without a branch. What a round of a loop hands on to the next one stays, as the best of all so far
does: few rounds find a better one, and the others needn't wait for it.
"""

from __future__ import annotations

from collections.abc import Callable

from staticpy.ir import (
    Block,
    Module,
    Operation,
    Type,
    Value,
    builder_before,
    copy_operations,
    rewriter,
    walk,
)
from staticpy.ops import constant, constant_value, for_, if_, region_yield, while_
from staticpy.passes.cse import cse


def nest_branches(module: Module, is_float: Callable[[Type], bool]) -> None:
    """Nest the branches of ``module`` that choose among numbers, one of them of a type for which
    ``is_float`` holds.
    """
    changed = False
    for function in module.functions.values():
        while (found := _first(function.block, is_float)) is not None:
            _nest(*found)  # what was in either of them is another now
            changed = True
    if changed:
        cse(module)


def _first(block: Block, is_float: Callable[[Type], bool]) -> tuple[Operation, Operation] | None:
    """The first branch that can be nested, behind the one that it asks."""
    for branch in walk(block):
        if branch.op is if_ and any(is_float(each.type) for each in branch.results):
            asked = _asked(branch)
            if asked is not None:
                return asked, branch
    return None


def _asked(branch: Operation) -> Operation | None:
    """The ``and`` that a branch asks, just before it, if nobody else does."""
    made = branch.operands[0].defining_op
    if made is None or made.op is not if_ or len(made.results) > 1:
        return None
    if list(made.result.users) != [branch]:
        return None
    then, otherwise = (region.block for region in made.regions)
    is_and = constant_value(otherwise.terminator.operands[0]) is False
    is_next = _only_constants(_between(made, branch))
    is_last = _only_constants(branch.regions[1].block.operations[:-1])
    asks_more = constant_value(then.terminator.operands[0]) is None
    is_plain = is_and and is_next and is_last and asks_more
    return made if is_plain and not _is_handed_on(branch) else None


def _between(first: Operation, last: Operation) -> list[Operation]:
    block = last.block
    assert block is not None
    if first.block is not block:
        return [first]
    places = [block.operations.index(each) for each in (first, last)]
    return block.operations[places[0] + 1 : places[1]]


def _only_constants(operations: list[Operation]) -> bool:
    return all(each.op is constant for each in operations)


def _is_handed_on(branch: Operation) -> bool:
    """Whether a loop carries what a branch gives."""
    loops = (for_, while_)
    users = (user for result in branch.results for user in result.users)
    return any(
        user.op is region_yield and user.parent is not None and user.parent.op in loops
        for user in users
    )


def _nest(asked: Operation, branch: Operation) -> None:
    """Replace two branches by one in another."""
    then = asked.regions[0].block
    builder = builder_before(branch)
    regions = []
    with builder.current():
        with builder.region() as region:
            values: dict[Value, Value] = {}
            copy_operations(then.operations[:-1], builder, values)
            condition = then.terminator.operands[0]
            values[asked.result] = values.get(condition, condition)
            copy_operations([branch], builder, values)
            builder.emit(region_yield, region.block.operations[-1].results)
        regions.append(region)
        otherwise = branch.regions[1].block
        with builder.region() as region:
            values = {}
            copy_operations(otherwise.operations[:-1], builder, values)
            given = [values.get(each, each) for each in otherwise.terminator.operands]
            builder.emit(region_yield, given)
        regions.append(region)
        builder.span = branch.span
        rewriter.replace(branch, builder.emit(if_, asked.operands, {}, regions).results)
    rewriter.erase(asked)
