"""Whether calls of a function can be told from its results: what a cache may keep between calls.

In: a live function. Out: why not, in words. What a pure function may do is decided from its text,
by what is allowed: it computes with its arguments and its own variables, and calls what is pure.
"""

from __future__ import annotations

import ast
import builtins
import functools
import math
import operator
import types
from typing import Any

from staticpy.frontend.classes import python_function
from staticpy.frontend.scope import RuntimeScope
from staticpy.source import from_function

_STATEMENTS = (ast.Return, ast.If, ast.For, ast.While, ast.Pass, ast.Break, ast.Continue)
_BINDING = (ast.Assign, ast.AugAssign, ast.AnnAssign)
_RAISING = (ast.Raise, ast.Assert, ast.Try, ast.ExceptHandler)
_OTHER = (ast.arguments, ast.arg, ast.keyword, ast.comprehension, ast.expr_context, ast.operator)
_MORE = (ast.unaryop, ast.boolop, ast.cmpop, ast.Expr)
_REFUSED = (ast.Lambda, ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)
_NAMES = """
    abs all any bin bool chr complex dict divmod enumerate float hex int isinstance len list max min
    oct ord pow range repr reversed round sorted str sum tuple zip
"""
_FUNCTIONS = frozenset(getattr(builtins, name) for name in _NAMES.split())
_MODULES = (math, operator)


def impurity(function: types.FunctionType, seen: frozenset[Any] = frozenset()) -> str:
    """Why a cache of a function can be seen; empty where it can't.

    Raises:
        SourceError: it has no source.
    """
    node: Any = from_function(function).node
    scope = RuntimeScope(function)
    body = node.body if isinstance(node.body, list) else [node.body]
    names = [each for each in ast.walk(node) if isinstance(each, ast.Name)]
    own = {name.id for name in names if isinstance(name.ctx, ast.Store)}
    own |= {each.arg for each in ast.walk(node) if isinstance(each, ast.arg)}
    for statement in body:
        for each in ast.walk(statement):
            found = _of_node(each) or _of_name(each, own, scope, seen | {function})
            if found:
                return found
    return ""


def _of_node(node: ast.AST) -> str:
    allowed = (*_STATEMENTS, *_BINDING, *_RAISING, *_OTHER, *_MORE, ast.expr)
    if not isinstance(node, allowed) or isinstance(node, _REFUSED):
        return "it does more than to compute a value"
    if isinstance(node, ast.Subscript | ast.Attribute) and not isinstance(node.ctx, ast.Load):
        return "it writes to an object"
    if isinstance(node, ast.Call) and not _is_named(node.func):
        return "it calls a method"
    return ""


def _is_named(function: ast.expr) -> bool:
    """Whether what is called is a name, or a function of a module."""
    return isinstance(function, ast.Name) or (
        isinstance(function, ast.Attribute)
        and isinstance(function.value, ast.Name)
        and function.value.id in {module.__name__ for module in _MODULES}
    )


def _of_name(node: ast.AST, own: set[str], scope: RuntimeScope, seen: frozenset[Any]) -> str:
    """What is wrong with a name from outside."""
    if not isinstance(node, ast.Name) or node.id in own:
        return ""
    try:
        value = scope.lookup(node.id)
    except KeyError:
        return ""
    return _of_value(value, node.id, seen)


def _of_value(value: Any, name: str, seen: frozenset[Any]) -> str:
    is_known = isinstance(value, types.BuiltinFunctionType | type) and value in _FUNCTIONS
    if is_known or any(value is module for module in _MODULES):
        return ""
    if isinstance(value, types.BuiltinFunctionType) and value.__module__ in ("math", "_operator"):
        return ""
    if isinstance(value, type) and issubclass(value, BaseException):
        return ""
    if isinstance(value, functools._lru_cache_wrapper):  # noqa: SLF001 - it has no other name
        value = value.__wrapped__
    function = python_function(value)
    if function in seen:
        return ""
    return f"it uses '{name}', which may change" if function is None else impurity(function, seen)
