"""What the elements of a row, or of several, are made into one by.

In: an operation that reduces. Out: its Reduction: a function of two elements, the number that it
begins with, and the dtype in which it computes. Only sums of floats along a row have an order that
can be seen; ``loops`` does them as NumPy's pairwise summation does.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from staticpy.backends.llvm.members import dtype_of
from staticpy.ir import Operation


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


def reduction_of(operation: Operation) -> Reduction:
    """How ``operation`` reduces."""
    name, dtype = operation.op.name, dtype_of(operation.results[0])
    if name in ("max", "min"):
        return Reduction(f"{name}imum", dtype, _last(dtype, is_max=name == "max"))
    return Reduction("add", dtype, 0)


def is_pairwise(operation: Operation) -> bool:
    """Whether the order in which a row is reduced can be seen."""
    return reduction_of(operation).name == "add"


def _last(dtype: np.dtype, *, is_max: bool) -> float:
    """The least number of all, or the greatest."""
    return -np.inf if is_max else np.inf
