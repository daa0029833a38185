"""The types of a function's parameters, by their annotations.

In: a function and the scope around it. Out: for each parameter a Declared type, or what stands for
one of which too little is said; what an open annotation admits. A name that the file
gives to an annotation stands for it: ``Vector = f64["n"]``.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from staticpy.frontend.admitted import admitted, is_complete
from staticpy.frontend.annotations import parse_quoted, read_annotation
from staticpy.frontend.inputs import UNKNOWN_VALUE, Declared
from staticpy.frontend.static_scope import StaticModule, StaticScope
from staticpy.source import SourceUnit

_MOST_NAMES = 10
"""How many names there may be for one another."""
_TYPES = (ast.Attribute, ast.BinOp, ast.Constant, ast.Name, ast.Subscript)
"""The expressions that may name a type."""


def parameters_of_text(unit: SourceUnit) -> list[ast.arg]:
    """The parameters of a function, those that take any number of arguments last."""
    arguments = unit.node.args
    variadic = [each for each in (arguments.vararg, arguments.kwarg) if each is not None]
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *variadic]


def is_method(unit: SourceUnit) -> bool:
    """Whether a function of a class gets the object as its first argument."""
    names = {node.id for node in unit.decorators if isinstance(node, ast.Name)}
    arguments = unit.node.args
    first = next(iter((*arguments.posonlyargs, *arguments.args)), None)
    is_bare = first is not None and first.annotation is None
    around = unit.qualname.rpartition(".")[0]
    is_in_class = bool(around) and not around.endswith("<locals>")
    return is_in_class and is_bare and not names & {"staticmethod", "classmethod"}


def type_of_parameter(parameter: ast.arg, scope: StaticScope) -> Any:
    """The type that the annotation of a parameter names; None where it says too little."""
    if parameter.annotation is None:
        return None
    type_ = read_annotation(_written_out(parameter.annotation, scope), scope.origin)
    return type_ if is_complete(type_) else None


def declared_arguments(
    unit: SourceUnit,
    module: StaticModule,
    static: frozenset[str],
    *,
    may_be_partial: bool = False,
) -> Mapping[str, Any] | None:
    """The types of a function's parameters by its annotations; None where they don't say enough.

    With ``may_be_partial`` a parameter of which no annotation says what it is, such as the object
    of a method, is UNKNOWN_VALUE: what doesn't depend on it can be checked.
    """
    if unit.node.args.vararg or unit.node.args.kwarg:
        return None
    scope = module.scope_of(unit)
    declared: dict[str, Any] = {}
    for parameter in parameters_of_text(unit):
        type_ = None if parameter.arg in static else type_of_parameter(parameter, scope)
        if type_ is None and not may_be_partial:
            return None
        declared[parameter.arg] = UNKNOWN_VALUE if type_ is None else Declared(type_)
    return declared


def is_known(argument: Any) -> bool:
    """Whether the annotation of a parameter says what it is."""
    return isinstance(argument, Declared)


def open_types(
    unit: SourceUnit, scope: StaticScope, arguments: Mapping[str, Any]
) -> dict[str, tuple[Any, ...]]:
    """What may be given for each of the ``arguments`` that are unknown though annotated."""
    found = {}
    for parameter in parameters_of_text(unit):
        if arguments.get(parameter.arg) is UNKNOWN_VALUE and parameter.annotation is not None:
            admits = admitted(_written_out(parameter.annotation, scope), scope.origin)
            if admits is not None:
                found[parameter.arg] = admits
    return found


def _written_out(node: Any, scope: StaticScope, names: int = _MOST_NAMES) -> Any:
    """An annotation with those that the file gives a name in the place of the names."""
    if isinstance(node, ast.Constant):
        inner = parse_quoted(node.value)
        return node if inner is None else _written_out(inner, scope, names)
    if isinstance(node, ast.Name):
        named = scope.alias(node.id) if names and scope.origin(node.id) is None else None
        return _written_out(named, scope, names - 1) if isinstance(named, _TYPES) else node
    if isinstance(node, ast.BinOp):
        sides = (_written_out(each, scope, names) for each in (node.left, node.right))
        return ast.BinOp(next(sides), node.op, next(sides))
    if isinstance(node, ast.Subscript):
        items = getattr(node.slice, "elts", [node.slice])
        items = [each if _is_text(each) else _written_out(each, scope, names) for each in items]
        inner = ast.Tuple(items, ast.Load()) if isinstance(node.slice, ast.Tuple) else items[0]
        return ast.Subscript(_written_out(node.value, scope, names), inner, ast.Load())
    return node


def _is_text(node: ast.expr) -> bool:
    """Whether an item in brackets is a text, which may say sizes."""
    return isinstance(node, ast.Constant)
