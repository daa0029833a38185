"""From the text of a function to its ``gast`` tree.

In: a SourceUnit. Out: a ``gast`` FunctionDef or Lambda without decorators, which the next stage
validates. The tree is as deep as the text is nested, and the later stages recurse over it: where
it is deep they need a deep stack (``is_deep``), and a cap on the depth gives a diagnostic where any
recursion would fail. A docstring stays in the body as an expression statement.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import gast

from staticpy.diagnostics import Diagnostics, catalog
from staticpy.source import SourceUnit, children, descendants, fields_of

MAX_DEPTH = 10_100
"""How deep the tree of a function may be nested: a little deeper than CPython 3.13 compiles, which
goes deeper than 3.11 and 3.12.
"""

SHALLOW_DEPTH = 200
"""How deep a tree may be nested for the stages to recurse over it on anybody's stack."""

_NAME_FIELDS = ("id", "attr", "arg", "name")
_GAST: dict[str, Any] = {name: getattr(gast, name, None) for name in dir(ast)}
_GAST["arg"] = gast.Name
_LEAVES = {
    class_.__name__: class_()
    for base in (gast.expr_context, gast.operator, gast.unaryop, gast.boolop, gast.cmpop)
    for class_ in vars(gast).values()
    if isinstance(class_, type) and issubclass(class_, base) and class_ is not base
}
"""One node of each operator and context: they say nothing but their class."""


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
        tree = to_gast(unit.node)
    except _DepthError as error:
        diagnostics.add(catalog.NESTING_TOO_DEEP, unit.span(error.node))
        return None
    if not isinstance(tree, gast.Lambda):
        tree.decorator_list = []
        if unit.source.evaluates_annotations:
            _keep_annotations(tree)
    if unit.class_name.strip("_") and _may_be_private(unit):
        _mangle(tree, f"_{unit.class_name.lstrip('_')}")
    return tree


def _keep_annotations(tree: Any) -> None:
    """Note with each nested function the annotations that CPython evaluates where it is defined.

    Those of a function with type parameters, which is rejected, have names of their own.
    """
    for node in descendants(tree):
        if isinstance(node, gast.FunctionDef) and node is not tree and not node.type_params:
            node.evaluated = annotations_of(node)


def annotations_of(function: Any) -> list[Any]:
    """The annotations of a ``gast`` function, in the order in which CPython evaluates them."""
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


@lru_cache(maxsize=128)
def is_deep(unit: SourceUnit) -> bool:
    """Whether the stages need a deep stack for a function."""
    level: list[ast.AST] = [unit.node]
    for _ in range(SHALLOW_DEPTH):
        level = [child for node in level for child in children(node)]
        if not level:
            return False
    return True


class _DepthError(Exception):
    def __init__(self, node: ast.AST) -> None:
        super().__init__()
        self.node = node


def to_gast(root: ast.AST) -> Any:
    """``gast.ast_to_gast`` without its recursion, and several times as fast."""
    holder: Any = [root]
    pending: list[tuple[Any, Any, int]] = [(holder, 0, MAX_DEPTH)]
    while pending:
        container, key, depth = pending.pop()
        node = container[key]
        class_ = node.__class__
        name = class_.__name__
        if depth == 0:
            raise _DepthError(node)
        gast_class = _GAST[name]
        container[key] = new = gast_class.__new__(gast_class)
        fields = new.__dict__
        fields.update(node.__dict__)
        _adapt(name, fields)
        for field in fields_of(class_):
            value = fields.get(field)
            if value.__class__ is list:
                fields[field] = items = value.copy()
                for position, item in enumerate(items):
                    if isinstance(item, ast.AST):
                        pending.append((items, position, depth - 1))
            elif isinstance(value, ast.AST):
                pending.append((fields, field, depth - 1))
    return holder[0]


def _adapt(name: str, fields: dict[str, Any]) -> None:
    """Make the fields of an ``ast`` node those of the ``gast`` node."""
    if "ctx" in fields:
        fields["ctx"] = _LEAVES[fields["ctx"].__class__.__name__]
    if "op" in fields:
        fields["op"] = _LEAVES[fields["op"].__class__.__name__]
    if name == "Name":
        fields["annotation"] = fields["type_comment"] = None
    elif name == "Compare":
        fields["ops"] = [_LEAVES[op.__class__.__name__] for op in fields["ops"]]
    elif name == "arg":
        fields["id"] = fields.pop("arg")
        fields["ctx"] = _LEAVES["Param"]
    elif name in ("FunctionDef", "AsyncFunctionDef", "ClassDef"):
        fields.setdefault("type_params", [])
    elif name in ("TypeVar", "ParamSpec", "TypeVarTuple"):
        fields.setdefault("default_value", None)
    elif name == "ExceptHandler" and fields["name"]:
        fields["name"] = gast.Name(fields["name"], _LEAVES["Store"], None, None)


def _may_be_private(unit: SourceUnit) -> bool:
    lines = unit.lines[unit.node.lineno - 1 : unit.node.end_lineno]
    return any("__" in line for line in lines)


def _mangle(root: Any, prefix: str) -> None:
    """Make private names what Python makes of them in a class: ``self.__x`` is ``self._A__x``."""
    for node in gast.walk(root):
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
