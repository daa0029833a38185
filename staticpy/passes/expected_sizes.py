"""The sizes that arrays most likely have: those of the call that a module was made for.

In: a value, and what the symbols of the module stood for. Out: for each axis a size; None where
there is nothing to tell it by. Nothing depends on it but how quick code is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from staticpy.ir import Operation, Value, dims_of
from staticpy.ops import broadcast
from staticpy.passes.loop_kinds import is_elementwise, is_view

Sizes = tuple[int | None, ...]

_FARTHEST = 4
"""Through how many operations: each may have several operands, of which each is looked at."""


def expected_sizes(value: Value, hints: Mapping[str, int], reach: int = _FARTHEST) -> Sizes:
    """The size of each axis of an array, as what made it tells, ``reach`` operations back."""
    sizes = tuple(dim if isinstance(dim, int) else hints.get(dim) for dim in dims_of(value.type))
    made = value.defining_op
    if None not in sizes or made is None or not reach:
        return sizes
    if made.op is broadcast or is_elementwise(made):
        computed = stretched_sizes(
            [expected_sizes(each, hints, reach - 1) for each in made.operands]
        )
    elif is_view(made):
        computed = _of_view(made, expected_sizes(made.operands[0], hints, reach - 1))
    else:
        return sizes
    pairs = zip(sizes, computed, strict=True)
    return tuple(known if known is not None else other for known, other in pairs)


def stretched_sizes(operands: Sequence[Sizes]) -> Sizes:
    """Those of arrays that are stretched to each other."""
    axes = zip_longest(*(each[::-1] for each in operands), fillvalue=1)
    return tuple(_stretched(axis) for axis in axes)[::-1]


def _stretched(sizes: Sequence[int | None]) -> int | None:
    longer = [size for size in sizes if size != 1]
    known = [size for size in longer if size is not None]
    return known[0] if known else None if longer else 1


def _of_view(view: Operation, sizes: Sizes) -> Sizes:
    if view.op.name == "transpose":
        axes = view.attrs.get("axes") or tuple(reversed(range(len(sizes))))
        return tuple(sizes[axis] for axis in axes)
    spec = view.attrs["spec"]
    taken = sum(entry not in ("newaxis", "ellipsis") for entry in spec)
    rest = len(sizes) - taken
    entries = spec if "ellipsis" in spec else (*spec, "ellipsis")
    return tuple(_of_entries(entries, iter(sizes), rest))


def _of_entries(entries: Sequence[Any], sizes: Iterator[int | None], rest: int) -> Iterator[Any]:
    """The sizes that are left by the entries of an index, of which an ellipsis takes ``rest``."""
    for entry in entries:
        if entry == "newaxis":
            yield 1
        elif entry == "ellipsis":
            yield from (next(sizes) for _ in range(rest))
        elif isinstance(entry, tuple):
            yield _of_slice(entry, next(sizes))
        else:
            next(sizes)


def _of_slice(entry: tuple[Any, Any, Any], size: int | None) -> int | None:
    if size is None or "value" in entry or entry[2] == 0:
        return None
    return len(range(*slice(*entry).indices(size)))
