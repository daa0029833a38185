"""The derivatives that a file makes of its functions, read from its text alone.

In: a StaticModule. Out: the compiled programs that ``staticpy.grad`` and its like make of functions
of the file, as decorators, and by calls in the module or in functions that run as plain Python. (A
call in a compiled function is lowered with that.)

    slope = staticpy.grad(loss)            # of a compiled function: compiled, too
    fast = staticpy.jit(staticpy.grad(f))  # of any function

    @staticpy.jit
    @staticpy.grad
    def by_x(x: float): ...
"""

from __future__ import annotations

import ast
import functools
import inspect
import types
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any

from staticpy.frontend.static_scope import StaticModule, StaticScope, own_nodes
from staticpy.frontend.trusted import imported
from staticpy.source import SourceSpan, SourceUnit

_TRANSFORMS = ("staticpy.grad", "staticpy.value_and_grad")

Transform = Callable[[Any], types.FunctionType]
"""Makes of a function a program in the language around it, as ``staticpy.grad`` does."""


@dataclass(frozen=True, slots=True)
class TransformedFunction:
    """A function of the file, what makes the program of it that is compiled, and where."""

    unit: SourceUnit
    transform: Transform
    place: SourceSpan


def transformed(
    module: StaticModule, compiled: Collection[SourceUnit]
) -> Iterator[TransformedFunction]:
    """The derivatives of functions of ``module``, of which those in ``compiled`` are given to
    ``staticpy.jit``.
    """
    if not module.may_jit and not compiled:
        return
    for unit in module.source.units:
        transform = _decorated(unit, module)
        if transform is not None:
            yield TransformedFunction(unit, transform, unit.span(unit.decorators[0]))
    for holder in [None, *module.source.functions]:
        if holder not in compiled:
            yield from _called(holder, module, compiled)


def _decorated(unit: SourceUnit, module: StaticModule) -> Transform | None:
    """What the decorators of a function make of it, up to the first that is not known; None where
    they don't compile a derivative.
    """
    scope, is_compiled = module.scope_of(unit), False
    chain: list[Transform] = []
    for decorator in reversed(unit.decorators):
        if module.is_jit(decorator, scope):
            is_compiled = True
            continue
        transform = _transform(decorator, scope) if isinstance(decorator, ast.Attribute) else None
        if transform is None:
            break
        chain.append(transform)
    return functools.partial(_compose, chain) if is_compiled and chain else None


def _compose(chain: list[Transform], function: Any) -> Any:
    for transform in chain:
        function = transform(function)
    return function


def _called(
    holder: SourceUnit | None, module: StaticModule, compiled: Collection[SourceUnit]
) -> Iterator[TransformedFunction]:
    """What calls in a function, or the module, make of compiled functions."""
    scope = module.scope if holder is None else module.scope_inside(holder)
    for node in own_nodes(module.source.tree if holder is None else holder.node):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        at = module.source.span if holder is None else holder.span
        if module.is_jit(node.func, scope):
            yield from _inside(node.args[0], scope, module, at)
        transform = _transform(node.func, scope, node.args[1:], node.keywords)
        unit = None if transform is None else module.function_at(node.args[0], scope)
        if transform is not None and unit is not None and unit in compiled:
            yield TransformedFunction(unit, transform, at(node))


def _inside(
    node: ast.expr,
    scope: StaticScope,
    module: StaticModule,
    at: Callable[[ast.expr], SourceSpan],
) -> Iterator[TransformedFunction]:
    """What is given to ``staticpy.jit`` where it is a derivative: those around the function, up to
    the first that is not known.
    """
    chain: list[Transform] = []
    place = node
    for call in scope.named_calls(node):
        transform = _transform(call.func, scope, call.args[1:], call.keywords)
        chain = [] if transform is None else [transform, *chain]
        place, node = call, call.args[0]
    unit = module.function_at(node, scope) if chain else None
    if unit is not None:
        yield TransformedFunction(unit, functools.partial(_compose, chain), at(place))


def _transform(
    node: ast.expr,
    scope: StaticScope,
    args: list[ast.expr] | None = None,
    keywords: list[ast.keyword] | None = None,
) -> Transform | None:
    """What ``node`` is where it is a transform and the options are literals."""
    origin = scope.origin_of(node)
    if origin not in _TRANSFORMS:
        return None
    function = imported(origin)
    try:
        values = [ast.literal_eval(each) for each in args or ()]
        named = {str(each.arg): ast.literal_eval(each.value) for each in keywords or ()}
        inspect.signature(function).bind(None, *values, **named)
    except (ValueError, TypeError):
        return None
    return lambda fun: function(fun, *values, **named)
