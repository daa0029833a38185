"""Special methods: what operators and builtins mean for instances of the user's classes.

Methods are lowered like any function, so an operator of a class is a call of its method. The
comparisons that ``dataclass`` generates have no source; they compare the fields.
"""

from __future__ import annotations

import dataclasses
import enum
import operator
from collections.abc import Callable
from typing import Any

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.frontend.classes import (
    COMPARISONS,
    DUNDERS,
    ORDER,
    REFLECTED,
    class_lookup,
    instance_class,
    is_enum_member,
    is_generated,
    is_object,
    own_function,
)
from staticpy.frontend.enum_members import EnumMembers
from staticpy.frontend.inputs import Variant
from staticpy.frontend.special_results import as_asked
from staticpy.frontend.state import ABSENT
from staticpy.frontend.values import BoundFunction
from staticpy.ir import OBJECT, Value


class SpecialMethods(EnumMembers):
    """Looks special methods up, and calls them."""

    def special(self, instance: Any, name: str) -> Any:
        """The special method ``name`` of an instance, bound; None where its class has none of the
        user's.
        """
        if isinstance(instance, Variant):
            found = [self.special(option, name) for option in instance.options]
            return None if None in found else found[0]
        class_ = instance_class(instance)
        if class_ is None:
            return None
        raw, base = class_lookup(class_, name)
        if is_generated(raw):
            return _GENERATED.get(name)
        function = own_function(raw)
        if function is None:
            is_taken_away = raw is None and name != "__hash__"  # '__iter__ = None' is a TypeError
            is_there = raw is not None and raw is not ABSENT
            if is_taken_away or (is_there and not is_known_base(class_, base)):
                raise DiagnosticError(catalog.UNSUPPORTED_CLASS, None, (), name=class_.__name__)
            return None
        self.refuse_outside(class_, name)
        self._guard_member(base, name, raw)
        return BoundFunction(self.user_function(function), instance)

    def call_special(
        self,
        ref: Any,
        name: str,
        args: list[Any],
        node: Any,
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        """The result of a special method; NotImplemented where the class has none."""
        if isinstance(ref, Variant):
            return self.dispatch(
                ref, lambda each: self.call_special(each, name, args, node, kwargs), node
            )
        method = self.special(ref, name)
        if method is None:
            return NotImplemented
        if callable(method) and not isinstance(method, BoundFunction):
            return method(self, ref, name, args, node)
        found = self.call_function(method, args, kwargs or {}, node)
        return as_asked(self, ref, name, found, node)

    def object_binary(self, symbol: str, left: Any, right: Any, node: Any) -> Any:
        """``left symbol right`` where one of them is an instance of a class of the user's."""
        if any(isinstance(side, Value) and side.type == OBJECT for side in (left, right)):
            return self.refuse_operands(symbol, left, right, node)  # its class may have a method
        name = DUNDERS[symbol]
        reflected = REFLECTED[name]
        classes = [instance_class(side) for side in (left, right)]
        first = [(left, name, right), (right, reflected, left)]
        if is_overridden(classes, reflected):
            first.reverse()
        if classes[0] is classes[1] and name not in COMPARISONS:
            first = first[:1]
        for receiver, method, argument in first:
            found = self.call_special(receiver, method, [argument], node)
            if found is not NotImplemented:
                return found
        if is_enum_member(left) or is_enum_member(right):
            evaluated = evaluate(symbol, left, right)
            if evaluated is not NotImplemented:
                return evaluated
        if symbol in ("==", "!="):
            return self._default_equality(symbol, left, right, node)
        return NotImplemented

    def _default_equality(self, symbol: str, left: Any, right: Any, node: Any) -> Any:
        if any(isinstance(side, tuple) and type(side) is not tuple for side in (left, right)):
            sides = [tuple(side) if isinstance(side, tuple) else side for side in (left, right)]
            return self.compare_values(
                symbol, sides[0], sides[1], node
            )  # named tuples compare as tuples do
        if symbol == "!=":
            for receiver, argument in ((left, right), (right, left)):
                found = self.call_special(receiver, "__eq__", [argument], node)
                if found is not NotImplemented:
                    return self.negate(self.truth(found, node))
        same = self.identical(left, right, node)
        return same if symbol == "==" else self.negate(same)

    def identical(self, left: Any, right: Any, node: Any) -> Any:
        raise AssertionError("defined by Expressions")

    def refuse_operands(self, symbol: str, left: Any, right: Any, node: Any) -> Any:
        raise AssertionError("defined by Operators")

    def truth(self, value: Any, node: Any) -> Any:
        raise AssertionError("defined by Expressions")

    def negate(self, condition: Any) -> Any:
        raise AssertionError("defined by Expressions")

    def compare_values(self, symbol: str, left: Any, right: Any, node: Any) -> Any:
        raise AssertionError("defined by Expressions")

    # --- what dataclass generates -----------------------------------------------------------------

    def dataclass_fields(self, ref: Any, node: Any) -> tuple[Any, ...]:
        """The compared fields of a dataclass instance, as a tuple."""
        fields = [field for field in dataclasses.fields(instance_class(ref)) if field.compare]
        return tuple(self.object_attribute(ref, field.name, node) for field in fields)


def _compare_dataclasses(
    lowerer: SpecialMethods, ref: Any, name: str, args: list[Any], node: Any
) -> Any:
    (other,) = args
    if not is_object(other) or instance_class(other) is not instance_class(ref):
        return NotImplemented
    symbol = ORDER.get(name, "==")
    left, right = (lowerer.dataclass_fields(each, node) for each in (ref, other))
    return lowerer.compare_values(symbol, left, right, node)


_GENERATED: dict[str, Callable[..., Any]] = dict.fromkeys(("__eq__", *ORDER), _compare_dataclasses)


_PLAIN = (enum.Enum, int, float, complex, str, bytes, type(None))


def evaluate(symbol: str, left: Any, right: Any) -> Any:
    """An operator that ``enum`` or a number gives to members, as Python itself evaluates it."""
    if not (isinstance(left, _PLAIN) and isinstance(right, _PLAIN)):
        return NotImplemented
    try:
        return getattr(operator, DUNDERS[symbol])(left, right)
    except TypeError:
        return NotImplemented


def is_known_base(class_: type, base: type) -> bool:
    """Whether it is known what a special method does that a class has from a base with methods
    that can't be compiled: those of all objects, and of enums, tuples and exceptions. A container
    of Python's library, as a deque, has methods of its own.
    """
    return base is object or issubclass(class_, (enum.Enum, tuple, BaseException))


def is_overridden(classes: list[Any], reflected: str) -> bool:
    """Whether the right operand comes first: its class is a subclass with a method of its own."""
    left, right = classes
    if left is right or left is None or right is None or not issubclass(right, left):
        return False
    return class_lookup(right, reflected) != class_lookup(left, reflected)
