"""From ``ast`` nodes to ``gast`` nodes, as ``gast.ast_to_gast`` makes them.

In: the ``ast`` node of a function. Out: the ``gast`` tree of it, which shares nothing with it that
later stages change. Without recursion, and several times as fast: a node that holds no others, as
most do, is made where its parent is.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gast

from staticpy.source import children, fields_of

MAX_DEPTH = 10_100
"""How deep the tree of a function may be nested: a little deeper than CPython 3.13 compiles, which
goes deeper than 3.11 and 3.12.
"""

_Fields = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Converted:
    """A ``gast`` tree, how many levels of nodes it has, and each ``def`` nested in it."""

    node: Any
    depth: int
    functions: list[Any]


class DepthError(Exception):
    """A tree is deeper than ``MAX_DEPTH``: at ``node``, of ``ast``."""

    def __init__(self, node: ast.AST) -> None:
        super().__init__()
        self.node = node


def to_gast(root: ast.AST) -> Converted:
    """The ``gast`` tree of an ``ast`` node.

    Raises:
        DepthError: it is nested too deep.
    """
    converter = _Converter()
    return Converted(converter.run(root), converter.depth, converter.functions)


class _Converter:
    def __init__(self) -> None:
        self.functions: list[Any] = []
        self.depth = 0
        self._pending: list[tuple[ast.AST, _Fields, tuple[str, ...], int]] = []

    def run(self, root: ast.AST) -> Any:
        converted, pending = self._make(root, 1), self._pending
        self.functions.clear()
        while pending:
            node, fields, inner, depth = pending.pop()
            if depth > self.depth:
                self.depth = depth
                if depth > MAX_DEPTH:
                    raise DepthError(children(node)[-1])
            for field in inner:
                value = fields.get(field)
                if value.__class__ is list:
                    fields[field] = [
                        self._make(item, depth + 1) if isinstance(item, ast.AST) else item
                        for item in value
                    ]
                elif isinstance(value, ast.AST):
                    fields[field] = self._make(value, depth + 1)
        return converted

    def _make(self, node: ast.AST, depth: int) -> Any:
        """The ``gast`` node of a node, which holds what that does until its turn comes."""
        gast_class, adapt, inner = _KINDS[node.__class__]
        made = gast_class.__new__(gast_class)
        fields = made.__dict__
        fields.update(node.__dict__)
        if adapt is not None:
            adapt(fields)
        if inner:
            self._pending.append((node, fields, inner, depth))
            if gast_class is gast.FunctionDef:
                self.functions.append(made)
        return made


# --- what gast has otherwise ----------------------------------------------------------------------


_GAST: dict[str, Any] = {name: getattr(gast, name, None) for name in dir(ast)}
_GAST["arg"] = gast.Name
_LEAVES = {
    class_.__name__: class_()
    for base in (gast.expr_context, gast.operator, gast.unaryop, gast.boolop, gast.cmpop)
    for class_ in vars(gast).values()
    if isinstance(class_, type) and issubclass(class_, base) and class_ is not base
}
"""One node of each operator and context: they say nothing but their class."""


def _context(fields: _Fields) -> None:
    fields["ctx"] = _LEAVES[fields["ctx"].__class__.__name__]


def _operator(fields: _Fields) -> None:
    fields["op"] = _LEAVES[fields["op"].__class__.__name__]


def _operators(fields: _Fields) -> None:
    fields["ops"] = [_LEAVES[op.__class__.__name__] for op in fields["ops"]]


def _name(fields: _Fields) -> None:
    fields["ctx"] = _LEAVES[fields["ctx"].__class__.__name__]
    fields["annotation"] = fields["type_comment"] = None


def _parameter(fields: _Fields) -> None:
    fields["id"] = fields.pop("arg")
    fields["ctx"] = _LEAVES["Param"]


def _definition(fields: _Fields) -> None:
    fields.setdefault("type_params", [])


def _type_parameter(fields: _Fields) -> None:
    fields.setdefault("default_value", None)


def _handler(fields: _Fields) -> None:
    if fields["name"]:
        fields["name"] = gast.Name(fields["name"], _LEAVES["Store"], None, None)


_ADAPT: dict[str, Callable[[_Fields], None]] = {
    **dict.fromkeys(("Attribute", "List", "Starred", "Subscript", "Tuple"), _context),
    **dict.fromkeys(("AugAssign", "BinOp", "BoolOp", "UnaryOp"), _operator),
    **dict.fromkeys(("AsyncFunctionDef", "ClassDef", "FunctionDef"), _definition),
    **dict.fromkeys(("ParamSpec", "TypeVar", "TypeVarTuple"), _type_parameter),
    "Compare": _operators,
    "ExceptHandler": _handler,
    "Name": _name,
    "arg": _parameter,
}
"""Makes the fields of an ``ast`` node of a class those of the ``gast`` node."""


class _Kinds(dict[type[ast.AST], tuple[Any, Callable[[_Fields], None] | None, tuple[str, ...]]]):
    """For each class of ``ast``: that of ``gast``, what adapts its fields, and those with nodes."""

    def __missing__(self, class_: type[ast.AST]) -> Any:
        name = class_.__name__
        self[class_] = kind = (_GAST[name], _ADAPT.get(name), fields_of(class_))
        return kind


_KINDS = _Kinds()
