"""Records: what stands beside an object of the running program, for its tangents or cotangents.

    object.set_slot %p, %x {name = "speed"}        dict.setitem %r, "speed", %tx
    %y = object.getattr %p {name = "speed"}        %ty = dict.getitem %r, "speed"

A record is a dict by the names of the attributes. So it has those alone that the object itself has:
what is read of the class of the object is no part of it.
"""

from __future__ import annotations

from collections.abc import Callable

from staticpy import ops
from staticpy.ir import OBJECT, STR, DictType, Type, Value, current_builder
from staticpy.ops import REGISTRY

RECORD = DictType(STR, OBJECT)
"""The type of a record. What it holds is cast to the type that it is known to be of."""


def new() -> Value:
    """An empty record."""
    return _emit("dict.make", type=RECORD)


def set_field(record: Value, name: str, item: Value) -> None:
    """Set a field."""
    held = _emit("object.cast", item, type=OBJECT)
    current_builder().emit(REGISTRY["dict.setitem"], [record, ops.as_value(name), held])


def delete_field(record: Value, name: str) -> None:
    """Delete a field."""
    current_builder().emit(REGISTRY["dict.delitem"], [record, ops.as_value(name)])


def field(
    record: Value, name: str, type_: Type, missing: Callable[[], Value] | None = None
) -> Value:
    """A field, which is of ``type_``; ``missing`` makes what stands for one that is not there."""
    builder, key = current_builder(), ops.as_value(name)
    if missing is None:
        return _emit("object.cast", _emit("dict.getitem", record, key), type=type_)
    is_there = _emit("dict.contains", record, key)
    with builder.region() as then:
        builder.emit(ops.region_yield, [field(record, name, type_)])
    with builder.region() as orelse:
        builder.emit(ops.region_yield, [missing()])
    return builder.emit(ops.if_, [is_there], {}, [then, orelse]).result


def _emit(name: str, *operands: Value, **attrs: object) -> Value:
    return current_builder().emit(REGISTRY[name], operands, attrs).result
