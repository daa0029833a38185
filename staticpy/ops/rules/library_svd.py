"""Rules of the singular value decomposition ``A = U S Vᴴ``.

The formulas are those of J. Townsend, "Differentiating the singular value decomposition" (2016). A
complex pair of vectors is given up to a phase: that of ``V`` is held.

With ``full_matrices=True`` vectors are added that ``A`` maps to zero. One alone is orthogonal to
all others, and so it is determined up to its sign. Of two or more only the space is: their tangents
are NaN, and so is the cotangent of ``A`` where one of theirs is not zero.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from staticpy.ops.rules.arrays import made, real_if, shape
from staticpy.ops.rules.base import flows, is_complex
from staticpy.ops.rules.library import LIBRARY, Call, LibraryRule, composed, is_number, pushed
from staticpy.ops.rules.library_linalg import adjoint, diagonal, eye, hermitian_part
from staticpy.ops.rules.linalg import turned

Array = Any


def _push(
    tangents: Any,
    outs: Any,
    a: Any,
    full_matrices: bool = True,
    compute_uv: bool = True,
    hermitian: bool = False,
) -> Any:
    t = hermitian_part(tangents[0]) if hermitian else tangents[0]
    if not compute_uv:
        u, _, vh = np.linalg.svd(a, full_matrices=False, hermitian=hermitian)
        return real_if(True, diagonal(adjoint(u) @ t @ adjoint(vh)))
    return (_full if full_matrices else _reduced)(t, *outs)


def _reduced(t: Array, u: Array, s: Array, vh: Array) -> tuple[Array, Array, Array]:
    v = adjoint(vh)
    inside = adjoint(u) @ t @ v
    row, one = s[..., None, :], eye(s, shape(s)[-1])
    column = turned(row)
    gaps = 1 / ((row + column) * (row - column) + one) - one
    by_row, by_column = row * inside, column * inside
    moved_u = u @ (gaps * (by_row + adjoint(by_row)))
    if is_complex(inside):
        moved_u = moved_u + u @ ((inside - adjoint(inside)) / 2 * (one * _inverse(s)))
    moved_v = v @ (gaps * (by_column + adjoint(by_column)))
    beside_u, beside_v = t @ v, adjoint(t) @ u
    moved_u = moved_u + _beside(u, beside_u, s)
    moved_v = moved_v + _beside(v, beside_v, s)
    return moved_u, real_if(True, diagonal(inside)), adjoint(moved_v)


def _beside(vectors: Array, moved: Array, s: Array) -> Array:
    """How vectors leave the space that they span. Nothing is beside those that span everything, and
    there ``1 / s`` would make much of rounding.
    """
    found = (moved - vectors @ (adjoint(vectors) @ moved)) * _inverse(s)
    rows, columns = shape(vectors)[-2:]
    return np.where(rows > columns, found, 0)


def _inverse(s: Array) -> Array:
    """``1 / s`` as a row, and 0 where that is 0."""
    none = (s == 0).astype(s.dtype)
    return (1 / (s + none) - none)[..., None, :]


def _full(t: Array, u: Array, s: Array, vh: Array) -> tuple[Array, Array, Array]:
    v, size = adjoint(vh), shape(s)[-1]
    moved_u, moved_s, moved_vh = _reduced(t, u[..., :size], s, vh[..., :size, :])
    found_u, found_v = _with_added(u, moved_u, s), _with_added(v, adjoint(moved_vh), s)
    return found_u, moved_s, adjoint(found_v)


def _with_added(vectors: Array, moved: Array, s: Array) -> Array:
    """What is added stays orthogonal to the others, which keep their tangents whatever its own."""
    size, lost = shape(s)[-1], _undetermined(shape(vectors)[-1], s)
    added = np.where(lost, 0, vectors)[..., size:]
    found = np.concatenate([moved, -(vectors[..., :size] @ (adjoint(moved) @ added))], axis=-1)
    return np.where(lost, np.nan, found)


def _undetermined(count: Any, s: Array) -> Array:
    """For each of ``count`` columns whether it is one of several that ``A`` maps to zero. If there
    are no values at all, nothing moves.
    """
    sizes = shape(s)
    added = made(s, np.zeros, (*sizes[:-1], count - sizes[-1]), s.dtype)
    is_zero = np.concatenate([s, added], axis=-1) == 0
    several = np.sum(is_zero, axis=-1, keepdims=True) > 1
    found = np.logical_and(is_zero, np.logical_and(several, sizes[-1] > 0))
    return found[..., None, :]


pushed("linalg.svd", _push)
_TRANSPOSED = LIBRARY["linalg.svd"]


def _vjp(call: Call, g: Any, outs: Any, operands: Any) -> Any:
    """The transpose, but for what has no derivative."""
    found = _TRANSPOSED.vjp(call, g, outs, operands)
    if len(outs) == 1:
        return found
    by_v = None if g[2] is None else turned(g[2])
    reached: Any = False
    for flowing in (g[0], by_v):
        if flowing is not None:
            lost = np.logical_and(flowing != 0, _undetermined(shape(flowing)[-1], outs[1]))
            reached = np.logical_or(reached, np.any(lost, axis=(-2, -1), keepdims=True))
    pairs = zip(found, operands, strict=True)
    return tuple(
        np.where(reached, np.nan, each) if each is not None and is_number(x) and flows(x) else each
        for each, x in pairs
    )


LIBRARY["linalg.svd"] = LibraryRule(_vjp, _TRANSPOSED.jvp)


def _svdvals(x: Any, /) -> Any:
    return np.linalg.svd(x, compute_uv=False)


composed("linalg.svdvals", _svdvals)
