"""Arrays made of numbers and lists: ``np.array``, ``np.asarray``, and the operands of array
functions.

NumPy's functions take anything that ``np.asarray`` takes. Here a list or tuple, which is a
compile-time structure of Values and numbers, becomes an array by the op ``array``.
"""

from __future__ import annotations

from functools import reduce
from math import prod
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import (
    INT,
    UNKNOWN,
    Dim,
    ListType,
    PythonType,
    ScalarType,
    TensorType,
    Type,
    Value,
    current_builder,
    dims_of,
    is_supported_dtype,
)
from staticpy.ops.apply import as_value, emit
from staticpy.ops.arguments import is_number, not_an_array, number_type
from staticpy.ops.list_arrays import list_array
from staticpy.ops.opdef import Attrs, Effect, defop
from staticpy.ops.promote import common_dims

_STRONG = {"bool": "bool", "int": "int64", "float": "float64", "complex": "complex128"}


def strong_dtype(type_: Type) -> np.dtype:
    """The dtype that ``np.asarray`` gives a value of this type."""
    if isinstance(type_, PythonType):
        return np.dtype(_STRONG[type_.kind])
    assert isinstance(type_, ScalarType | TensorType)
    return type_.dtype


def _infer_array(
    *operands: Type, shape: tuple[int, ...], dtype: np.dtype, inferred: bool = False
) -> Type:
    shapes = [dims_of(operand) for operand in operands]
    if len(operands) != prod(shape) or len({len(dims) for dims in shapes}) > 1:
        raise DiagnosticError(catalog.INVALID_IR, detail="the operands of an array don't fill it")
    return TensorType(dtype, (*shape, *(common_dims(*shapes) if shapes else ())))


def _array(*operands: Any, shape: tuple[int, ...], dtype: np.dtype, inferred: bool = False) -> Any:
    items: list[Any] = list(operands)
    for size in reversed(shape[1:]):
        items = [items[i : i + size] for i in range(0, len(items), size)] if size else items
    if 0 in shape:
        return np.zeros(shape, dtype)
    made = np.array(items if shape else items[0], dtype=None if inferred else dtype)
    if made.dtype == dtype:
        return made
    raise DiagnosticError(
        catalog.RESULT_OF_OTHER_TYPE,
        function="np.array()",
        found=f"an array of {made.dtype}",
        expected=f"one of {np.dtype(dtype)}",
    )


def _array_effects(operands: tuple[Type, ...], attrs: Attrs) -> Effect:
    target = attrs["dtype"].kind
    for operand in operands:
        if isinstance(operand, PythonType) and target != "b" and operand.kind != "bool":
            return Effect.RAISES
        if any(dim == UNKNOWN for dim in dims_of(operand)) and len(operands) > 1:
            return Effect.RAISES
        if len({dims_of(other) for other in operands}) > 1:
            return Effect.RAISES
    return Effect.WARNS


def _array_samples(rng: np.random.Generator) -> Any:
    f8 = np.dtype("float64")
    yield (1, 2.5, True), {"shape": (3,), "dtype": f8}
    yield (1, 2, 3, 4), {"shape": (2, 2), "dtype": np.dtype("int8")}
    yield (np.float32(2), np.array(3)), {"shape": (2, 1), "dtype": f8}
    yield (rng.random(3), rng.random(3)), {"shape": (2,), "dtype": f8}
    yield (2,), {"shape": (), "dtype": np.dtype("int64")}
    yield (), {"shape": (2, 0), "dtype": f8}
    yield (2, 2.5), {"shape": (2,), "dtype": f8, "inferred": True}
    yield (2**64,), {"shape": (), "dtype": np.dtype("int64"), "inferred": True}


array = defop(
    "array",
    infer=_infer_array,
    kernel=_array,
    effects=_array_effects,
    numpy="array",
    samples=_array_samples,
)
"""A new array of ``dtype``: operands that are numbers, or arrays of one shape, arranged in
``shape``. With ``shape = ()`` a copy of the one operand, as an array. Where the dtype is
``inferred``, an int beyond int64 is refused: NumPy makes an array of another dtype of it."""


def _flatten(items: Any, function: str) -> tuple[tuple[int, ...], list[Any]]:
    """The shape of a nested list and its leaves.

    Raises:
        DiagnosticError: the lists are ragged, or hold what is no number.
    """
    if not isinstance(items, tuple | list):
        if not is_number(items):
            raise not_an_array(function, items)
        return (), [items]
    parts = [_flatten(item, function) for item in items]
    shapes = {shape for shape, _ in parts}
    if len(shapes) > 1:
        reason = "the lists in it have different lengths"
        raise DiagnosticError(catalog.INVALID_ARRAY_CALL, function=function, reason=reason)
    inner = shapes.pop() if shapes else ()
    return (len(parts), *inner), [leaf for _, leaves in parts for leaf in leaves]


def _is_list(operand: Any) -> bool:
    """Whether ``operand`` is a list of the running program."""
    return isinstance(operand, Value) and isinstance(operand.type, ListType)


def _level(items: Any, function: str, dtype: np.dtype | None) -> Any:
    """``items`` with each list of the running program, and each list beside an array, turned into
    an array of its own.
    """
    if _is_list(items):
        return list_array(items, dtype)
    if not isinstance(items, tuple | list):
        return items
    items = [_level(item, function, dtype) for item in items]
    has_array = any(isinstance(item, Value) and dims_of(item.type) for item in items)
    if has_array:
        return [build(i, function, dtype) if isinstance(i, list) else i for i in items]
    return items


def build(items: Any, function: str, dtype: np.dtype | None = None) -> Value:
    """A new array of a number, an array, or nested lists of them.

    Raises:
        DiagnosticError: the lists are ragged, or hold what is no number.
    """
    if _is_list(items):
        return list_array(items, dtype)
    shape, leaves = _flatten(_level(items, function, dtype), function)
    types = [number_type(leaf) for leaf in leaves]
    ranks = {len(dims_of(type_)) for type_ in types}
    if len(ranks) > 1:
        reason = "it mixes arrays with different numbers of axes"
        raise DiagnosticError(catalog.INVALID_ARRAY_CALL, function=function, reason=reason)
    inferred = {"inferred": True} if dtype is None and any(map(_is_open_int, leaves)) else {}
    if dtype is None:
        found = [_leaf_dtype(leaf, function) for leaf in leaves]
        dtype = reduce(np.promote_types, found) if found else np.dtype("float64")
    _refuse_complex(types, dtype, function)
    _assume_same_shape(types)
    return emit(  # type: ignore[no-any-return]
        array, *leaves, shape=shape, dtype=dtype, **inferred
    )


def _is_open_int(leaf: Any) -> bool:
    """Whether a leaf is an int of Python's that is known at run time only."""
    return isinstance(leaf, Value) and leaf.type == INT


def _leaf_dtype(leaf: Any, function: str) -> np.dtype:
    """The dtype that NumPy gives a leaf; that of a huge int that is known is not int64."""
    if type(leaf) is not int:
        return strong_dtype(number_type(leaf))
    dtype = np.asarray(leaf).dtype
    if not is_supported_dtype(dtype):
        raise DiagnosticError(catalog.UNSUPPORTED_DTYPE, name=function, dtype=str(dtype))
    return dtype


def _refuse_complex(types: list[Type], dtype: np.dtype, function: str) -> None:
    """A Python complex in an array of another kind is a TypeError of NumPy's."""
    if dtype.kind not in "cb" and any(str(type_) == "complex" for type_ in types):
        reason = f"a complex number does not fit in an array of {dtype}"
        raise DiagnosticError(catalog.INVALID_ARRAY_CALL, function=function, reason=reason)


def _assume_same_shape(types: list[Type]) -> None:
    facts = current_builder().facts
    for type_ in types[1:]:
        for left, right in zip(dims_of(types[0]), dims_of(type_), strict=True):
            facts.assume_equal(left, right)


def as_array(operand: Any, function: str) -> Value:
    """``operand`` as ``np.asarray`` gives it: an array of any rank."""
    if isinstance(operand, Value) and isinstance(operand.type, TensorType):
        return operand
    return build(operand, function)


def as_operand(operand: Any, function: str) -> Any:
    """``operand`` where a number will do as well: lists become arrays, numbers stay what they are.

    Raises:
        DiagnosticError: it is neither a number nor an array nor a list of them.
    """
    if is_number(operand):
        return operand
    if isinstance(operand, tuple | list) or _is_list(operand):
        return build(operand, function)
    raise not_an_array(function, operand)


def as_numpy(operand: Any, function: str) -> Value:
    """As ``as_operand``, but Python numbers become 0-d arrays, as in ``np.sum(3)``."""
    operand = as_operand(operand, function)
    if isinstance(number_type(operand), PythonType):
        return build(operand, function)
    return as_value(operand)


def as_sized(operand: Any, function: str) -> Value:
    """``operand`` where only its sizes are asked for: those of a list are of the array it makes."""
    return as_value(as_operand(operand, function))


def sizes(value: Value) -> tuple[Dim, ...]:
    """The sizes of a value as the facts have them so far."""
    return dims_of(current_builder().facts.resolve_type(value.type))
