"""The Cells of a file whose ``construct`` is compiled: those of a program in ``GRAPH_MODE``.

In: a StaticModule. Out: the functions. A class is a Cell where a base of it is one, in whatever
file of the project that is.

    class Network(nn.Cell):
        def construct(self, x): ...         # compiled

    staticpy.set_context(mode=staticpy.GRAPH_MODE)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from staticpy.frontend.static_scope import StaticModule, StaticScope, TextClass, dotted
from staticpy.frontend.trusted import imported
from staticpy.frontend.values import UserFunction
from staticpy.source import SourceUnit, descendants

_CONTEXT = "staticpy.set_context"
_GRAPH = ("staticpy.GRAPH_MODE", "staticpy.Mode.GRAPH")


def constructs(module: StaticModule, *, is_graph_mode: bool) -> Iterator[SourceUnit]:
    """What the Cells of a file compute where they are compiled: of the classes that it defines,
    and, where it sets the mode itself, of those that it imports, too.
    """
    sets_mode = "GRAPH" in module.source.text and _sets_graph_mode(module)
    if not (sets_mode or is_graph_mode):
        return
    found = [node for node in descendants(module.source.tree) if isinstance(node, ast.ClassDef)]
    classes = [TextClass(module, node) for node in found]
    if sets_mode:
        classes += _imported_classes(module)
    for class_ in classes:
        function = class_.module.method(class_.node, "construct")
        if isinstance(function, UserFunction) and is_cell(class_):
            yield function.unit


def _sets_graph_mode(module: StaticModule) -> bool:
    """Whether a file says that Cells are compiled."""
    scope = module.scope
    return any(
        keyword.arg == "mode" and scope.origin_of(keyword.value) in _GRAPH
        for node in descendants(module.source.tree)
        if isinstance(node, ast.Call) and scope.origin_of(node.func) == _CONTEXT
        for keyword in node.keywords
    )


def _imported_classes(module: StaticModule) -> list[TextClass]:
    """The classes of other files whose names, with attributes, a file reads."""
    paths = {path for node in descendants(module.source.tree) if (path := dotted(node))}
    nodes = (ast.parse(path, mode="eval").body for path in sorted(paths))
    values = {
        value.node: value
        for value in map(module.scope.value_at, nodes)
        if isinstance(value, TextClass) and value.module is not module
    }
    return list(values.values())


def is_cell(class_: TextClass) -> bool:
    """Whether a class of the project derives from ``staticpy.nn.Cell``."""
    pending, seen = [class_], set[ast.ClassDef]()
    while pending:
        known = pending.pop()
        if known.node in seen:
            continue
        seen.add(known.node)
        for base in known.node.bases:
            scope = _scope_of(known)
            if _is_own_cell(base, scope):
                return True
            value = scope.value_at(base)
            pending += [value] if isinstance(value, TextClass) else []
    return False


def _is_own_cell(base: ast.expr, scope: StaticScope) -> bool:
    """Whether a base is a Cell of this library."""
    origin = scope.origin_of(base)
    value = imported(origin) if origin and origin.startswith("staticpy.") else None
    return isinstance(value, type) and hasattr(value, "__staticpy_cell__")


def _scope_of(class_: TextClass) -> StaticScope:
    """The scope around a class: that of its methods."""
    function = class_.module.method(class_.node, "construct")
    if isinstance(function, UserFunction):
        return class_.module.scope_of(function.unit)
    return class_.module.scope
