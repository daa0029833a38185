"""The names and signatures of the Python array API standard, version 2025.12.

From https://data-apis.org/array-api/2025.12/API_specification. ``SIGNATURES`` has the functions by
category, each as it is called; those of the extensions stand below ``linalg`` and ``fft``.
"""

from __future__ import annotations

import ast
import inspect

VERSION = "2025.12"

CONSTANTS = ("e", "inf", "nan", "newaxis", "pi")

DTYPES = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32",
    "float64", "complex64", "complex128",
)  # fmt: skip

_UNARY = """
abs acos acosh asin asinh atan atanh bitwise_invert ceil conj cos cosh exp expm1 floor imag isfinite
isinf isnan log log10 log1p log2 logical_not negative positive real reciprocal round sign signbit
sin sinh sqrt square tan tanh trunc
"""

_BINARY = """
add atan2 bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor copysign divide
equal floor_divide greater greater_equal hypot less less_equal logaddexp logical_and logical_or
logical_xor maximum minimum multiply nextafter not_equal pow remainder subtract
"""

SIGNATURES = {
    "creation": """
        arange(start, /, stop=None, step=1, *, dtype=None, device=None)
        asarray(obj, /, *, dtype=None, device=None, copy=None)
        empty(shape, *, dtype=None, device=None)
        empty_like(x, /, *, dtype=None, device=None)
        eye(n_rows, n_cols=None, /, *, k=0, dtype=None, device=None)
        from_dlpack(x, /, *, device=None, copy=None)
        full(shape, fill_value, *, dtype=None, device=None)
        full_like(x, /, fill_value, *, dtype=None, device=None)
        linspace(start, stop, /, num, *, dtype=None, device=None, endpoint=True)
        meshgrid(*arrays, indexing="xy")
        ones(shape, *, dtype=None, device=None)
        ones_like(x, /, *, dtype=None, device=None)
        tril(x, /, *, k=0)
        triu(x, /, *, k=0)
        zeros(shape, *, dtype=None, device=None)
        zeros_like(x, /, *, dtype=None, device=None)
    """,
    "data types": """
        astype(x, dtype, /, *, copy=True, device=None)
        can_cast(from_, to, /)
        finfo(type, /)
        iinfo(type, /)
        isdtype(dtype, kind)
        result_type(*arrays_and_dtypes)
    """,
    "elementwise": "\n".join(
        [
            *(f"{name}(x, /)" for name in _UNARY.split()),
            *(f"{name}(x1, x2, /)" for name in _BINARY.split()),
            "clip(x, /, min=None, max=None)",
        ]
    ),
    "indexing": """
        take(x, indices, /, *, axis=None)
        take_along_axis(x, indices, /, *, axis=-1)
    """,
    "inspection": "__array_namespace_info__()",
    "linear algebra": """
        matmul(x1, x2, /)
        matrix_transpose(x, /)
        tensordot(x1, x2, /, *, axes=2)
        vecdot(x1, x2, /, *, axis=-1)
    """,
    "manipulation": """
        broadcast_arrays(*arrays)
        broadcast_shapes(*shapes)
        broadcast_to(x, /, shape)
        concat(arrays, /, *, axis=0)
        expand_dims(x, /, axis)
        flip(x, /, *, axis=None)
        moveaxis(x, source, destination, /)
        permute_dims(x, /, axes)
        repeat(x, repeats, /, *, axis=None)
        reshape(x, /, shape, *, copy=None)
        roll(x, /, shift, *, axis=None)
        squeeze(x, /, axis)
        stack(arrays, /, *, axis=0)
        tile(x, repetitions, /)
        unstack(x, /, *, axis=0)
    """,
    "searching": """
        argmax(x, /, *, axis=None, keepdims=False)
        argmin(x, /, *, axis=None, keepdims=False)
        count_nonzero(x, /, *, axis=None, keepdims=False)
        nonzero(x, /)
        searchsorted(x1, x2, /, *, side="left", sorter=None)
        where(condition, x1, x2, /)
    """,
    "sets": """
        isin(x1, x2, /, *, invert=False)
        unique_all(x, /)
        unique_counts(x, /)
        unique_inverse(x, /)
        unique_values(x, /)
    """,
    "sorting": """
        argsort(x, /, *, axis=-1, descending=False, stable=True)
        sort(x, /, *, axis=-1, descending=False, stable=True)
    """,
    "statistics": """
        cumulative_prod(x, /, *, axis=None, dtype=None, include_initial=False)
        cumulative_sum(x, /, *, axis=None, dtype=None, include_initial=False)
        max(x, /, *, axis=None, keepdims=False)
        mean(x, /, *, axis=None, keepdims=False)
        min(x, /, *, axis=None, keepdims=False)
        prod(x, /, *, axis=None, dtype=None, keepdims=False)
        std(x, /, *, axis=None, correction=0.0, keepdims=False)
        sum(x, /, *, axis=None, dtype=None, keepdims=False)
        var(x, /, *, axis=None, correction=0.0, keepdims=False)
    """,
    "utilities": """
        all(x, /, *, axis=None, keepdims=False)
        any(x, /, *, axis=None, keepdims=False)
        diff(x, /, *, axis=-1, n=1, prepend=None, append=None)
    """,
    "linalg": """
        linalg.cholesky(x, /, *, upper=False)
        linalg.cross(x1, x2, /, *, axis=-1)
        linalg.det(x, /)
        linalg.diagonal(x, /, *, offset=0)
        linalg.eig(x, /)
        linalg.eigh(x, /)
        linalg.eigvals(x, /)
        linalg.eigvalsh(x, /)
        linalg.inv(x, /)
        linalg.matmul(x1, x2, /)
        linalg.matrix_norm(x, /, *, keepdims=False, ord="fro")
        linalg.matrix_power(x, n, /)
        linalg.matrix_rank(x, /, *, rtol=None)
        linalg.matrix_transpose(x, /)
        linalg.outer(x1, x2, /)
        linalg.pinv(x, /, *, rtol=None)
        linalg.qr(x, /, *, mode="reduced")
        linalg.slogdet(x, /)
        linalg.solve(x1, x2, /)
        linalg.svd(x, /, *, full_matrices=True)
        linalg.svdvals(x, /)
        linalg.tensordot(x1, x2, /, *, axes=2)
        linalg.trace(x, /, *, offset=0, dtype=None)
        linalg.vecdot(x1, x2, /, *, axis=-1)
        linalg.vector_norm(x, /, *, axis=None, keepdims=False, ord=2)
    """,
    "fft": """
        fft.fft(x, /, *, n=None, axis=-1, norm="backward")
        fft.fftfreq(n, /, *, d=1.0, dtype=None, device=None)
        fft.fftn(x, /, *, s=None, axes=None, norm="backward")
        fft.fftshift(x, /, *, axes=None)
        fft.hfft(x, /, *, n=None, axis=-1, norm="backward")
        fft.ifft(x, /, *, n=None, axis=-1, norm="backward")
        fft.ifftn(x, /, *, s=None, axes=None, norm="backward")
        fft.ifftshift(x, /, *, axes=None)
        fft.ihfft(x, /, *, n=None, axis=-1, norm="backward")
        fft.irfft(x, /, *, n=None, axis=-1, norm="backward")
        fft.irfftn(x, /, *, s=None, axes=None, norm="backward")
        fft.rfft(x, /, *, n=None, axis=-1, norm="backward")
        fft.rfftfreq(n, /, *, d=1.0, dtype=None, device=None)
        fft.rfftn(x, /, *, s=None, axes=None, norm="backward")
    """,
}


def signatures() -> dict[str, inspect.Signature]:
    """The signature of each function by its name in the namespace."""
    lines = [line.strip() for text in SIGNATURES.values() for line in text.split("\n")]
    return dict(_signature(line) for line in lines if line)


def _signature(line: str) -> tuple[str, inspect.Signature]:
    name, _, rest = line.partition("(")
    (definition,) = ast.parse(f"lambda {rest.removesuffix(')')}: None").body
    function = eval(compile(ast.Expression(definition.value), "<standard>", "eval"))  # type: ignore[attr-defined]
    return name, inspect.signature(function)
