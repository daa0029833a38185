"""Rules of products of matrices and vectors.

All of them are bilinear: ``C = A B`` gives ``dC = dA B + A dB``, ``A' = G Bᵀ`` and ``B' = Aᵀ G``
(M. Giles, "Collected matrix derivative results for forward and reverse mode algorithmic
differentiation", 2008, section 2.2.1).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from staticpy.ops.rules.arrays import conj, fit, product, rank, shape
from staticpy.ops.rules.base import add_up, defrule, reapply, sum_to

Pair = tuple[Any, Any]


def turned(x: Any) -> Any:
    """``x`` with its last two axes exchanged."""
    return np.swapaxes(x, -1, -2)


def _rows(x: Any) -> Any:
    """A stack of matrices as one tall matrix."""
    sizes = shape(x)
    return np.reshape(x, (product(sizes[:-1]), sizes[-1])) if len(sizes) > 2 else x


def _flat(x: Any) -> Any:
    return np.ravel(x) if rank(x) > 1 else x


# --- matmul ---------------------------------------------------------------------------------------


def matmul_vjp(g: Any, x: Any, w: Any) -> Pair:
    """The cotangents of ``x @ w``."""
    if rank(x) == 1 and rank(w) == 1:
        return g * w, g * x
    if rank(w) == 1:
        return g[..., None] * w, _flat(g) @ _rows(x)
    if rank(x) == 1:
        return _row_times(g, x, w)
    left = g @ turned(w)
    right = turned(_rows(x)) @ _rows(g) if rank(w) == 2 else turned(x) @ g
    return sum_to(left, x), sum_to(right, w)


def _row_times(g: Any, x: Any, w: Any) -> Pair:
    outer = x[:, None] * g[..., None, :]
    if rank(w) == 2:
        return w @ g, outer
    return sum_to((w @ g[..., None])[..., 0], x), outer


# --- dot, inner, vdot, outer ----------------------------------------------------------------------


def _dot_vjp(g: Any, a: Any, b: Any) -> Pair:
    """``np.dot`` is ``matmul`` unless there is a number, or the second operand is a stack."""
    if not rank(a) or not rank(b):
        return sum_to(g * b, a), sum_to(g * a, b)
    if rank(a) == 1 or rank(b) <= 2:
        return matmul_vjp(g, a, b)
    new, rest = rank(a) - 1, rank(b) - 1
    axes = (*range(rest - 1), rest)
    left = np.tensordot(g, b, (tuple(range(new, new + rest)), axes))
    right = np.tensordot(a, g, (tuple(range(new)), tuple(range(new))))
    return left, np.moveaxis(right, 0, -2)


def _inner_vjp(g: Any, a: Any, b: Any) -> Pair:
    if not rank(a) or not rank(b):
        return sum_to(g * b, a), sum_to(g * a, b)
    if rank(a) == 1 and rank(b) == 1:
        return g * b, g * a
    if rank(a) == 1:
        return _flat(g) @ _rows(b), g[..., None] * a
    if rank(b) == 1:
        return g[..., None] * b, _flat(g) @ _rows(a)
    if rank(a) == rank(b) == 2:
        return g @ b, turned(g) @ a
    new, rest = rank(a) - 1, rank(b) - 1
    left = np.tensordot(g, b, (tuple(range(new, new + rest)), tuple(range(rest))))
    right = np.tensordot(g, a, (tuple(range(new)), tuple(range(new))))
    return left, right


def _vdot_vjp(g: Any, a: Any, b: Any) -> Pair:
    """``sum(conj(a) * b)``, which is not holomorphic in ``a``."""
    left, right = conj(g * _flat(b)), g * conj(_flat(a))
    return np.reshape(left, shape(a)), np.reshape(right, shape(b))


def _outer_vjp(g: Any, a: Any, b: Any) -> Pair:
    left, right = g @ np.ravel(b), np.ravel(a) @ g
    return np.reshape(left, shape(a)), np.reshape(right, shape(b))


# --- the rules ------------------------------------------------------------------------------------


def bilinear(name: str, pull: Callable[[Any, Any, Any], Pair]) -> None:
    """An op of two operands that is linear in each: ``pull`` gives both cotangents.

    The one that an operand without tangents would have is dropped, and with it what it is made of.
    """

    def vjp(g: Any, _out: Any, a: Any, b: Any) -> Pair:
        left, right = pull(g, a, b)
        return fit(left, a), fit(right, b)

    def jvp(tangents: Any, _out: Any, a: Any, b: Any) -> Any:
        left, right = tangents
        by_left = None if left is None else reapply(name, left, b)
        by_right = None if right is None else reapply(name, a, right)
        return add_up([each for each in (by_left, by_right) if each is not None])

    defrule(name, vjp, jvp)


bilinear("matmul", matmul_vjp)
bilinear("dot", _dot_vjp)
bilinear("inner", _inner_vjp)
bilinear("vdot", _vdot_vjp)
bilinear("outer", _outer_vjp)
