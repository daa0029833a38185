"""What the NumPy adapters ask of their arguments.

An adapter has the parameters of the NumPy function that it stands for. Its arguments are Values
where they are known only at run time, and plain Python objects otherwise. The helpers here turn
them into what the ops want, or say in plain words why they can't.
"""

from __future__ import annotations

import ast
import functools
import inspect
import operator
from collections.abc import Callable
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

# --- adapters -------------------------------------------------------------------------------------

_CPU = "cpu"
"""The only device that NumPy knows."""
_REFUSED = "refused_parameters"
_MEANINGLESS = {"device": (_CPU,), "subok": (True, False)}
"""What more a parameter may be given, as it makes no difference: there is one device, and an array
is of no subclass.
"""


def adapter(name: str, parameters: str = "") -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Make a function the adapter of NumPy's ``name``.

    ``parameters`` is NumPy's own list of parameters (``"a, axis=None, out=None"``). One that the
    function lacks is not supported: it may be given NumPy's default, which must stand in the list
    (``...`` where there is none to pass), and nothing else that makes a difference.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        own = inspect.signature(function)
        signature = _merged(parameters, own) if parameters else own
        refused = {
            parameter.name: parameter.default
            for parameter in signature.parameters.values()
            if parameter.name not in own.parameters
        }

        @functools.wraps(function)
        def checked(*args: Any, **kwargs: Any) -> Any:
            bound = signature.bind(*args, **kwargs).arguments
            for parameter, default in refused.items():
                given = bound.pop(parameter, default)
                allowed = (default, *_MEANINGLESS.get(parameter, ()))
                if not any(_is_same(given, each) for each in allowed):
                    raise DiagnosticError(
                        catalog.UNSUPPORTED_FUNCTION_ARGUMENT, function=name, argument=parameter
                    )
            own_arguments = inspect.BoundArguments(own, bound)
            return function(*own_arguments.args, **own_arguments.kwargs)

        checked.__name__ = name
        checked.__dict__["__signature__"] = signature
        checked.__dict__[_REFUSED] = tuple(name for name in refused if name not in _MEANINGLESS)
        return checked

    return decorate


def refused_parameters(call: Callable[..., Any]) -> tuple[str, ...]:
    """The parameters of an adapter that a program can't give yet."""
    found: tuple[str, ...] = call.__dict__.get(_REFUSED, ())
    return found


def refuse_parameters(call: Callable[..., Any], names: tuple[str, ...]) -> None:
    """Note that an adapter takes nothing but the default for some parameters."""
    call.__dict__[_REFUSED] = names


def _merged(parameters: str, own: inspect.Signature) -> inspect.Signature:
    """The signature that the text ``parameters`` describes, with the defaults of ``own``."""
    (definition,) = ast.parse(f"def f({parameters}): ...").body
    assert isinstance(definition, ast.FunctionDef)
    names = definition.args
    positional = [*names.posonlyargs, *names.args]
    defaults = [None] * (len(positional) - len(names.defaults)) + names.defaults
    found = [
        _parameter(arg, default, inspect.Parameter.POSITIONAL_OR_KEYWORD, own)
        for arg, default in zip(positional, defaults, strict=True)
    ]
    for index in range(len(names.posonlyargs)):
        found[index] = found[index].replace(kind=inspect.Parameter.POSITIONAL_ONLY)
    if names.vararg:
        found.append(_parameter(names.vararg, None, inspect.Parameter.VAR_POSITIONAL, own))
    for arg, default in zip(names.kwonlyargs, names.kw_defaults, strict=True):
        found.append(_parameter(arg, default, inspect.Parameter.KEYWORD_ONLY, own))
    return inspect.Signature(found)


def _parameter(
    arg: ast.arg, default: ast.expr | None, kind: Any, own: inspect.Signature
) -> inspect.Parameter:
    if arg.arg in own.parameters:
        return own.parameters[arg.arg].replace(kind=kind)
    assert default is not None, arg.arg
    return inspect.Parameter(arg.arg, kind, default=ast.literal_eval(default))


def _is_same(given: Any, default: Any) -> bool:
    return given is default or (type(given) is type(default) and given == default)


# --- operands -------------------------------------------------------------------------------------


def describe(operand: Any) -> str:
    """What a message calls an operand: its type."""
    if isinstance(operand, Value):
        return str(operand.type)
    if type(operand) in PYTHON_TYPES:
        return str(PYTHON_TYPES[type(operand)])
    return "None" if operand is None else type(operand).__name__


def is_number(operand: Any) -> bool:
    """Whether ``operand`` is a number or an array, known now or at run time."""
    if isinstance(operand, Value):
        is_numpy = isinstance(operand.type, ScalarType | TensorType)
        return is_numpy or operand.type in PYTHON_TYPES.values()
    return type(operand) in PYTHON_TYPES


def number_type(operand: Any) -> Type:
    """The type of an operand for which ``is_number`` holds, with the sizes as the facts have
    them.
    """
    if isinstance(operand, Value):
        return current_builder().facts.resolve_type(operand.type)
    return PYTHON_TYPES[type(operand)]


def not_an_array(function: str, operand: Any) -> DiagnosticError:
    """What to raise where a number or an array is due."""
    return DiagnosticError(catalog.NOT_AN_ARRAY, function=function, type=describe(operand))


def target_array(value: Any, function: str) -> Value:
    """``value``, which must be an array of the running program, for a function to write to.

    Raises:
        DiagnosticError: it is none.
    """
    if not isinstance(value, Value) or not isinstance(value.type, TensorType):
        reason = f"it writes to an array, not to a value of type {describe(value)}"
        raise DiagnosticError(catalog.INVALID_ARRAY_CALL, function=function, reason=reason)
    return value


# --- compile-time arguments -----------------------------------------------------------------------


def needs_static(function: str, argument: str) -> DiagnosticError:
    """What to raise where an argument must be known while compiling."""
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


def static_text(value: Any, function: str, argument: str) -> str:
    """A compile-time str, such as ``casting``."""
    if not isinstance(value, str):
        raise needs_static(function, argument)
    return value


def static_bool(value: Any, function: str, argument: str) -> bool:
    """A compile-time truth value, such as ``keepdims``; some functions of NumPy take no other
    objects for one than ints.
    """
    if isinstance(value, Value):
        raise needs_static(function, argument)
    return bool(static_int(value, function, argument))


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
        dtype: np.dtype = np.dtype(value)
    except TypeError as error:
        raise DiagnosticError(
            catalog.INVALID_ARRAY_CALL, function=function, reason=str(error)
        ) from None
    if not is_supported_dtype(dtype):
        raise DiagnosticError(catalog.UNSUPPORTED_DTYPE, name=function, dtype=str(dtype))
    return dtype


def static_axis(axis: Any, rank: int, function: str) -> int:
    """One axis, counted from the front.

    Raises:
        DiagnosticError: it is known only at run time, or out of range.
    """
    if isinstance(axis, bool):  # refused by most functions of NumPy
        reason = "'axis' must be an int, not bool"
        raise DiagnosticError(catalog.INVALID_ARRAY_CALL, function=function, reason=reason)
    index = static_int(axis, function, "axis")
    if not -rank <= index < rank:
        reason = f"axis {index} is out of bounds for an array of {rank} axes"
        raise DiagnosticError(catalog.INVALID_ARRAY_CALL, function=function, reason=reason)
    return index % rank


def axis_of_many(axis: Any, rank: int, function: str) -> dict[str, int]:
    """The attribute ``axis``, unless it is None; what has no axes counts as one of them, all its
    elements.
    """
    if axis is None or (rank == 0 and static_axis(axis, 1, function) == 0):
        return {}
    return {"axis": static_axis(axis, rank, function)}


def static_axes(axis: Any, rank: int, function: str) -> int | tuple[int, ...] | None:
    """``axis`` as None, an int, or a tuple, counted from the front."""
    if axis is None:
        return None
    if isinstance(axis, tuple | list):
        axes = tuple(static_axis(item, rank, function) for item in axis)
        if len(set(axes)) < len(axes):
            reason = f"an axis stands twice in {axes}"
            raise DiagnosticError(catalog.INVALID_ARRAY_CALL, function=function, reason=reason)
        return axes
    return static_axis(axis, rank, function)


def static_axis_tuple(axis: Any, rank: int, function: str) -> int | tuple[int, ...] | None:
    """``static_axes`` of a function that takes no list of axes.

    Raises:
        DiagnosticError: it is one.
    """
    if isinstance(axis, list):
        reason = "'axis' must be None, an integer or a tuple of integers"
        raise DiagnosticError(catalog.INVALID_ARRAY_CALL, function=function, reason=reason)
    return static_axes(axis, rank, function)


def reduced_axes(axis: Any, rank: int, function: str) -> int | tuple[int, ...] | None:
    """``axis`` as NumPy's reductions take it: that of a number may be 0 or -1."""
    if rank == 0 and not isinstance(axis, Value) and axis in (0, -1):
        return 0  # NumPy lets some functions have it; their type rules know which
    return static_axis_tuple(axis, rank, function)


def static_order(
    order: Any, function: str, default: str = "K", allowed: str = "CFAK"
) -> dict[str, Any]:
    """The attribute ``order``, unless it is the default: how a new array lies in memory.

    Raises:
        DiagnosticError: it is known only at run time, or NumPy has no such order.
    """
    if order is None:
        return {}
    text = static_text(order, function, "order").upper()
    if text not in tuple(allowed):
        reason = f"'order' must be one of {', '.join(map(repr, allowed))}, not {order!r}"
        raise DiagnosticError(catalog.INVALID_ARRAY_CALL, function=function, reason=reason)
    return {} if text == default else {"order": text}


# --- sizes ----------------------------------------------------------------------------------------


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
    """What a type can say of a size: its number, the symbol of the axis it was read from, or
    nothing.
    """
    if isinstance(size, int):
        return size if size >= 0 else UNKNOWN
    operation = size.defining_op
    if operation is None:
        return UNKNOWN
    if operation.name == "constant":
        number = operation.attrs["value"]
        return number if type(number) is int and number >= 0 else UNKNOWN
    if operation.name == "dim":
        facts = current_builder().facts
        return facts.resolve(dims_of(operation.operands[0].type)[operation.attrs["axis"]])
    return UNKNOWN


def split_shape(
    sizes: tuple[int | Value, ...], dtype: np.dtype
) -> tuple[dict[str, Any], list[Value]]:
    """The attributes ``shape`` and ``result_type`` and the operands by which an op is told a shape.

    ``shape`` has None for each size that comes as an operand; ``result_type``, there where such a
    size is the size of an axis of another array, is the type of the result.
    """
    operands = [as_value(size) for size in sizes if isinstance(size, Value)]
    shape = tuple(None if isinstance(size, Value) else size for size in sizes)
    attrs: dict[str, Any] = {"shape": shape}
    dims = tuple(map(known_dim, sizes))
    if any(dim != UNKNOWN for dim, size in zip(dims, shape, strict=True) if size is None):
        attrs["result_type"] = TensorType(dtype, dims)
    return attrs, operands


def fill_shape(shape: tuple[int | None, ...], operands: tuple[Any, ...]) -> tuple[Any, ...]:
    """The run-time shape: ``shape`` with the operands in place of None."""
    sizes = iter(operands)
    return tuple(next(sizes) if size is None else size for size in shape)


def shape_dims(shape: tuple[int | None, ...], type_: Type | None) -> tuple[Dim, ...]:
    """What is known of a shape given by the attributes of ``split_shape``."""
    if isinstance(type_, TensorType):
        return type_.dims
    return tuple(UNKNOWN if size is None or size < 0 else size for size in shape)
