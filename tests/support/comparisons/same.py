"""Whether two results are the same: class, dtype, shape, every bit, and what memory they share.

In: what NumPy gave and what the compiled function gave. Out: what differs, in words; nothing where
they are the same. The sign of zero counts; any nan is any other.
"""

from __future__ import annotations

from typing import Any

import numpy as np

_ATOMS = (bool, int, float, complex, str, type(None), np.dtype, type)


def difference(expected: Any, actual: Any) -> str:
    """What differs between two values; empty if nothing."""
    kind = type(expected)
    if kind is not type(actual):
        return f"expected {_shown(expected)}, got {_shown(actual)}"
    if kind is np.ndarray or isinstance(expected, np.generic):
        return _between_arrays(expected, actual)
    if isinstance(expected, tuple | list):
        if len(expected) != len(actual):
            return f"expected {len(expected)} items, got {len(actual)}"
        pairs = zip(expected, actual, strict=True)
        return next(filter(None, (difference(*pair) for pair in pairs)), "")
    if kind in (float, complex):
        return _between_arrays(np.array(expected), np.array(actual))
    if isinstance(expected, _ATOMS):
        return "" if expected == actual else f"expected {expected!r}, got {actual!r}"
    if isinstance(expected, slice | range):
        return "" if expected == actual else f"expected {expected!r}, got {actual!r}"
    raise TypeError(f"nothing says when two of {kind} are the same")


def _between_arrays(expected: Any, actual: Any) -> str:
    if expected.dtype != actual.dtype:
        return f"expected {_shown(expected)}, got {_shown(actual)}"
    if expected.shape != actual.shape:
        return f"expected shape {expected.shape}, got {actual.shape}"
    if expected.flags.writeable != actual.flags.writeable:
        return f"expected writeable={expected.flags.writeable}, got {actual.flags.writeable}"
    if expected.tobytes() == actual.tobytes() or same_bits(expected, actual):
        return ""
    return f"expected {_shown(expected)}, got {_shown(actual)}"


def same_bits(expected: Any, actual: Any) -> bool:
    """Whether arrays of one dtype and shape hold the same, where any nan is any other."""
    return _canonical(expected).tobytes() == _canonical(actual).tobytes()


def _canonical(array: Any) -> np.ndarray:
    kind = array.dtype.kind
    if kind == "c":
        return np.stack([_canonical(array.real), _canonical(array.imag)])
    found = np.array(array)
    if kind == "f":
        found[np.isnan(found)] = np.nan
    return found


def _shown(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"{value.dtype.str}{list(value.shape)} {np.array2string(value, threshold=12)}"
    return f"{type(value).__name__} {value!r}"


# --- memory ---------------------------------------------------------------------------------------


def memory_of(result: Any, arguments: dict[str, Any]) -> list[Any]:
    """For each array in a result which argument it is, or how it lies in the memory of one."""
    if isinstance(result, tuple | list):
        return [memory_of(item, arguments) for item in result]
    if type(result) is not np.ndarray:
        return []
    for name, argument in arguments.items():
        if result is argument:
            return [name]
        if type(argument) is np.ndarray and np.may_share_memory(result, argument):
            return [name, _address(result) - _address(argument), _steps(result)]
    return []


def _steps(array: np.ndarray) -> list[int]:
    """The strides of the axes that have any."""
    pairs = zip(array.shape, array.strides, strict=True)
    return [stride for size, stride in pairs if size > 1]


def _address(array: np.ndarray) -> int:
    return int(array.__array_interface__["data"][0])
