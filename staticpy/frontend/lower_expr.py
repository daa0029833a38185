"""Lowering of expressions: gast node → compile-time object or Value."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from staticpy import ops
from staticpy.diagnostics import catalog
from staticpy.frontend.attributes import Attributes
from staticpy.frontend.inputs import UNKNOWN_VALUE, Instance, tree_leaves
from staticpy.frontend.parse import parameters_of
from staticpy.frontend.values import (
    ArrayMethod,
    Closure,
    NoVerdict,
    RangeIterable,
    UserFunction,
    is_liftable,
    leaf_type,
)
from staticpy.ir import BOOL, INT, UnionType, Value

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
    "+": operator.add,
    "*": operator.mul,
    "%": operator.mod,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_STATIC_OPERANDS = (tuple, list, dict, str, bytes)
_LONGEST_STATIC = 100_000


class Expressions(Attributes):
    """Lowers every expression of the grammar but calls."""

    def expression(self, node: Any) -> Any:
        """The compile-time object or Value that ``node`` computes.

        Raises:
            DiagnosticError: the expression can't be part of a graph.
            Poisoned: it reads what an earlier error has spoiled.
            NoVerdict: it reads what nothing is known of.
        """
        with self.at(node):
            value = getattr(self, f"expr_{type(node).__name__}")(node)
        if value is UNKNOWN_VALUE:
            raise NoVerdict(getattr(node, "id", "this value"), self.span(node))
        return value

    def expr_Constant(self, node: Any) -> Any:
        return node.value

    def expr_Name(self, node: Any) -> Any:
        return self.read_name(node.id, node)

    def expr_Tuple(self, node: Any) -> Any:
        return tuple(self.expression(element) for element in node.elts)

    def expr_List(self, node: Any) -> Any:
        return [self.expression(element) for element in node.elts]

    def expr_Dict(self, node: Any) -> Any:
        result = {}
        for key_node, value_node in zip(node.keys, node.values, strict=True):
            key = self.expression(key_node)
            if isinstance(key, Value):
                self.error(catalog.NEEDS_COMPILE_TIME, key_node, what="the key of a dict")
            result[self.hashable(key, key_node)] = self.expression(value_node)
        return result

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
        saved, self.frame = self.frame, frame
        try:
            return self.read_local(name, node, is_free=frame is not saved)
        finally:
            self.frame = saved

    def read_global(self, name: str, node: Any) -> Any:
        scope = self.frame.scope
        try:
            value = scope.lookup(name)
        except KeyError:
            return self.error(catalog.UNDEFINED_NAME, node, name=name)
        hidden = scope.hidden_by(name)
        if hidden is not None:
            self.compilation.inputs.guard(hidden, "lacks", None)
        return self.outside(scope.path(name), value, name)

    # --- operators --------------------------------------------------------------------------------

    def expr_BinOp(self, node: Any) -> Any:
        left, right = self.expression(node.left), self.expression(node.right)
        return self.binary(SYMBOLS[type(node.op).__name__], left, right, node)

    def binary(self, symbol: str, left: Any, right: Any, node: Any) -> Any:
        """``left symbol right`` on numbers and arrays, or on compile-time sequences."""
        if is_liftable(left) and is_liftable(right):
            return ops.binary(symbol, left, right)
        return self.static_binary(symbol, left, right, node)

    def static_binary(self, symbol: str, left: Any, right: Any, node: Any) -> Any:
        compute = _STATIC_BINARY.get(symbol)
        operands = (left, right)
        is_known = all(isinstance(item, (*_STATIC_OPERANDS, int)) for item in operands)
        if compute is None or not is_known:
            self.refuse_operands(symbol, left, right, node)
        sizes = [len(item) if isinstance(item, _STATIC_OPERANDS) else item for item in operands]
        if symbol == "*" and sizes[0] * sizes[1] > _LONGEST_STATIC:
            self.refuse_operands(symbol, left, right, node)
        try:
            return compute(left, right)  # type: ignore[misc]
        except TypeError:
            return self.refuse_operands(symbol, left, right, node)

    def refuse_operands(self, symbol: str, left: Any, right: Any, node: Any) -> Any:
        types = " and ".join(map(kind_of, (left, right)))
        return self.error(catalog.UNSUPPORTED_OPERANDS, node, symbol=symbol, types=types)

    def refuse_unions(self, symbol: str, tree: Any, node: Any) -> None:
        """Refuse a scalar whose box depends on the path, where not Python's operator reads it."""
        for leaf in tree_leaves(tree):
            if isinstance(leaf, Value) and isinstance(leaf.type, UnionType):
                self.error(catalog.UNSUPPORTED_OPERANDS, node, symbol=symbol, types=str(leaf.type))

    def expr_UnaryOp(self, node: Any) -> Any:
        if type(node.op).__name__ == "Not":
            return self.negate(self.condition(node.operand))
        operand = self.expression(node.operand)
        symbol = SYMBOLS[type(node.op).__name__]
        if not is_liftable(operand):
            self.refuse_operands(symbol, operand, operand, node)
        return ops.unary(symbol, operand)

    def negate(self, condition: Any) -> Any:
        if isinstance(condition, Value):
            return self.choose(condition, lambda: False, lambda: True, "not")
        return not condition

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
            return same if name == "Is" else not same
        if name in ("In", "NotIn"):
            found = self.contains(right, left, node)
            return found if name == "In" else self.negate(found)
        if is_liftable(left) and is_liftable(right):
            return ops.compare(SYMBOLS[name], left, right)
        return self.static_compare(SYMBOLS[name], left, right, node)

    def static_compare(self, symbol: str, left: Any, right: Any, node: Any) -> Any:
        """Comparison of compile-time objects: sequences without Values, and None."""
        has_values = any(isinstance(leaf, Value) for leaf in tree_leaves((left, right)))
        if isinstance(left, Instance) or isinstance(right, Instance):
            self.refuse_operands(symbol, left, right, node)
        if symbol in ("==", "!="):
            same = self.equal(left, right, node) if has_values else left == right
            return same if symbol == "==" else self.negate(same)
        if has_values:
            self.refuse_operands(symbol, left, right, node)
        return self.static_binary(symbol, left, right, node)

    def equal(self, left: Any, right: Any, node: Any) -> Any:
        """``==`` of sequences of ints, such as shapes; a float may equal itself and yet not be
        equal.
        """
        if is_liftable(left) and is_liftable(right):
            if {leaf_type(left), leaf_type(right)} <= {INT, BOOL}:
                return ops.compare("==", left, right)
            self.refuse_operands("==", left, right, node)
        if type(left) is not type(right) or not isinstance(left, tuple | list):
            self.refuse_operands("==", left, right, node)
        if len(left) != len(right):
            return False
        same: Any = True
        for a, b in zip(left, right, strict=True):
            same = ops.binary("&", same, self.equal(a, b, node))
        return same

    def identical(self, left: Any, right: Any, node: Any) -> bool:
        """``is``, where Python's answer does not depend on how it stores its objects."""
        singles = (None, Ellipsis, NotImplemented)
        if any(side is single for side in (left, right) for single in singles):
            return left is right
        if isinstance(left, bool) and isinstance(right, bool):
            return left is right
        if callable(left) and callable(right) and not isinstance(left, Value):
            return left is right
        return bool(self.refuse_operands("is", left, right, node))

    def contains(self, container: Any, element: Any, node: Any) -> Any:
        """``element in container`` for a compile-time container."""
        if isinstance(container, RangeIterable | Value):
            self.refuse_operands("in", element, container, node)
        leaves = tree_leaves((element, container))
        if not any(isinstance(leaf, Value) for leaf in leaves):
            try:
                return element in container
            except TypeError:
                return self.refuse_operands("in", element, container, node)
        if isinstance(container, dict) and not isinstance(element, Value):
            return self.hashable(element, node) in container
        exact = (INT, BOOL)
        items = list(container)
        if not all(is_liftable(x) and leaf_type(x) in exact for x in (element, *items)):
            self.refuse_operands("in", element, container, node)
        found: Any = False
        for item in items:
            here = ops.compare("==", element, item)
            found = ops.binary("|", found, here)
        return found

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
        more = lambda: self.condition_chain(node, position + 1)  # noqa: E731
        if is_and:
            return self.choose(condition, more, lambda: False, "this condition")
        return self.choose(condition, lambda: True, more, "this condition")

    def truth(self, value: Any, node: Any) -> Any:
        """The truth of a value, with the error NumPy gives for an array of several elements."""
        if isinstance(value, Value):
            with self.at(node):
                return ops.truth(value)
        if isinstance(value, Instance):
            kind = type(value.object)
            if hasattr(kind, "__bool__") or hasattr(kind, "__len__"):
                self.error(catalog.UNSUPPORTED_OPERANDS, node, symbol="bool", types=kind_of(value))
            return True
        if isinstance(value, UserFunction | Closure | ArrayMethod):
            return True
        return bool(value)

    # --- subscripts -------------------------------------------------------------------------------

    def expr_Subscript(self, node: Any) -> Any:
        base, index = self.expression(node.value), self.expression(node.slice)
        self.refuse_unions("[]", (base if isinstance(base, Value) else None, index), node)
        if isinstance(base, Value):
            return ops.getitem(base, index)
        if isinstance(base, tuple | list | str | bytes | range):
            return self.sequence_item(base, index, node)
        if isinstance(base, dict):
            return self.dict_item(base, index, node)
        return self.error(catalog.UNSUPPORTED_SUBSCRIPT, node, type=kind_of(base))

    def sequence_item(self, base: Any, index: Any, node: Any) -> Any:
        if any(isinstance(leaf, Value) for leaf in tree_leaves(index)):
            what = f"the index of a {type(base).__name__}"
            self.error(catalog.NEEDS_COMPILE_TIME, node.slice, what=what)
        try:
            return base[index]
        except IndexError:
            return self.error(catalog.INDEX_OUT_OF_RANGE, node, index=index, length=len(base))
        except (TypeError, ValueError):
            return self.error(catalog.UNSUPPORTED_SUBSCRIPT, node, type=kind_of(base))

    def dict_item(self, base: dict[Any, Any], key: Any, node: Any) -> Any:
        if isinstance(key, Value):
            self.error(catalog.NEEDS_COMPILE_TIME, node.slice, what="the key of a dict")
        key = self.hashable(key, node)
        if key not in base:
            self.error(catalog.MISSING_KEY, node, key=repr(key), keys=", ".join(map(repr, base)))
        return base[key]

    def hashable(self, key: Any, node: Any) -> Any:
        """``key``, if a dict of compile-time keys can have it."""
        if any(isinstance(leaf, Value) for leaf in tree_leaves(key)):
            self.error(catalog.NEEDS_COMPILE_TIME, node, what="the key of a dict")
        try:
            hash(key)
        except TypeError:
            self.error(catalog.UNSUPPORTED_OPERANDS, node, symbol="hash", types=kind_of(key))
        return key


def kind_of(value: Any) -> str:
    """What an operand is, in words for a message."""
    if is_liftable(value):
        return str(leaf_type(value))
    if isinstance(value, Instance):
        return type(value.object).__name__
    return "None" if value is None else type(value).__name__
