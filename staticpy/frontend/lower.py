"""Lowering: a prepared function and its arguments → a Module.

The parts of the lowerer build on one another: Memory → Attributes → Objects → Containers →
Expressions → Branches → Calls → Nonlocals → Functions → Loops → Iteration → Assignment → Try →
Match → Statements → Annotations → CaughtTypes → CertainErrors → Labelled → Hinting → Noting.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from staticpy import ops
from staticpy.diagnostics import DiagnosticError, Diagnostics, catalog
from staticpy.frontend.attempts import Attempts
from staticpy.frontend.inputs import (
    Argument,
    BindingTimes,
    Declared,
    Guard,
    Input,
    Instance,
    Path,
    RunTimeTuple,
    Unknown,
    Variant,
    make_tuple,
    tree_leaves,
)
from staticpy.frontend.kinds import kind_of
from staticpy.frontend.lower_base import (
    Activations,
    Compilation,
    Frame,
    Prepared,
    new_graph,
)
from staticpy.frontend.lower_notes import Noting
from staticpy.frontend.lower_stmt import Statements
from staticpy.frontend.notes import Note
from staticpy.frontend.scope import Scope
from staticpy.frontend.values import (
    AttributesRef,
    DictRef,
    Generator,
    IteratorRef,
    ListRef,
    ObjectRef,
    PathEnds,
    Pending,
    Poisoned,
    RangeIterable,
    Ref,
    SetRef,
    UserFunction,
    is_scalar,
)
from staticpy.frontend.widths import LowerAgain
from staticpy.ir import Module, ShapeFacts, Value, rewriter
from staticpy.source import SourceUnit

_RETURNED_AS_THEY_ARE = (str, bytes, type(...), type, np.dtype, range, frozenset, enum.Enum)


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
        tensors: where the inputs are Tensors, the path of the Tensor by that of what it holds; None
            where the function meets no Tensors.
    """

    module: Module
    inputs: tuple[Input, ...]
    guards: tuple[Guard, ...]
    output: Any
    notes: tuple[Note, ...] = ()
    tensors: Mapping[Path, Path] | None = None


def lower(
    prepared: Prepared,
    scope: Scope,
    arguments: Mapping[str, Any],
    binding: BindingTimes,
    diagnostics: Diagnostics,
    prepare: Callable[[SourceUnit, Scope], Prepared | None],
) -> Analysis | None:
    """Lower a function for ``arguments``: live objects, or Declared types, by parameter name.

    Numbers in attributes and globals are part of the compiled code, unless ``binding`` says
    otherwise. What only lowering finds out has it lowered once more (``attempts``).

    Returns:
        None where it has errors; they are in ``diagnostics``.

    Raises:
        NoVerdict: it depends on something that nothing is known of.
    """
    attempts = Attempts(set(binding.run_time))
    mark = diagnostics.mark()
    while True:
        inputs = attempts.inputs()
        inputs.static = binding.static
        compilation = Compilation(
            Module(prepared.unit.name),
            diagnostics,
            inputs,
            ShapeFacts(inputs.hints),
            prepare,
            in_steps=attempts.in_steps,
            pairs_in_memory=attempts.pairs_in_memory,
            widths=attempts.widths,
            instances=attempts.instances,
            derivatives=attempts.derivatives,
        )
        try:
            analysis = _lower_once(compilation, prepared, scope, arguments)
        except LowerAgain as reason:
            attempts.broken_off(reason)
        except RecursionError:
            if compilation.endless is None:
                raise
            kind, span = compilation.endless
            diagnostics.rollback(mark)
            diagnostics.add(catalog.HOLDS_ITSELF, span, kind=kind)
            return None
        else:
            if not attempts.need_another(compilation, mark):
                if compilation.unknown:
                    raise compilation.unknown
                return analysis
        diagnostics.rollback(mark)


def _lower_once(
    compilation: Compilation,
    prepared: Prepared,
    scope: Scope,
    arguments: Mapping[str, Any],
) -> Analysis | None:
    module, inputs = compilation.module, compilation.inputs
    graph = new_graph(compilation, "main", prepared.unit.span(prepared.node), None)
    graph.function.name = module.entry
    module.add(graph.function)
    lowerer = Noting(compilation, graph, Frame(prepared, scope, compilation.journal))
    output = None
    with graph.builder.current():
        try:
            bound = _bind(lowerer, prepared, arguments)
            calls = [(bound, graph.function.block)]
            compilation.active[(prepared.node, 0), None] = Activations(calls, 1)
            lowerer.frame.bind(bound)
            output = _Output(lowerer).end(lowerer.run(prepared.node))
        except DiagnosticError as error:
            lowerer.report(error, prepared.node)
        except PathEnds:  # every path raises
            lowerer.builder.emit(ops.return_, [])
        except (Poisoned, Pending):
            # It was reported where it arose.
            assert compilation.diagnostics.has_errors or compilation.unknown
    if compilation.diagnostics.has_errors:
        return None
    for warning in (*lowerer.certain_errors(), *lowerer.hints()):
        compilation.diagnostics.append(warning)
    if compilation.unknown:
        return None
    _keep_apart(compilation)
    facts = compilation.facts
    facts.apply(module)
    for function in module.functions.values():
        rewriter.refresh_uses(function)
    graph_inputs = tuple(Input(path, argument.type) for path, argument in graph.captures.items())
    notes = compilation.notes.finish(module, facts)
    guards = tuple(inputs.guards.values())
    tensors = inputs.tensors if inputs.expects_tensors else None
    return Analysis(module, graph_inputs, guards, output, notes, tensors)


def _keep_apart(compilation: Compilation) -> None:
    """What the program writes to, or compares by ``is``, must be as many objects at each call."""
    refs = [ref for ref in compilation.outside.values() if ref.path is not None]
    compilation.inputs.keep_apart((ref.path, ref.live) for ref in refs)


def _bind(lowerer: Statements, prepared: Prepared, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters' compile-time forms. Every run-time leaf is an input, read or not."""
    inputs, unit = lowerer.compilation.inputs, prepared.unit
    env: dict[str, Any] = {}
    for parameter in prepared.parameters:
        value, path = arguments[parameter.name], Path(Argument(parameter.name))
        span = unit.span(parameter.node)
        lowerer.builder.span = lowerer.frame.spans[parameter.name] = span
        try:
            if isinstance(value, Unknown):  # whoever reads it has no verdict
                env[parameter.name] = value
                continue
            if isinstance(value, Declared):
                env[parameter.name] = lowerer.captured(inputs.declare(path, value.tree))
            else:
                env[parameter.name] = lowerer.outside(path, value, parameter.name, scalars=True)
        except DiagnosticError as error:
            error.span = error.span or span
            raise
        lowerer.compilation.notes.assigned(span, parameter.name, env[parameter.name])
    return env


class _Output:
    """Ends the graph with the leaves of what the function returns."""

    def __init__(self, lowerer: Statements) -> None:
        self._lowerer = lowerer
        self._values: list[Value] = []
        self._times: dict[Ref, int] = {}

    def end(self, result: Any) -> Any:
        """Emit ``return``; what the function returns, with a Result for each Value."""
        self._count(result)
        output = self._place(result)
        self._lowerer.builder.emit(ops.return_, self._values)
        return output

    def _count(self, tree: Any) -> None:
        """How often each container is held: one that is held twice is one object."""
        if isinstance(tree, tuple):
            for item in tree:
                self._count(item)
        if not isinstance(tree, ListRef | DictRef) or tree.path is not None:
            return
        self._times[tree] = self._times.get(tree, 0) + 1
        content = self._lowerer.content(tree)
        if self._times[tree] == 1 and not isinstance(content, Value):
            items = content.values() if isinstance(content, dict) else content
            for item in items:
                self._count(item)

    def _place(self, tree: Any) -> Any:
        if isinstance(tree, Variant):
            return self._place(self._lowerer.to_object(tree))
        is_range = isinstance(tree, RangeIterable) and tree.stop is not None
        if is_range or isinstance(tree, RunTimeTuple):
            return self._place(self._lowerer.to_object(tree))
        if isinstance(tree, Ref):
            return self._place_ref(tree)
        if isinstance(tree, tuple):
            known = self._lowerer.compilation.inputs.place_of(tree)
            if known is not None:
                return Instance(known, tree)
            return make_tuple(tree, [self._place(item) for item in tree])
        if isinstance(tree, slice):
            return slice(*map(self._place, (tree.start, tree.stop, tree.step)))
        if isinstance(tree, Value):
            self._values.append(tree)
            return Result(len(self._values) - 1)
        if isinstance(tree, UserFunction) and tree.function is not None:
            return tree.function
        if not (is_scalar(tree) or tree is None or isinstance(tree, _RETURNED_AS_THEY_ARE)):
            self._refuse(kind_of(tree))
        return tree

    def _place_ref(self, ref: Ref) -> Any:
        lowerer = self._lowerer
        if isinstance(ref, Generator | IteratorRef):
            span = lowerer.frame.spans.get("%result")
            raise DiagnosticError(catalog.ESCAPING_GENERATOR, span)
        if ref.path is not None:
            return Instance(ref.path, ref.live)
        content = lowerer.content(ref)
        is_object = isinstance(ref, ObjectRef | AttributesRef) or lowerer.handle_of(ref) is not None
        if is_object or isinstance(content, Value) or self._times.get(ref, 0) > 1:
            return self._place(lowerer.materialize(ref))
        if isinstance(ref, SetRef | DictRef) and _hold_refs(content):
            self._refuse("set[object]" if isinstance(ref, SetRef) else "dict[object, …]")
        if isinstance(ref, SetRef):
            return set(content)
        if isinstance(ref, DictRef):
            return {key: self._place(item) for key, item in content.items()}
        return [self._place(item) for item in content]

    def _refuse(self, what: str) -> None:
        span = self._lowerer.frame.spans.get("%result")
        raise DiagnosticError(catalog.UNSUPPORTED_RETURN, span, type=what)


def _hold_refs(keys: Iterable[Any]) -> bool:
    """Whether a set or dict is made of objects or functions, which the compiler has its own for."""
    leaves = tree_leaves(tuple(keys))
    return any(type(leaf).__module__.startswith("staticpy.frontend") for leaf in leaves)
