"""Which arrays can be seen to be the same elements in the same order, and which may share some.

    x[1:-1] = ...         root x, path (1:-1)
    y = x[1:-1] * 2       root x, path (1:-1): the elements that were written
    z = x[:-2] * 2        root x, path (:-2): others, of which some were written

In: a value, or an operation that writes elements. Out: its Place. Places of one root are the same
elements if their paths are equal, and may overlap otherwise. Of different roots only the run knows
whether they do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from staticpy.ir import UNKNOWN, Operation, TensorType, Value, dims_of
from staticpy.ops import broadcast
from staticpy.passes.loop_kinds import is_masked, is_sink, is_view

Step = tuple[str, dict[str, Any], tuple[Value, ...], int]
"""A view: the op's name, its attributes, its operands but for the array, and which of its results
it is.
"""

_VIEWS = ("transpose", "expand_dims", "squeeze", "diagonal", "split")
"""Ops besides basic ``index`` that always give views of their first operand. One that may give a
copy, as ``reshape`` does, is where a path ends: two of one array may be two copies.
"""

_WHOLE = ("ellipsis", (None, None, None))
"""The parts of an index that leave an axis as it is."""


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """The elements of an array.

    Attributes:
        root: the array whose memory it is.
        path: the views by which they are taken from it, the last one first.
    """

    root: Value
    path: tuple[Step, ...] = ()

    def is_apart_from(self, other: Place) -> bool:
        """Whether this and ``other`` don't overlap, or are the same, as far as can be seen here."""
        return self.root is not other.root or self.path == other.path

    def is_same_as(self, other: Place) -> bool:
        """Whether they can be seen to be the same."""
        return self.root is other.root and self.path == other.path


def place_of(value: Value) -> Place:
    """Where the elements of an array are."""
    path: list[Step] = []
    while (made := value.defining_op) is not None:
        operand = made.operands[0] if made.operands else value
        if made.op is broadcast:
            operand = made.operands[made.results.index(value)]
            dims = dims_of(value.type)
            if dims != dims_of(operand.type) or UNKNOWN in dims:
                path.append((made.op.name, {"dims": dims}, (), 0))
        elif made.op.name == "index" and is_view(made):
            path += _index_steps(made.attrs["spec"], tuple(made.operands[1:]))
        elif is_sink(made):
            pass  # ``x`` of ``x += y``
        elif made.op.name in _VIEWS and isinstance(operand.type, TensorType):
            rest = tuple(made.operands[1:]), made.results.index(value)
            path.append((made.op.name, dict(made.attrs), *rest))
        else:
            break
        value = operand
    return Place(value, tuple(path))


def target_of(sink: Operation) -> Place:
    """The elements that an operation writes."""
    place = place_of(sink.operands[0])
    if sink.op.name != "store" or is_masked(sink):
        return place
    own = _index_steps(sink.attrs["spec"], tuple(sink.operands[2:]))
    return Place(place.root, (*own, *place.path))


def is_there(sink: Operation) -> bool:
    """Whether what an operation writes is at its place already: the last of the three operations
    that ``x[1:] += y`` is.
    """
    value = sink.operands[1]
    is_array = isinstance(value.type, TensorType)
    return is_array and sink.op.name == "store" and place_of(value).is_same_as(target_of(sink))


def _index_steps(spec: tuple[Any, ...], numbers: tuple[Value, ...]) -> tuple[Step, ...]:
    is_whole = all(entry in _WHOLE for entry in spec)
    return () if is_whole else (("index", {"spec": spec}, numbers, 0),)
