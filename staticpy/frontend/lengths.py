"""Tuples that a loop makes longer: how many items a value may have.

A few lengths are a union of types. What gets longer in each round has no end of them: the loop
carries it as a tuple whose length is known at run time (RunTimeTuple).
"""

from __future__ import annotations

from typing import Any

from staticpy.frontend.findings import Carry
from staticpy.frontend.inputs import RunTimeTuple
from staticpy.frontend.values import ListRef, same_static
from staticpy.ir import TupleType, Type, Value, members_of

_MOST_LENGTHS = 2


def never_ends(before: Any, end: Any) -> bool:
    """Whether a round begins with a tuple and ends with one, and the next round may end with yet
    another length.
    """
    lengths = [_lengths(side) for side in (before, end)]
    if None in lengths:
        return False
    if any(isinstance(side, RunTimeTuple) for side in (before, end)):
        return not all(isinstance(side, RunTimeTuple) for side in (before, end))
    found = frozenset().union(*filter(None, lengths))
    return len(found) > _MOST_LENGTHS or (len(found) > 1 and _is_part(before, end))


def differ_in_length(left: Any, right: Any) -> bool:
    """Whether two tuples are one of run-time length where paths meet: one of them is that."""
    are_tuples = all(
        isinstance(side, RunTimeTuple) or type(side) is tuple for side in (left, right)
    )
    return are_tuples and any(isinstance(side, RunTimeTuple) for side in (left, right))


def as_list(memory: Any, side: Any) -> ListRef:
    """The items of a tuple as a list, which ``memory`` makes where there is none."""
    if isinstance(side, RunTimeTuple):
        return side.items  # type: ignore[no-any-return]
    return memory.new_list(side)  # type: ignore[no-any-return]


def tuple_types(type_: Type) -> list[TupleType] | None:
    """The tuples that a value of this type may be; None where it may be something else."""
    found = [each for each in members_of(type_) if isinstance(each, TupleType)]
    return found if found and len(found) == len(members_of(type_)) else None


def _lengths(side: Any) -> frozenset[int] | None:
    """How many items a tuple may have, as far as that is known; None for what is no tuple."""
    if isinstance(side, RunTimeTuple):
        return frozenset()
    if type(side) is tuple:
        return frozenset([len(side)])
    types = tuple_types(side.type) if isinstance(side, Carry | Value) else None
    return None if types is None else frozenset(len(each.items) for each in types)


def _is_part(before: Any, end: Any) -> bool:
    """Whether a tuple ends with, or begins with, all items of another, and has more."""
    if type(before) is not tuple or type(end) is not tuple or not 0 < len(before) < len(end):
        return False
    sides = end[: len(before)], end[len(end) - len(before) :]
    return any(all(map(same_static, before, side)) for side in sides)
