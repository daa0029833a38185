"""``break`` in loops over numbers.

In: a ``while`` whose condition first asks a bool that its rounds carry.

    while %0, %n, %no : int (%i: int, %stop: bool) {
      %1 = if %stop {region_yield %no} {…}
      region_yield %1, %i
    } …

Out: which of the carried values that is. A round that ends with it goes out of the loop itself: of
a condition that asks two things, one of them by what each round has found, LLVM makes numbers.
"""

from __future__ import annotations

from staticpy.backends.llvm.forms import form_of
from staticpy.ir import BOOL, BlockArgument, Operation
from staticpy.ops import constant, constant_value, for_, if_, while_


def place_of_break(loop: Operation) -> int | None:
    """The place of the bool that says that a ``while`` is over, if there is nothing else to do then
    but to hand on what is carried.
    """
    before = loop.regions[0].block
    condition, *forwarded = before.terminator.operands
    asked = [each for each in before.operations if each.op is not constant]
    made = condition.defining_op
    if made is None or made.op is not if_ or asked != [made, before.terminator]:
        return None
    stop = made.operands[0]
    then = made.regions[0].block
    if not isinstance(stop, BlockArgument) or stop.block is not before or stop.type != BOOL:
        return None
    given = then.terminator.operands[made.results.index(condition)]
    is_over = len(then.operations) == 1 and constant_value(given) is False
    are_numbers = all(form_of(each.type).is_scalar for each in before.args)
    are_there = all(each not in made.results for each in forwarded)
    return before.args.index(stop) if is_over and are_numbers and are_there else None


def is_break(branch: Operation) -> bool:
    """Whether one side of an ``if`` is for the last round of the loop that it is in: what the other
    one computes for the next round needn't wait until it is known which it is.
    """
    loop, block = branch.parent, branch.block
    if loop is None or block is None:
        return False
    place = 0 if loop.op is for_ and loop.attrs["breaks"] else None
    if loop.op is while_ and block is loop.regions[1].block:
        place = place_of_break(loop)
    if place is None:
        return False
    stop = block.terminator.operands[place]
    return stop is branch.operands[0] or stop in branch.results
