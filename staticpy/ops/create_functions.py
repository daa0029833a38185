"""NumPy's constructors, as adapters over the ops of ``create``."""

from __future__ import annotations

import functools
import sys
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
    dtype_name,
    is_same_dtype,
)
from staticpy.ops import create, store_functions
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
    static_order,
    static_text,
    target_array,
)
from staticpy.ops.library_functions import library_call
from staticpy.ops.nested import as_array, as_numpy, as_operand, build, strong_dtype
from staticpy.ops.opdef import OpDef
from staticpy.ops.promote import cast
from staticpy.ops.views import view_op

_FLOAT = np.dtype("float64")
_ROWS_OR_COLUMNS = ("C", "CF")
"""The default order, and those there are, of an array that is like no other."""


def _shaped(op: OpDef, shape: Any, dtype: np.dtype, *first: Any, **more: Any) -> Any:
    attrs, operands = split_shape(shape_values(shape, f"np.{op.name}()"), dtype)
    return emit(op, *first, *operands, dtype=dtype, **attrs, **more)


def _filled(op: OpDef, name: str = "", **more: Any) -> Callable[..., Any]:
    name = name or op.name

    @adapter(name, "shape, dtype=None, order='C', *, device=None, like=None")
    def call(shape: Any, dtype: Any = None, order: Any = "C") -> Any:
        function = f"np.{name}()"
        wanted = static_dtype(dtype, function) or _FLOAT
        in_order = static_order(order, function, *_ROWS_OR_COLUMNS)
        return _shaped(op, shape, wanted, **in_order, **more)

    return call


@adapter("full", "shape, fill_value, dtype=None, order='C', *, device=None, like=None")
def full(shape: Any, fill_value: Any, dtype: Any = None, order: Any = "C") -> Any:
    """``np.full``."""
    function = "np.full()"
    in_order = static_order(order, function, *_ROWS_OR_COLUMNS)
    value = as_operand(fill_value, function)
    if dtype is None and number_type(value) == INT:
        value = build(value, function)  # a huge int gives another dtype
    wanted = _value_dtype(value, dtype, function)
    return _shaped(create.full, shape, wanted, value, **in_order)


def _value_dtype(value: Any, dtype: Any, function: str) -> np.dtype:
    return static_dtype(dtype, function) or strong_dtype(number_type(value))


_LIKE = "dtype=None, order='K', subok=True, shape=None, *, device=None"


def _made_like(
    op: OpDef, fill: list[Any], prototype: Any, dtype: Any, order: Any, shape: Any, **more: Any
) -> Any:
    """A new array by ``op``, like ``prototype`` where nothing else is said."""
    function = f"np.{op.name}()"
    value = as_numpy(prototype, function)
    attrs = {"dtype": _value_dtype(value, dtype, function), **static_order(order, function)}
    sizes: list[Value] = []
    if shape is not None:
        given, sizes = split_shape(shape_values(shape, function), attrs["dtype"])
        attrs |= given
    return emit(op, value, *fill, *sizes, **attrs, **more)


def _like(op: OpDef) -> Callable[..., Any]:
    @adapter(op.name, f"a, {_LIKE}")
    def call(a: Any, dtype: Any = None, order: Any = "K", *, shape: Any = None) -> Any:
        return _made_like(op, [], a, dtype, order, shape)

    return call


@adapter("empty_like", f"prototype, {_LIKE}")
def empty_like(prototype: Any, dtype: Any = None, order: Any = "K", *, shape: Any = None) -> Any:
    """``np.empty_like``. What it holds is undefined."""
    return _made_like(create.zeros_like, [], prototype, dtype, order, shape, unset=True)


@adapter("full_like", f"a, fill_value, {_LIKE}")
def full_like(
    a: Any, fill_value: Any, dtype: Any = None, order: Any = "K", *, shape: Any = None
) -> Any:
    """``np.full_like``."""
    fill = as_operand(fill_value, "np.full_like()")
    return _made_like(create.full_like, [fill], a, dtype, order, shape)


# --- arange, eye, linspace ------------------------------------------------------------------------


@adapter("arange", "start=..., stop=None, step=None, dtype=None, *, device=None, like=None")
def _arange(start: Any = ..., stop: Any = None, step: Any = None, dtype: Any = None) -> Any:
    """``np.arange``, with one, two or three numbers."""
    function = "np.arange()"
    if start is ... and stop is None:
        raise _without_stop()
    start = 0 if start is ... else start
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


@functools.wraps(_arange)
def arange(*args: Any, **kwargs: Any) -> Any:
    """``np.arange``: a single number is where it stops, unless it is given as the start."""
    if "start" in kwargs and kwargs.get("stop") is None:
        raise _without_stop()
    return _arange(*args, **kwargs)


def _without_stop() -> DiagnosticError:
    reason = "it needs 'stop'"
    return DiagnosticError(catalog.INVALID_ARRAY_CALL, function="np.arange()", reason=reason)


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
    start, stop, step = {1: (0, *given, 1), 2: (*given, 1)}.get(len(given), given)
    length = max(0, -((start - stop) // step))
    return length if length <= sys.maxsize else UNKNOWN  # NumPy raises


def _eye(rows: Any, columns: Any, k: Any, dtype: Any, function: str, order: Any = "C") -> Any:
    rows = size_value(rows, function, "N")
    columns = rows if columns is None else size_value(columns, function, "M")
    diagonal = static_int(k, function, "k")
    more = static_order(order, function, *_ROWS_OR_COLUMNS) | ({"k": diagonal} if diagonal else {})
    return _shaped(create.eye, (rows, columns), static_dtype(dtype, function) or _FLOAT, **more)


@adapter("eye", "N, M=None, k=0, dtype=float, order='C', *, device=None, like=None")
def eye(
    N: Any,  # noqa: N803
    M: Any = None,  # noqa: N803
    k: Any = 0,
    dtype: Any = float,
    order: Any = "C",
) -> Any:
    """``np.eye``."""
    return _eye(N, M, k, dtype, "np.eye()", order)


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
    if is_same_dtype(strong_dtype(value.type), dtype):
        return emit(create.copy, value, order=order)
    if order == "K":
        return emit(cast, value, dtype=dtype)
    return emit(create.astype, value, dtype=dtype, order=order)


def _is_array(operand: Any) -> bool:
    return isinstance(operand, Value) and isinstance(operand.type, TensorType)


def _new_array(a: Any, dtype: Any, copy_: Any, order: Any, function: str) -> Any:
    """``a`` as an array: the array itself, if it is one and ``copy`` and ``order`` allow."""
    wanted = static_dtype(dtype, function)
    in_order = static_order(order, function)
    copy_ = None if copy_ is None else static_bool(copy_, function, "copy")
    if not _is_array(a):
        if copy_ is False:
            raise _copy_needed(function)
        return _by_columns(build(a, function, wanted), in_order)
    kept = strong_dtype(a.type)
    is_same = wanted is None or wanted == kept  # a dtype of float64 equals None
    if is_same and not is_same_dtype(wanted or kept, kept):
        return _of_twin(a, wanted, copy_, in_order, function)
    if is_same and not copy_:
        if not in_order or in_order["order"] == "A":
            return a
        strictly = {} if copy_ is None else {"copy": False}
        return emit(create.asarray, a, **in_order, **strictly)
    if copy_ is False:
        raise _copy_needed(function)
    return cast_to(a, wanted or kept, **in_order)


def _of_twin(a: Value, wanted: Any, copy_: Any, in_order: dict[str, Any], function: str) -> Any:
    """``a`` as an array of an equal dtype: NumPy leaves a copy its own, and gives a view else."""
    if copy_:
        return emit(create.copy, a, **{"order": "K", **in_order})
    if copy_ is False or in_order:
        name = dtype_name(wanted) + " beside " + dtype_name(strong_dtype(a.type))
        raise DiagnosticError(catalog.UNSUPPORTED_DTYPE, name=function, dtype=name)
    return emit(view_op, a, dtype=wanted)


def _by_columns(made: Value, in_order: dict[str, Any]) -> Any:
    """A new array that lies row by row, column by column where that is asked for."""
    return emit(create.copy, made, order="F") if in_order.get("order") == "F" else made


def _copy_needed(function: str) -> DiagnosticError:
    reason = "with copy=False, NumPy raises where it has to make a copy"
    return DiagnosticError(catalog.INVALID_ARRAY_CALL, function=function, reason=reason)


@adapter("asarray", "a, dtype=None, order=None, *, device=None, copy=None, like=None")
def asarray(a: Any, dtype: Any = None, order: Any = None, *, copy: Any = None) -> Any:
    """``np.asarray``: an array of the wanted dtype and order is returned as it is."""
    return _new_array(a, dtype, copy, order, "np.asarray()")


@adapter("asanyarray", "a, dtype=None, order=None, *, device=None, copy=None, like=None")
def asanyarray(a: Any, dtype: Any = None, order: Any = None, *, copy: Any = None) -> Any:
    """``np.asanyarray``."""
    return _new_array(a, dtype, copy, order, "np.asanyarray()")


@adapter(
    "array",
    "object, dtype=None, *, copy=True, order='K', subok=False, ndmin=0, ndmax=0, like=None",
)
def array(
    object: Any,  # noqa: A002
    dtype: Any = None,
    *,
    copy: Any = True,
    order: Any = "K",
    ndmin: Any = 0,
) -> Any:
    """``np.array``: a new array, unless ``copy`` says otherwise."""
    found = _new_array(object, dtype, copy, order, "np.array()")
    wanted = static_int(ndmin, "np.array()", "ndmin")
    if wanted <= len(dims_of(found.type)):
        return found
    return emit(create.with_axes, found, ndmin=wanted, **static_order(order, "np.array()"))


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
def copy(a: Any, order: Any = "K") -> Any:
    """``np.copy``."""
    in_order = static_order(order, "np.copy()")
    value = as_array(a, "np.copy()")
    if value is not a:
        return _by_columns(value, in_order)
    return emit(create.copy, value, **{"order": "K", **in_order})


@adapter("copy")
def copy_method(a: Any, order: Any = "C") -> Any:
    """``a.copy(order)``."""
    return emit(create.copy, a, **{"order": "C", **static_order(order, "a.copy()", "C")})


@adapter("astype", "a, dtype, order='K', casting='unsafe', subok=True, copy=True")
def astype_method(
    a: Any, dtype: Any, order: Any = "K", casting: Any = "unsafe", *, copy: Any = True
) -> Any:
    """``a.astype(dtype)``; with ``copy=False`` an array of that dtype is returned as it is.

    Raises:
        DiagnosticError: NumPy casts no such dtype by this rule.
    """
    function = "a.astype()"
    wanted, kept = static_dtype(dtype, function) or _FLOAT, strong_dtype(a.type)
    rule = static_text(casting, function, "casting")
    if not _can_cast(kept, wanted, rule, function):
        reason = f"NumPy does not cast {kept} to {wanted} by the rule {rule!r}"
        raise DiagnosticError(catalog.INVALID_ARRAY_CALL, function=function, reason=reason)
    in_order = static_order(order, function)
    if static_bool(copy, function, "copy") or kept != wanted:
        return cast_to(a, wanted, **in_order)
    return emit(create.astype_itself, a, **in_order) if in_order and _is_array(a) else a


def _can_cast(kept: np.dtype, wanted: np.dtype, rule: Any, function: str) -> bool:
    """Whether NumPy casts one dtype to the other by a rule.

    Raises:
        DiagnosticError: there is no such rule.
    """
    if rule == "same_value":  # depends on the elements
        raise DiagnosticError(
            catalog.UNSUPPORTED_FUNCTION_ARGUMENT, function=function, argument="casting"
        )
    try:
        return np.can_cast(kept, wanted, rule)
    except ValueError as error:
        raise DiagnosticError(
            catalog.INVALID_ARRAY_CALL, function=function, reason=str(error)
        ) from None


@adapter("byteswap")
def byteswap(a: Any, inplace: Any = False) -> Any:
    """``a.byteswap(inplace)``."""
    swapped = emit(create.byteswap, a)
    if not static_bool(inplace, "a.byteswap()", "inplace"):
        return swapped
    store_functions.setitem(target_array(a, "a.byteswap()"), ..., swapped)
    return a


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

    def is_same(type_: Type) -> bool:
        return not isinstance(type_, PythonType) and is_same_dtype(strong_dtype(type_), dtype)

    name = dtype.type.__name__

    @adapter(name)
    def call(value: Any = 0, /) -> Any:
        function = f"np.{name}()"
        operand = as_operand(value, function)
        type_ = number_type(operand)
        if dims_of(type_):
            return operand if is_same(type_) else cast_to(operand, dtype)
        if not is_same(type_) or _is_array(operand):
            return emit(create.convert, operand, dtype=dtype)
        return as_value(operand)

    return call


ADAPTERS: dict[str, Callable[..., Any]] = {
    "zeros": _filled(create.zeros),
    "ones": _filled(create.ones),
    "full": full,
    "zeros_like": _like(create.zeros_like),
    "ones_like": _like(create.ones_like),
    "full_like": full_like,
    "empty": _filled(create.zeros, "empty", unset=True),
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

METHODS: dict[str, Callable[..., Any]] = {
    "copy": copy_method,
    "astype": astype_method,
    "byteswap": byteswap,
}
"""The methods of arrays and NumPy scalars."""
