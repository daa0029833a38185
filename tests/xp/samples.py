"""Calls of every function of the standard, with every parameter, on arguments of many dtypes.

``SAMPLES`` gives, for each function, the kinds of dtype that the standard defines it for (``b``
bool, ``i`` integers, ``f`` real and ``c`` complex floating-point) and calls in terms of the names
that ``arguments`` gives. ``REFERENCES`` says, for each call of a function that is not NumPy's own,
what it is in the NumPy of every version, or which exception it raises.
"""

from __future__ import annotations

from typing import Any

import numpy as np

_DTYPES = {
    "b": ("bool",),
    "i": ("int32", "uint8"),
    "f": ("float32", "float64"),
    "c": ("complex64", "complex128"),
}

_A = np.array([[0.5, -1.5, 2.0], [3.0, -0.0, 1.25]])
_B = np.array([[2.0, 1.0, 3.0], [1.0, 3.0, 2.0]])
_MATRIX = np.array([[4.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 2.0]])


def dtypes_of(kinds: str) -> list[str]:
    """The dtypes with which a function is called."""
    return [dtype for kind in kinds for dtype in _DTYPES[kind]]


def arguments(dtype: str) -> dict[str, Any]:
    """The names that the calls use: ``x``, ``y``, ``v``, ``w`` and ``m`` are of ``dtype``."""
    turn = 0.5j if dtype.startswith("complex") else 0
    with np.errstate(invalid="ignore"):
        a = abs(_A) if dtype.startswith("uint") else _A
        return {
            "x": (a + turn * _B).astype(dtype),
            "y": (_B + turn).astype(dtype),
            "v": (np.array([1.0, 2.0, 4.0]) + turn).astype(dtype),
            "w": np.array([4.0, 1.0, 4.0]).astype(dtype),
            "m": _MATRIX.astype(dtype),
            "i": np.array([1, 0, 1]),
            "k": np.array([[0, 2, 1], [2, 2, 0]]),
            "b": np.array([[True, False, True], [False, True, True]]),
        }


NAMES = ("x", "y", "v", "w", "m", "i", "k", "b")


def _unary(kinds: str, names: str) -> dict[str, tuple[str, list[str]]]:
    return {name: (kinds, [f"xp.{name}(x)"]) for name in names.split()}


def _binary(kinds: str, names: str, number: str) -> dict[str, tuple[str, list[str]]]:
    return {
        name: (kinds, [f"xp.{name}(x, y)", f"xp.{name}(x, {number})", f"xp.{name}({number}, y)"])
        for name in names.split()
    }


SAMPLES: dict[str, tuple[str, list[str]]] = {
    **_unary("ifc", "abs conj isfinite isinf isnan negative positive sign square round"),
    **_unary("fc", "acos acosh asin asinh atan atanh cos cosh exp expm1 imag log log10 log1p"),
    **_unary("fc", "log2 real reciprocal sin sinh sqrt tan tanh"),
    **_unary("if", "ceil floor trunc"),
    **_unary("f", "signbit"),
    **_unary("bi", "bitwise_invert"),
    **_unary("b", "logical_not"),
    **_binary("ifc", "add divide multiply pow subtract", "2"),
    **_binary("bifc", "equal not_equal", "2"),
    **_binary("if", "floor_divide greater greater_equal less less_equal maximum minimum", "2"),
    **_binary("if", "remainder", "2"),
    **_binary("f", "atan2 copysign hypot logaddexp nextafter", "2.0"),
    **_binary("i", "bitwise_and bitwise_or bitwise_xor", "3"),
    **_binary("i", "bitwise_left_shift bitwise_right_shift", "2"),
    **_binary("b", "logical_and logical_or logical_xor", "True"),
    "clip": (
        "if",
        ["xp.clip(x)", "xp.clip(x, 1, 2)", "xp.clip(x, min=y)", "xp.clip(x, None, max=2)",
         "xp.clip(x, max=y)", "xp.clip(x, min=1, max=y)"],
    ),
    "arange": (
        "if",
        ["xp.arange(5)", "xp.arange(1, 7, 2, dtype=x.dtype)", "xp.arange(1.5, 3)",
         "xp.arange(0, stop=5, step=2, device=None)", "xp.arange(5, None, 2, device='cpu')"],
    ),
    "asarray": (
        "bifc",
        ["xp.asarray(x)", "xp.asarray(x, copy=True)", "xp.asarray(x, copy=False)",
         "xp.asarray(x, dtype=xp.complex128, device='cpu')", "xp.asarray([1, 2, 3])",
         "xp.asarray([[1.0, 2.0]], dtype=xp.float32, copy=None, device=None)", "xp.asarray(True)"],
    ),
    "empty": (
        "bifc",
        ["xp.empty(shape=(2, 3)).shape", "xp.empty(3, dtype=x.dtype, device='cpu').dtype"],
    ),
    "empty_like": (
        "bifc",
        ["xp.empty_like(x).shape", "xp.empty_like(x, dtype=xp.int8, device='cpu').dtype"],
    ),
    "eye": ("ifc", ["xp.eye(3)", "xp.eye(2, 3, k=1, dtype=x.dtype)", "xp.eye(2, device='cpu')"]),
    "from_dlpack": (
        "ifc",
        ["xp.from_dlpack(x)", "xp.from_dlpack(x, device=None, copy=None)"],
    ),
    "full": (
        "ifc",
        ["xp.full((2, 3), 4)", "xp.full(3, 2, dtype=x.dtype, device='cpu')", "xp.full(2, 2.5)",
         "xp.full(shape=(2,), fill_value=True)"],
    ),
    "full_like": (
        "ifc",
        ["xp.full_like(x, 4)", "xp.full_like(x, fill_value=2, dtype=xp.float32, device='cpu')"],
    ),
    "linspace": (
        "f",
        ["xp.linspace(0, 1, 5)", "xp.linspace(0.0, 2.0, num=4, endpoint=False, dtype=x.dtype)",
         "xp.linspace(0, 1, 3, device='cpu')"],
    ),
    "meshgrid": (
        "if", ["xp.meshgrid(v, w)", "xp.meshgrid(v, w, v, indexing='ij')", "xp.meshgrid(v)"]
    ),
    "ones": ("ifc", ["xp.ones(shape=(2, 3))", "xp.ones(3, dtype=x.dtype, device='cpu')"]),
    "ones_like": ("ifc", ["xp.ones_like(x)", "xp.ones_like(x, dtype=xp.int16, device='cpu')"]),
    "tril": ("ifc", ["xp.tril(m)", "xp.tril(m, k=-1)"]),
    "triu": ("ifc", ["xp.triu(m)", "xp.triu(m, k=1)"]),
    "zeros": ("bifc", ["xp.zeros(shape=(2, 3))", "xp.zeros(3, dtype=x.dtype, device='cpu')"]),
    "zeros_like": ("bifc", ["xp.zeros_like(x)", "xp.zeros_like(x, dtype=xp.int8, device='cpu')"]),
    "astype": (
        "bifc",
        ["xp.astype(x, xp.complex128)", "xp.astype(x, x.dtype, copy=False)",
         "xp.astype(x, x.dtype, copy=True, device='cpu')", "xp.astype(x[0, 0], xp.bool)"],
    ),
    "can_cast": ("ifc", ["xp.can_cast(x, xp.float64)", "xp.can_cast(x.dtype, xp.int64)"]),
    "finfo": (
        "fc",
        ["xp.finfo(x.dtype).eps", "xp.finfo(x).max", "xp.finfo(xp.float32).smallest_normal",
         "xp.finfo(xp.complex64).bits"],
    ),
    "iinfo": (
        "i", ["xp.iinfo(x.dtype).max", "xp.iinfo(x).min", "xp.iinfo(xp.uint8).bits"]
    ),
    "isdtype": (
        "bifc",
        ["xp.isdtype(x.dtype, 'real floating')", "xp.isdtype(x.dtype, kind=('bool', 'integral'))",
         "xp.isdtype(dtype=x.dtype, kind=xp.float32)"],
    ),
    "result_type": (
        "bifc",
        ["xp.zeros(2, dtype=xp.result_type(x, xp.float32))",
         "xp.zeros(2, dtype=xp.result_type(x, 1))"],
    ),
    "take": ("ifc", ["xp.take(v, i)", "xp.take(x, i, axis=0)", "xp.take(x, i, axis=-1)"]),
    "take_along_axis": (
        "ifc",
        ["xp.take_along_axis(x, k)", "xp.take_along_axis(x, xp.asarray([[1, 0, 1]]), axis=0)"],
    ),
    "matmul": ("ifc", ["xp.matmul(x, m)", "xp.matmul(m, v)", "xp.matmul(v, v)"]),
    "matrix_transpose": ("ifc", ["xp.matrix_transpose(x)"]),
    "tensordot": (
        "ifc",
        ["xp.tensordot(x, m, axes=1)", "xp.tensordot(x, y)",
         "xp.tensordot(x, y, axes=((0,), (0,)))"],
    ),
    "vecdot": ("ifc", ["xp.vecdot(x, y)", "xp.vecdot(x, y, axis=-2)", "xp.vecdot(v, w)"]),
    "broadcast_arrays": (
        "ifc",
        ["xp.broadcast_arrays(x, v)", "xp.broadcast_arrays(v)", "xp.broadcast_arrays(v, x[0, 0])"],
    ),
    "broadcast_shapes": (
        "f",
        ["xp.broadcast_shapes((2, 1), (3,))", "xp.broadcast_shapes()",
         "xp.broadcast_shapes(x.shape, v.shape)", "xp.broadcast_shapes(v.shape)"],
    ),
    "broadcast_to": ("ifc", ["xp.broadcast_to(v, (2, 3))", "xp.broadcast_to(v, shape=x.shape)"]),
    "concat": (
        "ifc",
        ["xp.concat((x, y))", "xp.concat([x, y], axis=1)", "xp.concat((x, v), axis=None)"],
    ),
    "expand_dims": (
        "ifc",
        ["xp.expand_dims(x, 0)", "xp.expand_dims(x, axis=-1)", "xp.expand_dims(x, axis=(0, 2))"],
    ),
    "flip": ("ifc", ["xp.flip(x)", "xp.flip(x, axis=1)", "xp.flip(x, axis=(0, -1))"]),
    "moveaxis": ("ifc", ["xp.moveaxis(x, 0, 1)", "xp.moveaxis(x, (0, 1), (1, 0))"]),
    "permute_dims": ("ifc", ["xp.permute_dims(x, (1, 0))", "xp.permute_dims(x, axes=(-1, 0))"]),
    "repeat": (
        "ifc",
        ["xp.repeat(x, 2)", "xp.repeat(x, 2, axis=1)", "xp.repeat(v, xp.asarray([1, 0, 2]))",
         "xp.repeat(x, i, axis=1)"],
    ),
    "reshape": (
        "ifc",
        ["xp.reshape(x, (3, 2))", "xp.reshape(x, shape=(-1,))", "xp.reshape(x, (3, 2), copy=True)",
         "xp.reshape(x, (6,), copy=False)", "xp.reshape(x, (6,), copy=None)",
         "xp.reshape(xp.permute_dims(x, (1, 0)), (6,), copy=False)",
         "xp.reshape(x[:0], (3, 0), copy=False)"],
    ),
    "roll": (
        "ifc",
        ["xp.roll(x, 1)", "xp.roll(x, shift=-1, axis=1)", "xp.roll(x, (1, 2), axis=(0, 1))"],
    ),
    "squeeze": ("ifc", ["xp.squeeze(x[:1], 0)", "xp.squeeze(x[:1, :1], axis=(0, 1))"]),
    "stack": ("ifc", ["xp.stack((x, y))", "xp.stack([x, y], axis=-1)"]),
    "tile": ("ifc", ["xp.tile(x, (2,))", "xp.tile(v, (2, 1))"]),
    "unstack": ("ifc", ["xp.unstack(x)[1]", "xp.unstack(x, axis=-1)[0]", "xp.unstack(x)"]),
    "argmax": (
        "if", ["xp.argmax(x)", "xp.argmax(x, axis=1)", "xp.argmax(x, axis=0, keepdims=True)"]
    ),
    "argmin": (
        "if", ["xp.argmin(x)", "xp.argmin(x, axis=1)", "xp.argmin(x, axis=0, keepdims=True)"]
    ),
    "count_nonzero": (
        "bifc",
        ["xp.count_nonzero(x)", "xp.count_nonzero(x, axis=1)", "xp.count_nonzero(x, axis=(0, 1))",
         "xp.count_nonzero(x, axis=0, keepdims=True)", "xp.count_nonzero(x, keepdims=True)"],
    ),
    "nonzero": ("bifc", ["xp.nonzero(x)", "xp.nonzero(v)"]),
    "searchsorted": (
        "if",
        ["xp.searchsorted(v, x)", "xp.searchsorted(v, w, side='right')",
         "xp.searchsorted(w, v, sorter=xp.asarray([1, 0, 2]))", "xp.searchsorted(v, 2)",
         "xp.searchsorted(v, x, side='right', sorter=None)"],
    ),
    "where": (
        "bifc",
        ["xp.where(b, x, y)", "xp.where(b, x, 2)", "xp.where(b, 2, y)", "xp.where(x > y, x, y)"],
    ),
    "isin": (
        "i",
        ["xp.isin(x, v)", "xp.isin(x, v, invert=True)", "xp.isin(2, v)", "xp.isin(x, 1)"],
    ),
    "unique_all": ("bifc", ["xp.unique_all(y)", "xp.unique_all(y).inverse_indices"]),
    "unique_counts": ("bifc", ["xp.unique_counts(y)", "xp.unique_counts(y).counts"]),
    "unique_inverse": ("bifc", ["xp.unique_inverse(y)", "xp.unique_inverse(y).values"]),
    "unique_values": ("bifc", ["xp.sort(xp.unique_values(y))"]),
    "argsort": (
        "if",
        ["xp.argsort(x)", "xp.argsort(x, axis=0)", "xp.argsort(w, descending=True, stable=True)",
         "xp.argsort(y, axis=0, descending=True)", "xp.argsort(v, stable=False)"],
    ),
    "sort": (
        "if",
        ["xp.sort(x)", "xp.sort(x, axis=0)", "xp.sort(x, descending=True, stable=True)",
         "xp.sort(x, axis=0, descending=True)", "xp.sort(x, stable=False)"],
    ),
    "cumulative_prod": (
        "ifc",
        ["xp.cumulative_prod(v)", "xp.cumulative_prod(x, axis=1)",
         "xp.cumulative_prod(x, axis=-1, include_initial=True)",
         "xp.cumulative_prod(x, axis=0, dtype=xp.complex128)", "xp.cumulative_prod(x)"],
    ),
    "cumulative_sum": (
        "ifc",
        ["xp.cumulative_sum(v)", "xp.cumulative_sum(x, axis=1)",
         "xp.cumulative_sum(x, axis=-2, include_initial=True)",
         "xp.cumulative_sum(x, axis=0, dtype=xp.complex128)", "xp.cumulative_sum(x)"],
    ),
    "max": ("if", ["xp.max(x)", "xp.max(x, axis=1)", "xp.max(x, axis=(0, 1), keepdims=True)"]),
    "mean": ("fc", ["xp.mean(x)", "xp.mean(x, axis=1)", "xp.mean(x, axis=(0, 1), keepdims=True)"]),
    "min": ("if", ["xp.min(x)", "xp.min(x, axis=1)", "xp.min(x, axis=(0, 1), keepdims=True)"]),
    "prod": (
        "ifc",
        ["xp.prod(x)", "xp.prod(x, axis=1, dtype=xp.complex128)", "xp.prod(x, keepdims=True)"],
    ),
    "std": (
        "f",
        ["xp.std(x)", "xp.std(x, axis=1, correction=1.0)", "xp.std(x, correction=1, keepdims=True)",
         "xp.std(x, axis=(0, 1))"],
    ),
    "sum": (
        "ifc",
        ["xp.sum(x)", "xp.sum(x, axis=1, dtype=xp.complex128)", "xp.sum(x, keepdims=True)",
         "xp.sum(x, axis=(0, 1))"],
    ),
    "var": (
        "f",
        ["xp.var(x)", "xp.var(x, axis=1, correction=0.5)",
         "xp.var(x, correction=1, keepdims=True)"],
    ),
    "all": ("bifc", ["xp.all(x)", "xp.all(x, axis=1)", "xp.all(x, axis=(0, 1), keepdims=True)"]),
    "any": ("bifc", ["xp.any(x)", "xp.any(x, axis=1)", "xp.any(x, axis=(0, 1), keepdims=True)"]),
    "diff": (
        "ifc",
        ["xp.diff(x)", "xp.diff(x, axis=0)", "xp.diff(x, n=2)", "xp.diff(x, prepend=y, append=x)",
         "xp.diff(x, prepend=None, append=None)", "xp.diff(x, axis=0, append=y)"],
    ),
    "linalg.cholesky": ("fc", ["xp.linalg.cholesky(m)", "xp.linalg.cholesky(m, upper=True)"]),
    "linalg.cross": ("ifc", ["xp.linalg.cross(v, w)", "xp.linalg.cross(x, y, axis=-1)"]),
    "linalg.det": ("fc", ["xp.linalg.det(m)"]),
    "linalg.diagonal": ("ifc", ["xp.linalg.diagonal(m)", "xp.linalg.diagonal(x, offset=1)"]),
    "linalg.eig": (
        "fc",
        ["xp.linalg.eig(m)", "xp.linalg.eig(m).eigenvectors", "xp.linalg.eig(xp.stack((m, m)))"],
    ),
    "linalg.eigh": ("fc", ["xp.linalg.eigh(m)", "xp.linalg.eigh(m).eigenvalues"]),
    "linalg.eigvals": (
        "fc",
        ["xp.linalg.eigvals(m)",
         "xp.linalg.eigvals(xp.asarray([[0, 1], [-1, 0]], dtype=m.dtype))"],
    ),
    "linalg.eigvalsh": ("fc", ["xp.linalg.eigvalsh(m)"]),
    "linalg.inv": ("fc", ["xp.linalg.inv(m)"]),
    "linalg.matmul": ("ifc", ["xp.linalg.matmul(x, m)"]),
    "linalg.matrix_norm": (
        "fc",
        ["xp.linalg.matrix_norm(m)", "xp.linalg.matrix_norm(m, ord='nuc', keepdims=True)",
         "xp.linalg.matrix_norm(m, ord=1)", "xp.linalg.matrix_norm(m, ord=xp.inf)"],
    ),
    "linalg.matrix_power": (
        "fc", ["xp.linalg.matrix_power(m, 3)", "xp.linalg.matrix_power(m, -1)"]
    ),
    "linalg.matrix_rank": (
        "fc",
        ["xp.linalg.matrix_rank(m)", "xp.linalg.matrix_rank(m, rtol=0.5)",
         "xp.linalg.matrix_rank(xp.stack((m, m)), rtol=xp.asarray([0.1, 2.0]))"],
    ),
    "linalg.matrix_transpose": ("ifc", ["xp.linalg.matrix_transpose(x)"]),
    "linalg.outer": ("ifc", ["xp.linalg.outer(v, w)"]),
    "linalg.pinv": (
        "fc", ["xp.linalg.pinv(x)", "xp.linalg.pinv(x, rtol=0.5)", "xp.linalg.pinv(x, rtol=None)"]
    ),
    "linalg.qr": ("fc", ["xp.linalg.qr(x)", "xp.linalg.qr(x, mode='complete').Q"]),
    "linalg.slogdet": ("fc", ["xp.linalg.slogdet(m)", "xp.linalg.slogdet(m).logabsdet"]),
    "linalg.solve": ("fc", ["xp.linalg.solve(m, v)", "xp.linalg.solve(m, xp.matrix_transpose(x))"]),
    "linalg.svd": ("fc", ["xp.linalg.svd(x)", "xp.linalg.svd(x, full_matrices=False).S"]),
    "linalg.svdvals": ("fc", ["xp.linalg.svdvals(x)"]),
    "linalg.tensordot": ("ifc", ["xp.linalg.tensordot(x, m, axes=1)"]),
    "linalg.trace": (
        "ifc", ["xp.linalg.trace(m)", "xp.linalg.trace(m, offset=1, dtype=xp.complex128)"]
    ),
    "linalg.vecdot": ("ifc", ["xp.linalg.vecdot(x, y)", "xp.linalg.vecdot(x, y, axis=-2)"]),
    "linalg.vector_norm": (
        "fc",
        ["xp.linalg.vector_norm(x)", "xp.linalg.vector_norm(x, axis=1, ord=xp.inf)",
         "xp.linalg.vector_norm(x, axis=(0, 1), keepdims=True, ord=1)"],
    ),
    "fft.fft": ("c", ["xp.fft.fft(x)", "xp.fft.fft(x, n=4, axis=0, norm='ortho')"]),
    "fft.fftfreq": (
        "f",
        ["xp.fft.fftfreq(5)", "xp.fft.fftfreq(4, d=0.1, dtype=x.dtype)",
         "xp.fft.fftfreq(4, device='cpu')"],
    ),
    "fft.fftn": (
        "c", ["xp.fft.fftn(x)", "xp.fft.fftn(x, s=(2, 4), axes=(0, 1), norm='forward')"]
    ),
    "fft.fftshift": ("fc", ["xp.fft.fftshift(x)", "xp.fft.fftshift(x, axes=1)"]),
    "fft.hfft": ("c", ["xp.fft.hfft(x)", "xp.fft.hfft(x, n=5, axis=1, norm='ortho')"]),
    "fft.ifft": ("c", ["xp.fft.ifft(x)", "xp.fft.ifft(x, n=4, axis=0, norm='backward')"]),
    "fft.ifftn": (
        "c", ["xp.fft.ifftn(x)", "xp.fft.ifftn(x, s=(2, 4), axes=(0, 1), norm='forward')"]
    ),
    "fft.ifftshift": ("fc", ["xp.fft.ifftshift(x)", "xp.fft.ifftshift(x, axes=(0, 1))"]),
    "fft.ihfft": ("f", ["xp.fft.ihfft(x)", "xp.fft.ihfft(x, n=4, axis=1, norm='ortho')"]),
    "fft.irfft": ("c", ["xp.fft.irfft(x)", "xp.fft.irfft(x, n=5, axis=1, norm='ortho')"]),
    "fft.irfftn": (
        "c", ["xp.fft.irfftn(x)", "xp.fft.irfftn(x, s=(2, 5), axes=(0, 1), norm='forward')"]
    ),
    "fft.rfft": ("f", ["xp.fft.rfft(x)", "xp.fft.rfft(x, n=4, axis=0, norm='ortho')"]),
    "fft.rfftfreq": (
        "f",
        ["xp.fft.rfftfreq(5)", "xp.fft.rfftfreq(4, d=0.1, dtype=x.dtype)",
         "xp.fft.rfftfreq(4, device='cpu')"],
    ),
    "fft.rfftn": (
        "f", ["xp.fft.rfftn(x)", "xp.fft.rfftn(x, s=(2, 4), axes=(0, 1), norm='forward')"]
    ),
    "__array_namespace_info__": (
        "f",
        ["xp.__array_namespace_info__().capabilities()",
         "xp.__array_namespace_info__().default_device()",
         "xp.__array_namespace_info__().devices()",
         "xp.zeros(2, dtype=xp.__array_namespace_info__().default_dtypes()['indexing'])",
         "xp.__array_namespace_info__().default_dtypes(device='cpu')['integral'] == xp.int64",
         "len(xp.__array_namespace_info__().dtypes(kind=('bool', 'real floating')))",
         "'int8' in xp.__array_namespace_info__().dtypes(device='cpu', kind='signed integer')",
         "len(xp.__array_namespace_info__().dtypes())"],
    ),
}  # fmt: skip

REFERENCES: dict[str, str | type[Exception]] = {
    **{f"xp.{name}(x)": f"np.{name}(x).astype(x.dtype)" for name in ("ceil", "floor", "trunc")},
    "xp.clip(x)": "x",
    "xp.clip(x, 1, 2)": "np.minimum(np.maximum(x, 1), 2)",
    "xp.clip(x, min=y)": "np.maximum(x, y)",
    "xp.clip(x, None, max=2)": "np.minimum(x, 2)",
    "xp.clip(x, max=y)": "np.minimum(x, y)",
    "xp.clip(x, min=1, max=y)": "np.minimum(np.maximum(x, 1), y)",
    "xp.from_dlpack(x)": "x",
    "xp.from_dlpack(x, device=None, copy=None)": "x",
    "xp.astype(x, xp.complex128)": "x.astype(np.complex128)",
    "xp.astype(x, x.dtype, copy=False)": "x",
    "xp.astype(x, x.dtype, copy=True, device='cpu')": "x",
    "xp.astype(x[0, 0], xp.bool)": "np.bool(x[0, 0])",
    "xp.finfo(x.dtype).eps": "np.finfo(x.dtype).eps",
    "xp.finfo(x).max": "np.finfo(x.dtype).max",
    "xp.finfo(xp.float32).smallest_normal": "np.float32(2.0**-126)",
    "xp.finfo(xp.complex64).bits": "32",
    "xp.iinfo(x.dtype).max": "np.iinfo(x.dtype).max",
    "xp.iinfo(x).min": "np.iinfo(x.dtype).min",
    "xp.iinfo(xp.uint8).bits": "8",
    "xp.take_along_axis(x, k)": "np.take_along_axis(x, k, 1)",
    "xp.take_along_axis(x, xp.asarray([[1, 0, 1]]), axis=0)": "x[[1, 0, 1], [0, 1, 2]][None]",
    "xp.broadcast_arrays(x, v)": "(x, np.stack((v, v)))",
    "xp.broadcast_arrays(v)": "(v,)",
    "xp.broadcast_arrays(v, x[0, 0])": "(v, np.full(3, x[0, 0]))",
    "xp.reshape(x, (3, 2))": "x.reshape(3, 2)",
    "xp.reshape(x, shape=(-1,))": "x.ravel()",
    "xp.reshape(x, (3, 2), copy=True)": "x.reshape(3, 2)",
    "xp.reshape(x, (6,), copy=False)": "x.ravel()",
    "xp.reshape(x, (6,), copy=None)": "x.ravel()",
    "xp.reshape(xp.permute_dims(x, (1, 0)), (6,), copy=False)": ValueError,
    "xp.reshape(x[:0], (3, 0), copy=False)": "np.zeros((3, 0), x.dtype)",
    "xp.unstack(x)[1]": "x[1]",
    "xp.unstack(x, axis=-1)[0]": "x[:, 0]",
    "xp.unstack(x)": "(x[0], x[1])",
    "xp.count_nonzero(x)": "np.sum(x != 0)",
    "xp.count_nonzero(x, axis=1)": "np.sum(x != 0, axis=1)",
    "xp.count_nonzero(x, axis=(0, 1))": "np.sum(x != 0, axis=(0, 1))",
    "xp.count_nonzero(x, axis=0, keepdims=True)": "np.sum(x != 0, axis=0, keepdims=True)",
    "xp.count_nonzero(x, keepdims=True)": "np.sum(x != 0, keepdims=True)",
    "xp.argsort(x)": "np.argsort(x, kind='stable')",
    "xp.argsort(x, axis=0)": "np.argsort(x, 0, kind='stable')",
    "xp.argsort(w, descending=True, stable=True)": "np.array([0, 2, 1])",
    "xp.argsort(y, axis=0, descending=True)": "np.array([[0, 1, 0], [1, 0, 1]])",
    "xp.argsort(v, stable=False)": "np.array([0, 1, 2])",
    "xp.sort(x)": "np.sort(x)",
    "xp.sort(x, axis=0)": "np.sort(x, 0)",
    "xp.sort(x, descending=True, stable=True)": "np.sort(x)[:, ::-1]",
    "xp.sort(x, axis=0, descending=True)": "np.sort(x, 0)[::-1]",
    "xp.sort(x, stable=False)": "np.sort(x)",
    "xp.cumulative_prod(v)": "np.cumprod(v)",
    "xp.cumulative_prod(x, axis=1)": "np.cumprod(x, 1)",
    "xp.cumulative_prod(x, axis=-1, include_initial=True)": "np.cumprod(np.insert(x, 0, 1, 1), 1)",
    "xp.cumulative_prod(x, axis=0, dtype=xp.complex128)": "np.cumprod(x, 0, dtype=complex)",
    "xp.cumulative_prod(x)": ValueError,
    "xp.cumulative_sum(v)": "np.cumsum(v)",
    "xp.cumulative_sum(x, axis=1)": "np.cumsum(x, 1)",
    "xp.cumulative_sum(x, axis=-2, include_initial=True)": "np.cumsum(np.insert(x, 0, 0, 0), 0)",
    "xp.cumulative_sum(x, axis=0, dtype=xp.complex128)": "np.cumsum(x, 0, dtype=complex)",
    "xp.cumulative_sum(x)": ValueError,
    "xp.diff(x)": "x[:, 1:] - x[:, :-1]",
    "xp.diff(x, axis=0)": "x[1:] - x[:-1]",
    "xp.diff(x, n=2)": "(x[:, 2:] - x[:, 1:-1]) - (x[:, 1:-1] - x[:, :-2])",
    "xp.diff(x, prepend=y, append=x)": "np.diff(np.concatenate((y, x, x), 1))",
    "xp.diff(x, prepend=None, append=None)": "np.diff(x)",
    "xp.diff(x, axis=0, append=y)": "np.diff(np.concatenate((x, y)), axis=0)",
    "xp.linalg.eig(m)": "[a.astype(np.result_type(m, 1j)) for a in np.linalg.eig(m)]",
    "xp.linalg.eig(m).eigenvectors": "np.linalg.eig(m)[1].astype(np.result_type(m, 1j))",
    "xp.linalg.eig(xp.stack((m, m)))": "[np.stack((a, a)) for a in xp.linalg.eig(m)]",
    "xp.linalg.eigvals(m)": "np.linalg.eigvals(m).astype(np.result_type(m, 1j))",
    "xp.linalg.eigvals(xp.asarray([[0, 1], [-1, 0]], dtype=m.dtype))": (
        "np.linalg.eigvals(np.array([[0, 1], [-1, 0]], m.dtype)).astype(np.result_type(m, 1j))"
    ),
    "xp.linalg.pinv(x)": "np.linalg.pinv(x, 3 * np.finfo(x.dtype).eps)",
    "xp.linalg.pinv(x, rtol=0.5)": "np.linalg.pinv(x, 0.5)",
    "xp.linalg.pinv(x, rtol=None)": "np.linalg.pinv(x, 3 * np.finfo(x.dtype).eps)",
    **{
        f"xp.fft.{name}{args}": f"np.fft.{name}{plain}"
        for name in ("fftfreq", "rfftfreq")
        for args, plain in (
            ("(5)", "(5)"),
            ("(4, d=0.1, dtype=x.dtype)", "(4, 0.1).astype(x.dtype)"),
            ("(4, device='cpu')", "(4)"),
        )
    },
    **{
        f"xp.__array_namespace_info__(){text}": reference
        for text, reference in {
            ".capabilities()": "{'boolean indexing': True, 'data-dependent shapes': True, "
            "'max dimensions': 64}",
            ".default_device()": "'cpu'",
            ".devices()": "('cpu',)",
            ".default_dtypes(device='cpu')['integral'] == xp.int64": "True",
        }.items()
    },
    "xp.zeros(2, dtype=xp.__array_namespace_info__().default_dtypes()['indexing'])": (
        "np.zeros(2, np.intp)"
    ),
    "len(xp.__array_namespace_info__().dtypes(kind=('bool', 'real floating')))": "3",
    "'int8' in xp.__array_namespace_info__().dtypes(device='cpu', kind='signed integer')": "True",
    "len(xp.__array_namespace_info__().dtypes())": "13",
}
