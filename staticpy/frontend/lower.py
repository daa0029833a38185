"""Lowering: a prepared function and its arguments → a Module.

The parts of the lowerer build on one another: Attributes → Expressions → Branches → Calls →
Iteration → Loops → Statements.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from staticpy import ops
from staticpy.diagnostics import DiagnosticError, Diagnostics, catalog
from staticpy.frontend.inputs import (
    Argument,
    Declared,
    Guard,
    Input,
    InputSet,
    Instance,
    Path,
)
from staticpy.frontend.lower_base import Compilation, Frame, Prepared, new_graph
from staticpy.frontend.lower_expr import kind_of
from staticpy.frontend.lower_stmt import Statements
from staticpy.frontend.scope import Scope
from staticpy.frontend.values import Poisoned, is_scalar
from staticpy.ir import Module, ShapeFacts, Value, rewriter
from staticpy.source import SourceUnit

_RETURNED_AS_THEY_ARE = (str, bytes, type(...), type, np.dtype)


@dataclass(frozen=True, slots=True)
class Result:
    """The place of the graph's result number ``index`` in what the function returns."""

    index: int


@dataclass(frozen=True, slots=True)
class Analysis:
    """A function as a graph, and what ties it to the program around it.

    Attributes:
        module: the graph; ``module.main`` takes the inputs and returns the leaves of ``output``.
        inputs: where each argument of ``module.main`` is read, in order.
        guards: what must hold for the graph to be valid, besides the types of the inputs.
        output: what the function returns: tuples, lists and dicts, with a Result for each run-time
            leaf, and an Instance for a container from outside, which is returned itself; every
            other leaf is a compile-time object.
    """

    module: Module
    inputs: tuple[Input, ...]
    guards: tuple[Guard, ...]
    output: Any


def lower(
    prepared: Prepared,
    scope: Scope,
    arguments: Mapping[str, Any],
    static: frozenset[str],
    diagnostics: Diagnostics,
    prepare: Callable[[SourceUnit, Scope], Prepared | None],
) -> Analysis | None:
    """Lower a function for ``arguments``: live objects, or Declared types, by parameter name.

    Returns:
        None where it has errors; they are in ``diagnostics``.

    Raises:
        NoVerdict: it depends on something that nothing is known of.
    """
    unit, inputs = prepared.unit, InputSet()
    module, facts = Module(unit.name), ShapeFacts(inputs.hints)
    compilation = Compilation(module, diagnostics, inputs, facts, prepare, stack=[prepared.node])
    graph = new_graph(compilation, "main", unit.span(prepared.node), None)
    graph.function.name = module.entry
    module.add(graph.function)
    lowerer = Statements(compilation, graph, Frame(prepared, scope))
    with graph.builder.current():
        try:
            lowerer.frame.env.update(_bind(lowerer, prepared, arguments, static))
            output = _output(lowerer, lowerer.run(prepared.node))
        except DiagnosticError as error:
            lowerer.report(error, prepared.node)
        except Poisoned:
            assert diagnostics.has_errors  # it was reported where it arose
    if diagnostics.has_errors:
        return None
    facts.apply(module)
    for function in module.functions.values():
        rewriter.refresh_uses(function)
    graph_inputs = tuple(Input(path, argument.type) for path, argument in graph.captures.items())
    return Analysis(module, graph_inputs, tuple(inputs.guards.values()), output)


def _bind(
    lowerer: Statements,
    prepared: Prepared,
    arguments: Mapping[str, Any],
    static: frozenset[str],
) -> dict[str, Any]:
    """The parameters' compile-time forms. Every run-time leaf is an input, read or not."""
    inputs, unit = lowerer.compilation.inputs, prepared.unit
    env: dict[str, Any] = {}
    for parameter in prepared.parameters:
        value, path = arguments[parameter.name], Path(Argument(parameter.name))
        span = unit.span(parameter.node)
        lowerer.builder.span = lowerer.frame.spans[parameter.name] = span
        try:
            if isinstance(value, Declared):
                env[parameter.name] = lowerer.localize(inputs.declare(path, value.tree), path)
            elif parameter.name in static:
                inputs.guard(path, "equals", value)
                env[parameter.name] = value
            else:
                env[parameter.name] = lowerer.outside(path, value, parameter.name, scalars=True)
        except DiagnosticError as error:
            error.span = error.span or span
            raise
    return env


def _output(lowerer: Statements, result: Any) -> Any:
    """End the function with the leaves of what it returns."""
    values: list[Value] = []
    seen: set[int] = set()

    def refuse(what: str) -> None:
        span = lowerer.frame.spans.get("%result")
        raise DiagnosticError(catalog.UNSUPPORTED_RETURN, span, type=what)

    def leaf(value: Any) -> Any:
        if isinstance(value, Value):
            values.append(value)
            return Result(len(values) - 1)
        if not (is_scalar(value) or value is None or isinstance(value, _RETURNED_AS_THEY_ARE)):
            refuse(kind_of(value))
        return value

    def place(tree: Any) -> Any:
        if isinstance(tree, Instance):
            return tree
        if type(tree) not in (tuple, list, dict):
            return leaf(tree)
        if id(tree) in lowerer.compilation.containers:
            return Instance(lowerer.compilation.containers[id(tree)][1], tree)
        if id(tree) in seen and not isinstance(tree, tuple):
            refuse(f"{type(tree).__name__} that it holds twice")
        seen.add(id(tree))
        if isinstance(tree, dict):
            return {key: place(item) for key, item in tree.items()}
        return type(tree)(map(place, tree))

    output = place(result)
    lowerer.builder.emit(ops.return_, values)
    return output
