"""Liveness: which variables may still be read.

In: the validated ``gast`` node of a function. Out: for each statement the names that may be read
after it before they are assigned again, and for each loop those that are live where a round
begins.

    while n < 3:        at_head: n, x, y    (y is read after the loop)
        t = x * 2       after: n, t
        x = t + n       after: n, x
        y = x           after: n, x, y
    return y

Where a ``break`` or ``continue`` leaves a statement, what is live at its target counts as live
after the statement, too: lowering turns the jump into a flag that is tested after it.

Each statement is summed up once, from the inside out, and then read off once, from the outside in,
so the time is linear however deep the loops are nested.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any

import gast

from staticpy.frontend.resolve import FunctionNames, assigned_names, iter_own, resolve

Names = frozenset[str]
_NONE: Names = frozenset()
_NEXT, _BREAK, _CONTINUE = "next", "break", "continue"
_LOOPS = (gast.While, gast.For)


class Liveness:
    """The live names of one function, by statement."""

    def __init__(self, after: dict[Any, Names], at_head: dict[Any, Names]) -> None:
        self._after = after
        self._at_head = at_head

    def after(self, statement: Any) -> Names:
        """The names that may be read after ``statement`` before they are assigned again."""
        return self._after[statement]

    def at_head(self, loop: Any) -> Names:
        """The names that may be read as they are where a round of ``loop`` begins.

        They are read in that round, in a later one, or after the loop.
        """
        return self._at_head[loop]


@dataclass(frozen=True, slots=True)
class Summary:
    """What statements do to liveness, whatever follows them.

    ``reads`` are the names that they may read as they were before; ``kills`` holds, for each way
    in which they may end (``next``, ``break``, ``continue``), the names that are assigned on every
    path there.
    """

    reads: Names
    kills: Mapping[str, Names]

    def before(self, live: Mapping[str, Names]) -> Names:
        """What is live before, where ``live`` is live at each way of ending."""
        passed = (live[way] - killed for way, killed in self.kills.items())
        return self.reads.union(*passed)

    def then(self, following: Summary) -> Summary:
        """The summary of this and then ``following``."""
        if _NEXT not in self.kills:
            return self
        killed = self.kills[_NEXT]
        left = {way: names for way, names in self.kills.items() if way != _NEXT}
        later = {way: names | killed for way, names in following.kills.items()}
        return Summary(self.reads | (following.reads - killed), _either(left, later))


_EMPTY = Summary(_NONE, {_NEXT: _NONE})


def _either(left: Mapping[str, Names], right: Mapping[str, Names]) -> dict[str, Names]:
    """The kills of two alternatives: what is assigned on both."""
    both = {way: left[way] & right[way] for way in left if way in right}
    return {**left, **right, **both}


def analyze(node: Any) -> Liveness:
    """The liveness of a function; that of a lambda, which has no statements, is empty."""
    analyzer = _Analyzer(resolve(node))
    if isinstance(node, gast.FunctionDef):
        analyzer.summarize(node.body)
        analyzer.record(node.body, {_NEXT: _NONE})
        analyzer.pin_captured(node.body)
    return Liveness(analyzer.after, analyzer.at_head)


class _Analyzer:
    def __init__(self, names: FunctionNames) -> None:
        self.after: dict[Any, Names] = {}
        self.at_head: dict[Any, Names] = {}
        self._names = names
        self._summaries: dict[Any, Summary] = {}

    # --- inside out -------------------------------------------------------------------------------

    def summarize(self, statements: list[Any]) -> Summary:
        parts = []
        for statement in statements:
            self._summaries[statement] = part = self._statement(statement)
            parts.append(part)
        return reduce(lambda after, before: before.then(after), reversed(parts), _EMPTY)

    def _statement(self, node: Any) -> Summary:
        if isinstance(node, gast.If):
            then, orelse = self.summarize(node.body), self.summarize(node.orelse)
            reads = self._reads([node.test]) | then.reads | orelse.reads
            return Summary(reads, _either(then.kills, orelse.kills))
        if isinstance(node, _LOOPS):
            return self._loop(node)
        if isinstance(node, gast.Break):
            return Summary(_NONE, {_BREAK: _NONE})
        if isinstance(node, gast.Continue):
            return Summary(_NONE, {_CONTINUE: _NONE})
        if isinstance(node, gast.Return):
            return Summary(self._reads([node]), {})
        return Summary(self._reads([node]), {_NEXT: frozenset(assigned_names([node]))})

    def _loop(self, node: Any) -> Summary:
        body = self._round(node, self.summarize(node.body))
        if isinstance(node, gast.For):
            return Summary(self._reads([node.iter]) | body.reads, {_NEXT: _NONE})
        if not _is_endless(node):
            return Summary(body.reads, {_NEXT: _NONE})
        kills = {_NEXT: body.kills[_BREAK]} if _BREAK in body.kills else {}
        return Summary(body.reads, kills)

    def _round(self, node: Any, body: Summary) -> Summary:
        """One round of a loop: the test or the assignment of the target, then the body."""
        if isinstance(node, gast.While):
            return Summary(self._reads([node.test]), {_NEXT: _NONE}).then(body)
        assigned = frozenset(assigned_names([node.target]))
        return Summary(self._reads([node.target]), {_NEXT: assigned}).then(body)

    def _reads(self, roots: Iterable[Any]) -> Names:
        """The names that are read; a nested function reads what it captures where it is defined."""
        found: set[str] = set()
        for node in iter_own(roots):
            if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load):
                found.add(node.id)
            elif isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name):
                found.add(node.target.id)
            elif node in self._names.nested:
                found |= self._names.nested[node].free
        return frozenset(found)

    # --- outside in -------------------------------------------------------------------------------

    def record(self, statements: list[Any], live: Mapping[str, Names]) -> None:
        """Note what is live after each statement, where ``live`` is live at each way of ending."""
        current = live[_NEXT]
        for statement in reversed(statements):
            summary = self._summaries[statement]
            ways = {**live, _NEXT: current}
            self.after[statement] = _NONE.union(*(ways[way] for way in summary.kills))
            if isinstance(statement, gast.If):
                self.record(statement.body, ways)
                self.record(statement.orelse, ways)
            elif isinstance(statement, _LOOPS):
                end = current if _NEXT in summary.kills else _NONE
                head = end | self._round(statement, self._body(statement)).reads
                self.at_head[statement] = head
                self.record(statement.body, {_NEXT: head, _CONTINUE: head, _BREAK: current})
            current = summary.before(ways)

    def _body(self, loop: Any) -> Summary:
        parts = [self._summaries[statement] for statement in loop.body]
        return reduce(lambda after, before: before.then(after), reversed(parts), _EMPTY)

    # --- closures ---------------------------------------------------------------------------------

    def pin_captured(self, body: list[Any]) -> None:
        """Keep what a nested function reads alive from its definition to the end.

        It reads the variables as they are when it is called. In a loop, keep them alive from the
        beginning of the loop.
        """
        if not self._names.captured:
            return
        order = list(_preorder(body))
        first = {statement: number for number, (statement, _) in enumerate(order)}
        last = dict(first)
        for statement, parent in reversed(order):
            if parent is not None:
                last[parent] = max(last[parent], last[statement])
        for statement, loop in _outermost_loops(body):
            free = self._captured_by(statement)
            start = first[statement if loop is None else loop]
            for table in (self.after, self.at_head) if free else ():
                for other in table:
                    if last[other] >= start:
                        table[other] |= free

    def _captured_by(self, statement: Any) -> Names:
        nested = self._names.nested
        own = [node for node in iter_own(_header(statement)) if node in nested]
        return _NONE.union(*(nested[node].free for node in own)).intersection(self._names.locals)


def _is_endless(loop: Any) -> bool:
    return isinstance(loop.test, gast.Constant) and bool(loop.test.value)


def _header(statement: Any) -> list[Any]:
    """The parts of a statement that are not statements."""
    if isinstance(statement, gast.If | gast.While):
        return [statement.test]
    is_for = isinstance(statement, gast.For)
    return [statement.iter, statement.target] if is_for else [statement]


def _preorder(body: list[Any]) -> Iterator[tuple[Any, Any]]:
    """Each statement with the one around it."""
    pending = [(statement, None) for statement in reversed(body)]
    while pending:
        statement, parent = pending.pop()
        yield statement, parent
        if isinstance(statement, gast.If | gast.While | gast.For):
            inner = [*statement.body, *statement.orelse]
            pending.extend((child, statement) for child in reversed(inner))


def _outermost_loops(body: list[Any]) -> Iterator[tuple[Any, Any]]:
    """Each statement with the outermost loop around it."""
    outermost: dict[Any, Any] = {None: None}
    for statement, parent in _preorder(body):
        loop = outermost[parent]
        yield statement, loop
        outermost[statement] = loop or (statement if isinstance(statement, _LOOPS) else None)
