"""The types of SSA values.

A number or array of Python with NumPy comes in one of three boxes, and the box is part of the type,
because promotion, mutability and aliasing differ between them:

    PythonType   int, float, bool, complex     prints as   int
    ScalarType   a NumPy scalar                prints as   f64
    TensorType   an ndarray, 0-d included      prints as   f64[n, 3]   f64[]

A type fixes dtype and rank; a size is a number, a symbol, or unknown (``?``). The other values of a
running program have types, too:

    PythonType   None, str                     prints as   None
    TupleType    a tuple, by its items         prints as   (int, f64[n])   (int,)   ()
    ListType     a list whose items are alike  prints as   list[f64]
    DictType     a dict                        prints as   dict[int, float]
    ObjectType   any other object              prints as   object   object["module.Node"]
    UnionType    one of several, by the path   prints as   f64[n]|None
    NeverType    no value at all               prints as   never
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

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

_SWAPPED = {
    f"{short}{'be' if sys.byteorder == 'little' else 'le'}": dtype.newbyteorder()
    for short, dtype in DTYPES.items()
    if dtype.itemsize > 1
}
TWIN_DTYPES: dict[str, np.dtype] = {
    dtype.type.__name__: dtype
    for dtype in map(np.dtype, "iIlLqQ")
    if dtype.num != np.dtype(dtype.str).num
}
"""The dtypes that equal one of ``DTYPES`` and have another class: ``longlong`` beside ``i64``."""

ARRAY_DTYPES: dict[str, np.dtype] = DTYPES | _SWAPPED | TWIN_DTYPES
"""The dtypes that an array can have, those in the other byte order too: ``f64be`` is big-endian."""

_SHORT_NAMES = {dtype: short for short, dtype in (DTYPES | _SWAPPED).items()}
_TWIN_NAMES = {dtype.num: name for name, dtype in TWIN_DTYPES.items()}


def dtype_name(dtype: np.dtype) -> str:
    """The short name of ``dtype``: ``float64`` is ``f64``.

    Raises:
        KeyError: ``dtype`` is none of the language's.
    """
    twin = _TWIN_NAMES.get(dtype.num) if dtype.isnative else None
    return twin or _SHORT_NAMES[dtype]


def is_same_dtype(left: np.dtype, right: np.dtype) -> bool:
    """Whether two dtypes are equal, and nobody could tell them apart: int64 and longlong are
    equal, and what is made of either is of its class.
    """
    return left is right or (left == right and left.num == right.num)


def is_supported_dtype(dtype: np.dtype) -> bool:
    """Whether the language has ``dtype``: a number or a bool, in any byte order."""
    return dtype in _SHORT_NAMES


class Type:
    """Base of every type: frozen, hashable, printed in its text form."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class PythonType(Type):
    """A Python scalar, ``None`` or a ``str``. ``kind`` is ``bool``, ``int``, ``float``,
    ``complex``, ``None`` or ``str``.

    An int ``has_no_sign`` where a backend has found that it is from 0 to 2**64 - 1.
    """

    kind: str
    has_no_sign: bool = False

    def __str__(self) -> str:
        return f"unsigned {self.kind}" if self.has_no_sign else self.kind


@dataclass(frozen=True, slots=True)
class ScalarType(Type):
    """A NumPy scalar, such as the result of ``x.sum()``: always in native byte order."""

    dtype: np.dtype

    def __post_init__(self) -> None:
        if not self.dtype.isnative:
            object.__setattr__(self, "dtype", self.dtype.newbyteorder("="))

    def __eq__(self, other: object) -> bool:
        return type(other) is ScalarType and is_same_dtype(self.dtype, other.dtype)

    def __hash__(self) -> int:
        return hash(self.dtype)

    def __str__(self) -> str:
        return dtype_name(self.dtype)


@dataclass(frozen=True, slots=True)
class TensorType(Type):
    """An ndarray of ``len(dims)`` axes; a 0-d array has none."""

    dtype: np.dtype
    dims: tuple[Dim, ...]

    def __eq__(self, other: object) -> bool:
        return (
            type(other) is TensorType
            and is_same_dtype(self.dtype, other.dtype)
            and self.dims == other.dims
        )

    def __hash__(self) -> int:
        return hash((self.dtype, self.dims))

    @property
    def rank(self) -> int:
        """The number of axes."""
        return len(self.dims)

    def __str__(self) -> str:
        return f"{dtype_name(self.dtype)}[{', '.join(map(str, self.dims))}]"


@dataclass(frozen=True, slots=True)
class TupleType(Type):
    """A tuple, by the types of its items."""

    items: tuple[Type, ...]

    def __str__(self) -> str:
        items = ", ".join(map(str, self.items))
        return f"({items},)" if len(self.items) == 1 else f"({items})"


@dataclass(frozen=True, slots=True)
class ListType(Type):
    """A list that anybody may write to; each item is of type ``item``."""

    item: Type

    def __str__(self) -> str:
        return f"list[{self.item}]"


@dataclass(frozen=True, slots=True)
class DictType(Type):
    """A dict that anybody may write to."""

    key: Type
    value: Type

    def __str__(self) -> str:
        return f"dict[{self.key}, {self.value}]"


@dataclass(frozen=True, slots=True)
class ObjectType(Type):
    """Some object of the running program; of which class, where that is known by its name."""

    class_name: str = ""

    def __str__(self) -> str:
        return f'object["{self.class_name}"]' if self.class_name else "object"


@dataclass(frozen=True, slots=True)
class NeverType(Type):
    """No value: the items of an empty list. It is the bottom of ``join``."""

    def __str__(self) -> str:
        return "never"


@dataclass(frozen=True, slots=True)
class UnionType(Type):
    """A value that is of one of several types, by the path that was taken: ``float|f64``.

    Python itself tells them apart when the value is read, so nothing is converted where paths meet.
    The members are no unions, sorted by their text. Two arrays of one dtype and rank are one
    member, and so are two tuples of one length. Only ``join`` and ``union_of`` make one.
    """

    members: tuple[Type, ...]

    def __str__(self) -> str:
        return "|".join(map(str, self.members))


BOOL = PythonType("bool")
INT = PythonType("int")
FLOAT = PythonType("float")
COMPLEX = PythonType("complex")
PYTHON_TYPES: dict[type, PythonType] = {bool: BOOL, int: INT, float: FLOAT, complex: COMPLEX}
"""The types of Python's numbers."""

NONE = PythonType("None")
STR = PythonType("str")
OBJECT = ObjectType()
NEVER = NeverType()


def array_type(dtype: np.dtype, dims: Iterable[Dim]) -> ScalarType | TensorType:
    """The type that NumPy's functions return: a scalar where no axis is left, else an array."""
    dims = tuple(dims)
    return TensorType(dtype, dims) if dims else ScalarType(dtype)


def dims_of(type_: Type) -> tuple[Dim, ...]:
    """The sizes of a value of this type; a scalar of either box has none."""
    return type_.dims if isinstance(type_, TensorType) else ()


def type_of(value: object) -> Type | None:
    """The type of a run-time value with its sizes as numbers; None where it has no type, as a list,
    whose items alone don't tell it.
    """
    if type(value) in _IMMUTABLE_TYPES:
        return _IMMUTABLE_TYPES[type(value)]
    if isinstance(value, np.generic):
        known = is_supported_dtype(value.dtype) and type(value) is value.dtype.type
        return ScalarType(value.dtype) if known else None
    if type(value) is np.ndarray and is_supported_dtype(value.dtype):
        return TensorType(value.dtype, value.shape)
    if type(value) is tuple:
        items = [item for item in map(type_of, value) if item is not None]
        return TupleType(tuple(items)) if len(items) == len(value) else None
    return None


_IMMUTABLE_TYPES: dict[type, PythonType] = {**PYTHON_TYPES, type(None): NONE, str: STR}


def join_dims(left: tuple[Dim, ...], right: tuple[Dim, ...]) -> tuple[Dim, ...]:
    """The sizes that cover both of two equally long tuples: ``UNKNOWN`` where they differ."""
    return tuple(a if a == b else UNKNOWN for a, b in zip(left, right, strict=True))


def join(left: Type, right: Type) -> Type:
    """The type that holds values of both types unchanged."""
    return left if left is right or left == right else _join(left, right)


@lru_cache(maxsize=4096)
def _join(left: Type, right: Type) -> Type:
    return union_of((*members_of(left), *members_of(right)))


def union_of(types: Iterable[Type]) -> Type:
    """The join of all of ``types``; NEVER of none."""
    found: dict[object, Type] = {}
    for type_ in types:
        for member in members_of(type_):
            key = _member_key(member)
            found[key] = _join_members(found[key], member) if key in found else member
    if OBJECT in found:
        found = {key: type_ for key, type_ in found.items() if not is_of_class(type_)}
    members = _without_empty_containers(list(found.values()))
    if len(members) == 1:
        return members[0]
    return UnionType(tuple(sorted(members, key=str))) if members else NEVER


def is_of_class(type_: Type) -> bool:
    """Whether a value of this type is an object of a class that is known."""
    return isinstance(type_, ObjectType) and bool(type_.class_name)


def _member_key(member: Type) -> object:
    """Members of a union with one key are one member."""
    if isinstance(member, TensorType):
        return TensorType, member.dtype, member.dtype.num, member.rank
    return (TupleType, len(member.items)) if isinstance(member, TupleType) else member


def _join_members(left: Type, right: Type) -> Type:
    if isinstance(left, TensorType) and isinstance(right, TensorType):
        return TensorType(left.dtype, join_dims(left.dims, right.dims))
    if isinstance(left, TupleType) and isinstance(right, TupleType):
        return TupleType(tuple(map(join, left.items, right.items)))
    return left


def _without_empty_containers(members: list[Type]) -> list[Type]:
    """``list[never]``, an empty list, is a list of any type; so is an empty dict."""
    for empty in (ListType(NEVER), DictType(NEVER, NEVER)):
        if empty in members and sum(type(member) is type(empty) for member in members) > 1:
            members.remove(empty)
    return members


def members_of(type_: Type) -> tuple[Type, ...]:
    """The types that a value of this type can be of: those of a union, else the type itself; none
    of NEVER.
    """
    if isinstance(type_, UnionType):
        return type_.members
    return () if type_ == NEVER else (type_,)


def accepts(target: Type, source: Type) -> bool:
    """Whether a value of type ``source`` may stand where ``target`` is asked for."""
    return target is source or target == source or join(target, source) == target


def is_mutable_memory(type_: Type) -> bool:
    """Whether a value of this type is, or holds, memory that a running program can write to."""
    kind = type(type_)
    if kind is TensorType or kind in _IMMUTABLE:  # asked of every value, over and over
        return kind is TensorType
    if isinstance(type_, UnionType):
        return any(map(is_mutable_memory, type_.members))
    return not isinstance(type_, TupleType) or any(map(is_mutable_memory, type_.items))


_IMMUTABLE = (PythonType, ScalarType, NeverType)


def map_tensors(change: Callable[[TensorType], TensorType], type_: Type) -> Type:
    """``type_`` with ``change`` applied to each array type in it."""
    if isinstance(type_, TensorType):
        return change(type_)
    if isinstance(type_, UnionType):
        return union_of(map_tensors(change, member) for member in type_.members)
    if isinstance(type_, TupleType):
        return TupleType(tuple(map_tensors(change, item) for item in type_.items))
    if isinstance(type_, ListType):
        return ListType(map_tensors(change, type_.item))
    if isinstance(type_, DictType):
        return DictType(map_tensors(change, type_.key), map_tensors(change, type_.value))
    return type_
