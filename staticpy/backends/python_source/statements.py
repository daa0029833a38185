"""The statements of the source, before variables have names.

In: a Function whose Nesting is known. Out: a list of statements. An assignment between variables
that control flow needs is a Copy, of several at once; naming turns most copies into nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from staticpy.backends.python_source.ends import End, is_raising
from staticpy.backends.python_source.flow import Flow
from staticpy.backends.python_source.folding import Operand, constant_of
from staticpy.backends.python_source.nesting import Nesting
from staticpy.backends.python_source.tape_loops import is_tape_read, tape_reads
from staticpy.ir import BOOL, Block, Operation, Value
from staticpy.ops import errstate, for_, if_, try_, while_
from staticpy.source import NO_SPAN, SourceSpan


@dataclass(eq=False, slots=True)
class Line:
    """One operation, with what is nested in it: an assignment, or an expression alone."""

    operation: Operation


@dataclass(eq=False, slots=True)
class Copy:
    """All ``targets`` get the values of their ``sources`` at once. If it is ``guarded``, a handler
    may read the targets, and none may be assigned where one of the sources raises.
    """

    pairs: list[tuple[Value, Operand]]
    span: SourceSpan = NO_SPAN
    guarded: bool = False


@dataclass(eq=False, slots=True)
class Raise:
    """An operation that raises; nothing after it runs. ``bare`` raises again what the handler
    around it caught.
    """

    operation: Operation
    bare: bool = False


@dataclass(eq=False, slots=True)
class Break:
    """Leaves the loop."""

    span: SourceSpan = NO_SPAN


@dataclass(eq=False, slots=True)
class Return:
    """Ends the function."""

    values: tuple[Operand, ...]
    span: SourceSpan = NO_SPAN


@dataclass(eq=False, slots=True)
class If:
    """``if a or b``, or ``if not ...`` where only ``orelse`` holds something."""

    tests: tuple[Operand, ...]
    then: list[Statement]
    orelse: list[Statement]
    span: SourceSpan = NO_SPAN


@dataclass(eq=False, slots=True)
class While:
    """``while test``; without a test, ``while True``. ``carried`` are the variables that live
    around.
    """

    test: Value | None
    body: list[Statement]
    carried: list[Value] = field(default_factory=list)
    span: SourceSpan = NO_SPAN


@dataclass(eq=False, slots=True)
class For:
    """``for targets in range(start, stop, step)``, or through the lists of ``reads``."""

    operation: Operation
    targets: list[Value]
    reads: list[Operation]
    body: list[Statement]
    carried: list[Value] = field(default_factory=list)
    span: SourceSpan = NO_SPAN


@dataclass(eq=False, slots=True)
class Handler:
    """``except (ValueError, %own) as error``; an entry of ``caught`` is a name, or a value that
    holds a class. ``error`` is None where nobody reads the exception.
    """

    caught: tuple[str | Value, ...]
    error: Value | None
    body: list[Statement]


@dataclass(eq=False, slots=True)
class Try:
    """``try`` with its handlers."""

    body: list[Statement]
    handlers: list[Handler]
    span: SourceSpan = NO_SPAN


@dataclass(eq=False, slots=True)
class ErrState:
    """``with np.errstate(...)``."""

    options: tuple[tuple[str, str], ...]
    body: list[Statement]
    span: SourceSpan = NO_SPAN


@dataclass(eq=False, slots=True)
class Delete:
    """Lets variables go."""

    names: list[str]


Statement = Delete | Line | Copy | Raise | Break | Return | If | While | For | Try | ErrState


class PathEnds:
    """Tells of statements whether nothing that follows them can run.

    What it said of a statement it remembers, so that asking at each level of nesting takes no more
    time than asking at one; the statements must not change meanwhile.
    """

    def __init__(self) -> None:
        self._known: dict[Statement, bool] = {}

    def __call__(self, statements: list[Statement]) -> bool:
        """Whether the last one of ``statements`` ends the path, whatever happens in it."""
        if not statements:
            return False
        last = statements[-1]
        if isinstance(last, Line):
            return False
        if not isinstance(last, If | Try | ErrState):
            return isinstance(last, Return | Break | Raise)
        if last not in self._known:
            self._known[last] = all(self(body) for body in bodies(last))
        return self._known[last]


def bodies(statement: Statement) -> list[list[Statement]]:
    """The lists of statements inside a statement."""
    if isinstance(statement, Line):
        return []
    match statement:
        case If():
            return [statement.then, statement.orelse]
        case While() | For() | ErrState():
            return [statement.body]
        case Try():
            return [statement.body, *(handler.body for handler in statement.handlers)]
    return []


def all_statements(statements: Iterable[Statement]) -> Iterator[Statement]:
    """Every statement, in order, those inside of others included."""
    pending = list(statements)[::-1]
    while pending:
        statement = pending.pop()
        yield statement
        if not isinstance(statement, Line):
            for body in reversed(bodies(statement)):
                pending += body[::-1]


def for_reads(statement: For) -> list[Operand]:
    """What the head of a ``for`` reads."""
    return [*statement.operation.operands[:3], *(each.operands[0] for each in statement.reads)]


def line_reads(nesting: Nesting, line: Line) -> list[Operand]:
    """What the expression of a line reads, the branches of a conditional expression and the buffer
    that its result is written into included.
    """
    operation = line.operation
    reads: list[Operand] = [*nesting.reads(operation), *nesting.buffers_of(operation)]
    if operation.op is not if_:
        return reads
    for region in operation.regions:
        yields = region.block.terminator.operands
        reads += [yields[r.index] for r in operation.results if r in nesting.flow.needed]
    return reads


class StatementBuilder:
    """Builds the statements of one function."""

    def __init__(self, flow: Flow, nesting: Nesting) -> None:
        self._flow = flow
        self._nesting = nesting
        self._ends = PathEnds()
        self._guards = 0
        self._errors: list[Value] = []

    def block(self, block: Block) -> list[Statement]:
        """The statements of a block, its end included."""
        statements: list[Statement] = []
        for operation in self._nesting.roots(block):
            statements += self._operation(operation)
            if self._ends(statements) or operation in self._flow.tails:
                return statements
        return [*statements, *self._end(self._flow.ends[block], block.terminator.span)]

    def _operation(self, operation: Operation) -> list[Statement]:
        """The statements of an operation. Lists, not generators: recursion through those takes
        the interpreter's own stack, of which CPython 3.12 has little.
        """
        if is_tape_read(operation):
            return []
        if is_raising(operation):
            return [Raise(operation, self._is_bare(operation))]
        if operation.op is while_:
            return self._while(operation)
        if operation.op is for_:
            return self._for(operation)
        if operation.op is try_:
            return [self._try(operation)]
        if operation.op is errstate:
            body = self.block(operation.regions[0].block)
            return [ErrState(operation.attrs["options"], body, operation.span)]
        if operation.op is if_ and not self._nesting.is_expression(operation):
            then = self.block(operation.regions[0].block)
            orelse = self.block(operation.regions[1].block)
            return [If((operation.operands[0],), then, orelse, operation.span)]
        return [Line(operation)]

    def _try(self, operation: Operation) -> Try:
        blocks = [region.block for region in operation.regions]
        self._guards += 1
        body = self.block(blocks[0])
        self._guards -= 1
        handlers: list[Handler] = []
        for entry, block in zip(operation.attrs["handlers"], blocks[1:], strict=True):
            caught = tuple(
                operation.operands[each] if isinstance(each, int) else each for each in entry
            )
            (error,) = block.args
            self._errors.append(error)
            inside = self.block(block)
            self._errors.pop()
            is_read = error in self._flow.needed
            handlers.append(Handler(caught, error if is_read else None, inside))
        return Try(body, handlers, operation.span)

    def _is_bare(self, operation: Operation) -> bool:
        """Whether an operation raises again what the innermost handler around it caught."""
        is_bare = not operation.operands or self._errors[-1:] == operation.operands[:1]
        return operation.name == "reraise" and is_bare

    def _end(self, end: End, span: SourceSpan) -> Iterator[Statement]:
        if end.returns:
            yield Return(end.sources, span)
            return
        pairs = list(zip(end.targets, end.sources, strict=True))
        stops = [self._after(stop, pairs) for stop in end.stops]
        if pairs:
            yield Copy(pairs, span)
        if any(constant_of(stop) is True for stop in stops):
            yield Break(span)
        elif stops:
            yield If(tuple(stops), [Break(span)], [], span)

    def _after(self, stop: Operand, pairs: list[tuple[Value, Operand]]) -> Operand:
        """``stop`` where it can still be read once ``pairs`` have been assigned."""
        targets = {target for target, _ in pairs}
        is_caught = self._guards > 0 and self._nesting.is_effective(stop)
        if not is_caught and targets.isdisjoint(self._nesting.leaves(stop)):
            return stop
        kept = Value(BOOL, "stop")
        self._flow.needed.add(kept)
        pairs.append((kept, stop))
        return kept

    # --- loops ------------------------------------------------------------------------------------

    def _needed(self, targets: list[Value], sources: list[Value]) -> list[tuple[Value, Operand]]:
        pairs = zip(targets, sources, strict=True)
        return [pair for pair in pairs if pair[0] in self._flow.needed]

    def _while(self, loop: Operation) -> list[Statement]:
        before, after = (region.block for region in loop.regions)
        form, span = self._flow.forms[loop], loop.span
        forwarded = before.terminator.operands[1:]
        entry = self._needed(list(before.args), loop.operands)
        goes_on = self._needed(list(after.args), forwarded)
        leaves = self._needed(list(loop.results), forwarded)
        carried = [target for target, _ in entry]
        first: list[Statement] = [Copy(entry, span)] if entry else []
        head = [] if form.head is None else self._before(form.head)
        if self._ends(head):
            return [*first, *head]  # there is no second round
        rest = [Copy(goes_on, span), *self.block(after)] if goes_on else self.block(after)
        is_endless = form.test is None or constant_of(form.test) is True
        if head and not is_endless:
            assert form.test is not None
            head.append(If((form.test,), [], [Break(span)], span))
        test = None if head or is_endless else form.test
        last = [Copy(leaves, span)] if leaves else []
        return [*first, While(test, [*head, *rest], carried, span), *last]

    def _before(self, block: Block) -> list[Statement]:
        statements: list[Statement] = []
        for operation in self._nesting.roots(block):
            statements += self._operation(operation)
            if self._ends(statements):
                break
        return statements

    def _for(self, loop: Operation) -> list[Statement]:
        body = loop.regions[0].block
        index, *carried = body.args
        entry = self._needed(list(carried), loop.operands[3:])
        leaves = self._needed(list(loop.results), list(carried))
        args = [target for target, _ in entry]
        first = [Copy(entry, loop.span)] if entry else []
        last = [Copy(leaves, loop.span)] if leaves else []
        reads = [each for each in tape_reads(loop) if each.result in self._flow.needed]
        targets: list[Value] = [each.result for each in reads] or [index]
        return [*first, For(loop, targets, reads, self.block(body), args, loop.span), *last]
