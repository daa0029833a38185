"""Cotangents: of the type of what they belong to, added up as they come in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from staticpy import ops
from staticpy.autodiff.scopes import may_be_undefined, may_lack, size_by_argument
from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import (
    COMPLEX,
    ListType,
    PythonType,
    ScalarType,
    TensorType,
    Type,
    UnionType,
    Value,
    accepts,
    current_builder,
    dims_of,
    members_of,
)
from staticpy.ops import (
    REGISTRY,
    Traced,
    always_array,
    as_wide_array,
    call_adapter,
    is_inexact,
    traced_type,
    wide_array,
)
from staticpy.ops import call_traced as call


def conjugated(item: Any) -> Any:
    """What a shadow, or a part of one, holds of a cotangent, and the other way round: of a complex
    number the conjugate, so that the imaginary part of a shadow is what flows to an ``imag``.
    """
    return np.conjugate(item) if _is_complex(traced_type(item)) else item


def as_cotangent(item: Any, type_: Type) -> Any:
    """What a rule gives, as a cotangent for a value of ``type_``: of the same dtype and kind, real
    where the value is.
    """
    given = traced_type(item)
    if given is not None and always_array(given):
        return as_cotangent(as_wide_array(item, given), type_)
    if given is not None and accepts(type_, given):
        return item
    if isinstance(type_, UnionType):
        if always_array(type_):
            return as_wide_array(item, type_)
        return item if given is None or may_be_array(type_) else as_cotangent(item, widest(type_))
    if _is_complex(given) and not _is_complex(type_):
        is_some_number = isinstance(given, UnionType) and not may_be_array(given)
        item = (call(complex, item) if is_some_number else item).real
    if isinstance(type_, PythonType):
        return call(complex if type_.kind == "complex" else float, item)
    assert isinstance(type_, ScalarType | TensorType)
    if isinstance(type_, TensorType) and type_.dims:
        return item if given.dtype == type_.dtype else item.astype(type_.dtype)  # type: ignore[union-attr]
    if isinstance(given, UnionType) and any(map(dims_of, given.members)):
        number = item * type_.dtype.type(1)
    else:
        if isinstance(given, UnionType):  # a number of Python's holds whichever it was
            item = call(complex if type_.dtype.kind == "c" else float, item)
        number = call_adapter(ops.FUNCTIONS[type_.dtype.type], item)
    is_array = isinstance(type_, TensorType)
    return call_adapter(ops.FUNCTIONS[np.asarray], number) if is_array else number


def may_be_array(type_: Type) -> bool:
    """Whether one of the types of a value is that of an array."""
    return any(isinstance(each, TensorType) for each in members_of(type_))


def widest(type_: Type) -> Type:
    """Of the types that a number may have one that holds the cotangents of all."""
    inexact = [each for each in members_of(type_) if is_inexact(each)]
    return max(inexact, key=_width)


def _width(type_: Type) -> tuple[bool, int]:
    if isinstance(type_, ScalarType):
        return type_.dtype.kind == "c", type_.dtype.itemsize
    return type_ == COMPLEX, 7  # less than float64, which it can be converted to


def with_sizes(value: Value, type_: Type) -> Value:
    """A cotangent as one of ``type_``, which may know more sizes."""
    given = value.type
    if not isinstance(given, TensorType) or accepts(type_, given):
        return value
    arrays = [each for each in members_of(type_) if isinstance(each, TensorType)]
    like = [each for each in arrays if (each.dtype, each.rank) == (given.dtype, given.rank)]
    if not like:
        return value
    return current_builder().emit(REGISTRY["any.narrow"], [value], {"type": like[0]}).result


def _is_complex(type_: Type | None) -> bool:
    if type_ is None:
        return False
    return any(
        (isinstance(each, PythonType) and each.kind == "complex")
        or (isinstance(each, ScalarType | TensorType) and each.dtype.kind == "c")
        for each in members_of(type_)
    )


_NEGATIVES = ("py.neg", "negative")
_PRODUCTS = ("py.mul", "multiply")
_FEW = 3
"""How many products, which are made once more, are worth to leave out a negation."""


def added(known: Any, item: Any) -> Any:
    """A cotangent with one more term; ``known`` is None for zero. A number that has been negated
    is subtracted, which is the same number.
    """
    if known is None:
        return item
    minus_known, minus_item = _negated(known), _negated(item)
    if minus_item is not None:
        return known - minus_item
    return known + item if minus_known is None else item - minus_known


def _negated(item: Any, products: int = _FEW) -> Any:
    """What a number is the negative of; None where that isn't known, and of an array, which might
    be written to meanwhile. On a tape, a product may be the last one of a long row.
    """
    made = item.value.defining_op if isinstance(item, Traced) else None
    is_number = made is not None and isinstance(item.type, PythonType | ScalarType)
    if made is None or not is_number or _is_complex(item.type):  # which have zeros of two signs
        return None
    if made.name in _PRODUCTS and products:
        minus_left = _negated(Traced(made.operands[0]), products - 1)
        return None if minus_left is None else minus_left * Traced(made.operands[1])
    return Traced(made.operands[0]) if made.name in _NEGATIVES else None


def zero_in(items: Type, value: Value) -> Value:
    """The cotangent of a value that nothing flows into, to stand in a list like that which holds
    it: of an int in a list of ints and floats it is that of a float.
    """
    kinds = [each.item for each in members_of(items) if isinstance(each, ListType)]
    held = [each for kind in kinds for each in members_of(kind) if is_inexact(each)]
    numbers = [each for each in held if not isinstance(each, TensorType)]
    is_int = not any(isinstance(x, TensorType) or is_inexact(x) for x in members_of(value.type))
    if not is_int or not numbers:
        return zero(value)
    return _zero_number(_weakest(numbers))


def zero(value: Value) -> Value:
    """The cotangent of a value that nothing flows into."""
    if always_array(value.type):
        wide = wide_array(value.type)
        if may_be_undefined(value):  # of which NumPy would make an array without axes
            return _known_zeros(value, wide)
        attrs = {"function": "zeros_like", "dtype": wide.dtype, "results": (wide,)}
        return current_builder().emit(REGISTRY["numpy.call"], [value], attrs).result
    type_ = _weakest(members_of(value.type))
    if isinstance(type_, TensorType) and isinstance(value.type, TensorType):
        found = _zeros_of_size(value, type_) if _may_have_no_size(value, type_) else None
        made: Any = np.zeros_like(Traced(value)) if found is None else Traced(found)
        return made.value  # type: ignore[no-any-return]
    return _zero_number(type_)


def _known_zeros(value: Value, type_: TensorType) -> Value:
    """Zeros of the size that the type says.

    Raises:
        DiagnosticError: NO_DERIVATIVE, it doesn't.
    """
    found = _zeros_of_size(value, type_)
    if found is None:
        span = None if value.defining_op is None else value.defining_op.span
        why = f", since it is {value.type}, or nothing yet"
        raise DiagnosticError(catalog.NO_DERIVATIVE, span, what="a value", why=why)
    return found


def _may_have_no_size(value: Value, type_: TensorType) -> bool:
    """Whether zeros like a value may lack the size that their type says."""
    is_known = any(isinstance(dim, int) for dim in type_.dims)
    return may_lack(value) or (is_known and may_be_undefined(value))


def _zeros_of_size(value: Value, type_: TensorType) -> Value | None:
    """Zeros that are there where the value is not; None where the sizes are unknown."""
    sources = [None if isinstance(dim, int) else size_by_argument(dim, value) for dim in type_.dims]
    pairs = list(zip(type_.dims, sources, strict=True))
    if any(source is None and not isinstance(dim, int) for dim, source in pairs):
        return None
    builder = current_builder()
    sizes = [builder.emit(ops.dim, [each[0]], {"axis": each[1]}).result for each in sources if each]
    shape = tuple(dim if isinstance(dim, int) else None for dim in type_.dims)
    attrs = {"shape": shape, "dtype": type_.dtype, "result_type": type_}
    return builder.emit(ops.zeros, sizes, attrs).result


def _zero_number(type_: Type) -> Value:
    if isinstance(type_, PythonType):
        return ops.as_value(0j if type_.kind == "complex" else 0.0)
    assert isinstance(type_, ScalarType)
    return ops.as_value(type_.dtype.type(0))


def _weakest(members: Sequence[Type]) -> Type:
    """Of the types that a number may have the one to which a zero of another one can be added, and
    keeps its type: Python's own, if it is among them.
    """
    inexact = [each for each in members if is_inexact(each)]
    own = [each for each in inexact if isinstance(each, PythonType)]
    return next(iter((*sorted(own, key=str, reverse=True), *inexact, *members)))


class Cotangents:
    """The cotangents of the values of one block, as far as they are known."""

    def __init__(self) -> None:
        self._known: dict[Value, Any] = {}

    def add(self, value: Value, item: Any) -> None:
        """Add to the cotangent of ``value``."""
        self._known[value] = added(self._known.get(value), as_cotangent(item, value.type))

    def known(self, value: Value) -> Any:
        """The cotangent of ``value`` so far; None for zero."""
        return self._known.get(value)

    def put(self, value: Value, item: Any) -> None:
        """Let ``item``, to which what was known has been added, be the cotangent of ``value``."""
        self._known[value] = item

    def take(self, value: Value) -> Any:
        """The cotangent of ``value``, to which nothing more will be added; None for zero."""
        return self._known.pop(value, None)
