"""Rules of products of matrices and vectors.

All of them are bilinear: ``C = A B`` gives ``dC = dA B + A dB``, ``A' = G Bᵀ`` and ``B' = Aᵀ G``
(M. Giles, "Collected matrix derivative results for forward and reverse mode algorithmic
differentiation", 2008, section 2.2.1).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from staticpy.ops.rules.arrays import conj, fit, product, shape
from staticpy.ops.rules.base import add_up, defrule, rank_of, reapply, sum_to, wants

Pull = Callable[[Any, Any, Any], Any]


def turned(x: Any) -> Any:
    """``x`` with its last two axes exchanged."""
    return np.swapaxes(x, -1, -2)


def _rows(x: Any) -> Any:
    """A stack of matrices as one tall matrix."""
    sizes = shape(x)
    return np.reshape(x, (product(sizes[:-1]), sizes[-1])) if len(sizes) > 2 else x


def _flat(x: Any) -> Any:
    return np.ravel(x) if rank_of(x) > 1 else x


# --- matmul ---------------------------------------------------------------------------------------


def _matmul_left(g: Any, x: Any, w: Any) -> Any:
    """The cotangent of ``x`` in ``x @ w``."""
    if rank_of(w) == 1:
        return g * w if rank_of(x) == 1 else g[..., None] * w
    if rank_of(x) > 1:
        return _stack(g @ turned(w), x, w)
    return w @ g if rank_of(w) == 2 else sum_to((w @ g[..., None])[..., 0], x)


def _matmul_right(g: Any, x: Any, w: Any) -> Any:
    """The cotangent of ``w`` in ``x @ w``; all matrices of a stack are one tall one."""
    if rank_of(w) == 1:
        return g * x if rank_of(x) == 1 else _flat(g) @ _rows(x)
    if rank_of(x) == 1:
        return x[:, None] * g[..., None, :]
    if rank_of(w) == 2:
        return turned(_rows(x)) @ _rows(g)
    return _stack(turned(x) @ g, w, x)


def _stack(found: Any, x: Any, other: Any) -> Any:
    """A stack of matrices, summed where ``x`` was stretched to the stack ``other``."""
    return found if rank_of(x) == rank_of(other) == 2 else sum_to(found, x)


# --- dot, inner, vdot, outer ----------------------------------------------------------------------


def _is_matmul(a: Any, b: Any) -> bool:
    """Whether ``np.dot`` is ``matmul``: unless there is a number, or the second is a stack."""
    return bool(rank_of(a) and rank_of(b)) and (rank_of(a) == 1 or rank_of(b) <= 2)


def _dot_left(g: Any, a: Any, b: Any) -> Any:
    if not rank_of(a) or not rank_of(b):
        return sum_to(g * b, a)
    if _is_matmul(a, b):
        return _matmul_left(g, a, b)
    new, rest = rank_of(a) - 1, rank_of(b) - 1
    return np.tensordot(g, b, (tuple(range(new, new + rest)), (*range(rest - 1), rest)))


def _dot_right(g: Any, a: Any, b: Any) -> Any:
    if not rank_of(a) or not rank_of(b):
        return sum_to(g * a, b)
    if _is_matmul(a, b):
        return _matmul_right(g, a, b)
    free = tuple(range(rank_of(a) - 1))
    return np.moveaxis(np.tensordot(a, g, (free, free)), 0, -2)


def _inner_left(g: Any, a: Any, b: Any) -> Any:
    if not rank_of(a) or not rank_of(b) or (rank_of(a) == 1 and rank_of(b) == 1):
        return sum_to(g * b, a)
    if rank_of(a) == 1:
        return _flat(g) @ _rows(b)
    if rank_of(b) == 1:
        return g[..., None] * b
    if rank_of(a) == rank_of(b) == 2:
        return g @ b
    new, rest = rank_of(a) - 1, rank_of(b) - 1
    return np.tensordot(g, b, (tuple(range(new, new + rest)), tuple(range(rest))))


def _inner_right(g: Any, a: Any, b: Any) -> Any:
    if not rank_of(a) or not rank_of(b) or (rank_of(a) == 1 and rank_of(b) == 1):
        return sum_to(g * a, b)
    if rank_of(a) == 1:
        return g[..., None] * a
    if rank_of(b) == 1:
        return _flat(g) @ _rows(a)
    if rank_of(a) == rank_of(b) == 2:
        return turned(g) @ a
    free = tuple(range(rank_of(a) - 1))
    return np.tensordot(g, a, (free, free))


def _vdot_left(g: Any, a: Any, b: Any) -> Any:
    """``sum(conj(a) * b)`` is not holomorphic in ``a``."""
    return np.reshape(conj(g * _flat(b)), shape(a))


def _vdot_right(g: Any, a: Any, b: Any) -> Any:
    return np.reshape(g * conj(_flat(a)), shape(b))


def _outer_left(g: Any, a: Any, b: Any) -> Any:
    return np.reshape(g @ np.ravel(b), shape(a))


def _outer_right(g: Any, a: Any, b: Any) -> Any:
    return np.reshape(np.ravel(a) @ g, shape(b))


# --- the rules ------------------------------------------------------------------------------------


def bilinear(name: str, left: Pull, right: Pull) -> None:
    """An op of two operands that is linear in each: ``left(g, a, b)`` and ``right(g, a, b)`` are
    their cotangents.
    """

    def vjp(g: Any, _out: Any, a: Any, b: Any) -> tuple[Any, Any]:
        return (
            fit(left(g, a, b), a) if wants(a) else None,
            fit(right(g, a, b), b) if wants(b) else None,
        )

    def jvp(tangents: Any, _out: Any, a: Any, b: Any) -> Any:
        by_a, by_b = tangents
        terms = [] if by_a is None else [reapply(name, by_a, b)]
        terms += [] if by_b is None else [reapply(name, a, by_b)]
        return add_up(terms)

    defrule(name, vjp, jvp)


bilinear("matmul", _matmul_left, _matmul_right)
bilinear("dot", _dot_left, _dot_right)
bilinear("inner", _inner_left, _inner_right)
bilinear("vdot", _vdot_left, _vdot_right)
bilinear("outer", _outer_left, _outer_right)
