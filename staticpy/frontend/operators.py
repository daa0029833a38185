"""Lowering of operators: arithmetic and the six comparisons, on everything that has them."""

from __future__ import annotations

import enum
import operator
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from staticpy import ops
from staticpy.diagnostics import catalog
from staticpy.frontend.classes import (
    DUNDERS,
    REFLECTED,
    class_lookup,
    instance_class,
    is_default,
    is_instance,
    is_object,
    own_function,
)
from staticpy.frontend.container_methods import ContainerMethods
from staticpy.frontend.inputs import RunTimeTuple, Variant
from staticpy.frontend.kinds import is_run_time, is_split, kind_of
from staticpy.frontend.lengths import as_list
from staticpy.frontend.operands import (
    number_of,
    plain_operands,
    type_error,
)
from staticpy.frontend.state import ABSENT
from staticpy.frontend.templates import type_name
from staticpy.frontend.unlike import beside_text, is_unlike, may_be_numpy, unlike
from staticpy.frontend.values import ListRef, ObjectRef, RangeIterable, Ref, is_liftable
from staticpy.ir import (
    OBJECT,
    STR,
    PythonType,
    ScalarType,
    TensorType,
    TupleType,
    Type,
    UnionType,
    Value,
    members_of,
    union_of,
)

SYMBOLS = {
    "Add": "+",
    "Sub": "-",
    "Mult": "*",
    "Div": "/",
    "FloorDiv": "//",
    "Mod": "%",
    "Pow": "**",
    "MatMult": "@",
    "LShift": "<<",
    "RShift": ">>",
    "BitAnd": "&",
    "BitOr": "|",
    "BitXor": "^",
    "Eq": "==",
    "NotEq": "!=",
    "Lt": "<",
    "LtE": "<=",
    "Gt": ">",
    "GtE": ">=",
    "USub": "-",
    "UAdd": "+",
    "Invert": "~",
}
"""The operator that a node of the grammar stands for."""


_STATIC_BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "%": operator.mod,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


_STATIC_OPERANDS = (str, bytes, tuple, frozenset)


_CLASSES = (type, types.UnionType)


def _is_beside_numpy(left: Any, right: Any) -> bool:
    """Whether one side is of NumPy and the other is no number."""
    sides = [each for each in (left, right) if number_of(each) is each]
    has_numpy = any(isinstance(side, Value) and may_be_numpy(side.type) for side in sides)
    are_values = all(isinstance(side, Value) and not is_object(side) for side in sides)
    return has_numpy and not are_values and len(sides) == 2


def is_left_alone(class_: type) -> bool:
    """Whether NumPy leaves its operators to the reflected methods of ``class_``."""
    missing = object()
    override = getattr(class_, "__array_ufunc__", missing)
    if override is not missing:
        return override is None
    priority = getattr(class_, "__array_priority__", 0)
    return isinstance(priority, int | float) and priority > 0


_ASKED_BY_NUMPY = (
    "__getattr__",
    "__getitem__",
    "__array__",
    "__array_interface__",
    "__array_priority__",
    "__array_struct__",
    "__array_ufunc__",
    "__buffer__",
)


def _equals_itself_alone(class_: type) -> bool:
    """Whether an object of ``class_`` is equal to nothing but itself, and one element to NumPy."""
    found = [class_lookup(class_, name)[0] for name in ("__eq__", "__ne__")]
    is_plain = found == [object.__eq__, object.__ne__] and is_default(class_, "__getattribute__")
    return is_plain and all(class_lookup(class_, n)[0] is ABSENT for n in _ASKED_BY_NUMPY)


def _are_new(numbers: list[Any], left: Any, right: Any) -> bool:
    return numbers[0] is not left or numbers[1] is not right


def _measure(type_: Type, measure: str) -> int | None:
    """The number of axes or items of every value of a type; None where there is none."""
    if measure == "len":
        return len(type_.items) if isinstance(type_, TupleType) else None
    if isinstance(type_, TensorType):
        return type_.rank
    return 0 if isinstance(type_, ScalarType) else None


def _holds_refs(tree: Any) -> bool:
    if isinstance(tree, list | tuple):
        return any(map(_holds_refs, tree))
    return isinstance(tree, Ref | Value)


class Operators(ContainerMethods):
    """Operators on numbers, arrays, containers, texts and objects."""

    is_augmented = False
    """Whether an operator is that of an augmented assignment."""

    def binary(self, symbol: str, left: Any, right: Any, node: Any) -> Any:
        """``left symbol right`` on numbers and arrays, containers, strings or objects."""
        if isinstance(left, Variant):
            return self.dispatch(left, lambda each: self.binary(symbol, each, right, node), node)
        if isinstance(right, Variant):
            return self.dispatch(right, lambda each: self.binary(symbol, left, each, node), node)
        if is_split(left, right) or is_split(right, left):
            is_augmented = self.is_augmented
            run = lambda a, b: self.binary_member(symbol, a, b, node, is_augmented=is_augmented)  # noqa: E731
            return self._by_member(run, left, right, node)
        if is_instance(left) or is_instance(right):
            found = self._object_operator(symbol, left, right, node)
            if found is not NotImplemented:
                return found
        if is_liftable(left) and is_liftable(right) and not self._has_text(left, right):
            return self.numeric(symbol, left, right, node)
        for attempt in (self._sequence_operator, self.set_operation):
            found = attempt(symbol, left, right, node)
            if found is not NotImplemented:
                return found
        if self._is_beside_array(symbol, left, right):
            left, right = (self._as_operand(side, node) for side in (left, right))
            return self.binary(symbol, left, right, node)
        return self.static_binary(symbol, left, right, node)

    def _by_member(self, run: Any, left: Any, right: Any, node: Any) -> Any:
        """An operation of a value of one of several types, done for each of them."""
        if is_split(left, right):
            return self.dispatch(left, lambda each: run(each, right), node)
        return self.dispatch(right, lambda each: run(left, each), node)

    def binary_member(
        self, symbol: str, left: Any, right: Any, node: Any, *, is_augmented: bool = False
    ) -> Any:
        """``left symbol right`` where one of them is of one of several types."""
        message = type_error(symbol, left, right, is_augmented=is_augmented)
        if message:
            return self.fails("TypeError", message, node)
        return self.binary(symbol, left, right, node)

    def _compare_member(self, symbol: str, left: Any, right: Any, node: Any) -> Any:
        message = type_error(symbol, left, right)
        if message:
            return self.fails("TypeError", message, node)
        return self.compare_values(symbol, left, right, node)

    def numeric(self, symbol: str, left: Any, right: Any, node: Any) -> Any:
        """An operator on numbers and arrays."""
        return ops.binary(symbol, left, right)

    def _has_text(self, left: Any, right: Any) -> bool:
        types = [side.type for side in (left, right) if isinstance(side, Value)]
        return STR in types or OBJECT in types

    def _as_operand(self, side: Any, node: Any) -> Any:
        """A list or tuple of numbers beside an array is an array to NumPy."""
        if isinstance(side, ListRef | tuple):
            return self.call_function(np.asarray, [side], {}, node)
        return side

    def _is_beside_array(self, symbol: str, left: Any, right: Any) -> bool:
        """Whether one side is of NumPy and the other a list or tuple, which becomes an array.

        A NumPy scalar times a list is left to Python, which repeats the list.
        """
        pair = ((left, right), (right, left))
        return any(
            isinstance(value, Value)
            and isinstance(value.type, TensorType if symbol == "*" else TensorType | ScalarType)
            and isinstance(other, ListRef | tuple)
            for value, other in pair
        )

    def _sequence_operator(self, symbol: str, left: Any, right: Any, node: Any) -> Any:
        if any(isinstance(s, Value) and isinstance(s.type, TensorType) for s in (left, right)):
            return NotImplemented
        if symbol == "+":
            return self.concatenate(left, right, node)
        return self.repeat(left, right, node) if symbol == "*" else NotImplemented

    def _object_operator(self, symbol: str, left: Any, right: Any, node: Any) -> Any:
        if _is_beside_numpy(left, right):
            return self._beside_numpy(symbol, left, right, node)
        found = self.object_binary(symbol, left, right, node)
        if found is not NotImplemented:
            return found
        if any(isinstance(side, enum.Flag) for side in (left, right)) and symbol in "&|^":
            return self.refuse_operands(symbol, left, right, node)
        numbers = plain_operands(left, right)
        if _are_new(numbers, left, right):
            return self.binary(symbol, numbers[0], numbers[1], node)
        if isinstance(left, tuple) or isinstance(right, tuple):
            return NotImplemented  # of a named tuple, which is a tuple as well
        if symbol == "*" and any(hasattr(instance_class(s), "__index__") for s in (left, right)):
            return self.refuse_operands(symbol, left, right, node)  # it may be a count
        if any(isinstance(side, enum.Enum) and isinstance(side, str) for side in (left, right)):
            return self.refuse_operands(symbol, left, right, node)
        kinds = " and ".join(f"'{type_name(side)}'" for side in (left, right))
        message = f"unsupported operand type(s) for {symbol}: {kinds}"
        return self.fails("TypeError", message, node)

    def _beside_numpy(self, symbol: str, left: Any, right: Any, node: Any) -> Any:
        """An operator on an object of the user's and something of NumPy's.

        On the right of an array, an object is an element to NumPy, which makes an array of objects,
        unless its class asks to be left alone.
        """
        for side in (left, right):
            if isinstance(side, Value) and isinstance(side.type, UnionType):

                def run(each: Any, side: Value = side) -> Any:
                    pair = [each if given is side else given for given in (left, right)]
                    return self.binary(symbol, pair[0], pair[1], node)

                return self.dispatch(side, run, node)
        value, other = (left, right) if is_instance(right) else (right, left)
        is_known = isinstance(value, Value) and may_be_numpy(value.type) and is_instance(other)
        if symbol in ("==", "!=") and is_known and _equals_itself_alone(instance_class(other)):
            return unlike(symbol, value, other)
        name, receiver, argument = DUNDERS[symbol], left, right
        if not is_object(left):
            name, receiver, argument = REFLECTED[name], right, left
            if not is_object(right) or not is_left_alone(instance_class(right)):
                return self.refuse_operands(symbol, left, right, node)
        found = self.call_special(receiver, name, [argument], node)
        if found is NotImplemented and symbol == "!=":
            found = self.call_special(receiver, "__eq__", [argument], node)
            found = found if found is NotImplemented else self.negate(self.truth(found, node))
        if found is NotImplemented:
            return self.refuse_operands(symbol, left, right, node)
        return found

    def static_binary(self, symbol: str, left: Any, right: Any, node: Any) -> Any:
        """An operator on compile-time objects, which Python itself evaluates."""
        compute = _STATIC_BINARY.get(symbol)
        if isinstance(left, enum.Flag) and isinstance(right, enum.Flag):
            compute = {"|": operator.or_, "&": operator.and_, "^": operator.xor}.get(symbol)
        if symbol == "%" and isinstance(left, str):
            right = tuple(right) if isinstance(right, tuple) else right
        operands = (left, right)
        if symbol == "|" and all(isinstance(item, _CLASSES) or item is None for item in operands):
            compute = operator.or_
        kinds = (*_STATIC_OPERANDS, int, float, enum.Flag, *_CLASSES, type(None))
        is_known = all(isinstance(item, kinds) for item in operands)
        if compute is None or not is_known or is_run_time(operands):
            return self.refuse_operands(symbol, left, right, node)
        try:
            return compute(left, right)
        except TypeError:
            return self.refuse_operands(symbol, left, right, node)

    def refuse_operands(self, symbol: str, left: Any, right: Any, node: Any) -> Any:
        types = " and ".join(map(kind_of, (left, right)))
        return self.error(catalog.UNSUPPORTED_OPERANDS, node, symbol=symbol, types=types)

    def unary(self, symbol: str, operand: Any, node: Any) -> Any:
        if isinstance(operand, Variant):
            return self.dispatch(operand, lambda each: self.unary(symbol, each, node), node)
        if is_instance(operand):
            name = {"-": "__neg__", "+": "__pos__", "~": "__invert__"}[symbol]
            found = self.call_special(operand, name, [], node)
            if found is not NotImplemented:
                return found
            if isinstance(operand, enum.Flag) and symbol == "~":
                return ~operand
            operand = number_of(operand)
        if not is_liftable(operand):
            self.refuse_operands(symbol, operand, operand, node)
        return ops.unary(symbol, operand)

    def compare_values(self, symbol: str, left: Any, right: Any, node: Any) -> Any:
        """``left symbol right`` for one of the six comparisons."""
        for side in (left, right):
            if isinstance(side, Variant):
                return self._compare_options(symbol, left, right, node)
        has_none = (left is None or right is None) and symbol in ("==", "!=")
        if not has_none and (is_split(left, right) or is_split(right, left)):
            run = lambda a, b: self._compare_member(symbol, a, b, node)  # noqa: E731
            return self._by_member(run, left, right, node)
        if is_instance(left) or is_instance(right):
            found = self.compare_instances(symbol, left, right, node)
            if found is not NotImplemented:
                return found
        if is_liftable(left) and is_liftable(right) and not self._has_text(left, right):
            return self._measured(symbol, left, right, ops.compare(symbol, left, right))
        if self._is_beside_array(symbol, left, right):
            left, right = (self._as_operand(side, node) for side in (left, right))
            return self.compare_values(symbol, left, right, node)
        return self.static_compare(symbol, left, right, node)

    def _measured(self, symbol: str, left: Any, right: Any, test: Any) -> Any:
        """A comparison of ``x.ndim`` or ``len(x)`` with a number says of which types ``x`` is."""
        known = self.compilation.measures.get(left) if isinstance(left, Value) else None
        if known is None or type(right) is not int or not isinstance(test, Value):
            return test
        value, measure = known
        sides: dict[bool, list[Type]] = {True: [], False: []}
        for member in members_of(value.type):
            size = _measure(member, measure)
            if size is None:
                return test
            sides[_STATIC_BINARY[symbol](size, right)].append(member)
        if all(sides.values()):
            self.compilation.tests[test] = value, union_of(sides[True]), union_of(sides[False])
        return test

    def _compare_options(self, symbol: str, left: Any, right: Any, node: Any) -> Any:
        """A comparison of one of several objects."""
        if isinstance(left, Variant):
            run = lambda each: self.compare_values(symbol, each, right, node)  # noqa: E731
            return self.dispatch(left, run, node)
        run = lambda each: self.compare_values(symbol, left, each, node)  # noqa: E731
        return self.dispatch(right, run, node)

    def compare_instances(self, symbol: str, left: Any, right: Any, node: Any) -> Any:
        numbers = plain_operands(left, right)
        if _are_new(numbers, left, right) and all(is_liftable(side) for side in numbers):
            return ops.compare(symbol, *numbers)
        if _is_beside_numpy(left, right):
            plain = [_plain_member(side) for side in (left, right)]
            if symbol in ("==", "!=") and _are_new(plain, left, right):
                return self.compare_values(symbol, plain[0], plain[1], node)
            return self._beside_numpy(symbol, left, right, node)
        found = self.object_binary(symbol, left, right, node)
        if found is not NotImplemented or isinstance(left, tuple) or isinstance(right, tuple):
            return found
        kinds = " and ".join(f"'{type_name(side)}'" for side in (left, right))
        message = f"'{symbol}' not supported between instances of {kinds}"
        return self.fails("TypeError", message, node)

    def static_compare(self, symbol: str, left: Any, right: Any, node: Any) -> Any:
        """Comparison of containers, strings and compile-time objects."""
        if symbol in ("==", "!="):
            if self._is_undecided_equality(left, right):
                return self.refuse_operands(symbol, left, right, node)
            number = beside_text(left, right)
            if number is not None:
                return unlike(symbol, number, "")
            same = self.equal(left, right, node)
            if same is NotImplemented:
                same = self._equal_to_none(left, right, node)
                value, other = (left, right) if isinstance(left, Value) else (right, left)
                if isinstance(value.type, ScalarType):
                    return unlike(symbol, value, other)
            return same if symbol == "==" else self.negate(self.truth(same, node))
        found = self.set_operation(symbol, left, right, node)
        if found is not NotImplemented:
            return found
        sides = (left, right)
        if any(all(isinstance(side, kind) for side in sides) for kind in (ListRef, tuple)):
            values = [self.plain(side) for side in sides]
            is_known = not any(isinstance(value, Value) for value in values)
            if is_known and not is_run_time(tuple(map(tuple, values))) and not _holds_refs(values):
                return self._compared(symbol, values, node)
            return self.ordered(symbol, left, right, node)
        if all(isinstance(side, tuple | RunTimeTuple) for side in sides):
            return self.ordered(symbol, as_list(self, left), as_list(self, right), node)
        return self.static_binary(symbol, left, right, node)

    def _compared(self, symbol: str, values: list[Any], node: Any) -> Any:
        try:
            return _STATIC_BINARY[symbol](*values)
        except TypeError as error:
            return self.fails("TypeError", str(error), node)

    def _is_undecided_equality(self, left: Any, right: Any) -> bool:
        """Whether one side may be an object that the program makes, with an ``__eq__`` that says
        more than whether two are equal, or otherwise of an object and itself; or is an element to
        an array on the other side.
        """
        types = [side.type for side in (left, right) if isinstance(side, Value)]
        if OBJECT not in types:
            return False
        made = self.compilation.instances.made
        has_own = any(own_function(class_lookup(each, "__eq__")[0]) for each in made)
        return has_own or any(isinstance(type_, TensorType | ScalarType) for type_ in types)

    def _equal_to_none(self, left: Any, right: Any, node: Any) -> Any:
        """``x == None`` and its kin, where one side is a number: no two such things are equal."""
        other = right if isinstance(left, Value) else left
        value = left if isinstance(left, Value) else right
        is_number = isinstance(value, Value) and isinstance(value.type, PythonType | ScalarType)
        may_hold_items = is_liftable(other) or isinstance(other, _ITEMS_TO_NUMPY)
        if is_number and not may_hold_items and is_unlike(value.type, other):
            return False
        if isinstance(value, Value) and isinstance(value.type, UnionType) and other is None:
            return self.identical(value, None, node)
        return self.refuse_operands("==", left, right, node)


_ITEMS_TO_NUMPY = (ObjectRef, RangeIterable, range)
"""What may hold items for NumPy, which compares a number of its own with each of them."""


def _plain_member(side: Any) -> Any:
    """A member of an Enum as the text or tuple that it is, unless it is compared in another way."""
    kinds: tuple[Any, ...] = (str, tuple)
    kind = next((kind for kind in kinds if isinstance(side, kind)), None)
    is_member = isinstance(side, enum.Enum)
    if not is_member or kind is None:
        return side
    names = ("__eq__", "__ne__", "__getattribute__", *_ASKED_BY_NUMPY)
    own = [class_lookup(type(side), name)[0] for name in names]
    if own != [class_lookup(kind, name)[0] for name in names]:
        return side
    return str.__str__(side) if kind is str else tuple(side)
