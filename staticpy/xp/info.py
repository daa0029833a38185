"""What the namespace says of itself: ``xp.__array_namespace_info__()``.

In: the names of kinds of dtypes. Out: dicts of dtypes and capabilities, as the standard asks for
them: https://data-apis.org/array-api/2025.12/API_specification/inspection.html.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from staticpy.xp.cpu import CPU, require_cpu

_SIGNED = ("int8", "int16", "int32", "int64")
_UNSIGNED = ("uint8", "uint16", "uint32", "uint64")
_REAL = ("float32", "float64")
_COMPLEX = ("complex64", "complex128")
_KINDS = {
    "bool": ("bool",),
    "signed integer": _SIGNED,
    "unsigned integer": _UNSIGNED,
    "integral": _SIGNED + _UNSIGNED,
    "real floating": _REAL,
    "complex floating": _COMPLEX,
    "numeric": _SIGNED + _UNSIGNED + _REAL + _COMPLEX,
}


class Info:
    """What the namespace can do, and which devices and dtypes it has."""

    def capabilities(self) -> dict[str, Any]:
        """What the standard leaves open: boolean indexes, sizes that depend on values, the rank."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}

    def default_device(self) -> str:
        """The device of arrays that are made without ``device=``."""
        return CPU

    def devices(self) -> tuple[str, ...]:
        """All devices."""
        return (CPU,)

    def default_dtypes(self, *, device: Any = None) -> dict[str, Any]:
        """The dtypes of arrays that are made without ``dtype=``, by kind.

        Raises:
            ValueError: there is no such device.
        """
        require_cpu(device)
        return {
            "real floating": np.dtype("float64"),
            "complex floating": np.dtype("complex128"),
            "integral": np.dtype("intp"),
            "indexing": np.dtype("intp"),
        }

    def dtypes(self, *, device: Any = None, kind: Any = None) -> dict[str, Any]:
        """The dtypes of one kind, of several (a tuple), or all, by name.

        Raises:
            ValueError: there is no such device or kind.
        """
        require_cpu(device)
        if kind is None:
            kind = ("bool", "numeric")
        found = {}
        for each in kind if isinstance(kind, tuple) else (kind,):
            if each not in _KINDS:
                raise ValueError(f"unsupported kind: {each!r}")
            for name in _KINDS[each]:
                found[name] = np.dtype(name)
        return found


def __array_namespace_info__() -> Info:  # noqa: N807  the standard's name
    """The inspection of the namespace."""
    return Info()
