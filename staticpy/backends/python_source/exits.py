"""Early returns out of loops.

In: the statements of a function. Out: the same statements, where a loop that sets a flag, breaks,
and returns after the loop because of the flag, returns from inside:

    for i in range(n):                      for i in range(n):
        if x[i] < 0:                            if x[i] < 0:
            found, result = True, i                 return i
            break                           return -1
    if found:
        return result
    return -1

Then the assignments that nobody reads any more are dropped.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from staticpy.backends.python_source.folding import Literal, Operand, constant_of
from staticpy.backends.python_source.nesting import Nesting
from staticpy.backends.python_source.statements import (
    Break,
    Copy,
    ErrState,
    For,
    If,
    Line,
    Raise,
    Return,
    Statement,
    Try,
    While,
    all_statements,
    bodies,
    for_reads,
    line_reads,
)
from staticpy.ir import Value
from staticpy.passes import KEPT

Pairs = dict[Value, Operand]


@dataclass(slots=True)
class _Exit:
    """A loop and what follows it: ``leaves`` hand on what it carries, ``test`` returns on
    ``flag``.
    """

    loop: While | For
    leaves: Pairs
    flag: Value
    returning: Return
    unchanged: dict[Operand, Value]
    """The variables that hold a carried one in the body."""


class Exits:
    """Threads the early returns of one function."""

    def __init__(self, nesting: Nesting) -> None:
        self._nesting = nesting

    def thread(self, statements: list[Statement]) -> None:
        """Thread all early returns among ``statements``, outer loops first."""
        position = 0
        while position < len(statements):
            statement = statements[position]
            if isinstance(statement, While | For):
                self._thread_loop(statements, position)
            for inner in bodies(statement):
                self.thread(inner)
            position += 1

    def _thread_loop(self, statements: list[Statement], position: int) -> None:
        loop = statements[position]
        assert isinstance(loop, While | For)
        rest = statements[position + 1 :]
        leaves: Pairs = {}
        if rest and isinstance(rest[0], Copy):
            leaves = dict(rest.pop(0).pairs)  # type: ignore[union-attr]
        if not rest or not isinstance(rest[0], If):
            return
        test = rest[0]
        (flag, *more), then = test.tests, test.then
        source = leaves.get(flag) if isinstance(flag, Value) else None
        if more or not isinstance(source, Value) or len(then) != 1:
            return
        returning = then[0]
        if not isinstance(returning, Return):
            return
        if self._would_be_guarded(loop, returning):
            return
        found = _Exit(loop, leaves, source, returning, _aliases(loop))
        outcomes = [*self._ends(found, loop.body)]
        outcomes.append(_first_value(statements[:position], source))
        if all(outcome is False for outcome in outcomes):
            at = statements.index(test)
            statements[at : at + 1] = test.orelse

    def _would_be_guarded(self, loop: While | For, returning: Return) -> bool:
        """Whether what ``returning`` computes would move into a ``try`` or an ``errstate``."""
        guards = [each for each in own_statements(loop.body) if isinstance(each, Try | ErrState)]
        inner = (each for guard in guards for each in own_statements([guard]))
        return any(isinstance(each, Break) for each in inner) and any(
            map(self._nesting.is_effective, returning.values)
        )

    def _ends(self, found: _Exit, body: list[Statement]) -> Iterator[bool | None]:
        """Rewrite each end of the loop's body where the flag is true; what the flag is at the
        others.
        """
        yield from self._breaks(found, body[:-1])
        if not body:
            yield False
            return
        last = body[-1]
        if isinstance(last, Try | ErrState):
            for side in bodies(last):
                yield from self._ends(found, side)
        elif isinstance(last, If) and (last.orelse or not _is_break(last.then)):
            for side in (last.then, last.orelse):
                yield from self._ends(found, side)
        elif isinstance(last, If):
            yield from self._conditional_break(found, body, last)
        elif isinstance(last, Break):
            yield self._break(found, body)
        elif not isinstance(last, Return | Raise):
            yield self._value(found, _last_pairs(body, 0))

    def _breaks(self, found: _Exit, statements: list[Statement]) -> Iterator[bool | None]:
        """The breaks in the middle of the body."""
        for statement in statements:
            if isinstance(statement, If | Try | ErrState):
                for side in bodies(statement):
                    if any(isinstance(each, Break) for each in own_statements(side)):
                        yield from self._ends(found, side)

    def _break(self, found: _Exit, body: list[Statement]) -> bool | None:
        pairs = _last_pairs(body, 1)
        value = self._value(found, pairs)
        if value is True:
            body[len(body) - (2 if pairs else 1) :] = self._return(found, pairs)
            return False
        return value

    def _conditional_break(
        self, found: _Exit, body: list[Statement], last: If
    ) -> Iterator[bool | None]:
        pairs = _last_pairs(body, 1)
        source = found.unchanged.get(pairs.get(found.flag, found.flag), pairs.get(found.flag))
        is_flag = last.tests == (source,) and source not in self._nesting.nested
        if not is_flag or any(each in self._nesting.nested for each in pairs.values()):
            value = self._value(found, pairs)
            yield None if value is True else value
            return
        del body[len(body) - 2 :]
        others: Pairs = {**pairs, found.flag: Literal(False)}
        body.append(If(last.tests, self._return(found, pairs), [], last.span))
        body.append(Copy(list(others.items()), last.span))
        yield False

    def _value(self, found: _Exit, pairs: Pairs) -> bool | None:
        """What the flag is after ``pairs``, where it was false before; None if unknown."""
        source = pairs.get(found.flag, found.flag)
        if found.unchanged.get(source, source) is found.flag:
            return False
        known = constant_of(source)
        return known if isinstance(known, bool) else None

    def _return(self, found: _Exit, pairs: Pairs) -> list[Statement]:
        """The ``return`` after the loop, as it is where the loop is left by ``pairs``."""
        nested = self._nesting.nested
        now = {r: pairs.get(c, c) if isinstance(c, Value) else c for r, c in found.leaves.items()}
        values = tuple(now.get(v, v) if isinstance(v, Value) else v for v in found.returning.values)
        span = found.returning.span
        leaves = [leaf for v in found.returning.values for leaf in self._nesting.leaves(v)]
        is_plain = all(leaf in found.returning.values for leaf in leaves if leaf in now)
        inside = [value for value in pairs.values() if value in nested]
        if is_plain and inside == [value for value in values if value in nested]:
            return [Return(values, span)]
        copies: list[Statement] = [Copy(list(pairs.items()), span)] if pairs else []
        handed = [(r, c) for r, c in found.leaves.items() if r in leaves]
        if handed:
            copies.append(Copy(handed, span))
        return [*copies, Return(found.returning.values, span)]


def _is_break(statements: list[Statement]) -> bool:
    return len(statements) == 1 and isinstance(statements[0], Break)


def _last_pairs(body: list[Statement], after: int) -> Pairs:
    """What the last Copy assigns, ``after`` statements before the end."""
    position = len(body) - 1 - after
    last = body[position] if position >= 0 else None
    return dict(last.pairs) if isinstance(last, Copy) else {}


def _aliases(loop: While | For) -> dict[Operand, Value]:
    first = loop.body[0] if loop.body else None
    if isinstance(loop, While) and isinstance(first, Copy):
        return {target: source for target, source in first.pairs if isinstance(source, Value)}
    return {}


def _first_value(before: list[Statement], flag: Value) -> bool | None:
    """What the flag is when the loop begins."""
    last = before[-1] if before else None
    source = dict(last.pairs).get(flag) if isinstance(last, Copy) else None
    known = None if source is None else constant_of(source)
    return known if isinstance(known, bool) else None


def own_statements(statements: list[Statement]) -> Iterator[Statement]:
    """Every statement, without those inside of loops."""
    pending = statements[::-1]
    while pending:
        statement = pending.pop()
        yield statement
        if not isinstance(statement, While | For):
            for body in reversed(bodies(statement)):
                pending += body[::-1]


# --- what nobody reads ----------------------------------------------------------------------------


def drop_dead(statements: list[Statement], nesting: Nesting) -> None:
    """Drop the copies and lines that make nothing happen and whose targets nobody reads."""
    read: set[Value] = set()
    makers: dict[Value, list[Operand]] = {}
    pending: list[Value] = []
    for statement in all_statements(statements):
        if isinstance(statement, Copy):
            for target, source in statement.pairs:
                makers.setdefault(target, []).append(source)
                if nesting.is_effective(source):
                    pending.append(target)
            continue
        operands = reads_of(statement, nesting)
        if isinstance(statement, Line) and not (nesting.effects(statement.operation) & KEPT):
            for result in statement.operation.results:
                makers.setdefault(result, []).extend(operands)
            continue
        pending += (leaf for each in operands for leaf in nesting.leaves(each))
    while pending:
        value = pending.pop()
        if value not in read:
            read.add(value)
            pending += (leaf for each in makers.get(value, ()) for leaf in nesting.leaves(each))
    _keep_only(statements, read, nesting)


def _keep_only(statements: list[Statement], read: set[Value], nesting: Nesting) -> None:
    def is_kept(statement: Statement) -> bool:
        if isinstance(statement, Line):
            operation = statement.operation
            is_read = not read.isdisjoint(operation.results)
            return is_read or bool(nesting.effects(operation) & KEPT)
        if isinstance(statement, Try | ErrState):
            return bool(statement.body)
        return not isinstance(statement, Copy) or bool(statement.pairs)

    for statement in statements:
        match statement:
            case Copy():
                statement.pairs = [pair for pair in statement.pairs if pair[0] in read]
            case While() | For():
                statement.carried = [value for value in statement.carried if value in read]
        for inner in bodies(statement):
            _keep_only(inner, read, nesting)
    statements[:] = filter(is_kept, statements)


def reads_of(statement: Statement, nesting: Nesting) -> list[Operand]:
    """What a statement reads itself, copies and inner statements apart."""
    match statement:
        case Line():
            return line_reads(nesting, statement)
        case Raise():
            return [] if statement.bare else nesting.reads(statement.operation)
        case Return():
            return list(statement.values)
        case If():
            return list(statement.tests)
        case While():
            return [] if statement.test is None else [statement.test]
        case For():
            return for_reads(statement)
        case Try():
            caught = (each for handler in statement.handlers for each in handler.caught)
            return [each for each in caught if isinstance(each, Value)]
    return []
