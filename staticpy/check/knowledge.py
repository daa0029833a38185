"""What the compiler knows of a text beyond its faults: types by line, and graphs by function.

In: the text of a file. Out: notes, or a function at one stage of its compilation. Of functions
whose parameters are annotated; nothing is run.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any

from staticpy.check.analysis import OpenProject, may_hold_jit
from staticpy.diagnostics import DiagnosticError, Diagnostics
from staticpy.source import NO_SPAN, SourceError, SourceSpan, SourceUnit, from_text

_NATIVE_STAGES = ("kernels", "llvm", "asm")
STAGES = ("ir", "opt", "source", *_NATIVE_STAGES)
"""What there is to see of a function: its graph as lowered, after the passes, as Python source; and
of native code which loops there are, the code of LLVM, optimised, and that of the processor.
"""


@dataclass(frozen=True, slots=True)
class Known:
    """One function that is compiled, and the notes on its lines."""

    name: str
    span: SourceSpan
    notes: tuple[Any, ...]
    """The frontend's: each has ``span``, ``kind``, ``subject`` and ``text``."""


def known_of(text: str, file: str, open_project: OpenProject | None = None) -> list[Known]:
    """The functions of a text that are given to ``staticpy.jit`` and can be compiled.

    Args:
        text: the text of the file, decoded.
        file: its name.
        open_project: how to read the other files that the text imports; None to read none.
    """
    try:
        source = from_text(text, file)
    except SourceError:
        return []
    if not may_hold_jit(text.encode("utf-8", "replace")):
        return []
    frontend = import_module("staticpy.frontend")
    project = open_project() if open_project else None
    module = project.open(source) if project else frontend.StaticModule(source)
    found = []
    for item in module.jitted():
        notes = _notes(frontend, item.unit, module, item.static)
        if notes is not None:
            found.append(Known(item.unit.qualname, item.unit.span(item.unit.node), notes))
    return found


def _notes(frontend: Any, unit: SourceUnit, module: Any, static: Any) -> tuple[Any, ...] | None:
    arguments = frontend.declared_arguments(unit, module, static)
    if arguments is None:
        return None
    diagnostics = Diagnostics()
    analysis = frontend.analyze(unit, module.scope_of(unit), arguments, diagnostics)
    if analysis is None or diagnostics.has_errors:
        return None
    return tuple(analysis.notes)


def lacking_for(stage: str) -> str:
    """What has to be installed to see a stage, in words; "" if nothing has to be."""
    if stage not in _NATIVE_STAGES:
        return ""
    try:
        import_module("staticpy.backends").get_backend("llvm")
    except ValueError as error:
        return str(error)
    return ""


def show(
    text: str,
    file: str,
    name: str,
    stage: str,
    argnums: int | tuple[int, ...] | None = None,
    open_project: OpenProject | None = None,
) -> tuple[str | None, Diagnostics]:
    """One annotated function of a text at a stage, or why there is none.

    Args:
        text: the text of the file, decoded.
        file: its name.
        name: the qualified name of the function.
        stage: one of STAGES.
        argnums: the parameters to differentiate by; None for the function itself.
        open_project: how to read the other files that the text imports; None to read none.
    """
    lower_function = import_module("staticpy.frontend").lower_function
    transform = None if argnums is None else _gradient_by(argnums)
    module, diagnostics = lower_function(
        text, file, name, transform, open_project() if open_project else None
    )
    if module is None or diagnostics.has_errors:
        return None, diagnostics
    try:
        return _stage(module, stage).rstrip("\n"), diagnostics
    except DiagnosticError as error:
        diagnostics.append(error.diagnostic(NO_SPAN))
        return None, diagnostics


def _gradient_by(argnums: int | tuple[int, ...]) -> Callable[[Any], Any]:
    """What makes the gradient of a function of the file."""
    return partial(import_module("staticpy.runtime").grad, argnums=argnums)


def _stage(module: object, stage: str) -> str:
    """The text of a module at a stage after lowering."""
    if stage != "ir":
        import_module("staticpy.runtime").transform(module)
    if stage == "source":
        backend = import_module("staticpy.backends").get_backend("python_source")
        return str(backend.compile(module).source)
    if stage in _NATIVE_STAGES:
        native = import_module("staticpy.backends").get_backend("llvm").compile(module).native
        return _native_stage(native, stage)
    return str(import_module("staticpy.ir").print_module(module))


def _native_stage(native: Any, stage: str) -> str:
    if stage == "llvm":
        return str(native.optimise())
    if stage == "asm":
        return str(native.assemble())
    return "\n".join(map(_described, native.kernels)) or "there are no loops over arrays"


def _described(kernel: Any) -> str:
    lines = sorted({span.line for span in kernel.spans})
    return f"{kernel} (line {', '.join(map(str, lines))})"
