"""Arrays from around a differentiated call that share memory, where the call writes to one of them.

What is written to one is read from the other then, and derivatives of the two can't be told apart:
a ValueError at run time, before anything is done.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any

import numpy as np

from staticpy import ops
from staticpy.autodiff.activity import Activity, may_be_view
from staticpy.ir import BlockArgument, Builder, TensorType, Value
from staticpy.ops import REGISTRY

SHARED = (
    "two arrays share memory, and the function that is differentiated writes to one: pass a copy"
)


def require_apart(
    activity: Activity,
    values: Iterable[Value],
    origins: Mapping[BlockArgument, Value],
    builder: Builder,
) -> None:
    """Emit the checks of ``values``: the arguments of a call, which stand for their ``origins``,
    and the memory around it.
    """
    arrays = [each for each in values if isinstance(each.type, TensorType)]
    written = {each for each in arrays if activity.writes_to(each) is not None}
    for left, right in combinations(arrays, 2):
        is_due = not activity.varied.isdisjoint((left, right))
        if (
            is_due
            and not written.isdisjoint((left, right))
            and not _are_apart(left, right, origins)
        ):
            _raise_if_shared(builder, left, right)


def _are_apart(left: Value, right: Value, origins: Mapping[BlockArgument, Value]) -> bool:
    """Whether two arrays are known to share no memory: an array that an operation has made shares
    none with another, nor with an argument of the function.
    """
    left, right = (origins.get(each, each) for each in (left, right))  # type: ignore[call-overload]
    if left is right:
        return False
    made = [_is_made(each) for each in (left, right)]
    return all(made) or (any(made) and any(map(_is_argument, (left, right))))


def _is_made(value: Value) -> bool:
    made = value.defining_op
    return made is not None and not made.regions and not may_be_view(made)


def _is_argument(value: Value) -> bool:
    return isinstance(value, BlockArgument) and value.block.parent is None


def _raise_if_shared(builder: Builder, left: Value, right: Value) -> None:
    shared = builder.emit(REGISTRY["object.shares_memory"], [left, right]).result
    with builder.region() as then:
        builder.emit(ops.raise_, [], {"exception": "ValueError", "args": (SHARED,)})
        builder.emit(ops.region_yield)
    with builder.region() as orelse:
        builder.emit(ops.region_yield)
    builder.emit(ops.if_, [shared], {}, [then, orelse])


# --- plain Python ---------------------------------------------------------------------------------


class Overlaps:
    """Arrays that share memory with what a plain function is differentiated by, which is copied:
    that they are written to would not be seen there.
    """

    def __init__(self, primals: Iterable[Any], others: Iterable[Any]) -> None:
        arrays = [each for each in primals if isinstance(each, np.ndarray)]
        shared = (
            each
            for each in others
            if isinstance(each, np.ndarray)
            and any(np.may_share_memory(each, array) for array in arrays)
        )
        self._kept = [(each, each.tobytes()) for each in shared]

    def require_unwritten(self) -> None:
        """Refuse what was written to since.

        Raises:
            ValueError: it was.
        """
        if any(array.tobytes() != before for array, before in self._kept):
            raise ValueError(SHARED)
