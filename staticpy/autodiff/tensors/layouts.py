"""Copies of arrays whose elements lie in memory as those of the arrays do.

In: an array of the program, perhaps a view with gaps, from back to front, or with elements that it
shows more than once. Out: one of its own, of the same order in memory. By that NumPy chooses how to
add elements up, and so it decides on the last bit.
"""

from __future__ import annotations

import numpy as np


def copied_in_layout(array: np.ndarray) -> np.ndarray:
    """A copy, with the strides of the array where its elements overlap, and else with gaps of one
    element where the array has larger ones.
    """
    if array.flags.forc or array.size == 0:
        return np.copy(array)
    strides = _strides(array)
    steps = [(stride, size - 1) for stride, size in zip(strides, array.shape, strict=True)]
    length = sum(abs(stride) * last for stride, last in steps) + array.itemsize
    first = sum(-stride * last for stride, last in steps if stride < 0)
    made = np.ndarray(array.shape, array.dtype, bytearray(length), first, tuple(strides))
    np.copyto(made, array)
    return made


def _strides(array: np.ndarray) -> list[int]:
    """How far apart the elements of the copy are along each axis."""
    strides, filled, taken, span = list(array.strides), *[array.itemsize] * 3
    axes = [axis for axis, size in enumerate(array.shape) if size > 1 and strides[axis] != 0]
    for axis in sorted(axes, key=lambda axis: abs(array.strides[axis])):
        stride, size = abs(array.strides[axis]), array.shape[axis]
        if stride < span:  # elements overlap
            return list(array.strides)
        step = taken if stride == filled else taken + array.itemsize
        strides[axis] = step if array.strides[axis] > 0 else -step
        filled, taken, span = stride * size, step * size, span + stride * (size - 1)
    return strides
