"""Constructors: arrays made of sizes, numbers and other arrays.

In: sizes and numbers, known while compiling or not. Out: always a new array, at each call; an array
is never a constant of the graph.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import (
    INT,
    UNKNOWN,
    Builder,
    PythonType,
    ScalarType,
    TensorType,
    Type,
    Value,
    current_builder,
    dims_of,
)
from staticpy.ops.arguments import fill_shape, shape_dims
from staticpy.ops.nested import strong_dtype
from staticpy.ops.opdef import Attrs, Effect, OpDef, defop
from staticpy.ops.probe import probe

Shape = tuple[int | None, ...]


# --- zeros, ones, full ----------------------------------------------------------------------------


def _size_effects(_operands: Sequence[Type], attrs: Attrs) -> Effect:
    """A negative size is a ValueError."""
    dims = shape_dims(attrs["shape"], attrs.get("result_type"))
    return Effect.RAISES if UNKNOWN in dims else Effect.NONE


def _infer_filled(
    *_: Type,
    shape: Shape,
    dtype: np.dtype,
    result_type: Type | None = None,
    order: str = "C",
    unset: bool = False,
) -> Type:
    return TensorType(dtype, shape_dims(shape, result_type))


def _shape_samples(_: Any) -> Any:
    yield (), {"shape": (2, 3), "dtype": np.dtype("float32")}
    yield (4,), {"shape": (None, 3), "dtype": np.dtype("int8")}
    yield (np.int64(2),), {"shape": (None,), "dtype": np.dtype("bool")}
    yield (), {"shape": (), "dtype": np.dtype("complex64")}
    yield (2,), {"shape": (None, 3), "dtype": np.dtype("float64"), "order": "F"}


def _filled(name: str) -> OpDef:
    function = getattr(np, name)

    def kernel(*sizes: Any, shape: Shape, dtype: np.dtype, order: str = "C", **_: Any) -> Any:
        return function(fill_shape(shape, sizes), dtype, order)

    return defop(
        name,
        infer=_infer_filled,
        kernel=kernel,
        effects=_size_effects,
        numpy=name,
        samples=_shape_samples,
    )


zeros = _filled("zeros")
"""``np.zeros(shape, dtype, order)``; with ``unset`` it is ``np.empty``, of which it doesn't matter
what it holds: a backend may leave it so. The sizes are those of ``ones``."""

ones = _filled("ones")
"""``np.ones(shape, dtype, order)``; ``shape`` has None for each size that comes as an operand, and
``result_type``, if there, knows more of the result."""


def _full(
    value: Any, *sizes: Any, shape: Shape, dtype: np.dtype, order: Any = "C", **_: Any
) -> Any:
    return np.full(fill_shape(shape, sizes), value, dtype, order)


def _full_effects(_operands: Sequence[Type], _attrs: Attrs) -> Effect:
    return Effect.RAISES  # the value may not fit the dtype, or not broadcast to the shape


full = defop(
    "full",
    infer=_infer_filled,
    kernel=_full,
    effects=_full_effects,
    numpy="full",
    samples=lambda rng: [
        ((2.5,), {"shape": (2, 3), "dtype": np.dtype("float32")}),
        ((np.int8(3), 4), {"shape": (None,), "dtype": np.dtype("int64")}),
        ((rng.random(3),), {"shape": (2, 3), "dtype": np.dtype("float64")}),
        ((2,), {"shape": (2, 3), "dtype": np.dtype("int64"), "order": "F"}),
    ],
)
"""``np.full(shape, value, dtype, order)``: operand 0 is the value, the sizes follow as in
``zeros``."""


def _infer_like(
    operand: Type,
    *_: Type,
    dtype: np.dtype,
    shape: Shape | None = None,
    result_type: Type | None = None,
    order: str = "K",
    unset: bool = False,
) -> Type:
    if isinstance(operand, PythonType):
        raise DiagnosticError(catalog.INVALID_IR, detail=f"an array is due, not {operand}")
    dims = dims_of(operand) if shape is None else shape_dims(shape, result_type)
    return TensorType(dtype, dims)


def _like_effects(operands: Sequence[Type], attrs: Attrs) -> Effect:
    return Effect.NONE if attrs.get("shape") is None else _size_effects(operands, attrs)


def _like_samples(rng: np.random.Generator) -> Any:
    for operand in (rng.random((2, 3)), rng.random((2, 3)).T, np.array(2), np.float32(1)):
        yield (operand,), {"dtype": np.dtype("int16")}
        yield (operand,), {"dtype": np.dtype("int16"), "order": "F"}
        yield (operand, 4), {"dtype": np.dtype("int16"), "shape": (None, 2)}


def _like_options(
    sizes: Sequence[Any], shape: Shape | None, order: Any = "K", **_: Any
) -> dict[str, Any]:
    """``order`` and ``shape`` as NumPy takes them."""
    given = {} if shape is None else {"shape": fill_shape(shape, tuple(sizes))}
    return {"order": order, **given}


def _like(name: str) -> OpDef:
    function = getattr(np, name)

    def kernel(
        x: Any, *sizes: Any, dtype: np.dtype, shape: Shape | None = None, **more: Any
    ) -> Any:
        return function(x, dtype, **_like_options(sizes, shape, **more))

    return defop(
        name,
        infer=_infer_like,
        kernel=kernel,
        effects=_like_effects,
        numpy=name,
        samples=_like_samples,
    )


zeros_like = _like("zeros_like")
"""``np.zeros_like(x, dtype, order, shape)``; with ``unset`` it is ``np.empty_like``."""

ones_like = _like("ones_like")
"""``np.ones_like(x, dtype, order, shape)``: the shape and the memory order of ``x``, unless
``order`` and ``shape`` (with operands in place of None, as in ``ones``) say otherwise."""


def _full_like(
    x: Any, value: Any, *sizes: Any, dtype: np.dtype, shape: Shape | None = None, **more: Any
) -> Any:
    return np.full_like(x, value, dtype, **_like_options(sizes, shape, **more))


full_like = defop(
    "full_like",
    infer=_infer_like,
    kernel=_full_like,
    effects=Effect.RAISES,
    numpy="full_like",
    samples=lambda rng: [
        ((rng.random((2, 3)), 2), {"dtype": np.dtype("int16")}),
        ((rng.random((2, 3)), 2, 4), {"dtype": np.dtype("int16"), "shape": (None,)}),
        ((rng.random((2, 3)), 2.5, 4), {"dtype": np.dtype("float64"), "shape": (None, 2)}),
    ],
)
"""``np.full_like(x, value, dtype, order, shape)``; the sizes of ``shape`` come last."""


# --- arange, eye, linspace ------------------------------------------------------------------------


def _is_number(type_: Type) -> bool:
    return isinstance(type_, PythonType | ScalarType) or not dims_of(type_)


def _infer_arange(*operands: Type, dtype: np.dtype, result_type: Type | None = None) -> Type:
    if not 1 <= len(operands) <= 3 or not all(map(_is_number, operands)):
        raise DiagnosticError(catalog.INVALID_IR, detail="arange takes one to three numbers")
    return TensorType(dtype, (dims_of(result_type) if result_type else (UNKNOWN,)))


def _arange_effects(_operands: Sequence[Type], attrs: Attrs) -> Effect:
    known = "result_type" in attrs and isinstance(attrs["result_type"].dims[0], int)
    return Effect.NONE if known else Effect.RAISES


arange = defop(
    "arange",
    infer=_infer_arange,
    kernel=lambda *operands, dtype, **_: np.arange(*operands, dtype=dtype),
    effects=_arange_effects,
    numpy="arange",
    samples=lambda _: [
        ((5,), {"dtype": np.dtype("int64")}),
        ((1, 9, 3), {"dtype": np.dtype("float32")}),
        ((0.5, 2.0, 0.25), {"dtype": np.dtype("float64")}),
        ((np.float32(3),), {"dtype": np.dtype("float64")}),
    ],
)
"""``np.arange(stop)``, ``np.arange(start, stop)`` or ``np.arange(start, stop, step)``, with
``dtype``."""


def arange_dtype(types: tuple[Type, ...]) -> np.dtype:
    """The dtype that ``np.arange`` chooses for operands of these types."""
    (found,) = probe("np.arange()", np.arange, types, {})
    return strong_dtype(found)


def _infer_eye(
    *_: Type, shape: Shape, dtype: np.dtype, result_type: Type | None = None, **__: Any
) -> Type:
    return TensorType(dtype, shape_dims(shape, result_type))


def _eye(*sizes: Any, shape: Shape, dtype: np.dtype, k: int = 0, order: Any = "C", **_: Any) -> Any:
    rows, columns = fill_shape(shape, sizes)
    return np.eye(rows, columns, k, dtype, order)


eye = defop(
    "eye",
    infer=_infer_eye,
    kernel=_eye,
    effects=_size_effects,
    numpy="eye",
    samples=lambda _: [
        ((), {"shape": (3, 3), "dtype": np.dtype("float64")}),
        ((2,), {"shape": (None, 3), "dtype": np.dtype("int8"), "k": 1}),
        ((), {"shape": (2, 3), "dtype": np.dtype("int8"), "order": "F"}),
    ],
)
"""``np.eye(rows, columns, k, dtype, order)``, with the two sizes in ``shape`` as in ``zeros``."""


def _infer_linspace(
    start: Type, stop: Type, *, num: int, endpoint: bool = True, dtype: np.dtype | None = None
) -> Type:
    if not (_is_number(start) and _is_number(stop)):
        raise DiagnosticError(catalog.INVALID_IR, detail="linspace takes two numbers")
    attrs = {"num": num, "endpoint": endpoint, "dtype": dtype}
    (found,) = probe("np.linspace()", np.linspace, (start, stop), attrs)
    return TensorType(strong_dtype(found), (num,))


linspace = defop(
    "linspace",
    infer=_infer_linspace,
    kernel=np.linspace,
    effects=Effect.RAISES,
    numpy="linspace",
    samples=lambda _: [
        ((0, 1), {"num": 5}),
        ((0.5, np.float32(2)), {"num": 4, "endpoint": False}),
        ((0.5, 9), {"num": 3, "dtype": np.dtype("int64")}),
    ],
)
"""``np.linspace(start, stop, num)`` of two numbers."""


# --- copies and conversions -----------------------------------------------------------------------


def _infer_copy(operand: Type, **_: Any) -> Type:
    if isinstance(operand, PythonType):
        raise DiagnosticError(catalog.INVALID_IR, detail=f"an array is due, not {operand}")
    return operand


def _copy(operand: Any, *, order: str) -> Any:
    return operand.copy() if isinstance(operand, np.generic) else operand.copy(order)


copy = defop(
    "copy",
    infer=_infer_copy,
    kernel=_copy,
    samples=lambda rng: [
        ((rng.random((2, 3)).T,), {"order": "K"}),
        ((rng.random((2, 3)).T,), {"order": "C"}),
        ((np.array(2),), {"order": "C"}),
        ((np.float32(2),), {"order": "K"}),
    ],
)
"""``x.copy(order)``: a new array of the same elements: row by row (``"C"``), column by column
(``"F"``), in the order of ``x`` (``"K"``), or in whichever of the first two ``x`` has
(``"A"``)."""


def own_copy(value: Any, builder: Builder | None = None) -> Any:
    """An array of its own in place of an array of the graph, in the same memory order; whatever
    else ``value`` is, itself. ``builder`` emits the copy, by default the current one.
    """
    if not isinstance(value, Value) or not isinstance(value.type, TensorType):
        return value
    return (builder or current_builder()).emit(copy, [value], {"order": "K"}).result


def _infer_astype(operand: Type, *, dtype: np.dtype, order: str) -> Type:
    kept = _infer_copy(operand)
    return ScalarType(dtype) if isinstance(kept, ScalarType) else TensorType(dtype, dims_of(kept))


astype = defop(
    "astype",
    infer=_infer_astype,
    kernel=lambda x, *, dtype, order: x.astype(dtype, order),
    effects=Effect.WARNS,
    samples=lambda rng: [
        ((rng.random((2, 3)),), {"dtype": np.dtype("int8"), "order": "F"}),
        ((rng.random((2, 3)).T,), {"dtype": np.dtype("float64"), "order": "A"}),
        ((np.array(2.5),), {"dtype": np.dtype("int8"), "order": "C"}),
        ((np.float32(2),), {"dtype": np.dtype("int8"), "order": "F"}),
    ],
)
"""``x.astype(dtype, order)``, of an order other than ``"K"``; else it is a ``cast``, which the loop
of a ufunc may do on its way."""


byteswap = defop(
    "byteswap",
    infer=_infer_copy,
    kernel=lambda x: x.byteswap(),
    samples=lambda rng: [((rng.integers(0, 9, (2, 3)).T,), {}), ((np.int16(3),), {})],
)
"""``x.byteswap()``: a new array whose elements have their bytes the other way round."""


def _infer_itself(operand: Type, **_: Any) -> TensorType:
    if not isinstance(operand, TensorType):
        raise DiagnosticError(catalog.INVALID_IR, detail=f"an array is due, not {operand}")
    return operand


def _itself_samples(rng: np.random.Generator) -> Any:
    for order in "CFAK":
        yield (rng.random((2, 3)).T,), {"order": order}
        yield (rng.random((4, 6))[::2, ::2],), {"order": order}
    yield (np.array(2),), {"order": "F"}


def _asarray(operand: Any, *, order: str, **copy: bool) -> Any:
    return np.asarray(operand, order=order, **copy)  # type: ignore[call-overload]


asarray = defop(
    "asarray",
    infer=_infer_itself,
    kernel=_asarray,
    effects=lambda _, attrs: Effect.RAISES if "copy" in attrs else Effect.NONE,
    view=True,
    samples=_itself_samples,
)
"""``np.asarray(x, order=order)``: ``x`` itself where it is laid out so, else a copy, which is an
error where ``copy`` is there: it is False."""


def _infer_front(operand: Type, *, ndmin: int, order: str = "K") -> Type:
    kept = _infer_itself(operand)
    return TensorType(kept.dtype, (1,) * (ndmin - kept.rank) + kept.dims)


with_axes = defop(
    "array.ndmin",
    infer=_infer_front,
    kernel=lambda x, **attrs: np.array(x, copy=False, **attrs),
    view=True,
    samples=lambda rng: [
        ((rng.random((2, 3)).T,), {"ndmin": 4}),
        ((np.array(2),), {"ndmin": 1}),
        ((rng.random(3),), {"ndmin": 2, "order": "F"}),
    ],
)
"""``np.array(x, copy=False, ndmin=ndmin)``: axes of size 1 in front, until there are ``ndmin``.
``order`` is what ``x`` is laid out in already; it decides on the strides of these axes."""

astype_itself = defop(
    "astype.itself",
    infer=_infer_itself,
    kernel=lambda x, *, order: x.astype(x.dtype, order=order, copy=False),
    view=True,
    samples=_itself_samples,
)
"""``x.astype(x.dtype, order=order, copy=False)``: as ``asarray``, but what order ``"A"`` is content
with is laid out row by row or column by column."""


def _infer_convert(operand: Type, *, dtype: np.dtype) -> Type:
    if dims_of(operand):
        raise DiagnosticError(catalog.INVALID_IR, detail=f"a number is due, not {operand}")
    return probe(f"np.{dtype.name}()", _convert, (operand,), {"dtype": dtype})[0]


def _convert(operand: Any, *, dtype: np.dtype) -> Any:
    return dtype.type(operand)


convert = defop(
    "convert",
    infer=_infer_convert,
    kernel=_convert,
    effects=lambda operands, attrs: (
        Effect.RAISES if operands[0] == INT or attrs["dtype"].kind in "iu" else Effect.WARNS
    ),
    samples=lambda _: [
        ((2.5,), {"dtype": np.dtype("float32")}),
        ((3,), {"dtype": np.dtype("uint8")}),
        ((np.int64(300),), {"dtype": np.dtype("int8")}),
        ((np.array(2.5),), {"dtype": np.dtype("int32")}),
        ((1 + 2j,), {"dtype": np.dtype("complex64")}),
    ],
)
"""``np.float32(x)`` and its kind: a number of any box as a NumPy scalar of ``dtype``."""
