"""Elementwise functions that are no plain ufunc: ``where``, ``clip``, ``round``, real and imaginary
parts.

In: operands of any box. Out: what NumPy gives; ``where`` always an array, the others a NumPy scalar
where there is no axis.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import cache, reduce
from typing import Any

import numpy as np
from numpy._core import umath

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import (
    INT,
    PythonType,
    TensorType,
    Type,
    Value,
    dims_of,
)
from staticpy.ops import python_functions
from staticpy.ops.apply import as_value, emit
from staticpy.ops.arguments import (
    adapter,
    is_number,
    number_type,
    static_bool,
    static_int,
    target_array,
)
from staticpy.ops.calls import into
from staticpy.ops.elementwise import op_named
from staticpy.ops.library_functions import library_call
from staticpy.ops.nested import as_numpy, as_operand, strong_dtype
from staticpy.ops.opdef import Effect, OpDef, defop
from staticpy.ops.probe import probe
from staticpy.ops.promote import (
    broadcast_together,
    common_dims,
    convert,
    elementwise,
    elementwise_type,
    from_python,
    known_conversion,
)
from staticpy.ops.python_scalars import apply_scalar
from staticpy.ops.reduce import sized
from staticpy.ops.search import nonzero
from staticpy.ops.store import copyto

# --- where ----------------------------------------------------------------------------------------


def _infer_where(condition: Type, left: Type, right: Type) -> Type:
    types = (condition, left, right)
    python = any(isinstance(type_, PythonType) for type_ in types)
    ranks = {len(dims_of(type_)) for type_ in types}
    if python or len(ranks) > 1 or strong_dtype(left) != strong_dtype(right):
        described = ", ".join(map(str, types))
        raise DiagnosticError(catalog.INVALID_IR, detail=f"where cannot take {described}")
    dtype = np.promote_types(strong_dtype(left), strong_dtype(right))  # one of two that are equal
    return TensorType(dtype, common_dims(*map(dims_of, types)))


def _where_samples(rng: np.random.Generator) -> Any:
    x = rng.random((2, 3))
    yield (x > 0.5, x, -x), {}
    yield (np.bool_(True), np.float32(2), np.float32(3)), {}
    yield (np.array([True, False]), np.array([1, 2]), np.array([3, 4])), {}


where_op = defop(
    "where", infer=_infer_where, kernel=np.where, numpy="where", samples=_where_samples
)
"""``np.where(condition, x, y)`` of bools and two operands of one dtype, all of one shape: always an
array."""

_WEAK_SAMPLE: dict[str, Any] = {"bool": np.dtype(bool), "int": 0, "float": 0.0, "complex": 0j}


def _where_dtype(types: Sequence[Type]) -> np.dtype:
    if all(isinstance(type_, PythonType) for type_ in types):
        return reduce(np.promote_types, map(strong_dtype, types))
    weak = [
        _WEAK_SAMPLE[type_.kind] if isinstance(type_, PythonType) else strong_dtype(type_)
        for type_ in types
    ]
    return np.result_type(*weak)


def _choice(operand: Any, dtype: np.dtype) -> Value:
    """An operand of ``where``: a Python number becomes an array first, and then wraps as arrays
    do.
    """
    if isinstance(number_type(operand), PythonType):
        return emit(from_python, operand, dtype=dtype, wraps=True)  # type: ignore[no-any-return]
    return convert(operand, dtype)


@cache
def _converts_first() -> bool:
    """Whether this NumPy's ``where`` converts numbers of Python before it looks at the sizes, as
    from 2.5 on.
    """
    try:
        with np.errstate(over="raise"):
            np.where(np.ones(2, bool), np.ones(3, np.float16), 1e300)
    except FloatingPointError:
        return True
    except ValueError:
        pass
    return False


def _may_warn(operand: Any, dtype: np.dtype) -> bool:
    """Whether the operand is a number of Python that may be too large for a float of ``dtype``."""
    return (
        isinstance(number_type(operand), PythonType)
        and dtype.kind in "fc"
        and not np.can_cast(np.float64, dtype)
        and known_conversion(operand, {"dtype": dtype, "wraps": True}) is None
    )


_NOT_GIVEN: Any = object()


@adapter("where")
def where(condition: Any, x: Any = _NOT_GIVEN, y: Any = _NOT_GIVEN, /) -> Any:
    """``np.where``; with one argument it is ``np.nonzero``. A None is given."""
    function = "np.where()"
    if x is _NOT_GIVEN and y is _NOT_GIVEN:
        return nonzero(condition)
    if x is _NOT_GIVEN or y is _NOT_GIVEN:
        reason = "either both or neither of x and y should be given"
        raise DiagnosticError(catalog.INVALID_ARRAY_CALL, function=function, reason=reason)
    left, right = (as_operand(operand, function) for operand in (x, y))
    dtype = _where_dtype([number_type(left), number_type(right)])
    test = convert(as_numpy(condition, function), np.dtype(bool))
    test, left, right = _known_to_fit(test, left, right, dtype)
    return emit(where_op, *broadcast_together([test, _choice(left, dtype), _choice(right, dtype)]))


def _known_to_fit(test: Value, left: Any, right: Any, dtype: np.dtype) -> tuple[Any, Any, Any]:
    """The operands of ``where``, with the sizes looked at before a number of Python is converted,
    which may warn, where this NumPy raises what is wrong with the sizes first.
    """
    operands = (test, left, right)
    if _converts_first():
        return operands
    is_late = [_may_warn(each, dtype) for each in operands]
    if not any(is_late):
        return operands
    known = [
        as_value(dtype.type(0)) if late else as_numpy(each, "np.where()")
        for each, late in zip(operands, is_late, strict=True)
    ]
    stretched = broadcast_together(known)
    test, left, right = (
        given if late else made
        for given, made, late in zip(operands, stretched, is_late, strict=True)
    )
    return test, left, right


# --- clip -----------------------------------------------------------------------------------------

_CLIP_UFUNC: np.ufunc = umath.clip  # type: ignore[attr-defined]


clip_op = defop(
    "clip",
    infer=elementwise_type(_CLIP_UFUNC),
    kernel=_CLIP_UFUNC,
    ufunc=_CLIP_UFUNC,
    numpy="clip",
    samples=lambda rng: [
        ((rng.random((2, 3)), np.zeros((2, 3)), np.full((2, 3), 0.5)), {}),
        ((np.int8(3), np.int8(0), np.int8(2)), {}),
    ],
)
"""``np.clip(x, low, high)`` of three operands of one dtype."""


def _clip_takes_any_int() -> bool:
    """Whether a bound may be beyond the range of the array: so it is from NumPy 2.1 on."""
    try:
        np.clip(np.zeros(1, np.uint8), 0, 300)
    except OverflowError:
        return False
    return True


_TAKES_ANY_INT = _clip_takes_any_int()


def _bound(bound: Any, dtype: np.dtype, is_low: bool) -> Any:
    """A bound as NumPy takes it: a Python int beyond the range of an integer array bounds
    nothing.
    """
    if (
        not _TAKES_ANY_INT
        or dtype.kind not in "iu"
        or not is_number(bound)
        or number_type(bound) != INT
    ):
        return bound
    limits = np.iinfo(dtype)
    limit = int(limits.min if is_low else limits.max)
    if isinstance(bound, Value):
        within = python_functions.max_ if is_low else python_functions.min_
        return apply_scalar(within, bound, limit)
    beyond = bound <= limit if is_low else bound >= limit
    return None if beyond else bound


_GIVEN_NOTHING: Any = ...
_TAKES_NAMES = "min" in inspect.signature(np.clip).parameters
"""Whether ``np.clip`` has ``min=`` and ``max=``, and needs no bound: so it is from 2.1 on."""


@adapter("clip")
def clip(
    a: Any,
    a_min: Any = _GIVEN_NOTHING,
    a_max: Any = _GIVEN_NOTHING,
    out: Any = None,
    *,
    min: Any = _GIVEN_NOTHING,  # noqa: A002
    max: Any = _GIVEN_NOTHING,  # noqa: A002
) -> Any:
    """``np.clip``; None bounds nothing. The bounds have places, or names."""
    places = [bound for bound in (a_min, a_max) if bound is not _GIVEN_NOTHING]
    names = [bound for bound in (min, max) if bound is not _GIVEN_NOTHING]
    if len(places) == 1 or (places and names) or not (places or _TAKES_NAMES):
        reason = "it takes 'a_min' and 'a_max', or 'min' or 'max' or both"
        raise DiagnosticError(catalog.INVALID_ARRAY_CALL, function="np.clip()", reason=reason)
    limits = [None if bound is _GIVEN_NOTHING else bound for bound in (min, max)]
    return _clipped(a, places or limits, out)


def _clipped(a: Any, limits: list[Any], out: Any) -> Any:
    function = "np.clip()"
    value = as_numpy(a, function)
    if limits == [None, None] and not _TAKES_NAMES:
        reason = "One of max or min must be given"
        raise DiagnosticError(catalog.INVALID_ARRAY_CALL, function=function, reason=reason)
    if out is not None:
        given = [None if limit is None else as_operand(limit, function) for limit in limits]
        return into(out, "clip", value, *given)
    dtype = strong_dtype(value.type)
    low, high = (
        _bound(limit, dtype, is_low) for limit, is_low in zip(limits, (True, False), strict=True)
    )
    bounds = [None if bound is None else as_operand(bound, function) for bound in (low, high)]
    if bounds[0] is None and bounds[1] is None:
        return elementwise(op_named("positive"), value)
    if bounds[0] is None:
        return elementwise(op_named("minimum"), value, bounds[1])
    if bounds[1] is None:
        return elementwise(op_named("maximum"), value, bounds[0])
    return elementwise(clip_op, value, *bounds)


@adapter("clip")
def clip_method(a: Any, min: Any = None, max: Any = None, out: Any = None) -> Any:  # noqa: A002
    """``a.clip(min, max)``."""
    return _clipped(a, [min, max], out)


# --- round ----------------------------------------------------------------------------------------


def _round(operand: Any, *, decimals: int = 0) -> Any:
    return np.round(operand, decimals)


def _infer_round(operand: Type, *, decimals: int = 0) -> Type:
    (found,) = probe("np.round()", _round, (operand,), {"decimals": decimals})
    return sized(found, dims_of(operand))


round_op = defop(
    "round",
    infer=_infer_round,
    kernel=_round,
    effects=Effect.WARNS,
    numpy="round",
    samples=lambda rng: [
        ((rng.random((2, 3)),), {"decimals": 2}),
        ((np.array([True, False]),), {}),
        ((np.array([15, 25]),), {"decimals": -1}),
        ((np.array(2.5),), {}),
        ((np.complex64(2.5 + 1.4j),), {}),
    ],
)
"""``np.round(x, decimals)``."""


@adapter("round")
def round_(a: Any, decimals: Any = 0, out: Any = None) -> Any:
    """``np.round``."""
    places = static_int(decimals, "np.round()", "decimals")
    attrs = {"decimals": places} if places else {}
    value = as_numpy(a, "np.round()")
    return emit(round_op, value, **attrs) if out is None else into(out, "round", value, **attrs)


# --- nan_to_num -----------------------------------------------------------------------------------


@adapter("nan_to_num")
def nan_to_num(
    x: Any, copy: Any = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None
) -> Any:
    """``np.nan_to_num``; with ``copy=False`` the array itself gets the new elements."""
    function = "np.nan_to_num()"
    made = library_call("nan_to_num", x, nan=nan, posinf=posinf, neginf=neginf)
    if static_bool(copy, function, "copy"):
        return made
    target = target_array(x, function)
    if strong_dtype(target.type).kind in "fc":
        emit(copyto, target, made)
    return target if dims_of(target.type) else made


# --- complex parts --------------------------------------------------------------------------------


def _part_samples(rng: np.random.Generator) -> Any:
    for dtype in ("bool", "int8", "float32", "complex64", "complex128"):
        x = rng.integers(0, 5, (2, 3)).astype(dtype)
        yield (x,), {}
        yield (x[0, 0],), {}
        yield (np.array(2, dtype),), {}


def _infer_part(function: str, kernel: Any, operand: Type, **attrs: Any) -> Type:
    (found,) = probe(f"np.{function}()", kernel, (operand,), attrs)
    return sized(found, dims_of(operand))


def _part(name: str) -> OpDef:
    kernel = getattr(np, name)

    def infer(operand: Type) -> Type:
        return _infer_part(name, kernel, operand)

    return defop(name, infer=infer, kernel=kernel, view=True, numpy=name, samples=_part_samples)


real_op = _part("real")
imag_op = _part("imag")
"""``x.imag``: a view of complex numbers, zeros of others."""


def _infer_angle(operand: Type, *, deg: bool = False) -> Type:
    return _infer_part("angle", np.angle, operand, deg=deg)


angle_op = defop(
    "angle",
    infer=_infer_angle,
    kernel=np.angle,
    effects=Effect.WARNS,
    numpy="angle",
    samples=lambda rng: [
        ((rng.random(3) + 1j,), {}),
        ((np.array(2.0),), {"deg": True}),
        ((np.float32(-2),), {}),
    ],
)
"""``np.angle(z, deg)``."""


def part_of(operand: Any, name: str) -> Any:
    """``operand.real`` or ``operand.imag``, also of a Python number."""
    op, python_op = {
        "real": (real_op, python_functions.real),
        "imag": (imag_op, python_functions.imag),
    }[name]
    operand = as_operand(operand, f"np.{name}()")
    if isinstance(number_type(operand), PythonType):
        return apply_scalar(python_op, operand)
    return emit(op, as_value(operand))


@adapter("real")
def real(val: Any) -> Any:
    """``np.real``."""
    return part_of(val, "real")


@adapter("imag")
def imag(val: Any) -> Any:
    """``np.imag``."""
    return part_of(val, "imag")


@adapter("angle")
def angle(z: Any, deg: Any = False) -> Any:
    """``np.angle``."""
    attrs = {"deg": True} if static_bool(deg, "np.angle()", "deg") else {}
    return emit(angle_op, as_numpy(z, "np.angle()"), **attrs)


ADAPTERS: dict[str, Callable[..., Any]] = {
    "where": where,
    "clip": clip,
    "round": round_,
    "around": round_,
    "nan_to_num": nan_to_num,
    "real": real,
    "imag": imag,
    "angle": angle,
}
"""The functions by NumPy's name."""

METHODS: dict[str, Callable[..., Any]] = {"clip": clip_method, "round": round_}
"""The methods of arrays and NumPy scalars."""
