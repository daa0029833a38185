"""Tangents: of the type of what they belong to.

The tangent of a container is a container of the same structure, whose numbers are the tangents of
its numbers; what is no number (a text, None) stands in it as it is.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from staticpy import ops
from staticpy.autodiff.activity import is_differentiable
from staticpy.autodiff.boxes import by_member
from staticpy.autodiff.cotangents import zero
from staticpy.autodiff.keyed import dict_beside, has_number_keys
from staticpy.autodiff.moves import results_of
from staticpy.autodiff.records import RECORD
from staticpy.ir import (
    INT,
    NEVER,
    DictType,
    ListType,
    ObjectType,
    Operation,
    PythonType,
    ScalarType,
    TensorType,
    TupleType,
    Type,
    UnionType,
    Value,
    accepts,
    current_builder,
    members_of,
    union_of,
)
from staticpy.ops import REGISTRY, Traced, is_inexact, untrace


def holds_tangents(type_: Type) -> bool:
    """Whether values of this type have tangents: numbers, and what holds them, or may come to: an
    empty list, and an object.
    """
    return any(
        part == NEVER or isinstance(part, ObjectType) or is_differentiable(part)
        for part in _parts(type_)
    )


def places_with_tangents(call: Operation) -> list[int]:
    """The results of a call that have tangents."""
    given = results_of(call)
    places = enumerate(call.results)
    return [place for place, each in places if each in given and holds_tangents(each.type)]


def tangent_type(type_: Type) -> Type:
    """The type of the tangent of a value of ``type_``: that of an object is a record."""
    if isinstance(type_, ObjectType):
        return RECORD
    if isinstance(type_, TupleType):
        return TupleType(tuple(map(tangent_type, type_.items)))
    if isinstance(type_, UnionType):
        return union_of(map(tangent_type, type_.members))
    if isinstance(type_, ListType):
        return ListType(tangent_type(type_.item))
    if isinstance(type_, DictType):
        return dict_beside(type_, tangent_type)
    return type_


def _parts(type_: Type) -> Iterator[Type]:
    if isinstance(type_, TupleType):
        inner: tuple[Type, ...] = type_.items
    elif isinstance(type_, ListType):
        inner = (type_.item,)
    elif isinstance(type_, DictType):
        inner = (type_.key, type_.value) if has_number_keys(type_) else (type_.value,)
    elif isinstance(type_, UnionType):
        inner = type_.members
    else:
        yield type_
        return
    for each in inner:
        yield from _parts(each)


def zero_tangent(value: Value) -> Value | None:
    """The tangent of a value that depends on nothing, to be held beside others; None where it can't
    be told.
    """
    type_ = value.type
    if _is_nowhere(value):
        return _emit("undef", (), type=tangent_type(type_))
    if isinstance(type_, UnionType):
        return _zero_of_several(value)
    if isinstance(type_, TupleType):
        found = list(map(zero_tangent, _items(value)))
        known = [each for each in found if each is not None]
        return _emit("tuple.make", known) if len(known) == len(found) else None
    if isinstance(type_, ListType):
        return _zero_list(value, type_)
    if isinstance(type_, TensorType | ScalarType | PythonType):
        return _zero_number(value, type_)
    return None if holds_tangents(type_) and type_ != NEVER else value


def _is_nowhere(value: Value) -> bool:
    """Whether a value is there on no path."""
    made = value.defining_op
    if made is None or made.op is not ops.if_:
        return ops.is_undef(value)
    place = made.results.index(value)
    return all(_is_nowhere(region.block.terminator.operands[place]) for region in made.regions)


def _items(value: Value) -> list[Value]:
    builder = current_builder()
    return list(builder.emit(REGISTRY["tuple.items"], [value]).results)


def _zero_number(value: Value, type_: TensorType | ScalarType | PythonType) -> Value:
    if is_inexact(type_):
        return zero(value)
    if isinstance(type_, TensorType):
        return untrace(np.zeros_like(Traced(value)))  # type: ignore[no-any-return]
    if isinstance(type_, ScalarType):
        return ops.as_value(type_.dtype.type(0))
    return {"int": ops.as_value(0), "bool": ops.as_value(False)}.get(type_.kind, value)


def _zero_of_several(value: Value) -> Value | None:
    """A number, of which the type is known at run time only: 0 as a float will do for an int, and
    Python's own for NumPy's.
    """
    members = [each for each in members_of(value.type) if is_differentiable(each)]
    if any(map(_is_container, members_of(value.type))) and holds_tangents(value.type):
        return None
    if not members:
        numbers = (PythonType, ScalarType, TensorType)
        if not any(isinstance(each, numbers) for each in members_of(value.type)):
            return value
        return ops.as_value(0) if accepts(value.type, INT) else None
    if any(isinstance(each, TensorType) for each in members):
        return by_member(value, zero_tangent) if is_inexact(value.type) else None
    own = [each for each in members if isinstance(each, PythonType)]
    is_number = all(isinstance(each, PythonType | ScalarType) for each in members)
    if not is_number or len(own or members) > 1:
        return None
    (kind,) = own or members
    if isinstance(kind, ScalarType):
        return ops.as_value(kind.dtype.type(0))
    return ops.as_value(0j if kind.kind == "complex" else 0.0)  # type: ignore[attr-defined]


def _is_container(type_: Type) -> bool:
    return isinstance(type_, TupleType | ListType | DictType | ObjectType)


def _zero_list(value: Value, type_: ListType) -> Value | None:
    """As many zeros as there are items, where one is as good as another."""
    if not holds_tangents(type_.item):
        return value
    if not isinstance(type_.item, PythonType | ScalarType):
        return _zeros_of_known(value, type_)
    is_complex = isinstance(type_.item, PythonType) and type_.item.kind == "complex"
    number = 0j if is_complex else 0.0
    if isinstance(type_.item, ScalarType):
        number = type_.item.dtype.type(0)
    one = _emit("list.make", [ops.as_value(number)], type=type_)
    return _emit("list.repeat", [one, _emit("list.len", [value])])


def _zeros_of_known(value: Value, type_: ListType) -> Value | None:
    made = value.defining_op
    if made is None or made.name != "list.make":
        return None
    items = list(map(zero_tangent, made.operands))
    known = [each for each in items if each is not None]
    return _emit("list.make", known, type=type_) if len(known) == len(items) else None


def _emit(name: str, operands: object, **attrs: object) -> Value:
    return current_builder().emit(REGISTRY[name], operands, attrs).result  # type: ignore[arg-type]
