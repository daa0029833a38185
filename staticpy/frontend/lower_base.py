"""The state of lowering: a compilation, the graph function being built, and the frame of Python.

Lowering turns the restricted AST of a function into SSA by running it abstractly: each expression
gives a compile-time object or a Value (see ``values``), each statement changes the environment of
its frame, and what happens at run time is emitted to the Builder.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from staticpy.diagnostics import DiagnosticError, Diagnostics, DiagnosticSpec, Label, catalog
from staticpy.frontend.inputs import Captured, InputSet, Path
from staticpy.frontend.instances import Instances
from staticpy.frontend.kinds import kind_of
from staticpy.frontend.liveness import Liveness
from staticpy.frontend.notes import Notes
from staticpy.frontend.parse import Parameter
from staticpy.frontend.scope import Scope
from staticpy.frontend.state import Cells, Journal, next_serial
from staticpy.frontend.validate import head_span
from staticpy.frontend.values import (
    PENDING,
    POISON,
    UNBOUND,
    Conflict,
    NoVerdict,
    Pending,
    Poisoned,
    Ref,
    UserFunction,
    is_liftable,
)
from staticpy.frontend.widths import LowerAgain, Widths
from staticpy.ir import Block, BlockArgument, Builder, Function, Module, ShapeFacts, Value
from staticpy.ops import as_value
from staticpy.source import SourceSpan, SourceUnit

MadeRef = TypeVar("MadeRef", bound=Ref)


@dataclass(eq=False, slots=True)
class Prepared:
    """A function that has passed the stages before lowering."""

    unit: SourceUnit
    node: Any
    parameters: list[Parameter]
    liveness: Liveness
    assigned: frozenset[str]
    """Every name that the function binds: its local variables."""
    is_generator: bool = False
    captured: frozenset[str] = frozenset()
    """The local variables that nested functions read, which may outlive the call."""
    places: dict[Any, SourceSpan] = field(default_factory=dict)
    """The span of each node, once it was asked for."""
    leaving: dict[Any, bool] = field(default_factory=dict)
    """Whether every path through an ``if`` leaves the block, once that was asked for."""


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
class Activations:
    """The calls of one function that are being lowered, outermost first: the arguments of each, and
    the block that it stands in. ``entered`` is how many there have been since the outermost began,
    and ``total`` how many there have been at all.
    """

    calls: list[tuple[dict[str, Any], Block]] = field(default_factory=list)
    entered: int = 0
    total: int = 0

    @contextmanager
    def enter(self, bound: dict[str, Any], block: Block) -> Iterator[None]:
        """Lower a call."""
        self.total += 1
        self.entered = self.entered + 1 if self.calls else 1
        self.calls.append((bound, block))
        try:
            yield
        finally:
            self.calls.pop()

    @contextmanager
    def suspend(self) -> Iterator[None]:
        """Lower what is done with an item that a generator, the innermost call, yields."""
        call = self.calls.pop()
        try:
            yield
        finally:
            self.calls.append(call)


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
    nested: dict[Any, Prepared] = field(default_factory=dict)
    """The nested functions met so far, by their node."""
    active: dict[Any, Activations] = field(default_factory=dict)
    """The calls being lowered, by the function (``kind_of_call``) and the frame around it."""
    open: list[Any] = field(default_factory=list)
    """The graph functions being made, outermost first."""
    journal: Journal = field(default_factory=Journal)
    outside: dict[int, Any] = field(default_factory=dict)
    """The Ref of each mutable object from outside, by the object's id."""
    in_steps: frozenset[SourceSpan] = frozenset()
    """Where the generators are made that run step by step."""
    pairs_in_memory: bool = False
    """Whether one of two dicts of the same keys, or lists of one length, is memory, so that a
    write to it can be seen by either's name."""
    loop_types: dict[Any, dict[Any, Any]] = field(default_factory=dict)
    """What a loop carried when it was last lowered, by where that is (``recall``)."""
    loop_memory: dict[Any, dict[Any, Any]] = field(default_factory=dict)
    """The types of the lists and dicts that had to be memory before a loop, by where those were
    made."""
    resizing: set[Any] = field(default_factory=set)
    """The loops that may change the length of a list that they go through."""
    unrollings: dict[Any, Any] = field(default_factory=dict)
    """What became of unrolling the constant loops that were no loops of the graph."""
    made: dict[Any, Any] = field(default_factory=dict)
    """The last list, dict or object that was made at a place."""
    tests: dict[Value, tuple[Value, Any, Any]] = field(default_factory=dict)
    """For a run-time test of what a Value is: the Value, and its type where that is true and
    where it is false."""
    measures: dict[Value, tuple[Value, str]] = field(default_factory=dict)
    """For the number of axes (``ndim``) or items (``len``) of a Value of one of several types:
    that Value, which a comparison of the number tells more about."""
    implied: dict[Any, tuple[tuple[Value, bool], ...]] = field(default_factory=dict)
    """For a condition and its truth: what that says of the conditions that it was made of."""
    origins: dict[Value, Value] = field(default_factory=dict)
    """For a Value whose type is known better on a path: the Value that it is."""
    ambiguous: dict[Any, set[Any]] = field(default_factory=dict)
    """For a Ref that may be one of others by the path taken, and for these: each other."""
    attributes: dict[Any, Any] = field(default_factory=dict)
    """The dict of each object, where the program asks for it."""
    instances: Instances = field(default_factory=Instances)
    """The classes whose objects are in the memory of the running program."""
    widths: Widths = field(default_factory=Widths)
    """The types of the lists and dicts in memory that are held elsewhere as well."""
    held: set[Value] = field(default_factory=set)
    """The lists and dicts in memory that something else may lead to."""
    finals: dict[Any, int] = field(default_factory=dict)
    """In how many bodies of a ``finally`` the variables of a frame are: they are read after a
    ``return`` as well."""
    given: dict[Any, dict[Any, None]] = field(default_factory=dict)
    """The lists and dicts from outside that a function, by its node, is given where it calls
    itself, because somebody writes to them."""
    originals: dict[Any, Any] = field(default_factory=dict)
    """For a graph function's own Ref of a list or dict from outside: the Ref of that."""
    written: dict[Any, None] = field(default_factory=dict)
    """The Refs from outside whose object the program writes to."""
    heap: Cells = field(init=False)
    """The content of each Ref."""
    handles: Cells = field(init=False)
    """For a Ref that exists as an object at run time: the Value that holds the object."""
    endless: tuple[str, SourceSpan] | None = None
    """What holds itself, a list or a dict, and where it got to: its type has no end."""
    unknown: NoVerdict | None = None
    """The first thing of which nothing is known, where the analysis went on without it: there will
    be no graph."""
    derivatives: int = 0
    """How many derivatives are taken around what is being lowered."""
    numbers: dict[str, int] = field(default_factory=dict)
    """The last number that a function of the module got in its name."""
    notes: Notes = field(init=False)
    path: Cells = field(init=False)
    """``dead``: whether the path being lowered has ended in an exception."""

    def __post_init__(self) -> None:
        self.heap, self.handles = Cells(self.journal, "memory"), Cells(self.journal, "memory")
        self.path = Cells(self.journal, "path")
        self.notes = Notes(self.heap)
        self.journal.follow(self.notes)

    def fresh_name(self, name: str) -> str:
        """``name``, or a numbered form of it that no function of the module has yet."""
        taken, number = self.module.functions, self.numbers.get(name, 0)
        while number and f"{name}_{number}" not in taken:
            number -= 1  # it was given up since
        made = f"{name}_{number}" if number else name
        while made in taken:
            number += 1
            made = f"{name}_{number}"
        self.numbers[name] = number
        return made


@dataclass(eq=False, slots=True)
class Graph:
    """One ``ir.Function`` in the making, with what it captures from outside of the program."""

    function: Function
    builder: Builder
    chain: SourceSpan | None = None
    """The call by which the program reached this function; None for the entry."""
    captures: dict[Path, BlockArgument] = field(default_factory=dict)
    reads: dict[Any, Any] = field(default_factory=dict)
    """The content of the Refs from outside that were read as they are at the call."""
    stand_ins: dict[Any, Any] = field(default_factory=dict)
    """For the lists and dicts from outside that it is given as memory: its own Refs of them."""
    serial: int = field(default_factory=next_serial)

    def value_of(self, captured: Captured) -> Value:
        """The argument of this function that holds a captured input."""
        if captured.path not in self.captures:
            argument = self.function.block.add_arg(captured.type, captured.name)
            self.captures[captured.path] = argument
        return self.captures[captured.path]


class NeedsSteps(LowerAgain):
    """Raised where a generator is asked for items now and then, to be lowered as such from where
    it is made.
    """

    def __init__(self, span: SourceSpan) -> None:
        super().__init__(span)
        self.span = span


class MeetsTensor(LowerAgain):
    """Raised where the first Tensor is met: derivatives may be taken of the whole function."""


OF_TENSORS: Final = 2
"""Of what order derivatives are taken of a function that is called with Tensors, when somebody goes
back.
"""


class NeedsInPlace(Exception):
    """Raised where a graph function of its own can't do what its body does to an outer object."""

    def __init__(self, ref: Any = None) -> None:
        super().__init__(ref)
        self.ref = ref


class Frame:
    """One activation of a Python function: its variables, and where its free names come from.

    Besides the user's variables, ``env`` holds flags whose names start with ``%``: ``%break``,
    ``%continue`` and ``%return`` say whether the path has left, ``%result`` is what it returns, and
    ``%bound:x`` whether ``x`` is bound, where that depends on a run-time value. ``chain`` is the
    call by which the frame was entered, where it was lowered in place; ``spans`` says where each
    variable was last assigned.
    """

    def __init__(
        self,
        prepared: Prepared,
        scope: Scope,
        journal: Journal,
        parent: Frame | None = None,
        chain: SourceSpan | None = None,
    ) -> None:
        self.prepared = prepared
        self.scope = scope
        self.parent = parent
        self.chain = chain
        self._places: dict[Any, SourceSpan] = {}
        self.spans = Cells(journal, "spans")
        self.env = Cells(journal, "variables", self.spans)
        self.consumer: Any = None
        """What takes the items that this frame yields, where it belongs to a generator."""
        self.origin: Frame = self
        """The frame that this one stands for in a graph function."""
        self.state: Any = None
        """Where the loops of a generator that runs step by step are."""
        self.loops: dict[str, Any] = {}
        """What the loops of a generator that runs step by step go through, where these are
        generators."""
        self.method_class: Any = None
        """The class in whose body the function stands, for ``super()``."""

    def place(self, node: Any) -> SourceSpan:
        """The span of ``node``, of a statement that holds others that of its head, reached through
        the call by which the frame was entered.
        """
        span = self._places.get(node)
        if span is None:
            known = self.prepared.places
            span = known.get(node)
            if span is None:
                span = known[node] = head_span(self.prepared.unit, node)
            self._places[node] = span = span.inlined(self.chain) if self.chain else span
        return span

    def reached_by(self, call: SourceSpan) -> Frame:
        """Say by which call the frame is entered, before anything is lowered in it; return it."""
        self.chain = call
        return self

    def bind(self, values: dict[str, Any]) -> Frame:
        """Give variables their values; return the frame."""
        for name, value in values.items():
            self.env[name] = value
        return self


class At:
    """Lets a builder work for a span for a while: a context manager, one for each expression."""

    __slots__ = ("_before", "_builder", "_span")

    def __init__(self, builder: Builder, span: SourceSpan) -> None:
        self._builder = builder
        self._span = span

    def __enter__(self) -> None:
        self._before, self._builder.span = self._builder.span, self._span

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        if isinstance(error, DiagnosticError):
            error.span = error.span or self._builder.span
        self._builder.span = self._before


class LowererBase:
    """The state, and the small steps that every kind of lowering takes."""

    def __init__(self, compilation: Compilation, graph: Graph, frame: Frame) -> None:
        self.compilation = compilation
        self.journal = compilation.journal
        self.heap = compilation.heap
        self.graph = graph
        self.frame = frame
        self.builder = graph.builder
        self.frames: list[Frame] = []
        """The frames around the current one, outermost first."""
        self.assumed: dict[Value, Any] = {}
        """What is known of a Value on this path, by a test of its type."""
        self.short_loops = 0
        """How many constant loops are being tried as loops that might be unrolled as well."""
        self.depth = 0
        """How many pieces of the program with hidden variables are being lowered."""
        self.generators: list[Any] = []
        """The nodes of the generators whose bodies are being lowered, innermost last; None is what
        their consumers do."""
        self.unrolled: tuple[int, ...] = ()
        """The rounds of the unrolled loops around."""
        self.copies = 1
        """How often these compile what is in them."""

    @property
    def env(self) -> Cells:
        return self.frame.env

    @contextmanager
    def in_frame(self, frame: Frame) -> Iterator[None]:
        """Lower a piece of the program in another frame."""
        self.frames.append(self.frame)
        self.frame = frame
        try:
            yield
        finally:
            self.frame = self.frames.pop()

    # --- positions and errors ---------------------------------------------------------------------

    def span(self, node: Any) -> SourceSpan:
        """The span of ``node``, with the calls since the graph function began."""
        return self.frame.place(node)

    def at(self, node: Any) -> At:
        """Emit for ``node``; an error without a position gets this one."""
        return At(self.builder, self.frame.place(node))

    def error(self, spec: DiagnosticSpec, node: Any, *labels: Label, **args: object) -> Any:
        """Give up on a construct."""
        raise DiagnosticError(spec, self.span(node), labels, **args)

    def report(self, error: DiagnosticError, node: Any) -> None:
        """Keep an error, with the calls that led here from the function the user called."""
        span = error.span or self.span(node)
        error.span = span.inlined(self.graph.chain) if self.graph.chain else span
        self.compilation.diagnostics.append(error.diagnostic(error.span))

    # --- values -----------------------------------------------------------------------------------

    def make(self, ref: MadeRef, content: Any) -> MadeRef:
        """A fresh list, dict or object, with its content."""
        self.heap[ref] = content
        self.compilation.made[ref.place] = ref
        return ref

    def lift(self, value: Any, what: str = "this value") -> Value:
        """``value`` as a Value of the graph.

        Raises:
            DiagnosticError: it is no number and no array.
        """
        if not is_liftable(value):
            raise DiagnosticError(
                catalog.NOT_A_RUNTIME_VALUE, what=what, type=f"a {kind_of(value)}"
            )
        return as_value(value)

    def owner(self, name: str) -> Frame:
        """The frame whose variable ``name`` is, for a write: an outer one if it is nonlocal."""
        frame = self.frame
        while name not in frame.prepared.assigned and frame.parent is not None:
            frame = frame.parent
        return frame

    def assign_name(self, name: str, value: Any, span: SourceSpan) -> None:
        """Bind a variable."""
        frame = self.owner(name)
        frame.env[name] = value
        frame.env.drop(f"%bound:{name}")
        frame.spans[name] = span
        self.compilation.notes.assigned(span, name, value)
        is_new = isinstance(value, Value)
        if is_new and not value.name:
            value.name = name

    def read_local(self, name: str, node: Any, *, is_free: bool = False) -> Any:
        """The value of a local variable, checked to be bound as CPython checks it; ``is_free`` if
        it is a nested function that reads it.
        """
        value = self.env.get(name, UNBOUND)
        if value is POISON:
            raise Poisoned
        if isinstance(value, Conflict):
            self.refuse_conflict(value, node)
        if value is PENDING:
            self.compilation.search.pending = True
            raise Pending
        bound = self.env.get(f"%bound:{name}", True)
        if value is UNBOUND or bound is False:
            self.refuse_unbound(name, node, is_free=is_free)
        if isinstance(bound, Value):
            self.require_bound(bound, name, is_free=is_free)
        return value

    def refuse_conflict(self, conflict: Conflict, node: Any) -> None:
        """Report a read of what has no one value."""
        self.error(conflict.spec, node, *conflict.labels, **dict(conflict.args))

    def assign(self, target: Any, value: Any) -> None:
        """Bind a name, or the names of a nested tuple of targets."""
        raise AssertionError("defined by Statements")

    def refuse_unbound(self, name: str, node: Any, *, is_free: bool) -> None:
        raise AssertionError("defined by Branches")

    def require_bound(self, bound: Value, name: str, *, is_free: bool = False) -> None:
        raise AssertionError("defined by Branches")


def new_graph(
    compilation: Compilation, name: str, span: SourceSpan, chain: SourceSpan | None
) -> Graph:
    """An empty function of the module and the builder that fills it."""
    block = Block()
    function = Function(compilation.fresh_name(name), block, span)
    return Graph(function, Builder(block, compilation.facts, shares=True), chain)
