"""Rules of NumPy's functions of polynomials: those of ``np.poly…``, and of ``np.polynomial``.

A series is ``sum(c[k] * p[k](x))``; the derivative of its polynomials is ``p[k]' = sum(D[j, k] *
p[j])``, where the columns of ``D`` are what the module's own function for derivatives makes of
rows of the identity.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from staticpy.ops.rules.arrays import flip, made, places, refuse, row_of, shape
from staticpy.ops.rules.base import call, rank_of
from staticpy.ops.rules.library import as_one, composed, constant, pushed
from staticpy.ops.rules.library_rows import sum_of_terms
from staticpy.ops.rules.library_sequences import without_zeros
from staticpy.ops.store import numpy_function
from staticpy.ops.traced import is_traced, leader

Array = Any


def _shifts(v: Array, rows: Any, columns: Any) -> Array:
    """The matrix ``v[row - column]``, with zeros where there is no such element."""
    lags = made(v, np.arange, rows)[:, None] - made(v, np.arange, columns)
    size = shape(v)[0]
    inside = np.logical_and(lags >= 0, lags < size)
    return np.where(inside, np.take(v, np.clip(lags, 0, size - 1)), 0)


def _refuse_matrix(function: str, name: str, *rows: Any) -> None:
    if any(rank_of(each) > 1 for each in rows):
        raise refuse(f"np.{function}()", name)


# --- np.poly… -------------------------------------------------------------------------------------


def _poly(tangents: Any, outs: Any, seq_of_zeros: Any) -> Array:
    """``p(x) = prod(x - r[i])``; by ``r[i]`` it is ``-p(x) / (x - r[i])``, whose coefficient k is
    ``-sum(c[k - m] * r[i]**m)``.
    """
    (t,), (c,), roots = tangents, outs, seq_of_zeros
    if not rank_of(c):  # without roots it is 1
        return c * 0
    if rank_of(roots) != 1:
        raise refuse("np.poly()", "seq_of_zeros")
    numbers = places(roots, 0)
    powers = roots[:, None] ** numbers.astype(roots.dtype)
    quotients = powers @ _shifts(c, shape(roots)[0], shape(roots)[0]).T
    return np.concatenate([c[:1] * 0, -(t @ quotients)])


def _polymul(a1: Any, a2: Any) -> Array:
    _refuse_matrix("polymul", "a1", a1, a2)
    like = leader((a1, a2))
    rows = [without_zeros(row_of(a, like), first=True, last=False, least=1) for a in (a1, a2)]
    return np.convolve(*rows)


def _polydiv(tangents: Any, outs: Any, u: Any, v: Any) -> tuple[Array, Array]:
    """``u = q * v + r``, of which the coefficients that ``r`` does not reach give ``q``."""
    (by_u, by_v), (q, r) = tangents, outs
    if rank_of(u) != 1 or rank_of(v) != 1:
        raise refuse("np.polydiv()", "u")
    size, count = shape(u)[0], shape(q)[0]
    moved = u * 0 if by_u is None else by_u
    if by_v is not None:
        moved = moved - _last(np.convolve(q, by_v), size)
    found = np.linalg.solve(_shifts(v, count, count), moved[:count])
    found = np.where(size >= shape(v)[0], found, 0)
    return found, _last(moved - _last(np.convolve(v, found), size), shape(r)[0])


def _last(x: Array, count: Any) -> Array:
    return x[shape(x)[0] - count :]


pushed("poly", _poly)
pushed("polydiv", _polydiv)
composed("polymul", _polymul)


# --- np.polynomial --------------------------------------------------------------------------------


_COMPOSED = """
add sub mul mulx pow line companion val val2d val3d grid2d grid3d vander2d vander3d fit
"""
"""The functions of each module that have a rule by what they are made of."""


_POWERS = "polynomial.polynomial.poly"
"""The prefix of the module of power series."""


def _of_size(row: Array, count: Any) -> Array:
    """A row with zeros behind it, or without its end."""
    return np.concatenate([row, made(row, np.zeros, count, row.dtype)])[:count]


class _Series:
    """The rules of one of the modules of ``np.polynomial``."""

    def __init__(self, module: str, prefix: str, recurrence: Any, line: Any) -> None:
        self._prefix = f"polynomial.{module}.{prefix}"
        self._recurrence = recurrence
        self._line = line

    def _apply(self, name: str, like: Any, *args: Any) -> Any:
        return made(like, numpy_function(self._prefix + name), *args)

    def _refuse(self, name: str, argument: str) -> Exception:
        return refuse(f"np.{self._prefix}{name}()", argument)

    def _basis(self, x: Any, degree: Any) -> Array:
        """The polynomials at ``x`` along a new last axis."""
        found = self._apply("vander", x, x, degree)
        return found if rank_of(x) else found[0]

    def enter(self) -> None:
        """Enter the rules."""
        for name in _COMPOSED.split():
            composed(self._prefix + name, getattr(self, name))
        for name in ("der", "int"):
            composed(self._prefix + name, getattr(self, f"{name}_"), steered=True)
        for name in ("vander", "roots", "div", "trim"):
            pushed(self._prefix + name, getattr(self, name))
        constant(self._prefix + "gauss")

    # --- coefficients

    def add(self, c1: Any, c2: Any) -> Array:
        return self._sum("add", c1, c2, 1)

    def sub(self, c1: Any, c2: Any) -> Array:
        return self._sum("sub", c1, c2, -1)

    def _sum(self, name: str, c1: Any, c2: Any, sign: int) -> Array:
        if rank_of(c1) != 1 or rank_of(c2) != 1:
            raise self._refuse(name, "c1")
        size = call(max, shape(c1)[0], shape(c2)[0])
        first, second = (
            np.concatenate([c, made(c, np.zeros, size - shape(c)[0], c.dtype)]) for c in (c1, c2)
        )
        return without_zeros(first + sign * second, first=False, last=True, least=1)

    def der_(self, c: Any, m: int = 1, scl: Any = 1, axis: int = 0) -> Array:
        return self._by_matrix("der", c, axis, m, scl)

    def int_(
        self, c: Any, m: int = 1, k: Any = (), lbnd: Any = 0, scl: Any = 1, axis: int = 0
    ) -> Array:
        if is_traced(k):
            raise self._refuse("int", "k")
        return self._by_matrix("int", c, axis, m, [], lbnd, scl)

    def _by_matrix(self, name: str, c: Any, axis: int, *more: Any) -> Array:
        """What is linear in the coefficients, by what it makes of an identity."""
        if is_traced(*more):
            raise self._refuse(name, "scl")
        moved = np.moveaxis(c, axis, 0) if rank_of(c) else row_of(c, c)
        matrix = self._apply(name, c, made(c, np.eye, shape(moved)[0]), *more)
        found = np.tensordot(matrix, moved, 1)
        return np.moveaxis(found, 0, axis) if rank_of(c) else found

    # --- products

    def mul(self, c1: Any, c2: Any) -> Array:
        first, second = (self._trimmed("mul", c) for c in (c1, c2))
        return self._times(first, shape(second)[0]) @ second

    def pow(self, c: Any, pow: Any, maxpower: Any = 16) -> Array:  # noqa: A002
        del maxpower
        if not isinstance(pow, int):
            raise self._refuse("pow", "pow")
        given = self._trimmed("pow", c)
        found = given if pow else given[:1] * 0 + 1
        for _ in range(pow - 1):
            found = self._times(found, shape(given)[0]) @ given
        return found

    def div(self, tangents: Any, outs: Any, c1: Any, c2: Any) -> tuple[Array, Array]:
        """``c1 = q * c2 + r``, of which the coefficients that ``r`` does not reach give ``q``."""
        (q, r), rows = outs, [self._trimmed("div", c) for c in (c1, c2)]
        by_c1, by_c2 = (t[: shape(c)[0]] for t, c in zip(tangents, rows, strict=True))
        count, size = shape(q)[0], shape(rows[1])[0]
        moved = _of_size(by_c1, count + size - 1) - self._times(q, size) @ by_c2
        table = self._times(rows[1], count)
        found = np.linalg.solve(table[size - 1 :], moved[size - 1 :])
        return found, _of_size((moved - table @ found)[: size - 1], shape(r)[0])

    def trim(self, tangents: Any, outs: Any, c: Any, tol: Any = 0) -> Array:
        """Without the small ones at its end; of a series that has no others 0 is left."""
        kept = row_of(tangents[0], outs[0])[: shape(outs[0])[0]]
        return np.where(np.any(np.abs(c) > tol), kept, 0)

    def _trimmed(self, name: str, c: Any) -> Array:
        """A series without the zeros at its end, which NumPy's functions drop."""
        if rank_of(c) != 1:
            raise self._refuse(name, "c")
        return without_zeros(c, first=False, last=True, least=1)

    def _times(self, c: Array, count: Any) -> Array:
        """The matrix that multiplies a series of ``count`` coefficients by ``c``."""
        if self._prefix == _POWERS:
            return _shifts(c, shape(c)[0] + count - 1, count)
        _, basis, back = self._nodes(c, shape(c)[0] + count - 1)
        return (back * (basis[:, : shape(c)[0]] @ c)) @ basis[:, :count]

    def _nodes(self, like: Any, count: Any) -> tuple[Array, Array, Array]:
        """The points of Gauss's quadrature, the first ``count`` polynomials there, a row for each
        point, and the matrix that makes a series of its values there, as they are orthogonal.
        """
        points, weights = self._apply("gauss", like, count)
        basis = self._apply("vander", like, points, count - 1)
        weighted = basis * weights[:, None]
        return points, basis, (weighted / np.sum(basis * weighted, axis=0)).T

    def fromroots(self, roots: Any) -> Array:
        """``prod(x - r[i])``, by its values."""
        if rank_of(roots) != 1:
            raise self._refuse("fromroots", "roots")
        points, _, back = self._nodes(roots, shape(roots)[0] + 1)
        return back @ np.prod(points[:, None] - roots, axis=1)

    def companion(self, c: Any) -> Array:
        """Its last column is linear in ``c[:-1] / c[-1]``, and nothing else depends on them."""
        given = self._trimmed("companion", c)
        size = shape(given)[0] - 1
        ones, zeros = made(c, np.ones, size + 1), made(c, np.zeros, size)
        none = self._apply("companion", c, np.concatenate([zeros, ones[:1]]))
        scale = self._apply("companion", c, ones)[:, -1:] - none[:, -1:]
        column = none[:, -1:] + scale * (given[:-1] / given[-1])[:, None]
        return np.concatenate([none[:, :-1], column], axis=1)

    # --- values

    def val(self, x: Any, c: Any, tensor: bool = True) -> Array:
        if not rank_of(c):
            raise self._refuse("val", "c")
        basis = self._basis(x, shape(c)[0] - 1)
        if not tensor:
            return sum_of_terms(np.moveaxis(basis, -1, 0), c)
        return np.tensordot(c, basis, ((0,), (rank_of(x),)))

    def val2d(self, x: Any, y: Any, c: Any) -> Array:
        return self._at_points("val2d", c, x, y)

    def val3d(self, x: Any, y: Any, z: Any, c: Any) -> Array:
        return self._at_points("val3d", c, x, y, z)

    def _at_points(self, name: str, c: Any, *points: Any) -> Array:
        if rank_of(c) != len(points):
            raise self._refuse(name, "c")
        found, count = c, rank_of(points[0])
        for number, x in enumerate(points):
            basis = self._basis(x, shape(c)[number] - 1)
            if number:
                wide = basis[(..., *(None,) * (len(points) - number - 1))]
                found = np.sum(found * wide, axis=count)
            else:
                found = np.tensordot(basis, found, 1)
        return found

    def grid2d(self, x: Any, y: Any, c: Any) -> Array:
        return self._on_grid("grid2d", c, x, y)

    def grid3d(self, x: Any, y: Any, z: Any, c: Any) -> Array:
        return self._on_grid("grid3d", c, x, y, z)

    def _on_grid(self, name: str, c: Any, *points: Any) -> Array:
        """Each step sums the first axis that is left of ``c``, and puts those of a point last."""
        if rank_of(c) != len(points):
            raise self._refuse(name, "c")
        found = c
        for number, x in enumerate(points):
            basis = self._basis(x, shape(c)[number] - 1)
            found = np.tensordot(found, basis, ((0,), (rank_of(x),)))
        return found

    def fit(
        self, x: Any, y: Any, deg: Any, rcond: Any = None, full: bool = False, w: Any = None
    ) -> Array:
        if full or rcond is not None or rank_of(deg):
            raise self._refuse("fit", "full" if full else "rcond" if rcond is not None else "deg")
        table = self._basis(x, deg)
        if w is not None:
            table, y = table * w[:, None], y * (w if rank_of(y) == 1 else w[:, None])
        lengths = np.sqrt(np.sum(table**2, axis=0))
        lengths = np.where(lengths == 0, 1, lengths)
        found = np.linalg.lstsq(table / lengths, y)[0]
        return found / (lengths if rank_of(y) == 1 else lengths[:, None])

    # --- tables of values

    def vander(self, tangents: Any, outs: Any, x: Any, deg: Any) -> Array:
        (t, _), (found,) = tangents, outs
        del deg
        slopes = self._apply("der", found, made(found, np.eye, shape(found)[-1]))
        moved = found[..., : shape(slopes)[0]] @ slopes
        return (t[..., None] if rank_of(x) else t) * moved

    def vander2d(self, x: Any, y: Any, deg: Any) -> Array:
        return self._products(deg, x, y)

    def vander3d(self, x: Any, y: Any, z: Any, deg: Any) -> Array:
        return self._products(deg, x, y, z)

    def _products(self, deg: Any, *points: Any) -> Array:
        found, size = None, 1
        for x, degree in zip(points, deg, strict=True):
            basis, size = self._apply("vander", x, x, degree), size * (degree + 1)
            if found is None:
                found = basis
            else:
                both = found[..., :, None] * basis[..., None, :]
                found = np.reshape(both, (*shape(both)[:-2], size))
        return found

    # --- what is made of points

    def roots(self, tangents: Any, outs: Any, c: Any) -> Array:
        """``p(r) = 0``, so that ``dp(r) + p'(r) dr = 0``."""
        (t,), r = tangents, outs[0] * (1 + 0j)  # as real ones, bit for bit
        if not rank_of(c):
            return r * 0
        basis = self._basis(r, shape(c)[0] - 1)
        slopes = self._apply("der", c, c)
        return -(basis @ t) / (basis[..., : shape(slopes)[0]] @ slopes)

    def mulx(self, c: Any) -> Array:
        """``x * p[k]``, by the recurrence of the polynomials."""
        if rank_of(c) != 1:
            raise self._refuse("mulx", "c")
        up, here, down = self._recurrence(places(c, 0).astype(c.dtype))
        nothing = c[:1] * 0
        moved = np.concatenate([nothing, c * up])
        moved = moved + np.concatenate([c * here, nothing])
        return moved + np.concatenate([(c * down)[1:], nothing, nothing])

    def line(self, off: Any, scl: Any) -> Array:
        """``off + scl * x``, without a coefficient that is zero."""
        if rank_of(off) or rank_of(scl):
            raise self._refuse("line", "off")
        parts = [row_of(each, leader((off, scl))) for each in self._line(off, scl)]
        return without_zeros(np.concatenate(parts), first=False, last=True, least=1)


def _as_given(off: Any, scl: Any) -> tuple[Any, Any]:
    return off, scl


_SERIES: dict[str, tuple[str, Callable[[Any], tuple[Any, Any, Any]], Callable[..., Any]]] = {
    "polynomial": ("poly", lambda k: (1, 0, 0 * k), _as_given),
    "chebyshev": ("cheb", lambda k: (np.where(k == 0, 1, 0.5), 0, 0 * k + 0.5), _as_given),
    "legendre": ("leg", lambda k: ((k + 1) / (2 * k + 1), 0, k / (2 * k + 1)), _as_given),
    "hermite": ("herm", lambda k: (0.5, 0, k), lambda off, scl: (off, scl / 2)),
    "hermite_e": ("herme", lambda k: (1, 0, k), _as_given),
    "laguerre": ("lag", lambda k: (-(k + 1), 2 * k + 1, -k), lambda off, scl: (off + scl, -scl)),
}
"""For each module its prefix, the coefficients of ``x * p[k]`` at k + 1, k and k - 1, and those of
a line.
"""

for _module, (_prefix, _recurrence, _line) in _SERIES.items():
    _series = _Series(_module, _prefix, _recurrence, _line)
    _series.enter()
    if _module != "polynomial":
        composed(f"polynomial.{_module}.{_prefix}fromroots", _series.fromroots)


def _valfromroots(x: Any, r: Any, tensor: bool = True) -> Array:
    del tensor
    if rank_of(r) != 1:
        raise refuse("np.polynomial.polynomial.polyvalfromroots()", "r")
    return np.prod(x[..., None] - r if rank_of(x) else x - r, axis=-1)


composed(_POWERS + "fromroots", lambda roots: flip(as_one(made(roots, np.poly, roots)), 0))
composed(_POWERS + "valfromroots", _valfromroots)
constant("polynomial.chebyshev.chebpts1", "polynomial.chebyshev.chebpts2")


# --- their weights --------------------------------------------------------------------------------

_WEIGHTS: dict[str, Callable[[Any], Array]] = {
    "chebyshev.chebweight": lambda x: 1 / (np.sqrt(1 + x) * np.sqrt(1 - x)),
    "legendre.legweight": lambda x: x * 0 + 1,
    "hermite.hermweight": lambda x: np.exp(-(x**2)),
    "hermite_e.hermeweight": lambda x: np.exp(-(x**2) / 2),
    "laguerre.lagweight": lambda x: np.exp(-x),
}
for _name, _weight in _WEIGHTS.items():
    composed(f"polynomial.{_name}", _weight)
