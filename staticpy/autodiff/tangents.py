"""Tangents: of the type of what they belong to.

The tangent of a container is a container of the same structure, whose numbers are the tangents of
its numbers; what is no number (a text, None) stands in it as it is.
"""

from __future__ import annotations

from collections.abc import Iterator

from staticpy.autodiff.activity import is_differentiable
from staticpy.autodiff.keyed import dict_beside, has_number_keys
from staticpy.autodiff.moves import results_of
from staticpy.autodiff.records import RECORD
from staticpy.ir import (
    NEVER,
    DictType,
    ListType,
    ObjectType,
    Operation,
    TupleType,
    Type,
    UnionType,
    union_of,
)


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
