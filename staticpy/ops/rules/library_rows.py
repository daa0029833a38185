"""Rules of NumPy's functions of rows: coefficients of powers, numbers at equal steps."""

from __future__ import annotations

from typing import Any

import numpy as np

from staticpy.ops.rules.arrays import flip, made, places, refuse, row, row_of, shape
from staticpy.ops.rules.base import call, flows, rank_of, zeros_like
from staticpy.ops.rules.library import composed, explicit, transposed
from staticpy.ops.traced import is_traced

# --- polynomials and special functions ------------------------------------------------------------


def _powers(x: Any, p: Any) -> Any:
    """``x ** (n - 1)``, …, ``x``, 1 along a new last axis."""
    numbers = places(p, 0)
    wide = x if rank_of(x) and flows(x) else p
    exponents = (shape(p)[0] - 1 - numbers).astype(wide.dtype if flows(wide) else np.float64)
    return x[..., None] ** exponents if rank_of(x) else x**exponents


def _polyval(p: Any, x: Any) -> Any:
    p = row(x, p)
    powers = _powers(x, p)
    return sum_of_terms(np.moveaxis(powers, -1, 0) if rank_of(x) else powers, p)


def sum_of_terms(basis: Any, c: Any) -> Any:
    """The sum over the first axis of both, of which the others go together as NumPy broadcasts."""
    count = max(rank_of(basis), rank_of(c))
    wide = (each[(slice(None), *(None,) * (count - rank_of(each)))] for each in (basis, c))
    return np.sum(next(wide) * next(wide), axis=0)


def _vander(x: Any, N: Any = None, increasing: bool = False) -> Any:  # noqa: N803
    """The running products of rows ``1, x, x, …``."""
    size, rows = (shape(x)[0] if N is None else N), x[:, None]
    wide = np.broadcast_to(rows, (shape(x)[0], call(max, size - 1, 0)))
    found = np.cumprod(np.concatenate([np.ones_like(rows), wide], axis=1), axis=1)[:, :size]
    return found if increasing else flip(found, 1)


def _polyder(p: Any, m: int = 1) -> Any:
    for _ in range(m):
        exponents = shape(p)[0] - 1 - places(p, 0)
        p = (p * exponents.astype(p.dtype))[:-1]
    return p


def _polyint(p: Any, m: int = 1, k: Any = None) -> Any:
    if not isinstance(m, int):
        raise refuse("np.polyint()", "m")
    constants = made(p, np.zeros, m) if k is None else row_of(row(p, k), p)
    count = shape(constants)[0]
    if m > 1 and not isinstance(count, int):
        raise refuse("np.polyint()", "k")
    for each in range(m):
        exponents = (shape(p)[0] - places(p, 0)).astype(p.dtype)
        number = constants[:1] if m == 1 or count == 1 else constants[each : each + 1]
        p = np.concatenate([p / exponents, number])
    return p


def _polyfit(  # noqa: PLR0913, PLR0917
    x: Any,
    y: Any,
    deg: Any,
    rcond: Any = None,
    full: bool = False,
    w: Any = None,
    cov: Any = False,
) -> Any:
    if not isinstance(deg, int):
        raise refuse("np.polyfit()", "deg")
    table = _vander(x, deg + 1)
    if w is not None:
        table, y = table * w[:, None], y * (w if rank_of(y) == 1 else w[:, None])
    scale = np.sqrt(np.sum(table * table, axis=0))
    scaled, *more = np.linalg.lstsq(table / scale, y, rcond)
    found = scaled / (scale if rank_of(y) == 1 else scale[:, None])
    if full:
        return found, *more, 0.0 if rcond is None else rcond
    if not cov:
        return found
    base = np.linalg.inv(table.T @ table)
    if rank_of(y) > 1:
        base = base[:, :, None]
    return found, base if cov == "unscaled" else base * (more[0] / (shape(x)[0] - deg - 1))


def _require_rows(*operands: Any) -> None:
    """Coefficients are a row, or a number."""
    if any(rank_of(a) > 1 for a in operands):
        raise refuse("the sum of polynomials", "a1")


def _last_of(g: Any, a: Any) -> Any:
    """The cotangent of the coefficients ``a``, which stand at the end."""
    return g[shape(g)[0] - shape(a)[0] :] if rank_of(a) else g[-1]


def _polyadd_vjp(g: Any, _out: Any, a1: Any, a2: Any) -> Any:
    _require_rows(a1, a2)
    return _last_of(g, a1), _last_of(g, a2)


def _polyadd_jvp(tangents: Any, _out: Any, *operands: Any) -> Any:
    return np.polyadd(*_filled(tangents, operands))


def _polysub_jvp(tangents: Any, _out: Any, *operands: Any) -> Any:
    return np.polysub(*_filled(tangents, operands))


def _filled(tangents: Any, operands: Any) -> list[Any]:
    _require_rows(*operands)
    pairs = zip(tangents, operands, strict=True)
    return [zeros_like(x) if t is None else t for t, x in pairs]


def _polysub_vjp(g: Any, _out: Any, a1: Any, a2: Any) -> Any:
    _require_rows(a1, a2)
    return _last_of(g, a1), -_last_of(g, a2)


def _sinc_vjp(g: Any, out: Any, x: Any) -> Any:
    return g * _sinc_slope(out, x)


def _sinc_jvp(tangents: Any, out: Any, x: Any) -> Any:
    return tangents[0] * _sinc_slope(out, x)


def _sinc_slope(out: Any, x: Any) -> Any:
    """``(cos(πx) - sinc(x)) / x``, of which little is left near 0: there, its series."""
    is_near, square = np.absolute(x) < 1e-3, np.pi**2 * x * x
    series = x * (square * (np.pi**2 / 30) - np.pi**2 / 3)
    found = np.where(is_near, series, (np.cos(np.pi * x) - out) / np.where(is_near, 1, x))
    return found if rank_of(x) else found[()]


composed("polyval", _polyval)
composed("polyint", _polyint)
composed("polyfit", _polyfit)
explicit("polyadd", _polyadd_vjp, _polyadd_jvp)
explicit("polysub", _polysub_vjp, _polysub_jvp)
composed("polyder", _polyder)
composed("vander", _vander)
explicit("sinc", _sinc_vjp, _sinc_jvp)


def _linspace(  # noqa: PLR0913, PLR0917
    start: Any,
    stop: Any,
    num: Any = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: Any = None,
    axis: int = 0,
) -> Any:
    del dtype
    step = (stop - start) / call(max, num - 1 if endpoint else num, 1)
    numbers = made(start if is_traced(start) else stop, np.arange, num)
    found = _spread(lambda n: start + n * step, numbers, start, stop, axis)
    return (found, step) if retstep else found


def _spread(function: Any, numbers: Any, start: Any, stop: Any, axis: int) -> Any:
    """A function of numbers that stand along a new axis."""
    rank = max(rank_of(start), rank_of(stop))
    found = function(numbers[(slice(None), *(None,) * rank)])
    return np.moveaxis(found, 0, axis) if axis and rank else found


def _geomspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, dtype: Any = None, axis: int = 0
) -> Any:
    del dtype
    ratio = stop / start
    shares = made(ratio, np.linspace, 0.0, 1.0, num, endpoint)
    return _spread(lambda n: start * np.exp(np.log(ratio) * n), shares, start, stop, axis)


def _logspace(  # noqa: PLR0913, PLR0917
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    base: Any = 10.0,
    dtype: Any = None,
    axis: int = 0,
) -> Any:
    del dtype
    if rank_of(base):
        start, stop, base = np.broadcast_arrays(start, stop, base)
        base = np.expand_dims(base, axis)
    return base ** np.linspace(start, stop, num, endpoint, axis=axis)


def _bincount_vjp(g: Any, _out: Any, x: Any, weights: Any = None, minlength: Any = 0) -> Any:
    del minlength
    return None, None if weights is None else np.take(g, x)


composed("linspace", _linspace)
composed("geomspace", _geomspace)
composed("logspace", _logspace)
transposed("bincount", _bincount_vjp)
