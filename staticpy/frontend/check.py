"""``check``: the verdict of the compiler on the functions of a file, from its text alone.

In: text. Out: diagnostics. Each function goes through the same ``analyze`` as a call of it would,
with the types of its annotations; where a parameter's type is not known, through the stages before
lowering.
"""

from __future__ import annotations

import ast
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

from staticpy.diagnostics import (
    Diagnostic,
    DiagnosticError,
    Diagnostics,
    DiagnosticSpec,
    Label,
    catalog,
)
from staticpy.frontend.analyze import analyze
from staticpy.frontend.declared import (
    declared_arguments,
    is_known,
    is_method,
    open_types,
    parameters_of_text,
    type_of_parameter,
)
from staticpy.frontend.hazards import growing_arrays, recompilations
from staticpy.frontend.inputs import Declared, Path
from staticpy.frontend.lower import Analysis
from staticpy.frontend.open_types import found_for_all
from staticpy.frontend.own_methods import found_in_methods
from staticpy.frontend.project import Project
from staticpy.frontend.reading import read_function
from staticpy.frontend.refused_calls import refused_calls
from staticpy.frontend.resolve import FunctionNames, report_generator
from staticpy.frontend.scope import RuntimeScope
from staticpy.frontend.static_cells import constructs
from staticpy.frontend.static_scope import StaticModule, StaticScope, dotted, own_nodes
from staticpy.frontend.static_transforms import Transform, transformed
from staticpy.frontend.summary import UNCHECKED, FunctionSummary, summarize
from staticpy.frontend.values import UserFunction
from staticpy.ir import Module
from staticpy.source import (
    SourceError,
    SourceSpan,
    SourceUnit,
    descendants,
    from_function,
    from_text,
    rare_collection,
)


@dataclass(frozen=True, slots=True)
class Stages:
    """The stages behind lowering; each raises a DiagnosticError where a graph can't go on.

    ``derive`` expands the derivatives in a graph. ``compile`` compiles a graph for the backend of a
    name: that which the program gives to ``jit``, else ``backend``; for None it is not compiled.
    """

    derive: Callable[[Module], None]
    compile: Callable[[Module, str], None] | None = None
    backend: str | None = None

    def __call__(self, graph: Module, backend: str | None) -> None:
        """Take a graph through them."""
        self.derive(graph)
        name = backend or self.backend
        if self.compile is not None and name is not None:
            self.compile(graph, name)


@dataclass(frozen=True, slots=True)
class FileReport:
    """What there is to say of a file, and of each function in it that was checked.

    ``read``: the paths of other files that were looked for: what is said holds while they stay as
    they are.
    """

    diagnostics: Diagnostics
    functions: tuple[FunctionSummary, ...] = ()
    read: tuple[str, ...] = ()


def check_text(
    text: str,
    file: str = "<string>",
    scope: str = "decorated",
    *,
    say_unchecked: bool = False,
    stages: Stages | None = None,
) -> Diagnostics:
    """The diagnostics of ``check_file``."""
    report = check_file(text, file, scope, say_unchecked=say_unchecked, stages=stages)
    return report.diagnostics


@rare_collection()
def check_file(
    text: str,
    file: str = "<string>",
    scope: str = "decorated",
    *,
    say_unchecked: bool = False,
    stages: Stages | None = None,
    project: Project | None = None,
) -> FileReport:
    """Everything that keeps functions of a file from being compiled. Nothing is imported or run.

    Args:
        text: the text of the file, decoded.
        file: its name, for the spans.
        scope: ``decorated``: the functions that the file gives to ``staticpy.jit``; ``reachable``:
            those and the functions of the project that they call; ``all``: every one that is not
            nested in another.
        say_unchecked: whether to say, as an info, where a function is checked only in part.
        stages: what comes behind lowering; without them derivatives are not checked.
        project: reads the other files that the file imports; None to look for none.
    """
    diagnostics = Diagnostics()
    try:
        source = from_text(text, file)
    except SourceError as error:
        report_source_error(error, file, diagnostics)
        return FileReport(diagnostics)
    module = StaticModule(source) if project is None else project.open(source)
    with closing(module if project is None else project):
        return _report(module, scope, diagnostics, stages, project, say_unchecked=say_unchecked)


def _report(
    module: StaticModule,
    scope: str,
    diagnostics: Diagnostics,
    stages: Stages | None,
    project: Project | None,
    *,
    say_unchecked: bool,
) -> FileReport:
    entries = {item.unit: item.static for item in module.jitted()}
    in_graph_mode = constructs(module, is_graph_mode=project is not None and project.is_graph_mode)
    entries.update((unit, frozenset()) for unit in in_graph_mode if unit not in entries)
    seen = set()
    functions = []
    for unit, found in _findings(module, entries, scope, stages):
        if unit is not None:
            functions.append(summarize(unit.span(unit.node), found))
        for diagnostic in found:  # a function may be checked by itself and from its callers
            place = diagnostic.code, diagnostic.span.place
            if place not in seen and (say_unchecked or diagnostic.spec not in UNCHECKED):
                diagnostics.append(diagnostic)
            seen.add(place)
    return FileReport(diagnostics, tuple(functions), project.read if project else ())


def _findings(
    module: StaticModule,
    entries: Mapping[SourceUnit, frozenset[str]],
    scope: str,
    stages: Stages | None,
) -> Iterator[tuple[SourceUnit | None, Iterable[Diagnostic]]]:
    """What there is to say of functions, of the derivatives that the file makes, and of loops in
    plain Python.
    """
    has_numpy = "numpy" in module.source.text
    for unit, static in _selected(module, entries, scope).items():
        found = Diagnostics()
        if unit in entries or not _is_generator(unit):
            check_unit(unit, module, static, found, stages, is_entry=unit in entries)
        else:
            read_function(unit, module.scope_of(unit), found)
        for hint in growing_arrays(unit, module) if has_numpy else ():
            found.append(hint)
        yield unit, found
    for item in transformed(module, entries) if stages is not None else ():
        found = Diagnostics()
        arguments = declared_arguments(item.unit, module, frozenset())
        if arguments is not None:
            function = module.function(item.unit)
            program, unknown = item.transform(function), catalog.UNCHECKED_REST
            graph = _lower_transformed(program, item.unit, arguments, found, unknown)
            _finish(graph, item.unit, stages, found)
        yield None, [_asked_for(each, item.place) for each in found]
    yield from ((None, [each]) for each in recompilations(module, entries))


def _asked_for(item: Diagnostic, place: SourceSpan) -> Diagnostic:
    """A finding in a derivative, with the place that asks for it."""
    is_of_derivative = item.spec is catalog.DERIVATIVE_CUT or item.code.startswith("SPY7")
    if not is_of_derivative:
        return item
    label = Label(place, "the derivative is asked for here")
    return replace(item, labels=(*item.labels, label))


def _finish(
    graph: Module | None,
    unit: SourceUnit,
    stages: Stages | None,
    diagnostics: Diagnostics,
    backend: str | None = None,
) -> None:
    """Report what in a graph has no derivative, or no form in the backend of the function."""
    if graph is None or stages is None or diagnostics.has_errors:
        return
    try:
        stages(graph, backend)
    except DiagnosticError as error:
        diagnostics.append(error.diagnostic(unit.span(unit.node)))


def report_source_error(error: SourceError, file: str, diagnostics: Diagnostics) -> None:
    """Keep what a file that can't be read says."""
    span = error.span or SourceSpan(file, 1, 0, 1, 0)
    diagnostics.add(getattr(catalog, error.kind), span, (), **error.fields)


def check_unit(
    unit: SourceUnit,
    module: StaticModule,
    static: frozenset[str],
    diagnostics: Diagnostics,
    stages: Stages | None = None,
    *,
    is_entry: bool = False,
) -> Analysis | None:
    """Check one function; its graph, where its annotations say enough to make one. Of one that is
    no entry, and has no annotations, only the text is looked at.
    """
    scope = module.scope_of(unit)
    arguments = declared_arguments(unit, module, static, may_be_partial=True)
    is_typed = arguments is not None and _is_typed(unit, arguments)
    alternatives = open_types(unit, scope, arguments) if arguments and not is_typed else {}
    analysis, names = None, None
    is_worth_it = is_entry or not arguments or any(map(is_known, arguments.values()))
    if arguments is not None and is_worth_it:
        unknown = catalog.UNCHECKED_REST if is_typed else None
        analysis = analyze(unit, scope, arguments, diagnostics, unknown=unknown)
        if analysis is None:  # it may have met what is not known
            names = read_function(unit, scope, Diagnostics())
    else:
        names = read_function(unit, scope, diagnostics)
        if names is not None and names.is_generator:
            report_generator(names.node, unit, diagnostics)
    said = {(item.code, item.span.line) for item in diagnostics}
    for refused in _refused(names, unit, module, is_entry) if names is not None else ():
        if (refused.code, refused.span.line) not in said:
            diagnostics.append(refused)
    if arguments is not None and alternatives and not diagnostics.has_errors:
        given = found_for_all(unit, scope, arguments, alternatives, list(diagnostics))
        for each in given:
            diagnostics.append(each)
    if not (is_typed and is_worth_it):
        _say_unchecked(unit, scope, static, diagnostics)
    graph = analysis.module if analysis else None
    _finish(graph, unit, stages, diagnostics, module.backend_of(unit))
    return analysis


def _refused(
    names: FunctionNames, unit: SourceUnit, module: StaticModule, is_entry: bool
) -> Iterator[Diagnostic]:
    """What keeps a function from being compiled, whatever the types that are not known."""
    yield from refused_calls(names, unit, module.scope_of(unit))
    if is_entry:  # of others each is checked for what it is, and so are its methods
        yield from found_in_methods(names, unit, module)


def _say_unchecked(
    unit: SourceUnit, scope: StaticScope, static: frozenset[str], diagnostics: Diagnostics
) -> None:
    """Say which parameter's type is the first that is not known."""
    for parameter in parameters_of_text(unit):
        if parameter.arg in static or type_of_parameter(parameter, scope) is None:
            span = unit.span(parameter)
            names = {"function": unit.name, "name": parameter.arg}
            diagnostics.add(catalog.UNCHECKED_TYPES, span, (), **names)
            return


def _is_generator(unit: SourceUnit) -> bool:
    return unit.mentions("yield") and any(
        isinstance(node, ast.Yield | ast.YieldFrom) for node in own_nodes(unit.node)
    )


def _is_typed(unit: SourceUnit, arguments: Mapping[str, Any]) -> bool:
    """Whether the type of each parameter is known, but of the object of a method."""
    known = list(map(is_known, arguments.values()))
    return all(known[1:] if is_method(unit) else known)


def lower_function(
    text: str,
    file: str,
    qualname: str,
    transform: Transform | None = None,
    project: Project | None = None,
) -> tuple[Module | None, Diagnostics]:
    """The graph of one annotated function of a file, and what there is to say of it.

    Args:
        text: the text of the file, decoded.
        file: its name, for the spans.
        qualname: the function.
        transform: gives what is lowered in the place of the function.
        project: reads the other files that the file imports; None to look for none.

    Returns:
        The Module, or None where the function has errors or an annotation says too little.
    """
    diagnostics = Diagnostics()
    try:
        source = from_text(text, file)
    except SourceError as error:
        report_source_error(error, file, diagnostics)
        return None, diagnostics
    unit = next((unit for unit in source if unit.qualname == qualname), None)
    if unit is None:
        return None, diagnostics
    module = StaticModule(source) if project is None else project.open(source)
    scope = module.scope_of(unit)
    arguments = declared_arguments(unit, module, frozenset(), may_be_partial=transform is None)
    if arguments is None or not _is_typed(unit, arguments):
        _report_annotations(unit, scope, diagnostics, but_receiver=transform is None)
        return None, diagnostics
    if transform is not None:
        program = transform(module.function(unit))
        unknown = catalog.UNKNOWN_FROM_TEXT
        return _lower_transformed(program, unit, arguments, diagnostics, unknown), diagnostics
    analysis = analyze(unit, scope, arguments, diagnostics, unknown=catalog.UNKNOWN_FROM_TEXT)
    return (analysis.module if analysis else None), diagnostics


class _Unguarded(RuntimeScope):
    """The names around a program of this library, to which no call is bound."""

    def path(self, _name: str) -> Path | None:
        return None


def _lower_transformed(
    program: types.FunctionType,
    unit: SourceUnit,
    arguments: Mapping[str, Any],
    diagnostics: Diagnostics,
    unknown: DiagnosticSpec | None,
) -> Module | None:
    """The graph of ``program(*args, **kwargs)`` for the arguments of ``unit``, with their names."""
    by_name = [parameter.arg for parameter in unit.node.args.kwonlyargs]
    names = [name for name in arguments if name not in by_name]
    given = {
        "args": Declared(tuple(arguments[name].tree for name in names)),
        "kwargs": Declared({name: arguments[name].tree for name in by_name}),
    }
    source, scope = from_function(program), _Unguarded(program)
    analysis = analyze(source, scope, given, diagnostics, unknown=unknown)
    if analysis is None:
        return None
    for given_at, argument in zip(analysis.inputs, analysis.module.main.block.args, strict=True):
        (_, key), *steps = given_at.path.steps
        first = names[key] if isinstance(key, int) else key
        argument.name = "_".join([first, *(str(each) for _, each in steps)])
    return analysis.module


def _report_annotations(
    unit: SourceUnit, scope: StaticScope, diagnostics: Diagnostics, *, but_receiver: bool
) -> None:
    """Say which parameters' types are not known, and why; not of the object of a method, if that
    may be unknown.
    """
    arguments = unit.node.args
    parameters = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    for parameter in parameters[1:] if but_receiver and is_method(unit) else parameters:
        span, annotation = unit.span(parameter), parameter.annotation
        if annotation is None:
            diagnostics.add(catalog.MISSING_ANNOTATION, span, name=parameter.arg)
        elif type_of_parameter(parameter, scope) is None:
            text = ast.unparse(annotation)
            diagnostics.add(catalog.UNSUPPORTED_ANNOTATION, span, annotation=text)
    for variadic in (arguments.vararg, arguments.kwarg):
        if variadic is not None:
            diagnostics.add(catalog.VARIADIC_PARAMETERS, unit.span(variadic), name=variadic.arg)


def _selected(
    module: StaticModule, entries: Mapping[SourceUnit, frozenset[str]], scope: str
) -> dict[SourceUnit, frozenset[str]]:
    """The functions to check, with their static parameters."""
    selected = dict(entries)
    if scope == "decorated":
        return selected
    if scope == "all":
        for unit in module.source:
            if "<locals>" not in unit.qualname:
                selected.setdefault(unit, frozenset())
        return selected
    pending = list(selected)
    while pending:
        for callee in _callees(pending.pop(), module):
            if callee not in selected:
                selected[callee] = frozenset()
                pending.append(callee)
    return selected


def _callees(unit: SourceUnit, module: StaticModule) -> list[SourceUnit]:
    """The functions of the project whose names a function reads."""
    scope = module.scope_of(unit)
    names = read_function(unit, scope, Diagnostics())
    if names is None:
        return []
    outer = names.free | names.from_module
    paths = {path for node in descendants(unit.node) if (path := dotted(node)) is not None}
    read = (path for path in sorted(paths) if path.partition(".")[0] in outer)
    values = (scope.value_at(ast.parse(path, mode="eval").body) for path in read)
    return [value.unit for value in values if isinstance(value, UserFunction)]
