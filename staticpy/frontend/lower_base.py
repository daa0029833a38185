"""The state of lowering: a compilation, the graph function being built, and the frame of Python.

Lowering turns the restricted AST of a function into SSA by running it abstractly: each expression
gives a compile-time object or a Value (see ``values``), each statement changes the environment of
its frame, and what happens at run time is emitted to the Builder.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from staticpy.diagnostics import DiagnosticError, Diagnostics, DiagnosticSpec, Label, catalog
from staticpy.frontend.inputs import Captured, InputSet, Path
from staticpy.frontend.liveness import Liveness
from staticpy.frontend.parse import Parameter
from staticpy.frontend.scope import Scope
from staticpy.frontend.values import (
    PENDING,
    POISON,
    UNBOUND,
    Pending,
    Poisoned,
    UserFunction,
    is_liftable,
)
from staticpy.ir import Block, BlockArgument, Builder, Function, Module, ShapeFacts, Value
from staticpy.ops import as_value
from staticpy.source import SourceSpan, SourceUnit


@dataclass(eq=False, slots=True)
class Prepared:
    """A function that has passed the stages before lowering."""

    unit: SourceUnit
    node: Any
    parameters: list[Parameter]
    liveness: Liveness
    assigned: frozenset[str]
    """Every name that the function binds: its local variables."""


@dataclass(slots=True)
class TypeSearch:
    """How far the search for the types of loop variables is.

    ``pending``: a variable was read whose type an enclosing loop has yet to find. ``depth``: the
    number of loops being searched. ``is_last``: nothing more will be found, and what is unbound is
    an error.
    """

    pending: bool = False
    depth: int = 0
    is_last: bool = False


@dataclass(eq=False, slots=True)
class Compilation:
    """What all functions of one module share while they are lowered."""

    module: Module
    diagnostics: Diagnostics
    inputs: InputSet
    facts: ShapeFacts
    prepare: Callable[[SourceUnit, Scope], Prepared | None]
    search: TypeSearch = field(default_factory=TypeSearch)
    functions: dict[Any, UserFunction] = field(default_factory=dict)
    """The user's functions met so far, by the live object."""
    specialisations: dict[Any, Any] = field(default_factory=dict)
    """The graph functions made so far, by what was called with what."""
    containers: dict[int, tuple[Any, Path]] = field(default_factory=dict)
    """The tuples, lists and dicts that stand for objects from outside, by their id."""
    nested: dict[Any, Prepared] = field(default_factory=dict)
    """The nested functions met so far, by their node."""
    stack: list[Any] = field(default_factory=list)
    """The nodes of the functions being lowered, outermost first."""

    def fresh_name(self, name: str) -> str:
        """``name``, or a numbered form of it that no function of the module has yet."""
        numbered = (f"{name}_{i}" for i in itertools.count(1))
        return next(n for n in itertools.chain([name], numbered) if n not in self.module.functions)


@dataclass(eq=False, slots=True)
class Graph:
    """One ``ir.Function`` in the making, with what it captures from outside of the program."""

    function: Function
    builder: Builder
    chain: SourceSpan | None = None
    """The call by which the program reached this function; None for the entry."""
    captures: dict[Path, BlockArgument] = field(default_factory=dict)

    def value_of(self, captured: Captured) -> Value:
        """The argument of this function that holds a captured input."""
        if captured.path not in self.captures:
            argument = self.function.block.add_arg(captured.type, captured.name)
            self.captures[captured.path] = argument
        return self.captures[captured.path]


@dataclass(eq=False, slots=True)
class Frame:
    """One activation of a Python function: its variables, and where its free names come from.

    Besides the user's variables, ``env`` holds flags whose names start with ``%``: ``%break``,
    ``%continue`` and ``%return`` say whether the path has left, ``%result`` is what it returns, and
    ``%bound:x`` whether ``x`` is bound, where that depends on a run-time value.
    """

    prepared: Prepared
    scope: Scope
    parent: Frame | None = None
    chain: SourceSpan | None = None
    """The call by which this frame was entered, where it was lowered in place."""
    env: dict[str, Any] = field(default_factory=dict)
    spans: dict[str, SourceSpan] = field(default_factory=dict)
    """Where each variable was last assigned."""


class LowererBase:
    """The state, and the small steps that every kind of lowering takes."""

    def __init__(self, compilation: Compilation, graph: Graph, frame: Frame) -> None:
        self.compilation = compilation
        self.graph = graph
        self.frame = frame
        self.builder = graph.builder
        self.loop_types: dict[Any, dict[str, Any]] = {}
        """The types that the variables of a loop ended with, when it was last lowered."""

    @property
    def env(self) -> dict[str, Any]:
        return self.frame.env

    # --- what the parts of the lowerer ask of each other ------------------------------------------

    def expression(self, node: Any) -> Any:
        raise AssertionError("defined by Expressions")

    def condition(self, node: Any) -> Any:
        raise AssertionError("defined by Expressions")

    def block(self, statements: list[Any], live: frozenset[str]) -> None:
        raise AssertionError("defined by Statements")

    def branch(
        self,
        condition: Value,
        then: Callable[[], None],
        orelse: Callable[[], None],
        live: frozenset[str],
    ) -> None:
        raise AssertionError("defined by Branches")

    def choose(
        self, condition: Value, then: Callable[[], Any], orelse: Callable[[], Any], what: str
    ) -> Any:
        raise AssertionError("defined by Branches")

    # --- positions and errors ---------------------------------------------------------------------

    def span(self, node: Any) -> SourceSpan:
        """The span of ``node``, with the calls since the graph function began."""
        span = self.frame.prepared.unit.span(node)
        return span.inlined(self.frame.chain) if self.frame.chain else span

    @contextmanager
    def at(self, node: Any) -> Iterator[None]:
        """Emit for ``node``; an error without a position gets this one."""
        saved, self.builder.span = self.builder.span, self.span(node)
        try:
            yield
        except DiagnosticError as error:
            error.span = error.span or self.builder.span
            raise
        finally:
            self.builder.span = saved

    def error(self, spec: DiagnosticSpec, node: Any, *labels: Label, **args: object) -> Any:
        """Give up on a construct."""
        raise DiagnosticError(spec, self.span(node), labels, **args)

    def report(self, error: DiagnosticError, node: Any) -> None:
        """Keep an error, with the calls that led here from the function the user called."""
        span = error.span or self.span(node)
        error.span = span.inlined(self.graph.chain) if self.graph.chain else span
        self.compilation.diagnostics.append(error.diagnostic(error.span))

    # --- values -----------------------------------------------------------------------------------

    def lift(self, value: Any, what: str = "this value") -> Value:
        """``value`` as a Value of the graph.

        Raises:
            DiagnosticError: it is no number and no array.
        """
        if not is_liftable(value):
            described = "a " + type(value).__name__
            raise DiagnosticError(catalog.NOT_A_RUNTIME_VALUE, what=what, type=described)
        return as_value(value)

    def capture(self, path: Path | None, value: Any, *, scalars: bool = False) -> Any:
        """What lowering uses for an object from outside: see ``InputSet.capture``."""
        if path is None:
            return value
        return self.localize(self.compilation.inputs.capture(path, value, scalars=scalars), path)

    def localize(self, tree: Any, path: Path) -> Any:
        """``tree``, which is at ``path``, with a Value of this function for each captured input."""
        if isinstance(tree, Captured):
            return self.graph.value_of(tree)
        if type(tree) not in (tuple, list, dict):
            return tree
        pairs = tree.items() if isinstance(tree, dict) else enumerate(tree)
        items = {key: self.localize(item, path.item(key)) for key, item in pairs}
        made = items if isinstance(tree, dict) else type(tree)(items.values())
        self.compilation.containers[id(made)] = made, path
        return made

    def assign_name(self, name: str, value: Any, span: SourceSpan) -> None:
        """Bind a local variable."""
        self.env[name] = value
        self.env.pop(f"%bound:{name}", None)
        self.frame.spans[name] = span
        is_new = isinstance(value, Value) and not isinstance(value, BlockArgument)
        if is_new and not value.name:
            value.name = name

    def read_local(self, name: str, node: Any, *, is_free: bool = False) -> Any:
        """The value of a local variable, checked to be bound as CPython checks it.

        ``is_free``: a nested function reads it.
        """
        value = self.env.get(name, UNBOUND)
        if value is POISON:
            raise Poisoned
        if value is PENDING:
            self.compilation.search.pending = True
            raise Pending
        bound = self.env.get(f"%bound:{name}", True)
        if value is UNBOUND or bound is False:
            self.error(catalog.UNBOUND_LOCAL, node, name=name)
        if isinstance(bound, Value):
            self.require_bound(bound, name, is_free)
        return value

    def assign(self, target: Any, value: Any) -> None:
        """Bind a name, or the names of a nested tuple of targets."""
        raise AssertionError("defined by Statements")

    def require_bound(self, bound: Value, name: str, is_free: bool) -> None:
        raise AssertionError("defined by Branches")


def new_graph(
    compilation: Compilation, name: str, span: SourceSpan, chain: SourceSpan | None
) -> Graph:
    """An empty function of the module and the builder that fills it."""
    block = Block()
    function = Function(compilation.fresh_name(name), block, span)
    return Graph(function, Builder(block, compilation.facts), chain)
