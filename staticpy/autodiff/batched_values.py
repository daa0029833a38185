"""What a value of one example is for all of them, and how one form is made of another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np

from staticpy import ops
from staticpy.ir import (
    INT,
    UNKNOWN,
    Block,
    Builder,
    ListType,
    PythonType,
    Region,
    ScalarType,
    TensorType,
    Type,
    Value,
    dims_of,
)
from staticpy.ops import REGISTRY, Traced, untrace


class LoopNeededError(Exception):
    """Raised where only a loop over the examples is known to be right."""


class Form(IntEnum):
    """How a value of the examples is held; a later one holds what an earlier one does."""

    ALIKE = 0
    """One value, which is that of each example."""
    ARRAY = 1
    """An array with the axis of the examples first; they all have one shape."""
    ROWS = 2
    """A list with an item for each example."""


@dataclass(frozen=True, slots=True)
class Item:
    """A value of the examples; ``type`` is that in each of them."""

    form: Form
    value: Value
    type: Type
    may_lack: bool = False
    """Whether there is no value on some paths."""


def has_array_form(type_: Type) -> bool:
    """Whether values of a type can be held in an array, if they are of one shape."""
    return isinstance(type_, ScalarType | TensorType) and type_.dtype.isnative


def is_uniform(type_: Type) -> bool:
    """Whether all values of a type have one shape."""
    return has_array_form(type_) and UNKNOWN not in dims_of(type_)


def is_convertible(type_: Type) -> bool:
    """Whether rows of a type make an array that holds them: ints may be too large for that."""
    is_float = isinstance(type_, PythonType) and type_.kind in ("float", "complex", "bool")
    return is_float or is_uniform(type_)


def type_in(form: Form, type_: Type) -> Type:
    """The type of a value of the examples in some form."""
    if form is Form.ALIKE:
        return type_
    if form is Form.ROWS:
        return ListType(type_)
    return TensorType(type_.dtype, (UNKNOWN, *dims_of(type_)))  # type: ignore[attr-defined]


class Forms:
    """Makes one form of another, where ``builder`` stands."""

    def __init__(self, builder: Builder, size: Value) -> None:
        self.builder = builder
        self.size = size

    def to(self, form: Form, item: Item, type_: Type) -> Value:
        """The value of an item in a form that holds it, for a place of the type ``type_``."""
        if form is item.form and form is not Form.ROWS:
            return item.value
        if form is Form.ARRAY and ops.is_undef(item.value):
            type_ = type_in(form, item.type)
            return self.builder.emit(ops.undef, [], {"type": type_}).result
        if item.may_lack and (form is Form.ARRAY or item.form is Form.ARRAY):
            raise LoopNeededError  # of nothing there is no array
        return self.array(item) if form is Form.ARRAY else self.rows(item, type_)

    def array(self, item: Item) -> Value:
        """An item as an array."""
        if item.form is Form.ARRAY:
            return item.value
        if item.form is Form.ROWS or isinstance(item.type, PythonType):
            return ops.list_array(self.rows(item, item.type))
        shape = ops.shape_of(item.value) if dims_of(item.type) else ()
        sizes = tuple(Traced(each) if isinstance(each, Value) else each for each in shape)
        made: Any = np.broadcast_to(Traced(item.value), (Traced(self.size), *sizes))  # type: ignore[arg-type]
        return untrace(made)  # type: ignore[no-any-return]

    def rows(self, item: Item, type_: Type) -> Value:
        """An item as a list of items of the type ``type_``."""
        if item.form is Form.ROWS and item.value.type == ListType(type_):
            return item.value
        return self.for_each([type_], lambda number: [self.example(item, number)])[0]

    def example(self, item: Item, number: Value) -> Value:
        """The value in the example ``number``."""
        if item.form is Form.ALIKE:
            return item.value
        if item.form is Form.ROWS:
            return self.builder.emit(REGISTRY["list.getitem"], [item.value, number]).result
        if item.may_lack:
            raise LoopNeededError  # it can't be told here whether there is an array
        made = ops.example(item.value, number, 0)
        if isinstance(item.type, TensorType) and not item.type.dims:
            made = ops.FUNCTIONS[np.asarray](made)
        return made

    def for_each(self, types: list[Type], run: Callable[[Value], list[Value]]) -> list[Value]:
        """A loop over the examples; what ``run`` gives for each of them, in lists."""
        make = REGISTRY["list.make"]
        rows: list[Value] = [
            self.builder.emit(make, [], {"type": ListType(each)}).result for each in types
        ]
        start, step = ops.as_value(0), ops.as_value(1)
        body = Block([INT])
        with self.builder.inside(body):
            for row, value in zip(rows, run(body.args[0]), strict=True):
                self.builder.emit(REGISTRY["list.append"], [row, value])
            self.builder.emit(ops.region_yield, [])
        bounds = [start, self.size, step]
        self.builder.emit(ops.for_, bounds, {"breaks": False}, [Region(body)])
        return rows
