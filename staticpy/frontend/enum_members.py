"""Members of an Enum by value or by name: ``Color(2)`` and ``Color["RED"]``.

Where the value is known at run time only it is compared with those of the members, one after the
other; the result is one of them, by a number of the running program (Variant).
"""

from __future__ import annotations

import enum
from typing import Any

from staticpy.diagnostics import catalog
from staticpy.frontend.classes import class_lookup, own_function
from staticpy.frontend.construction import Construction
from staticpy.frontend.inputs import Variant, tree_leaves
from staticpy.frontend.kinds import is_run_time
from staticpy.frontend.values import BoundFunction
from staticpy.frontend.variants import LONGEST_VARIANT, is_option
from staticpy.ir import STR, PythonType, ScalarType, UnionType, Value


class EnumMembers(Construction):
    """Finds members."""

    def enum_member(self, class_: Any, args: list[Any], node: Any) -> Any:
        """``class_(value)``."""
        if len(args) != 1 or class_lookup(type(class_), "__call__")[1] is not enum.EnumMeta:
            self.error(catalog.UNSUPPORTED_CLASS, node, name=class_.__name__)
        value = args[0]
        if isinstance(value, Variant):
            return self.dispatch(value, lambda each: self.enum_member(class_, [each], node), node)
        if isinstance(value, class_):
            return value
        missing_method = class_lookup(class_, "_missing_")[0]
        is_own = own_function(getattr(missing_method, "__func__", None)) is not None
        if not is_run_time(value):
            return self._known_member(class_, value, is_own, node)
        if isinstance(value, Value) and isinstance(value.type, UnionType):
            return self.dispatch(value, lambda each: self.enum_member(class_, [each], node), node)
        if issubclass(class_, enum.Flag) or not is_hashed_as_equal(value):
            self.error(catalog.NEEDS_COMPILE_TIME, node, what=f"the value of {class_.__name__}")
        pairs = list(class_._value2member_map_.items())
        missing = lambda: self._missing(class_, value, is_own, node)  # noqa: E731
        return self._member_among(pairs, value, missing, node)

    def enum_item(self, class_: Any, name: Any, node: Any) -> Any:
        """``class_["name"]``."""
        if isinstance(name, Value) and name.type == STR:
            pairs = list(class_.__members__.items())
            return self._member_among(pairs, name, lambda: self._no_name(name, node), node)
        self.static((name,), node, "the name of a member")
        if self.hashable(name, node) not in class_.__members__:
            self.fails("KeyError", name, node)
        return class_[name]

    def hashable(self, key: Any, node: Any) -> Any:
        raise AssertionError("defined by Containers")

    def _no_name(self, name: Any, node: Any) -> Any:
        with self.at(node):
            self.emit_raise("KeyError", (), self.to_object(name))
        return self.end_path()

    def _known_member(self, class_: Any, value: Any, is_own: bool, node: Any) -> Any:
        try:
            found = class_._value2member_map_.get(value)
        except TypeError:  # what has no hash
            found = None
        if found is not None:
            return found
        if is_own:
            return self._missing(class_, value, is_own, node)
        try:
            return class_(value)
        except ValueError as error:
            return self.fails("ValueError", str(error), node)

    def _missing(self, class_: Any, value: Any, is_own: bool, node: Any) -> Any:
        """What is done with a value that no member has."""
        if is_own:
            method = BoundFunction(self.user_function(class_._missing_.__func__), class_)
            found = self.call_function(method, [value], {}, node)
            if not isinstance(found, Variant):
                return self._settled(class_, value, found, node)
            return self.dispatch(found, lambda each: self._settled(class_, value, each, node), node)
        return self._unknown(class_, value, node)

    def _settled(self, class_: Any, value: Any, found: Any, node: Any) -> Any:
        """What ``_missing_`` has returned, which is a member or None."""
        if found is None:
            return self._unknown(class_, value, node)
        if not isinstance(found, class_):
            self.error(catalog.NEEDS_COMPILE_TIME, node, what="what _missing_() returns")
        return found

    def _unknown(self, class_: Any, value: Any, node: Any) -> Any:
        shown = self.text_of(value, "repr", node)
        message = self.binary("+", shown, f" is not a valid {class_.__qualname__}", node)
        return self.fails("ValueError", message, node)

    def _member_among(
        self, pairs: list[tuple[Any, Any]], value: Any, missing: Any, node: Any
    ) -> Any:
        """The member whose key is equal to ``value``, tried in order."""
        members = tuple(dict.fromkeys(member for _, member in pairs))
        if len(members) > LONGEST_VARIANT or not all(is_option(each) for each in members):
            self.error(catalog.NEEDS_COMPILE_TIME, node, what="the value of an Enum of this length")

        def level(position: int) -> Any:
            if position == len(pairs):
                return missing()
            key, member = pairs[position]
            same = self.equal(value, key, node)
            same = False if same is NotImplemented else self.truth(same, node)
            if not isinstance(same, Value):
                return member if same else level(position + 1)
            rest = lambda: level(position + 1)  # noqa: E731
            return self.choose(same, lambda: member, rest, "the member")

        with self.at(node):
            return level(0)

    def equal(self, left: Any, right: Any, node: Any) -> Any:
        raise AssertionError("defined by ContainerOperators")

    def truth(self, value: Any, node: Any) -> Any:
        raise AssertionError("defined by Tests")

    def binary(self, symbol: str, left: Any, right: Any, node: Any) -> Any:
        raise AssertionError("defined by Expressions")

    def text_of(self, value: Any, conversion: str, node: Any) -> Any:
        raise AssertionError("defined by Format")

    def static(self, tree: Any, node: Any, what: str) -> None:
        raise AssertionError("defined by Containers")

    def emit_raise(self, exception: str, args: tuple[Any, ...], *operands: Value) -> None:
        raise AssertionError("defined by Branches")

    def end_path(self) -> Any:
        raise AssertionError("defined by Branches")


def is_hashed_as_equal(value: Any) -> bool:
    """Whether a value is found in a dict exactly where it is equal to the key: not where NumPy
    converts it to compare it.
    """
    return all(_is_plain(leaf) for leaf in tree_leaves(value))


def _is_plain(leaf: Any) -> bool:
    if not isinstance(leaf, Value):
        return isinstance(leaf, int | float | complex | str | bytes | None)
    if isinstance(leaf.type, ScalarType):
        return leaf.type.dtype.kind in "biu" or leaf.type.dtype.name in ("float64", "complex128")
    return isinstance(leaf.type, PythonType)
