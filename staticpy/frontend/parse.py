"""From the text of a function to its ``gast`` tree.

In: a SourceUnit. Out: a ``gast`` FunctionDef or Lambda without decorators, which the next stage
validates. The tree is as deep as the text is nested, and the later stages recurse over it: where
it is deep they need a deep stack (``is_deep``), and a cap on the depth gives a diagnostic where any
recursion would fail. A docstring stays in the body as an expression statement.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import gast

from staticpy.diagnostics import Diagnostics, catalog
from staticpy.frontend.convert import Converted, DepthError, to_gast
from staticpy.source import SourceUnit, descendants

SHALLOW_DEPTH = 200
"""How deep a tree may be nested for the stages to recurse over it on anybody's stack."""

_NAME_FIELDS = ("id", "attr", "arg", "name")
_PRIVATE = re.compile(r"\b__\w*(?<!__)\b")


@dataclass(frozen=True, slots=True, eq=False)
class Parameter:
    """One parameter.

    ``kind`` is ``positional_only``, ``positional``, ``var_positional`` (``*args``),
    ``keyword_only`` or ``var_keyword`` (``**kwargs``); ``default`` and ``annotation`` are nodes,
    or None.
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
    try:
        converted = _converted(unit)
    except DepthError as error:
        diagnostics.add(catalog.NESTING_TOO_DEEP, unit.span(error.node))
        return None
    tree = converted.node
    if not isinstance(tree, gast.Lambda):
        tree.decorator_list = []
    if unit.source.evaluates_annotations:
        _keep_annotations(converted.functions)
    if may_mangle(unit):
        _mangle(tree, f"_{unit.class_name.lstrip('_')}")
    return tree


def _keep_annotations(functions: list[Any]) -> None:
    """Note with each nested function the annotations that CPython evaluates where it is defined.

    Those of a function with type parameters, which is rejected, have names of their own.
    """
    for node in functions:
        if not node.type_params:
            node.evaluated = annotations_of(node)


def annotations_of(function: Any) -> list[Any]:
    """The annotations of a function, in the order in which CPython evaluates them."""
    args = function.args
    holders = [*args.args, *args.posonlyargs, args.vararg, *args.kwonlyargs, args.kwarg]
    found = [holder.annotation for holder in holders if holder is not None]
    return [each for each in (*found, function.returns) if each is not None]


def names_types(node: Any) -> bool:
    """Whether an annotation is written as names of types are, without calls and arithmetic."""
    if isinstance(node, gast.Name | gast.Constant):
        return True
    if isinstance(node, gast.Attribute):
        return names_types(node.value)
    if isinstance(node, gast.Subscript):
        return names_types(node.value) and names_types(node.slice)
    if isinstance(node, gast.Tuple | gast.List):
        return all(map(names_types, node.elts))
    if isinstance(node, gast.BinOp):
        sides = (node.left, node.right)
        return isinstance(node.op, gast.BitOr) and all(map(names_types, sides))
    return isinstance(node, gast.UnaryOp | gast.Starred) and isinstance(
        getattr(node, "operand", getattr(node, "value", None)), gast.Constant | gast.Name
    )


def is_deep(unit: SourceUnit) -> bool:
    """Whether the stages need a deep stack for a function."""
    try:
        return _converted(unit).depth >= SHALLOW_DEPTH
    except DepthError:
        return True


@lru_cache(maxsize=128)
def _converted(unit: SourceUnit) -> Converted:
    """The tree of a function, which is asked for twice: how deep it is, and what it says."""
    return to_gast(unit.node)


def may_mangle(unit: SourceUnit) -> bool:
    """Whether there may be a name to mangle; Python reads other forms of ``_`` as the same."""
    if not unit.class_name.strip("_"):
        return False
    text = unit.own_text
    return not text.isascii() or ("__" in text and _PRIVATE.search(text) is not None)


def _mangle(root: Any, prefix: str) -> None:
    """Make private names what Python makes of them in a class: ``self.__x`` is ``self._A__x``."""
    for node in descendants(root):
        for field in _NAME_FIELDS:
            name = getattr(node, field, None)
            if isinstance(name, str) and name.startswith("__") and not name.endswith("__"):
                setattr(node, field, prefix + name)


def parameters_of(function: Any) -> list[Parameter]:
    """The parameters of a ``gast`` function, in the order of the text."""
    arguments = function.args
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(positional) - len(arguments.defaults)) + arguments.defaults
    kinds = ["positional_only"] * len(arguments.posonlyargs) + ["positional"] * len(arguments.args)
    rows = [*zip(positional, kinds, defaults, strict=True)]
    if arguments.vararg is not None:
        rows.append((arguments.vararg, "var_positional", None))
    keywords = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    rows += [(name, "keyword_only", default) for name, default in keywords]
    if arguments.kwarg is not None:
        rows.append((arguments.kwarg, "var_keyword", None))
    return [Parameter(n.id, kind, default, n.annotation, n) for n, kind, default in rows]
