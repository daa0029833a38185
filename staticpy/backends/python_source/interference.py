"""Which variables are alive at the same time.

In: the statements of a function. Out: an interference graph of its values: two values interfere
if one is assigned where the other will still be read, so that they can't share a variable. What a
handler reads is alive through the whole body of its ``try``. A copy
makes its target equal to its source, so that these two don't interfere there.

What is read in a loop but made outside of it is alive through the whole loop; with structured
control flow one walk, backwards, finds everything. A set of values is an int with a bit for each:
thousands of variables may be alive at each of thousands of statements.
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
    for_reads,
    line_reads,
)
from staticpy.ir import Value

Values = int
"""A set of values: the sum of their bits."""


class Interference:
    """The interference graph of one function."""

    def __init__(self, flow: Flow, nesting: Nesting, args: list[Value]) -> None:
        self._flow = flow
        self._nesting = nesting
        self._bits: dict[Value, Values] = {}
        self._alive: dict[Value, Values] = {}
        """For a value: what is alive where it is assigned."""
        self._footprints: dict[Statement, tuple[set[Value], set[Value]]] = {}
        self._guarded: Values = 0
        self.args = args
        self.live_after: dict[Statement, Values] = {}

    def __contains__(self, value: Value) -> bool:
        """Whether something assigns ``value`` to a variable."""
        return value in self._alive

    def bit(self, value: Value) -> Values:
        """The set of this value alone."""
        bit = self._bits.get(value)
        if bit is None:
            bit = self._bits[value] = 1 << len(self._bits)
        return bit

    def alive(self, value: Value) -> Values:
        """What is alive where ``value`` is assigned. Two values interfere if one is among what is
        alive at the other.
        """
        return self._alive.get(value, 0)

    def build(self, statements: list[Statement]) -> None:
        """Walk the statements of the function; its parameters are all assigned at its start."""
        live = self._sequence(statements, 0, 0)
        for argument in self.args:
            self._define(argument, live)
            live |= self.bit(argument)

    def _define(self, value: Value, live: Values, source: Value | None = None) -> None:
        same = self.bit(value) | (self.bit(source) if source is not None else 0)
        self._alive[value] = self._alive.get(value, 0) | (live & ~same)

    def _set(self, values: Iterable[Value]) -> Values:
        found = 0
        for value in values:
            found |= self.bit(value)
        return found

    def _leaves(self, operands: Iterable[Operand]) -> set[Value]:
        return {leaf for operand in operands for leaf in self._nesting.leaves(operand)}

    def _reads(self, operands: Iterable[Operand]) -> Values:
        return self._set(self._leaves(operands))

    def _sequence(self, statements: list[Statement], live: Values, at_break: Values) -> Values:
        """What is alive before ``statements``, if ``live`` is alive after them."""
        live |= self._guarded
        for statement in reversed(statements):
            self.live_after[statement] = live
            live = self._statement(statement, live, at_break) | self._guarded
        return live

    def _statement(self, statement: Statement, live: Values, at_break: Values) -> Values:
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

    def _line(self, statement: Line, live: Values) -> Values:
        operation = statement.operation
        results = [result for result in operation.results if result in self._flow.needed]
        assigned = self._set(results)
        same = written_target(operation)
        for result in results:
            self._define(result, live | assigned, same)
        return (live & ~assigned) | self._reads(line_reads(self._nesting, statement))

    def _copy(self, statement: Copy, live: Values) -> Values:
        statement.pairs = [
            pair
            for pair in statement.pairs
            if live & self.bit(pair[0]) or self._nesting.is_effective(pair[1])
        ]
        targets = self._set(target for target, _ in statement.pairs)
        statement.guarded = bool(self._guarded & targets)
        for target, source in statement.pairs:
            self._define(target, live | targets, source if isinstance(source, Value) else None)
        return (live & ~targets) | self._reads(source for _, source in statement.pairs)

    def _while(self, statement: While, live: Values) -> Values:
        head = self._around(statement, live)
        test = [statement.test] if statement.test is not None else []
        head |= self._reads(test)
        self._sequence(statement.body, head, live)
        return head

    def _for(self, statement: For, live: Values) -> Values:
        head = self._around(statement, live)
        inside = self._sequence(statement.body, head, live)
        targets = self._set(statement.targets)
        for target in statement.targets:
            self._define(target, inside | targets)
        return (head & ~targets) | self._reads(for_reads(statement))

    def _try(self, statement: Try, live: Values, at_break: Values) -> Values:
        """A handler may begin after any part of the body: what it reads is alive through it all."""
        handled = self._reads(reads_of(statement, self._nesting))
        for handler in statement.handlers:
            inside = self._sequence(handler.body, live, at_break)
            if handler.error is not None and not inside & self.bit(handler.error):
                handler.error = None
            if handler.error is not None:
                # Python deletes the variable where the handler ends.
                self._define(handler.error, inside | live)
                inside &= ~self.bit(handler.error)
            handled |= inside
        outer = self._guarded
        self._guarded = outer | handled
        before = self._sequence(statement.body, live, at_break)
        self._guarded = outer
        return before

    def _around(self, statement: While | For, live: Values) -> Values:
        """What is alive where an iteration begins and ends."""
        reads, defined = self.footprint(statement)
        return ((self._set(reads) | live) & ~self._set(defined)) | self._set(statement.carried)

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
                reads |= self._leaves(line_reads(self._nesting, statement))
                defined.update(statement.operation.results)
            case Copy():
                reads |= self._leaves(source for _, source in statement.pairs)
                defined.update(target for target, _ in statement.pairs)
            case Raise():
                reads |= self._leaves(reads_of(statement, self._nesting))
            case Return():
                reads |= self._leaves(statement.values)
            case If():
                reads |= self._leaves(statement.tests)
            case While():
                reads |= self._leaves([statement.test] if statement.test is not None else [])
            case For():
                reads |= self._leaves(for_reads(statement))
                defined.update(statement.targets)
            case Try():
                reads |= self._leaves(reads_of(statement, self._nesting))
                errors = (handler.error for handler in statement.handlers)
                defined.update(error for error in errors if error is not None)
        for each in (inner for body in bodies(statement) for inner in body):
            more_reads, more_defined = self.footprint(each)
            reads |= more_reads
            defined |= more_defined
        return reads, defined
