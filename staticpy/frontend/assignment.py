"""Lowering of assignments: to names, items and attributes, unpacked, augmented, and undone."""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from staticpy import ops
from staticpy.frontend.classes import instance_class, is_object
from staticpy.frontend.columns import ColumnsIterable
from staticpy.frontend.inputs import Variant
from staticpy.frontend.operands import plain_operands, type_error
from staticpy.frontend.operators import SYMBOLS
from staticpy.frontend.tangents import Tangents
from staticpy.frontend.values import (
    UNBOUND,
    DictRef,
    DictView,
    ListRef,
    Ref,
    SetRef,
    is_liftable,
    is_scalar,
)
from staticpy.ir import (
    STR,
    PythonType,
    ScalarType,
    TensorType,
    UnionType,
    Value,
    is_mutable_memory,
)

_ARRAY: Any = np.asarray
_IN_PLACE_METHODS = {
    "+": "__iadd__",
    "-": "__isub__",
    "*": "__imul__",
    "/": "__itruediv__",
    "//": "__ifloordiv__",
    "%": "__imod__",
    "**": "__ipow__",
    "@": "__imatmul__",
    "<<": "__ilshift__",
    ">>": "__irshift__",
    "&": "__iand__",
    "|": "__ior__",
    "^": "__ixor__",
}


class Assignment(Tangents):
    """Everything that binds or writes."""

    def stmt_Assign(self, node: Any) -> None:
        value = self.expression(node.value)
        for target in node.targets:
            self.assign(target, value)

    def assign(self, target: Any, value: Any) -> None:
        """Bind a name, write an item or an attribute, or do so for each of several targets."""
        if isinstance(target, gast.Name):
            self.assign_name(target.id, value, self.span(target))
        elif isinstance(target, gast.Attribute):
            base = self.expression(target.value)
            with self.at(target):
                self.set_attribute(base, target.attr, value, target)
        elif isinstance(target, gast.Subscript):
            base, index = self.expression(target.value), self.expression(target.slice)
            with self.at(target):
                self.set_item(base, index, value, target)
        else:
            with self.at(target):
                items = self.unpack(value, target.elts, target)
            for element, item in zip(target.elts, items, strict=True):
                starred = isinstance(element, gast.Starred)
                self.assign(element.value if starred else element, item)

    # --- unpacking --------------------------------------------------------------------------------

    def unpack(self, value: Any, targets: list[Any], node: Any) -> list[Any]:
        """One item of ``value`` for each target; a list of what is left for a starred one."""
        stars = [i for i, each in enumerate(targets) if isinstance(each, gast.Starred)]
        star = stars[0] if stars else None
        if isinstance(value, ColumnsIterable) and value.count is not None:
            value = self.unpacked_columns(value, targets, node)
        if isinstance(value, Value) and isinstance(value.type, UnionType):
            found = self.dispatch(value, lambda each: tuple(self.unpack(each, targets, node)), node)
            return list(found)
        if isinstance(value, Value) and isinstance(value.type, TensorType) and value.type.rank:
            return self._unpack_array(value, len(targets), star, node)
        if is_scalar(value) or value is None or self._is_no_iterable(value):
            message = f"cannot unpack non-iterable {self._class_name(value)} object"
            self.fails("TypeError", message, node)
        items = self.iterated(value, node)
        if not isinstance(items, list):
            return self._unpack_memory(items, len(targets), star, node)
        self._check_count(len(items), len(targets), star, node)
        if star is None:
            return items
        after = len(targets) - star - 1
        end = len(items) - after
        return [*items[:star], self.new_list(items[star:end]), *items[end:]]

    def _is_no_iterable(self, value: Any) -> bool:
        return (
            isinstance(value, Value)
            and isinstance(value.type, PythonType | ScalarType)
            and (value.type != STR)
        )

    def _class_name(self, value: Any) -> str:
        class_ = self.class_of(value)
        return "object" if class_ is None else class_.__name__

    def _check_count(self, count: int, wanted: int, star: int | None, node: Any) -> None:
        least = wanted if star is None else wanted - 1
        if count < least:
            expected = f"at least {least}" if star is not None else str(wanted)
            message = f"not enough values to unpack (expected {expected}, got {count})"
            self.fails("ValueError", message, node)
        if star is None and count > wanted:
            self.fails("ValueError", f"too many values to unpack (expected {wanted})", node)

    def _unpack_array(self, value: Value, count: int, star: int | None, node: Any) -> list[Any]:
        assert isinstance(value.type, TensorType)
        if star is None:
            results = ops.emit(ops.unpack, value, count=count)
            return list(results) if isinstance(results, tuple) else [results]
        size = value.type.dims[0]
        if not isinstance(size, int):
            items = self.new_list(self.emit("list.from_array", [value], to_python=False))
            return self._unpack_memory(items, count, star, node)
        rows = [ops.getitem(value, index) for index in range(size)]
        self._check_count(size, count, star, node)
        end = size - (count - star - 1)
        return [*rows[:star], self.new_list(rows[star:end]), *rows[end:]]

    def _unpack_memory(self, ref: ListRef, count: int, star: int | None, node: Any) -> list[Any]:
        """A list of run-time length: its length is checked first."""
        length = self.length(ref, node)
        least = count if star is None else count - 1
        enough = ops.compare("==" if star is None else ">=", length, least)
        self.require(
            ops.as_value(enough),
            lambda: self.emit_raise("ValueError", ("the number of values to unpack is another",)),
        )
        if star is None:
            return [self.list_item(ref, index, node) for index in range(count)]
        after = count - star - 1
        rest = self.list_item(ref, slice(star, -after if after else None, None), node)
        last = [self.list_item(ref, index - after, node) for index in range(after)]
        return [*(self.list_item(ref, index, node) for index in range(star)), rest, *last]

    # --- augmented --------------------------------------------------------------------------------

    def stmt_AugAssign(self, node: Any) -> None:
        target, symbol = node.target, SYMBOLS[type(node.op).__name__]
        if isinstance(target, gast.Name):
            current = self.read_name(target.id, target)
            value = self.update(symbol, current, self.expression(node.value), node)
            self.assign_name(target.id, value, self.span(node))
            return
        base = self.expression(target.value)
        if isinstance(target, gast.Attribute):
            current = self.attribute(base, target.attr, target)
            value = self.update(symbol, current, self.expression(node.value), node)
            self.set_attribute(base, target.attr, value, target)
            return
        index = self.expression(target.slice)
        current = self.get_item(base, index, target)
        value = self.update(symbol, current, self.expression(node.value), node)
        self.set_item(base, index, value, target)

    def update(self, symbol: str, current: Any, operand: Any, node: Any) -> Any:
        """``current symbol= operand``: what is mutable is written to, all else is made anew."""
        if isinstance(current, Variant):
            run = lambda each: self.update(symbol, each, operand, node)  # noqa: E731
            return self.dispatch(current, run, node)
        if instance_class(current) is not None:
            found = self.call_special(current, _IN_PLACE_METHODS[symbol], [operand], node)
            is_repeated = isinstance(current, int) and not is_liftable(operand)
            if found is NotImplemented and is_repeated and symbol == "*":
                return self.refuse_operands("*=", current, operand, node)  # a TypeError for some
            return self.binary(symbol, current, operand, node) if found is NotImplemented else found
        if isinstance(current, Value):
            return self._update_value(symbol, current, operand, node)
        if isinstance(current, ListRef) and symbol in "+*":
            return self._update_list(symbol, current, operand, node)
        if isinstance(current, DictRef) and symbol == "|":
            self.call_method_of(current, "update", [operand], node)
            return current
        if isinstance(current, SetRef):
            return self._update_set(symbol, current, operand, node)
        return self.binary(symbol, current, operand, node)

    def _update_value(self, symbol: str, current: Value, operand: Any, node: Any) -> Any:
        if isinstance(current.type, UnionType) and is_mutable_memory(current.type):
            return self.dispatch(
                current, lambda each: self._update_member(symbol, each, operand, node), node
            )
        if not isinstance(current.type, TensorType):
            return self.binary(symbol, current, operand, node)
        if isinstance(operand, ListRef | tuple):
            given = self.call_function(_ARRAY, [operand], {}, node)
        else:
            given = plain_operands(current, operand)[1]
        if isinstance(given, Value) and isinstance(given.type, UnionType):
            return self.dispatch(given, lambda each: self.update(symbol, current, each, node), node)
        if is_object(given) and getattr(instance_class(given), "__array_ufunc__", 0) is None:
            return self.refuse_operands(f"{symbol}=", current, operand, node)
        if is_object(given) or not is_liftable(given):
            return self.binary(symbol, current, operand, node)
        return ops.in_place(symbol, current, given)

    def _update_member(self, symbol: str, current: Any, operand: Any, node: Any) -> Any:
        """``current symbol= operand`` where ``current`` is of one of several types."""
        is_memory = isinstance(current, Ref) or (
            isinstance(current, Value) and is_mutable_memory(current.type)
        )
        if not is_memory:
            return self.binary_member(symbol, current, operand, node, is_augmented=True)
        message = type_error(symbol, current, operand, is_augmented=True)
        if message:
            self.fails("TypeError", message, node)
        return self.update(symbol, current, operand, node)

    def _update_list(self, symbol: str, ref: ListRef, operand: Any, node: Any) -> Any:
        if symbol == "+":
            return self._extend_list(ref, operand, node)
        made = self.repeat(ref, operand, node)
        if made is NotImplemented:
            return self.binary(symbol, ref, operand, node)
        self.set_list_item(ref, slice(None, None, None), made, node)
        return ref

    def _extend_list(self, ref: ListRef, operand: Any, node: Any) -> Any:
        """``ref += operand``: Python asks the operand how it is added before the list takes its
        items, so that with an array or a NumPy number the name is bound to a new array.
        """
        if isinstance(operand, Variant) or (
            isinstance(operand, Value) and isinstance(operand.type, UnionType)
        ):
            run = lambda each: self._extend_list(ref, each, node)  # noqa: E731
            return self.dispatch(operand, run, node)
        kind = operand.type if isinstance(operand, Value) else None
        if isinstance(kind, TensorType | ScalarType) or isinstance(
            operand, np.ndarray | np.generic
        ):
            return self.binary("+", ref, operand, node)
        if is_object(operand):
            found = self.call_special(operand, "__radd__", [ref], node)
            if found is not NotImplemented:
                return found
        self.call_method_of(ref, "extend", [operand], node)
        return ref

    def _update_set(self, symbol: str, ref: SetRef, operand: Any, node: Any) -> Any:
        found: Any = NotImplemented
        if not isinstance(operand, DictView):  # with a view, the operator makes another set
            found = self.set_operation(symbol, ref, operand, node)
        if found is NotImplemented:
            return self.binary(symbol, ref, operand, node)
        content = self.content(found) if isinstance(found, SetRef) else found
        self.write(ref, content)
        self.emit_method(ref, "clear")
        self.emit_method(ref, "update", tuple(content))
        return ref

    # --- del --------------------------------------------------------------------------------------

    def stmt_Delete(self, node: Any) -> None:
        for target in node.targets:
            with self.at(target):
                self.delete(target)

    def delete(self, target: Any) -> None:
        """``del target``."""
        if isinstance(target, gast.Name):
            self.read_name(target.id, target)  # it must be bound
            frame = self.owner(target.id)
            frame.env.put(target.id, UNBOUND)
            frame.env.drop(f"%bound:{target.id}")
        elif isinstance(target, gast.Attribute):
            self.remove_attribute(self.expression(target.value), target.attr, target)
        elif isinstance(target, gast.Subscript):
            base = self.expression(target.value)
            self.delete_item(base, self.expression(target.slice), target)
        else:
            for element in target.elts:
                self.delete(element)
