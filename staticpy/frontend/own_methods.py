"""What a method calls of its own object, of which the text does not say what it is.

In: a method. Out: what is found, without types, in those methods of the class it is written in that
it calls whenever it runs, each with the call. A class below may have other ones, and then this one
is refused for the objects of its own class alone.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from staticpy.diagnostics import Diagnostic, Diagnostics
from staticpy.frontend.declared import is_method, parameters_of_text
from staticpy.frontend.nodes import forms
from staticpy.frontend.reading import read_function
from staticpy.frontend.refused_calls import certain_nodes, refused_calls
from staticpy.frontend.resolve import FunctionNames
from staticpy.frontend.static_scope import StaticModule
from staticpy.source import SourceUnit, descendants

_CALLS, _ATTRIBUTES, _NAMES = (forms(each) for each in ("Call", "Attribute", "Name"))


def found_in_methods(
    names: FunctionNames,
    unit: SourceUnit,
    module: StaticModule,
    around: tuple[SourceUnit, ...] = (),
) -> Iterator[Diagnostic]:
    """What keeps the methods that ``unit`` calls of its object from being compiled.

    ``around``: the methods whose calls led here.
    """
    if unit.source is not module.source or not is_method(unit):
        return
    around = (*around, unit)
    for call, name in _calls(names, parameters_of_text(unit)[0].arg):
        callee = _method(unit.qualname.rpartition(".")[0], name, module)
        if callee is None or callee in around:
            continue
        found, scope = Diagnostics(), module.scope_of(callee)
        read = read_function(callee, scope, found)
        inner = list(found)
        if read is not None:
            inner += refused_calls(read, callee, scope)
            inner += found_in_methods(read, callee, module, around)
        for item in inner:
            yield replace(item, span=item.span.inlined(unit.span(call)))


def _calls(names: FunctionNames, receiver: str) -> Iterator[tuple[Any, str]]:
    """The calls of methods of the object that are made whenever a method runs, with their names."""
    if any(_binds(node, receiver) for node in descendants(names.node)):
        return
    for node in certain_nodes(names.node):
        if node.__class__ in _CALLS and node.func.__class__ in _ATTRIBUTES:
            base = node.func.value
            if base.__class__ in _NAMES and base.id == receiver:
                yield node, node.func.attr


def _binds(node: Any, name: str) -> bool:
    return node.__class__ in _NAMES and node.id == name and type(node.ctx).__name__ == "Store"


def _method(class_: str, name: str, module: StaticModule) -> SourceUnit | None:
    """The one method of this name in the text of a class; None where it may be something else."""
    named = [unit for unit in module.source.units if unit.qualname == f"{class_}.{name}"]
    if len(named) != 1 or named[0].decorators:
        return None
    stores = (
        node.attr == name and isinstance(node.ctx, ast.Store)
        for node in descendants(module.source.tree)
        if isinstance(node, ast.Attribute)
    )
    return None if any(stores) else named[0]
