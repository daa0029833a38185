"""Rules of NumPy's functions of which it depends on the numbers whether they give complex ones.

They are those of complex numbers; where the result was real, the imaginary parts are dropped.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from staticpy.ops.rules.arrays import conj, made, places, refuse, shape
from staticpy.ops.rules.base import rank_of
from staticpy.ops.rules.library import composed, constant, pushed
from staticpy.ops.traced import is_traced

Array = Any


def _of_complex(function: Callable[[Any], Any]) -> Callable[..., Any]:
    return lambda x: function(x + 0j)


def _log(x: Any) -> Any:
    if is_traced(x) or rank_of(x):
        return np.log(x + 0j)
    with np.errstate(divide="ignore"):
        return complex(np.log(np.complex128(x)))


for _name in ("arccos", "arcsin", "arctanh", "log", "log10", "log2", "sqrt"):
    composed(f"emath.{_name}", _of_complex(getattr(np, _name)))
composed("emath.logn", lambda n, x: _log(x) / _log(n))
composed("emath.power", lambda x, p: (x + 0j) ** p)
composed("real_if_close", lambda a, tol=100: a + 0)
constant("zeros_like")  # which makes the first cotangent of such a result


# --- eigenvalues ----------------------------------------------------------------------------------


def _complex(x: Any) -> Array:
    """A result as complex numbers, also where it is known to be real: the bits are the same."""
    return x * (1 + 0j)


def _turned(t: Array, vectors: Array) -> Array:
    """How a matrix moves, in the basis of its eigenvectors."""
    return np.linalg.solve(vectors, t @ vectors)


def _eig(tangents: Any, outs: Any, a: Any) -> tuple[Array, Array]:
    """For different eigenvalues. LAPACK gives vectors of length 1 whose largest number is real:
    each gets the multiple of itself that keeps it so.
    """
    del a
    values, vectors = map(_complex, outs)
    turned = _turned(tangents[0], vectors)
    gaps = values[..., None, :] - values[..., :, None]
    is_same = gaps == 0
    moved = vectors @ np.where(is_same, 0, turned / np.where(is_same, 1, gaps))
    along = np.sum(conj(vectors) * moved, axis=-2, keepdims=True).real
    largest = np.argmax(np.abs(vectors), axis=-2, keepdims=True)
    turn, length = (np.take_along_axis(each, largest, axis=-2) for each in (moved, vectors))
    along = along + 1j * (turn.imag / length.real)
    return np.diagonal(turned, 0, -2, -1), moved - vectors * along


def _eigvals(tangents: Any, outs: Any, a: Any) -> Array:
    """As ``eig``, which may find them in another order."""
    values, vectors = map(_complex, made(a, np.linalg.eig, a))
    order = np.argmin(np.abs(outs[0][..., :, None] - values[..., None, :]), axis=-1)
    moved = np.diagonal(_turned(tangents[0], vectors), 0, -2, -1)
    return np.take_along_axis(moved, order, axis=-1)


def _roots(tangents: Any, outs: Any, p: Any) -> Array:
    """``p(r) = 0``, so that ``dp(r) + p'(r) dr = 0``."""
    (t,), r = tangents, _complex(outs[0])
    if rank_of(p) != 1:
        raise refuse("np.roots()", "p")
    degrees = shape(p)[0] - 1 - places(p, 0)
    powers, lower = r[:, None] ** degrees, r[:, None] ** np.maximum(degrees - 1, 0)
    return -(powers @ t) / (lower @ (p * degrees))


pushed("linalg.eig", _eig)
pushed("linalg.eigvals", _eigvals)
pushed("roots", _roots)
