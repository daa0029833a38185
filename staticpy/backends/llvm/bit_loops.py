"""``while`` loops that end soon, as each of their rounds takes a bit away.

In: a loop. Out: whether it has no more than 64 rounds, since an int that it carries is halved as
long as it is above 0, or loses its lowest bit as long as it isn't 0:

    while v:
        v &= v - 1
        count += 1

Nobody need look for signals meanwhile, and LLVM makes one instruction of that one. What is below 0
never gets there, and at last leaves 64 bits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from staticpy.backends.llvm.carried import Carried
from staticpy.backends.llvm.context import Context
from staticpy.backends.llvm.forms import I64
from staticpy.backends.llvm.status import OVERFLOWED
from staticpy.ir import INT, Operation, Value
from staticpy.ops import constant_value, while_
from staticpy.passes import conjuncts

MOST_ROUNDS = 64
"""No more rounds has such a loop."""


class BitLoop(NamedTuple):
    """How a loop ends.

    Attributes:
        place: which of the carried values loses bits.
        differences: what subtracts 1 from it.
        is_decided: whether the loop ends when that is 0, and no sooner.
    """

    place: int
    differences: tuple[Operation, ...]
    is_decided: bool


def bit_loop(loop: Operation) -> BitLoop | None:
    """How a loop ends that has no more than 64 rounds, if it is known to have no more."""
    if loop.op is not while_:
        return None
    before, after = (region.block for region in loop.regions)
    condition, *forwarded = before.terminator.operands
    tests = [_is_tested(each) for each in conjuncts(condition)]
    arguments = dict(zip(forwarded, after.args, strict=True))
    carried = zip(before.args, after.terminator.operands, strict=True)
    for place, (value, given) in enumerate(carried):
        argument = arguments.get(value)
        if value.type != INT or argument is None:
            continue
        asked = [is_above for tested, is_above in filter(None, tests) if tested is value]
        differences = tuple(_without_lowest_bit(given, argument))
        if asked and differences:
            return BitLoop(place, differences, _is_all(condition, value))
        if any(asked) and _is_halved(given, argument):
            return BitLoop(place, (), is_decided=False)
    return None


def _is_tested(condition: Value) -> tuple[Value, bool] | None:
    """The int that a condition says to be above 0, or not to be 0, and whether it is the first."""
    made = condition.defining_op
    if made is None:
        return None
    if made.op.name in ("truth", "py.bool"):
        return made.operands[0], False
    if made.op.name in ("py.gt", "py.ne") and constant_value(made.operands[1]) == 0:
        return made.operands[0], made.op.name == "py.gt"
    return None


def _is_all(condition: Value, value: Value) -> bool:
    """Whether a condition is that an int isn't 0, and nothing else."""
    return _is_tested(condition) == (value, False)


def _without_lowest_bit(given: Value, argument: Value) -> Iterator[Operation]:
    """The difference in ``v & (v - 1)``."""
    made = given.defining_op
    if made is None or made.op.name != "py.and":
        return
    for one, other in (made.operands, reversed(made.operands)):
        less = other.defining_op
        if one is not argument or less is None or less.op.name != "py.sub":
            continue
        if less.operands[0] is argument and constant_value(less.operands[1]) == 1:
            yield less


def _is_halved(given: Value, argument: Value) -> bool:
    """Whether it is ``v >> 1``, or more, or ``v // 2``."""
    made = given.defining_op
    if made is None or made.op.name not in ("py.rshift", "py.floordiv"):
        return False
    by = constant_value(made.operands[1])
    least = 1 if made.op.name == "py.rshift" else 2
    return made.operands[0] is argument and isinstance(by, int) and by >= least


def leave_unless_it_ends(cx: Context, bits: BitLoop, carried: Sequence[Carried]) -> None:
    """Before a loop that only ends when an int is 0: where that is below 0 it never is, and what is
    subtracted from it leaves 64 bits sooner or later. So the twin has to do all of it.
    """
    if bits.is_decided and cx.can_run_again and not cx.within.issuperset(bits.differences):
        number = carried[bits.place].get().value
        cx.exit_if(cx.builder.icmp_signed("<", number, I64(0)), OVERFLOWED)
        cx.within.update(bits.differences)
