"""What the NumPy adapters ask of their arguments.

An adapter has the parameters of the NumPy function that it stands for. Its arguments are Values where
they are known only at run time, and plain Python objects otherwise. The helpers here turn them into
what the ops want, or say in plain words why they can't.
"""

from __future__ import annotations

import functools
import inspect
import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import (
    PYTHON_TYPES,
    UNKNOWN,
    Dim,
    PythonType,
    ScalarType,
    TensorType,
    Type,
    Value,
    current_builder,
    dims_of,
    is_supported_dtype,
)
from staticpy.ops.apply import as_value

# --- parameters that NumPy has and staticpy has not -------------------------------------------------


@dataclass(frozen=True, slots=True)
class Unsupported:
    """The default of such a parameter; NumPy's own default may still be passed."""

    default: Any

    def __repr__(self) -> str:
        return repr(self.default)


def adapter(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Make a function the adapter of NumPy's ``name``: using an Unsupported parameter is refused."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        signature = inspect.signature(function)
        refused = {
            parameter.name: parameter.default.default
            for parameter in signature.parameters.values()
            if isinstance(parameter.default, Unsupported)
        }

        @functools.wraps(function)
        def checked(*args: Any, **kwargs: Any) -> Any:
            bound = signature.bind(*args, **kwargs).arguments
            for parameter, default in refused.items():
                given = bound.get(parameter, default)
                if not isinstance(given, Unsupported) and not _is_same(given, default):
                    raise DiagnosticError(
                        catalog.UNSUPPORTED_FUNCTION_ARGUMENT, function=name, argument=parameter
                    )
            return function(*args, **kwargs)

        checked.__name__ = name
        return checked

    return decorate


def _is_same(given: Any, default: Any) -> bool:
    return given is default or (type(given) is type(default) and given == default)


# --- operands ------------------------------------------------------------------------------------


def describe(operand: Any) -> str:
    """What a message calls an operand: its type."""
    if isinstance(operand, Value):
        return str(operand.type)
    if type(operand) in PYTHON_TYPES:
        return str(PYTHON_TYPES[type(operand)])
    return "None" if operand is None else type(operand).__name__


def is_number(operand: Any) -> bool:
    """Whether ``operand`` is a Value or a compile-time Python number."""
    return isinstance(operand, Value) or type(operand) in PYTHON_TYPES


def number_type(operand: Any) -> Type:
    """The type of an operand for which ``is_number`` holds, with the sizes as the facts have them."""
    if isinstance(operand, Value):
        return current_builder().facts.resolve_type(operand.type)
    return PYTHON_TYPES[type(operand)]


def not_an_array(function: str, operand: Any) -> DiagnosticError:
    return DiagnosticError(catalog.NOT_AN_ARRAY, function=function, type=describe(operand))


# --- compile-time arguments ------------------------------------------------------------------------


def needs_static(function: str, argument: str) -> DiagnosticError:
    return DiagnosticError(catalog.NEEDS_COMPILE_TIME, what=f"{argument!r} of '{function}'")


def static_int(value: Any, function: str, argument: str) -> int:
    """A compile-time int.

    Raises:
        DiagnosticError: it is known only at run time, or is no int.
    """
    if isinstance(value, Value):
        raise needs_static(function, argument)
    try:
        return operator.index(value)
    except TypeError:
        reason = f"{argument!r} must be an int, not {describe(value)}"
        raise DiagnosticError(
            catalog.INVALID_ARRAY_CALL, function=function, reason=reason
        ) from None


def static_bool(value: Any, function: str, argument: str) -> bool:
    """A compile-time truth value, such as ``keepdims``."""
    if isinstance(value, Value):
        raise needs_static(function, argument)
    return bool(value)


def static_dtype(value: Any, function: str) -> np.dtype | None:
    """The dtype that ``dtype=value`` names; None for None.

    Raises:
        DiagnosticError: it is known only at run time, or staticpy does not have it.
    """
    if isinstance(value, Value):
        raise needs_static(function, "dtype")
    if value is None:
        return None
    try:
        dtype = np.dtype(value)
    except TypeError:
        dtype = np.dtype(object)
    if not is_supported_dtype(dtype):
        raise DiagnosticError(
            catalog.INVALID_ARRAY_CALL,
            function=function,
            reason=f"the dtype {value!r} is not one of staticpy's",
        )
    return dtype


def static_axis(axis: Any, rank: int, function: str) -> int:
    """One axis, counted from the front.

    Raises:
        DiagnosticError: it is known only at run time, or out of range.
    """
    index = static_int(axis, function, "axis")
    if not -rank <= index < rank:
        reason = f"axis {index} is out of bounds for an array of {rank} axes"
        raise DiagnosticError(catalog.INVALID_ARRAY_CALL, function=function, reason=reason)
    return index % rank


def static_axes(axis: Any, rank: int, function: str) -> int | tuple[int, ...] | None:
    """``axis`` as NumPy's reductions take it (None, an int, a tuple), counted from the front."""
    if axis is None:
        return None
    if isinstance(axis, tuple | list):
        axes = tuple(static_axis(item, rank, function) for item in axis)
        if len(set(axes)) < len(axes):
            reason = f"an axis stands twice in {axes}"
            raise DiagnosticError(catalog.INVALID_ARRAY_CALL, function=function, reason=reason)
        return axes
    if rank == 0 and not isinstance(axis, Value) and axis in (0, -1):
        return 0  # NumPy lets some functions have it; their type rules know which
    return static_axis(axis, rank, function)


# --- sizes -----------------------------------------------------------------------------------------


def is_int_type(type_: Type) -> bool:
    """Whether a value of this type can be a size or an index: an int of either box."""
    if isinstance(type_, PythonType):
        return type_.kind == "int"
    return isinstance(type_, ScalarType) and type_.dtype.kind in "iu"


def size_value(size: Any, function: str, argument: str = "shape") -> int | Value:
    """One size: a compile-time int, or a Value that is an int.

    Raises:
        DiagnosticError: it is no int.
    """
    if isinstance(size, Value):
        if not is_int_type(size.type):
            reason = f"{argument!r} must be made of ints, not {size.type}"
            raise DiagnosticError(catalog.INVALID_ARRAY_CALL, function=function, reason=reason)
        return size
    if type(size) is bool:
        reason = f"{argument!r} must be made of ints, not bool"
        raise DiagnosticError(catalog.INVALID_ARRAY_CALL, function=function, reason=reason)
    return static_int(size, function, argument)


def shape_values(shape: Any, function: str) -> tuple[int | Value, ...]:
    """A shape, given as one size or as a tuple or list of sizes."""
    if isinstance(shape, Value) and isinstance(shape.type, TensorType):
        raise needs_static(function, "shape")
    sizes = shape if isinstance(shape, tuple | list) else (shape,)
    return tuple(size_value(size, function) for size in sizes)


def known_dim(size: int | Value) -> Dim:
    """What a type can say of a size: its number, the symbol of the axis it was read from, or nothing."""
    if isinstance(size, int):
        return size
    operation = size.defining_op
    if operation is None:
        return UNKNOWN
    if operation.name == "constant" and type(operation.attrs["value"]) is int:
        return operation.attrs["value"]  # type: ignore[no-any-return]
    if operation.name == "dim":
        facts = current_builder().facts
        return facts.resolve(dims_of(operation.operands[0].type)[operation.attrs["axis"]])
    return UNKNOWN


def split_shape(
    sizes: tuple[int | Value, ...], dtype: np.dtype
) -> tuple[dict[str, Any], list[Value]]:
    """The attributes ``shape`` and ``type`` and the operands by which an op is told a shape.

    ``shape`` has None for each size that comes as an operand; ``type``, there where such a size is
    the size of an axis of another array, is the type of the result.
    """
    operands = [as_value(size) for size in sizes if isinstance(size, Value)]
    shape = tuple(None if isinstance(size, Value) else size for size in sizes)
    attrs: dict[str, Any] = {"shape": shape}
    dims = tuple(map(known_dim, sizes))
    if any(dim != UNKNOWN for dim, size in zip(dims, shape, strict=True) if size is None):
        attrs["type"] = TensorType(dtype, dims)
    return attrs, operands


def fill_shape(shape: tuple[int | None, ...], operands: tuple[Any, ...]) -> tuple[Any, ...]:
    """The run-time shape: ``shape`` with the operands in place of None."""
    sizes = iter(operands)
    return tuple(next(sizes) if size is None else size for size in shape)


def shape_dims(shape: tuple[int | None, ...], type_: Type | None) -> tuple[Dim, ...]:
    """What is known of a shape given by the attributes of ``split_shape``."""
    if isinstance(type_, TensorType):
        return type_.dims
    return tuple(UNKNOWN if size is None else size for size in shape)
