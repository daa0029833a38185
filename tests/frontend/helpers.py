"""From text to the tree of its first function."""

from __future__ import annotations

from typing import Any

from staticpy.diagnostics import Diagnostics
from staticpy.frontend.parse import parse
from staticpy.source import SourceUnit, from_text


def unit_of(text: str) -> SourceUnit:
    """The first function of ``text``; of an expression, the lambda."""
    return from_text(text, "a.py").functions[0]


def tree_of(text: str) -> Any:
    """The ``gast`` node of the first function of ``text``."""
    diagnostics = Diagnostics()
    node = parse(unit_of(text), diagnostics)
    assert not list(diagnostics)
    return node


def function(*lines: str, head: str = "def f(x):") -> str:
    """A function with these lines as its body."""
    return "\n".join([head, *(f"    {line}" for line in lines)]) + "\n"
