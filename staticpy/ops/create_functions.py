"""NumPy's constructors, as adapters over the ops of ``create``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import (
    INT,
    UNKNOWN,
    PythonType,
    ScalarType,
    TensorType,
    Type,
    Value,
    dims_of,
)
from staticpy.ops import create
from staticpy.ops.apply import as_value, emit
from staticpy.ops.arguments import (
    adapter,
    is_number,
    known_dim,
    not_an_array,
    number_type,
    shape_values,
    size_value,
    split_shape,
    static_bool,
    static_dtype,
    static_int,
)
from staticpy.ops.library_functions import library_call
from staticpy.ops.nested import as_array, as_numpy, as_operand, build, strong_dtype
from staticpy.ops.opdef import OpDef
from staticpy.ops.promote import cast
from staticpy.ops.shape import expand_dims

_FLOAT = np.dtype("float64")


def _shaped(op: OpDef, shape: Any, dtype: np.dtype, *first: Any, **more: Any) -> Any:
    attrs, operands = split_shape(shape_values(shape, f"np.{op.name}()"), dtype)
    return emit(op, *first, *operands, dtype=dtype, **attrs, **more)


def _filled(op: OpDef) -> Callable[..., Any]:
    @adapter(op.name, "shape, dtype=None, order='C', *, device=None, like=None")
    def call(shape: Any, dtype: Any = None) -> Any:
        return _shaped(op, shape, static_dtype(dtype, f"np.{op.name}()") or _FLOAT)

    return call


@adapter("full", "shape, fill_value, dtype=None, order='C', *, device=None, like=None")
def full(shape: Any, fill_value: Any, dtype: Any = None) -> Any:
    """``np.full``."""
    function = "np.full()"
    value = as_operand(fill_value, function)
    if dtype is None and number_type(value) == INT:
        value = build(value, function)  # a huge int gives another dtype
    return _shaped(create.full, shape, _value_dtype(value, dtype, function), value)


def _value_dtype(value: Any, dtype: Any, function: str) -> np.dtype:
    return static_dtype(dtype, function) or strong_dtype(number_type(value))


def _like(op: OpDef) -> Callable[..., Any]:
    @adapter(op.name, "a, dtype=None, order='K', subok=True, shape=None, *, device=None")
    def call(a: Any, dtype: Any = None) -> Any:
        value = as_numpy(a, f"np.{op.name}()")
        return emit(op, value, dtype=_value_dtype(value, dtype, f"np.{op.name}()"))

    return call


@adapter(
    "full_like",
    "a, fill_value, dtype=None, order='K', subok=True, shape=None, *, device=None",
)
def full_like(a: Any, fill_value: Any, dtype: Any = None) -> Any:
    """``np.full_like``."""
    function = "np.full_like()"
    value = as_numpy(a, function)
    fill = as_operand(fill_value, function)
    return emit(create.full_like, value, fill, dtype=_value_dtype(value, dtype, function))


# --- arange, eye, linspace ------------------------------------------------------------------------


@adapter("arange", "start, stop=None, step=None, dtype=None, *, device=None, like=None")
def arange(start: Any, stop: Any = None, step: Any = None, dtype: Any = None) -> Any:
    """``np.arange``, with one, two or three numbers."""
    function = "np.arange()"
    if stop is None and step is None:
        given = [start]
    else:
        given = [0, start] if stop is None else [start, stop]
        given += [] if step is None else [step]
    types = tuple(_number_type(item, function) for item in given)
    wanted = static_dtype(dtype, function) or create.arange_dtype(types)
    attrs: dict[str, Any] = {"dtype": wanted}
    size = _arange_size(given)
    if size != UNKNOWN:
        attrs["result_type"] = TensorType(wanted, (size,))
    return emit(create.arange, *given, **attrs)


def _number_type(item: Any, function: str) -> Type:
    if not is_number(item) or dims_of(number_type(item)):
        raise not_an_array(function, item)
    return number_type(item)


def _arange_size(given: list[Any]) -> Any:
    """The length of a range, where it is known: of static ints, or of ``arange(n)``."""
    if len(given) == 1 and isinstance(given[0], Value):
        return known_dim(given[0]) if str(given[0].type) == "int" else UNKNOWN
    if not all(type(item) is int for item in given) or given[2:] == [0]:
        return UNKNOWN
    return len(range(*given))


def _eye(rows: Any, columns: Any, k: Any, dtype: Any, function: str) -> Any:
    rows = size_value(rows, function, "N")
    columns = rows if columns is None else size_value(columns, function, "M")
    diagonal = static_int(k, function, "k")
    more = {"k": diagonal} if diagonal else {}
    return _shaped(create.eye, (rows, columns), static_dtype(dtype, function) or _FLOAT, **more)


@adapter("eye", "N, M=None, k=0, dtype=float, order='C', *, device=None, like=None")
def eye(N: Any, M: Any = None, k: Any = 0, dtype: Any = float) -> Any:  # noqa: N803
    """``np.eye``."""
    return _eye(N, M, k, dtype, "np.eye()")


@adapter("identity", "n, dtype=None, *, like=None")
def identity(n: Any, dtype: Any = None) -> Any:
    """``np.identity``."""
    return _eye(n, None, 0, dtype, "np.identity()")


@adapter(
    "linspace",
    "start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, *, device=None",
)
def linspace(
    start: Any,
    stop: Any,
    num: Any = 50,
    endpoint: Any = True,
    retstep: Any = False,
    dtype: Any = None,
    axis: Any = 0,
) -> Any:
    """``np.linspace``; that of two numbers, of a known length, has an op of its own."""
    function = "np.linspace()"
    is_usual = all(map(_is_scalar, (start, stop))) and not isinstance(num, Value)
    if not is_usual or retstep is not False or axis != 0:
        return library_call("linspace", start, stop, num, endpoint, retstep, dtype, axis)
    attrs: dict[str, Any] = {"num": static_int(num, function, "num")}
    if not static_bool(endpoint, function, "endpoint"):
        attrs["endpoint"] = False
    wanted = static_dtype(dtype, function)
    if wanted is not None:
        attrs["dtype"] = wanted
    return emit(create.linspace, start, stop, **attrs)


def _is_scalar(operand: Any) -> bool:
    return is_number(operand) and not dims_of(number_type(operand))


# --- copies and conversions -----------------------------------------------------------------------


def cast_to(value: Value, dtype: np.dtype, order: str = "K") -> Any:
    """A new array, or a NumPy scalar, of ``dtype``."""
    if strong_dtype(value.type) == dtype:
        return emit(create.copy, value, order=order)
    return emit(cast, value, dtype=dtype)


def _is_array(operand: Any) -> bool:
    return isinstance(operand, Value) and isinstance(operand.type, TensorType)


def _new_array(a: Any, dtype: Any, copy_: Any, function: str) -> Any:
    """``a`` as an array: the array itself, if it is one and ``copy`` allows."""
    wanted = static_dtype(dtype, function)
    copy_ = None if copy_ is None else static_bool(copy_, function, "copy")
    if not _is_array(a):
        if copy_ is False:
            raise _copy_needed(function)
        return build(a, function, wanted)
    kept = strong_dtype(a.type)
    is_same = wanted is None or wanted == kept  # a dtype of float64 equals None
    if is_same and not copy_:
        return a
    if copy_ is False:
        raise _copy_needed(function)
    return cast_to(a, wanted or kept)


def _copy_needed(function: str) -> DiagnosticError:
    reason = "with copy=False, NumPy raises where it has to make a copy"
    return DiagnosticError(catalog.INVALID_ARRAY_CALL, function=function, reason=reason)


@adapter("asarray", "a, dtype=None, order=None, *, device=None, copy=None, like=None")
def asarray(a: Any, dtype: Any = None, *, copy: Any = None) -> Any:
    """``np.asarray``: an array of the wanted dtype is returned as it is."""
    return _new_array(a, dtype, copy, "np.asarray()")


@adapter("asanyarray", "a, dtype=None, order=None, *, device=None, copy=None, like=None")
def asanyarray(a: Any, dtype: Any = None, *, copy: Any = None) -> Any:
    """``np.asanyarray``."""
    return _new_array(a, dtype, copy, "np.asanyarray()")


@adapter(
    "array",
    "object, dtype=None, *, copy=True, order='K', subok=False, ndmin=0, ndmax=0, like=None",
)
def array(object: Any, dtype: Any = None, *, copy: Any = True, ndmin: Any = 0) -> Any:  # noqa: A002
    """``np.array``: a new array, unless ``copy`` says otherwise."""
    found = _new_array(object, dtype, copy, "np.array()")
    missing = static_int(ndmin, "np.array()", "ndmin") - len(dims_of(found.type))
    return emit(expand_dims, found, axis=tuple(range(missing))) if missing > 0 else found


@adapter("fromiter", "iter, dtype, count=-1, *, like=None")
def fromiter(iter: Any, dtype: Any, count: Any = -1) -> Any:  # noqa: A002
    """``np.fromiter``: what is gone through comes as a list of numbers."""
    function = "np.fromiter()"
    if count != -1 or static_dtype(dtype, function) is None:
        raise DiagnosticError(
            catalog.UNSUPPORTED_FUNCTION_ARGUMENT, function="fromiter", argument="count"
        )
    found = build(iter, function, static_dtype(dtype, function))
    if len(dims_of(found.type)) != 1:
        raise not_an_array(function, iter)
    return found


@adapter("copy", "a, order='K', subok=False")
def copy(a: Any) -> Any:
    """``np.copy``."""
    value = as_array(a, "np.copy()")
    return emit(create.copy, value, order="K") if value is a else value


@adapter("copy")
def copy_method(a: Any, order: Any = "C") -> Any:
    """``a.copy()``."""
    if order not in ("C", "K"):
        raise DiagnosticError(
            catalog.UNSUPPORTED_FUNCTION_ARGUMENT, function="copy", argument="order"
        )
    return emit(create.copy, a, order=order)


@adapter("astype", "a, dtype, order='K', casting='unsafe', subok=True, copy=True")
def astype_method(a: Any, dtype: Any, copy: Any = True) -> Any:
    """``a.astype(dtype)``; with ``copy=False`` an array of that dtype is returned as it is."""
    wanted = static_dtype(dtype, "a.astype()")
    if wanted is None:
        wanted = _FLOAT
    if not static_bool(copy, "a.astype()", "copy") and strong_dtype(a.type) == wanted:
        return a
    return cast_to(a, wanted)


def _astype_takes_scalars() -> bool:
    """Whether ``np.astype`` takes NumPy's scalars: so it does from some 2.x on."""
    scalar: Any = np.float64(0)
    try:
        np.astype(scalar, np.float32)
    except TypeError:
        return False
    return True


_TAKES_SCALARS = _astype_takes_scalars()


@adapter("astype", "x, dtype, /, *, copy=True, device=None")
def astype(x: Any, dtype: Any, /, *, copy: Any = True) -> Any:
    """``np.astype(x, dtype)``."""
    is_scalar = isinstance(x, Value) and isinstance(x.type, ScalarType)
    if not (_is_array(x) or (is_scalar and _TAKES_SCALARS)):
        raise not_an_array("np.astype()", x)
    return astype_method(x, dtype, copy=copy)


def conversion_to(dtype: np.dtype) -> Callable[..., Any]:
    """The adapter of a NumPy scalar class: ``np.float32(x)``."""

    @adapter(dtype.name)
    def call(value: Any = 0, /) -> Any:
        function = f"np.{dtype.name}()"
        operand = as_operand(value, function)
        type_ = number_type(operand)
        if dims_of(type_):
            return operand if strong_dtype(type_) == dtype else cast_to(operand, dtype)
        if isinstance(type_, PythonType) or strong_dtype(type_) != dtype or _is_array(operand):
            return emit(create.convert, operand, dtype=dtype)
        return as_value(operand)

    return call


@adapter("empty", "shape, dtype=None, order='C', *, device=None, like=None")
def empty(shape: Any, dtype: Any = None) -> Any:
    """``np.empty``. What it holds is undefined in NumPy; here it is zeros."""
    return _shaped(create.zeros, shape, static_dtype(dtype, "np.empty()") or _FLOAT)


@adapter("empty_like", "prototype, dtype=None, order='K', subok=True, shape=None, *, device=None")
def empty_like(prototype: Any, dtype: Any = None) -> Any:
    """``np.empty_like``: zeros, as in ``empty``."""
    value = as_numpy(prototype, "np.empty_like()")
    return emit(create.zeros_like, value, dtype=_value_dtype(value, dtype, "np.empty_like()"))


ADAPTERS: dict[str, Callable[..., Any]] = {
    "zeros": _filled(create.zeros),
    "ones": _filled(create.ones),
    "full": full,
    "zeros_like": _like(create.zeros_like),
    "ones_like": _like(create.ones_like),
    "full_like": full_like,
    "empty": empty,
    "empty_like": empty_like,
    "arange": arange,
    "eye": eye,
    "identity": identity,
    "linspace": linspace,
    "asarray": asarray,
    "asanyarray": asanyarray,
    "array": array,
    "copy": copy,
    "astype": astype,
    "fromiter": fromiter,
}
"""The functions by NumPy's name."""

METHODS: dict[str, Callable[..., Any]] = {"copy": copy_method, "astype": astype_method}
"""The methods of arrays and NumPy scalars."""
