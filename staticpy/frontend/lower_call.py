"""Lowering of calls: of NumPy, of builtins, and of the user's own functions.

A call of a user's function becomes a ``call`` operation to a graph function of its own, made once
for each combination of argument types and compile-time arguments. A nested function, which reads
the variables around it, and a call that passes one, are lowered in place instead.
"""

from __future__ import annotations

import dataclasses
import inspect
import types
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import gast
import numpy as np

from staticpy import ops
from staticpy.diagnostics import catalog
from staticpy.frontend.attributes import is_known_function
from staticpy.frontend.inputs import Captured, Instance, map_tree, tree_leaves
from staticpy.frontend.liveness import analyze as analyze_liveness
from staticpy.frontend.lower_base import Frame, Prepared, new_graph
from staticpy.frontend.lower_branch import Branches
from staticpy.frontend.lower_expr import kind_of
from staticpy.frontend.merge import Slot, fill
from staticpy.frontend.parse import Parameter, parameters_of
from staticpy.frontend.resolve import assigned_names
from staticpy.frontend.values import (
    ArrayMethod,
    BoundFunction,
    Closure,
    EnumerateIterable,
    Poisoned,
    RangeIterable,
    UserFunction,
    ZipIterable,
)
from staticpy.ir import Type, Value, current_builder
from staticpy.source import SourceSpan


@dataclass(frozen=True, slots=True)
class Specialisation:
    """A graph function for certain argument types: what it returns, and what it needs besides."""

    name: str
    output: Any
    result_types: tuple[Type, ...]
    captures: tuple[Captured, ...]


@cache
def _signature(adapter: Callable[..., Any]) -> inspect.Signature:
    return inspect.signature(adapter)


class Calls(Branches):
    """Lowers every kind of call."""

    def expr_Call(self, node: Any) -> Any:
        function = self.expression(node.func)
        if not is_callable(function):  # said now, whatever may be wrong with the arguments
            self.refuse_call(function, node)
        args = [self.expression(argument) for argument in node.args]
        kwargs = {keyword.arg: self.expression(keyword.value) for keyword in node.keywords}
        return self.call(function, args, kwargs, node)

    def call(self, function: Any, args: list[Any], kwargs: dict[str, Any], node: Any) -> Any:
        """``function(*args, **kwargs)`` for a compile-time function."""
        if isinstance(function, BoundFunction):
            return self.call_user(function.function, [function.self_value, *args], kwargs, node)
        if isinstance(function, UserFunction | Closure):
            return self.call_user(function, args, kwargs, node)
        if isinstance(function, ArrayMethod):
            return self.call_adapter(
                function.adapter, [function.value, *args], kwargs, function.name, node
            )
        if isinstance(function, type) and function in _ITERATORS:
            return self.call_adapter(_ITERATORS[function], args, kwargs, function.__name__, node)
        if is_known_function(function):
            adapter = ops.FUNCTIONS.get(function) or ops.BUILTINS[function]
            name = getattr(function, "__name__", str(function))
            return self.call_adapter(adapter, args, kwargs, name, node)
        if isinstance(function, Instance):
            method = self.attribute(function, "__call__", node)
            return self.call(method, args, kwargs, node)
        return self.call_static(function, args, kwargs, node)

    def call_adapter(
        self,
        adapter: Callable[..., Any],
        args: list[Any],
        kwargs: dict[str, Any],
        name: str,
        node: Any,
    ) -> Any:
        if adapter not in _TAKE_UNIONS:
            self.refuse_unions(f"{name}()", (args, kwargs), node)
        try:
            _signature(adapter).bind(*args, **kwargs)
        except TypeError as error:
            self.error(catalog.BAD_CALL, node, name=name, detail=str(error))
        return adapter(*args, **kwargs)

    def call_static(self, function: Any, args: list[Any], kwargs: dict[str, Any], node: Any) -> Any:
        """A call that is evaluated while compiling: a method of a dict, ``np.finfo``."""
        if any(isinstance(leaf, Value) for leaf in tree_leaves([*args[:1], kwargs])):
            self.refuse_call(function, node)
        try:
            return function(*args, **kwargs)
        except (TypeError, ValueError, KeyError) as error:
            name = function.__name__
            return self.error(catalog.BAD_CALL, node, name=name, detail=str(error))

    def refuse_call(self, function: Any, node: Any) -> None:
        """Report a function that has no place in a graph."""
        module = getattr(function, "__module__", None) or type(function).__module__
        name = getattr(function, "__name__", kind_of(function))
        if module.partition(".")[0] == "numpy" or isinstance(function, np.ufunc):
            spec, nearest = catalog.UNSUPPORTED_NUMPY_FUNCTION, ops.nearest(name)
            self.error(spec, node, name=dotted_name(node.func) or f"np.{name}", nearest=nearest)
        self.error(catalog.UNSUPPORTED_CALL, node, name=name)

    # --- the user's functions ---------------------------------------------------------------------

    def call_user(
        self,
        function: UserFunction | Closure,
        args: list[Any],
        kwargs: dict[str, Any],
        node: Any,
    ) -> Any:
        prepared = self.prepared(function, node)
        if prepared.node in self.compilation.stack:
            self.error(catalog.RECURSION, node, name=prepared.unit.name)
        bound = self.bind(function, prepared, args, kwargs, node)
        self.compilation.stack.append(prepared.node)
        try:
            if isinstance(function, Closure):
                return self.call_in_place(prepared, bound, function.frame, None, node)
            key = call_key(prepared, bound)
            result = _NOT_APART
            if key is not None:
                result = self.call_apart(prepared, bound, function, key, node)
            if result is _NOT_APART:
                return self.call_in_place(prepared, bound, None, function, node)
            return result
        finally:
            self.compilation.stack.pop()

    def prepared(self, function: UserFunction | Closure, node: Any) -> Prepared:
        """The function, through the stages before lowering."""
        if isinstance(function, UserFunction):
            diagnostics = self.compilation.diagnostics
            mark = diagnostics.mark()
            prepared = self.compilation.prepare(function.unit, function.scope)
            for diagnostic in diagnostics.rollback(mark):
                span = diagnostic.span.inlined(self.full_span(node))
                diagnostics.append(dataclasses.replace(diagnostic, span=span))
            if prepared is None:
                raise Poisoned
            return prepared
        nested = self.compilation.nested
        if function.node not in nested:
            parent = function.frame.prepared
            name = getattr(function.node, "name", "<lambda>")
            unit = dataclasses.replace(
                parent.unit, qualname=f"{parent.unit.qualname}.<locals>.{name}"
            )
            parameters = parameters_of(function.node)
            nested[function.node] = Prepared(
                unit,
                function.node,
                parameters,
                analyze_liveness(function.node),
                local_names(function.node, parameters),
            )
        return nested[function.node]

    def full_span(self, node: Any) -> SourceSpan:
        """The span of ``node`` with all calls since the function that the user called."""
        span = self.span(node)
        return span.inlined(self.graph.chain) if self.graph.chain else span

    def bind(
        self,
        function: UserFunction | Closure,
        prepared: Prepared,
        args: list[Any],
        kwargs: dict[str, Any],
        node: Any,
    ) -> dict[str, Any]:
        """The arguments by parameter name, as CPython binds them."""
        signature = inspect.Signature(
            [
                inspect.Parameter(
                    parameter.name,
                    _KINDS[parameter.kind],
                    default=None if parameter.default is not None else inspect.Parameter.empty,
                )
                for parameter in prepared.parameters
            ]
        )
        try:
            given = signature.bind(*args, **kwargs).arguments
        except TypeError as error:
            self.error(catalog.BAD_CALL, node, name=prepared.unit.name, detail=str(error))
        return {
            parameter.name: given[parameter.name]
            if parameter.name in given
            else self.default(function, parameter)
            for parameter in prepared.parameters
        }

    def default(self, function: UserFunction | Closure, parameter: Parameter) -> Any:
        if isinstance(function, Closure):
            return function.defaults[parameter.name]
        if function.function is not None:
            return self.live_default(function.function, parameter.name)  # type: ignore[arg-type]
        prepared = self.compilation.prepare(function.unit, function.scope)
        assert prepared is not None
        empty = dataclasses.replace(prepared, assigned=frozenset())
        frame = Frame(empty, function.scope)
        return type(self)(self.compilation, self.graph, frame).expression(parameter.default)

    def call_in_place(
        self,
        prepared: Prepared,
        bound: dict[str, Any],
        parent: Frame | None,
        function: UserFunction | None,
        node: Any,
    ) -> Any:
        """Lower the callee where the call stands."""
        scope = function.scope if function is not None else parent.scope  # type: ignore[union-attr]
        frame = Frame(prepared, scope, parent, self.span(node), dict(bound))
        return type(self)(self.compilation, self.graph, frame).run(prepared.node)

    def call_apart(
        self,
        prepared: Prepared,
        bound: dict[str, Any],
        function: UserFunction,
        key: Any,
        node: Any,
    ) -> Any:
        """Emit a call of the graph function for these arguments, made at the first such call."""
        made = self.compilation.specialisations
        if key not in made:
            made[key] = Poisoned
            made[key] = self.specialise(prepared, bound, function, node)
        found = made[key]
        if found is Poisoned:
            raise Poisoned
        if found is _NOT_APART:
            return _NOT_APART
        operands = [leaf for leaf in tree_leaves(bound) if isinstance(leaf, Value)]
        operands += [self.graph.value_of(captured) for captured in found.captures]
        types_ = self.builder.facts.resolve_attr(found.result_types)
        attrs = {"callee": found.name, "result_types": types_}
        return fill(found.output, self.builder.emit(ops.call, operands, attrs).results)

    def specialise(
        self, prepared: Prepared, bound: dict[str, Any], function: UserFunction, node: Any
    ) -> Any:
        """Lower the callee as a graph function of its own."""
        unit, compilation = prepared.unit, self.compilation
        graph = new_graph(compilation, unit.name, unit.span(prepared.node), self.full_span(node))
        block = graph.function.block
        compilation.module.add(graph.function)

        def argument(leaf: Any) -> Any:
            if not isinstance(leaf, Value):
                return leaf
            return block.add_arg(self.builder.facts.resolve_type(leaf.type), leaf.name)

        env = map_tree(argument, bound)
        for name, value in env.items():
            if isinstance(value, Value):
                value.name = name
        frame = Frame(prepared, function.scope, env=env)
        lowerer = type(self)(compilation, graph, frame)
        with graph.builder.current():
            result = lowerer.run(prepared.node)
        values: list[Value] = []

        def slot(leaf: Any) -> Any:
            if not isinstance(leaf, Value):
                return leaf
            values.append(leaf)
            return Slot(len(values) - 1, leaf.type)

        output = map_tree(slot, result)
        if not all(_can_leave(leaf) for leaf in tree_leaves(output)):
            del compilation.module.functions[graph.function.name]
            return _NOT_APART
        graph.builder.emit(ops.return_, values)
        inputs = compilation.inputs.inputs
        captures = tuple(inputs[path] for path in graph.captures)
        types_ = tuple(value.type for value in values)
        return Specialisation(graph.function.name, output, types_, captures)

    def run(self, node: Any) -> Any:
        raise AssertionError("defined by Statements")


class _NotApart:
    """The mark of a call that can only be lowered in place."""


_NOT_APART = _NotApart()
_PLAIN = (str, bytes, type(None), type(Ellipsis), bool, int, float, complex)
_BY_IDENTITY = (type, np.dtype, np.ufunc, types.BuiltinFunctionType, types.ModuleType)
_KINDS = {
    "positional_only": inspect.Parameter.POSITIONAL_ONLY,
    "positional": inspect.Parameter.POSITIONAL_OR_KEYWORD,
    "keyword_only": inspect.Parameter.KEYWORD_ONLY,
}
_STATIC_FUNCTIONS = (np.finfo, np.iinfo, np.dtype)


def _range(*bounds: Any) -> Any:
    if not any(isinstance(bound, Value) for bound in bounds):
        return range(*bounds)
    start, stop, step = {1: (0, *bounds, 1), 2: (*bounds, 1), 3: bounds}[len(bounds)]
    return RangeIterable(start, stop, step)


_ITERATORS: dict[Any, Callable[..., Any]] = {
    range: _range,
    enumerate: lambda iterable, start=0: EnumerateIterable(iterable, start),
    zip: lambda *iterables: ZipIterable(iterables),
}
_TAKE_UNIONS = (*_ITERATORS.values(), *(ops.BUILTINS[kind] for kind in (bool, int, float, complex)))
"""The adapters that take a scalar of any box, whichever it is."""


def dotted_name(node: Any) -> str:
    """The text of a name with attributes, such as ``np.fft.fft``; empty for anything else."""
    parts: list[str] = []
    while isinstance(node, gast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, gast.Name) else ""


def is_callable(function: Any) -> bool:
    """Whether the language has calls of this object."""
    if isinstance(function, BoundFunction | UserFunction | Closure | ArrayMethod | Instance):
        return True
    if isinstance(getattr(function, "__self__", None), dict | tuple | list):
        return True
    return is_known_function(function) or function in _STATIC_FUNCTIONS or function in _ITERATORS


def local_names(node: Any, parameters: list[Parameter]) -> frozenset[str]:
    """Every name that a function binds."""
    body = node.body if isinstance(node.body, list) else []
    return frozenset({parameter.name for parameter in parameters} | set(assigned_names(body)))


def _can_leave(leaf: Any) -> bool:
    return isinstance(leaf, (Slot, UserFunction, Instance, *_PLAIN, *_BY_IDENTITY))


def call_key(prepared: Prepared, bound: dict[str, Any]) -> Any:
    """What a graph function depends on; None where an argument reads variables of this frame, or
    is a list or dict, which the callee may hand back.
    """
    parts: list[Any] = [prepared.node]
    unknown: list[Any] = []
    facts = current_builder().facts

    def part(leaf: Any) -> Any:
        if isinstance(leaf, Value):
            parts.append(facts.resolve_type(leaf.type))
        elif isinstance(leaf, _PLAIN):
            parts.append((type(leaf), repr(leaf)))
        elif isinstance(leaf, (UserFunction, Instance, *_BY_IDENTITY)):
            parts.append(leaf.path if isinstance(leaf, Instance) else leaf)
        else:
            unknown.append(leaf)
        return "leaf"

    shape = repr(map_tree(part, bound))
    return None if unknown or any(map(_has_identity, bound.values())) else (shape, *parts)


def _has_identity(tree: Any) -> bool:
    """Whether a structure holds a list or a dict."""
    if isinstance(tree, tuple):
        return any(map(_has_identity, tree))
    return isinstance(tree, list | dict)
