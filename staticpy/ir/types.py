"""The types of SSA values.

A run-time value of Python with NumPy comes in one of three boxes, and the box is part of the type,
because promotion, mutability and aliasing differ between them:

    PythonType   int, float, bool, complex     prints as   int
    ScalarType   a NumPy scalar                prints as   f64
    TensorType   an ndarray, 0-d included      prints as   f64[n, 3]   f64[]

A type fixes dtype and rank; a size is a number, a symbol, or unknown (``?``).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

Dim = int | str
"""A size: a number where it is known, a symbol such as ``"n"``, or ``UNKNOWN``."""

UNKNOWN = "?"
"""The size that nothing is known of. Two unknown sizes are never taken to be equal."""

_DTYPE_NAMES = {
    "b1": "bool",
    "i8": "int8",
    "i16": "int16",
    "i32": "int32",
    "i64": "int64",
    "u8": "uint8",
    "u16": "uint16",
    "u32": "uint32",
    "u64": "uint64",
    "f16": "float16",
    "f32": "float32",
    "f64": "float64",
    "c64": "complex64",
    "c128": "complex128",
}
DTYPES: dict[str, np.dtype] = {short: np.dtype(name) for short, name in _DTYPE_NAMES.items()}
"""The dtypes of the language by their short name."""

_SHORT_NAMES = {dtype: short for short, dtype in DTYPES.items()}


def dtype_name(dtype: np.dtype) -> str:
    """The short name of ``dtype``: ``float64`` is ``f64``.

    Raises:
        KeyError: ``dtype`` is none of the language's.
    """
    return _SHORT_NAMES[dtype]


def is_supported_dtype(dtype: np.dtype) -> bool:
    """Whether the language has ``dtype`` (native byte order, numeric or bool)."""
    return dtype in _SHORT_NAMES and dtype.isnative


class Type:
    """Base of every type: frozen, hashable, printed in its text form."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class PythonType(Type):
    """A Python scalar. Its ``kind`` is ``bool``, ``int``, ``float`` or ``complex``."""

    kind: str

    def __str__(self) -> str:
        return self.kind


@dataclass(frozen=True, slots=True)
class ScalarType(Type):
    """A NumPy scalar, such as the result of ``x.sum()``."""

    dtype: np.dtype

    def __str__(self) -> str:
        return dtype_name(self.dtype)


@dataclass(frozen=True, slots=True)
class TensorType(Type):
    """An ndarray of ``len(dims)`` axes; a 0-d array has none."""

    dtype: np.dtype
    dims: tuple[Dim, ...]

    @property
    def rank(self) -> int:
        """The number of axes."""
        return len(self.dims)

    def __str__(self) -> str:
        return f"{dtype_name(self.dtype)}[{', '.join(map(str, self.dims))}]"


@dataclass(frozen=True, slots=True)
class UnionType(Type):
    """A scalar that is in one of several boxes, by the path that was taken: ``float|f64``.

    Python itself tells them apart when the value is read, so nothing is converted where paths meet.
    """

    members: tuple[PythonType | ScalarType, ...]

    def __str__(self) -> str:
        return "|".join(map(str, self.members))


BOOL = PythonType("bool")
INT = PythonType("int")
FLOAT = PythonType("float")
COMPLEX = PythonType("complex")
PYTHON_TYPES: dict[type, PythonType] = {bool: BOOL, int: INT, float: FLOAT, complex: COMPLEX}


def array_type(dtype: np.dtype, dims: Iterable[Dim]) -> ScalarType | TensorType:
    """The type that NumPy's functions return: a scalar where no axis is left, else an array."""
    dims = tuple(dims)
    return TensorType(dtype, dims) if dims else ScalarType(dtype)


def dims_of(type_: Type) -> tuple[Dim, ...]:
    """The sizes of a value of this type; a scalar of either box has none."""
    return type_.dims if isinstance(type_, TensorType) else ()


def type_of(value: object) -> Type | None:
    """The type of a run-time value with its sizes as numbers; None where it has no type."""
    if type(value) in PYTHON_TYPES:
        return PYTHON_TYPES[type(value)]
    if isinstance(value, np.generic):
        known = is_supported_dtype(value.dtype) and type(value) is value.dtype.type
        return ScalarType(value.dtype) if known else None
    if type(value) is np.ndarray and is_supported_dtype(value.dtype):
        return TensorType(value.dtype, value.shape)
    return None


def join_dims(left: tuple[Dim, ...], right: tuple[Dim, ...]) -> tuple[Dim, ...]:
    """The sizes that cover both of two equally long tuples: ``UNKNOWN`` where they differ."""
    return tuple(a if a == b else UNKNOWN for a, b in zip(left, right, strict=True))


def join(left: Type, right: Type) -> Type | None:
    """The type that holds values of both types unchanged; None where there is none."""
    if left == right:
        return left
    if isinstance(left, TensorType) and isinstance(right, TensorType):
        if left.dtype != right.dtype or left.rank != right.rank:
            return None
        return TensorType(left.dtype, join_dims(left.dims, right.dims))
    if isinstance(left, TensorType) or isinstance(right, TensorType):
        return None
    members = {str(member): member for type_ in (left, right) for member in members_of(type_)}
    return UnionType(tuple(members[name] for name in sorted(members)))


def members_of(type_: Type) -> tuple[PythonType | ScalarType, ...]:
    """The boxes that a scalar of this type can be in."""
    if isinstance(type_, UnionType):
        return type_.members
    assert isinstance(type_, PythonType | ScalarType)
    return (type_,)


def accepts(target: Type, source: Type) -> bool:
    """Whether a value of type ``source`` may stand where ``target`` is asked for."""
    return join(target, source) == target
