"""Loops over numbers of which LLVM may make vectors, if no comparison of floats is in its way.

In: an innermost loop whose accesses hold. Out: whether there is nothing else in its way: it carries
no floats, which have an order, leaves by no ``break``, and on one side of a branch nothing is
computed that raises flags. Of the comparison that is used elsewhere, which raises none for a NaN,
LLVM makes no vectors, of the one for such loops it does; it takes longer where there are none.
"""

from __future__ import annotations

from collections.abc import Sequence

from staticpy.backends.llvm.bounds import Access
from staticpy.backends.llvm.context import Context
from staticpy.backends.llvm.forms import form_of
from staticpy.ir import Operation, walk
from staticpy.ops import Effect, if_
from staticpy.passes import effects_by_op


def may_be_vectors(cx: Context, loop: Operation, accesses: Sequence[Access]) -> bool:
    """Whether only comparisons are in the way. What is done must be possible once more: of what
    LLVM makes of them nobody knows that it raises no flags.
    """
    if not accesses or cx.handed_on is not None or not cx.can_run_again or loop.attrs["breaks"]:
        return False
    block = loop.regions[0].block
    inside = list(walk(block))
    carried = (form_of(value.type) for value in loop.results)
    return (
        all(form.kind in ("int", "bool") for form in carried)
        and all(each.entries is not None for each in accesses)
        and not any(each.block is not block and _raises_flags(each) for each in inside)
    )


def _raises_flags(operation: Operation) -> bool:
    if operation.op is if_ or not any(form_of(v.type).is_float for v in operation.results):
        return False
    return Effect.WARNS in effects_by_op(operation)
