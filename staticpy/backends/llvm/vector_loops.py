"""Loops over numbers of which LLVM may make vectors, if no comparison of floats is in its way.

In: an innermost loop whose accesses hold. Out: whether there is nothing else in its way: it carries
no floats, which have an order, and no elements, leaves by no ``break``, and on one side of a branch
nothing is computed that often raises flags. Of the comparison that is used elsewhere, which raises
none for a NaN, LLVM makes no vectors, of the one for such loops it does; it takes longer where
there are none.
"""

from __future__ import annotations

from staticpy.backends.llvm.bounds import Access, accesses_of
from staticpy.backends.llvm.context import Context
from staticpy.backends.llvm.elements import ON_BOTH_SIDES
from staticpy.backends.llvm.forms import F64, form_of
from staticpy.backends.llvm.short_loops import is_short, is_slow
from staticpy.ir import Block, Operation, Value, walk
from staticpy.ops import Effect, if_
from staticpy.passes import FIRST_INDEX, effects_by_op


def may_be_vectors(cx: Context, loop: Operation) -> bool:
    """Whether only comparisons are in the way. What is done must be possible once more: of what
    LLVM makes of them nobody knows that it raises no flags. A short loop is part of the one around.
    """
    if is_short(loop):
        return cx.makes_vectors
    if cx.handed_on is not None or not cx.can_run_again or loop.attrs["breaks"] or is_slow(loop):
        return False
    block = loop.regions[0].block
    inside = list(walk(block))
    accesses = [cx.checked.get(each) for each in inside if each.op.name in FIRST_INDEX]
    carried = (form_of(value.type) for value in loop.results)
    return (
        all(form.kind in ("int", "bool") for form in carried)
        and bool(accesses)
        and all(each is not None and each.entries is not None for each in accesses)
        and not any(_is_on_one_side(each, block) and _raises_flags(each) for each in inside)
        and not _hands_on(loop)
    )


def _hands_on(loop: Operation) -> bool:
    """Whether a round writes ``x[i + 1]``, which another one reads or writes as ``x[i]``, or
    ``x[i]``, and all of them read ``x[k]``.
    """
    index = loop.regions[0].block.args[0]
    accesses = [each for each in accesses_of(loop) if each.entries is not None]
    stores = [each for each in accesses if each.operation.op.name == "store"]
    return any(
        one.array is other.array
        and (_are_neighbours(one, other, index) or not _is_along(other, index))
        for one in stores
        for other in accesses
    )


def _are_neighbours(one: Access, other: Access, index: Value) -> bool:
    """Whether two elements differ by what is added to the index of a loop."""
    pairs = zip(one.entries or (), other.entries or (), strict=True)
    different = [pair for pair in pairs if pair[0] != pair[1]]
    return bool(different) and all(each.value is index for pair in different for each in pair)


def _is_along(access: Access, index: Value) -> bool:
    """Whether each round has another element."""
    return any(each.value is index for each in access.entries or ())


def _is_on_one_side(operation: Operation, block: Block) -> bool:
    """Whether there is a branch between an operation and the block of a loop."""
    around = operation.parent
    while around is not None and around.op is not if_ and around.block is not block:
        around = around.parent
    return operation.block is not block and around is not None and around.op is if_


def _raises_flags(operation: Operation) -> bool:
    if operation.op is if_ or not any(form_of(v.type).is_float for v in operation.results):
        return False
    if operation.op.name == "from_python" and form_of(operation.results[0].type).parts == (F64,):
        return False  # it has room for all of Python's
    return Effect.WARNS in effects_by_op(operation) and operation.op.name not in ON_BOTH_SIDES
