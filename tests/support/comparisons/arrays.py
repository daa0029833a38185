"""Arrays to compare on: every dtype in every layout, with ordinary and with special values.

In: a dtype, the name of a layout, a rank, a kind of contents. Out: a ``Spec``, from which equal
arguments are made again and again: an array is a view of a buffer of its own, so that all that a
program writes can be seen by comparing two buffers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from staticpy.ir import DTYPES

SHAPES = {0: (), 1: (19,), 2: (4, 5), 3: (2, 3, 4)}
CONTENTS = ("plain", "special")
_PYTHON: dict[str, Callable[[Any], Any]] = {
    "b": bool, "i": int, "u": int, "f": float, "c": complex
}  # fmt: skip


@dataclass(frozen=True)
class Spec:
    """How to make an argument."""

    data: bytes
    dtype: np.dtype
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int
    is_writeable: bool = True

    def make(self) -> tuple[np.ndarray, bytearray]:
        """A fresh array, and all the memory that it lies in."""
        buffer = bytearray(self.data)
        array = np.ndarray(self.shape, self.dtype, buffer, self.offset, self.strides)
        if not self.is_writeable:
            array.flags.writeable = False
        return array, buffer


# --- values ---------------------------------------------------------------------------------------

_PLAIN = (3, 1, 2, 0, 5, 1, 4, 7, 2, 6, 1, 3, 9, 2, 8, 0, 5, 3, 11, 2, 4, 1, 6, 10)
_FLOATS = (0.0, -0.0, 1.5, np.nan, -2.5, np.inf, -np.inf, 0.1, 3.0, -1.0, 1e-3, 7.75, 0.5, 2.0)


def _special_floats(dtype: np.dtype) -> np.ndarray:
    """Zeros of both signs, infinities, nan, the ends of the range, and subnormals."""
    info = np.finfo(dtype)
    ends = [info.max, info.min, info.tiny, -info.tiny, info.smallest_subnormal, info.eps]
    return np.array([*_FLOATS[:7], *ends, *_FLOATS[7:]], dtype)


def _special(dtype: np.dtype) -> np.ndarray:
    if dtype.kind == "b":
        return np.array([False])
    if dtype.kind == "f":
        return _special_floats(dtype)
    if dtype.kind == "c":
        parts = _special_floats(np.dtype(f"f{dtype.itemsize // 2}"))
        found = np.empty(len(parts), dtype)
        found.real, found.imag = parts, np.roll(parts, 5)
        return found
    info = np.iinfo(dtype)
    ends = [info.min, info.max, 0, 1, info.max - 1, info.min + 1, info.max // 2, 2, 8, 63, 64]
    return np.array([*ends, *([-1, -2, -7] if info.min else [])], dtype)


def values(dtype: np.dtype, shape: tuple[int, ...], contents: str) -> np.ndarray:
    """An array in C order."""
    size = int(np.prod(shape, dtype=int))
    if contents == "special":
        return np.resize(_special(dtype), size).reshape(shape)
    plain = np.resize(np.array(_PLAIN), size)
    if dtype.kind == "b":
        return (plain % 2 == 1).reshape(shape)
    if dtype.kind == "u":
        return plain.astype(dtype).reshape(shape)
    signed = np.where(np.arange(size) % 3 == 1, -plain, plain)
    if dtype.kind == "i":
        return signed.astype(dtype).reshape(shape)
    found = (signed * 0.75).astype(dtype)
    if dtype.kind == "c":
        found.imag = np.roll(plain, 3) * 0.5
    return found.reshape(shape)


# --- layouts --------------------------------------------------------------------------------------


def _spec(view: np.ndarray, base: np.ndarray) -> Spec:
    start = view.__array_interface__["data"][0] - base.__array_interface__["data"][0]
    data = base.tobytes(order="A")  # as it lies in memory
    return Spec(data, view.dtype, view.shape, view.strides, start)


def _contiguous(array: np.ndarray) -> Spec:
    return _spec(array, array)


def _fortran(array: np.ndarray) -> Spec:
    return _contiguous(np.asfortranarray(array))


def _step(array: np.ndarray) -> Spec:
    base = np.ones([2 * size for size in array.shape], array.dtype)
    view = base[(slice(None, None, 2),) * array.ndim]
    view[...] = array
    return _spec(view, base)


def _reversed(array: np.ndarray) -> Spec:
    back = (slice(None, None, -1),) * array.ndim
    base = array[back].copy()
    return _spec(base[back], base)


def _stretched(array: np.ndarray) -> Spec:
    base = array[:1].copy()
    return Spec(base.tobytes(), array.dtype, array.shape, (0, *base.strides[1:]), 0, False)


def _transposed(array: np.ndarray) -> Spec:
    base = np.ones((*array.shape[::-1], 2), array.dtype)
    view = base[..., 1].T
    view[...] = array
    return _spec(view, base)


def _misaligned(array: np.ndarray) -> Spec:
    data = b"\0" + array.tobytes() + b"\0"
    return Spec(data, array.dtype, array.shape, array.strides, 1)


def _swapped(array: np.ndarray) -> Spec:
    return _contiguous(array.astype(array.dtype.newbyteorder()))


def _read_only(array: np.ndarray) -> Spec:
    return Spec(array.tobytes(), array.dtype, array.shape, array.strides, 0, False)


_OF_ANY_SHAPE: dict[str, Callable[[np.ndarray], Spec]] = {
    "contiguous": _contiguous,
    "fortran": _fortran,
    "step": _step,
    "reversed": _reversed,
    "stretched": _stretched,
    "transposed": _transposed,
    "misaligned": _misaligned,
    "swapped": _swapped,
    "read-only": _read_only,
}
LAYOUTS = (*_OF_ANY_SHAPE, "empty", "unit", "zero-d")
BOXES = ("scalar", "python")
"""An argument that is no array."""


def shape_for(layout: str, shape: tuple[int, ...]) -> tuple[int, ...]:
    """The shape of an array in a layout that stands for a shape."""
    if layout == "zero-d" or not shape:
        return ()
    if layout == "empty":
        return (*shape[:-1], 0) if len(shape) == 2 else (0, *shape[1:])
    if layout == "unit":
        return (*shape[:-2], 1, *shape[-1:]) if len(shape) > 1 else (1,)
    return shape


@cache
def spec_of(dtype: str, layout: str, shape: tuple[int, ...], contents: str) -> Spec:
    """How to make an array; its shape is already that of the layout."""
    array = values(DTYPES[dtype], shape, contents)
    if not array.size or (not shape and layout not in ("misaligned", "swapped", "read-only")):
        return _contiguous(array)
    return _OF_ANY_SHAPE.get(layout, _contiguous)(array)


def scalar_of(dtype: str, box: str, contents: str, place: int) -> Any:
    """A NumPy scalar, or the number of Python's that is like it."""
    found = values(DTYPES[dtype], (len(_PLAIN),), contents)[place % len(_PLAIN)]
    return found if box == "scalar" else _PYTHON[DTYPES[dtype].kind](found)
