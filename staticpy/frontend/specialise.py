"""Graph functions of their own, one for each kind of call of a function of the user's.

A function that calls itself is lowered again, with what the last round returned, until that no
longer changes. Lists and dicts that it gets are memory of the running program, and the variables
that a nested function reads are arguments (``nonlocals``).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import gast

from staticpy import ops
from staticpy.diagnostics import catalog
from staticpy.frontend.binding import call_key, is_part_of_key
from staticpy.frontend.inputs import Captured, map_tree, tree_leaves
from staticpy.frontend.lifting import Lift, memory_of, typed
from staticpy.frontend.lower_base import Frame, Graph, NeedsInPlace, Prepared, new_graph
from staticpy.frontend.memory import NoValue
from staticpy.frontend.nonlocals import Nonlocals, Unboxed
from staticpy.frontend.paths import Slot, fill
from staticpy.frontend.values import (
    PENDING,
    POISON,
    Closure,
    Conflict,
    DictRef,
    ListRef,
    ObjectRef,
    PathEnds,
    Pending,
    PendingCall,
    Poisoned,
    Ref,
    UserFunction,
    constant_type,
)
from staticpy.frontend.widths import wider_memory
from staticpy.ir import NEVER, Type, Value
from staticpy.source import SourceSpan

_MOST_ROUNDS = 20
"""How often a function that calls itself is lowered until it is known what it returns."""

_MOST_DERIVATIVES = 8
"""Of what order derivatives are told apart."""


@dataclass(frozen=True, slots=True)
class Given:
    """The place of an argument that the callee hands back: its number among the memory it got."""

    index: int


@dataclass(eq=False, slots=True)
class Specialisation:
    """A graph function for certain arguments, or one that is being made."""

    graph: Graph
    output: Any = PENDING
    """What it returns, with a Slot for each result; PENDING while that is not known."""
    result_types: tuple[Type, ...] = ()
    memory_types: tuple[Type, ...] = ()
    """The types of the lists and dicts that it gets, as wide as what it stores there."""
    captures: tuple[Captured, ...] = ()
    reads: tuple[Ref, ...] = ()
    """The containers from outside whose content it read as it is at the call."""
    is_dead: bool = False
    """Whether every path raises."""
    is_open: bool = True
    is_called: bool = False
    """Whether it has called itself."""
    depends: set[Specialisation] = field(default_factory=set)
    """The open ones that it has called."""
    dependents: list[Any] = field(default_factory=list)
    """The keys of those that were made with what was known of this one."""

    def known(self) -> tuple[Any, ...]:
        """What a call of it depends on."""
        found = self.output, self.result_types, self.memory_types, self.is_dead
        return (*found, self.captures)


class _NotApart:
    """The mark of a call that can only be lowered in place."""


_NOT_APART = _NotApart()


def class_around(function: UserFunction) -> Any:
    """The class in whose body a live function stands, if it says ``super()``."""
    live = function.function
    if live is None or "__class__" not in live.__code__.co_freevars:
        return None
    cell = (live.__closure__ or ())[live.__code__.co_freevars.index("__class__")]
    return cell.cell_contents


class Specialising(Nonlocals):
    """Makes graph functions, and calls them."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._widest: dict[Ref, Type] = {}
        """The types that lists and dicts in memory have had, joined."""

    def full_span(self, node: Any) -> SourceSpan:
        """The span of ``node`` with all calls since the function that the user called."""
        span = self.span(node)
        return span.inlined(self.graph.chain) if self.graph.chain else span

    def _frame_of(self, function: UserFunction | Closure, prepared: Prepared) -> Frame:
        """A fresh frame for a call."""
        if isinstance(function, Closure):
            parent = function.frame
            frame = Frame(prepared, parent.scope, self.journal, parent)
        else:
            frame = Frame(prepared, function.scope, self.journal)
            frame.method_class = class_around(function)
        return frame

    def _call_apart(
        self,
        prepared: Prepared,
        bound: dict[str, Any],
        free: dict[Any, Any],
        function: UserFunction | Closure,
        key: Any,
        node: Any,
    ) -> Any:
        """Emit a call of the graph function for these arguments, made at the first such call."""
        table = self.compilation.specialisations
        found = table.get(key)
        if found is None:
            found = self._specialise(prepared, bound, free, function, key, node)
        if found is _NOT_APART:
            return _NOT_APART
        changed = [ref for ref in found.reads if ref in self.heap]
        if changed:  # it has the content that the containers had before
            self._give(prepared, changed)
            return _NOT_APART
        if found.is_open:
            self._note_recursion(found)
        self.compilation.notes.called(self.span(node), prepared.unit.name, apart=True)
        return self._emit_call(found, bound, free)

    def _note_recursion(self, found: Specialisation) -> None:
        compilation = self.compilation
        found.is_called = True
        position = compilation.open.index(found)
        for inner in compilation.open[position + 1 :]:
            inner.depends.add(found)
        if found.output is PENDING or NEVER in found.result_types:
            compilation.search.pending = True
            raise PendingCall

    def _emit_call(self, found: Specialisation, bound: dict[str, Any], free: Any) -> Any:
        memory = memory_of(bound, free)
        for ref, type_ in zip(memory, found.memory_types, strict=True):
            self.list_value(ref, wider_memory([self.value_type(ref), type_]))
        operands = [leaf for leaf in tree_leaves([bound, free]) if isinstance(leaf, Value)]
        operands += [self.list_value(ref) for ref in memory]
        operands += [self.graph.value_of(captured) for captured in found.captures]
        types_ = self.builder.facts.resolve_attr(found.result_types)
        attrs = {"callee": found.graph.function.name, "result_types": types_}
        results = self.builder.emit(ops.call, operands, attrs).results
        if found.is_dead or NEVER in found.result_types:
            self.end_path()
        output = fill(found.output, results)
        return map_tree(
            lambda leaf: memory[leaf.index] if isinstance(leaf, Given) else self.open(leaf), output
        )

    def _specialise(
        self,
        prepared: Prepared,
        bound: dict[str, Any],
        free: dict[Any, Any],
        function: UserFunction | Closure,
        key: Any,
        node: Any,
    ) -> Any:
        """Lower the callee as a graph function of its own, until what it returns is known."""
        compilation, span = self.compilation, prepared.unit.span(prepared.node)
        graph = new_graph(compilation, prepared.unit.name, span, self.full_span(node))
        made = Specialisation(graph)
        made.memory_types = tuple(self.value_type(ref) for ref in memory_of(bound, free))
        name = graph.function.name
        compilation.specialisations[key] = made
        compilation.open.append(made)
        diagnostics, mark = compilation.diagnostics, compilation.diagnostics.mark()
        try:
            for _ in range(_MOST_ROUNDS):
                compilation.module.add(graph.function)
                before = made.known()
                made.is_called = False
                self._lower_apart(made, prepared, bound, free, function)
                after, widened = made.known(), made.memory_types != before[2]
                if len(diagnostics) > mark:
                    raise Poisoned
                if after == before or not (made.is_called or widened):
                    break
                diagnostics.rollback(mark)
                self._forget_specialisation(made, name)
                graph = made.graph = new_graph(compilation, name, span, graph.chain)
            else:  # what it returns is ever more deeply nested
                self.error(catalog.RECURSION, node, name=prepared.unit.name)
        except NeedsInPlace as reason:
            self._give(prepared, [reason.ref])
            self._forget_specialisation(made, name)
            compilation.specialisations[key] = _NOT_APART
            return _NOT_APART
        except BaseException:
            self._forget_specialisation(made, name)
            del compilation.specialisations[key]
            raise
        finally:
            compilation.open.remove(made)
        made.is_open = False
        for outer in made.depends - {made}:
            outer.dependents.append(key)
        return made

    def _give(self, prepared: Prepared, refs: list[Any]) -> None:
        """Give a function what it writes to from outside, or what was written, from now on."""
        given = self.compilation.given.setdefault(prepared.node, {})
        for ref in refs:
            if isinstance(ref, ListRef | DictRef) and ref.path is not None:
                given[ref] = None

    def _forget_specialisation(self, made: Specialisation, name: str) -> None:
        """Remove what was made with what is no longer true."""
        compilation = self.compilation
        compilation.module.functions.pop(name, None)
        for key in made.dependents:
            other = compilation.specialisations.pop(key, None)
            if isinstance(other, Specialisation):
                self._forget_specialisation(other, other.graph.function.name)
        made.dependents.clear()

    def _lower_apart(
        self,
        made: Specialisation,
        prepared: Prepared,
        bound: dict[str, Any],
        free: dict[Any, Any],
        function: UserFunction | Closure,
    ) -> None:
        """One round: lower the callee, with what is known of its result from the last round."""
        with self.journal.scope():
            self.compilation.path["dead"] = False
            saved = self.graph, self.builder
            self.graph, self.builder = made.graph, made.graph.builder
            try:
                notes = self.compilation.notes.apart(made.graph.function.name)
                with self.builder.current(), notes:
                    self._fill_graph(made, prepared, bound, free, function)
            finally:
                self.graph, self.builder = saved

    def _fill_graph(
        self,
        made: Specialisation,
        prepared: Prepared,
        bound: dict[str, Any],
        free: dict[Any, Any],
        function: UserFunction | Closure,
    ) -> None:
        self.builder.span = prepared.unit.span(prepared.node)
        lift = Lift(self, made.graph, made.memory_types)
        env, outer = lift.tree(bound), lift.tree(free)
        refs = lift.refs()
        for name, value in env.items():
            if isinstance(value, Value):
                value.name = name
        lift.rebuild_frames(outer)
        env = {name: lift.rebased(value) for name, value in env.items()}
        frame = self._frame_of(lift.rebased(function), prepared).bind(env)
        pending, is_dead, result = False, False, None
        with self.in_frame(frame):
            try:
                result = self.run(prepared.node)
            except PathEnds:
                is_dead = True
            except Pending:
                pending = True
        made.memory_types = tuple(
            wider_memory([type_, self.list_type_of(ref)])
            for type_, ref in zip(made.memory_types, refs, strict=True)
        )
        if pending and not made.is_called:
            raise Pending  # it waits for an outer function
        made.is_dead = is_dead or (pending and made.output is PENDING)
        self._finish_graph(made, result, refs, returns=not (is_dead or pending))

    def become_memory(self, ref: Ref, made: Value) -> None:
        super().become_memory(ref, made)
        known = self._widest.get(ref, made.type)
        self._widest[ref] = wider_memory([known, made.type])

    def list_type_of(self, ref: Ref) -> Type:
        """The type of what a list or dict in memory has become, also where that path raises."""
        content = self.heap.get(ref)
        types = [content.type] if isinstance(content, Value) else []
        return wider_memory([*types, *filter(None, [self._widest.get(ref)])])

    def _finish_graph(
        self, made: Specialisation, result: Any, refs: list[Ref], *, returns: bool
    ) -> None:
        values: list[Value] = []
        is_memory = bool(refs or made.is_called or made.depends)

        def slot(leaf: Any) -> Any:
            if isinstance(leaf, Ref):
                if leaf in refs:
                    return Given(refs.index(leaf))
                if not is_memory:
                    raise NeedsInPlace
                leaf = self._as_value(leaf)
            if made.is_called and constant_type(leaf) is not None:
                leaf = self.to_value(leaf)  # the next round may return another
            if not isinstance(leaf, Value):
                if not is_part_of_key(leaf):
                    raise NeedsInPlace
                return leaf
            values.append(leaf)
            return Slot(len(values) - 1, leaf.type)

        if returns:
            made.output = map_tree(slot, result)
        elif made.output is PENDING and made.is_dead:
            made.output = None
        facts = self.builder.facts
        made.result_types = tuple(facts.resolve_type(value.type) for value in values)
        self.builder.emit(ops.return_, values)
        inputs = self.compilation.inputs.inputs
        made.captures = tuple(inputs[path] for path in made.graph.captures)
        made.reads = tuple(made.graph.reads)

    def kind_of_call(self, prepared: Prepared) -> tuple[Any, int]:
        """A function, and how many derivatives are taken around: where there are more, the calls of
        functions with rules of their own are others.
        """
        return prepared.node, min(self.compilation.derivatives, _MOST_DERIVATIVES)

    def _as_value(self, ref: Ref) -> Value:
        try:
            return self.list_value(ref)
        except NoValue:
            return self.materialize(ref)

    def _call_with_memory(
        self, prepared: Prepared, bound: dict[str, Any], function: Any, node: Any
    ) -> Any:
        """A recursive call whose lists and dicts become memory, and free variables arguments."""
        given = self.compilation.given.setdefault(prepared.node, {})
        while True:
            count = len(given)
            result = self._try_with_memory(prepared, bound, list(given), function, node)
            if result is not _NOT_APART or len(given) == count:
                return result

    def _try_with_memory(
        self, prepared: Prepared, bound: dict[str, Any], given: list[Ref], function: Any, node: Any
    ) -> Any:
        closures = [leaf for leaf in tree_leaves([function, bound]) if isinstance(leaf, Closure)]
        try:
            free = self.free_variables(closures)
        except Unboxed:
            return _NOT_APART
        free |= {(None, ref): self.graph.stand_ins.get(ref, ref) for ref in given}
        memory = memory_of(bound, free)
        others = [leaf for leaf in tree_leaves([bound, free]) if isinstance(leaf, Ref)]
        if not all(leaf in memory or self._is_as_it_was(leaf) for leaf in others):
            return _NOT_APART
        try:
            types_ = [self.value_type(self._in_memory(ref)) for ref in memory]
        except NoValue:
            return _NOT_APART
        trees = [typed(tree, types_, memory) for tree in (bound, free)]
        names = {
            f"{index}:{name}": tree for index, t in enumerate(trees) for name, tree in t.items()
        }
        key = call_key(self.kind_of_call(prepared), names, self.builder.facts)
        if key is None:
            return _NOT_APART
        with self.boxes_given(free):
            return self._call_apart(prepared, bound, free, function, (key, "memory"), node)

    def _is_as_it_was(self, ref: Ref) -> bool:
        """Whether a Ref is an object from outside that nothing has been written to."""
        return isinstance(ref, ObjectRef) and ref.path is not None and ref not in self.heap

    def _in_memory(self, ref: Ref) -> Ref:
        if ref.path is not None:
            self.compilation.written[ref] = None
        self.list_value(ref)
        return ref

    def run(self, node: Any) -> Any:
        """Lower the body of a function in its fresh frame, and return what it returns."""
        if isinstance(node, gast.Lambda):
            return self.expression(node.body)
        self.function_body(node)
        if self.is_dead():
            raise PathEnds
        result = self.env.get("%result")
        if result is POISON:
            raise Poisoned
        if result is PENDING:
            raise Pending
        if isinstance(result, Conflict):
            self.refuse_conflict(result, node)
        return result

    def function_body(self, node: Any) -> None:
        raise AssertionError("defined by Statements")
