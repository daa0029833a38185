"""Boxes: shadows of numbers that are held in tuples, lists, dicts and objects.

A container that holds anything has a shadow of the same form: what is an array there is the shadow
of that array, what holds something is its shadow, and a number is a *box* for its cotangent, a list
of one item. What is none of these stands for itself:

    %t = tuple.make %x, %i, %y : (float, int, f64[n])
    %b = list.make %0 {type = !list[...]}
    %st = tuple.make %b, %i, %sy : (list[...], int, f64[n])

The one box goes wherever the number goes, so each read of the number, in whatever container that is
then, adds to the box, and where the number was put in first, it gets what is in the box.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from staticpy import ops
from staticpy.autodiff.activity import is_differentiable
from staticpy.autodiff.cotangents import as_cotangent, conjugated, widest
from staticpy.autodiff.keyed import dict_beside, has_number_keys
from staticpy.autodiff.records import RECORD
from staticpy.ir import (
    COMPLEX,
    FLOAT,
    NEVER,
    DictType,
    ListType,
    ObjectType,
    PythonType,
    ScalarType,
    TensorType,
    TupleType,
    Type,
    UnionType,
    Value,
    current_builder,
    dims_of,
    members_of,
    union_of,
)
from staticpy.ops import (
    IN_PLACE,
    REGISTRY,
    Traced,
    call_adapter,
    is_inexact,
    trace,
    traced_type,
    untrace,
)

REAL_BOX, COMPLEX_BOX = ListType(FLOAT), ListType(COMPLEX)
_BOXES = (REAL_BOX, COMPLEX_BOX)
"""The types of boxes. They hold Python's numbers, whatever the number is that a box is of: so one
that may be a float or a float64 has one kind of box."""


def holds_numbers(type_: Type) -> bool:
    """Whether a value of this type is, or holds, numbers that have cotangents. An empty list, and
    an object, may come to hold some.
    """
    if isinstance(type_, TupleType):
        return any(map(holds_numbers, type_.items))
    if isinstance(type_, UnionType):
        return any(map(holds_numbers, type_.members))
    if isinstance(type_, ListType):
        return holds_numbers(type_.item)
    if isinstance(type_, DictType):
        return has_number_keys(type_) or holds_numbers(type_.value)
    return isinstance(type_, ObjectType) or type_ == NEVER or is_differentiable(type_)


def shadow_type(type_: Type) -> Type:
    """The type of the shadow of a value of ``type_`` that is held."""
    if not holds_numbers(type_) or isinstance(type_, TensorType) or type_ == NEVER:
        return type_
    if isinstance(type_, TupleType):
        return TupleType(tuple(map(shadow_type, type_.items)))
    if isinstance(type_, UnionType):
        return union_of(map(shadow_type, type_.members))
    if isinstance(type_, ListType):
        return ListType(shadow_type(type_.item))
    if isinstance(type_, DictType):
        return dict_beside(type_, shadow_type)
    if isinstance(type_, ObjectType):
        return RECORD
    return _box_type(type_)


def _box_type(type_: Type) -> ListType:
    is_scalar = isinstance(type_, ScalarType) and type_.dtype.kind == "c"
    return COMPLEX_BOX if is_scalar or type_ == COMPLEX else REAL_BOX


def is_number(type_: Type) -> bool:
    """Whether a value of this type is a number with a cotangent, or may be one, and never an array
    or a container.
    """
    kinds = (PythonType, ScalarType)
    return is_differentiable(type_) and all(isinstance(each, kinds) for each in members_of(type_))


def fresh(value: Value) -> Value | None:
    """A shadow for a value that nothing has flown to yet; None where it can't be told: its form is
    known at run time only.
    """
    type_ = value.type
    if not holds_numbers(type_) or type_ == NEVER:
        return value
    if ops.is_undef(value):
        return _emit("undef", (), type=shadow_type(type_))
    if is_number(type_):
        found = {shadow_type(each) for each in members_of(type_) if is_differentiable(each)}
        nothing = ops.as_value(0j if COMPLEX_BOX in found else 0.0)
        return _emit("list.make", [nothing], type=found.pop()) if len(found) == 1 else None
    if isinstance(type_, TensorType):
        return untrace(np.zeros_like(Traced(value)))  # type: ignore[no-any-return]
    if isinstance(type_, TupleType):
        items = current_builder().emit(REGISTRY["tuple.items"], [value]).results
        shadows = [each for each in map(fresh, items) if each is not None]
        return _emit("tuple.make", shadows) if len(shadows) == len(items) else None
    return None


def by_member(value: Value, make: Callable[[Value], Value | None]) -> Value:
    """What ``make`` gives for a value of several types, numbers and arrays, as the one of them that
    it is of at run time.
    """
    return _of_members(value, members_of(value.type), make)


def _of_members(
    value: Value, members: Sequence[Type], make: Callable[[Value], Value | None]
) -> Value:
    member, *others = members
    builder = current_builder()
    if not others:
        found = make(_emit("any.narrow", [value], type=member))
        assert found is not None  # of one type there is no doubt
        return found
    is_member = _emit("any.is", [value], type=member)
    with builder.region() as then:
        builder.emit(ops.region_yield, [_of_members(value, [member], make)])
    with builder.region() as orelse:
        builder.emit(ops.region_yield, [_of_members(value, others, make)])
    return builder.emit(ops.if_, [is_member], {}, [then, orelse]).result


def content_of_some(shadow: Value, like: Value) -> Value:
    """What has flown to ``like``, a number or an array, whose shadow was made as of each."""

    def found(each: Value) -> Value:
        narrowed = _emit("any.narrow", [shadow], type=shadow_type(each.type))
        return ops.as_value(untrace(content(narrowed, each)))

    return by_member(like, found)


def has_content(shadow: Value) -> bool:
    """Whether a shadow is an array or a box."""
    return isinstance(shadow.type, TensorType) or shadow.type in _BOXES


def content(shadow: Value, like: Value) -> Any:
    """What has flown to ``like``, whose shadow is an array or a box."""
    if isinstance(shadow.type, TensorType):
        return conjugated(Traced(shadow))
    item = trace(_emit("list.getitem", [shadow, ops.as_value(0)]))
    type_ = widest(like.type)
    if isinstance(type_, ScalarType):
        return call_adapter(ops.FUNCTIONS[type_.dtype.type], item)
    return as_cotangent(item, type_)


def add_to(shadow: Value, item: Any, type_: Type, *, is_stretched: bool = False) -> bool:
    """Add to the cotangent of a value of ``type_``, which its shadow holds; whether that could be
    done. One that ``is_stretched`` may have an element in several places.
    """
    if isinstance(shadow.type, TensorType):
        add_to_array(shadow, as_cotangent(item, type_), is_stretched=is_stretched)
        return True
    if isinstance(shadow.type, UnionType):
        return _add_to_some(shadow, item, type_, is_stretched=is_stretched)
    if shadow.type not in _BOXES:
        return False
    place = ops.as_value(0)
    before = trace(_emit("list.getitem", [shadow, place]))
    added = as_cotangent(as_cotangent(item, type_), shadow.type.item)
    total = ops.as_value(untrace(before + added))
    current_builder().emit(REGISTRY["list.setitem"], [shadow, place, total])
    return True


def add_to_array(shadow: Value, item: Any, *, is_stretched: bool) -> None:
    """Add a cotangent to the shadow of an array."""
    operands = [shadow, ops.as_value(untrace(conjugated(item)))]
    if is_stretched:
        attrs = {"ufunc": "add", "spec": ("ellipsis",), "count": 1}
        current_builder().emit(REGISTRY["ufunc.at"], operands, attrs)
    else:
        current_builder().emit(IN_PLACE["+"], operands)


def _add_to_some(shadow: Value, item: Any, type_: Type, *, is_stretched: bool) -> bool:
    """Add to the shadow of what has a cotangent on some paths only, or is an array there. What is
    added to an array is an array, which shows the path; a number, or an array without axes, is told
    at run time.
    """
    given = traced_type(item)
    boxes = [each for each in members_of(shadow.type) if each in _BOXES]
    arrays = [each for each in members_of(shadow.type) if isinstance(each, TensorType)]
    numbers = [each for each in members_of(type_) if not isinstance(each, TensorType)]
    if isinstance(given, TensorType) and _is_only_array(type_, given):
        narrowed = _emit("any.narrow", [shadow], type=given)
        add_to_array(narrowed, item, is_stretched=is_stretched)
        return True
    is_one = given is not None and _is_number(given)
    if is_one and all(each.rank for each in arrays):
        arrays = []
    is_told = len(boxes) == 1 and len(arrays) <= 1 and is_number(union_of(numbers))
    if not is_told or any(each.rank for each in arrays):
        return False
    for member, kind in ((boxes[0], union_of(numbers)), *zip(arrays, arrays, strict=True)):
        _add_if(shadow, member, item, kind)
    return True


def _add_if(shadow: Value, member: Type, item: Any, type_: Type) -> None:
    """Add to a shadow, if it is one of ``member``, which belongs to a value of ``type_``."""
    builder = current_builder()
    is_member = _emit("any.is", [shadow], type=member)
    with builder.region() as then:
        add_to(_emit("any.narrow", [shadow], type=member), item, type_)
        builder.emit(ops.region_yield)
    with builder.region() as orelse:
        builder.emit(ops.region_yield)
    builder.emit(ops.if_, [is_member], {}, [then, orelse])


def _is_only_array(type_: Type, given: TensorType) -> bool:
    """Whether a value of this type is an array like ``given``, or else has no cotangent, or one
    that is not like ``given``.
    """
    arrays = [each for each in members_of(type_) if isinstance(each, TensorType)]
    others = [each for each in members_of(type_) if each not in arrays]
    is_apart = bool(given.rank) or not any(map(is_inexact, others))
    return is_apart and (given.dtype, given.rank) in {(each.dtype, each.rank) for each in arrays}


def _is_number(type_: Type) -> bool:
    """Whether what is of this type is one number, be it in an array."""
    return not isinstance(type_, UnionType) and not dims_of(type_)


def _emit(name: str, operands: Any, **attrs: Any) -> Value:
    return current_builder().emit(REGISTRY[name], operands, attrs).result
