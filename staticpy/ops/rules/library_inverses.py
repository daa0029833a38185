"""Rules of the pseudo-inverse and of least squares, for a rank that does not change.

NumPy takes the singular values up to ``rcond`` times the largest one for zero. By default these are
what rounding has left of zeros, and the formula is that of G. Golub and V. Pereyra, "The
differentiation of pseudo-inverses and nonlinear least squares problems" (1973). Where ``rcond`` is
given, they may be any: then the inverse is a function of the singular values, and has the tangents
of such a one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from staticpy.ops.rules.arrays import conj, made, real_if, shape
from staticpy.ops.rules.base import rank_of
from staticpy.ops.rules.library import pushed
from staticpy.ops.rules.library_linalg import adjoint, diagonal, eye, hermitian_part
from staticpy.ops.rules.linalg import turned

Array = Any


def _of_full_rank(t: Array, a: Array, inverse: Array) -> Array:
    """The tangent of the inverse, where what is taken for zero is that."""
    left = eye(a, shape(a)[-1]) - inverse @ a
    right = eye(a, shape(a)[-2]) - a @ inverse
    back, moved = adjoint(inverse), adjoint(t)
    beside = inverse @ back @ moved @ right + left @ moved @ back @ inverse
    return beside - inverse @ t @ inverse


def _of_cut_rank(t: Array, a: Array, rcond: Any) -> tuple[Array, Array]:
    """The inverse ``V f(S) Uᴴ``, where ``f(s)`` is ``1 / s``, or 0 for what is small; and its
    tangent. In ``Uᴴ dA V`` the Hermitian part has the differences of ``f`` divided by those of
    ``s``, and the rest their sums by sums (V. Noferini, "A formula for the Fréchet derivative of a
    generalized matrix function", 2017).
    """
    u, s, vh = np.linalg.svd(a, full_matrices=False)
    share = rcond[..., None] if rank_of(rcond) else rcond
    is_kept = s > share * np.max(s, axis=-1, keepdims=True, initial=0.0)
    f = np.where(is_kept, 1 / np.where(is_kept, s, 1), 0)
    v, uh, inside = adjoint(vh), adjoint(u), adjoint(u) @ t @ adjoint(vh)
    back, by_gaps, by_sums = adjoint(inside), *_quotients(s, f, is_kept)
    within = (by_gaps * (back + inside) + by_sums * (back - inside)) / 2
    squares = (f * f)[..., None, :]
    beside_u = turned(squares) * (adjoint(t @ v) - back @ uh)
    beside_v = (adjoint(t) @ u - v @ back) * squares
    return (v * f[..., None, :]) @ uh, v @ (within @ uh + beside_u) + beside_v @ uh


def _quotients(s: Array, f: Array, is_kept: Array) -> tuple[Array, Array]:
    """The differences of ``f`` by those of ``s``, and the sums by the sums, for each pair."""

    def pairs(x: Array) -> tuple[Array, Array]:
        return x[..., None, :], x[..., :, None]

    (row, column), (by_row, by_column) = pairs(s), pairs(f)
    is_one = np.not_equal(*pairs(is_kept))
    gaps, sums = np.where(is_one, np.abs(row - column), 1), np.where(is_one, row + column, 1)
    both, one = by_row * by_column, by_row + by_column
    return np.where(is_one, one / gaps, -both), np.where(is_one, one / sums, both)


def _pinv_push(
    tangents: Any,
    outs: Any,
    a: Any,
    rcond: Any = None,
    hermitian: bool = False,
    *,
    rtol: Any = None,
) -> Any:
    t, share = tangents[0], rtol if rcond is None else rcond
    if hermitian:
        t, a = hermitian_part(t), hermitian_part(a)
    return _of_full_rank(t, a, outs[0]) if share is None else _of_cut_rank(t, a, share)[1]


def _solution(tangents: Any, x: Array, a: Array, b: Array, rcond: Any) -> Array:
    """The tangent of ``A⁺ b``. A share that is negative stands for the precision."""
    by_a, by_b = tangents[:2]
    if rcond is not None:
        share = made(a, np.where, rcond < 0, float(np.finfo(a.dtype).eps), rcond)
        inverse, moved = _of_cut_rank(by_a, a, share[()])
        return inverse @ by_b + moved @ b
    inverse, back = np.linalg.pinv(a), adjoint(by_a)
    across = back @ (adjoint(inverse) @ x)
    by_null = across - inverse @ (a @ across)
    by_rest = inverse @ (adjoint(inverse) @ (back @ (b - a @ x)))
    return inverse @ (by_b - by_a @ x) + by_rest + by_null


def _lstsq_push(tangents: Any, outs: Any, a: Any, b: Any, rcond: Any = None) -> Any:
    """The residuals are orthogonal to what ``A`` spans."""
    by_a, by_b, *_rest = tangents
    left = b - a @ outs[0]
    u, _s, vh = np.linalg.svd(a, full_matrices=False)
    values = real_if(True, diagonal(adjoint(u) @ by_a @ adjoint(vh)))
    sums: Any = np.sum(real_if(True, 2 * conj(left) * (by_b - by_a @ outs[0])), axis=0)
    residuals = (sums if rank_of(b) > 1 else np.reshape(sums, (1,)))[: shape(outs[1])[0]]
    return _solution(tangents, outs[0], a, b, rcond), residuals, None, values


pushed("linalg.pinv", _pinv_push)
pushed("linalg.lstsq", _lstsq_push)
