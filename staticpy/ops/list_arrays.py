"""Lists made of arrays, and arrays made of lists.

%l = list.from_array %x {to_python = false} : list[f64]        list(x)
%y = list.array %l {dtype = none, element = f64, rank = 1} : f64[?]      np.array(l)
%z = list.array %m {dtype = none, element = (f64, i64), rank = 1} : f64[?]|i64[?]

The size of such an array is not known before it is made. Its dtype and rank follow from the type of
the items, except of an empty list, whose array has dtype float64 and one axis. Where they turn out
to be others, the call is refused (SPY626). A list of ints and floats makes an array of either.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    NEVER,
    UNKNOWN,
    Dim,
    ListType,
    PythonType,
    ScalarType,
    TensorType,
    TupleType,
    Type,
    UnionType,
    Value,
    dtype_name,
    is_supported_dtype,
    members_of,
)
from staticpy.ops.apply import emit
from staticpy.ops.containers import invalid, item_type, sample_type, unsupported
from staticpy.ops.lists import list_type
from staticpy.ops.opdef import Attrs, Effect, OpDef, defop

_PYTHON = {"b": BOOL, "i": INT, "u": INT, "f": FLOAT, "c": COMPLEX}
_STRONG = {"bool": "bool", "int": "int64", "float": "float64", "complex": "complex128"}

_Elements = tuple[frozenset[np.dtype], tuple[Dim, ...]]

_MOST_DTYPES = 4
"""An array that is of one of more dtypes, by its items, is refused: code is compiled for each."""


def _infer_from_array(array: Type, *, to_python: bool) -> Type:
    if not isinstance(array, TensorType) or not (array.rank or to_python):
        raise unsupported("list", array)
    if not to_python:
        return ListType(item_type(array))
    type_: Type = _PYTHON[array.dtype.kind]
    for _ in range(array.rank):
        type_ = ListType(type_)
    return type_


def _from_array_samples(_: Any) -> Any:
    for array in (np.arange(3), np.ones((2, 3), np.float32), np.ones(1, bool)):
        yield (array,), {"to_python": False}
        yield (array,), {"to_python": True}
    yield (np.array(2.5),), {"to_python": True}


from_array = defop(
    "list.from_array",
    infer=_infer_from_array,
    kernel=lambda x, *, to_python: x.tolist() if to_python else list(x),
    view=True,
    samples=_from_array_samples,
)
"""``list(x)``, whose items are NumPy scalars or rows of ``x``; with ``to_python`` it is
``x.tolist()``."""


def _elements(type_: Type) -> _Elements:
    """The dtypes that NumPy may give one item, by its values, and the sizes of it.

    Raises:
        DiagnosticError: there is no array of it, or the number of axes depends on the values.
    """
    if isinstance(type_, PythonType) and type_.kind in _STRONG:
        return frozenset({np.dtype(_STRONG[type_.kind])}), ()
    if isinstance(type_, ScalarType):
        return frozenset({type_.dtype}), ()
    if isinstance(type_, TensorType):
        return frozenset({type_.dtype}), type_.dims
    if isinstance(type_, ListType):
        dtypes, dims = _common(type_.item)
        return dtypes, (UNKNOWN, *dims)
    if isinstance(type_, TupleType) and type_.items:
        found = [_any_of(item) for item in type_.items]
        choices = product(*(dtypes for dtypes, _ in found))
        dims = _same_rank([dims for _, dims in found], type_)
        return frozenset(np.result_type(*each) for each in choices), (len(type_.items), *dims)
    raise unsupported("np.array", type_)


def _any_of(type_: Type) -> _Elements:
    """``_elements`` of what is of one of the members of a type."""
    found = [_elements(member) for member in members_of(type_)]
    dims = _same_rank([dims for _, dims in found], type_)
    return frozenset(dtype for dtypes, _ in found for dtype in dtypes), dims


def _common(item: Type) -> _Elements:
    """The dtypes and the sizes of what a list of such items may be: of ints and floats, which may
    be of one kind only, it is either.
    """
    if item == NEVER:
        return frozenset({np.dtype(np.float64)}), ()
    found, dims = _any_of(item)
    # Of several arrays in the other byte order NumPy makes one in native order.
    dtypes = {dtype.newbyteorder("=") for dtype in found}
    if len(dtypes) > _MOST_DTYPES:
        raise unsupported("np.array", item)
    for dtype in tuple(dtypes):
        dtypes |= {np.result_type(dtype, other) for other in dtypes}
    if len(dtypes) > _MOST_DTYPES or not all(map(is_supported_dtype, dtypes)):
        raise unsupported("np.array", item)
    return frozenset(dtypes), dims


def _same_rank(found: Sequence[tuple[Dim, ...]], type_: Type) -> tuple[Dim, ...]:
    if len({len(dims) for dims in found}) > 1:
        raise unsupported("np.array", type_)
    return tuple(
        sizes[0] if len(set(sizes)) == 1 else UNKNOWN for sizes in zip(*found, strict=True)
    )


def _rank(type_: Type) -> int:
    """The number of axes, whatever the dtype is."""
    if isinstance(type_, TensorType):
        return type_.rank
    if isinstance(type_, ListType | TupleType):
        ranks = {_rank(member) for member in members_of(item_type(type_))} or {0}
        if len(ranks) > 1:
            raise unsupported("np.array", type_)
        return 1 + ranks.pop()
    if isinstance(type_, ScalarType) or (isinstance(type_, PythonType) and type_.kind in _STRONG):
        return 0
    raise unsupported("np.array", type_)


def _infer_array(items: Type, *, dtype: np.dtype | None, element: Any, rank: int) -> Type:
    list_type(items)
    if dtype is not None:
        return TensorType(dtype, (UNKNOWN,) * _rank(items))
    dtypes, dims = _elements(items)
    if (_attribute(dtypes), len(dims)) != (element, rank):
        raise invalid(f"an array of {items} is no array of {element} with {rank} axes")
    return _arrays(element, dims)


def _attribute(dtypes: frozenset[np.dtype]) -> Any:
    """The dtypes as the attribute ``element``: the only one, or all of them in order."""
    ordered = tuple(sorted(dtypes, key=dtype_name))
    return ordered if len(ordered) > 1 else ordered[0]


def _arrays(element: Any, dims: tuple[Dim, ...]) -> Type:
    """The type of an array of one of the dtypes of ``element``."""
    if isinstance(element, tuple):
        return UnionType(tuple(TensorType(dtype, dims) for dtype in element))
    return TensorType(element, dims)


def _array(items: Any, *, dtype: np.dtype | None, element: Any, rank: int) -> Any:
    return _as_inferred(np.array(items, dtype=dtype), _arrays(element, (UNKNOWN,) * rank))


def _as_inferred(made: Any, type_: Type) -> Any:
    """An array, if it is of the type that the list has told."""
    known = [array for array in members_of(type_) if isinstance(array, TensorType)]
    if any((array.dtype, array.rank) == (made.dtype, made.ndim) for array in known):
        return made
    dims = ", ".join(map(str, made.shape))
    name = dtype_name(made.dtype) if is_supported_dtype(made.dtype) else str(made.dtype)
    raise DiagnosticError(catalog.LIST_OF_OTHER_TYPE, found=f"{name}[{dims}]", expected=type_)


def array_attrs(items: Type, dtype: np.dtype | None = None) -> dict[str, Any]:
    """The attributes of ``list.array`` for a list of this type; ``dtype`` is given by the program.

    Raises:
        DiagnosticError: the dtype or the number of axes depends on the items.
    """
    list_type(items)
    if dtype is not None:
        return {"dtype": dtype, "element": dtype, "rank": _rank(items)}
    dtypes, dims = _elements(items)
    return {"dtype": None, "element": _attribute(dtypes), "rank": len(dims)}


def is_sure_array(attrs: Attrs) -> bool:
    """Whether ``np.array`` gives the element type and the rank whatever the items are."""
    is_known = attrs["dtype"] is not None or attrs["element"] == np.dtype(np.float64)
    return bool(attrs["rank"] == 1 and is_known)


def _array_samples(_: Any) -> Any:
    lists: list[Any] = [[1, 2], [1.5], [True], [1j], [], [np.float32(1)], [[1, 2], [3, 4]]]
    lists += [
        [np.arange(3), np.ones(3, int)],
        [(1, 2.5), (3, 4.5)],
        [2**70],
        [1, 2.5],
        [[1], [2.5]],
    ]
    for items in lists:
        yield (items,), array_attrs(sample_type(items))
    for items, dtype in (([1, 2.5], "f4"), ([300], "i1"), ([[1], [2, 3]], "f8"), ([], "i8")):
        yield (items,), array_attrs(sample_type(items), np.dtype(dtype))


array = defop(
    "list.array",
    infer=_infer_array,
    kernel=_array,
    effects=Effect.RAISES | Effect.WARNS,
    samples=_array_samples,
)
"""``np.array(l)`` or ``np.array(l, dtype)`` of a list of numbers, arrays, or lists of these.
``dtype`` is what the program gives or None, ``element`` and ``rank`` are what the array has: the
dtype, or a tuple of those that it may have, where the list holds ints and floats, say."""


def _join_samples(function: Callable[..., Any], _: Any) -> Any:
    x = np.arange(6.0).reshape(2, 3)
    for axis in (0, 1):
        rank = function([x, x], axis).ndim
        yield ([x, x + 1],), {"axis": axis, "type": TensorType(x.dtype, (UNKNOWN,) * rank)}


def _joining(name: str, function: Callable[..., Any]) -> OpDef:
    """The op of ``function(l, axis)`` of a list of arrays, where its derivative is taken."""
    return defop(
        name,
        infer=lambda _, *, axis, type: type,  # noqa: A006
        kernel=lambda items, *, axis, type: _as_inferred(function(items, axis), type),  # noqa: A006
        effects=Effect.RAISES,
        samples=partial(_join_samples, function),
    )


stack = _joining("list.stack", np.stack)
concatenate = _joining("list.concatenate", np.concatenate)

COPIED = (array.name, stack.name, concatenate.name)
"""The ops that copy the items of a list into an array."""


class ListOfDtypesError(DiagnosticError):
    """A list makes an array of one dtype or another, by its items, where one is due."""

    def __init__(self, items: Value) -> None:
        super().__init__(catalog.UNSUPPORTED_OPERANDS, symbol="np.array", types=str(items.type))
        self.items = items


def array_of_dtypes(items: Value) -> Value:
    """Emit ``np.array(items)`` of what ``list_array`` refuses: a value of one of several types."""
    made: Value = emit(array, items, **array_attrs(items.type))
    return made


def list_array(items: Value, dtype: np.dtype | None = None) -> Value:
    """Emit ``np.array(items)`` or ``np.array(items, dtype)`` for a list of the running program.

    Raises:
        DiagnosticError: the dtype or the number of axes of the array depends on the items.
    """
    attrs = array_attrs(items.type, dtype)
    if isinstance(attrs["element"], tuple):
        raise ListOfDtypesError(items)
    made: Value = emit(array, items, **attrs)
    return made
