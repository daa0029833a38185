"""Which variables are alive at the same time.

In: the statements of a function. Out: an interference graph of its values: two values interfere
if one is assigned where the other will still be read, so that they can't share a variable. What a
handler reads is alive through the whole body of its ``try``. A copy
makes its target equal to its source, so that these two don't interfere there.

What is read in a loop but made outside of it is alive through the whole loop; with structured
control flow one walk, backwards, finds everything.
"""

from __future__ import annotations

from collections.abc import Iterable

from staticpy.backends.python_source.exits import reads_of
from staticpy.backends.python_source.flow import Flow
from staticpy.backends.python_source.folding import Operand
from staticpy.backends.python_source.nesting import Nesting, written_target
from staticpy.backends.python_source.statements import (
    Break,
    Copy,
    Delete,
    ErrState,
    For,
    If,
    Line,
    Raise,
    Return,
    Statement,
    Try,
    While,
    bodies,
    line_reads,
)
from staticpy.ir import Value

Live = frozenset[Value]


class Interference:
    """The interference graph of one function."""

    def __init__(self, flow: Flow, nesting: Nesting, args: list[Value]) -> None:
        self.neighbours: dict[Value, set[Value]] = {}
        self._flow = flow
        self._nesting = nesting
        self._footprints: dict[Statement, tuple[set[Value], set[Value]]] = {}
        self._guarded: Live = frozenset()
        self.args = args
        self.live_after: dict[Statement, Live] = {}

    def build(self, statements: list[Statement]) -> None:
        """Walk the statements of the function; its parameters are all assigned at its start."""
        live = self._sequence(statements, frozenset(), frozenset())
        for position, argument in enumerate(self.args):
            self._define(argument, live | frozenset(self.args[:position]))

    def _define(self, value: Value, live: Iterable[Value], source: Value | None = None) -> None:
        mine = self.neighbours.setdefault(value, set())
        for other in live:
            if other is not value and other is not source:
                mine.add(other)
                self.neighbours.setdefault(other, set()).add(value)

    def _reads(self, values: Iterable[Operand]) -> Live:
        return frozenset(leaf for value in values for leaf in self._nesting.leaves(value))

    def _sequence(self, statements: list[Statement], live: Live, at_break: Live) -> Live:
        """What is alive before ``statements``, if ``live`` is alive after them."""
        live |= self._guarded
        for statement in reversed(statements):
            self.live_after[statement] = live
            live = self._statement(statement, live, at_break) | self._guarded
        return live

    def _statement(self, statement: Statement, live: Live, at_break: Live) -> Live:
        match statement:
            case Line():
                return self._line(statement, live)
            case Copy():
                return self._copy(statement, live)
            case Raise():
                return self._reads(reads_of(statement, self._nesting))
            case Return():
                return self._reads(statement.values)
            case Break():
                return at_break
            case If():
                then = self._sequence(statement.then, live, at_break)
                orelse = self._sequence(statement.orelse, live, at_break)
                return then | orelse | self._reads(statement.tests)
            case While():
                return self._while(statement, live)
            case For():
                return self._for(statement, live)
            case Try():
                return self._try(statement, live, at_break)
            case ErrState():
                return self._sequence(statement.body, live, at_break)
            case Delete():
                return live

    def _line(self, statement: Line, live: Live) -> Live:
        operation = statement.operation
        results = [result for result in operation.results if result in self._flow.needed]
        same = written_target(operation)
        for result in results:
            self._define(result, live | frozenset(results), same)
        before = live - frozenset(results)
        return before | self._reads(line_reads(self._nesting, statement))

    def _copy(self, statement: Copy, live: Live) -> Live:
        statement.pairs = [
            pair
            for pair in statement.pairs
            if pair[0] in live or self._nesting.is_effective(pair[1])
        ]
        targets = frozenset(target for target, _ in statement.pairs)
        statement.guarded = not self._guarded.isdisjoint(targets)
        for target, source in statement.pairs:
            self._define(target, live | targets, source if isinstance(source, Value) else None)
        return (live - targets) | self._reads(source for _, source in statement.pairs)

    def _while(self, statement: While, live: Live) -> Live:
        head = self._around(statement, live)
        test = [statement.test] if statement.test is not None else []
        head |= self._reads(test)
        self._sequence(statement.body, head, live)
        return head

    def _for(self, statement: For, live: Live) -> Live:
        head = self._around(statement, live)
        inside = self._sequence(statement.body, head, live)
        self._define(statement.index, inside)
        return (head - {statement.index}) | self._reads(statement.operation.operands[:3])

    def _try(self, statement: Try, live: Live, at_break: Live) -> Live:
        """A handler may begin after any part of the body: what it reads is alive through it all."""
        handled = self._reads(reads_of(statement, self._nesting))
        for handler in statement.handlers:
            inside = self._sequence(handler.body, live, at_break)
            if handler.error not in inside:
                handler.error = None
            if handler.error is not None:
                # Python deletes the variable where the handler ends.
                self._define(handler.error, inside | live)
                inside -= {handler.error}
            handled |= inside
        outer = self._guarded
        self._guarded = outer | handled
        before = self._sequence(statement.body, live, at_break)
        self._guarded = outer
        return before

    def _around(self, statement: While | For, live: Live) -> Live:
        """What is alive where an iteration begins and ends."""
        reads, defined = self.footprint(statement)
        return ((frozenset(reads) | live) - frozenset(defined)) | frozenset(statement.carried)

    def footprint(self, statement: Statement) -> tuple[set[Value], set[Value]]:
        """The variables that a statement, with all in it, reads and assigns."""
        if statement not in self._footprints:
            self._footprints[statement] = self._find_footprint(statement)
        return self._footprints[statement]

    def _find_footprint(self, statement: Statement) -> tuple[set[Value], set[Value]]:
        reads: set[Value] = set()
        defined: set[Value] = set()
        match statement:
            case Line():
                reads |= self._reads(line_reads(self._nesting, statement))
                defined.update(statement.operation.results)
            case Copy():
                reads |= self._reads(source for _, source in statement.pairs)
                defined.update(target for target, _ in statement.pairs)
            case Raise():
                reads |= self._reads(reads_of(statement, self._nesting))
            case Return():
                reads |= self._reads(statement.values)
            case If():
                reads |= self._reads(statement.tests)
            case While():
                reads |= self._reads([statement.test] if statement.test is not None else [])
            case For():
                reads |= self._reads(statement.operation.operands[:3])
                defined.add(statement.index)
            case Try():
                reads |= self._reads(reads_of(statement, self._nesting))
                errors = (handler.error for handler in statement.handlers)
                defined.update(error for error in errors if error is not None)
        for each in (inner for body in bodies(statement) for inner in body):
            more_reads, more_defined = self.footprint(each)
            reads |= more_reads
            defined |= more_defined
        return reads, defined
