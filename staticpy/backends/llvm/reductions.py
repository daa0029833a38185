"""What makes one element of several.

In: an operation that reduces. Out: its Reduction: a function of two elements, the number that it
begins with, and the dtype in which it computes. Only floats that are summed along a row are summed
in an order of their own; ``loops`` does as NumPy's pairwise summation does.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from staticpy.backends.llvm.members import dtype_of
from staticpy.ir import Operation
from staticpy.passes import accumulates_rows, is_reduction, last_axes

EXACT = 1 << 21
"""So many integers of 32 bits have a sum that is exact as a double, in whatever order it is made:
NumPy takes the mean of doubles."""


@dataclass(frozen=True, slots=True)
class Reduction:
    """How two elements become one.

    Attributes:
        name: the elementwise op that does it.
        dtype: that of both elements.
        start: what changes no element.
    """

    name: str
    dtype: np.dtype
    start: float


MEANS = ("mean", "var.mean", "var.quotient")
"""The reductions that are sums, divided."""

_NAMES = {"sum": "add", "prod": "multiply", "max": "maximum", "min": "minimum"}
_NAMES |= dict.fromkeys(MEANS, "add") | {"argmax": "maximum", "argmin": "minimum"}
_STARTS = {"sum": 0, "prod": 1, "any": 0, "all": 1, **dict.fromkeys(MEANS, 0)}


def reduction_of(operation: Operation) -> Reduction:
    """How ``operation`` reduces."""
    name, dtype = operation.op.name, dtype_of(operation.results[0])
    if name in ("any", "all"):
        rule = "logical_or" if name == "any" else "logical_and"
        return Reduction(rule, np.dtype(bool), _STARTS[name])
    if name in _STARTS:
        if is_mean_of_integers(operation) and is_reduction(operation):
            dtype = np.dtype(np.int64)
        return Reduction(_NAMES[name], dtype, _STARTS[name])
    if name.startswith("arg"):
        dtype = dtype_of(operation.operands[0])
    start = _least(dtype) if _NAMES[name] == "maximum" else _greatest(dtype)
    return Reduction(_NAMES[name], dtype, start)


def _least(dtype: np.dtype) -> float:
    return -np.inf if dtype.kind == "f" else 0 if dtype.kind == "b" else int(np.iinfo(dtype).min)


def _greatest(dtype: np.dtype) -> float:
    return np.inf if dtype.kind == "f" else 1 if dtype.kind == "b" else int(np.iinfo(dtype).max)


def can_reduce(operation: Operation) -> bool:
    """Whether a reduction has NumPy's bits in loops."""
    source, target = dtype_of(operation.operands[0]), dtype_of(operation.results[0])
    name = operation.op.name
    if "c" in (source.kind, target.kind):
        is_sum = name in ("sum", "mean") and source == target
        return is_sum and not accumulates_rows(operation)
    if name in ("any", "all"):
        return target.kind == "b"
    if accumulates_rows(operation) and is_mean_of_integers(operation):
        return False
    if last_axes(operation) == 0:
        return True
    if name == "prod" and target.kind == "f":
        return False  # one after the other: no faster than NumPy
    return name != "mean" or source.kind in "fb" or source.itemsize <= 4


def is_pairwise(operation: Operation) -> bool:
    """Whether floats are summed along a row."""
    reduction = reduction_of(operation)
    is_sum = reduction.name == "add" and reduction.dtype.kind in "fc"
    return is_sum and last_axes(operation) > 0


def is_mean_of_integers(operation: Operation) -> bool:
    """Whether an operation has to convert what it sums."""
    return operation.op.name == "mean" and dtype_of(operation.operands[0]).kind in "biu"
