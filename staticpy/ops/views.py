"""Other looks at the memory of an array: its diagonal, the array itself as a new object, and copies
that are made only where the memory order asks for one.

In: an array. Out: a view of it, or a copy where NumPy makes one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import (
    BOOL,
    UNKNOWN,
    Dim,
    PythonType,
    ScalarType,
    TensorType,
    Type,
    Value,
    dims_of,
)
from staticpy.ops.apply import emit
from staticpy.ops.arguments import (
    adapter,
    describe,
    static_axis,
    static_dtype,
    static_int,
    target_array,
)
from staticpy.ops.create import astype
from staticpy.ops.index import Spec, index
from staticpy.ops.nested import as_array, as_numpy, build, strong_dtype
from staticpy.ops.opdef import Attrs, Effect, OpDef, defop
from staticpy.ops.probed import Dims, plus, probed_op, same_dims
from staticpy.ops.shape import reshape

# --- diagonals ------------------------------------------------------------------------------------


def _diagonal_size(rows: Dim, columns: Dim, offset: int) -> Dim:
    if isinstance(rows, int) and isinstance(columns, int):
        below, beside = rows + min(offset, 0), columns - max(offset, 0)
        return max(min(below, beside), 0)
    return rows if rows == columns and offset == 0 else UNKNOWN


def _diagonal_dims(operands: Sequence[Type], attrs: Attrs) -> Dims:
    dims = dims_of(operands[0])
    first, second = attrs.get("axis1", 0), attrs.get("axis2", 1)
    rest = tuple(dim for axis, dim in enumerate(dims) if axis not in (first, second))
    return (*rest, _diagonal_size(dims[first], dims[second], attrs.get("offset", 0)))


diagonal_op = probed_op(
    "diagonal",
    np.diagonal,
    _diagonal_dims,
    lambda rng: [
        ((rng.random((3, 3)),), {}),
        ((rng.random((3, 4)),), {"offset": 1}),
        ((rng.random((2, 3, 4)),), {"axis1": 1, "axis2": 2, "offset": -1}),
    ],
    view=True,
    numpy="diagonal",
)
"""``np.diagonal(x, offset, axis1, axis2)``: a view that can't be written to."""


def _diag_dims(operands: Sequence[Type], attrs: Attrs) -> Dims:
    dims, k = dims_of(operands[0]), attrs.get("k", 0)
    if len(dims) == 1:
        return (plus(dims[0], abs(k)),) * 2
    return (_diagonal_size(dims[0], dims[1], k),)


diag_op = probed_op(
    "diag",
    np.diag,
    _diag_dims,
    lambda rng: [
        ((rng.random(3),), {}),
        ((rng.random(3),), {"k": -2}),
        ((rng.random((3, 4)),), {"k": 1}),
    ],
    view=True,
    numpy="diag",
)
"""``np.diag(x, k)``: of one axis a matrix, of two the diagonal, which is a view."""


def _offsets(operands: dict[str, Any], defaults: dict[str, int]) -> dict[str, Any]:
    return {name: value for name, value in operands.items() if value != defaults[name]}


def _diagonal_attrs(value: Value, offset: Any, axis1: Any, axis2: Any, name: str) -> dict[str, Any]:
    rank = len(dims_of(value.type))
    if rank < 2:
        reason = "it takes an array of at least two axes"
        raise DiagnosticError(catalog.INVALID_ARRAY_CALL, function=name, reason=reason)
    given = {
        "offset": static_int(offset, name, "offset"),
        "axis1": static_axis(axis1, rank, name),
        "axis2": static_axis(axis2, rank, name),
    }
    return _offsets(given, {"offset": 0, "axis1": 0, "axis2": 1})


@adapter("diagonal")
def diagonal(a: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> Any:
    """``np.diagonal``."""
    value = as_numpy(a, "np.diagonal()")
    return emit(diagonal_op, value, **_diagonal_attrs(value, offset, axis1, axis2, "np.diagonal()"))


@adapter("diag")
def diag(v: Any, k: Any = 0) -> Any:
    """``np.diag``."""
    given = {"k": static_int(k, "np.diag()", "k")}
    return emit(diag_op, as_array(v, "np.diag()"), **_offsets(given, {"k": 0}))


# --- the array itself -----------------------------------------------------------------------------


def _viewed_dims(operand: Type, dtype: np.dtype) -> Dims:
    """The sizes where the bytes of an array are read as elements of another dtype."""
    dims, ratio = dims_of(operand), strong_dtype(operand).itemsize / dtype.itemsize
    if ratio == 1:
        return dims
    last = dims[-1]
    if isinstance(last, int) and (last * ratio).is_integer():
        return (*dims[:-1], int(last * ratio))
    return (*dims[:-1], UNKNOWN)


def _infer_view(operand: Type, *, dtype: np.dtype | None = None) -> Type:
    if isinstance(operand, PythonType) or (dtype is None and isinstance(operand, ScalarType)):
        raise DiagnosticError(catalog.INVALID_IR, detail=f"an array is due, not {operand}")
    if dtype is None:
        return operand
    if not dims_of(operand) and strong_dtype(operand).itemsize != dtype.itemsize:
        reason = f"a value without axes can be seen in its own {_bytes_of(operand)} bytes alone"
        raise DiagnosticError(catalog.INVALID_ARRAY_CALL, function="a.view()", reason=reason)
    if isinstance(operand, ScalarType):
        return ScalarType(dtype.newbyteorder("="))
    return TensorType(dtype, _viewed_dims(operand, dtype))


def _bytes_of(operand: Type) -> int:
    return strong_dtype(operand).itemsize


def _view_effects(operands: Sequence[Type], attrs: Attrs) -> Effect:
    """The bytes of a row may lie apart, or be no whole number of elements: ValueError."""
    dtype = attrs.get("dtype")
    is_same = dtype is None or dtype.itemsize == _bytes_of(operands[0])
    return Effect.NONE if is_same else Effect.RAISES


view_op = defop(
    "view",
    infer=_infer_view,
    kernel=lambda x, **dtype: x.view(**dtype),
    effects=_view_effects,
    view=True,
    samples=lambda rng: [
        ((rng.random((2, 3)).T,), {}),
        ((np.array(2),), {}),
        ((rng.random((2, 3)).T,), {"dtype": np.dtype("int64")}),
        ((rng.random((2, 3)),), {"dtype": np.dtype("int16")}),
        ((rng.random((2, 4)),), {"dtype": np.dtype("complex128")}),
        ((rng.random((2, 3)),), {"dtype": np.dtype("complex128")}),
        ((np.float32(2.5),), {"dtype": np.dtype("uint32")}),
    ],
)
"""``x.view(dtype)``: another array object on the same memory, whose bytes are read as elements of
``dtype``. Of a NumPy scalar, the scalar with the same bytes."""


@adapter("view")
def view(a: Any, dtype: Any = None, type: Any = None) -> Any:  # noqa: A002
    """``a.view(dtype)``; of classes of arrays there is ``np.ndarray`` alone."""
    function = "a.view()"
    # A dtype of float64 equals None, so they are told apart by identity.
    wanted = None if dtype is np.ndarray else static_dtype(dtype, function)
    if type is not None and type is not np.ndarray:
        reason = f"'type' must be np.ndarray, not {describe(type)}"
        raise DiagnosticError(catalog.INVALID_ARRAY_CALL, function=function, reason=reason)
    if wanted is not None:
        return emit(view_op, a, dtype=wanted)
    return emit(view_op, a) if isinstance(a.type, TensorType) else a


def _contiguous_dims(operands: Sequence[Type], attrs: Attrs) -> Dims:
    return same_dims(operands, attrs) or (1,)


def _contiguous_samples(rng: np.random.Generator) -> Any:
    yield (rng.random((2, 3)),), {}
    yield (rng.random((2, 3)).T,), {}
    yield (np.float32(2),), {}


ascontiguousarray_op = probed_op(
    "ascontiguousarray",
    np.ascontiguousarray,
    _contiguous_dims,
    _contiguous_samples,
    view=True,
    numpy="ascontiguousarray",
)
asfortranarray_op = probed_op(
    "asfortranarray",
    np.asfortranarray,
    _contiguous_dims,
    _contiguous_samples,
    view=True,
    numpy="asfortranarray",
)
"""``np.asfortranarray(x)``: ``x`` itself where it is laid out column by column, else a copy."""


def _contiguous(op: OpDef, order: str) -> Callable[..., Any]:
    function = f"np.{op.name}()"

    @adapter(op.name, "a, dtype=None, *, like=None")
    def call(a: Any, dtype: Any = None) -> Any:
        wanted = static_dtype(dtype, function)
        is_array = isinstance(a, Value) and isinstance(a.type, TensorType)
        value = a if is_array else build(a, function, wanted)
        if wanted is not None and wanted != strong_dtype(value.type):
            value = emit(astype, value, dtype=wanted, order=order)
        return emit(op, value)

    return call


# --- at least so many axes ------------------------------------------------------------------------


_NEW, _ALL = ("newaxis",), (None, None, None)
"""Parts of an index: a new axis, and all of one."""


def _at_least(count: int, value: Value) -> Any:
    rank = len(dims_of(value.type))
    if rank >= count:
        return value
    if rank == 0:
        return emit(reshape, value, shape=(1,) * count)
    # As NumPy does it: an axis made by an index has the stride 0, one of expand_dims has another.
    axes: Spec = (*_NEW, _ALL) if rank == 1 else (_ALL, _ALL)
    return emit(index, value, spec=axes if count == 2 else (*axes, *_NEW))


def _at_least_adapter(count: int) -> Callable[..., Any]:
    name = f"atleast_{count}d"

    @adapter(name)
    def call(*arys: Any) -> Any:
        found = tuple(_at_least(count, as_array(each, f"np.{name}()")) for each in arys)
        return found[0] if len(found) == 1 else found

    return call


# --- what shares memory ---------------------------------------------------------------------------


def _infer_shares(*_: Type, **_attrs: Any) -> Type:
    return BOOL


def _shares(left: Any, right: Any, *, exactly: bool = False) -> Any:
    return (np.shares_memory if exactly else np.may_share_memory)(left, right)


shares = defop(
    "object.shares_memory",  # as "object.is", it tells whether two arrays are one
    infer=_infer_shares,
    kernel=_shares,
    effects=Effect.RAISES,
    samples=lambda rng: [
        ((np.arange(4)[::2], np.arange(4)[1::2]), {"exactly": True}),
        ((rng.random(3), rng.random(3)), {}),
    ],
)
"""``np.may_share_memory(x, y)``, or ``np.shares_memory`` where ``exactly``."""


@adapter("shares_memory", "a, b, /, max_work=-1")
def shares_memory(a: Any, b: Any, /) -> Any:
    """``np.shares_memory``."""
    given = [target_array(each, "np.shares_memory()") for each in (a, b)]
    return emit(shares, *given, exactly=True)


@adapter("may_share_memory", "a, b, /, max_work=0")
def may_share_memory(a: Any, b: Any, /) -> Any:
    """``np.may_share_memory``."""
    return emit(shares, *(target_array(each, "np.may_share_memory()") for each in (a, b)))


ADAPTERS: dict[str, Callable[..., Any]] = {
    "shares_memory": shares_memory,
    "may_share_memory": may_share_memory,
    "diagonal": diagonal,
    "diag": diag,
    "ascontiguousarray": _contiguous(ascontiguousarray_op, "C"),
    "asfortranarray": _contiguous(asfortranarray_op, "F"),
    "atleast_1d": _at_least_adapter(1),
    "atleast_2d": _at_least_adapter(2),
    "atleast_3d": _at_least_adapter(3),
}
"""The functions by NumPy's name."""

METHODS: dict[str, Callable[..., Any]] = {"diagonal": diagonal, "view": view}
"""The methods of arrays and NumPy scalars."""
