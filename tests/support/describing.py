"""What there is to see of a program's values: a description that can be kept and compared.

In: named values. Out: for each place (``result[0].position``) what stands there: type, dtype,
shape, every bit, the sign of zero included; that it is the same object as at another place; which
arrays share memory. A description holds no live value, so that it outlasts later writes.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from tests.support.walking import children, is_atom

Description = dict[str, tuple[Any, ...]]
"""For each place, what stands there."""

_ADDRESS = re.compile(r" at 0x[0-9a-f]+")
_SHOWN = 12
"""How many differences are worth showing."""


def describe(roots: Mapping[str, Any]) -> Description:
    """Describe ``roots`` and everything that can be reached from them."""
    found: Description = {}
    seen: dict[int, str] = {}
    arrays: list[tuple[str, np.ndarray]] = []
    pending = list(reversed(roots.items()))
    while pending:
        place, value = pending.pop()
        if _has_identity(value):
            if id(value) in seen:
                found[place] = ("the same object as", seen[id(value)])
                continue
            seen[id(value)] = place
        if isinstance(value, np.ndarray):
            arrays.append((place, value))
        found[place] = _leaf(value)
        below = [(place + step, item) for step, item in children(value)]
        pending += reversed(below)
    found.update(_sharing(arrays))
    return found


def without_addresses(text: str) -> str:
    """``text`` with the addresses of objects, which differ from run to run, cut out."""
    return _ADDRESS.sub(" at 0x...", text)


def _has_identity(value: Any) -> bool:
    """Whether a program can tell this object from an equal one by more than ``is``."""
    return not (is_atom(value) or isinstance(value, tuple | frozenset))


def _leaf(value: Any) -> tuple[Any, ...]:
    """What stands at one place, without what it holds."""
    kind = type(value)
    if isinstance(value, np.ndarray):
        return kind, value.dtype.str, value.shape, _access(value), _Bits(value)
    if isinstance(value, np.generic):
        return kind, value.dtype.str, _Bits(np.asarray(value))
    if isinstance(value, int) and abs(value) >> 4096:
        return kind, hex(value)
    if isinstance(value, dict):
        return kind, "keys", tuple(map(repr, value))
    if isinstance(value, tuple | list | set | frozenset):
        return kind, "length", len(value)
    if isinstance(value, np.random.Generator):
        return kind, repr(value.bit_generator.state)
    if isinstance(value, type) or not is_atom(value):
        return (kind, value if isinstance(value, type) else "attributes", *_names(value))
    return kind, without_addresses(repr(value))


def _names(value: Any) -> tuple[str, ...]:
    return () if isinstance(value, type) else tuple(step for step, _ in children(value))


def _access(array: np.ndarray) -> str:
    return "writeable" if array.flags.writeable else "read-only"


class _Bits:
    """The elements of an array; any NaN equals any other."""

    def __init__(self, array: np.ndarray) -> None:
        self._array = array.copy()
        self._bytes = b"" if array.dtype.hasobject else _canonical(self._array).tobytes()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Bits) and self._bytes == other._bytes

    def __hash__(self) -> int:
        return hash(self._bytes)

    def __repr__(self) -> str:
        return np.array2string(self._array, threshold=40)


def _canonical(array: np.ndarray) -> np.ndarray:
    """A copy of ``array`` with one NaN for all."""
    if array.dtype.kind == "c":
        real, imaginary = _canonical(array.real), _canonical(array.imag)
        return np.stack([real, imaginary])
    if array.dtype.kind != "f":
        return array
    copy = np.array(array)
    copy[np.isnan(copy)] = np.nan
    return copy


def _sharing(arrays: list[tuple[str, np.ndarray]]) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """For each pair of arrays that share memory, how far the second begins after the first."""
    bounds = [np.lib.array_utils.byte_bounds(array) for _, array in arrays]
    pairs = itertools.combinations(range(len(arrays)), 2)
    for one, two in pairs:
        if bounds[one][0] >= bounds[two][1] or bounds[two][0] >= bounds[one][1]:
            continue
        (here, first), (there, second) = arrays[one], arrays[two]
        if np.shares_memory(first, second):
            starts = [array.__array_interface__["data"][0] for array in (first, second)]
            yield f"{here} and {there}", ("share memory", "offset", starts[1] - starts[0])


# --- comparing ------------------------------------------------------------------------------------


def compare(expected: Description, actual: Description) -> Iterator[str]:
    """What differs between two descriptions, in words, place by place."""
    places = [*expected, *(place for place in actual if place not in expected)]
    differing = [place for place in places if expected.get(place) != actual.get(place)]
    for place in differing[:_SHOWN]:
        yield f"{place}: expected {_said(expected.get(place))}, got {_said(actual.get(place))}"
    if len(differing) > _SHOWN:
        yield f"and {len(differing) - _SHOWN} more places"


def _said(leaf: tuple[Any, ...] | None) -> str:
    if leaf is None:
        return "nothing"
    return " ".join(item.__qualname__ if isinstance(item, type) else str(item) for item in leaf)


def compare_trees(expected: Any, actual: Any, where: str) -> Iterator[str]:
    """What differs between two structures of values."""
    return compare(describe({where: expected}), describe({where: actual}))
