"""The fixes of diagnostics, where a rewriting is certain or a good guess.

In: what was found, and where. Out: a Fix of minimal edits, which keep comments and layout, or None.
A fix is safe where it only writes the name that a thing has now; what guesses at what was meant is
unsafe.
"""

from __future__ import annotations

import ast
from typing import Any

from staticpy.diagnostics import Edit, Fix
from staticpy.source import SourceSpan, SourceUnit

RENAMED = {
    "Inf": "inf",
    "Infinity": "inf",
    "NaN": "nan",
    "PINF": "inf",
    "alltrue": "all",
    "bool8": "bool_",
    "cfloat": "complex128",
    "complex_": "complex128",
    "cumproduct": "cumprod",
    "float_": "float64",
    "in1d": "isin",
    "infty": "inf",
    "product": "prod",
    "round_": "round",
    "row_stack": "vstack",
    "sometrue": "any",
    "trapz": "trapezoid",
}
"""Names that NumPy 2 has given up, and what it calls the same thing."""

_IMPORTS = {
    "np": "import numpy as np",
    **{
        name: f"import {name}"
        for name in ("functools", "itertools", "math", "numpy", "operator", "staticpy")
    },
}
"""What binds a well-known name."""


def write_name(span: SourceSpan, name: str, *, is_safe: bool = False) -> Fix:
    """Write ``name`` at ``span``."""
    return Fix(f"write '{name}'", (Edit(span, name),), is_safe)


def write_attribute(node: Any, unit: SourceUnit, name: str, *, is_safe: bool = False) -> Fix | None:
    """Write another attribute in ``base.attribute``; None where it is split in an unusual way."""
    span = unit.span(node)
    line = unit.lines[span.end_line - 1]
    col = span.end_col - len(node.attr)
    if line[col : span.end_col] != node.attr:
        return None
    place = SourceSpan(span.file, span.end_line, col, span.end_line, span.end_col)
    return write_name(place, name, is_safe=is_safe)


def import_name(name: str, unit: SourceUnit) -> Fix | None:
    """Import the module that a well-known name stands for, below the imports of the file."""
    statement = _IMPORTS.get(name)
    body = unit.source.tree.body
    if statement is None or not body:
        return None
    leading = [node for node in body if isinstance(node, ast.Import | ast.ImportFrom)]
    is_text = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
    after = leading[-1] if leading else body[0] if is_text else None
    if after is None:
        first = body[0]
        line = min([first.lineno, *(each.lineno for each in _decorators(first))])
        return _insert(unit, line, 0, f"{statement}\n", statement)
    line = after.end_lineno or after.lineno
    return _insert(unit, line, len(unit.lines[line - 1]), f"\n{statement}", statement)


def _decorators(node: ast.stmt) -> list[ast.expr]:
    return getattr(node, "decorator_list", [])


def _insert(unit: SourceUnit, line: int, col: int, text: str, statement: str) -> Fix:
    place = SourceSpan(unit.source.file, line, col, line, col)
    return Fix(f"add '{statement}'", (Edit(place, text),), is_safe=False)


def delete_item(node: Any, unit: SourceUnit) -> Fix | None:
    """``x = np.delete(x, i)`` for ``del x[i]``; None for what is more than a name and an index."""
    base, index = node.value, node.slice
    statement = _statement_of(node, unit)
    is_simple = type(base).__name__ == "Name" and type(index).__name__ in ("Constant", "Name")
    if not is_simple or statement is None:
        return None
    at = unit.span(index)
    text = unit.lines[at.line - 1][at.col : at.end_col]
    new = f"{base.id} = np.delete({base.id}, {text})"
    return Fix(f"write '{new}'", (Edit(statement, new),), is_safe=False)


def _statement_of(node: Any, unit: SourceUnit) -> SourceSpan | None:
    """The span of the ``del`` of one target, which stands on one line."""
    span = unit.span(node)
    before = unit.lines[span.line - 1][: span.col].rstrip()
    if span.line != span.end_line or not before.endswith("del"):
        return None
    start = len(before) - len("del")
    rest = unit.lines[span.end_line - 1][span.end_col :].lstrip()
    if rest.startswith(",") or before[:start].strip():
        return None
    return SourceSpan(span.file, span.line, start, span.end_line, span.end_col)


def sort_items(node: Any, unit: SourceUnit) -> Fix:
    """``sorted(items)`` for ``items``."""
    span = unit.span(node)
    begin = SourceSpan(span.file, span.line, span.col, span.line, span.col)
    end = SourceSpan(span.file, span.end_line, span.end_col, span.end_line, span.end_col)
    return Fix("sort the items", (Edit(begin, "sorted("), Edit(end, ")")), is_safe=False)
