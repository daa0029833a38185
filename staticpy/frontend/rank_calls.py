"""What NumPy's functions do with a list of which the items have one number of axes on some paths,
and another one on others: ``rows.append(s)`` of an ``s`` that is 0.0 where no round ran.

Most make an array of it, which there is only where all items have one number of axes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from staticpy import ops

_TAKE_RANKS = frozenset(
    ops.FUNCTIONS[function]
    for function in (
        *(np.append, np.array_equal, np.array_equiv, np.block, np.choose, np.column_stack),
        *(np.dstack, np.hstack, np.isscalar, np.linalg.multi_dot, np.ravel_multi_index),
        *(np.select, np.vstack),
    )
    if function in ops.FUNCTIONS
) | {ops.METHODS["choose"]}
"""The adapters of functions that take items with different numbers of axes."""

_STACK, _CONCATENATE = ops.FUNCTIONS[np.stack], ops.FUNCTIONS[np.concatenate]
_ALONG_AXIS = frozenset(
    ops.FUNCTIONS[function]
    for function in (
        *(np.all, np.any, np.argmax, np.argmin, np.cumsum, np.max, np.mean, np.median, np.min),
        *(np.prod, np.std, np.sum, np.var),
    )
) | {_STACK}
"""The adapters of functions whose second argument is an axis of the array that they make."""

_SAID = {
    _STACK: "all input arrays must have the same shape",
    _CONCATENATE: "all the input arrays must have same number of dimensions",
}


def takes_ranks(adapter: Any, args: Any, kwargs: Any) -> bool:
    """Whether a function takes items with different numbers of axes."""
    is_flat = adapter is _CONCATENATE and _axis(args, kwargs) is None
    return is_flat or adapter in _TAKE_RANKS


def joins(adapter: Any) -> bool:
    """Whether a function joins the items, and refuses a list that is empty: whatever the items
    might have been.
    """
    return adapter in _SAID


def error_of_ranks(adapter: Any) -> str:
    """The text of the ValueError for items of which some have one number of axes and some have
    another one.
    """
    return _SAID.get(
        adapter,
        "setting an array element with a sequence. The requested array has an inhomogeneous shape",
    )


def error_of_rank(adapter: Any, args: Any, kwargs: Any, rank: int) -> tuple[type, str] | None:
    """What a call always raises if all items have ``rank`` axes: the class and the text."""
    if adapter is _CONCATENATE and rank == 0:
        return ValueError, "zero-dimensional arrays cannot be concatenated"
    axis, count = _axis(args, kwargs), rank + 1
    if adapter in _ALONG_AXIS and type(axis) is int and not -count <= axis < count:
        text = f"axis {axis} is out of bounds for array of dimension {count}"
        return np.exceptions.AxisError, text
    return None


def _axis(args: Any, kwargs: Any) -> Any:
    return args[1] if len(args) > 1 else kwargs.get("axis", 0)
