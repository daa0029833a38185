"""The functions of the standard that some NumPy from 2.0 on lacks, or has with another meaning.

In: arrays, and NumPy's scalars, which stand for arrays without axes. Out: the same. Each is written
in plain NumPy and in the language itself: it runs as it is, and is compiled with its caller under
``staticpy.jit``. Annotations are checked there, so that they ask for no more than NumPy does.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from staticpy.xp.cpu import require_cpu

Array = Any
"""An array or scalar of NumPy."""


def _is_integral(x: Array) -> bool:
    return np.isdtype(np.result_type(x), "integral")


# --- elementwise ----------------------------------------------------------------------------------


def ceil(x: Array, /) -> Array:
    """The smallest whole numbers that are not less; the dtype is kept, also of integers."""
    return np.positive(x) if _is_integral(x) else np.ceil(x)


def floor(x: Array, /) -> Array:
    """The greatest whole numbers that are not greater; the dtype is kept, also of integers."""
    return np.positive(x) if _is_integral(x) else np.floor(x)


def trunc(x: Array, /) -> Array:
    """The nearest whole numbers towards zero; the dtype is kept, also of integers."""
    return np.positive(x) if _is_integral(x) else np.trunc(x)


def clip(x: Array, /, min: Array = None, max: Array = None) -> Array:
    """``x`` brought into ``[min, max]``; None is no bound."""
    if min is None and max is None:
        return np.positive(x)
    return np.clip(x, min, max)


# --- dtypes ---------------------------------------------------------------------------------------


def astype(x: Array, dtype: Any, /, *, copy: Any = True, device: Any = None) -> Array:
    """``x`` as ``dtype``; with ``copy=False`` it is ``x`` itself where it has that dtype.

    Raises:
        ValueError: there is no such device.
    """
    require_cpu(device)
    return x.astype(dtype, copy=copy)


def finfo(type: Any, /) -> Any:
    """The limits of a floating-point dtype, or of the dtype of an array."""
    return np.finfo(np.result_type(type))


def iinfo(type: Any, /) -> Any:
    """The limits of an integer dtype, or of the dtype of an array."""
    return np.iinfo(np.result_type(type))


# --- creation -------------------------------------------------------------------------------------


def from_dlpack(x: Any, /, *, device: Any = None, copy: Any = None) -> Array:
    """An array over the memory of another library's; ``device`` and ``copy`` need NumPy 2.1."""
    if device is None and copy is None:
        return np.from_dlpack(x)
    return np.from_dlpack(x, device=device, copy=copy)


# --- shape ----------------------------------------------------------------------------------------


def broadcast_arrays(*arrays: Array) -> tuple[Array, ...]:
    """The arrays, each broadcast to the shape of all."""
    shape = np.broadcast_shapes(*[np.shape(array) for array in arrays])
    return tuple([np.broadcast_to(array, shape) for array in arrays])


def reshape(x: Array, /, shape: Any, *, copy: Any = None) -> Array:
    """``x`` with another shape: with ``copy=True`` never a view of it, with False always one.

    Raises:
        ValueError: the sizes do not fit, or ``copy=False`` and no view has this shape.
    """
    found = np.reshape(x, shape)
    if copy is None:
        return found
    if copy:
        return np.array(found)
    # An array without elements has no memory to share.
    if found.size > 0 and not np.may_share_memory(x, found):
        raise ValueError("Unable to avoid creating a copy while reshaping.")
    return found


def unstack(x: Array, /, *, axis: Any = 0) -> tuple[Array, ...]:
    """The parts of ``x`` along an axis, as views.

    Raises:
        ValueError: there is no such axis.
    """
    if x.ndim == 0:
        raise ValueError("Input array must be at least 1-d.")
    return tuple(np.moveaxis(x, axis, 0))


# --- indexing, searching and sorting --------------------------------------------------------------


def take_along_axis(x: Array, indices: Array, /, *, axis: Any = -1) -> Array:
    """The elements of ``x`` at ``indices`` along an axis."""
    return np.take_along_axis(x, indices, axis=axis)


def count_nonzero(x: Array, /, *, axis: Any = None, keepdims: Any = False) -> Array:
    """How many elements are not zero, as NumPy's index dtype also where all are counted."""
    found = np.count_nonzero(x, axis=axis, keepdims=keepdims)
    return np.intp(found) if axis is None and not keepdims else found


def sort(x: Array, /, *, axis: Any = -1, descending: Any = False, stable: Any = True) -> Array:
    """``x`` sorted along an axis. NaN counts as the greatest."""
    if not descending:
        return np.sort(x, axis=axis, stable=stable)
    # Flipped twice, what is equal, such as zeros of either sign, stands as it stood.
    return np.flip(np.sort(np.flip(x, axis=axis), axis=axis, stable=stable), axis=axis)


def argsort(x: Array, /, *, axis: Any = -1, descending: Any = False, stable: Any = True) -> Array:
    """The indices that sort ``x`` along an axis; equal elements keep their order if ``stable``."""
    if not descending:
        return np.argsort(x, axis=axis, stable=stable)
    flipped = np.argsort(np.flip(x, axis=axis), axis=axis, stable=stable)
    return x.shape[axis] - 1 - np.flip(flipped, axis=axis)


# --- sums and differences -------------------------------------------------------------------------


def _axis_to_accumulate(x: Array, axis: Any) -> Any:
    if axis is not None:
        return axis
    if x.ndim != 1:
        raise ValueError("For arrays which have more than one dimension ``axis`` is required.")
    return 0


def _with_initial(found: Array, initial: int, axis: Any) -> Array:
    place = axis % found.ndim
    shape = tuple([1 if i == place else size for i, size in enumerate(found.shape)])
    return np.concat((np.full(shape, initial, dtype=found.dtype), found), axis=axis)


def cumulative_sum(
    x: Array, /, *, axis: Any = None, dtype: Any = None, include_initial: Any = False
) -> Array:
    """The sums of the elements up to each place; ``include_initial`` puts a zero before them.

    Raises:
        ValueError: ``axis`` is missing, and there is not just one.
    """
    along = _axis_to_accumulate(x, axis)
    found = np.cumsum(x, axis=along, dtype=dtype)
    return _with_initial(found, 0, along) if include_initial else found


def cumulative_prod(
    x: Array, /, *, axis: Any = None, dtype: Any = None, include_initial: Any = False
) -> Array:
    """The products of the elements up to each place; ``include_initial`` puts a one before them.

    Raises:
        ValueError: ``axis`` is missing, and there is not just one.
    """
    along = _axis_to_accumulate(x, axis)
    found = np.cumprod(x, axis=along, dtype=dtype)
    return _with_initial(found, 1, along) if include_initial else found


def diff(
    x: Array, /, *, axis: Any = -1, n: Any = 1, prepend: Array = None, append: Array = None
) -> Array:
    """The ``n``-th differences along an axis, with ``prepend`` and ``append`` before and behind."""
    if prepend is not None:
        x = np.concat((prepend, x), axis=axis)
    if append is not None:
        x = np.concat((x, append), axis=axis)
    return np.diff(x, n=n, axis=axis)
