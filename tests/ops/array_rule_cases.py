"""Operands on which the derivatives of array ops are tested, besides the samples of the ops."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from staticpy.ir import UNKNOWN, TensorType

Cases = Callable[[np.random.Generator], Iterator[tuple[tuple[Any, ...], dict[str, Any]]]]

CASES: dict[str, Cases] = {}


def _case(*names: str) -> Callable[[Cases], Cases]:
    def enter(make: Cases) -> Cases:
        for name in names:
            CASES[name] = make
        return make

    return enter


def _complex(rng: np.random.Generator, *shape: int) -> Any:
    return rng.normal(size=shape) + 1j * rng.normal(size=shape)


@_case("matmul")
def _matmul(rng: np.random.Generator) -> Any:
    shapes = [
        ((3,), (3,)),
        ((2, 3), (3,)),
        ((5, 2, 3), (3,)),
        ((3,), (3, 4)),
        ((3,), (5, 3, 4)),
        ((5, 2, 3), (3, 4)),
        ((6, 5, 2, 3), (3, 4)),
        ((2, 3), (5, 3, 4)),
        ((5, 1, 2, 3), (6, 3, 4)),
        ((1, 3), (3, 1)),
        ((1, 2, 0), (0, 3)),
        ((0, 3), (3, 2)),
        ((2, 0, 3), (3, 2)),
    ]
    for left, right in shapes:
        yield (rng.normal(size=left), rng.normal(size=right)), {}
        yield (_complex(rng, *left), rng.normal(size=right)), {}
    yield (np.broadcast_to(rng.normal(size=3), (2, 3)), rng.normal(size=(3, 4))), {}
    yield (rng.random((2, 3), np.float32), rng.normal(size=(3, 4))), {}


@_case("dot", "inner")
def _dot(rng: np.random.Generator) -> Any:
    shapes = [((3,), (3,)), ((), (2, 3)), ((2, 3), ()), ((), ()), ((3, 3), (3, 3))]
    shapes += [((3,), (3, 3)), ((3, 3), (3,)), ((2, 3, 3), (3, 3)), ((3, 3), (2, 3, 3))]
    shapes += [((2, 3, 3), (4, 3, 3)), ((2, 3, 3), (3,)), ((3,), (2, 3, 3))]
    for left, right in shapes:
        yield (rng.normal(size=left), rng.normal(size=right)), {}
        yield (_complex(rng, *left), np.asarray(rng.normal(size=right))), {}


@_case("vdot", "outer")
def _vdot(rng: np.random.Generator) -> Any:
    yield (_complex(rng, 2, 3), _complex(rng, 6)), {}
    yield (_complex(rng, 2, 3), rng.normal(size=6)), {}
    yield (np.zeros(0), np.zeros(0)), {}


@_case("sum", "mean", "var", "min", "max", "prod", "ptp", "nansum", "nanmean", "nanprod")
def _reductions(rng: np.random.Generator) -> Any:
    x = rng.normal(size=(2, 3, 4))
    for attrs in ({}, {"axis": 1}, {"axis": (0, 2)}, {"axis": (2, 0), "keepdims": True}):
        yield (x,), attrs
        yield (x.astype("f4"),), attrs
    yield (x,), {"keepdims": True}
    yield (x[:1, :1, :1],), {"axis": 2}
    yield (np.float64(2.5),), {}
    yield (np.array(2.5),), {}
    yield (x.transpose(2, 0, 1),), {"axis": 0}


@_case("nanmin", "nanmax", "median", "std")
def _nan_extrema(rng: np.random.Generator) -> Any:
    x = rng.normal(size=(2, 3, 5))
    for attrs in ({}, {"axis": 1}, {"axis": (0, 2)}, {"axis": (0, 2), "keepdims": True}):
        yield (x,), attrs


@_case("cumsum", "cumprod")
def _running(rng: np.random.Generator) -> Any:
    x = rng.normal(size=(2, 3, 4))
    for attrs in ({}, {"axis": 1}, {"axis": 2}):
        yield (x,), attrs
        yield (np.where(x > 0.5, 0, x),), attrs
        yield (x + 1j,), attrs
    yield (np.zeros((2, 0)),), {"axis": 1}
    yield (x[0, 0, :1],), {"axis": 0}
    yield (np.array(2.5),), {}


@_case("call_reduce")
def _call_reduce(rng: np.random.Generator) -> Any:
    x = rng.normal(size=(3, 3))
    mask = np.array([[True, False, True], [True, True, True], [True, True, False]])
    for name in ("sum", "mean", "prod", "var", "std"):
        for axis in (None, 0, 1):
            attrs = {"function": name, "keywords": ("where",), "axis": axis}
            yield (x, mask), attrs
            yield (x, mask), {**attrs, "keepdims": True}
    for name in ("max", "min", "sum", "prod"):
        for axis in (None, 1):
            yield (x, 0.25), {"function": name, "keywords": ("initial",), "axis": axis}
            named = {"function": name, "keywords": ("initial", "where"), "axis": axis}
            yield (x, 0.25, mask), named
    yield (
        (x + 1j * x[::-1], mask),
        {"function": "var", "keywords": ("where",), "axis": 1, "ddof": 1},
    )
    yield (x,), {"function": "logaddexp.reduce", "axis": 1}
    for name in ("logaddexp", "logaddexp2", "hypot", "fmax", "fmin", "subtract", "divide"):
        yield (x,), {"function": f"{name}.reduce", "axis": 1, "keepdims": True}
        yield (x, 0.25), {"function": f"{name}.reduce", "keywords": ("initial",), "axis": 0}
    for name, initial in (("logaddexp2", -np.inf), ("hypot", 0.25), ("fmax", -1.0)):
        named = {"function": f"{name}.reduce", "keywords": ("initial", "where"), "axis": (0, 1)}
        yield (x, initial, mask), named
    for name in ("fmod", "remainder", "copysign", "heaviside", "floor_divide", "float_power"):
        yield (np.abs(x) + 0.2,), {"function": f"{name}.reduce", "axis": 0}
    f4 = np.dtype("float32")
    yield (x,), {"function": "maximum.reduce", "axis": 1, "dtype": f4}
    yield (x, mask), {"function": "nansum", "keywords": ("where",), "axis": 1}


@_case("ufunc.method")
def _methods(rng: np.random.Generator) -> Any:
    x = rng.normal(size=(2, 3))
    for name in ("add", "multiply", "maximum", "minimum"):
        yield (x,), {"function": f"{name}.accumulate", "axis": 1}
        yield (x,), {"function": f"{name}.accumulate", "axis": 0}
    more = ("subtract", "divide", "hypot", "logaddexp", "logaddexp2", "fmax", "fmin", "fmod")
    for name in (*more, "power", "arctan2", "remainder", "copysign", "floor_divide"):
        yield (np.abs(x) + 0.2,), {"function": f"{name}.accumulate", "axis": 1}
    yield (x, x[0]), {"function": "floor_divide.outer"}
    segments, y = np.array([0, 3, 1, 1, 4]), rng.normal(size=(5, 2))
    for name in ("add", "subtract", "multiply", "maximum", "fmin", "hypot", "logaddexp"):
        yield (y, segments), {"function": f"{name}.reduceat", "axis": 0}
        yield (y[:, 0], segments[:3]), {"function": f"{name}.reduceat", "axis": 0}
    yield (y.T, segments[:0]), {"function": "multiply.reduceat", "axis": 1}
    yield (y.T, segments), {"function": "logaddexp2.reduceat", "axis": 1}
    for function in ("add.accumulate", "maximum.accumulate", "subtract.accumulate"):
        yield (y,), {"function": function, "axis": 1, "dtype": np.dtype("float32")}
    yield (y, segments), {"function": "minimum.reduceat", "axis": 0, "dtype": np.dtype("float32")}


@_case("reshape")
def _reshape(rng: np.random.Generator) -> Any:
    yield (np.zeros((0, 3)),), {"shape": (3, 0)}
    yield (np.broadcast_to(rng.normal(size=3), (2, 3)),), {"shape": (6,)}
    yield (rng.normal(size=(2, 3)).astype("f4"), 2), {"shape": (3, None)}


@_case("concatenate")
def _concatenate(rng: np.random.Generator) -> Any:
    yield (
        (rng.normal(size=(2, 3)), rng.random((2, 1), np.float32), _complex(rng, 2, 0)),
        {"axis": 1},
    )
    yield (rng.normal(size=3),), {}


@_case("diagonal", "trace")
def _diagonal(rng: np.random.Generator) -> Any:
    for offset in (-1, 0, 2, 9):
        for axes in ((0, 1), (1, 0), (2, 0)):
            x = rng.normal(size=(2, 3, 4))
            yield (x,), {"offset": offset, "axis1": axes[0], "axis2": axes[1]}
    yield (np.zeros((0, 3)),), {}


@_case("diag")
def _diag(rng: np.random.Generator) -> Any:
    for k in (-2, 0, 1, 7):
        yield (rng.normal(size=(3, 4)),), {"k": k}
        yield (rng.normal(size=3),), {"k": k}


@_case("pad")
def _pad(rng: np.random.Generator) -> Any:
    x = rng.normal(size=(2, 3))
    for mode in ("edge", "reflect", "symmetric", "wrap"):
        yield (x,), {"pad_width": ((1, 3), (0, 4)), "mode": mode}
    yield (x, 2.5), {"pad_width": ((1, 3), (0, 4))}
    for values in (x[:, :2], x[:1, :2], x[:, :1], x[0, :2]):  # for each axis and side
        yield (x, values), {"pad_width": ((1, 3), (0, 4))}
    yield (np.zeros((2, 0)), 2.5), {"pad_width": ((1, 0), (2, 0))}
    x = rng.normal(size=(4, 5, 2))
    widths = {"pad_width": ((1, 3), (0, 2), (0, 0))}
    for mode in ("maximum", "minimum", "mean", "median"):
        yield (x,), {**widths, "mode": mode}
        yield (x,), {**widths, "mode": mode, "stat_length": 3}
        yield (x,), {**widths, "mode": mode, "stat_length": ((2, 1), (1, 9), (1, 1))}
    yield (x,), {**widths, "mode": "linear_ramp"}
    yield (x,), {**widths, "mode": "linear_ramp", "end_values": ((1, 2.5), (-1, 3), (0, 0))}
    for mode in ("reflect", "symmetric"):
        yield (x,), {"pad_width": ((2, 3), (1, 0), (0, 7)), "mode": mode, "reflect_type": "odd"}
        yield (x,), {**widths, "mode": mode, "reflect_type": "even"}


@_case("where")
def _where(rng: np.random.Generator) -> Any:
    x = rng.random((2, 3))
    yield (x > 0.5, x.astype("f4"), -x.astype("f4")), {}
    yield (x > 0.5, x + 1j, x), {}
    yield (np.array(True), np.array(2.5), np.array(3.5)), {}


@_case("clip")
def _clip(rng: np.random.Generator) -> Any:
    x = rng.normal(size=20)
    yield (x, x[::-1].copy() - 0.5, x * 0 + 0.5), {}


@_case("take")
def _take(rng: np.random.Generator) -> Any:
    x = rng.normal(size=(2, 3))
    yield (x, np.array([[0, -1], [1, 1]])), {"axis": 1}
    yield (x, np.array([0, -1, 9, 7])), {"mode": "clip"}
    yield (x, np.array([0, -1, 9, 7])), {"mode": "wrap", "axis": 0}
    yield (x, np.array([], int)), {"axis": 0}


@_case("take_along_axis")
def _take_along(rng: np.random.Generator) -> Any:
    x = rng.normal(size=(2, 3, 4))
    yield (x, np.array([[[0], [1], [1]]])), {"axis": 2}
    yield (x, np.array([[[0], [1], [1]], [[0], [1], [-1]]])), {"axis": 0}


@_case("sort")
def _sort(rng: np.random.Generator) -> Any:
    x = rng.normal(size=(4, 5))
    for axis in (0, 1, -1, None):
        yield (x,), {"axis": axis}
    yield (np.zeros((0, 3)),), {"axis": 0}


@_case("partition")
def _partition(rng: np.random.Generator) -> Any:
    x = rng.normal(size=(4, 50))
    for axis in (0, 1, -1):
        yield (x,), {"axis": axis, "kth": 2}
    yield (x,), {"axis": None, "kth": 100}


@_case("unique")
def _unique(rng: np.random.Generator) -> Any:
    yield (rng.normal(size=(2, 3)),), {}
    yield (rng.normal(size=(2, 3)),), {"return_inverse": True}
    yield (rng.normal(size=(2, 3)),), {"axis": 0}


@_case("index")
def _index(rng: np.random.Generator) -> Any:
    x = _complex(rng, 4, 3)
    yield (x, np.array([[0, 0], [3, -1]])), {"spec": ("array",)}
    yield (x, [0, 0, 3]), {"spec": ("array",)}
    yield (x, 1), {"spec": ((None, None, -2), "value")}
    yield (x, np.zeros(0, int)), {"spec": ("array",)}
    yield (x.real.astype("f4"), x.real > 0), {"spec": ("array",)}


@_case("array")
def _array(rng: np.random.Generator) -> Any:
    f8 = np.dtype("float64")
    yield (1.5, np.float32(2), np.array(2.5), 3), {"shape": (2, 2), "dtype": f8}
    yield (2.5,), {"shape": (), "dtype": np.dtype("float32")}
    yield (rng.normal(size=3), rng.normal(size=3)), {"shape": (2, 1), "dtype": f8}


@_case("linspace")
def _linspace(rng: np.random.Generator) -> Any:
    yield (0.5, 2.5), {"num": 4}
    yield (np.float64(0.5), np.array(3.5)), {"num": 4, "endpoint": False}
    yield (0.5, 2.5), {"num": 1}


@_case("full")
def _full(rng: np.random.Generator) -> Any:
    yield (2.5, 3), {"shape": (2, None), "dtype": np.dtype("float32")}
    yield (np.array(2.5),), {"shape": (2, 3), "dtype": np.dtype("float64")}


@_case("full_like")
def _full_like(rng: np.random.Generator) -> Any:
    yield (rng.normal(size=(2, 3)), 2.5), {}
    yield (np.zeros((2, 3), int), np.float64(2.5)), {"dtype": np.dtype("float64")}


@_case("diff")
def _diff(rng: np.random.Generator) -> Any:
    for n in (1, 2, 3):
        for axis in (0, 1):
            yield (rng.normal(size=(4, 3)),), {"n": n, "axis": axis}
    yield (np.zeros((2, 1)),), {}
    yield (np.zeros((2, 0)),), {}


@_case("round")
def _round(rng: np.random.Generator) -> Any:
    yield (0.3 + rng.normal(size=4).round(),), {}


@_case("flat.getitem", "scatter_add", "recurrence")
def _of_samples(_: np.random.Generator) -> Any:
    return ()


@_case("arange")
def _arange(_: np.random.Generator) -> Any:
    f8 = np.dtype("float64")
    yield (2.5,), {"dtype": f8}
    yield (0.5, 3.2), {"dtype": f8}
    yield (0.5, np.float64(3.1), 0.3), {"dtype": f8}


@_case("numpy.trick")
def _trick(rng: np.random.Generator) -> Any:
    x, values = rng.normal(size=(3, 2)), ("value", "value", "value")
    row, table = (TensorType(x.dtype, (UNKNOWN,) * rank) for rank in (1, 2))
    attrs = {"spec": values, "is_tuple": True}
    yield (x[0], 1.5, x[:, 0]), {"function": "r_", "results": (row,), **attrs}
    yield (x, x[:, 0], x), {"function": "c_", "results": (table,), **attrs}
