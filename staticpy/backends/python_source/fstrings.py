"""f-strings.

In: the parts of a ``str.format`` and the expressions of its operands. Out: the f-string; None where
not every Python that this project runs on could read it: before 3.12 a field holds no backslash and
no quote of the kind that encloses the f-string.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

_CONVERSIONS = {"": -1, "s": ord("s"), "r": ord("r"), "a": ord("a")}


def f_string(parts: tuple[Any, ...], args: list[ast.expr]) -> ast.expr | None:
    """The expression of an f-string whose fields read ``args``."""
    if not all(map(_fits_in_field, args)):
        return None
    values = _values(parts, iter(args))
    if values is None:
        return None
    if not args:
        return values[0] if values else ast.Constant("")
    return ast.JoinedStr(values)


def _fits_in_field(expression: ast.expr) -> bool:
    for node in ast.walk(expression):
        if isinstance(node, ast.JoinedStr):
            return False
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
            text = repr(node.value)
            if not text.isascii() or "\\" in text or '"' in text:
                return False
    return True


def _values(parts: tuple[Any, ...], args: Iterator[ast.expr]) -> list[ast.expr] | None:
    values: list[ast.expr] = []
    for part in parts:
        if isinstance(part, str):
            _add_text(values, part)
            continue
        conversion, spec = part
        value = next(args)
        inner = (spec,) if isinstance(spec, str) else spec
        format_spec = _values(inner, args)
        if format_spec is None or not all(map(_fits_in_spec, format_spec)):
            return None
        joined = ast.JoinedStr(format_spec) if format_spec else None
        values.append(ast.FormattedValue(value, _CONVERSIONS[conversion], joined))
    return values


def _add_text(values: list[ast.expr], text: str) -> None:
    """Add a text; the parser of Python makes one constant of what stands side by side."""
    last = values[-1] if values else None
    if isinstance(last, ast.Constant):
        assert isinstance(last.value, str)
        last.value += text
    elif text:
        values.append(ast.Constant(text))


def _fits_in_spec(node: ast.expr) -> bool:
    """Whether a part of a format spec can be written as it is."""
    if isinstance(node, ast.FormattedValue):
        return node.format_spec is None
    assert isinstance(node, ast.Constant)
    text = str(node.value)
    return text.isascii() and text.isprintable() and not set(text) & set('{}\\"')
