"""The flag by which a round ends its loop: False in all rounds but, perhaps, the last one.

In: a loop with ``break``, or ``while not done``. Out: the flag, and the loop handing on what it was
in its last round. So the way back saves no flags, and asks for that round alone:

    %y = for %0, %n, %1, %x {breaks = true} (%i: int, %a: float) {
      ... region_yield %break, %b }
becomes
    %y, %ended = for %0, %n, %1, %x, %false {breaks = true} (%i: int, %a: float, %flag: bool) {
      ... region_yield %break, %b, %break }
"""

from __future__ import annotations

from staticpy import ops
from staticpy.autodiff.scopes import block_of
from staticpy.autodiff.shadows import rebuild
from staticpy.ir import (
    BOOL,
    Block,
    BlockArgument,
    Operation,
    Value,
    builder_before,
    rewriter,
)


def flag_of(loop: Operation) -> Value | None:
    """What a round computes that ends the loop where it is True, if there is such a thing."""
    body = loop.regions[-1].block
    if loop.op is ops.for_:
        flag = body.terminator.operands[0] if loop.attrs["breaks"] else None
    else:
        argument = _stops(loop.regions[0].block)
        flag = None if argument is None else body.terminator.operands[argument.index]
    flag = _condition(flag) if flag is not None else None
    return flag if flag is not None and block_of(flag) is body else None


def _condition(flag: Value) -> Value:
    """The condition that a flag is, if branches set it to True where that holds and else to False,
    as ``break`` does.
    """
    made = flag.defining_op
    while made is not None and made.op is ops.if_:
        place = made.results.index(flag)
        ends = (region.block.terminator.operands[place] for region in made.regions)
        if [ops.constant_value(end) for end in ends] != [True, False]:
            break
        flag = made.operands[0]
        made = flag.defining_op
    return flag


def hand_on(loop: Operation, flag: Value) -> Operation:
    """The loop with one more result: what ``flag`` was in its last round, or False."""
    first, body = loop.regions[0].block, loop.regions[-1].block
    builder = builder_before(loop)
    begin = builder.emit(ops.constant, [], {"value": False}).result
    carried = first.add_arg(BOOL, flag.name)
    rewriter.set_operands(body.terminator, [*body.terminator.operands, flag])
    if loop.op is ops.while_:
        rewriter.set_operands(first.terminator, [*first.terminator.operands, carried])
        body.add_arg(BOOL, flag.name)
    return rebuild(loop, [*loop.operands, begin])


def _stops(test: Block) -> BlockArgument | None:
    """What a ``while`` carries that ends it where it is True, whatever else its test asks."""
    made = test.terminator.operands[0].defining_op
    if made is None or made.block is not test or not made.operands:
        return None
    flag = made.operands[0]
    ends = made.name == "py.not"
    if made.op is ops.if_:
        ends = ops.constant_value(made.regions[0].block.terminator.operands[0]) is False
    is_carried = isinstance(flag, BlockArgument) and flag.block is test
    return flag if ends and is_carried else None  # type: ignore[return-value]
