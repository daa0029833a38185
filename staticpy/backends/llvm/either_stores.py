"""Branches whose sides write one element, by a choice of what is written.

    if a[i] == b[j]:                          one = t[i, j] + 1
        t[i + 1, j + 1] = t[i, j] + 1         other = max(t[i, j + 1], t[i + 1, j])
    else:                                     t[i + 1, j + 1] = one if a[i] == b[j] else other
        t[i + 1, j + 1] = max(...)

In: an ``if`` in a loop whose accesses hold, of which each side reads elements, computes ints and
then writes the same element. Out: both sides, one after the other, and one write: no processor
foresees whether two letters are the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.context import Context
from staticpy.backends.llvm.forms import Native, form_of
from staticpy.backends.llvm.memory import stored
from staticpy.backends.llvm.selects import can_be_computed, leave_by, side_until
from staticpy.ir import Operation
from staticpy.ops import store


def stores_of_one_element(cx: Context, branch: Operation) -> list[Operation] | None:
    """The writes at the ends of the sides, if both may be computed."""
    if branch.results:
        return None
    sides = [region.block.operations for region in branch.regions]
    if any(len(side) < 2 or side[-2].op is not store for side in sides):
        return None
    one, other = stores = [side[-2] for side in sides]
    accesses = [cx.checked.get(each) for each in stores]
    entries = [None if each is None else each.entries for each in accesses]
    is_one_element = one.operands[0] is other.operands[0] and entries[0] == entries[1] is not None
    types = [each.operands[1].type for each in stores]
    if not is_one_element or types[0] != types[1] or not form_of(types[0]).is_whole:
        return None
    computed = [each for side in sides for each in side[:-2]]
    return stores if can_be_computed(cx, computed) else None


def store_either(cx: Context, stores: Sequence[Operation], condition: ir.Value) -> None:
    """Compute both sides, and write what one of them gives."""
    sides = []
    for each in stores:
        assert each.block is not None
        leaves = side_until(cx, each.block, each)
        sides.append((cx.get(each.operands[1]), leaves))
    (one, one_leaves), (other, other_leaves) = sides
    leave_by(cx, condition, one_leaves, other_leaves)
    chosen = Native(one.form, (cx.builder.select(condition, one.value, other.value),))
    array, _, *numbers = map(cx.get, stores[0].operands)
    done = stored(cx, stores[0], [array, chosen, *numbers])
    assert done is not None, "an element that is in bounds has a form"
