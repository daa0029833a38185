"""From the text of a function to its ``gast`` tree.

In: a SourceUnit. Out: a ``gast`` FunctionDef or Lambda without decorators, which the next stage
validates. The tree is as deep as the text is nested, and the later stages recurse over it, so a cap on
the depth gives a diagnostic where recursion would fail. A docstring stays in the body as an expression
statement.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any

import gast

from staticpy.diagnostics import Diagnostics, catalog
from staticpy.source import SourceUnit

MAX_DEPTH = 200
"""How deep the tree of a function may be nested."""

_NAME_FIELDS = ("id", "attr", "arg", "name")


@dataclass(frozen=True, slots=True, eq=False)
class Parameter:
    """One parameter.

    ``kind`` is ``positional_only``, ``positional`` or ``keyword_only``; ``default`` and ``annotation``
    are nodes, or None.
    """

    name: str
    kind: str
    default: Any
    annotation: Any
    node: Any


def parse(unit: SourceUnit, diagnostics: Diagnostics) -> Any:
    """The function of ``unit`` as a ``gast`` node of its own.

    Returns:
        None where it is nested too deep (``NESTING_TOO_DEEP`` is in ``diagnostics``).
    """
    node: Any = unit.node
    deep = _too_deep(node)
    if deep is not None:
        diagnostics.add(catalog.NESTING_TOO_DEEP, unit.span(deep))
        return None
    try:
        tree = gast.ast_to_gast(node)
    except RecursionError:  # the caller has used up most of the stack
        diagnostics.add(catalog.NESTING_TOO_DEEP, unit.span(node))
        return None
    if not isinstance(node, ast.Lambda):
        tree.decorator_list = []
    if unit.class_name.strip("_"):
        _mangle(tree, f"_{unit.class_name.lstrip('_')}")
    return tree


def _mangle(root: Any, prefix: str) -> None:
    """Make private names what Python makes of them in a class: ``self.__x`` is ``self._A__x``."""
    for node in gast.walk(root):
        for field in _NAME_FIELDS:
            name = getattr(node, field, None)
            if isinstance(name, str) and name.startswith("__") and not name.endswith("__"):
                setattr(node, field, prefix + name)


def _too_deep(root: ast.AST) -> ast.AST | None:
    """The first node that is nested deeper than the cap."""
    level: list[ast.AST] = [root]
    for _ in range(MAX_DEPTH):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        if not level:
            return None
    return next((node for node in level if hasattr(node, "lineno")), root)


def parameters_of(function: Any) -> list[Parameter]:
    """The parameters of a ``gast`` function in order, but ``*args`` and ``**kwargs``."""
    arguments = function.args
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(positional) - len(arguments.defaults)) + arguments.defaults
    kinds = ["positional_only"] * len(arguments.posonlyargs) + ["positional"] * len(arguments.args)
    kinds += ["keyword_only"] * len(arguments.kwonlyargs)
    return [
        Parameter(name.id, kind, default, name.annotation, name)
        for name, kind, default in zip(
            [*positional, *arguments.kwonlyargs],
            kinds,
            [*defaults, *arguments.kw_defaults],
            strict=True,
        )
    ]
