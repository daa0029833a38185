"""Zero tangents: what is held where a value that depends on nothing stands beside others.

An int has no tangent, but where an int or a float is held, by the path, what is read may be asked
for one. So a list or a dict of ints has one of zeros beside it, and is never its own tangent.
"""

from __future__ import annotations

import numpy as np

from staticpy import ops
from staticpy.autodiff.activity import is_differentiable
from staticpy.autodiff.boxes import by_member
from staticpy.autodiff.cotangents import zero
from staticpy.autodiff.moves import copied_beside
from staticpy.autodiff.tangents import holds_tangents, tangent_type
from staticpy.ir import (
    BOOL,
    INT,
    NEVER,
    Block,
    DictType,
    ListType,
    ObjectType,
    Operation,
    PythonType,
    Region,
    ScalarType,
    TensorType,
    TupleType,
    Type,
    UnionType,
    Value,
    accepts,
    current_builder,
    members_of,
)
from staticpy.ops import REGISTRY, Traced, is_inexact, untrace


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
    if isinstance(type_, DictType) and not holds_tangents(type_):
        return _zeros_beside(value, type_) if _has_numbers(type_) else value
    return None if holds_tangents(type_) and type_ != NEVER else value


def begin_beside(operation: Operation) -> Value:
    """What stands beside a container that ``begins_to_hold`` numbers that have tangents: its items
    of before, which have none, are zeros.
    """
    (given,), type_ = operation.operands, tangent_type(operation.result.type)
    if not _has_numbers(given.type):
        return copied_beside(operation, tangent_type)
    made = zero_tangent(given)
    assert made is not None  # of what holds nothing that has tangents there always is one
    return _emit("object.cast", [made], type=type_)


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
    every = members_of(value.type)
    members = [each for each in every if is_differentiable(each)]
    if any(map(_is_container, every)):
        is_told = all(map(_is_plain, every)) or not holds_tangents(value.type)
        return by_member(value, zero_tangent) if is_told else None
    if not members:
        if not _has_numbers(value.type):
            return value
        return ops.as_value(0) if accepts(value.type, INT) else by_member(value, zero_tangent)
    if any(isinstance(each, TensorType) for each in members):
        is_told = all(isinstance(each, TensorType | ScalarType | PythonType) for each in every)
        return by_member(value, zero_tangent) if is_told else None
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
    item = type_.item
    if not _has_numbers(item) and not holds_tangents(item):
        return value
    if isinstance(item, PythonType | ScalarType):
        one = _emit("list.make", [_zero_of_type(item)], type=type_)
        return _emit("list.repeat", [one, _emit("list.len", [value])])
    if item == NEVER or (holds_tangents(item) and not _is_plain(item)):
        return _zeros_of_known(value, type_)
    return _zeros_beside(value, tangent_type(type_))


def _zero_of_type(type_: PythonType | ScalarType) -> Value:
    if isinstance(type_, ScalarType):
        return ops.as_value(type_.dtype.type(0))
    return ops.as_value({"bool": False, "int": 0, "complex": 0j}.get(type_.kind, 0.0))


def _zeros_beside(value: Value, type_: Type) -> Value | None:
    """A container of ``type_`` like the list or dict ``value``, with a zero for each of its items;
    None where that can't be told.
    """
    builder, is_list = current_builder(), isinstance(value.type, ListType)
    made = _emit("list.make" if is_list else "dict.make", [], type=type_)
    keys = value if is_list else _emit("dict.keys", [value])
    bounds = [ops.as_value(0), _emit("list.len", [keys]), ops.as_value(1)]
    body = Block([INT])
    with builder.inside(body):
        key = _emit("list.getitem", [keys, body.args[0]])
        found = zero_tangent(key if is_list else _emit("dict.getitem", [value, key]))
        if found is None:
            return None
        if is_list:
            builder.emit(REGISTRY["list.append"], [made, found])
        else:
            builder.emit(REGISTRY["dict.setitem"], [made, key, found])
        builder.emit(ops.region_yield, [])
    builder.emit(ops.for_, bounds, {"breaks": False}, [Region(body)])
    return made


def _has_numbers(type_: Type) -> bool:
    """Whether values of this type are, or hold, numbers, with or without tangents."""
    if isinstance(type_, TupleType):
        return any(map(_has_numbers, type_.items))
    if isinstance(type_, UnionType):
        return any(map(_has_numbers, type_.members))
    if isinstance(type_, ListType):
        return _has_numbers(type_.item)
    if isinstance(type_, DictType):
        return _has_numbers(type_.value)
    return isinstance(type_, ScalarType | TensorType) or type_ in (BOOL, INT) or is_inexact(type_)


def _is_plain(type_: Type) -> bool:
    """Whether values of this type are numbers, texts and the like, or tuples of such: they are no
    memory.
    """
    if isinstance(type_, TupleType):
        return all(map(_is_plain, type_.items))
    return all(isinstance(each, PythonType | ScalarType) for each in members_of(type_))


def _zeros_of_known(value: Value, type_: ListType) -> Value | None:
    made = value.defining_op
    if made is None or made.name != "list.make":
        return None
    items = list(map(zero_tangent, made.operands))
    known = [each for each in items if each is not None]
    return _emit("list.make", known, type=type_) if len(known) == len(items) else None


def _emit(name: str, operands: object, **attrs: object) -> Value:
    return current_builder().emit(REGISTRY[name], operands, attrs).result  # type: ignore[arg-type]
