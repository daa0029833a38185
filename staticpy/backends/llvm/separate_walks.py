"""Walks along a row that are done one after the other, though all is known for doing them at once.

In: a walk of the schedule. Out: that walk, or several. Each has the vectors that suit it: sums of
floats are made by a function of their own, which would have to keep in memory what others have
reduced so far, and other reductions take several registers at a time. The row is in the cache
meanwhile.

    walk: reduces %x by sum, by max; computes %y          sum of %x | max of %x | %y
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from staticpy.backends.llvm.members import is_function, operands_of
from staticpy.backends.llvm.reductions import is_pairwise
from staticpy.ir import Operation
from staticpy.passes import Schedule, Walk


def separate_walks(walk: Walk, schedule: Schedule) -> list[Walk]:
    """Those for sums, for other reductions, and for the elements that neither of these reads.

    What more than one of them reads is read from memory if it is stored, and else computed again.
    Where that takes long, or memory is written to that others may read, all is done at once.
    """
    sums = [each for each in walk.reducing if is_pairwise(each)]
    others = [each for each in walk.reducing if each not in sums]
    stored = {each for each in walk.elements if each.results[0] in schedule.kept}
    if walk.sinks or not walk.reducing:
        return [walk]
    done: set[Operation] = set()
    parts: list[set[Operation]] = []
    for ends in (sums, others, stored):
        part = _needed([each for each in ends if each not in done], walk, schedule, done & stored)
        if any(map(is_function, part & done)):
            return [walk]
        parts += [part] if part else []
        done |= part
    return [walk] if len(parts) == 1 else [walk.only(part) for part in parts]


def _needed(
    ends: Iterable[Operation], walk: Walk, schedule: Schedule, there: Collection[Operation]
) -> set[Operation]:
    """Operations of a walk, and those whose elements they read, but for what is ``there``."""
    made = {each.results[0]: each for each in walk.elements if each not in there}
    pending, found = list(ends), set[Operation]()
    while pending:
        operation = pending.pop()
        if operation not in found:
            found.add(operation)
            read = map(schedule.source, operands_of(operation))
            pending += [made[value] for value in read if value in made]
    return found
