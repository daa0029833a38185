"""Rules of the factorization ``A = Q R``.

The formulas of the first columns are those of S. Walter, L. Lehmann, "Algorithmic differentiation
of linear algebra functions" (2010). Of a wide matrix the first columns alone make ``Q``.

With ``mode="complete"`` columns are added, which would be any that are orthogonal to the first
ones, if LAPACK did not make all of them of one product of reflections, ``I - V T Vᴴ`` with ``V`` a
lower trapezoid of ones (R. Schreiber, C. Van Loan, "A storage-efficient WY representation for
products of Householder transformations", 1989). Without ``V`` and ``T``, which the first columns
determine, that says ``Q₂ = E₂ + (E₁ - Q₁) (I - Q₁₁)⁻ᴴ Q₂₁ᴴ``: of the first columns ``Q₁``, the
first rows are ``Q₁₁`` and the others ``Q₂₁``; ``E₁`` and ``E₂`` are those of the identity.

With ``mode="raw"`` it is ``V``, below ``R``, and the diagonal of ``T`` that are given. They are
found in ``E₁ - Q₁ = V U``, ``U = T V₁ᴴ``, a decomposition into a lower triangle of ones and
an upper one: ``dV`` and ``dU`` come of ``V⁻¹ d(V U) U⁻¹ = V⁻¹ dV + dU U⁻¹``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from staticpy.ops.rules.arrays import places, refuse, shape
from staticpy.ops.rules.base import call, is_complex, rank_of, reapply
from staticpy.ops.rules.library import pushed
from staticpy.ops.rules.library_linalg import adjoint, eye
from staticpy.ops.rules.linalg import turned

Array = Any


def _push(tangents: Any, outs: Any, a: Any, mode: str = "reduced") -> Any:
    t = tangents[0]
    if mode == "r":
        return _reduced(t, *np.linalg.qr(a))[1]
    if mode == "complete":
        return _complete(t, a, *outs)
    if mode == "raw":
        return _raw(t, a, *outs)
    if mode != "reduced":
        raise refuse("np.linalg.qr()", "mode")
    return _reduced(t, *outs)


def _reduced(t: Array, q: Array, r: Array) -> tuple[Array, Array]:
    first = (..., slice(None, shape(q)[-1]))
    moved = turned(np.linalg.solve(turned(r[first]), turned(t[first])))  # dA R⁻¹
    inside = adjoint(q) @ moved
    below = np.tril(inside, -1)
    turn = below - adjoint(below)
    if is_complex(inside):
        turn = turn + 1j * np.tril(np.triu(inside)).imag
    return q @ (turn - inside) + moved, np.triu(adjoint(q) @ t - turn @ r)


def _complete(t: Array, a: Array, q: Array, r: Array) -> tuple[Array, Array]:
    size = call(min, *shape(r)[-2:])
    first = q[..., :size]
    moved, moved_r = _reduced(t, first, r[..., :size, :])
    found_q = np.concatenate([moved, _added(moved, first, a, size)], axis=-1)
    return found_q, np.concatenate([moved_r, np.zeros_like(r[..., size:, :])], axis=-2)


def _added(moved: Array, q: Array, a: Array, size: Any) -> Array:
    """The tangents of the columns that are added. What already is zero below the diagonal is not
    reflected, and beside that point it is: there is no derivative.
    """
    factors = np.linalg.qr(reapply("stop_gradient", a), mode="raw")[1]
    is_edge = np.any(factors == 0, axis=-1)[..., None, None]
    system = np.where(is_edge, np.nan, adjoint(eye(q, size) - q[..., :size, :]))
    shares = np.linalg.solve(system, adjoint(q[..., size:, :]))
    change = adjoint(moved[..., :size, :]) @ shares + adjoint(moved[..., size:, :])
    whole = eye(q, shape(q)[-2])[:, :size]
    return (whole - q) @ np.linalg.solve(system, change) - moved @ shares


def _raw(t: Array, a: Array, h: Array, tau: Array) -> tuple[Array, Array]:
    """The tangents of the reflections: ``V`` below ``R``, turned, and their factors."""
    q, r = np.linalg.qr(a)
    size, rows = shape(tau)[-1], shape(a)[-2]
    first, rest = (..., slice(None, size), slice(None)), (..., slice(size, None), slice(None))
    whole = eye(a, rows)[:, :size]
    v = np.tril(turned(h)[..., :size], -1) + whole
    moved, moved_r = _reduced(t, q, r)
    u = np.triu(np.linalg.solve(v[first], (whole - q)[first]))
    is_still, system = _reflected(tau, u, rows)
    inside = _divided(np.linalg.solve(v[first], -moved[first]), system)
    moved_u = np.triu(inside) @ u
    upper = v[first] @ np.tril(inside, -1)
    lower = _divided(-moved[rest] - v[rest] @ moved_u, system)
    below = np.tril(np.concatenate([upper, lower], axis=-2), -1)
    below = np.concatenate([below, np.zeros_like(a[..., size:])], axis=-1)
    above = np.concatenate([moved_r, np.zeros_like(a[rest])], axis=-2)
    moved_tau = np.where(is_still, 0, np.diagonal(moved_u, 0, -2, -1))
    return turned(below + above), moved_tau


def _reflected(tau: Array, u: Array, rows: Any) -> tuple[Array, Array]:
    """Which column is sure not to be reflected, as the last row of real numbers alone; and ``U``
    such that one can divide by it: NaN where another one is not reflected, as beside that point it
    is.
    """
    places_ = places(tau, rank_of(tau) - 1)
    last = rows if is_complex(tau) else rows - 1
    is_still = places_ >= last
    is_edge = np.any((tau == 0) & ~is_still, axis=-1)[..., None, None]
    system = u + eye(u, shape(u)[-1]) * is_still
    return is_still, np.where(is_edge, np.nan, system)


def _divided(x: Array, u: Array) -> Array:
    """``x U⁻¹``."""
    return turned(np.linalg.solve(turned(u), turned(x)))


pushed("linalg.qr", _push)
