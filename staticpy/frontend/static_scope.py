"""What the names of a file stand for, read from its text alone: nothing is imported or run.

In: a parsed file. Out: a StaticScope, which ``check`` hands to the same analysis that ``jit``
uses, and the functions of the file that are given to ``staticpy.jit``. A name is known where the
file binds it once, unconditionally, to an import of a trusted module or of another file of the
project, to a function, or to a literal; any other name that the file binds is UNKNOWN_VALUE.
"""

from __future__ import annotations

import ast
import builtins
import importlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any, Protocol, TypeVar
from unicodedata import normalize
from weakref import WeakKeyDictionary

from staticpy.frontend.bindings import THIS_VERSION, Binding, Bindings, Version, may_bind_globally
from staticpy.frontend.inputs import UNKNOWN_VALUE, Path, Unknown
from staticpy.frontend.static_imports import MODULE_NAMES, FileImports, Finder, ProjectModule
from staticpy.frontend.trusted import is_harmless, may_be_loaded, require_file
from staticpy.frontend.values import UserFunction
from staticpy.source import SourceFile, SourceUnit, children

JIT = "staticpy.jit"
_OF_FUNCTIONS = frozenset(
    f"staticpy.{name}"
    for name in ("checkpoint", "grad", "hessian", "jacfwd", "jacrev", "value_and_grad", "vmap")
)
"""What makes a function of the one that it gets first, with arguments of the same meaning."""
_Declaration = TypeVar("_Declaration", ast.Global, ast.Nonlocal)
_ANY_FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


class ProjectFiles(Finder, Protocol):
    """What a file is given of the project that it belongs to."""

    version: Version
    """The version of Python that the project runs in."""

    def owner(self, source: SourceFile) -> StaticModule | None:
        """The module of a file that was read."""


class StaticScope:
    """The names around one function of a file.

    They are those of the functions around it, of the module, and the builtins.
    """

    def __init__(self, module: StaticModule, layers: list[Bindings]) -> None:
        self.module = module
        self._layers = layers  # the innermost first, the module's last

    def lookup(self, name: str) -> Any:
        """The object that ``name`` stands for, or UNKNOWN_VALUE.

        Raises:
            KeyError: the file binds no such name, and it is no builtin.
        """
        imports = self.module.imports
        for layer in self._layers:
            if name in layer.by_name:
                binding = layer.only(name)
                if binding is None or (layer is self._layers[-1] and imports.hides(name, binding)):
                    return UNKNOWN_VALUE
                return self.module.value_of(binding)
        star = imports.star_with(name)
        if star is not None:
            return self.module.value_of(star)
        if self._is_open() or name in MODULE_NAMES:
            return UNKNOWN_VALUE
        return vars(builtins)[name]

    def has(self, name: str) -> bool:
        """Whether something has this name. Other files are not read for what an import binds."""
        if any(name in layer.by_name for layer in self._layers) or name in vars(builtins):
            return True
        imports = self.module.imports
        return name in MODULE_NAMES or self._is_open() or imports.star_with(name) is not None

    def _is_open(self) -> bool:
        return self.module.imports.has_unknown_star or any(layer.is_open for layer in self._layers)

    def path(self, _name: str) -> Path | None:
        """None: no call is guarded."""
        return None

    def hidden_by(self, _name: str) -> Path | None:
        """None: no call is guarded."""
        return None

    def absolute(self, name: str) -> Any:
        """The name of the module that an import names, or UNKNOWN_VALUE."""
        return self.module.imports.absolute(name) or UNKNOWN_VALUE

    def loaded(self, name: str) -> Any:
        """The module of this name, or UNKNOWN_VALUE: what is loaded here says nothing.

        Raises:
            KeyError: it is not loaded.
            ModuleNotFoundError: there is none.
        """
        if is_harmless(name):
            return importlib.import_module(name)
        if self.module.imports.reaches(name):
            return UNKNOWN_VALUE
        require_file(name)
        if may_be_loaded(name):
            return UNKNOWN_VALUE
        raise KeyError(name)

    def origin(self, path: str) -> str | None:
        """The dotted path that an import binds to a name, or to a name with attributes, or of a
        builtin; else None: ``np.linalg.norm`` is ``numpy.linalg.norm``.
        """
        name, _, rest = path.partition(".")
        imports = self.module.imports
        for layer in self._layers:
            if name in layer.by_name:
                binding = layer.only(name)
                return imports.origin(binding, rest) if binding else None
        star = imports.star_with(name)
        if star is not None:
            return imports.origin(star, rest)
        return f"builtins.{path}" if name in vars(builtins) and not self._is_open() else None

    def alias(self, name: str) -> ast.expr | None:
        """The expression that the file gives a name, where it does so once and for certain."""
        binding = next((each.only(name) for each in self._layers if name in each.by_name), None)
        if binding is None or not binding.is_certain:
            return None
        return binding.node.value if isinstance(binding.node, ast.Assign | ast.AnnAssign) else None

    def named_calls(self, node: ast.expr) -> Iterator[ast.Call]:
        """The calls, each of which gets the next one first, that an expression is; also where the
        file gives them names.
        """
        names: set[str] = set()
        while True:
            found: ast.expr | None = node
            if isinstance(node, ast.Name):
                if node.id in names:  # which is given a name that it reads itself
                    return
                names.add(node.id)
                found = self.alias(node.id)
            if not isinstance(found, ast.Call) or not found.args:
                return
            yield found
            node = found.args[0]

    def origin_of(self, node: ast.AST) -> str | None:
        """``origin`` of a name with attributes."""
        path = dotted(node)
        return None if path is None else self.origin(path)

    def value_at(self, node: ast.AST) -> Any:
        """What a name with attributes is certain to stand for, or UNKNOWN_VALUE."""
        try:
            if isinstance(node, ast.Name):
                return self.lookup(node.id)
            base = self.value_at(node.value) if isinstance(node, ast.Attribute) else None
            if isinstance(node, ast.Attribute) and isinstance(base, ProjectModule):
                return base.attribute(node.attr, self.module.imports)
            if isinstance(node, ast.Attribute) and isinstance(base, TextClass):
                return base.module.method(base.node, node.attr)
        except KeyError:
            return UNKNOWN_VALUE
        return UNKNOWN_VALUE


def dotted(node: ast.AST) -> str | None:
    """``np.linalg.norm`` as a text; None for what is no name with attributes."""
    attributes: list[str] = []
    while isinstance(node, ast.Attribute):
        attributes.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(attributes)]) if isinstance(node, ast.Name) else None


class TextClass(Unknown):
    """A class of the project: all that is known of it is its text."""

    def __init__(self, module: StaticModule, node: ast.ClassDef) -> None:
        self.module = module
        self.node = node


@dataclass(frozen=True, slots=True)
class JittedFunction:
    """A function that the file gives to ``staticpy.jit``, and its static parameters."""

    unit: SourceUnit
    static: frozenset[str]


_BINDINGS: WeakKeyDictionary[SourceFile, dict[Version, Bindings]] = WeakKeyDictionary()
"""What modules bind, for as long as their texts are kept: many files import the same ones."""


def _bindings_of(source: SourceFile, version: Version) -> Bindings:
    """What a module binds in a version of Python."""
    known = _BINDINGS.setdefault(source, {})
    if version not in known:
        found = known[version] = Bindings(source.tree.body, version)
        if "globals(" in source.text:  # in a function, it is the module's
            found.is_open |= may_bind_globally(source.tree)
        for _, node in _declarations(source, ast.Global, "global "):
            for name in node.names:  # the function may bind it at any time
                found.add(name, Binding(node, False))
    return known[version]


def _declarations(
    source: SourceFile, class_: type[_Declaration], word: str
) -> Iterator[tuple[SourceUnit, _Declaration]]:
    """The ``global`` or ``nonlocal`` statements of a file, each with its function."""
    for unit in source.units if word in source.text else ():
        if unit.mentions(word):
            found = (node for node in own_nodes(unit.node) if isinstance(node, class_))
            yield from ((unit, node) for node in found)


class StaticModule:
    """The names and functions of one file."""

    def __init__(self, source: SourceFile, project: ProjectFiles | None = None) -> None:
        self.source = source
        self._project = project
        self._version = project.version if project else THIS_VERSION
        self._bindings = _bindings_of(source, self._version)
        self._units = {unit.node: unit for unit in source.functions}
        self._function_bindings: dict[SourceUnit, Bindings] = {}
        self._functions: dict[SourceUnit, UserFunction] = {}
        self._add_outer_writes()
        self.imports = FileImports(self._bindings, project, source.text)
        self.scope = StaticScope(self, [self._bindings])

    def _add_outer_writes(self) -> None:
        """A function that declares a name nonlocal may bind it at any time."""
        for unit, node in _declarations(self.source, ast.Nonlocal, "nonlocal "):
            for outer, name in product(_around(unit), node.names):
                self._layer(outer).add(name, Binding(node, False))

    def _owner(self, unit: SourceUnit) -> StaticModule:
        """The module that a function is in: this one, or another of the project."""
        if unit.source is self.source or self._project is None:
            return self
        return self._project.owner(unit.source) or self

    def lookup(self, name: str) -> Any:
        """What a name of the module stands for, or UNKNOWN_VALUE."""
        return self.scope.lookup(name)

    def origin(self, path: str) -> str | None:
        """The dotted path of what an import binds to a name, with attributes of it."""
        return self.scope.origin(path)

    def close(self) -> None:
        """Forget what refers to the module in turn: of a whole library, trees would fill the memory
        until the garbage is collected, and that takes a quarter of the time.
        """
        holders = (vars(self.imports), vars(self.scope))
        for known in (self._units, self._function_bindings, self._functions, *holders):
            known.clear()
        self.source.forget_functions()

    def scope_of(self, unit: SourceUnit) -> StaticScope:
        """The scope around a function of the project."""
        owner = self._owner(unit)
        if owner is not self:
            return owner.scope_of(unit)
        layers = [self._layer(outer) for outer in _around(unit)]
        return StaticScope(self, [*layers, self._bindings])

    def _layer(self, unit: SourceUnit) -> Bindings:
        if unit not in self._function_bindings:
            body = unit.node.body if isinstance(unit.node.body, list) else []
            layer = self._function_bindings[unit] = Bindings(body, self._version)
            arguments = unit.node.args
            named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
            for parameter in [*named, arguments.vararg, arguments.kwarg]:
                if parameter is not None:
                    layer.add(parameter.arg, Binding(parameter, False))
        return self._function_bindings[unit]

    def backend_of(self, unit: SourceUnit) -> str | None:
        """The backend that the decorator of a function names."""
        scope = self.scope_of(unit)
        jits = [item for item in unit.decorators[-1:] if self.is_jit(item, scope)]
        keywords = [each for item in jits if isinstance(item, ast.Call) for each in item.keywords]
        named = [getattr(each.value, "value", None) for each in keywords if each.arg == "backend"]
        return named[0] if named and isinstance(named[0], str) else None

    def function(self, unit: SourceUnit) -> UserFunction:
        """The function of ``unit``, the same object each time."""
        owner = self._owner(unit)
        if owner is not self:
            return owner.function(unit)
        if unit not in self._functions:
            self._functions[unit] = UserFunction(unit, self.scope_of(unit))
        return self._functions[unit]

    def value_of(self, binding: Binding) -> Any:
        """What a name that is bound once stands for."""
        if not binding.is_certain:
            return UNKNOWN_VALUE
        if binding.module:
            return self.imports.value(binding)
        node = binding.node
        if isinstance(node, ast.FunctionDef):
            unit = self._units[node]
            is_plain = all(self.is_jit(item, self.scope_of(unit)) for item in node.decorator_list)
            return self.function(unit) if is_plain else UNKNOWN_VALUE
        if isinstance(node, ast.ClassDef):
            return TextClass(self, node)
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            return self._assigned(node.value)
        return UNKNOWN_VALUE

    def method(self, class_: ast.ClassDef, name: str) -> Any:
        """The function that the body of a class of this file gives a name, or UNKNOWN_VALUE."""
        binding = Bindings(class_.body).only(name)
        is_plain = binding is not None and isinstance(binding.node, ast.FunctionDef)
        return self.value_of(binding) if binding and is_plain else UNKNOWN_VALUE

    def _assigned(self, value: ast.expr) -> Any:
        if isinstance(value, ast.Call) and self.is_jit(value, self.scope) and value.args:
            value = value.args[0]
            if isinstance(value, ast.Name | ast.Attribute):
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

    @cached_property
    def may_jit(self) -> bool:
        """Whether the text could give a function to ``staticpy.jit``, which another file of the
        project may have imported for it: most files need not be searched.
        """
        text = self.source.text
        text = text if text.isascii() else normalize("NFKC", text)
        return "staticpy" in text or "jit" in text

    def jitted(self) -> list[JittedFunction]:
        """The functions that are decorated with ``staticpy.jit`` or passed to it, in text order:
        those of this file, then those of others.
        """
        found: dict[SourceUnit, frozenset[str]] = {}
        if not self.may_jit:
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
                if isinstance(node, ast.Call) and scope.origin_of(node.func) == JIT and node.args:
                    given = self.function_at(node.args[0], scope)
                    static = _static_names(node)
                    if given is None:  # which are static is said of what the transform makes
                        given, static = self._function_under(node.args[0], scope), frozenset()
                    if given is not None:
                        found.setdefault(given, static)
        ordered = sorted(found, key=self._order)
        return [JittedFunction(unit, found[unit]) for unit in ordered]

    def _order(self, unit: SourceUnit) -> tuple[str, int, int]:
        file = "" if unit.source is self.source else unit.file
        return file, unit.node.lineno, unit.node.col_offset

    def scope_inside(self, unit: SourceUnit) -> StaticScope:
        """The scope in a function of the project."""
        owner = self._owner(unit)
        if owner is not self:
            return owner.scope_inside(unit)
        layers = [self._layer(outer) for outer in (unit, *_around(unit))]
        return StaticScope(self, [*layers, self._bindings])

    def is_jit(self, node: ast.expr, scope: StaticScope) -> bool:
        """``jit``, ``jit(...)`` and ``partial(jit, ...)``."""
        if isinstance(node, ast.Call):
            if scope.origin_of(node.func) == "functools.partial" and node.args:
                node = node.args[0]
            else:
                node = node.func
        return scope.origin_of(node) == JIT

    def function_at(self, node: ast.expr, scope: StaticScope) -> SourceUnit | None:
        """The function of the project that an expression is certain to be."""
        if isinstance(node, ast.Lambda):
            return self._units[node]
        value = scope.value_at(node)
        return value.unit if isinstance(value, UserFunction) else None

    def _function_under(self, node: ast.expr, scope: StaticScope) -> SourceUnit | None:
        """The function of the project of which an expression makes a derivative, or the like."""
        for call in scope.named_calls(node):
            if scope.origin_of(call.func) not in _OF_FUNCTIONS:
                return None
            node = call.args[0]
        return self.function_at(node, scope)


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
