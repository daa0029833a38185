"""Calls of NumPy's functions on which their derivatives are tested."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from staticpy.ir import UNKNOWN, TensorType
from staticpy.ops import sample_type
from staticpy.ops.library import call_numpy, items_of
from staticpy.ops.library_functions import find_function


def _complex(rng: np.random.Generator, *shape: int) -> Any:
    return rng.normal(size=shape) + 1j * rng.normal(size=shape)


def _symmetric(rng: np.random.Generator, *shape: int) -> Any:
    x = rng.normal(size=shape)
    return x @ np.swapaxes(x, -1, -2) + 2 * np.eye(shape[-1])


Arguments = tuple[str, tuple[Any, ...], dict[str, Any]]


def _products(rng: np.random.Generator) -> Iterator[Arguments]:
    x, y, z = rng.normal(size=(2, 3)), rng.normal(size=(3, 4)), rng.normal(size=(2, 3, 4))
    yield "tensordot", (x, y), {"axes": 1}
    yield "tensordot", (z, y, ((2, 1), (1, 0))), {}
    yield "tensordot", (z, y), {"axes": ((1,), (0,))}
    yield "tensordot", (x, y, 0), {}
    yield "kron", (x, y), {}
    yield "kron", (x[0], z + 1j), {}
    rows = ((x[0], y[0]), (y[0], x[0]), (y[0], x[:, 0]), (x[:, 0], y[0]), (x[0], x[1]))
    for a, v in rows:
        for mode in ("full", "same", "valid"):
            yield "convolve", (a, v, mode), {}
            yield "correlate", (a + 1j * a[::-1], v), {"mode": mode}
    yield "cross", (x, x[::-1] + 0.5), {}
    yield "linalg.cross", (x, x[::-1] + 0.5), {}
    yield "vecdot", (x + 1j, x[0]), {}
    yield "vecdot", (y[:, 0] + 1j, y), {"axis": 0}  # the first axis of each
    yield "linalg.vecdot", (y[:, :3], y[:, 0]), {"axis": 0}
    yield "linalg.outer", (x[0], y[0]), {}
    for text, operands in (
        ("ij,jk->ik", (x, y)),
        ("ij,jk", (x, y)),
        ("ii->i", (y[:, :3],)),
        ("ii", (y[:, :3],)),
        ("ij->", (x,)),
        ("ijk,jk,ij->k", (z, y, x)),
        ("i...,i...->...", (z, x[:, :, None])),
        ("...i,...i", (y, z)),
        ("ii,ij->j", (y[:, :3], y)),
        ("i,j,i->j", (x[0], y[0], x[1])),
        ("ij,ij", (x + 1j, x[:, :1])),
    ):
        yield "einsum", (text, *operands), {}
        yield "einsum", (text, *operands), {"optimize": True}


def _moves(rng: np.random.Generator) -> Iterator[Arguments]:
    x, z = rng.normal(size=(2, 3)), rng.normal(size=(2, 3, 4))
    yield "delete", (z, 1), {"axis": 1}
    yield "delete", (x, np.array([0, 2])), {}
    yield "resize", (x, (2, 5)), {}
    yield "sort_complex", (x + 1j,), {}
    yield "diagflat", (x,), {"k": 1}
    yield "compress", (np.array([True, False]), x), {"axis": 0}
    yield "extract", (x > 0, x), {}
    yield "append", (x, z), {}
    yield "append", (x, x), {"axis": 1}
    for k in (-1, 0, 1, 2, 3):
        yield "rot90", (z, k), {"axes": (2, 0)}
    yield "rot90", (x, np.int64(3)), {}
    yield "fliplr", (x,), {}
    yield "linalg.trace", (z,), {"offset": 1}
    yield "linalg.diagonal", (z,), {"offset": 1}
    for name in ("fftshift", "ifftshift"):
        yield f"fft.{name}", (z,), {}
        yield f"fft.{name}", (z,), {"axes": 1}
    yield "unwrap", (10 * x[0],), {}
    yield "unwrap", (10 * x, 3.5), {"keywords": ("period",), "axis": 0}
    yield "unwrap", (10 * x, 4.5, 3.5), {"keywords": ("discont", "period")}
    yield "nan_to_num", (np.where(x > 0, np.nan, x),), {}
    yield "nan_to_num", (np.where(x > 0, np.nan, x), 2.5), {"keywords": ("nan",)}
    edges = np.where(x > 0.3, np.inf, np.where(x < -0.3, -np.inf, x))
    yield "nan_to_num", (edges, 2.5, -3.5), {"keywords": ("posinf", "neginf")}


def _differences(rng: np.random.Generator) -> Iterator[Arguments]:
    x, z = rng.normal(size=(2, 3)), rng.normal(size=(2, 3, 4))
    points = np.cumsum(rng.random(4))
    yield "ediff1d", (z,), {}
    yield "gradient", (z,), {}
    yield "gradient", (z, 0.5), {"axis": 1}
    yield "gradient", (z, 0.5, points), {"axis": (1, 2)}
    yield "trapezoid", (z,), {}
    yield "trapezoid", (z, points), {}
    yield "trapezoid", (z, x[:, :, None] * points), {}
    yield "trapezoid", (z, 0.5), {"keywords": ("dx",), "axis": 0}
    yield "cumulative_sum", (x,), {"axis": 1, "include_initial": True}
    yield "cumulative_prod", (x,), {"axis": 1}


def _transforms(rng: np.random.Generator) -> Iterator[Arguments]:
    x = rng.normal(size=(4, 5, 6))
    for norm in (None, "ortho", "forward"):
        for n in (None, 3, 4, 9):
            for name in ("fft", "ifft", "irfft", "hfft"):
                yield f"fft.{name}", (x + 1j * x[::-1],), {"n": n, "axis": 1, "norm": norm}
            for name in ("fft", "rfft", "ihfft"):
                yield f"fft.{name}", (x, n, 2), {"norm": norm}
    for name in ("fft2", "ifft2", "irfft2", "fftn", "ifftn", "irfftn"):
        yield f"fft.{name}", (x + 1j * x[::-1],), {}
        yield f"fft.{name}", (x + 1j * x[::-1],), {"s": (3, 8), "axes": (1, 0)}
    yield "fft.rfft2", (x,), {}
    yield "fft.rfftn", (x,), {"axes": (2, 0)}


def _systems(rng: np.random.Generator) -> Iterator[Arguments]:
    a, b = rng.normal(size=(3, 3)), rng.normal(size=(2, 3, 3))
    yield "linalg.solve", (a, a[0]), {}
    yield "linalg.solve", (b, a), {}
    yield "linalg.solve", (a + 1j * b[0], b), {}
    yield "linalg.solve", (b, a[0]), {}
    for name in ("inv", "det", "slogdet", "pinv"):
        yield f"linalg.{name}", (a,), {}
        yield f"linalg.{name}", (b,), {}
        yield f"linalg.{name}", (b + 1j * b[::-1],), {}
    yield "linalg.pinv", (rng.normal(size=(4, 2)),), {}
    for n in (-3, -1, 0, 1, 2, 5):
        yield "linalg.matrix_power", (b, n), {}
    yield "linalg.matrix_power", (b, np.int8(-2)), {}
    yield "linalg.tensorinv", (rng.normal(size=(2, 3, 6)),), {"ind": 2}
    yield "linalg.lstsq", (rng.normal(size=(5, 3)), rng.normal(size=(5, 2))), {}
    yield "linalg.lstsq", (rng.normal(size=(5, 3)), rng.normal(size=5)), {}
    yield "linalg.lstsq", (a, a), {}
    wide, tall = rng.normal(size=(3, 5)), rng.normal(size=(4, 3)) * [1, 1, 0.01]
    for share in (1e-9, 0.1):  # of which the second one takes one of three for zero
        yield "linalg.pinv", (tall, share), {"keywords": ("rcond",)}
        yield "linalg.pinv", (np.stack([tall.T, wide[:, :4]]), share), {"keywords": ("rtol",)}
        yield "linalg.pinv", (tall + 0.01j, share), {}
        yield "linalg.lstsq", (tall, wide[0, :4], share), {}
        yield "linalg.lstsq", (tall.T, wide[:, :2], share), {}
    yield "linalg.pinv", (_symmetric(rng, 2, 3, 3) - np.eye(3), 0.3), {"hermitian": True}
    yield "linalg.lstsq", (tall, wide[0, :4], -1), {}
    yield "linalg.lstsq", (tall, wide[0, :4], -1.0), {}
    yield "linalg.tensorsolve", (rng.normal(size=(2, 3, 6)), a[:2]), {}


def _factorizations(rng: np.random.Generator) -> Iterator[Arguments]:
    a = _symmetric(rng, 2, 3, 3)
    yield "linalg.cholesky", (a,), {}
    yield "linalg.cholesky", (a + 1j * (np.tri(3) - np.tri(3).T) / 4,), {}
    yield "linalg.qr", (rng.normal(size=(2, 4, 3)),), {}
    yield "linalg.qr", (rng.normal(size=(3, 3)) + 1j * rng.normal(size=(3, 3)),), {}
    for shape in ((2, 4, 3), (3, 3), (2, 4), (5, 3)):  # of the last, two columns are added
        yield "linalg.qr", (rng.normal(size=shape), "complete"), {}
    yield "linalg.qr", (_complex(rng, 3, 4), "complete"), {}
    for shape in ((2, 4, 3), (3, 3), (2, 4), (1, 1)):
        yield "linalg.qr", (rng.normal(size=shape), "raw"), {}
    for size in (3, 4):
        yield "linalg.qr", (_complex(rng, 3, size), "raw"), {}
    yield "linalg.eigh", (a,), {}
    for triangle in ("U", "u", "l"):
        yield "linalg.eigh", (a[0], triangle), {}
    yield "linalg.eigvalsh", (a + 1j * (np.tri(3) - np.tri(3).T),), {}
    yield "linalg.svd", (a,), {}
    for shape in ((4, 3), (3, 4), (2, 3, 3)):
        yield "linalg.svd", (rng.normal(size=shape), False), {}
        yield "linalg.svd", (rng.normal(size=shape),), {"compute_uv": False}
        yield "linalg.svdvals", (_complex(rng, *shape),), {}
    yield "linalg.cond", (a,), {}
    for x in (rng.normal(size=(2, 3, 4)), _complex(rng, 2, 3, 4)):
        for ord_ in (None, 1, -1, 2, np.inf, -np.inf, 3):
            yield "linalg.norm", (x, ord_), {"axis": 1}
            yield "linalg.vector_norm", (x,), {"axis": 1, "ord": 2}
        for ord_ in (None, "fro", "nuc", 1, -1, 2, -2, np.inf):
            yield "linalg.norm", (x, ord_, (0, 2), True), {}
            yield "linalg.norm", (x[0], ord_), {}
        yield "linalg.norm", (x,), {}


def _statistics(rng: np.random.Generator) -> Iterator[Arguments]:
    x = rng.normal(size=(3, 5))
    holes = np.where(x > 0.7, np.nan, x)
    yield "average", (x,), {"axis": 1}
    yield "average", (x, np.abs(x[0])), {"keywords": ("weights",), "axis": 1}
    yield "average", (x, np.abs(x)), {"keywords": ("weights",), "returned": True}
    wide = rng.normal(size=(2, 3, 5))
    yield "average", (wide, np.abs(x.T)), {"keywords": ("weights",), "axis": (2, 1)}
    yield "average", (wide, np.abs(x[:2])), {"keywords": ("weights",), "axis": (0, 2)}
    for table in (x, x[0], x + 1j * x[::-1]):
        yield "cov", (table,), {}
        yield "corrcoef", (table,), {}
    yield "cov", (x, x[0]), {"bias": True}
    yield "cov", (x,), {"rowvar": False, "ddof": 2}
    for y in (x[:, :2], x[:1, :3]):
        yield "cov", (x, y), {"rowvar": False}
        yield "corrcoef", (x, y), {"rowvar": False}
    for name in ("nanvar", "nanstd"):
        yield name, (holes,), {"axis": 1, "ddof": 1, "keepdims": True}
        yield name, (holes,), {}
        yield name, (holes, holes < 0.5), {"keywords": ("where",), "axis": 1, "correction": 1}
        yield name, (holes, x[:1]), {"keywords": ("mean",), "axis": 0}
    yield "nancumsum", (holes,), {"axis": 1}
    yield "nancumprod", (holes,), {"axis": 1}
    yield "interp", (x, np.arange(-1.0, 3), rng.normal(size=4)), {}
    yield "interp", (0.3, np.arange(-1.0, 3), rng.normal(size=4), 0.5), {}
    yield "polyval", (x[0], x), {}
    yield "polyval", (x[0], 1.5), {}
    yield "polynomial.polynomial.polyval", (x, x[0]), {}
    yield "polyder", (x[0],), {"m": 2}
    yield "vander", (x[0], 3), {}
    yield "sinc", (np.append(x[0], 0.0),), {}
    yield "linspace", (x[0], x[1], 4), {"retstep": True}
    yield "linspace", (x[0], 0.5, 4), {"endpoint": False, "axis": 1}
    yield "geomspace", (0.5, 2.5, 4), {}
    yield "geomspace", (np.abs(x[0]), np.abs(x[1]), 4), {"axis": 1}
    yield "logspace", (0.5, 2.5, 4), {}
    yield "logspace", (0.5, 2.5, len(x[0]), True, np.abs(x[0])), {}  # a column for each base
    yield "logspace", (x[0], 2.5, 4, True, np.abs(x[0])), {"axis": 1}
    yield "polyint", (x[0],), {}
    yield "polyadd", (x[0], x[0, :3]), {}
    yield "polysub", (x[0], x[0, :3]), {}
    yield "polyfit", (x[0], x[1], 2), {}
    yield "bincount", (np.array([1, 1, 0]), x[:, 0]), {}


def _quantiles(rng: np.random.Generator) -> Iterator[Arguments]:
    x = rng.normal(size=(3, 5, 2))
    holes = np.where(x > 0.7, np.nan, x)
    parts = np.array([0.313, 0.827, 0.971])
    for axis in (None, 1, (0, 2)):
        yield "quantile", (x, parts, axis), {"keepdims": True}
        yield "percentile", (x, (30, 75)), {"axis": axis}
        yield "nanquantile", (holes, parts), {"axis": axis}
        yield "quantile", (x, 0.3), {"axis": axis}
        yield "quantile", (x, 0.3), {"axis": axis, "keepdims": True}
        yield "percentile", (x, 30), {"axis": axis}
        yield "nanquantile", (holes, 0.3), {"axis": axis}
        yield "nanpercentile", (holes, 30), {"axis": axis, "keepdims": True}
        yield "nanmedian", (holes,), {"axis": axis}


def _sequences(rng: np.random.Generator) -> Iterator[Arguments]:
    x, y, z = rng.normal(size=(2, 3)), rng.normal(size=(2, 3)), rng.normal(size=(3, 3))
    two = ("list", (None, None))
    yield "column_stack", (x[0], z), {"nesting": (("tuple", (None, None)),)}
    yield "dstack", (x, y), {"nesting": (two,)}
    yield "block", (z, x.T, x, y[:, :2]), {"nesting": (("list", (two, two)),)}
    yield "linalg.multi_dot", (x[0], z, y[1]), {"nesting": (("list", (None,) * 3),)}
    yield "choose", (np.array([5, 1, -2]), x, y), {"nesting": (None, two), "mode": "wrap"}
    yield "select", (x > 0, y > 0, x, y, 0.5), {"nesting": (two, two, None)}
    for name in ("concatenate", "stack", "vstack", "hstack", "column_stack", "dstack"):
        yield name, (np.stack([x, y]),), {}
    yield "choose", (np.array([1, 0, 1]), x), {}
    yield "select", (x > 0, np.stack([x[0], y[0]]), 0.5), {}
    yield "insert", (x, 1, y[0]), {}
    yield "insert", (x, 1, y[0]), {"axis": 0}
    yield "insert", (x, np.array([0, 2]), y[:, :2], 1), {}
    yield "trim_zeros", (np.array([0.0, 1.5, 0.0, 2.5, 0.0]),), {}
    yield "lib.stride_tricks.sliding_window_view", (z, (2, 2)), {}
    yield "lib.stride_tricks.sliding_window_view", (z, 2), {"axis": 1}
    for name in ("unique_all", "unique_values"):
        yield name, (np.append(x, x[0]),), {}
    for name in ("setdiff1d", "setxor1d", "union1d"):
        yield name, (x[0], np.append(x[0, :1], y[0])), {}
    yield "histogram", (x, 3), {}
    yield "histogram", (x, 3, y), {"keywords": ("weights",), "density": True}
    yield "histogram", (x, np.array([-1.0, 0.0, 1.0]), y), {"keywords": ("weights",)}
    yield "i0", (4 * x,), {}
    yield "kaiser", (5, 2.5), {}


def _polynomials(rng: np.random.Generator) -> Iterator[Arguments]:
    x, c, d = rng.normal(size=(3, 4))
    table = rng.normal(size=(4, 3))
    yield "poly", (c,), {}
    yield "polymul", (c, d[:2]), {}
    yield "polydiv", (c, d[:2] + 2), {}
    yield "polydiv", (d[:2], c), {}
    names = zip(_SERIES.split(), ("poly", "cheb", "leg", "herm", "herme", "lag"), strict=True)
    for module, prefix in names:
        of = f"polynomial.{module}.{prefix}"
        yield f"{of}val", (x, c), {}
        yield f"{of}vander", (x, 3), {}
        yield f"{of}der", (table,), {"axis": 1}
        yield f"{of}int", (c, 2), {"lbnd": 1}
        yield f"{of}mulx", (c,), {}
        yield f"{of}line", (0.5, 1.5), {}
        yield f"{of}add", (c, d[:2]), {}
    of = "polynomial.chebyshev.cheb"
    yield f"{of}sub", (c, d[:2]), {}
    yield f"{of}val", (x, table), {}
    yield f"{of}val2d", (x, c, table), {}
    yield f"{of}val3d", (x, c, d, table[:, :2, None] + x[:2]), {}
    yield f"{of}grid2d", (x, c[:2], table), {}
    yield f"{of}grid3d", (x, c[:2], d[:3], table[:, :2, None] + x[:2]), {}
    yield f"{of}vander2d", (x, c, (1, 2)), {}
    yield f"{of}fit", (x, c, 2), {}
    yield f"{of}fit", (x, c, 2, np.abs(d)), {"keywords": ("w",)}
    yield f"{of}weight", (x / 4,), {}
    of = "polynomial.polynomial.poly"
    yield f"{of}mul", (c, d[:2]), {}
    yield f"{of}fromroots", (c,), {}
    yield f"{of}valfromroots", (x, c), {}


_SERIES = "polynomial chebyshev legendre hermite hermite_e laguerre"


def _complex_ones(rng: np.random.Generator) -> Iterator[Arguments]:
    x = rng.normal(size=(2, 3))
    a = rng.normal(size=(3, 3))
    for name in ("arccos", "arcsin", "arctanh", "log", "log10", "log2", "sqrt"):
        yield f"emath.{name}", (2 * x,), {}
    yield "emath.logn", (2.0, x), {}
    yield "emath.power", (x, 0.3), {}
    yield "real_if_close", (x + 1j,), {}
    yield "linalg.eig", (a,), {}
    yield "linalg.eig", (_symmetric(rng, 3, 3),), {}
    yield "linalg.eigvals", (a + 1j * a.T,), {}
    yield "roots", (x[0],), {}
    yield "polynomial.legendre.legroots", (a[0],), {}


def _matrices(rng: np.random.Generator) -> Iterator[Arguments]:
    a = _symmetric(rng, 2, 3, 3)
    yield "linalg.cholesky", (a,), {"upper": True}
    yield "linalg.qr", (rng.normal(size=(2, 4, 3)),), {"mode": "r"}
    both = a + np.diag([-6.0, 0, 6])
    yield "linalg.svd", (both, False), {"hermitian": True}
    yield "linalg.svd", (both,), {"hermitian": True, "compute_uv": False}
    yield "linalg.svd", (a + 1j * (np.tri(3) - np.tri(3).T) / 4,), {"hermitian": True}
    yield "linalg.pinv", (both,), {"hermitian": True}
    for shape in ((4, 3), (3, 4), (2, 3, 2)):  # of which one vector is added
        yield "linalg.svd", (rng.normal(size=shape),), {}
    for p in ("fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf):
        yield "linalg.cond", (rng.normal(size=(2, 3, 3)),), {"p": p}
    b = rng.normal(size=(2, 3))
    yield "linalg.tensorsolve", (rng.normal(size=(2, 6, 3)), b), {"axes": (1,)}
    yield "linalg.tensorsolve", (rng.normal(size=(2, 3, 2, 3)), b), {"axes": (0, 1)}


def _more_sequences(rng: np.random.Generator) -> Iterator[Arguments]:
    x, y, w = rng.normal(size=(3, 8))
    two = ("tuple", (None, None))
    weights = {"keywords": ("weights",)}
    yield "histogram2d", (x, y, 3, w), weights
    yield "histogram2d", (x, y, 3, w), {**weights, "density": True}
    yield "histogram2d", (x, y, 2), {"density": True, "range": ((-1.0, 1.0), (-2.0, 2.0))}
    edges = np.array([-2.0, -0.5, 0.25, 1.5])
    yield "histogram2d", (x, y, edges, w), weights
    yield (
        "histogram2d",
        (x, y, 3, edges, w),
        {**weights, "nesting": (None, None, two, None)},
    )
    yield "histogramdd", (np.stack([x, y], axis=1), (3, 2), w), weights
    yield (
        "histogramdd",
        (x, y, w, 2, w),
        {**weights, "density": True, "nesting": (("tuple", (None, None, None)), None, None)},
    )
    yield "intersect1d", (x, np.append(y, x[:3])), {}
    yield "intersect1d", (x, np.append(y, x[:3])), {"return_indices": True}


def _more_series(rng: np.random.Generator) -> Iterator[Arguments]:
    c, d = rng.normal(size=5), rng.normal(size=3)
    ended = np.append(d, [0.0, 0.0])
    names = zip(_SERIES.split(), ("poly", "cheb", "leg", "herm", "herme", "lag"), strict=True)
    for module, prefix in names:
        of = f"polynomial.{module}.{prefix}"
        yield f"{of}mul", (c, d), {}
        yield f"{of}mul", (ended, c), {}
        yield f"{of}div", (c, d), {}
        yield f"{of}div", (d, c), {}
        yield f"{of}div", (c, d[:1]), {}
        yield f"{of}div", (c, ended), {}
        for n in (0, 1, 2, 4):
            yield f"{of}pow", (d, n), {}
        yield f"{of}fromroots", (d,), {}
        yield f"{of}companion", (c,), {}
        yield f"{of}companion", (d[:2],), {}
        yield f"{of}trim", (ended,), {}
        yield f"{of}trim", (np.append(d, 0.01), 0.1), {}


def _mixes_weights(x: Any) -> bool:
    """Whether NumPy gives elements along several axes the weights of others, as before 2.4."""
    given: Any = {"weights": np.abs(x), "method": "inverted_cdf"}
    parts = np.linspace(0, 1, 20)
    along, whole = np.quantile(x, parts, axis=(0, 1), **given), np.quantile(x, parts, **given)
    return not np.array_equal(along, whole)


def _options(rng: np.random.Generator) -> Iterator[Arguments]:
    x, holes = rng.normal(size=(3, 5)), rng.normal(size=(3, 5))
    holes[0, 1] = np.nan
    w = np.abs(x[0]) + 0.5
    yield "var", (x, x[:, :1]), {"keywords": ("mean",), "axis": 1, "ddof": 1}
    yield "std", (x + 1j * x[::-1], x[0]), {"keywords": ("mean",), "axis": (0, 1)}
    steps = ("lower", "higher", "nearest", "midpoint", "inverted_cdf", "closest_observation")
    others = ("hazen", "weibull", "median_unbiased", "normal_unbiased", "interpolated_inverted_cdf")
    for method in (*steps, "averaged_inverted_cdf", *others):
        for name in ("quantile", "nanquantile"):
            values = x if name == "quantile" else holes
            yield name, (values, np.array([0.01, 0.313, 0.97])), {"axis": 1, "method": method}
            yield name, (values, 0.613), {"axis": 1, "method": method}
    by = {"keywords": ("weights",), "method": "inverted_cdf"}
    yield "quantile", (x, np.array([0.2, 0.613, 1.0]), w), {**by, "axis": 1, "keepdims": True}
    of = (("quantile", x, 1), ("nanquantile", holes, 1), ("percentile", x, 100))
    for name, values, share in of:
        for axis in (1, None) if _mixes_weights(x) else (1, (1, 0), None):
            yield name, (values, share * np.array([0.2, 0.97]), np.abs(x)), {**by, "axis": axis}
            yield name, (values, share * 0.613, np.abs(x)), {**by, "axis": axis, "keepdims": True}
    yield "gradient", (x, 0.5), {"axis": 1, "edge_order": 2}
    yield "gradient", (x, np.cumsum(w)), {"axis": 1, "edge_order": 2}
    yield "cov", (x, w), {"keywords": ("aweights",)}
    yield "cov", (x, x[1], np.array([1, 2, 1, 3, 1])), {"keywords": ("fweights",)}
    yield "cov", (x, np.array([1, 2, 1, 3, 1]), w), {"keywords": ("fweights", "aweights")}
    yield "interp", (x, x[0], x[1], 1.7), {"keywords": ("period",)}
    yield "vander", (x[0],), {"increasing": True}
    yield "polyint", (x[0], 2, x[1, :2]), {}
    yield "polyint", (x[0], 1, 0.5), {}
    yield "polyfit", (x[0], x[1], 1, w), {"keywords": ("w",)}
    yield "polyfit", (x[0], x[1], 1, w), {"keywords": ("w",), "cov": True}
    yield "polyfit", (x[0], x[1:].T, 2), {"cov": "unscaled"}
    yield "polyfit", (x[0], x[1:].T, 2), {"full": True}
    yield "polyfit", (x[0], x[1], 2, 0.5, w), {"keywords": ("rcond", "w"), "full": True}
    yield "squeeze", (x[:, None, :],), {}
    yield "polyval", (x, x[0]), {}
    yield "polynomial.legendre.legval", (x[0, :3], x[:, :3]), {"tensor": False}
    yield "polynomial.polynomial.polyval", (x[0], x[:, :1]), {"tensor": False}
    yield "var", (x, x > -0.5), {"keywords": ("where",), "axis": 1, "correction": 1}
    yield "std", (x, x > -0.5, x[:, :1]), {"keywords": ("where", "mean"), "axis": 1, "ddof": 0.5}
    yield "quantile", (x, np.array([[0.1, 0.62], [0.93, 0.34]])), {"axis": 1, "keepdims": True}
    yield "nanquantile", (holes, np.array([[0.1, 0.62], [0.93, 0.34]])), {"axis": 0}
    for rule in ("auto", "sturges", "fd"):
        yield "histogram_bin_edges", (x, rule), {}
        yield "histogram", (x, rule), {"density": True}
    yield "histogram_bin_edges", (x, 4), {"range": (-1.0, 2.0)}
    yield "histogram_bin_edges", (x, np.array([-1.0, 0.5, 2.0])), {}


def library_cases(rng: np.random.Generator) -> Any:
    """The operands and attributes of each call."""
    groups = (_products, _moves, _differences, _transforms, _systems, _factorizations)
    more = (
        _statistics,
        _quantiles,
        _sequences,
        _polynomials,
        _complex_ones,
        _matrices,
        _more_sequences,
        _more_series,
        _options,
    )
    for group in (*groups, *more):
        for name, operands, attrs in group(rng):
            if find_function(name) is None:
                continue
            known = {"function": name, **attrs}
            results = tuple(map(_type_of, items_of(call_numpy(*operands, **known))))
            yield operands, {**known, "results": results}


def _type_of(item: Any) -> Any:
    """The type of a result, of no known size."""
    type_ = sample_type(item)
    if isinstance(type_, TensorType):
        return TensorType(type_.dtype, (UNKNOWN,) * type_.rank)
    return type_
