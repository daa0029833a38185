"""Functions and methods of arrays against NumPy: reductions, shapes, products, constructors.

Each row is a program of ``np``, the builtins ``py`` and some arrays. It runs with NumPy and as a
graph, with sizes that are symbols and with sizes that are numbers; value, box and dtype must agree.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy.diagnostics import DiagnosticError
from staticpy.ir import DTYPES
from tests.support.proxy import Program, check, graph_of

pytestmark = pytest.mark.filterwarnings("ignore")

_RNG = np.random.default_rng(7)


def _of(dtype: Any, *shape: int) -> np.ndarray:
    numbers = _RNG.integers(0, 9, shape) - (0 if np.dtype(dtype).kind in "bu" else 3)
    return (numbers * 1.37).astype(dtype) if np.dtype(dtype).kind in "fc" else numbers.astype(dtype)


_REDUCTIONS = [
    "sum",
    "prod",
    "mean",
    "std",
    "var",
    "min",
    "max",
    "any",
    "all",
    "argmin",
    "argmax",
    "ptp",
    "amin",
    "amax",
]
_AXES: list[Any] = [None, 0, -1, 1, (0, 1), (-1, 0), (), 5, (0, 0)]


@pytest.mark.parametrize("dtype", DTYPES.values(), ids=str)
@pytest.mark.parametrize("name", _REDUCTIONS)
def test_reduction(name: str, dtype: np.dtype) -> None:
    operands = [_of(dtype, 3, 4), _of(dtype, 5), _of(dtype)[()], np.array(_of(dtype))]
    operands += [_of(dtype, 0, 3), _of(dtype, 2, 3, 4).transpose(2, 0, 1)]
    for operand in operands:
        for axis in _AXES:
            for keepdims in (False, True):
                check(
                    lambda np, _, x, a=axis, k=keepdims: getattr(np, name)(x, axis=a, keepdims=k),
                    operand,
                )


@pytest.mark.parametrize(
    "name", ["sum", "prod", "mean", "std", "var", "min", "max", "any", "all", "argmin", "argmax"]
)
def test_reduction_method(name: str) -> None:
    for operand in (_of("f4", 3, 4), _of("i2", 5), np.float64(3.5), np.array(2), True, 2.5):
        check(lambda np, _, x: getattr(x, name)(), operand)
        check(lambda np, _, x: getattr(x, name)(axis=0), operand)
        check(lambda np, _, x: getattr(x, name)(0), operand)


@pytest.mark.parametrize("name", ["cumsum", "cumprod"])
def test_running_reduction(name: str) -> None:
    for dtype in DTYPES.values():
        for operand in (_of(dtype, 3, 4), _of(dtype, 5), _of(dtype)[()], np.array(_of(dtype))):
            for axis in (None, 0, -1, 3):
                check(lambda np, _, x, a=axis: getattr(np, name)(x, axis=a), operand)
                check(lambda np, _, x, a=axis: getattr(np, name)(x, a, np.float32), operand)


_PROGRAMS: dict[str, Program] = {
    "sum-dtype": lambda np, _, x, y: np.sum(x, dtype=np.float32),
    "sum-dtype-name": lambda np, _, x, y: x.sum(axis=0, dtype="int8"),
    "sum-list": lambda np, _, x, y: np.sum([x, x], axis=0),
    "std-ddof": lambda np, _, x, y: np.std(x, axis=1, ddof=1),
    "mean-dtype": lambda np, _, x, y: x.mean(dtype=np.float64),
    "transpose": lambda np, _, x, y: x.T,
    "transpose-function": lambda np, _, x, y: np.transpose(x),
    "transpose-axes": lambda np, _, x, y: np.transpose(x, (1, 0)),
    "transpose-method": lambda np, _, x, y: x.transpose(1, 0),
    "transpose-tuple": lambda np, _, x, y: x.transpose((-1, 0)),
    "transpose-none": lambda np, _, x, y: x.transpose(None),
    "transpose-bad": lambda np, _, x, y: x.transpose(0, 0),
    "transpose-row": lambda np, _, x, y: y.T,
    "swapaxes": lambda np, _, x, y: np.swapaxes(x, 0, -1),
    "swapaxes-method": lambda np, _, x, y: x.swapaxes(1, 0),
    "moveaxis": lambda np, _, x, y: np.moveaxis(x[None], 0, -1),
    "moveaxis-several": lambda np, _, x, y: np.moveaxis(x[None], (0, 1), (1, 2)),
    "moveaxis-bad": lambda np, _, x, y: np.moveaxis(x, (0, 1), 0),
    "reshape": lambda np, _, x, y: np.reshape(x, (4, 3)),
    "reshape-method": lambda np, _, x, y: x.reshape(2, 6),
    "reshape-tuple": lambda np, _, x, y: x.reshape((2, 6)),
    "reshape-list": lambda np, _, x, y: x.reshape([2, 6]),
    "reshape-int": lambda np, _, x, y: x.reshape(-1),
    "reshape-rest": lambda np, _, x, y: x.reshape(x.shape[0], -1),
    "reshape-first": lambda np, _, x, y: x[None].reshape(-1, x.shape[0]),
    "reshape-swapped": lambda np, _, x, y: x.reshape(x.shape[1], x.shape[0]),
    "reshape-size": lambda np, _, x, y: x.reshape(x.size),
    "reshape-wrong": lambda np, _, x, y: x.reshape(5, 5),
    "reshape-two": lambda np, _, x, y: x.reshape(-1, -1),
    "reshape-float": lambda np, _, x, y: x.reshape(2.0, 6),
    "reshape-scalar": lambda np, _, x, y: np.reshape(3, (1, 1)),
    "ravel": lambda np, _, x, y: np.ravel(x.T),
    "ravel-method": lambda np, _, x, y: y.ravel(),
    "flatten": lambda np, _, x, y: x.T.flatten(),
    "expand_dims": lambda np, _, x, y: np.expand_dims(x, 1),
    "expand_dims-last": lambda np, _, x, y: np.expand_dims(x, -1),
    "expand_dims-several": lambda np, _, x, y: np.expand_dims(x, (0, 3)),
    "expand_dims-bad": lambda np, _, x, y: np.expand_dims(x, 5),
    "squeeze": lambda np, _, x, y: np.squeeze(x[None], axis=0),
    "squeeze-method": lambda np, _, x, y: x[:, None].squeeze(1),
    "squeeze-one": lambda np, _, x, y: np.squeeze(x[:1, :1], (0, 1)),
    "squeeze-wrong": lambda np, _, x, y: np.squeeze(x, 0),
    "broadcast_to": lambda np, _, x, y: np.broadcast_to(y, (3, 4)),
    "broadcast_to-shape": lambda np, _, x, y: np.broadcast_to(y, x.shape),
    "broadcast_to-wrong": lambda np, _, x, y: np.broadcast_to(x, (4, 4)),
    "broadcast_to-rank": lambda np, _, x, y: np.broadcast_to(x, (4,)),
    "broadcast_to-number": lambda np, _, x, y: np.broadcast_to(2.5, (2,)),
    "concatenate": lambda np, _, x, y: np.concatenate([x, x * 2.5]),
    "concatenate-axis": lambda np, _, x, y: np.concatenate((x, x, x), axis=-1),
    "concatenate-none": lambda np, _, x, y: np.concatenate((x, y), axis=None),
    "concatenate-one": lambda np, _, x, y: np.concatenate([y]),
    "concatenate-lists": lambda np, _, x, y: np.concatenate([y, [1, 2]]),
    "concatenate-rank": lambda np, _, x, y: np.concatenate([x, y]),
    "concatenate-wrong": lambda np, _, x, y: np.concatenate([x, x[:, :2]]),
    "concatenate-nothing": lambda np, _, x, y: np.concatenate([]),
    "concatenate-numbers": lambda np, _, x, y: np.concatenate([1, 2]),
    "stack": lambda np, _, x, y: np.stack([x, x]),
    "stack-axis": lambda np, _, x, y: np.stack((y, y), axis=-1),
    "stack-numbers": lambda np, _, x, y: np.stack([x[0, 0], 2, 2.5]),
    "stack-wrong": lambda np, _, x, y: np.stack([x, y]),
    "vstack": lambda np, _, x, y: np.vstack([x, y]),
    "vstack-rows": lambda np, _, x, y: np.vstack([y, y]),
    "hstack": lambda np, _, x, y: np.hstack([x, x]),
    "hstack-rows": lambda np, _, x, y: np.hstack([y, y, [1, 2]]),
    "hstack-numbers": lambda np, _, x, y: np.hstack([1, 2.5]),
    "flip": lambda np, _, x, y: np.flip(x),
    "flip-axis": lambda np, _, x, y: np.flip(x, 1),
    "shape": lambda np, _, x, y: x.shape,
    "shape-function": lambda np, _, x, y: np.shape(x),
    "ndim": lambda np, _, x, y: (x.ndim, np.ndim(y), np.ndim(3)),
    "size": lambda np, _, x, y: (x.size, np.size(y)),
    "nbytes": lambda np, _, x, y: (x.nbytes, y.itemsize),
    "len": lambda np, py, x, y: (py.len(x), py.len(y)),
    "len-number": lambda np, py, x, y: py.len(x[0, 0]),
    "matmul": lambda np, _, x, y: x @ y,
    "matmul-function": lambda np, _, x, y: np.matmul(x, x.T),
    "matmul-vectors": lambda np, _, x, y: y @ y,
    "matmul-batch": lambda np, _, x, y: x[None] @ x.T,
    "matmul-row": lambda np, _, x, y: y @ x.T,
    "matmul-wrong": lambda np, _, x, y: x @ x,
    "matmul-number": lambda np, _, x, y: x @ 2,
    "matmul-scalar": lambda np, _, x, y: x[0, 0] @ x,
    "matmul-slices": lambda np, _, x, y: x[:, 1:] @ y[1:],
    "matmul-slices-wrong": lambda np, _, x, y: x[:, 1:] @ y[2:],
    "dot": lambda np, _, x, y: np.dot(x, y),
    "dot-method": lambda np, _, x, y: x.dot(y),
    "dot-matrices": lambda np, _, x, y: np.dot(x, x.T),
    "dot-number": lambda np, _, x, y: np.dot(x, 2),
    "dot-numbers": lambda np, _, x, y: np.dot(2.5, 3),
    "dot-wrong": lambda np, _, x, y: np.dot(x, x),
    "inner": lambda np, _, x, y: np.inner(x, y),
    "inner-matrices": lambda np, _, x, y: np.inner(x, x),
    "vdot": lambda np, _, x, y: np.vdot(x, x),
    "outer": lambda np, _, x, y: np.outer(x, y),
    "zeros": lambda np, _, x, y: np.zeros((2, 3)),
    "zeros-int": lambda np, _, x, y: np.zeros(4, dtype=np.int8),
    "zeros-shape": lambda np, _, x, y: np.zeros(x.shape, x.dtype),
    "zeros-size": lambda np, _, x, y: np.zeros((x.shape[0], 2, x.size)),
    "zeros-empty-shape": lambda np, _, x, y: np.zeros(()),
    "zeros-negative": lambda np, _, x, y: np.zeros(-1),
    "zeros-float": lambda np, _, x, y: np.zeros(2.0),
    "zeros-bool": lambda np, _, x, y: np.zeros(True),
    "ones": lambda np, _, x, y: np.ones(x.shape[:1], bool),
    "full": lambda np, _, x, y: np.full((2, 2), 7),
    "full-scalar": lambda np, _, x, y: np.full(3, x[0, 0]),
    "full-array": lambda np, _, x, y: np.full(x.shape, y),
    "full-dtype": lambda np, _, x, y: np.full(2, 2.7, dtype=np.int16),
    "full-overflow": lambda np, _, x, y: np.full(2, 300, dtype=np.uint8),
    "zeros_like": lambda np, _, x, y: np.zeros_like(x.T),
    "ones_like": lambda np, _, x, y: np.ones_like(y, dtype=float),
    "ones_like-number": lambda np, _, x, y: np.ones_like(3),
    "full_like": lambda np, _, x, y: np.full_like(y, 2),
    "full_like-overflow": lambda np, _, x, y: np.full_like(x, 10**400),
    "arange": lambda np, _, x, y: np.arange(5),
    "arange-three": lambda np, _, x, y: np.arange(1, 10, 3),
    "arange-back": lambda np, _, x, y: np.arange(5, 0, -2),
    "arange-float": lambda np, _, x, y: np.arange(0.0, 1.0, 0.25),
    "arange-size": lambda np, _, x, y: np.arange(x.shape[0]),
    "arange-size-float": lambda np, _, x, y: np.arange(1, x.shape[1], dtype=np.float32),
    "arange-keyword": lambda np, _, x, y: np.arange(2, stop=6),
    "arange-step": lambda np, _, x, y: np.arange(6, step=2),
    "arange-zero": lambda np, _, x, y: np.arange(0, 5, 0),
    "arange-scalar": lambda np, _, x, y: np.arange(np.float32(3)),
    "eye": lambda np, _, x, y: np.eye(3),
    "eye-more": lambda np, _, x, y: np.eye(2, 4, k=-1, dtype=np.int8),
    "eye-size": lambda np, _, x, y: np.eye(x.shape[0]),
    "identity": lambda np, _, x, y: np.identity(3, dtype=np.float32),
    "linspace": lambda np, _, x, y: np.linspace(0, 1, 5),
    "linspace-end": lambda np, _, x, y: np.linspace(0, x[0, 0], 4, endpoint=False),
    "asarray": lambda np, _, x, y: np.asarray(x),
    "asarray-dtype": lambda np, _, x, y: np.asarray(x, dtype=np.float32),
    "asarray-number": lambda np, _, x, y: np.asarray(2.5),
    "asarray-scalar": lambda np, _, x, y: np.asarray(x[0, 0]),
    "array-list": lambda np, _, x, y: np.array([1, 2.5, True]),
    "array-nested": lambda np, _, x, y: np.array([[1, 2], [x[0, 0], 4]]),
    "array-rows": lambda np, _, x, y: np.array([y, y * 2]),
    "array-mixed": lambda np, _, x, y: np.array([y, [1, 2, 3, 4]]),
    "array-ragged": lambda np, _, x, y: np.array([[1, 2], [3]]),
    "array-ragged-rows": lambda np, _, x, y: np.array([y, y[1:]]),
    "array-empty": lambda np, _, x, y: np.array([]),
    "array-dtype": lambda np, _, x, y: np.array([1.7, 2], dtype=np.int32),
    "array-overflow": lambda np, _, x, y: np.array([300], dtype=np.uint8),
    "array-copy": lambda np, _, x, y: np.array(x.T),
    "array-bool": lambda np, _, x, y: np.array([1, 0, 2.5], dtype=bool),
    "copy": lambda np, _, x, y: np.copy(x.T),
    "copy-method": lambda np, _, x, y: x.T.copy(),
    "copy-scalar": lambda np, _, x, y: x[0, 0].copy(),
    "astype": lambda np, _, x, y: x.astype(np.float32),
    "astype-same": lambda np, _, x, y: x.astype(x.dtype),
    "astype-name": lambda np, _, x, y: x.astype("complex64"),
    "astype-python": lambda np, _, x, y: x.astype(int),
    "astype-scalar": lambda np, _, x, y: x[0, 0].astype(np.int8),
    "scalar-class": lambda np, _, x, y: np.float32(y),
    "scalar-class-list": lambda np, _, x, y: np.float32([1, 2]),
    "item": lambda np, _, x, y: x[0, 0].item(),
    "item-wrong": lambda np, _, x, y: x.item(),
    "conj": lambda np, _, x, y: x.conj(),
    "real": lambda np, _, x, y: (x.real, x.imag),
    "clip": lambda np, _, x, y: x.clip(0, 2),
    "round": lambda np, _, x, y: x.round(1),
    "broadcast": lambda np, _, x, y: x + y,
    "broadcast-column": lambda np, _, x, y: x[:, None] * y,
    "broadcast-slices": lambda np, _, x, y: y[1:] - y[:-1],
    "broadcast-wrong": lambda np, _, x, y: y[1:] - y,
    "broadcast-numbers": lambda np, _, x, y: np.zeros(3) + np.zeros(4),
    "softmax": lambda np, _, x, y: np.exp(x - np.max(x, axis=-1, keepdims=True)),
    "python-list": lambda np, _, x, y: np.maximum(y, [1, 2, 3, 4]),
    "sum-builtin": lambda np, py, x, y: py.sum([x, y, 2]),
    "min-builtin": lambda np, py, x, y: py.min(y),
    "max-builtin": lambda np, py, x, y: py.max(y[0], y[1], y[2]),
    "string": lambda np, _, x, y: x + "a",
    "none": lambda np, _, x, y: np.tanh(None),
}
_OPERANDS: dict[str, tuple[Any, Any]] = {
    "float64": (_of("f8", 3, 4), _of("f8", 4)),
    "int16": (_of("i2", 3, 4), _of("i2", 4)),
    "complex64-bool": (_of("c8", 3, 4), _of("?", 4)),
    "transposed": (_of("f4", 4, 3).T, _of("f4", 8)[::2]),
}


@pytest.mark.parametrize("operands", _OPERANDS.values(), ids=_OPERANDS)
@pytest.mark.parametrize("program", _PROGRAMS.values(), ids=_PROGRAMS)
def test_program(program: Program, operands: tuple[Any, Any]) -> None:
    check(program, *operands)
    check(program, *operands, symbolic=False)


_NEVER_REFUSED = [name for name in _PROGRAMS if name.split("-")[-1] not in (
    "wrong", "bad", "two", "negative", "float", "rank", "nothing", "numbers", "number", "ragged",
    "overflow", "string", "none", "object", "scalar", "bool", "zero", "rows", "builtin", "end",
    "arange", "clip", "round", "method", "softmax", "row",
)]  # fmt: skip


@pytest.mark.parametrize("name", _NEVER_REFUSED)
def test_program_compiles(name: str) -> None:
    graph_of(_PROGRAMS[name], *_OPERANDS["float64"])


_TYPES: dict[str, tuple[Program, str]] = {
    "sum": (lambda np, _, x, y: x.sum(axis=0), "f64[n1]"),
    "reshape": (lambda np, _, x, y: x.reshape(x.shape[0], -1), "f64[n0, n1]"),
    "flat": (lambda np, _, x, y: y.reshape(-1, 1), "f64[n2, 1]"),
    "ravel": (lambda np, _, x, y: y.ravel(), "f64[n2]"),
    "zeros": (lambda np, _, x, y: np.zeros((x.shape[0], 7)), "f64[n0, 7]"),
    "arange": (lambda np, _, x, y: np.arange(x.shape[1]), "i64[n1]"),
    "broadcast": (lambda np, _, x, y: x + y, "f64[n0, n1]"),
    "matmul": (lambda np, _, x, y: x @ y, "f64[n0]"),
    "slice": (lambda np, _, x, y: x[:, 1:], "f64[n0, ?]"),
    "whole": (lambda np, _, x, y: x[:, ::-1], "f64[n0, n1]"),
    "outer": (lambda np, _, x, y: x[:, None] * y, "f64[n0, 1, n1]"),
    "concatenate": (lambda np, _, x, y: np.concatenate([x, x], 1), "f64[n0, ?]"),
    "stack": (lambda np, _, x, y: np.stack([y, y]), "f64[2, n2]"),
    "known": (lambda np, _, x, y: np.zeros((5, 6))[1:4, ::2], "f64[3, 3]"),
    "cumsum": (lambda np, _, x, y: np.cumsum(y), "f64[n2]"),
}


@pytest.mark.parametrize("name", _TYPES)
def test_sizes_that_are_known(name: str) -> None:
    program, expected = _TYPES[name]
    graph = graph_of(program, *_OPERANDS["float64"])
    assert str(graph.result_types[0]) == expected


_REFUSED: dict[str, tuple[Program, str]] = {
    "out": (lambda np, _, x: np.tanh(x, out=x[0, 0]), "invalid-array-call"),
    "argument": (
        lambda np, _, x: np.median(x, overwrite_input=True),
        "unsupported-function-argument",
    ),
    "order": (lambda np, _, x: np.zeros(3, order="K"), "invalid-array-call"),
    "casting": (lambda np, _, x: x.astype("i4", casting="safe"), "invalid-array-call"),
    "view-of-number": (lambda np, _, x: x[0, 0].view("i4"), "invalid-array-call"),
    "flag": (lambda np, _, x: x.flags["OWNDATA"], "memory-of-array"),
    "axis": (lambda np, _, x: np.sum(x, axis=x), "needs-compile-time"),
    "shape": (lambda np, _, x: np.zeros(np.array([2, 3])), "needs-compile-time"),
    "keepdims": (lambda np, _, x: np.sum(x, keepdims=x.shape[0] > 1), "needs-compile-time"),
    "negative": (lambda np, _, x: x.reshape(-2, 6), "invalid-array-call"),
    "object": (lambda np, _, x: x.astype(object), "unsupported-dtype"),
    "where-two": (lambda np, _, x: np.where(x > 0, x), "invalid-array-call"),
    "no-copy": (lambda np, _, x: np.array(x, int, copy=False), "invalid-array-call"),
}


@pytest.mark.parametrize("name", _REFUSED)
def test_refused_in_plain_words(name: str) -> None:
    program, slug = _REFUSED[name]
    with pytest.raises(DiagnosticError, match=slug):
        graph_of(program, _of("f8", 3, 4))


@pytest.mark.parametrize("backend", ["python_source", "llvm"])
def test_roll_along_an_axis_that_stands_twice(backend: str) -> None:
    """NumPy rolls it by the sum of its shifts, and takes False and True as axes."""

    def rolled(x):
        both = np.roll(x, (1, 2), (1, -1)), np.roll(x, (1, 2, -1), axis=(0, 1, 0))
        return *both, np.roll(x, (1, 4), 1), np.roll(x, 1, (0, 1)), np.roll(x, 1, True)

    x = np.arange(12.0).reshape(3, 4)
    for found, expected in zip(staticpy.jit(rolled, backend=backend)(x), rolled(x), strict=True):
        np.testing.assert_array_equal(found, expected)

    def weighted(x):
        return (np.roll(x, (1, 2), (1, 1)) * np.arange(12.0).reshape(3, 4)).sum()

    gradient = staticpy.grad(staticpy.jit(weighted, backend=backend))(x)
    np.testing.assert_array_equal(gradient, np.roll(x, -3, 1))
