"""From a call to compiled code: analyse, optimise, compile, and write the entry function.

In: a Target (the user's function and the options of ``jit``) and the arguments of a call by name.
Out: a Specialization, whose ``entry`` runs every call that its guards fit. A problem in the user's
function is raised as one CompileError that carries all of its diagnostics.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from staticpy import autodiff
from staticpy.backends import DirectPlan, Executable, Options
from staticpy.diagnostics import CompileError, Diagnostic, DiagnosticError, Diagnostics, catalog
from staticpy.frontend import Analysis, BindingTimes, Path, RuntimeScope, analyze
from staticpy.ir import Module, copy_module
from staticpy.passes import inline, optimize
from staticpy.runtime.changing import changed_numbers, constant_numbers
from staticpy.runtime.definitions import definition
from staticpy.runtime.direct_plans import make_plan
from staticpy.runtime.entry import make_entry
from staticpy.runtime.expansion import derive, transform
from staticpy.runtime.handlers import is_of_a_handler
from staticpy.runtime.parameters import Parameters
from staticpy.runtime.tensor_calls import TensorCall
from staticpy.source import NO_SPAN, SourceError, SourceSpan, from_function, rare_collection


@dataclass(frozen=True, slots=True)
class Target:
    """What is compiled, and how; the arguments at the paths in ``static`` are compiled in."""

    function: types.FunctionType
    parameters: Parameters
    static: frozenset[Path]
    options: Options

    @property
    def span(self) -> SourceSpan:
        """The first line of the function, for what has no better place."""
        code = self.function.__code__
        line = code.co_firstlineno
        return SourceSpan(code.co_filename, line, 0, line, 0, self.function.__qualname__)

    def diagnostics(self) -> Diagnostics:
        """What collects what is found; of a function that this package has made, at the user's."""
        place = definition(self.function)
        return Diagnostics(None if place is NO_SPAN else place)


@dataclass(frozen=True, slots=True, eq=False)
class Specialization:
    """Compiled code and the entry function that says which calls it fits.

    ``constants`` are the numbers of attributes and globals that are part of the code, by path;
    ``run_time`` are the paths where such numbers are read at each call; ``tensors`` runs the code
    where inputs are Tensors; ``direct`` is what native code needs to take the calls itself.
    """

    entry: Callable[..., Any]
    executable: Executable
    module: Module
    constants: Mapping[Path, Any]
    run_time: frozenset[Path] = frozenset()
    tensors: TensorCall | None = None
    direct: DirectPlan | None = None

    def spans(self) -> Mapping[str, Mapping[int, SourceSpan]]:
        """The lines of the program, for each file of generated code."""
        if self.tensors is not None:
            return self.tensors.spans()
        return self.executable.lines()


def spans_of(specializations: Iterable[Specialization]) -> Mapping[str, Any]:
    """The lines of the program, for each file of their generated code."""
    spans: dict[str, Any] = {}
    for each in specializations:
        spans.update(each.spans())
    return spans


@contextmanager
def _reported(target: Target, diagnostics: Diagnostics) -> Iterator[None]:
    """Run stages, and turn what they raise into a CompileError."""
    try:
        with rare_collection():
            yield
    except CompileError:
        raise
    except SourceError as error:
        spec = getattr(catalog, error.kind)
        diagnostics.append(Diagnostic(spec, error.span or target.span, dict(error.fields)))
        raise CompileError(diagnostics) from None
    except DiagnosticError as error:
        diagnostics.append(error.diagnostic(target.span))
        raise CompileError(diagnostics) from None
    except Exception as error:
        if is_of_a_handler(error):
            raise
        detail = f"{type(error).__name__}: {error}"
        diagnostics.add(catalog.INTERNAL_ERROR, target.span, detail=detail)
        raise CompileError(diagnostics) from error


def analyze_call(
    target: Target,
    arguments: Mapping[str, Any],
    diagnostics: Diagnostics,
    run_time: frozenset[Path] = frozenset(),
) -> Analysis:
    """Lower the target for a call with these arguments.

    Raises:
        CompileError: the function, or an argument, is not part of the language.
    """
    with _reported(target, diagnostics):
        unit = from_function(target.function)
        scope = RuntimeScope(target.function)
        binding = BindingTimes(target.static, run_time)
        analysis = analyze(unit, scope, arguments, diagnostics, binding)
    if analysis is None or diagnostics.has_errors:
        raise CompileError(diagnostics)
    return analysis


def compile_analysis(
    target: Target,
    analysis: Analysis,
    diagnostics: Diagnostics,
    run_time: frozenset[Path] = frozenset(),
) -> Specialization:
    """Optimise and compile the module of ``analysis``, which is changed in place.

    Raises:
        CompileError: the backend can't run the module.
    """
    count = len(analysis.module.main.results)
    with _reported(target, diagnostics):
        if analysis.tensors is not None:
            executable, tensors = _of_tensors(target, analysis, analysis.tensors)
        else:
            transform(analysis.module)
            executable, tensors = target.options.compile(analysis.module), None
    run = executable.function if tensors is None else tensors
    entry = make_entry(target.function, target.parameters, analysis, run, count)
    constants = constant_numbers(analysis.guards)
    native, direct = executable.native, None
    if native is not None and tensors is None:
        direct = make_plan(target.function, target.parameters, analysis, native.entry, count)
        if direct is not None:
            direct.keep(executable)
    return Specialization(entry, executable, analysis.module, constants, run_time, tensors, direct)


def _of_tensors(
    target: Target, analysis: Analysis, paths: Mapping[Path, Path]
) -> tuple[Executable, TensorCall]:
    """The same where the function meets Tensors; ``paths`` are those of what they hold."""
    module = analysis.module
    count = len(module.main.results)
    autodiff.hand_out(module)
    inline(module)
    lowered = copy_module(module)
    numbers = [n for n, each in enumerate(analysis.inputs) if each.path in paths]
    recorded = (
        autodiff.recorded_results(module, numbers),
        autodiff.recorded_writes(module, numbers),
    )
    derive(module, of_tensors=True)
    flow = autodiff.tensor_flow(module, numbers, recorded)
    optimize(module)
    executable = target.options.compile(module)
    return executable, TensorCall(lowered, numbers, flow, executable, target.options, count)


def specialize(
    target: Target, arguments: Mapping[str, Any], known: Iterable[Specialization] = ()
) -> Specialization:
    """Compile the target for a call with these arguments.

    A number of an attribute or a global that is not what it was when one of ``known`` was compiled
    is read at each call from now on, unless what is compiled depends on it.

    Raises:
        CompileError: something is not part of the language, or not of the backend.
    """
    known = list(known)
    changing = changed_numbers([each.constants for each in known], arguments)
    changing = changing.union(*(each.run_time for each in known))
    if changing:
        try:
            return _specialize(target, arguments, changing)
        except CompileError:
            pass
    return _specialize(target, arguments, frozenset())


def _specialize(
    target: Target, arguments: Mapping[str, Any], run_time: frozenset[Path]
) -> Specialization:
    diagnostics = target.diagnostics()
    with rare_collection():  # once for both, as what is collected between them is still in use
        analysis = analyze_call(target, arguments, diagnostics, run_time)
        return compile_analysis(target, analysis, diagnostics, run_time)
