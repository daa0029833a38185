"""Rules of ``np.linalg``.

The formulas are those of M. Giles, "Collected matrix derivative results for forward and reverse
mode algorithmic differentiation" (2008); of the factorizations, where a source is named. They give
the tangents, and are transposed. NumPy reads one triangle only of what it takes to be Hermitian,
and so only that one has a derivative.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from staticpy.ops.rules.arrays import conj, made, places, product, real_if, refuse, root, shape
from staticpy.ops.rules.base import is_complex, rank_of, sum_to, wants, where
from staticpy.ops.rules.library import composed, explicit, pushed
from staticpy.ops.rules.linalg import turned
from staticpy.ops.rules.reduce import others
from staticpy.ops.traced import is_traced


def adjoint(x: Any) -> Any:
    """The conjugate transpose of each matrix."""
    return conj(turned(x))


def diagonal(x: Any) -> Any:
    """The diagonal of each matrix, as the last axis."""
    return np.diagonal(x, 0, -2, -1)


def _trace(x: Any) -> Any:
    return np.trace(x, 0, -2, -1)


def eye(x: Any, size: Any) -> Any:
    """The identity in the dtype of ``x``."""
    return made(x, np.eye, size, dtype=x.dtype)


def hermitian_part(x: Any, uplo: str = "L") -> Any:
    """The Hermitian matrix of which NumPy reads one triangle."""
    below = np.tril(x, -1) if uplo == "L" else np.triu(x, 1)
    on = np.tril(np.triu(x))
    if is_complex(x):
        on = (on + conj(on)) / 2
    return below + adjoint(below) + on


# --- systems of equations -------------------------------------------------------------------------


def _column(b: Any) -> bool:
    """Whether the right side is a single vector: so it is if it has one axis."""
    return rank_of(b) == 1


def _solve_vjp(g: Any, out: Any, a: Any, b: Any) -> Any:
    """``B' = A⁻ᵀ G`` and ``A' = -B' Xᵀ``."""
    by_b = np.linalg.solve(turned(a), g[..., None] if _column(b) else g)
    by_a = None
    if wants(a):
        by_a = sum_to(-(by_b @ turned(out[..., None] if _column(b) else out)), a)
    return by_a, sum_to(by_b[..., 0] if _column(b) else by_b, b)


def _solve_jvp(tangents: Any, out: Any, a: Any, b: Any) -> Any:
    by_a, by_b = tangents
    if by_a is None:
        return np.linalg.solve(a, by_b)
    if not _column(b):
        moved = by_a @ out
        return np.linalg.solve(a, -moved if by_b is None else by_b - moved)
    moved = (by_a @ out[..., None])[..., 0]
    right = -moved if by_b is None else by_b - moved
    return np.linalg.solve(a, right[..., None])[..., 0]


def _inv_vjp(g: Any, out: Any, _a: Any) -> Any:
    back = turned(out)
    return -(back @ g @ back)


def _inv_jvp(tangents: Any, out: Any, _a: Any) -> Any:
    return -(out @ tangents[0] @ out)


explicit("linalg.solve", _solve_vjp, _solve_jvp)
explicit("linalg.inv", _inv_vjp, _inv_jvp)


def _tensorinv(a: Any, ind: int = 2) -> Any:
    sizes = shape(a)
    count = product(sizes[ind:])
    matrix = np.reshape(a, (count, count))
    return np.reshape(np.linalg.inv(matrix), (*sizes[ind:], *sizes[:ind]))


def _tensorsolve(a: Any, b: Any, axes: Any = None) -> Any:
    if axes is not None:
        a = np.moveaxis(a, axes, tuple(range(rank_of(a) - len(axes), rank_of(a))))
    size = product(shape(b))
    row = np.linalg.solve(np.reshape(a, (size, size)), np.ravel(b))
    return np.reshape(row, shape(a)[rank_of(b) :])


composed("linalg.tensorinv", _tensorinv)
composed("linalg.tensorsolve", _tensorsolve)


def _matrix_power(a: Any, n: int) -> Any:
    if not isinstance(n, int | np.integer):
        raise refuse("np.linalg.matrix_power()", "n")
    if n == 0:
        return np.zeros_like(a)  # of which only the derivative is asked
    square: Any = np.linalg.inv(a) if n < 0 else a
    power: Any = None
    rest = abs(int(n))
    while rest:
        if rest % 2:
            power = square if power is None else power @ square
        rest //= 2
        square = square @ square if rest else square
    return power


composed("linalg.matrix_power", _matrix_power)


# --- determinants ---------------------------------------------------------------------------------


def _adjugate(out: Any, a: Any) -> Any:
    """``adj(A) = det(A) A⁻¹``; of a singular matrix it is ``det(U) det(Vᴴ) V adj(S) Uᴴ``, which
    costs more: so the singular ones alone are picked, and put into their places again.
    """
    sizes, size = shape(a), shape(a)[-1]
    count = product(sizes[:-2])
    rows, factors = np.reshape(a, (count, size, size)), np.reshape(out, (count,))
    is_singular = factors == 0
    regular = np.linalg.inv(np.where(is_singular[:, None, None], eye(a, size), rows))
    u, s, vh = np.linalg.svd(rows[is_singular], full_matrices=False)
    turn = (np.linalg.det(u) * np.linalg.det(vh))[:, None, None]
    singular = turn * ((adjoint(vh) * others(s, 1)[:, None, :]) @ adjoint(u))
    both = np.concatenate([factors[:, None, None] * regular, singular])
    own = places(factors, 0)
    picked = np.where(is_singular, count - 1 + np.cumsum(is_singular), own)
    return np.reshape(both[picked], sizes)


def _det_push(tangents: Any, outs: Any, a: Any) -> Any:
    return _trace(_adjugate(outs[0], a) @ tangents[0])


def _slogdet_push(tangents: Any, outs: Any, a: Any) -> Any:
    is_singular = np.isinf(outs[1])
    if rank_of(is_singular):
        is_singular = is_singular[..., None, None]
    inverse = np.linalg.inv(np.where(is_singular, np.nan, a))
    moved = _trace(inverse @ tangents[0])
    if not is_complex(a):
        return None, moved
    return outs[0] * (1j * moved.imag), moved.real


pushed("linalg.det", _det_push)
pushed("linalg.slogdet", _slogdet_push)


# --- factorizations -------------------------------------------------------------------------------


def _cholesky_push(tangents: Any, outs: Any, _a: Any, /, *, upper: bool = False) -> Any:
    """I. Murray, "Differentiation of the Cholesky decomposition" (2016)."""
    factor = adjoint(outs[0]) if upper else outs[0]
    moved = np.linalg.solve(factor, hermitian_part(tangents[0], "U" if upper else "L"))
    both = adjoint(np.linalg.solve(factor, adjoint(moved)))
    found = factor @ (np.tril(both, -1) + np.tril(np.triu(both)) / 2)
    return adjoint(found) if upper else found


def _gaps(values: Any, eye: Any) -> Any:
    """``1 / (values[j] - values[i])``, and 0 on the diagonal."""
    return 1 / (values[..., None, :] - values[..., :, None] + eye) - eye


def _eigh_push(tangents: Any, outs: Any, _a: Any, UPLO: str = "L") -> Any:  # noqa: N803
    values, vectors = outs
    inside = adjoint(vectors) @ hermitian_part(tangents[0], UPLO.upper()) @ vectors
    moved = vectors @ (_gaps(values, eye(values, shape(values)[-1])) * inside)
    return real_if(True, diagonal(inside)), moved


def _eigvalsh(a: Any, UPLO: str = "L") -> Any:  # noqa: N803
    triangle: Any = UPLO
    return np.linalg.eigh(a, triangle)[0]


pushed("linalg.cholesky", _cholesky_push)
pushed("linalg.eigh", _eigh_push)
composed("linalg.eigvalsh", _eigvalsh)


# --- norms ----------------------------------------------------------------------------------------


def _squares(x: Any) -> Any:
    return (conj(x) * x).real if is_complex(x) else x * x


def _vector_norm(x: Any, ord_: Any, axis: Any, keepdims: bool) -> Any:
    named: dict[str, Any] = {"axis": axis, "keepdims": keepdims}
    if ord_ is None or ord_ == 2:
        return root(np.sum(_squares(x), **named))
    if ord_ == np.inf:
        return np.max(np.abs(x), initial=0.0, **named)
    if ord_ == -np.inf:
        return np.min(np.abs(x), **named)
    if ord_ == 1:
        return np.sum(np.abs(x), **named)
    if ord_ == 0:
        return np.sum(np.zeros_like(np.abs(x)), **named)
    total = np.sum(np.abs(x) ** ord_, **named)
    return where(total == 0, 1, total) ** (1 / ord_)  # the derivative of a norm is 0 at 0


def _matrix_norm(x: Any, ord_: Any, axis: tuple[int, int], keepdims: bool) -> Any:
    rows, columns = (each % rank_of(x) for each in axis)
    if ord_ in (None, "fro", "f"):
        return root(np.sum(_squares(x), axis=(rows, columns), keepdims=keepdims))
    found: Any
    if ord_ in ("nuc", 2, -2):
        values = np.linalg.svd(np.moveaxis(x, (rows, columns), (-2, -1)), compute_uv=False)
        more = {"initial": 0.0} if ord_ == 2 else {}
        choose: Any = {"nuc": np.sum, 2: np.max, -2: np.min}[ord_]
        found = choose(values, axis=-1, **more)
    elif ord_ in (1, -1, np.inf, -np.inf):
        sums = np.sum(np.abs(x), axis=rows if abs(ord_) == 1 else columns, keepdims=True)
        named: dict[str, Any] = {"axis": (rows, columns), "keepdims": keepdims}
        return np.max(sums, initial=0.0, **named) if ord_ > 0 else np.min(sums, **named)
    else:
        raise refuse("np.linalg.norm()", "ord")
    return np.expand_dims(found, (rows, columns)) if keepdims else found


def _norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:  # noqa: A002
    if is_traced(ord):
        raise refuse("np.linalg.norm()", "ord")
    if axis is None and ord is None:
        return _vector_norm(x, None, None, keepdims)
    if axis is None:
        axis = tuple(range(rank_of(x)))
    axes: Any = axis if isinstance(axis, tuple) else (axis,)
    if len(axes) == 1:
        return _vector_norm(x, ord, axes[0], keepdims)
    return _matrix_norm(x, ord, axes, keepdims)


def _vector_norm_function(
    x: Any,
    /,
    *,
    axis: Any = None,
    keepdims: bool = False,
    ord: Any = 2,  # noqa: A002
) -> Any:
    if is_traced(ord):
        raise refuse("np.linalg.vector_norm()", "ord")
    return _vector_norm(x, ord, axis, keepdims)


def _matrix_norm_function(
    x: Any,
    /,
    *,
    keepdims: bool = False,
    ord: Any = "fro",  # noqa: A002
) -> Any:
    return _matrix_norm(x, ord, (-2, -1), keepdims)


def _cond(x: Any, p: Any = None) -> Any:
    if p not in (None, 2, -2):
        return _matrix_norm(x, p, (-2, -1), False) * _matrix_norm(
            np.linalg.inv(x), p, (-2, -1), False
        )
    values = np.linalg.svd(x, compute_uv=False)
    high, low = values[..., 0], values[..., -1]
    return low / high if p == -2 else high / low


composed("linalg.norm", _norm, steered=True)
composed("linalg.vector_norm", _vector_norm_function, steered=True)
composed("linalg.matrix_norm", _matrix_norm_function, steered=True)
composed("linalg.cond", _cond, steered=True)
