"""Sums that can't leave 64 bits, since a ``while`` has just said that there is a larger int.

Before:
    while %0 : int (%i: int) {
      %1 = py.lt %i, %n : bool
      %2 = if %1 : bool { region_yield %3 } { region_yield false }       ``i < n and ...``
      region_yield %2, %i
    } (%j: int) {
      %4 = py.add %j, 1 : int                                            at most ``n``
      region_yield %4
    }
"""

from __future__ import annotations

from staticpy.ir import INT, BlockArgument, Operation, Value
from staticpy.ops import constant_value, while_
from staticpy.passes.conjuncts import conjuncts


def is_below_another(operation: Operation) -> bool:
    """Whether an operation adds 1 to an int that the ``while`` around it has found to be less than
    another.
    """
    if operation.op.name != "py.add":
        return False
    left, right = operation.operands
    counted, one = (left, right) if isinstance(left, BlockArgument) else (right, left)
    if not isinstance(counted, BlockArgument) or constant_value(one) != 1:
        return False
    if counted.type != INT or one.type != INT:
        return False
    loop = counted.block.parent
    if loop is None or loop.op is not while_ or counted.block is not loop.regions[1].block:
        return False
    condition, *forwarded = loop.regions[0].block.terminator.operands
    tested = forwarded[counted.block.args.index(counted)]
    return any(_is_less(each, tested) for each in conjuncts(condition))


def _is_less(condition: Value, value: Value) -> bool:
    made = condition.defining_op
    if made is None or made.op.name not in ("py.lt", "py.gt"):
        return False
    small, large = made.operands if made.op.name == "py.lt" else reversed(made.operands)
    return small is value and large.type == INT
