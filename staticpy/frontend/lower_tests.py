"""Lowering of what asks: ``is``, ``in``, and whether something is true."""

from __future__ import annotations

import enum
import types
from typing import Any

import numpy as np

from staticpy import ops
from staticpy.diagnostics import catalog
from staticpy.frontend.classes import (
    class_of_object,
    has_own_equality,
    is_enum,
    is_enum_member,
    is_instance,
    is_object,
)
from staticpy.frontend.inputs import RunTimeTuple, Variant
from staticpy.frontend.kinds import is_run_time, kind_of
from staticpy.frontend.operators import Operators
from staticpy.frontend.values import (
    Closure,
    DictRef,
    DictView,
    IteratorRef,
    ListRef,
    RangeIterable,
    Ref,
    SetRef,
    UserFunction,
    is_liftable,
    is_scalar,
    leaf_type,
)
from staticpy.ir import (
    BOOL,
    INT,
    NONE,
    OBJECT,
    STR,
    DictType,
    ListType,
    ObjectType,
    ScalarType,
    TensorType,
    Type,
    UnionType,
    Value,
    is_of_class,
    join,
    members_of,
)

_COUNTED = (ListRef, DictRef, SetRef, DictView, RangeIterable, RunTimeTuple)
"""What is true unless it is empty."""


class Tests(Operators):
    """Identity, membership and truth."""

    def identical(self, left: Any, right: Any, node: Any) -> Any:  # noqa: C901, PLR0912
        """``is``, where Python's answer does not depend on how it stores its objects."""
        if isinstance(left, Variant):
            return self.dispatch(left, lambda each: self.identical(each, right, node), node)
        if isinstance(right, Variant):
            return self.identical(right, left, node)
        for value, single in ((left, right), (right, left)):
            if single is None and isinstance(value, Value):
                return self._is_none(value)
        singles = (None, Ellipsis, NotImplemented)
        if any(side is single for side in (left, right) for single in singles):
            return left is right
        if isinstance(left, bool) and isinstance(right, bool):
            return left is right
        for value, single in ((left, right), (right, left)):
            if isinstance(single, bool) and isinstance(value, Value):
                return self._is_bool(value, single, node)
        if isinstance(left, Ref) and isinstance(right, Ref):
            if isinstance(left, IteratorRef) or isinstance(right, IteratorRef):  # without content
                return left is right
            if right in self.compilation.ambiguous.get(left, ()):
                conflict = self.alias_conflict(left, right)
                self.error(conflict.spec, node, *conflict.labels)
            contents = self.content(left), self.content(right)
            is_memory = all(isinstance(each, Value) for each in contents)
            if is_memory and left is not right:  # each may have been read from anywhere
                return self.emit("object.is", [self.object_of(left), self.object_of(right)])
            return left is right
        if isinstance(left, Value) and isinstance(right, Value):
            return self._same_object(left, right, node)
        kinds = (Ref, enum.Enum, types.ModuleType, UserFunction)
        if isinstance(left, IteratorRef) or isinstance(right, IteratorRef):
            return False  # no Value is one
        for value, known in ((left, right), (right, left)):
            if isinstance(value, Value) and (isinstance(known, kinds) or callable(known)):
                return self._is_known(value, known)
        if isinstance(left, kinds) or isinstance(right, kinds):
            return left is right
        functions = (UserFunction, Closure)
        if isinstance(left, functions) or isinstance(right, functions):
            if isinstance(left, Closure) and isinstance(right, Closure) and left.is_several:
                self.refuse_operands("is", left, right, node)
            return left is right
        if callable(left) and callable(right):
            return left is right
        if type(left) is not type(right) and not isinstance(left, Value | bool):
            return False
        return self.refuse_operands("is", left, right, node)

    def _is_none(self, value: Value) -> Any:
        members = members_of(value.type)
        if OBJECT in members and NONE not in members:
            return self.emit("object.is", [value, self.to_value(None)])  # it may be anything
        if isinstance(value.type, UnionType):
            return self.is_type(value, NONE)
        return value.type == NONE

    def _is_known(self, value: Value, known: Any) -> Any:
        """Whether ``value``, one of several things, is an object that compiling knows."""
        if isinstance(known, Ref):
            if self.handle_of(known) is None and not isinstance(self.content(known), Value):
                return False  # nothing in memory refers to it
            return self.emit("object.is", [value, self.object_of(known)])
        members = members_of(value.type)
        if not any(isinstance(member, ObjectType) for member in members):
            return False
        return self.emit("object.is", [value, self.to_object(known)])

    def _is_bool(self, value: Value, single: bool, node: Any) -> Any:
        """``value is True`` or ``value is False``: Python has one object for each."""
        if isinstance(value.type, UnionType) and BOOL in value.type.members:
            return self.dispatch(value, lambda each: self.identical(each, single, node), node)
        if value.type == OBJECT:
            return self.refuse_operands("is", value, single, node)
        if value.type != BOOL:
            return False
        return value if single else self.negate(value)

    def _same_object(self, left: Value, right: Value, node: Any) -> Any:
        """Arrays are objects of their own; whether two numbers are one object is left to Python."""
        if left is right:
            return True
        if left.type == right.type == BOOL:
            return ops.compare("==", left, right)
        if is_of_class(left.type) and is_of_class(right.type):
            return left.type == right.type and self.emit("object.is", [left, right])
        for side, other in ((left, right), (right, left)):
            if isinstance(side.type, UnionType) and any(map(is_of_class, side.type.members)):
                return self.dispatch(side, lambda x: self.identical(x, other, node), node)  # noqa: B023
        if not all(isinstance(side.type, TensorType) for side in (left, right)):
            self.refuse_operands("is", left, right, node)
        return self.emit("object.is", [left, right])

    def is_type(self, value: Value, type_: Type) -> Any:
        """Whether a Value of a union is of one of its members; remembered for the paths after."""
        assert isinstance(value.type, UnionType)
        if type_ not in value.type.members:
            return False
        if isinstance(type_, ListType | DictType):
            self.compilation.widths.unify(value.type)
        class_ = class_of_object(type_)
        if class_ is None:
            test = self.emit("any.is", [value], type=type_)
        else:
            named = self.static_object(class_, class_.__name__)
            test = self.emit("object.is_of", [value, named])
        rest = [member for member in value.type.members if member != type_]
        remaining = rest[0]
        for member in rest[1:]:
            remaining = join(remaining, member)
        self.compilation.tests[test] = value, type_, remaining
        return test

    def contains(self, container: Any, element: Any, node: Any) -> Any:  # noqa: C901, PLR0912
        """``element in container``."""
        if isinstance(container, Variant):
            return self.dispatch(container, lambda each: self.contains(each, element, node), node)
        if isinstance(element, Variant):
            return self.dispatch(element, lambda each: self.contains(container, each, node), node)
        if is_instance(container):
            found = self.call_special(container, "__contains__", [element], node)
            if found is not NotImplemented:
                return self.truth(found, node)
        if is_enum(container) or is_enum_member(container):
            return self._contains_static(container, element, node)
        if isinstance(container, DictView):
            return self.contains(self._view_items(container), element, node)
        if isinstance(container, DictRef):
            return self._contains_key(container, element, node)
        if isinstance(container, SetRef | frozenset):
            items = self.content(container) if isinstance(container, SetRef) else container
            if isinstance(element, SetRef):  # looked for as the frozenset of its items
                element = self.content(element)
            if isinstance(element, Value) and isinstance(element.type, TensorType):
                if self.compilation.inputs.expects_tensors:  # these have a hash
                    self.error(catalog.CLASS_OF_TENSOR, node)
                return self.fails("TypeError", "unhashable type: 'numpy.ndarray'", node)
            if not isinstance(element, Value) or has_own_equality(element):
                return self.hashable(element, node) in items
            return self._contains_item(tuple(items), element, node)
        is_asked = isinstance(container, range) and is_object(element)  # by its '__eq__'
        is_known = not isinstance(element, Value) and not is_asked
        if isinstance(container, bytes) and not isinstance(element, int | bytes):
            self._require_byte(container, element, node)
        if isinstance(container, str | bytes | range) and is_known:
            return self._contains_static(container, element, node)
        if isinstance(container, range | RangeIterable):
            return self._in_range(container, element, node)
        items = self.content(container) if isinstance(container, ListRef) else container
        if isinstance(items, Value) and isinstance(container, ListRef):
            return self.emit("list.contains", [items, self.to_value(element)])
        if isinstance(items, tuple):
            return self._contains_item(items, element, node)
        if isinstance(container, Value) and isinstance(container.type, TensorType):
            return self._in_array(container, element, node)
        if isinstance(container, Value) and isinstance(container.type, UnionType):
            return self.dispatch(container, lambda each: self.contains(each, element, node), node)
        if isinstance(container, Value) and not is_instance(container):
            return self.refuse_operands("in", element, container, node)
        return self.found_in(container, element, node)

    def _require_byte(self, container: bytes, element: Any, node: Any) -> None:
        """What is looked for in bytes and is neither bytes nor a known int."""
        class_ = self.class_of(element)
        is_buffer = class_ is not None and issubclass(class_, np.ndarray | np.generic)
        if class_ is None or is_buffer or is_object(element) or hasattr(class_, "__index__"):
            self.refuse_operands("in", element, container, node)
        message = f"a bytes-like object is required, not '{kind_of(element)}'"
        self.fails("TypeError", message, node)

    def found_in(self, iterable: Any, element: Any, node: Any) -> Any:
        raise AssertionError("defined by Consumers")

    def _in_array(self, array: Value, element: Any, node: Any) -> Any:
        same = ops.compare("==", array, element)
        return self.truth(ops.METHODS["any"](same), node)

    def _view_items(self, view: DictView) -> Any:
        content = self.content(view.ref)
        if isinstance(content, Value):
            return self.open(self.emit(f"dict.{view.kind}", [content]))
        return tuple(getattr(content, view.kind)())

    def _contains_static(self, container: Any, element: Any, node: Any) -> Any:
        try:
            return element in container
        except TypeError as error:
            return self.fails("TypeError", str(error), node)

    def _contains_key(self, container: DictRef, element: Any, node: Any) -> Any:
        content = self.content(container)
        if isinstance(content, Value) or is_run_time(element):
            memory = self.dict_value(container, element, node)
            return self.emit("dict.contains", [memory, self.to_value(element)])
        return self.hashable(element, node) in content

    def _contains_item(self, items: tuple[Any, ...], element: Any, node: Any) -> Any:
        """Each item is compared until one is equal; items of Python's own compare without effects,
        in any order.
        """
        found: Any = False
        for item in items:
            if item is element:
                same: Any = True
            else:
                same = self.equal(item, element, node)
                sides = (item, element)
                if same is NotImplemented and any(isinstance(s, ListRef | tuple) for s in sides):
                    same = self.compare_values("==", item, element, node)
                if same is NotImplemented:
                    same = self._equal_to_none(item, element, node)
                same = self.truth(same, node)
            if same is True:
                return True if found is False else self.either(found, True)
            found = self.either(found, same)
        return found

    def either(self, left: Any, right: Any) -> Any:
        """``left or right`` of two conditions that are both known to be safe to compute."""
        if left is False or right is True:
            return right
        if right is False or left is True:
            return left
        return ops.binary("|", left, right)

    def _in_range(self, container: Any, element: Any, node: Any) -> Any:
        kind = leaf_type(element) if is_liftable(element) else None
        if isinstance(kind, ScalarType) and kind.dtype.kind in "biu":  # equal to Python's int
            element, kind = ops.BUILTINS[int](element), INT
        if kind not in (INT, BOOL):
            self.refuse_operands("in", element, container, node)
        start, stop, step = container.start, container.stop, container.step
        if stop is None:
            self.refuse_operands("in", element, container, node)
        if isinstance(step, Value):
            return self._in_range_of_either_way(container, element)
        low, high = (start, stop) if step > 0 else (stop, start)
        symbols = ("<=", "<") if step > 0 else ("<", "<=")
        above = ops.compare(symbols[0], low, element)
        below = ops.compare(symbols[1], element, high)
        distance = ops.binary("%", ops.binary("-", element, start), step)
        found = self.both(above, below)
        return self.both(found, ops.compare("==", distance, 0))

    def _in_range_of_either_way(self, container: Any, element: Any) -> Any:
        start, stop, step = container.start, container.stop, container.step
        up = [ops.compare("<=", start, element), ops.compare("<", element, stop)]
        down = [ops.compare(">=", start, element), ops.compare(">", element, stop)]
        rising = self.both(ops.compare(">", step, 0), self.both(*up))
        falling = self.both(ops.compare("<", step, 0), self.both(*down))
        distance = ops.binary("%", ops.binary("-", element, start), step)
        return self.both(self.either(rising, falling), ops.compare("==", distance, 0))

    def truth(self, value: Any, node: Any) -> Any:
        """The truth of a value, with the error NumPy gives for an array of several elements."""
        if isinstance(value, Variant):
            return self.dispatch(value, lambda each: self.truth(each, node), node)
        if is_instance(value):
            return self._object_truth(value, node)
        if isinstance(value, Value):
            return self._value_truth(value, node)
        is_count = isinstance(value, RangeIterable) and value.stop is None
        if isinstance(value, _COUNTED) and not is_count:
            items = self._view_items(value) if isinstance(value, DictView) else value
            length = self.length(items, node)
            return ops.compare(">", length, 0) if isinstance(length, Value) else length > 0
        if isinstance(value, str | bytes | tuple | range | frozenset | enum.Enum):
            return bool(value)
        if is_scalar(value) or value is None or value is NotImplemented:
            return bool(value)
        return True  # a function, a class, a module

    def _value_truth(self, value: Value, node: Any) -> Any:
        with self.at(node):
            if value.type == STR:
                return ops.compare(">", self.emit("str.len", [value]), 0)
            if value.type == OBJECT:
                return self.emit("object.truth", [value])
            if isinstance(value.type, UnionType) and NONE in value.type.members:
                return self._truth_or_none(value, node)
            return ops.truth(value)

    def _truth_or_none(self, value: Value, node: Any) -> Any:
        """Of a value that may be None: a test for None first, which the paths after remember."""
        is_none = self.is_type(value, NONE)
        return self.choose(
            is_none,
            lambda: False,
            lambda: self.truth(self.narrowed(value), node),
            "this condition",
        )

    def narrowed(self, value: Value) -> Any:
        raise AssertionError("defined by Branches")

    def _object_truth(self, instance: Any, node: Any) -> Any:
        for name in ("__bool__", "__len__"):
            found = self.call_special(instance, name, [], node)
            if found is not NotImplemented:
                return self.truth(found, node)
        return is_object(instance) or bool(instance)
