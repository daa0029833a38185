"""What the names of a file stand for, read from its text alone: nothing is imported or run.

In: a parsed file. Out: a StaticScope, which ``check`` hands to the same analysis that ``jit``
uses, and the functions of the file that are given to ``staticpy.jit``. A name is known where the
file binds it once, unconditionally, to an import of a trusted module, a function, or a literal;
any other name that the file binds is UNKNOWN_VALUE.
"""

from __future__ import annotations

import ast
import builtins
import importlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from staticpy.frontend.inputs import UNKNOWN_VALUE, Path
from staticpy.frontend.values import UserFunction
from staticpy.source import SourceFile, SourceUnit, children

_TRUSTED = ("numpy", "math", "staticpy", "itertools", "functools", "operator", "contextlib")
"""Modules of which the real objects are used."""

_MODULE_NAMES = frozenset(
    f"__{name}__"
    for name in (
        "name", "file", "doc", "spec", "loader", "package", "path", "builtins", "dict",
        "annotations", "cached",
    )
)  # fmt: skip
_HIDDEN_BINDERS = ("globals", "locals", "vars", "exec", "eval", "setattr")
_JIT = "staticpy.jit"
_ANY_FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_HEADER_FIELDS = ("decorator_list", "bases", "keywords")


@dataclass(frozen=True, slots=True)
class Binding:
    """One place that binds a name; ``origin`` is the dotted path of an import."""

    node: ast.AST
    is_certain: bool
    origin: str | None = None


class Bindings:
    """The names that one module or function body binds."""

    def __init__(self, body: list[ast.stmt]) -> None:
        self.by_name: dict[str, list[Binding]] = {}
        self.is_open = False
        """Whether it may bind names that are not written: ``import *``, ``globals()``."""
        pending: list[tuple[ast.AST, bool]] = [(statement, True) for statement in reversed(body)]
        while pending:
            node, is_certain = pending.pop()
            self._bind(node, is_certain)
            pending.extend(reversed(list(_binders(node, is_certain))))

    def add(self, name: str, binding: Binding) -> None:
        """Note one more place that binds ``name``."""
        self.by_name.setdefault(name, []).append(binding)

    def _bind(self, node: ast.AST, is_certain: bool) -> None:
        if isinstance(node, ast.Import | ast.ImportFrom):
            self._import(node, is_certain)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            self.add(node.name, Binding(node, is_certain))
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            if len(node.targets) == 1:
                self.add(node.targets[0].id, Binding(node, is_certain))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            self.add(node.target.id, Binding(node, is_certain and node.value is not None))
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            self.add(node.id, Binding(node, False))
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            self.add(node.name, Binding(node, False))
        elif isinstance(node, ast.MatchMapping) and node.rest:
            self.add(node.rest, Binding(node, False))
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in _HIDDEN_BINDERS:
            self.is_open = True

    def _import(self, node: ast.Import | ast.ImportFrom, is_certain: bool) -> None:
        for alias in node.names:
            if isinstance(node, ast.Import):
                top = alias.name.partition(".")[0]
                origin = alias.name if alias.asname else top
                self.add(alias.asname or top, Binding(node, is_certain, origin))
            elif alias.name == "*":
                self.is_open = True
            else:
                path = f"{node.module}.{alias.name}" if not node.level else None
                self.add(alias.asname or alias.name, Binding(node, is_certain, path))

    def only(self, name: str) -> Binding | None:
        """The one place that binds ``name``; None where there are several."""
        found = self.by_name.get(name, [])
        origins = {binding.origin for binding in found}
        if len(origins) == 1 and None not in origins:  # ``import numpy as np`` twice is one import
            return found[0]
        return found[0] if len(found) == 1 else None


def _binders(node: ast.AST, is_certain: bool) -> Iterator[tuple[ast.AST, bool]]:
    """The nodes in ``node`` that bind names in the same scope, and whether they surely run."""
    if isinstance(node, ast.Lambda):
        return
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        headers = (item for field in _HEADER_FIELDS for item in getattr(node, field, ()))
        yield from ((item, False) for item in headers)
        return
    if isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if len(targets) > 1 or not isinstance(targets[0], ast.Name):
            yield from ((target, False) for target in targets)
        if node.value is not None:
            yield node.value, False
        return
    if is_certain and isinstance(node, ast.Try | ast.With):
        surely = set(map(id, node.body))
        yield from ((item, id(item) in surely) for item in children(node))
    else:
        yield from ((item, False) for item in children(node))


class StaticScope:
    """The names around one function of a file.

    They are those of the functions around it, of the module, and the builtins.
    """

    def __init__(self, module: StaticModule, layers: list[Bindings]) -> None:
        self._module = module
        self._layers = layers  # the innermost first, the module's last

    def lookup(self, name: str) -> Any:
        """The object that ``name`` stands for, or UNKNOWN_VALUE.

        Raises:
            KeyError: the file binds no such name, and it is no builtin.
        """
        for layer in self._layers:
            if name in layer.by_name:
                binding = layer.only(name)
                return UNKNOWN_VALUE if binding is None else self._module.value_of(binding)
        if any(layer.is_open for layer in self._layers) or name in _MODULE_NAMES:
            return UNKNOWN_VALUE
        return vars(builtins)[name]

    def path(self, _name: str) -> Path | None:
        """None: no call is guarded."""
        return None

    def hidden_by(self, _name: str) -> Path | None:
        """None: no call is guarded."""
        return None

    def origin(self, name: str) -> str | None:
        """The dotted path of what an import binds to ``name``, or of a builtin; else None."""
        for layer in self._layers:
            if name in layer.by_name:
                binding = layer.only(name)
                return binding.origin if binding else None
        is_open = any(layer.is_open for layer in self._layers)
        return f"builtins.{name}" if name in vars(builtins) and not is_open else None

    def alias(self, name: str) -> ast.expr | None:
        """The expression that the file gives a name, where it does so once and for certain."""
        binding = next((each.only(name) for each in self._layers if name in each.by_name), None)
        if binding is None or not binding.is_certain:
            return None
        return binding.node.value if isinstance(binding.node, ast.Assign | ast.AnnAssign) else None

    def origin_of(self, node: ast.AST) -> str | None:
        """``origin`` of a name with attributes: ``np.linalg.norm`` is ``numpy.linalg.norm``."""
        attributes: list[str] = []
        while isinstance(node, ast.Attribute):
            attributes.append(node.attr)
            node = node.value
        root = self.origin(node.id) if isinstance(node, ast.Name) else None
        return None if root is None else ".".join([root, *reversed(attributes)])


@dataclass(frozen=True, slots=True)
class JittedFunction:
    """A function that the file gives to ``staticpy.jit``, and its static parameters."""

    unit: SourceUnit
    static: frozenset[str]


class StaticModule:
    """The names and functions of one file."""

    def __init__(self, source: SourceFile) -> None:
        self.source = source
        self._bindings = Bindings(source.tree.body)
        self._bindings.is_open |= "globals(" in source.text  # in a function, it is the module's
        self._units = {unit.node: unit for unit in source.functions}
        self._function_bindings: dict[SourceUnit, Bindings] = {}
        self._functions: dict[SourceUnit, UserFunction] = {}
        self._add_outer_writes()
        self.scope = StaticScope(self, [self._bindings])

    def _add_outer_writes(self) -> None:
        """A function that declares a name global or nonlocal may bind it at any time."""
        if "global " not in self.source.text and "nonlocal " not in self.source.text:
            return
        for unit in self.source.units:
            for node in own_nodes(unit.node):
                if isinstance(node, ast.Global | ast.Nonlocal):
                    for name in node.names:
                        self._taint(name, unit, node)

    def _taint(self, name: str, unit: SourceUnit, node: ast.stmt) -> None:
        if isinstance(node, ast.Global):
            self._bindings.add(name, Binding(node, False))
            return
        for outer in _around(unit):
            self._layer(outer).add(name, Binding(node, False))

    def scope_of(self, unit: SourceUnit) -> StaticScope:
        """The scope around a function of this file."""
        layers = [self._layer(outer) for outer in _around(unit)]
        return StaticScope(self, [*layers, self._bindings])

    def _layer(self, unit: SourceUnit) -> Bindings:
        if unit not in self._function_bindings:
            body = unit.node.body if isinstance(unit.node.body, list) else []
            layer = self._function_bindings[unit] = Bindings(body)
            arguments = unit.node.args
            named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
            for parameter in [*named, arguments.vararg, arguments.kwarg]:
                if parameter is not None:
                    layer.add(parameter.arg, Binding(parameter, False))
        return self._function_bindings[unit]

    def function(self, unit: SourceUnit) -> UserFunction:
        """The function of ``unit``, the same object each time."""
        if unit not in self._functions:
            self._functions[unit] = UserFunction(unit, self.scope_of(unit))
        return self._functions[unit]

    def value_of(self, binding: Binding) -> Any:
        """What a name that is bound once stands for."""
        if not binding.is_certain:
            return UNKNOWN_VALUE
        if binding.origin is not None:
            return imported(binding.origin)
        node = binding.node
        if isinstance(node, ast.FunctionDef):
            unit = self._units[node]
            is_plain = all(self.is_jit(item, self.scope_of(unit)) for item in node.decorator_list)
            return self.function(unit) if is_plain else UNKNOWN_VALUE
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            return self._assigned(node.value)
        return UNKNOWN_VALUE

    def _assigned(self, value: ast.expr) -> Any:
        if isinstance(value, ast.Call) and self.is_jit(value, self.scope) and value.args:
            value = value.args[0]
            if isinstance(value, ast.Name):
                unit = self.function_at(value, self.scope)
                return UNKNOWN_VALUE if unit is None else self.function(unit)
        if isinstance(value, ast.Lambda):
            return self.function(self._units[value])
        try:
            literal = ast.literal_eval(value)
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            return UNKNOWN_VALUE
        return literal if _is_immutable(literal) else UNKNOWN_VALUE

    # --- jit --------------------------------------------------------------------------------------

    def jitted(self) -> list[JittedFunction]:
        """The functions that are decorated with ``staticpy.jit`` or passed to it, in text order."""
        found: dict[SourceUnit, frozenset[str]] = {}
        if "staticpy" not in self.source.text:
            return []
        for unit in self.source.units:
            scope = self.scope_of(unit)
            # Below another decorator's wrapper, jit would see the wrapper.
            if unit.decorators and self.is_jit(unit.decorators[-1], scope):
                found[unit] = _static_names(unit.decorators[-1])
        for holder in [None, *self.source.functions]:
            nodes = own_nodes(self.source.tree if holder is None else holder.node)
            scope = self.scope if holder is None else self.scope_inside(holder)
            for node in nodes:
                if isinstance(node, ast.Call) and scope.origin_of(node.func) == _JIT and node.args:
                    given = self.function_at(node.args[0], scope)
                    if given is not None:
                        found.setdefault(given, _static_names(node))
        ordered = sorted(found, key=lambda unit: (unit.node.lineno, unit.node.col_offset))
        return [JittedFunction(unit, found[unit]) for unit in ordered]

    def scope_inside(self, unit: SourceUnit) -> StaticScope:
        """The scope in a function of this file."""
        layers = [self._layer(outer) for outer in (unit, *_around(unit))]
        return StaticScope(self, [*layers, self._bindings])

    def is_jit(self, node: ast.expr, scope: StaticScope) -> bool:
        """``jit``, ``jit(...)`` and ``partial(jit, ...)``."""
        if isinstance(node, ast.Call):
            if scope.origin_of(node.func) == "functools.partial" and node.args:
                node = node.args[0]
            else:
                node = node.func
        return scope.origin_of(node) == _JIT

    def function_at(self, node: ast.expr, scope: StaticScope) -> SourceUnit | None:
        """The function of this file that an expression is certain to be."""
        if isinstance(node, ast.Lambda):
            return self._units[node]
        value = None
        if isinstance(node, ast.Name):
            try:
                value = scope.lookup(node.id)
            except KeyError:
                return None
        return value.unit if isinstance(value, UserFunction) else None


def imported(origin: str) -> Any:
    """The object at a dotted path of a trusted module."""
    top, *attributes = origin.split(".")
    if top not in _TRUSTED:
        return UNKNOWN_VALUE
    value: Any = importlib.import_module(top)
    for attribute in attributes:
        value = getattr(value, attribute, UNKNOWN_VALUE)
    return value


def _is_immutable(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_immutable, value))
    return not isinstance(value, list | dict | set)


def _static_names(node: ast.expr) -> frozenset[str]:
    """The ``static_argnames`` of a call of jit."""
    for keyword in node.keywords if isinstance(node, ast.Call) else []:
        if keyword.arg == "static_argnames":
            try:
                names = ast.literal_eval(keyword.value)
            except ValueError:
                return frozenset()
            return frozenset([names] if isinstance(names, str) else names)
    return frozenset()


def _around(unit: SourceUnit) -> Iterator[SourceUnit]:
    """The functions around one, the innermost first."""
    while unit.parent is not None:
        unit = unit.parent
        yield unit


def own_nodes(root: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a function or module but those of the functions in it, which are yielded."""
    pending = children(root)
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, _ANY_FUNCTION):
            pending += children(node)
        else:
            pending += getattr(node, "decorator_list", [])
            pending += [item for item in (*node.args.defaults, *node.args.kw_defaults) if item]
