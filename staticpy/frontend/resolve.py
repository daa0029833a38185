"""Names: which are local, which come from outside, and which come from nowhere.

In: the node of a function, of ``ast`` or ``gast``. Out: a tree of FunctionNames. CPython's rule: a
name that a function binds anywhere is local to it everywhere; any other belongs to the nearest
enclosing function that binds it, else to the module, else to the builtins. A comprehension is a
scope of its own for its targets, but its first iterable is evaluated around it, and ``:=`` in it
binds in the function around it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

from staticpy.diagnostics import Diagnostic, Diagnostics, Label, catalog
from staticpy.frontend.fixes import import_name, write_name
from staticpy.frontend.nodes import forms, parameter_name, parameter_nodes
from staticpy.frontend.spelling import spelling_of
from staticpy.frontend.validate import head_span
from staticpy.source import SourceSpan, SourceUnit, children, descendants

COMPREHENSIONS = forms("ListComp", "SetComp", "DictComp", "GeneratorExp")
_FUNCTIONS = forms("FunctionDef", "Lambda")
_SCOPES = (*_FUNCTIONS, *COMPREHENSIONS)
_DEFINITIONS = forms("FunctionDef")
_REJECTED = forms("ClassDef", "AsyncFunctionDef")
"""Scopes that are not in the language: only their names count, for what is said besides."""
_NAMES, _STORES, _LOADS = forms("Name"), forms("Store"), forms("Load")
_GLOBALS, _NONLOCALS, _YIELDS = forms("Global"), forms("Nonlocal"), forms("Yield", "YieldFrom")
_GENERATORS, _DICTS, _SEQUENCES = forms("GeneratorExp"), forms("DictComp"), forms("Tuple", "List")
_AUGMENTED, _STARRED, _NAMED = forms("AugAssign"), forms("Starred"), forms("NamedExpr")
_TYPE_PARAMETERS = ("TypeVar", "ParamSpec", "TypeVarTuple")
_LATE = (*_FUNCTIONS, *forms("GeneratorExp"))
"""The scopes whose body runs later than the place where they stand."""

Names = frozenset[str]


class Lookup(Protocol):
    """What resolution asks of the scope around a function (see ``scope.Scope``)."""

    def has(self, name: str) -> bool:
        """Whether something has this name."""


@dataclass(eq=False, slots=True)
class FunctionNames:
    """The names of one function, or of one comprehension.

    ``locals`` are those that it binds, parameters first; ``free`` those that it or what is nested
    in it reads or rebinds, and it does not bind; ``reads`` its own reads, each with its node.
    """

    node: Any
    params: tuple[str, ...]
    locals: tuple[str, ...]
    globals_declared: Names = frozenset()
    """The names of ``global`` statements: they are the module's."""
    nonlocals_declared: Names = frozenset()
    """The names of ``nonlocal`` statements: they are those of a function around it."""
    is_generator: bool = False
    free: Names = frozenset()
    from_module: Names = frozenset()
    """Those that it or what is nested in it reads and declares ``global``."""
    rebinds: Names = frozenset()
    """The variables of functions around it that it or what is nested in it may bind or delete."""
    late: Names = frozenset()
    """Those of ``free`` that are read or rebound later than the place where this stands."""
    captured: Names = frozenset()
    """The local names that nested functions and generators, which run later, read or rebind."""
    rebound: Names = frozenset()
    """The local names that nested functions may bind or delete."""
    reads: list[Any] = field(default_factory=list)
    nested: dict[Any, FunctionNames] = field(default_factory=dict)
    """The functions, lambdas and comprehensions nested directly in this one, by node."""

    def scope_of(self, node: Any) -> FunctionNames:
        """The names of a function nested in this one at any depth. Raises KeyError."""
        for names in self.walk():
            if names.node is node:
                return names
        raise KeyError(node)

    def walk(self) -> Iterator[FunctionNames]:
        """This one and all that are nested in it, outermost first, in the order of the text."""
        pending = [self]
        while pending:
            names = pending.pop()
            yield names
            pending.extend(reversed(names.nested.values()))

    @property
    def is_comprehension(self) -> bool:
        """Whether it is a comprehension, not a function."""
        return isinstance(self.node, COMPREHENSIONS)


def resolve(node: Any) -> FunctionNames:
    """The names of a function and of those nested in it."""
    root, body = _bindings(node)
    found = [(root, body)]
    for names, body in found:
        for inner, inner_body in _collect(names, body):
            names.nested[inner.node] = inner
            found.append((inner, inner_body))
    for names, _ in reversed(found):  # a nested function comes after the one around it
        _sum_up(names)
    return root


def _bindings(node: Any) -> tuple[FunctionNames, list[Any]]:
    """What a scope binds, and the nodes in it that say anything of names."""
    body = [inner for inner in own_nodes(node) if inner.__class__ in _TELLING]
    kinds = {inner.__class__ for inner in body}
    own = dict.fromkeys(name for inner in body for name in bound_by(inner))
    if isinstance(node, COMPREHENSIONS):
        named = set(bound_by(node))
        targets = [name for item in node.generators for name in target_names(item.target)]
        late = named if isinstance(node, _GENERATORS) else ()
        names = FunctionNames(node, (), tuple(dict.fromkeys(targets)), rebinds=frozenset(late))
        return names, body
    params = tuple(map(parameter_name, parameter_nodes(node)))
    in_module = set() if kinds.isdisjoint(_GLOBALS) else _declared(body, _GLOBALS)
    outer = set() if kinds.isdisjoint(_NONLOCALS) else _declared(body, _NONLOCALS)
    local = [name for name in own if name not in in_module and name not in outer]
    names = FunctionNames(
        node,
        params,
        tuple(dict.fromkeys([*params, *local])),
        frozenset(in_module),
        frozenset(outer),
        is_generator=not kinds.isdisjoint(_YIELDS),
        rebinds=frozenset(outer.intersection(own)),
    )
    return names, body


def _declared(body: list[Any], statements: tuple[Any, ...]) -> set[str]:
    return {name for inner in body if isinstance(inner, statements) for name in inner.names}


def _collect(names: FunctionNames, body: list[Any]) -> list[tuple[FunctionNames, list[Any]]]:
    """Record the reads of a scope; return the scopes nested directly in it, with their nodes."""
    nested = []
    for node in body:
        class_ = node.__class__
        if class_ in _NAMES:
            if node.ctx.__class__ not in _STORES:
                names.reads.append(node)  # ``del x`` needs a value, too
        elif class_ in _SCOPES:
            nested.append(_bindings(node))
        elif class_ in _AUGMENTED and node.target.__class__ in _NAMES:
            names.reads.append(node.target)
    return nested


def _sum_up(names: FunctionNames) -> None:
    """Fill in what follows from the reads of a scope and the sums of those nested in it."""
    inner = list(names.nested.values())
    none: Names = frozenset()
    not_outer = names.globals_declared.union(names.locals)
    used = none.union({read.id for read in names.reads}, *(item.free for item in inner))
    used |= names.nonlocals_declared | names.rebinds
    names.free = used - not_outer
    names.from_module = none.union(*(item.from_module for item in inner))
    names.from_module |= used & names.globals_declared
    rebinds = none.union(*(item.rebinds for item in inner))
    names.rebound = rebinds.intersection(names.locals)
    names.rebinds |= rebinds - not_outer
    late = none.union(*(item.late for item in inner))
    names.captured = late.intersection(names.locals)
    names.late = names.free if isinstance(names.node, _LATE) else late - not_outer


def own_nodes(scope: Any) -> Iterator[Any]:
    """The nodes that run as part of a function or a comprehension, in the order of the text.

    A nested function is yielded, and so are its decorators and defaults, which are evaluated where
    it is defined; its body is not. Nor are annotations, but those of a nested function that are
    evaluated, too. Of a nested comprehension its first iterable is yielded, which is evaluated
    around it.
    """
    if isinstance(scope, COMPREHENSIONS):
        first, *others = scope.generators
        head = [scope.key, scope.value] if isinstance(scope, _DICTS) else [scope.elt]
        return iter_own([*head, first.target, *first.ifs, *others])
    return iter_own(scope.body if isinstance(scope.body, list) else [scope.body])


def iter_own(roots: Iterable[Any]) -> Iterator[Any]:
    """``own_nodes`` of any statements or expressions."""
    pending = list(roots)[::-1]
    while pending:
        node = pending.pop()
        yield node
        class_ = node.__class__
        if class_ not in _WITHOUT_PARTS:
            pending += _OWN_PARTS.get(class_, children)(node)[::-1]


def definition_parts(function: Any) -> list[Any]:
    """The expressions that are evaluated where a function is defined, in order."""
    defaults = [*function.args.defaults, *function.args.kw_defaults]
    decorators = getattr(function, "decorator_list", [])
    evaluated = getattr(function, "evaluated", [])
    return [*decorators, *(default for default in defaults if default is not None), *evaluated]


def _annotated_parts(statement: Any) -> list[Any]:
    return [statement.target] if statement.value is None else [statement.target, statement.value]


def _handler_parts(handler: Any) -> list[Any]:
    """But its name, which the handler itself binds: that has no place of its own."""
    return handler.body if handler.type is None else [handler.type, *handler.body]


def _iterated_part(comprehension: Any) -> list[Any]:
    return [comprehension.generators[0].iter]


_WITHOUT_PARTS = forms("Name", "Constant")
"""The most frequent nodes: they hold no others. (Only parameters have an annotation.)"""

_OWN_PARTS: dict[type, Callable[[Any], list[Any]]] = {
    **dict.fromkeys(forms("AnnAssign"), _annotated_parts),
    **dict.fromkeys(forms("ExceptHandler"), _handler_parts),
    **dict.fromkeys(_REJECTED, lambda _: []),
    **dict.fromkeys(_FUNCTIONS, definition_parts),
    **dict.fromkeys(COMPREHENSIONS, _iterated_part),
}
"""For the nodes of which not all that they hold belongs to the scope: what does."""


def assigned_names(statements: Iterable[Any]) -> list[str]:
    """The names that ``statements`` bind or delete in the function that they are part of.

    Those in text order: targets, also of ``:=`` in a comprehension, of ``for``, ``with``,
    ``except``, ``import``, ``del`` and patterns; nested functions, and the variables that these
    rebind by ``nonlocal``.
    """
    names: dict[str, None] = {}
    for node in iter_own(statements):
        names.update(dict.fromkeys(bound_by(node)))
        if isinstance(node, _DEFINITIONS):
            names.update(dict.fromkeys(sorted(resolve(node).rebinds)))
    return list(names)


def bound_by(node: Any) -> list[str]:
    """The names that a node binds by itself in the scope around it, without its inner nodes."""
    binds = _BOUND.get(node.__class__)
    return [] if binds is None else binds(node)


def _bound_by_name(node: Any) -> list[str]:
    return [] if node.ctx.__class__ in _LOADS else [node.id]


def _bound_by_handler(node: Any) -> list[str]:
    return [getattr(node.name, "id", node.name)] if node.name else []


def _bound_by_comprehension(node: Any) -> list[str]:
    return [name for inner in _inner_scopes(node) for name in _named_in(inner)]


_BOUND: dict[type, Callable[[Any], list[str]]] = {
    **dict.fromkeys(_NAMES, _bound_by_name),
    **dict.fromkeys((*_DEFINITIONS, *_REJECTED), lambda node: [node.name]),
    **dict.fromkeys(forms("alias"), lambda node: [node.asname or node.name.partition(".")[0]]),
    **dict.fromkeys(forms("ExceptHandler"), _bound_by_handler),
    **dict.fromkeys(forms("MatchAs", "MatchStar"), lambda node: [node.name] if node.name else []),
    **dict.fromkeys(forms("MatchMapping"), lambda node: [node.rest] if node.rest else []),
    **dict.fromkeys(COMPREHENSIONS, _bound_by_comprehension),
}
"""For the nodes that bind names: which."""

_TELLING = frozenset((*_BOUND, *_SCOPES, *_AUGMENTED, *_GLOBALS, *_NONLOCALS, *_YIELDS))
"""The nodes by which the names of a scope are resolved."""


def target_names(target: Any) -> list[str]:
    """The names in the target of an assignment or of ``del``, but those in indexes."""
    found, pending = [], [target]
    while pending:
        node = pending.pop()
        if isinstance(node, _NAMES):
            found.append(node.id)
        elif isinstance(node, _SEQUENCES):
            pending.extend(reversed(node.elts))
        elif isinstance(node, _STARRED):
            pending.append(node.value)
    return found


def bound_by_patterns(pattern: Any) -> list[str]:
    """The names that a pattern binds."""
    return [name for node in iter_own([pattern]) for name in bound_by(node)]


def _inner_scopes(comprehension: Any) -> Iterator[Any]:
    """A comprehension and those nested in it."""
    pending = [comprehension]
    while pending:
        scope = pending.pop()
        yield scope
        nested = [node for node in own_nodes(scope) if isinstance(node, COMPREHENSIONS)]
        pending.extend(reversed(nested))


def _named_in(comprehension: Any) -> list[str]:
    """The targets of ``:=`` in a comprehension."""
    return [node.target.id for node in own_nodes(comprehension) if isinstance(node, _NAMED)]


# --- what can't be --------------------------------------------------------------------------------


def report_undefined_names(
    function: FunctionNames, unit: SourceUnit, scope: Lookup, diagnostics: Diagnostics
) -> bool:
    """Report what a function does to names that it can't; return whether there is nothing.

    That is a read of a name that is bound neither in the function nor in the scope around it, and
    a write to a variable of the module or of a function around it.
    """
    missing = {name for name in function.free | function.from_module if not scope.has(name)}
    # Type parameters are rejected where they stand, and their scopes are not worth following.
    parameters = _type_parameters(function.node) if missing else Names()
    is_valid = True
    pending = [(function, parameters)]
    while pending:
        names, around = pending.pop()
        visible = (around - names.globals_declared).union(names.locals)
        near: dict[str, str] = {}
        for read in names.reads if missing else ():
            if read.id in missing and read.id not in visible:
                if read.id not in near:
                    near[read.id] = spelling_of(unit.source).nearest(read.id, visible, scope.has)
                diagnostics.append(_undefined(read.id, unit.span(read), near[read.id], unit))
                is_valid = False
        is_valid &= not _report_writes(names, around, unit, diagnostics)
        pending.extend((inner, visible) for inner in reversed(names.nested.values()))
    return is_valid


def _type_parameters(function: Any) -> Names:
    return Names(
        node.name for node in descendants(function) if type(node).__name__ in _TYPE_PARAMETERS
    )


def _undefined(name: str, span: SourceSpan, near: str, unit: SourceUnit) -> Diagnostic:
    labels = (Label(span, f"did you mean '{near}'?"),) if near else ()
    fix = import_name(name, unit) or (write_name(span, near) if near else None)
    return Diagnostic(catalog.UNDEFINED_NAME, span, {"name": name}, labels, fix)


def _report_writes(
    names: FunctionNames, around: Names, unit: SourceUnit, diagnostics: Diagnostics
) -> bool:
    """Report writes to variables outside of the graph; return whether there are any."""
    outside = dict.fromkeys(names.nonlocals_declared - around, catalog.NONLOCAL_WRITE)
    outside |= dict.fromkeys(names.globals_declared, catalog.GLOBAL_WRITE)
    found = False
    for node in own_nodes(names.node) if outside else ():
        for name in sorted(outside.keys() & bound_by(node)):
            found = True
            diagnostics.add(outside[name], head_span(unit, node), name=name)
    return found


def report_generator(node: Any, unit: SourceUnit, diagnostics: Diagnostics) -> bool:
    """Report that a function whose result leaves the graph is a generator; return whether it is."""
    for inner in own_nodes(node):
        if isinstance(inner, _YIELDS):
            diagnostics.add(catalog.ESCAPING_GENERATOR, unit.span(inner))
            return True
    return False
