"""The axes that an annotation of an array writes down, with all that jaxtyping has for them.

In: the node of ``staticpy.f64["*batch", "n+1"]`` or ``Float32[np.ndarray, "..."]``. Out: Axes. A
size is

    3        the number            n        equal to every other ``n`` of the signature
    _        any                   n+1      computed of sizes of the signature, by + - * //
    rows=3   the number            ...      any number of axes
    #n       1, or any             *batch   likewise, equal to every other ``*batch``

``annotations`` makes types of those whose number of axes is known. Nothing is evaluated but ints.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from staticpy.frontend.annotations import Origin, dotted_name, parse_quoted, read_annotation
from staticpy.ir import DTYPES, UNKNOWN, Dim, TensorType

Word = int | str
"""One size: a number, a name, an expression, or UNKNOWN."""

_OPERATORS: dict[type, Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
}
_LONGEST = 100
"""Characters of an expression that are read."""


@dataclass(frozen=True, slots=True)
class Axes:
    """The sizes of an array: those at the start, and where any number of axes follow, the name of
    these ("" if they have none) and the sizes at the end.
    """

    start: tuple[Word, ...]
    rest: str | None = None
    end: tuple[Word, ...] = ()

    def fits(self, rank: int) -> bool:
        """Whether an array of so many axes has these."""
        fixed = len(self.start) + len(self.end)
        return rank == fixed if self.rest is None else rank >= fixed

    def pair(self, dims: Sequence[Dim]) -> Iterator[tuple[Word, Dim, int]]:
        """Each size with that of an array, which fits, and its axis."""
        behind = len(dims) - len(self.end)
        for axis, word in enumerate(self.start):
            yield word, dims[axis], axis
        for axis, word in enumerate(self.end, start=behind):
            yield word, dims[axis], axis

    def middle(self, dims: Sequence[Dim]) -> tuple[Dim, ...]:
        """The sizes of an array that stand for ``rest``."""
        return tuple(dims[len(self.start) : len(dims) - len(self.end)])


def read_axes(node: Any, origin: Origin) -> Axes | None:
    """The axes that an annotation names; None where it says nothing of them."""
    if type(node).__name__ == "Constant":
        node = parse_quoted(node.value)
    if type(node).__name__ == "Subscript":
        package, _, name = (dotted_name(node.value, origin) or "").rpartition(".")
        inner = node.slice
        items = list(inner.elts) if type(inner).__name__ == "Tuple" else [inner]
        if package == "jaxtyping" and len(items) == 2:
            return _parse(items[1:])
        if package == "staticpy" and name in DTYPES:
            is_array = dotted_name(items[0], origin) == "numpy.ndarray" if items else False
            return _parse(items[1:] if is_array else items)
    declared = read_annotation(node, origin)
    return Axes(declared.dims) if isinstance(declared, TensorType) else None


def _parse(items: list[Any]) -> Axes | None:
    """The axes that the items in the brackets write."""
    words: list[Word] = []
    for item in items:
        value = getattr(item, "id", getattr(item, "value", None))
        if isinstance(value, str):
            words += map(_word, value.split())
        elif isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            words.append(value)
        else:
            return None
    open_at = [place for place, word in enumerate(words) if word == "..." or _is_rest(word)]
    if not open_at:
        return Axes(tuple(words))
    if len(open_at) > 1:
        return None
    place = open_at[0]
    rest = str(words[place]).lstrip("*.")
    return Axes(tuple(words[:place]), rest, tuple(words[place + 1 :]))


def _is_rest(word: Word) -> bool:
    return isinstance(word, str) and word.startswith("*")


def _word(text: str) -> Word:
    if text == "..." or (text.startswith("*") and text[1:].isidentifier()):
        return "..." if text == "*_" else text
    if text.startswith(("#*", "?*", "*")):
        return "..."
    text = text.rpartition("=")[2] if "=" in text else text
    if text.isdecimal():
        return int(text)
    is_name = text.isidentifier() and text != "_"
    return text if is_name or operands_of(text) else UNKNOWN


# --- sizes that are computed ----------------------------------------------------------------------


@lru_cache(maxsize=256)
def operands_of(text: str) -> tuple[str, ...]:
    """The names in an expression of sizes; none where it is no such expression, or has none."""
    node = _expression(text)
    names = (each.id for each in ast.walk(node) if isinstance(each, ast.Name)) if node else ()
    return tuple(dict.fromkeys(names))


def _expression(text: str) -> ast.expr | None:
    if len(text) > _LONGEST or text.isidentifier():
        return None
    try:
        node = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError):
        return None
    return node if _is_arithmetic(node) else None


def _is_arithmetic(node: ast.expr) -> bool:
    if isinstance(node, ast.BinOp):
        is_known = type(node.op) in _OPERATORS
        return is_known and _is_arithmetic(node.left) and _is_arithmetic(node.right)
    if isinstance(node, ast.Constant):
        return type(node.value) is int
    return isinstance(node, ast.Name)


def evaluate(text: str, sizes: dict[str, int]) -> int | None:
    """The number that an expression gives for these sizes; None where it gives none."""
    node = _expression(text)
    try:
        return None if node is None else _evaluate(node, sizes)
    except (ZeroDivisionError, KeyError):
        return None


def _evaluate(node: ast.expr, sizes: dict[str, int]) -> int:
    if isinstance(node, ast.BinOp):
        left, right = _evaluate(node.left, sizes), _evaluate(node.right, sizes)
        return _OPERATORS[type(node.op)](left, right)
    if isinstance(node, ast.Name):
        return sizes[node.id]
    assert isinstance(node, ast.Constant)
    assert isinstance(node.value, int)
    return node.value


def substituted(text: str, operands: dict[str, str]) -> str:
    """An expression as Python text, with other text for its names."""
    node = _expression(text)
    assert node is not None
    return _text(node, operands)


def _text(node: ast.expr, operands: dict[str, str]) -> str:
    if isinstance(node, ast.BinOp):
        sign = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//"}[type(node.op)]
        return f"({_text(node.left, operands)} {sign} {_text(node.right, operands)})"
    return operands[node.id] if isinstance(node, ast.Name) else ast.unparse(node)
