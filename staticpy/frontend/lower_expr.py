"""Lowering of expressions: gast node → compile-time object or Value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from staticpy import ops
from staticpy.diagnostics import catalog
from staticpy.frontend.classes import class_lookup, is_enum, is_object
from staticpy.frontend.inputs import (
    UNKNOWN_VALUE,
    RunTimeTuple,
    Variant,
    make_tuple,
    map_tree,
    tree_leaves,
)
from staticpy.frontend.kinds import is_number
from staticpy.frontend.lower_tests import Tests
from staticpy.frontend.operands import number_of
from staticpy.frontend.operators import SYMBOLS
from staticpy.frontend.parse import parameters_of
from staticpy.frontend.special_results import as_index
from staticpy.frontend.state import ABSENT
from staticpy.frontend.templates import type_name
from staticpy.frontend.values import (
    Closure,
    ListRef,
    NoVerdict,
    Poisoned,
    RangeIterable,
    Ref,
)
from staticpy.ir import INT, NONE, STR, ScalarType, UnionType, Value, dims_of, members_of

_METHODS = {
    class_: f"expr_{name}"
    for name, class_ in vars(gast).items()
    if isinstance(class_, type) and issubclass(class_, gast.expr | gast.Slice)
}
"""The method that lowers the nodes of a class."""


class Expressions(Tests):
    """Lowers every expression of the grammar but calls."""

    def expression(self, node: Any) -> Any:
        """The compile-time object or Value that ``node`` computes.

        Raises:
            DiagnosticError: the expression can't be part of a graph.
            Poisoned: it reads what an earlier error has spoiled.
            NoVerdict: it reads what nothing is known of.
        """
        class_ = node.__class__
        if class_ is gast.Constant:
            return node.value
        with self.at(node):
            value = getattr(self, _METHODS[class_])(node)
        if value is UNKNOWN_VALUE:
            raise NoVerdict(getattr(node, "id", "this value"), self.span(node))
        return value

    def expr_Name(self, node: Any) -> Any:
        return self.read_name(node.id, node)

    def expr_Tuple(self, node: Any) -> Any:
        if not any(type(element).__name__ == "Starred" for element in node.elts):
            return tuple(self.elements(node.elts))
        return self.fixed(self.expr_List(node))

    def fixed(self, items: ListRef) -> Any:
        """A fresh list as a tuple."""
        content = self.content(items)
        return content if isinstance(content, tuple) else RunTimeTuple(items)

    def elements(
        self,
        nodes: list[Any],
        fill: Callable[[list[Any], Any], list[Any]] | None = None,
        spread: Callable[[Any, Any], Any] | None = None,
    ) -> list[Any]:
        """The values of a display or an argument list, starred ones spread out. Where the number of
        a starred one's items is not known, ``spread`` says what stands for them, or ``fill`` what
        all are, given those before it and a list of the others.
        """
        items: list[Any] = []
        for position, node in enumerate(nodes):
            if type(node).__name__ != "Starred":
                items.append(self.expression(node))
                continue
            found = self.iterated(self.expression(node.value), node)
            if isinstance(found, list):
                items += found
            elif spread is not None:
                items.append(spread(found, node))
            elif fill is not None:
                return fill(items, self._and_more(found, nodes[position + 1 :]))
            else:
                self.refuse_starred(node)
        return items

    def refuse_starred(self, node: Any) -> None:
        """Report ``*items`` of a run-time number where it can't be."""
        self.error(catalog.NEEDS_COMPILE_TIME, node, what="the number of starred items")

    def _and_more(self, items: ListRef, nodes: list[Any]) -> ListRef:
        """A list, with what is written after it."""
        if not nodes:
            return items
        made = self.new_list(())
        self.call_method_of(made, "extend", [items], nodes[0])
        return self._extended(made, nodes)

    def expr_List(self, node: Any) -> Any:
        if not any(type(element).__name__ == "Starred" for element in node.elts):
            return self.new_list(self.expression(element) for element in node.elts)
        return self._extended(self.new_list(()), node.elts)

    def _extended(self, made: ListRef, elements: list[Any]) -> ListRef:
        """A list with the elements of a display behind its items."""
        for element in elements:
            is_starred = type(element).__name__ == "Starred"
            item = self.expression(element.value if is_starred else element)
            name = "extend" if is_starred else "append"
            self.call_method_of(made, name, [item], element)
        return made

    def call_method_of(self, receiver: Any, name: str, args: list[Any], node: Any) -> Any:
        """``receiver.name(*args)`` for a container."""
        return self.call_method(self.container_attribute(receiver, name, node), args, {}, node)

    def expr_Set(self, node: Any) -> Any:
        items = self.static(tuple(self.elements(node.elts)), node, "an item of a set")
        return self.new_set(self.hashable(item, node) for item in items)

    def expr_Dict(self, node: Any) -> Any:
        made = self.new_dict({})
        for key_node, value_node in zip(node.keys, node.values, strict=True):
            if key_node is None:
                mapping = self.expression(value_node)
                class_ = None if is_object(mapping) else self.class_of(mapping)
                if class_ is not None and not hasattr(class_, "keys"):  # which 'update' would take
                    self.fails("TypeError", f"'{type_name(mapping)}' object is not a mapping", node)
                self.call_method_of(made, "update", [mapping], node)
                continue
            key = self.expression(key_node)
            self.set_dict_item(made, key, self.expression(value_node), key_node)
        return made

    def expr_NamedExpr(self, node: Any) -> Any:
        value = self.expression(node.value)
        self.assign_name(node.target.id, value, self.span(node.target))
        return value

    def expr_Slice(self, node: Any) -> Any:
        parts = (node.lower, node.upper, node.step)
        return slice(*(part and self.expression(part) for part in parts))

    def expr_Lambda(self, node: Any) -> Any:
        return self.closure(node)

    def closure(self, node: Any) -> Closure:
        """A nested function, its defaults evaluated now."""
        defaults = {
            parameter.name: self.expression(parameter.default)
            for parameter in parameters_of(node)
            if parameter.default is not None
        }
        return Closure(node, self.frame, defaults)

    # --- names ------------------------------------------------------------------------------------

    def read_name(self, name: str, node: Any) -> Any:
        """A local variable, one of an enclosing function, or what the scope says."""
        frame = self.frame
        while True:
            if name in frame.prepared.assigned:
                return self.read_in(frame, name, node)
            if frame.parent is None:
                return self.read_global(name, node)
            frame = frame.parent

    def read_in(self, frame: Any, name: str, node: Any) -> Any:
        """The variable of ``frame``, which is this one or encloses it, as it is bound now."""
        if frame is self.frame:
            return self.read_local(name, node)
        with self.in_frame(frame):
            return self.read_local(name, node, is_free=True)

    def read_global(self, name: str, node: Any) -> Any:
        scope = self.frame.scope
        try:
            value = scope.lookup(name)
        except KeyError:
            if self._is_reported(node):
                raise Poisoned from None
            return self.error(catalog.UNDEFINED_NAME, node, name=name)
        hidden = scope.hidden_by(name)
        if hidden is not None:
            self.compilation.inputs.guard(hidden, "lacks", None)
        return self.outside(scope.path(name), value, name)

    def _is_reported(self, node: Any) -> bool:
        """Whether the stage before has said that this name is undefined."""
        place = self.frame.prepared.unit.span(node)
        return self.compilation.diagnostics.has(catalog.UNDEFINED_NAME, place)

    def iterated(self, value: Any, node: Any) -> Any:
        raise AssertionError("defined by Iteration")

    # --- operators --------------------------------------------------------------------------------

    def expr_BinOp(self, node: Any) -> Any:
        left, right = self.expression(node.left), self.expression(node.right)
        return self.binary(SYMBOLS[type(node.op).__name__], left, right, node)

    def expr_UnaryOp(self, node: Any) -> Any:
        if type(node.op).__name__ == "Not":
            return self.negate(self.condition(node.operand))
        operand = self.expression(node.operand)
        return self.unary(SYMBOLS[type(node.op).__name__], operand, node)

    def negate(self, condition: Any) -> Any:
        if not isinstance(condition, Value):
            return not condition
        made = ops.emit(ops.not_, condition)
        for truth in (False, True):
            self.compilation.implied[made, truth] = ((condition, not truth),)
        return made

    def expr_IfExp(self, node: Any) -> Any:
        condition = self.condition(node.test)
        if not isinstance(condition, Value):
            return self.expression(node.body if condition else node.orelse)
        return self.choose(
            condition,
            lambda: self.expression(node.body),
            lambda: self.expression(node.orelse),
            "this conditional expression",
        )

    def expr_BoolOp(self, node: Any) -> Any:
        """``and`` and ``or`` give one of their operands, evaluated up to the one that decides."""
        is_and = type(node.op).__name__ == "And"

        def rest(position: int) -> Any:
            value = self.expression(node.values[position])
            if position == len(node.values) - 1:
                return value
            condition = self.truth(value, node.values[position])
            if not isinstance(condition, Value):
                return rest(position + 1) if condition == is_and else value
            decided, more = (lambda: value), (lambda: rest(position + 1))
            then, orelse = (more, decided) if is_and else (decided, more)
            return self.choose(condition, then, orelse, "this and/or")

        return rest(0)

    # --- comparison -------------------------------------------------------------------------------

    def expr_Compare(self, node: Any) -> Any:
        return self.comparison(node, in_condition=False)

    def comparison(self, node: Any, *, in_condition: bool) -> Any:
        """A chain evaluates each operand once, and stops at the first link that is false."""
        operands = node.comparators

        def link(position: int, left: Any) -> Any:
            right = self.expression(operands[position])
            result = self.compare(type(node.ops[position]).__name__, left, right, node)
            if position == len(operands) - 1:
                return self.truth(result, node) if in_condition else result
            condition = self.truth(result, node)
            if not isinstance(condition, Value):
                return link(position + 1, right) if condition else result
            decided = (lambda: False) if in_condition else (lambda: result)
            return self.choose(
                condition, lambda: link(position + 1, right), decided, "this comparison"
            )

        return link(0, self.expression(node.left))

    def compare(self, name: str, left: Any, right: Any, node: Any) -> Any:
        if name in ("Is", "IsNot"):
            same = self.identical(left, right, node)
            return same if name == "Is" else self.negate(same)
        if name in ("In", "NotIn"):
            found = self.contains(right, left, node)
            return found if name == "In" else self.negate(found)
        return self.compare_values(SYMBOLS[name], left, right, node)

    # --- truth ------------------------------------------------------------------------------------

    def condition(self, node: Any) -> Any:
        """Whether ``node`` is true: a bool, or a Value of type bool.

        Only the truth of the operands of and/or/not matters here, so they need not be of one type.
        """
        kind = type(node).__name__
        with self.at(node):
            if kind == "BoolOp":
                return self.condition_chain(node, 0)
            if kind == "UnaryOp" and type(node.op).__name__ == "Not":
                return self.negate(self.condition(node.operand))
            if kind == "Compare":
                return self.comparison(node, in_condition=True)
        return self.truth(self.expression(node), node)

    def condition_chain(self, node: Any, position: int) -> Any:
        is_and = type(node.op).__name__ == "And"
        condition = self.condition(node.values[position])
        if position == len(node.values) - 1:
            return condition
        if not isinstance(condition, Value):
            if condition != is_and:
                return condition
            return self.condition_chain(node, position + 1)
        last: list[Any] = []

        def more() -> Any:
            last.append(self.condition_chain(node, position + 1))
            return last[-1]

        decided = lambda: not is_and  # noqa: E731
        sides = (more, decided) if is_and else (decided, more)
        made = self.choose(condition, sides[0], sides[1], "this condition")
        parts = [part for part in (condition, *last) if isinstance(part, Value)]
        if isinstance(made, Value) and made not in parts:
            self.compilation.implied[made, is_and] = tuple((part, is_and) for part in parts)
        return made

    # --- subscripts -------------------------------------------------------------------------------

    def expr_Subscript(self, node: Any) -> Any:
        base, index = self.expression(node.value), self.expression(node.slice)
        if is_enum(base):
            return self.enum_item(base, index, node)
        if isinstance(base, type):
            return self._item_of_class(base, index, node)
        return self.get_item(base, index, node)

    def _item_of_class(self, class_: Any, index: Any, node: Any) -> Any:
        """``list[int]``, or what a class of the user's makes of its index."""
        raw, owner = class_lookup(class_, "__class_getitem__")
        if raw is ABSENT and class_ is not type and not hasattr(type(class_), "__getitem__"):
            self.fails("TypeError", f"type '{class_.__name__}' is not subscriptable", node)
        if isinstance(raw, classmethod) and owner.__module__ != "typing":
            method = self.attribute(class_, "__class_getitem__", node)
            return self.call_function(method, [index], {}, node)
        if any(isinstance(leaf, Value | Ref) for leaf in tree_leaves(index)):
            what, index = f"type '{class_.__name__}'", "a value of the running program"
            self.error(catalog.UNSUPPORTED_SUBSCRIPT, node, type=what, index=index)
        try:
            return class_[index]
        except TypeError as error:
            return self.fails("TypeError", str(error), node)

    def array_item(self, base: Value, index: Any, node: Any) -> Any:
        """``base[index]`` of a run-time value."""
        key = self._array_key(index, node)
        for leaf in tree_leaves((base, key)):
            if isinstance(leaf, Value) and isinstance(leaf.type, UnionType):
                return self._dispatch_index(leaf, base, key, node)
        return ops.getitem(base, key)

    def _array_key(self, index: Any, node: Any) -> Any:
        """An index as the ops take it: real lists, and numbers for what has ``__index__``."""

        def number(leaf: Any) -> Any:
            return as_index(self, leaf, node) if is_object(leaf) else number_of(leaf)

        return map_tree(number, self.array_index(self._index_parts(index, node)))

    def _index_parts(self, index: Any, node: Any) -> Any:
        """An index with the array that a range is to NumPy, and the number that a member of an
        IntEnum is, whichever it is.
        """
        if isinstance(index, RangeIterable) and index.stop is not None:
            return ops.FUNCTIONS[np.arange](index.start, index.stop, index.step)
        if isinstance(index, Variant) and all(isinstance(x, int) for x in index.options):
            return self.index_value(index, node, "array")
        if isinstance(index, tuple):
            return make_tuple(index, [self._index_parts(part, node) for part in index])
        if isinstance(index, slice):
            parts = (index.start, index.stop, index.step)
            return slice(*(self._index_parts(part, node) for part in parts))
        return index

    def _dispatch_index(self, leaf: Value, base: Value, index: Any, node: Any) -> Any:
        def run(narrowed: Any) -> Any:
            if base is leaf:
                self._require_items(narrowed, index, node)
                return self.get_item(narrowed, index, node)
            return self.get_item(base, substitute(index, leaf, narrowed), node)

        return self.dispatch(leaf, run, node)

    def _require_items(self, member: Any, index: Any, node: Any) -> None:
        """Raise for a number that is a member of a union: the program may well know that there is
        an array.
        """
        type_ = member.type if isinstance(member, Value) else None
        if is_number(type_) and not isinstance(type_, ScalarType):
            self.fails("TypeError", f"'{type_name(member)}' object is not subscriptable", node)
        keys = index if isinstance(index, tuple) else (index,)
        if isinstance(type_, ScalarType) and any(map(_selects, keys)):
            self.fails("IndexError", "invalid index to scalar variable.", node)

    def store(self, base: Value, index: Any, value: Any, node: Any) -> None:
        """``base[index] = value`` of an array."""
        key = self._array_key(index, node)
        if isinstance(value, range | RangeIterable):
            found = self.iterated(value, node)
            value = tuple(found) if isinstance(found, list) else found
        item = map_tree(number_of, self.plain(value))
        for leaf in tree_leaves((base, key)):
            if isinstance(leaf, Value) and isinstance(leaf.type, UnionType):

                def run(narrowed: Any, leaf: Value = leaf) -> None:
                    target = narrowed if base is leaf else base
                    type_ = getattr(target, "type", None)
                    if is_number(type_) or type_ == STR:
                        message = f"'{type_name(target)}' object does not support item assignment"
                        self.fails("TypeError", message, node)
                    self.set_item(target, substitute(key, leaf, narrowed), value, node)

                self.dispatch(leaf, run, node)
                return
        if _is_of_kinds(item):  # of which each has a derivative of its own
            self.dispatch(item, lambda each: ops.setitem(base, key, each), node)
            return
        ops.setitem(base, key, item)


def _is_of_kinds(item: Any) -> bool:
    """Whether it is known at run time only how many axes an item has, or whether it is None."""
    type_ = item.type if isinstance(item, Value) else None
    members = members_of(type_) if isinstance(type_, UnionType) else ()
    return NONE in members or len({len(dims_of(member)) for member in members}) > 1


def _selects(key: Any) -> bool:
    """Whether a part of an index is an int or a slice, for which a scalar has no axis."""
    is_int = type(key) is int or (isinstance(key, Value) and key.type == INT)
    return is_int or isinstance(key, slice)


def substitute(tree: Any, leaf: Value, other: Any) -> Any:
    """``tree`` with ``other`` in place of a Value."""
    if isinstance(tree, tuple):
        return make_tuple(tree, [substitute(item, leaf, other) for item in tree])
    if type(tree) is list:
        return [substitute(item, leaf, other) for item in tree]
    if isinstance(tree, slice):
        parts = (tree.start, tree.stop, tree.step)
        return slice(*(substitute(part, leaf, other) for part in parts))
    return other if tree is leaf else tree
