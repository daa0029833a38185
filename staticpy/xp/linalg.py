"""The extension ``xp.linalg`` of the standard.

In and out: arrays, and stacks of matrices in their last two axes. All but the functions that are
written here are NumPy's own.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.linalg import (
    cholesky,
    cross,
    det,
    diagonal,
    eigh,
    eigvalsh,
    inv,
    matmul,
    matrix_norm,
    matrix_power,
    matrix_rank,
    matrix_transpose,
    outer,
    qr,
    slogdet,
    solve,
    svd,
    svdvals,
    tensordot,
    trace,
    vecdot,
    vector_norm,
)

Array = Any
"""An array of NumPy."""


class EigResult(NamedTuple):
    """The eigenvalues, and the eigenvectors in columns."""

    eigenvalues: Array
    eigenvectors: Array


def _complex_dtype(x: Array) -> Any:
    """The complex dtype of the precision of ``x``."""
    return np.result_type(x, 1j)


def eig(x: Array, /) -> EigResult:
    """The eigenvalues and eigenvectors: ``x: f[..., n, n]`` to ``c[..., n]`` and ``c[..., n, n]``.

    Complex also where no imaginary part is needed, which NumPy does from 2.5 on.

    Raises:
        LinAlgError: the computation does not converge.
    """
    values, vectors = np.linalg.eig(x)
    dtype = _complex_dtype(x)
    return EigResult(values.astype(dtype, copy=False), vectors.astype(dtype, copy=False))


def eigvals(x: Array, /) -> Array:
    """The eigenvalues: ``x: f[..., n, n]`` to ``c[..., n]``, always complex.

    Raises:
        LinAlgError: the computation does not converge.
    """
    return np.linalg.eigvals(x).astype(_complex_dtype(x), copy=False)


def pinv(x: Array, /, *, rtol: Array = None) -> Array:
    """The pseudo-inverse: ``x: f[..., m, n]`` to ``f[..., n, m]``.

    ``rtol`` is, relative to the largest singular value, the size below which others count as zero;
    None is ``max(m, n)`` times the machine epsilon of the dtype, where NumPy has ``1e-15``.

    Raises:
        LinAlgError: the computation does not converge.
    """
    return np.linalg.pinv(x, rtol=rtol)


__all__ = [
    "cholesky",
    "cross",
    "det",
    "diagonal",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "inv",
    "matmul",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "matrix_transpose",
    "outer",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "svd",
    "svdvals",
    "tensordot",
    "trace",
    "vecdot",
    "vector_norm",
]
