"""Rules of NumPy's library: products, transforms, differences, and what moves elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from staticpy.ops.rules.arrays import (
    along,
    conj,
    flip,
    made,
    places,
    product,
    refuse,
    row,
    row_of,
    scatter_at,
    shape,
)
from staticpy.ops.rules.base import call, is_complex, rank_of, reapply, sum_to, wants
from staticpy.ops.rules.library import composed, constant, explicit, transposed
from staticpy.ops.subscripts import LETTERS, labels_of

# --- elements that are moved ----------------------------------------------------------------------


def _diagflat_vjp(g: Any, _out: Any, v: Any, k: int = 0) -> Any:
    return np.reshape(np.diag(g, k), shape(v))


def _compress(condition: Any, a: Any, axis: int | None = None) -> Any:
    whole = axis is None or not rank_of(a)
    rows, place = (np.ravel(a), 0) if whole else (a, axis % rank_of(a))  # type: ignore[operator]
    return np.take(rows, np.flatnonzero(row(a, condition)), axis=place)


def _rot90(m: Any, k: int = 1, axes: tuple[int, int] = (0, 1)) -> Any:
    if not isinstance(k, int | np.integer):
        raise refuse("np.rot90()", "k")
    first, second = (each % rank_of(m) for each in axes)
    if k % 4 == 2:
        return flip(flip(m, first), second)
    turned = flip(m, second) if k % 4 == 1 else m
    turned = np.swapaxes(turned, first, second) if k % 2 else turned
    return flip(turned, second) if k % 4 == 3 else turned


def _shifted(sign: int) -> Callable[..., Any]:
    def shift(x: Any, axes: Any = None) -> Any:
        given = range(rank_of(x)) if axes is None else axes
        for each in (given,) if isinstance(given, int) else given:
            half = shape(x)[each] // 2
            x = np.roll(x, half if sign > 0 else -half, axis=each)
        return x

    return shift


def _shift(name: str, sign: int) -> None:
    composed(name, _shifted(sign))


def _nan_to_num(
    x: Any, copy: bool = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None
) -> Any:
    del copy
    if is_complex(x):
        parts = (_nan_to_num(each, True, nan, posinf, neginf) for each in (x.real, x.imag))
        return next(parts) + 1j * next(parts)
    high, low = (0 if each is None else each for each in (posinf, neginf))
    found = np.where(np.isfinite(x), x, np.where(x > 0, high, low))
    return np.where(np.isnan(x), nan, found)


def _delete(arr: Any, obj: Any, axis: int | None = None) -> Any:
    rows, place = (np.ravel(arr), 0) if axis is None else (arr, axis % rank_of(arr))
    return np.take(rows, np.delete(places(rows, place), obj), axis=place)


def _ix(*args: Any) -> Any:
    count = len(args)
    pairs = enumerate(args)
    return tuple(
        np.reshape(each, [-1 if at == axis else 1 for axis in range(count)]) for at, each in pairs
    )


def _histogram_bin_edges(a: Any, bins: Any = 10, range: Any = None, weights: Any = None) -> Any:  # noqa: A002
    """At equal steps; how many there are is found here if ``bins`` says by which rule."""
    if isinstance(bins, tuple | list) or (not isinstance(bins, str) and rank_of(bins)):
        return row(a, bins)
    count = bins
    if isinstance(bins, str):
        if is_complex(a):
            raise refuse("np.histogram_bin_edges()", "bins")
        held = reapply("stop_gradient", a)
        count = shape(made(held, np.histogram_bin_edges, held, bins, range, weights))[0] - 1
    if range is not None:
        return made(a, np.linspace, *range, count + 1)
    is_empty = product(shape(a)) == 0
    low = np.where(is_empty, 0.0, np.min(a, initial=np.inf))
    high = np.where(is_empty, 1.0, np.max(a, initial=-np.inf))
    return np.linspace(low, high, count + 1)


def _unwrap(p: Any, discont: Any = None, axis: int = -1, *, period: Any = 2 * np.pi) -> Any:
    """So many periods are added as are found here; nothing flows through their number."""
    if not wants(period):
        return p

    def held(x: Any) -> Any:
        return x if x is None else reapply("stop_gradient", x)

    added = np.unwrap(held(p), held(discont), axis, period=held(period)) - held(p)
    return p + np.rint(added / held(period)) * period


def _resize(a: Any, new_shape: Any) -> Any:
    line = np.ravel(a)
    return line[np.resize(places(line, 0), new_shape)]


def _squeeze_vjp(g: Any, _out: Any, a: Any, axis: Any = None) -> Any:
    del axis
    return np.reshape(g, shape(a))


def _squeeze_jvp(tangents: Any, out: Any, _a: Any, axis: Any = None) -> Any:
    del axis
    return np.reshape(tangents[0], shape(out))


explicit("squeeze", _squeeze_vjp, _squeeze_jvp)
transposed("diagflat", _diagflat_vjp)
composed("delete", _delete)
composed("resize", _resize)
composed("ix_", _ix)
composed("histogram_bin_edges", _histogram_bin_edges)
composed("sort_complex", np.sort)
composed("from_dlpack", lambda x, /, **_: x)
composed("compress", _compress)
composed("extract", lambda condition, arr: _compress(np.ravel(condition), arr))
composed("fliplr", lambda m: flip(m, 1))
composed("flipud", lambda m: flip(m, 0))
composed("rot90", _rot90)
composed("matrix_transpose", lambda x, /: np.swapaxes(x, -1, -2))
composed("linalg.matrix_transpose", lambda x, /: np.swapaxes(x, -1, -2))
composed("linalg.diagonal", lambda x, /, *, offset=0: np.diagonal(x, offset, -2, -1))
composed("linalg.trace", lambda x, /, *, offset=0, dtype=None: np.trace(x, offset, -2, -1))
_shift("fft.fftshift", 1)
_shift("fft.ifftshift", -1)
composed("nan_to_num", _nan_to_num)
composed("unwrap", _unwrap)


# --- products -------------------------------------------------------------------------------------


def _tensordot_axes(a: Any, b: Any, axes: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The axes of both that are summed."""
    if isinstance(axes, int):
        return tuple(range(rank_of(a) - axes, rank_of(a))), tuple(range(axes))
    left, right = (tuple(each) if isinstance(each, tuple | list) else (each,) for each in axes)
    return tuple(each % rank_of(a) for each in left), tuple(each % rank_of(b) for each in right)


def _tensordot_vjp(g: Any, _out: Any, a: Any, b: Any, axes: Any = 2) -> Any:
    left, right = _tensordot_axes(a, b, axes)
    free_a = [each for each in range(rank_of(a)) if each not in left]
    free_b = [each for each in range(rank_of(b)) if each not in right]
    by_a = by_b = None
    if wants(a):
        found = np.tensordot(g, b, (tuple(range(len(free_a), rank_of(g))), tuple(free_b)))
        by_a = _placed(found, [*free_a, *(left[right.index(each)] for each in sorted(right))])
    if wants(b):
        found = np.tensordot(a, g, (tuple(free_a), tuple(range(len(free_a)))))
        by_b = _placed(found, [*(right[left.index(each)] for each in sorted(left)), *free_b])
    return by_a, by_b


def _placed(x: Any, axes: list[int]) -> Any:
    """``x`` with its axes put to the places ``axes``."""
    return np.transpose(x, np.argsort(axes).tolist()) if axes else x


def _kron(a: Any, b: Any) -> Any:
    if not rank_of(a) or not rank_of(b):
        return np.multiply(a, b)
    size = max(rank_of(a), rank_of(b))
    a, b = (x[(*(None,) * (size - rank_of(x)), ...)] if rank_of(x) < size else x for x in (a, b))
    left = a[tuple(each for _ in range(size) for each in (slice(None), None))]
    right = b[tuple(each for _ in range(size) for each in (None, slice(None)))]
    sizes = [m * n for m, n in zip(shape(a), shape(b), strict=True)]
    return np.reshape(left * right, sizes)


def _cross_parts(x: Any, axis: int) -> list[Any]:
    return [np.take(x, each, axis=axis) for each in range(3)]


def _cross(
    a: Any, b: Any, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None
) -> Any:
    if axis is not None:
        axisa = axisb = axisc = axis
    (a1, a2, a3), (b1, b2, b3) = _cross_parts(a, axisa), _cross_parts(b, axisb)
    parts = [a2 * b3 - a3 * b2, a3 * b1 - a1 * b3, a1 * b2 - a2 * b1]
    return np.stack(parts, axis=axisc)


def _convolve_full(g: Any, a: Any, v: Any, mode: str) -> Any:
    """The cotangent of a part of a convolution as one of the whole."""
    if mode == "full":
        return g
    (m,), (n,) = shape(a), shape(v)
    shorter = call(min, m, n)
    start = (shorter - 1) // 2 if mode == "same" else shorter - 1
    whole = made(g, np.zeros, (m + n - 1,), g.dtype)
    return scatter_at(g, whole, slice(start, start + shape(g)[0]))


def _convolve_vjp(g: Any, _out: Any, a: Any, v: Any, mode: str = "full") -> Any:
    """``out[k] = sum(a[i] v[k - i])``, so that ``a`` gets ``sum(g[k] v[k - i])``, a correlation."""
    if not rank_of(a) or not rank_of(v):
        rows = [each if rank_of(each) else row_of(each, g) for each in (a, v)]
        found = _convolve_vjp(g, None, rows[0], rows[1], mode)
        pairs = zip(found, (a, v), strict=True)
        return tuple(
            each if each is None or rank_of(x) else np.reshape(each, ()) for each, x in pairs
        )
    whole = _convolve_full(g, a, v, mode)
    by_a = np.correlate(whole, conj(v), "valid") if wants(a) else None
    return by_a, np.correlate(whole, conj(a), "valid") if wants(v) else None


def _correlate(a: Any, v: Any, mode: str = "valid") -> Any:
    """A convolution; if ``v`` is the longer one, its middle is that of the correlation turned
    round, which of an even size is another one.
    """
    how: Any = mode
    if mode != "same":
        return np.convolve(a, conj(flip(v, 0)), how)
    m, n = product(shape(a)), product(shape(v))
    start = call(min, m // 2, (n - 1) // 2)
    return np.convolve(a, conj(flip(v, 0)))[start : start + call(max, m, n)]


def _vecdot(a: Any, b: Any, axis: int = -1) -> Any:
    """The axis is that of each operand, which may have others in front."""
    rows = np.moveaxis(conj(a), axis, -1) * np.moveaxis(b, axis, -1)
    return np.sum(rows, axis=-1)


transposed("tensordot", _tensordot_vjp)
composed("linalg.tensordot", lambda a, b, /, *, axes=2: np.tensordot(a, b, axes))
composed("linalg.outer", lambda a, b, /: np.outer(a, b))
composed("linalg.matmul", lambda a, b, /: np.matmul(a, b))
composed("kron", _kron)
composed("cross", _cross)
composed("linalg.cross", lambda a, b, /, *, axis=-1: _cross(a, b, axis=axis))
transposed("convolve", _convolve_vjp)
composed("correlate", _correlate)
composed("vecdot", _vecdot)
composed("linalg.vecdot", lambda a, b, /, *, axis=-1: _vecdot(a, b, axis))
composed("matvec", lambda a, b: (a @ b[..., None])[..., 0])
composed("vecmat", lambda a, b: (conj(a)[..., None, :] @ b)[..., 0, :])


# --- einsum ---------------------------------------------------------------------------------------


def _einsum_back(g: Any, letters: list[str], output: str, operands: Any, at: int) -> Any:
    """The cotangent of one operand: ``einsum`` of all others and ``g``. An index that is nowhere
    else is stretched by ones, one that stands twice is put on a diagonal.
    """
    own, x = letters[at], operands[at]
    others = [each for each in range(len(operands)) if each != at]
    terms = [output, *(letters[each] for each in others)]
    values = [g, *(operands[each] for each in others)]
    target = ""
    for axis, letter in enumerate(own):
        size = shape(x)[axis]
        if letter in target:
            free = next(e for e in LETTERS if e not in "".join([*terms, own, target]))
            terms.append(letter + free)
            values.append(made(g, np.eye, size, dtype=g.dtype))
            target += free
            continue
        if letter not in "".join(terms):
            terms.append(letter)
            values.append(made(g, np.ones, (size,), g.dtype))
        target += letter
    found = np.einsum(f"{','.join(terms)}->{target}", *values)
    return sum_to(reapply("broadcast", found, x)[0], x)  # a size of 1 goes with any other


def _einsum_vjp(g: Any, _out: Any, subscripts: Any, *operands: Any, **_: Any) -> Any:
    if not isinstance(subscripts, str):
        raise refuse("np.einsum()", "operands")
    letters, output = labels_of(subscripts, list(map(rank_of, operands)))
    numbers = range(len(operands))
    return None, *(
        _einsum_back(g, letters, output, operands, at) if wants(operands[at]) else None
        for at in numbers
    )


transposed("einsum", _einsum_vjp)


# --- Fourier transforms ---------------------------------------------------------------------------


def _resized(y: Any, x: Any, axis: int) -> Any:
    """``y`` cut, or filled up with zeros, to the size of ``x`` along an axis."""
    size = shape(x)[axis]
    cut = y[along(axis, slice(None, size))]
    rest = x[along(axis, slice(shape(y)[axis], None))]
    filler = made(y, np.zeros, (*shape(cut)[:axis], shape(rest)[axis], *shape(cut)[axis + 1 :]))
    return np.concatenate([cut, filler.astype(y.dtype)], axis=axis)


def _fft_pull(function: Callable[..., Any]) -> Callable[..., Any]:
    """The matrix of a transform is symmetric: it is its own transpose."""

    def vjp(g: Any, _out: Any, a: Any, n: Any = None, axis: int = -1, norm: Any = None) -> Any:
        place = axis % rank_of(a)
        found = function(g, axis=place, norm=norm)
        return found if n is None else _resized(found, a, place)

    return vjp


def _rfft_vjp(g: Any, _out: Any, a: Any, n: Any = None, axis: int = -1, norm: Any = None) -> Any:
    """As ``fft`` without the second half."""
    place = axis % rank_of(a)
    size = shape(a)[place] if n is None else n
    found = np.fft.fft(g, size, place, norm).real
    return found if n is None else _resized(found, a, place)


_OPPOSITE: dict[Any, Any] = {None: "forward", "backward": "forward", "forward": "backward"}


def _irfft_vjp(g: Any, out: Any, a: Any, n: Any = None, axis: int = -1, norm: Any = None) -> Any:
    """Each number but the first, and the last of an even size, stands for a conjugate pair."""
    place = axis % rank_of(a)
    size = shape(out)[place]
    found = conj(np.fft.rfft(g, axis=place, norm=_OPPOSITE.get(norm, norm)))
    numbers = places(found, place)
    alone = np.logical_or(numbers == 0, 2 * numbers == size)
    weights = np.where(alone, 1.0, 2.0).astype(g.dtype)
    weighted = found * np.reshape(weights, (-1, *(1,) * (rank_of(a) - place - 1)))
    del n
    return _resized(weighted, a, place)


transposed("fft.fft", _fft_pull(np.fft.fft))
transposed("fft.ifft", _fft_pull(np.fft.ifft))
transposed("fft.rfft", _rfft_vjp)
transposed("fft.irfft", _irfft_vjp)
composed(
    "fft.hfft",
    lambda a, n=None, axis=-1, norm=None: np.fft.irfft(conj(a), n, axis, _OPPOSITE.get(norm, norm)),
)
composed(
    "fft.ihfft",
    lambda a, n=None, axis=-1, norm=None: np.conjugate(
        np.fft.rfft(a, n, axis, _OPPOSITE.get(norm, norm))
    ),
)


def _sizes_and_axes(a: Any, s: Any, axes: Any) -> list[tuple[Any, int]]:
    if axes is None:
        axes = range(rank_of(a)) if s is None else range(rank_of(a) - len(s), rank_of(a))
    sizes = [None] * len(axes) if s is None else s
    return [(None if size == -1 else size, axis) for size, axis in zip(sizes, axes, strict=True)]


def _several(name: str, last: Any, others: Any, first: bool, default: Any) -> None:
    """A transform along several axes, by those along one: ``last`` is that of the last axis."""

    def transform(a: Any, s: Any = None, axes: Any = default, norm: Any = None) -> Any:
        if not rank_of(a):
            return a + 0j
        *rest, (size, axis) = _sizes_and_axes(a, s, axes)
        if first:
            a = last(a, size, axis, norm)
        for each_size, each in reversed(rest):
            a = others(a, each_size, each, norm)
        return a if first else last(a, size, axis, norm)

    composed(name, transform)


for _suffix, _default in (("2", (-2, -1)), ("n", None)):
    _several(f"fft.fft{_suffix}", np.fft.fft, np.fft.fft, True, _default)
    _several(f"fft.ifft{_suffix}", np.fft.ifft, np.fft.ifft, True, _default)
    _several(f"fft.rfft{_suffix}", np.fft.rfft, np.fft.fft, True, _default)
    _several(f"fft.irfft{_suffix}", np.fft.irfft, np.fft.ifft, False, _default)


# --- what is constant -----------------------------------------------------------------------------

constant(
    *[
        "bartlett",
        "base_repr",
        "blackman",
        "broadcast_shapes",
        "diag_indices",
        "diag_indices_from",
        "digitize",
        "fft.fftfreq",
        "fft.rfftfreq",
        "fix",
        "hamming",
        "hanning",
        "indices",
        "iscomplex",
        "isfortran",
        "isin",
        "isneginf",
        "isposinf",
        "isreal",
        "linalg.matrix_rank",
        "nanargmax",
        "nanargmin",
        "ravel_multi_index",
        "binary_repr",
        "packbits",
        "unpackbits",
        "tri",
        "tril_indices",
        "tril_indices_from",
        "triu_indices",
        "triu_indices_from",
        "unravel_index",
        "array2string",
        "array_repr",
        "array_str",
        "format_float_positional",
        "format_float_scientific",
        "lexsort",
    ]
)
