"""The frontend as a library: a function and the types of its arguments → a verified Module.

For builders of compilers: nothing here loads a backend, and nothing of the source is imported or
run where it is given as text.
"""

from __future__ import annotations

import types
from typing import Any

from staticpy.diagnostics import CompileError, Diagnostic, Diagnostics, catalog
from staticpy.frontend.analyze import analyze
from staticpy.frontend.inputs import Declared
from staticpy.frontend.scope import RuntimeScope, Scope
from staticpy.frontend.static_scope import StaticModule
from staticpy.ir import Module
from staticpy.source import NO_SPAN, SourceError, SourceUnit, from_function, from_text


def build_module(
    source: str | types.FunctionType, *arguments: Any, name: str | None = None
) -> Module:
    """The verified graph of a function for arguments of certain types.

    Args:
        source: a live function, or the text of a module that defines it.
        arguments: for each parameter its ``ir.Type``, or a tuple of types for a tuple.
        name: the qualified name of the function in the text; the first one by default.

    Raises:
        CompileError: the function can't be compiled for these types, or the text can't be read.
        TypeError: the number of arguments is wrong.
    """
    diagnostics = Diagnostics()
    try:
        unit, scope = _find(source, name)
    except SourceError as error:
        spec, span = getattr(catalog, error.kind), error.span or NO_SPAN
        raise CompileError([Diagnostic(spec, span, dict(error.fields))]) from None
    parameters = _parameter_names(unit)
    if len(arguments) != len(parameters):
        raise TypeError(f"{unit.name}() takes {len(parameters)} types, but {len(arguments)} given")
    declared = {key: Declared(tree) for key, tree in zip(parameters, arguments, strict=True)}
    analysis = analyze(unit, scope, declared, diagnostics, unknown=catalog.UNKNOWN_FROM_TEXT)
    if analysis is None:
        raise CompileError(list(diagnostics), lines=lambda file: unit.lines)
    return analysis.module


def _find(source: str | types.FunctionType, name: str | None) -> tuple[SourceUnit, Scope]:
    if not isinstance(source, str):
        return from_function(source), RuntimeScope(source)
    module = StaticModule(from_text(source))
    for unit in module.source:
        if name in (None, unit.qualname):
            return unit, module.scope_of(unit)
    raise LookupError(f"the text defines no function {name or ''}".rstrip())


def _parameter_names(unit: SourceUnit) -> list[str]:
    arguments = unit.node.args
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return [parameter.arg for parameter in named]
