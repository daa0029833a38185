"""Batching rules of NumPy's functions that take stacks of matrices, and of Fourier transforms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from staticpy.ops import library_functions  # noqa: F401 - it enters its ops
from staticpy.ops.rules.batching import Operand, defbatch, require, stretched
from staticpy.ops.store import numpy_function

_OF_STACKS = """
linalg.inv linalg.det linalg.slogdet linalg.cholesky linalg.eigh linalg.eigvalsh linalg.svd
linalg.svdvals linalg.matrix_power linalg.matrix_transpose
"""
"""Functions of one matrix that do with each of a stack what they do with one."""
_OF_LAST_AXIS = """
fft.fft fft.ifft fft.rfft fft.irfft fft.hfft fft.ihfft
"""


def _of_stacks(function: str) -> Callable[..., Any]:
    def rule(_size: Any, x: Operand, *more: Operand, **attrs: Any) -> Any:
        require(x.is_batched and x.rank >= 2 and not more)
        made = numpy_function(function)(x.value, **attrs)
        return tuple(made) if isinstance(made, tuple) else made

    return rule


def _of_last_axis(function: str) -> Callable[..., Any]:
    def rule(_size: Any, x: Operand, *more: Operand, **attrs: Any) -> Any:
        require(x.is_batched and x.rank >= 1 and not more and attrs.get("axis", -1) < 0)
        return numpy_function(function)(x.value, **attrs)

    return rule


def _solve(size: Any, a: Operand, b: Operand) -> Any:
    """``np.linalg.solve``: several right sides, or one."""
    require(a.rank == 2 and b.rank in (1, 2))
    right = stretched(b, size)
    if b.rank == 2:
        return np.linalg.solve(a.value, right)
    return np.linalg.solve(a.value, right[..., None])[..., 0]


BATCHED_FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{name: _of_stacks(name) for name in _OF_STACKS.split()},
    **{name: _of_last_axis(name) for name in _OF_LAST_AXIS.split()},
    "linalg.solve": _solve,
}
"""The rule of each function of NumPy that has no op of its own."""


@defbatch("numpy.call")
def _call(
    size: Any,
    *operands: Operand,
    function: str,
    results: Any,
    keywords: Any = (),
    nesting: Any = (),
    **attrs: Any,
) -> Any:
    del results
    require(function in BATCHED_FUNCTIONS and not keywords and not nesting)
    return BATCHED_FUNCTIONS[function](size, *operands, **attrs)
