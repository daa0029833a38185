"""Calls that no function of the language can make, found without the types of any argument.

In: a function whose parameters have no types, and the scope around it. Out: the errors that
lowering would report of its calls. Looked at is only what runs whenever the function does: lowering
leaves out the branches that are decided while compiling.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from staticpy import ops
from staticpy.diagnostics import Diagnostic, catalog
from staticpy.frontend.annotations import dotted_name
from staticpy.frontend.fixes import RENAMED, write_attribute
from staticpy.frontend.nodes import forms
from staticpy.frontend.outside_world import MADE_BY, is_path_outside
from staticpy.frontend.resolve import FunctionNames
from staticpy.frontend.static_scope import StaticScope
from staticpy.source import SourceUnit, children, descendants

_DEFINITIONS = frozenset(forms("AsyncFunctionDef", "ClassDef", "FunctionDef"))
_SOMETIMES = _DEFINITIONS.union(
    forms(
        "BoolOp", "Compare", "ExceptHandler", "For", "GeneratorExp", "If", "IfExp", "Lambda",
        "ListComp", "DictComp", "Match", "SetComp", "Try", "While", "With",
    )
)  # fmt: skip
"""The nodes of which a part may not run, or run as something else."""
_BRANCHING = _SOMETIMES - _DEFINITIONS
_LEAVING = frozenset(forms("Return", "Raise"))
_FIRST_PARTS = {
    "BoolOp": lambda node: node.values[:1],
    "Compare": lambda node: [node.left, node.comparators[0]],
    "DictComp": lambda node: [node.generators[0].iter],
    "For": lambda node: [node.iter],
    "GeneratorExp": lambda node: [node.generators[0].iter],
    "If": lambda node: [node.test],
    "IfExp": lambda node: [node.test],
    "ListComp": lambda node: [node.generators[0].iter],
    "Match": lambda node: [node.subject],
    "SetComp": lambda node: [node.generators[0].iter],
    "While": lambda node: [node.test],
    "With": lambda node: [item.context_expr for item in node.items],
}
"""What is evaluated first in nodes of which a part may not run."""
_FIRST: dict[type, Callable[[Any], list[Any]]] = {
    class_: parts for name, parts in _FIRST_PARTS.items() for class_ in forms(name)
}
_CLASSES = {
    "array": "array",
    "builtins": "bytearray",
    "collections": "Counter OrderedDict defaultdict deque",
    "datetime": "date datetime time timedelta timezone",
    "decimal": "Decimal",
    "io": "BytesIO StringIO",
    "random": "Random",
    "types": "SimpleNamespace",
}
CLASSES = frozenset(
    f"{module}.{name}" for module, names in _CLASSES.items() for name in names.split()
)
"""The classes of Python's own that programs use most and of which no object is made."""
_IMPORTS = frozenset(forms("Import", "ImportFrom"))
_CALLS, _WITHS, _WHILES, _ATTRIBUTES, _NAMES, _CONSTANTS = (
    forms(each) for each in ("Call", "With", "While", "Attribute", "Name", "Constant")
)


def refused_calls(
    names: FunctionNames, unit: SourceUnit, scope: StaticScope
) -> Iterator[Diagnostic]:
    """The calls in a function that are refused whatever its arguments are."""
    assigned = frozenset(names.locals)
    imported: set[str] = set()
    inside = scope.module.scope_inside(unit)
    args: dict[str, object]
    for node in certain_nodes(names.node):
        if node.__class__ in _IMPORTS:
            imported |= {each.asname or each.name.partition(".")[0] for each in node.names}
        if node.__class__ not in _CALLS:
            continue
        function = node.func
        root = _root(function)
        if root is None or (root in assigned and root not in imported):
            continue
        origin = _origin(function, root, inside if root in imported else scope)
        if origin == "builtins.print" and _goes_elsewhere(node, inside):
            args = {"argument": "file", "function": "print"}
            yield Diagnostic(catalog.UNSUPPORTED_FUNCTION_ARGUMENT, unit.span(node), args)
        elif is_path_outside(origin):
            args = {"name": _shown(function, root, origin)}
            yield Diagnostic(catalog.UNSUPPORTED_CALL, unit.span(node), args)
        elif origin in CLASSES:
            class_name = origin.rpartition(".")[2]
            yield Diagnostic(catalog.UNSUPPORTED_CLASS, unit.span(node), {"name": class_name})
        elif origin.startswith("numpy."):
            yield from _refused_by_numpy(function, origin, unit)


def _goes_elsewhere(node: Any, scope: StaticScope) -> bool:
    """Whether a ``print`` writes to ``sys.stderr``."""
    files = [each.value for each in node.keywords if each.arg == "file"]
    return any(dotted_name(each, scope.origin) == "sys.stderr" for each in files)


def certain_nodes(function: Any) -> Iterator[Any]:
    """The expressions of a function that are evaluated whenever it is called."""
    body = function.body
    return _certain_in(body if isinstance(body, list) else [body])


def _certain_in(statements: list[Any]) -> Iterator[Any]:
    for statement in statements:
        pending = [statement]
        while pending:
            node = pending.pop()
            if node.__class__ in _FIRST:
                pending += _FIRST[node.__class__](node)[::-1]
            elif node.__class__ not in _SOMETIMES:
                yield node
                pending += children(node)[::-1]
        if statement.__class__ in _WITHS and all(map(_is_errstate, statement.items)):
            yield from _certain_in(statement.body)
        if _may_leave(statement):
            return


def _is_errstate(item: Any) -> bool:
    """Whether this is the context of a ``with`` that swallows no exception."""
    made = item.context_expr
    return made.__class__ in _CALLS and getattr(made.func, "attr", "") == "errstate"


def _may_leave(statement: Any) -> bool:
    """Whether what follows a statement may not be reached."""
    if statement.__class__ in _WHILES and statement.test.__class__ in _CONSTANTS:
        return True
    if statement.__class__ not in _BRANCHING:
        return statement.__class__ in _LEAVING
    return any(node.__class__ in _LEAVING for node in descendants(statement))


def _root(node: Any) -> str | None:
    """``np`` of ``np.linalg.norm``; None for what is no name with attributes."""
    while node.__class__ in _ATTRIBUTES:
        node = node.value
    return node.id if node.__class__ in _NAMES else None


def _origin(node: Any, root: str, scope: StaticScope) -> str:
    """Where a function comes from; that of a logger is a method of its class."""
    attributes = _attributes(node)
    named = scope.alias(root) if len(attributes) == 1 else None
    maker = dotted_name(getattr(named, "func", None), scope.origin) or ""
    if maker in MADE_BY:
        return f"{MADE_BY[maker]}.{attributes[0]}"
    return dotted_name(node, scope.origin) or ""


def _shown(node: Any, root: str, origin: str) -> str:
    """A function as it is written, unless it has another name there."""
    name = origin.rpartition(".")[2]
    written = [root, *_attributes(node)]
    return ".".join(written) if written[-1] == name else name


def _attributes(node: Any) -> list[str]:
    found: list[str] = []
    while node.__class__ in _ATTRIBUTES:
        found.insert(0, node.attr)
        node = node.value
    return found


def _refused_by_numpy(node: Any, origin: str, unit: SourceUnit) -> Iterator[Diagnostic]:
    """A function that NumPy doesn't have, that works outside of the program, or that has no op."""
    found: Any = np
    *path, name = origin.split(".")[1:]
    for part in path:
        found = getattr(found, part, None)
    if found is None:
        return
    args: dict[str, object] = {"name": origin, "way_out": ops.way_out(name)}
    if not hasattr(found, name):
        known = RENAMED.get(name) if found is np else None
        near = known or ops.nearest(name)
        fix = write_attribute(node, unit, near, is_safe=known is not None) if near else None
        spec = catalog.UNSUPPORTED_NUMPY_FUNCTION
        yield Diagnostic(spec, unit.span(node), args, (), fix)
    elif ops.is_out_of_reach(getattr(found, name)) or ops.is_without_op(getattr(found, name)):
        spec = catalog.UNSUPPORTED_NUMPY_FUNCTION
        yield Diagnostic(spec, unit.span(node), args)
