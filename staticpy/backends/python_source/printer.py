"""Text of a Python syntax tree, as a person would write it.

In: a tree of ``ast`` nodes. Out: its text, checked to parse back to the same tree. astunparse
prints it, with its defects mended here: parentheses only where the grammar needs them, indexes of
several axes, infinities, attributes of numbers.
"""

from __future__ import annotations

import ast
import io
import sys
from typing import Any

from astunparse import Unparser

from staticpy.diagnostics import DiagnosticError, catalog

_TUPLE, _CONDITIONAL, _OR, _AND, _NOT, _COMPARE, _BIT_OR, _BIT_XOR, _BIT_AND = range(9)
_SHIFT, _SUM, _TERM, _SIGN, _POWER, _ATOM = range(9, 15)

_BINARY = {
    ast.BitOr: _BIT_OR,
    ast.BitXor: _BIT_XOR,
    ast.BitAnd: _BIT_AND,
    ast.LShift: _SHIFT,
    ast.RShift: _SHIFT,
    ast.Add: _SUM,
    ast.Sub: _SUM,
    ast.Mult: _TERM,
    ast.Div: _TERM,
    ast.FloorDiv: _TERM,
    ast.Mod: _TERM,
    ast.MatMult: _TERM,
    ast.Pow: _POWER,
}
_UNARY = {ast.Not: ("not ", _NOT), ast.USub: ("-", _SIGN), ast.UAdd: ("+", _SIGN)}
_INVERT = ("~", _SIGN)


def _level(node: ast.AST) -> int:
    """How tightly an expression binds."""
    if isinstance(node, _ATOMS):
        return _ATOM
    if isinstance(node, ast.BinOp):
        return _BINARY[type(node.op)]
    if isinstance(node, ast.UnaryOp):
        return _UNARY.get(type(node.op), _INVERT)[1]
    if isinstance(node, ast.BoolOp):
        return _AND if isinstance(node.op, ast.And) else _OR
    if isinstance(node, ast.Compare):
        return _COMPARE
    if isinstance(node, ast.IfExp):
        return _CONDITIONAL
    return _TUPLE if isinstance(node, ast.Tuple) and node.elts else _ATOM


_ATOMS = (ast.Name, ast.Constant, ast.Call, ast.Subscript, ast.Attribute)
"""The most frequent nodes that bind tightest."""


_MOST_INDENTATIONS = 100
"""Python reads no more. To print them all would take space like the square of their number."""


class TooDeepError(Exception):
    """Statements that are nested too deep for Python."""


class Printer(Unparser):  # type: ignore[misc]
    """Prints the nodes that this backend makes."""

    def __init__(self, tree: ast.AST, file: io.StringIO) -> None:
        self.write = file.write
        super().__init__(tree, file)

    def enter(self) -> None:
        """Begin a block."""
        super().enter()
        if self._indent >= _MOST_INDENTATIONS:
            raise TooDeepError

    def _at(self, level: int, node: ast.AST) -> None:
        """Print an expression where only what binds at least as tightly as ``level`` may stand."""
        if _level(node) >= level:
            self.dispatch(node)
            return
        self.write("(")
        self.dispatch(node)
        self.write(")")

    def _list(self, nodes: list[Any], level: int = _CONDITIONAL) -> None:
        for position, node in enumerate(nodes):
            if position:
                self.write(", ")
            self._at(level, node)

    def _Constant(self, node: ast.Constant) -> None:
        value = node.value
        text = repr(value)
        if value is ...:
            text = "..."
        elif isinstance(value, str) and not text.isascii():
            try:
                text.encode()
            except UnicodeEncodeError:
                text = ascii(value)
        elif isinstance(value, float | complex):
            text = text.replace("inf", "1e999")
        self.write(text)

    def _BinOp(self, node: ast.BinOp) -> None:
        level = _BINARY[type(node.op)]
        is_power = isinstance(node.op, ast.Pow)
        self._at(_ATOM if is_power else level, node.left)
        self.write(f" {self.binop[type(node.op).__name__]} ")
        self._at(_SIGN if is_power else level + 1, node.right)

    def _UnaryOp(self, node: ast.UnaryOp) -> None:
        symbol, level = _UNARY.get(type(node.op), _INVERT)
        self.write(symbol)
        self._at(level, node.operand)

    def _BoolOp(self, node: ast.BoolOp) -> None:
        for position, value in enumerate(node.values):
            if position:
                self.write(" and " if isinstance(node.op, ast.And) else " or ")
            self._at(_level(node) + 1, value)

    def _Compare(self, node: ast.Compare) -> None:
        self._at(_BIT_OR, node.left)
        for op, operand in zip(node.ops, node.comparators, strict=True):
            self.write(f" {self.cmpops[type(op).__name__]} ")
            self._at(_BIT_OR, operand)

    def _IfExp(self, node: ast.IfExp) -> None:
        self._at(_OR, node.body)
        self.write(" if ")
        self._at(_OR, node.test)
        self.write(" else ")
        self._at(_CONDITIONAL, node.orelse)

    def _Tuple(self, node: ast.Tuple) -> None:
        if not node.elts:
            self.write("()")
            return
        self._list(node.elts)
        if len(node.elts) == 1:
            self.write(",")

    def _List(self, node: ast.List) -> None:
        self.write("[")
        self._list(node.elts)
        self.write("]")

    def _Set(self, node: ast.Set) -> None:
        self.write("{")
        self._list(node.elts)
        self.write("}")

    def _Dict(self, node: ast.Dict) -> None:
        self.write("{")
        for position, (key, value) in enumerate(zip(node.keys, node.values, strict=True)):
            if position:
                self.write(", ")
            assert key is not None
            self._at(_CONDITIONAL, key)
            self.write(": ")
            self._at(_CONDITIONAL, value)
        self.write("}")

    def _JoinedStr(self, node: ast.JoinedStr) -> None:
        self.write('f"')
        self._parts(node.values)
        self.write('"')

    def _parts(self, values: list[Any]) -> None:
        for value in values:
            if isinstance(value, ast.Constant):
                self.write(_literal_text(str(value.value)))
            else:
                self._field(value)

    def _field(self, node: ast.FormattedValue) -> None:
        # Two braces would be a text, and not the begin of a set in a field.
        self.write("{ " if isinstance(node.value, ast.Set | ast.Dict) else "{")
        self._at(_CONDITIONAL, node.value)
        if node.conversion != -1:
            self.write(f"!{chr(node.conversion)}")
        if isinstance(node.format_spec, ast.JoinedStr):
            self.write(":")
            self._parts(node.format_spec.values)
        self.write("}")

    def _Attribute(self, node: ast.Attribute) -> None:
        is_number = isinstance(node.value, ast.Constant) and not isinstance(node.value.value, str)
        if is_number:
            self.write("(")
        self._at(_ATOM, node.value)
        self.write(f"{')' if is_number else ''}.{node.attr}")

    def _Subscript(self, node: ast.Subscript) -> None:
        self._at(_ATOM, node.value)
        self.write("[")
        self.dispatch(node.slice)
        self.write("]")

    def _Slice(self, node: ast.Slice) -> None:
        if node.lower:
            self._at(_CONDITIONAL, node.lower)
        self.write(":")
        if node.upper:
            self._at(_CONDITIONAL, node.upper)
        if node.step:
            self.write(":")
            self._at(_CONDITIONAL, node.step)

    def _Call(self, node: ast.Call) -> None:
        self._at(_ATOM, node.func)
        self.write("(")
        self._list([*node.args, *node.keywords])
        self.write(")")

    def _ExceptHandler(self, node: ast.ExceptHandler) -> None:
        self.fill("except")
        if node.type:
            self.write(" ")
            self._at(_CONDITIONAL, node.type)
        if node.name:
            self.write(f" as {node.name}")
        self.enter()
        self.dispatch(node.body)
        self.leave()

    def _keyword(self, node: ast.keyword) -> None:
        self.write(f"{node.arg}=")
        self._at(_CONDITIONAL, node.value)


_WITHOUT_FIELDS = frozenset(
    kind
    for base in (ast.expr_context, ast.operator, ast.unaryop, ast.cmpop, ast.boolop)
    for kind in base.__subclasses__()
)
"""The nodes that are alike where their classes are."""


def same_tree(left: ast.AST, right: ast.AST) -> bool:
    """Whether ``ast.dump`` of both is the same; however deep they are."""
    pending: list[tuple[Any, Any]] = [(left, right)]
    while pending:
        one, two = pending.pop()
        kind = type(one)
        if kind is not type(two):
            return False
        if kind is ast.Name:  # the most frequent node
            if one.id != two.id or type(one.ctx) is not type(two.ctx):
                return False
        elif isinstance(one, ast.AST):
            for name in one._fields:
                inner, other = getattr(one, name, None), getattr(two, name, None)
                if inner is not other and not (type(inner) is type(other) in _WITHOUT_FIELDS):
                    pending.append((inner, other))
        elif kind is list:
            if len(one) != len(two):
                return False
            pending += zip(one, two, strict=True)
        elif repr(one) != repr(two):
            return False
    return True


def _drop_empty_texts(tree: ast.Module) -> None:
    """Drop the empty text that the parser of Python 3.12 adds after a field in a format spec."""
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = [v for v in node.values if not (isinstance(v, ast.Constant) and v.value == "")]
            node.values = parts


def _literal_text(text: str) -> str:
    """A text as it stands in an f-string between double quotes."""
    # With one quote in it, repr encloses a text in the other ones.
    parts = [repr(f"'{part}")[2:-1] for part in text.split('"')]
    return '\\"'.join(parts).replace("{", "{{").replace("}", "}}")


def print_tree(tree: ast.Module) -> tuple[str, ast.Module]:
    """The text of ``tree``, and the tree that Python reads from that text.

    Raises:
        DiagnosticError: INTERNAL_ERROR, if that is another tree.
        TooDeepError: Python can't read what is nested so deep.
    """
    buffer = io.StringIO()
    Printer(tree, buffer)
    text = buffer.getvalue().strip("\n") + "\n"
    try:
        parsed = ast.parse(text)
    except (IndentationError, MemoryError) as error:
        raise TooDeepError from error
    except SyntaxError as error:
        raise DiagnosticError(catalog.INTERNAL_ERROR, detail=f"printed source: {error}") from error
    if sys.version_info[:2] == (3, 12):
        _drop_empty_texts(parsed)
    if not same_tree(parsed, tree):
        raise DiagnosticError(catalog.INTERNAL_ERROR, detail="printed source reads otherwise")
    return text, parsed
