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
after the statement, too: lowering turns the jump into a flag that is tested after it. So does, in a
``try``, what is live where its handlers begin: any statement may raise.

Each statement is summed up once, from the inside out (``summaries``), and then read off once, from
the outside in, so the time is linear however deep the loops are nested. Here a set of names is an
int with a bit for each: thousands of names may be live after each of thousands of statements.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, reduce
from itertools import accumulate, compress
from operator import itemgetter, or_
from typing import Any

import gast

from staticpy.frontend.nodes import forms
from staticpy.frontend.resolve import FunctionNames, Names, iter_own
from staticpy.frontend.summaries import (
    BREAK,
    CONTINUE,
    LOOPS,
    NEXT,
    NO_NAMES,
    RAISE,
    Summaries,
    Summary,
    is_endless,
)

_MATCHES, _DEFINITIONS = forms("Match"), forms("FunctionDef")

Packed = int
"""A set of names: the sum of their bits."""

_ENDS: Mapping[str, Packed] = {NEXT: 0, RAISE: 0}


class _Packer:
    """Gives each name a bit."""

    def __init__(self) -> None:
        self._bits: dict[str, Packed] = {}

    def pack(self, names: Iterable[str]) -> Packed:
        """The set of these names."""
        packed = 0
        for name in names:
            packed |= self._bits.setdefault(name, 1 << len(self._bits))
        return packed

    def unpack(self, packed: Packed) -> Names:
        """The names in a set."""
        digits = f"{packed:b}"[::-1]
        return frozenset(compress(self._bits, map("1".__eq__, digits)))


class Liveness:
    """The live names of one function, by statement; that of a lambda, which has no statements, is
    empty. Most functions that are checked are not lowered, so nothing is read off before it is
    asked for.
    """

    def __init__(self, names: FunctionNames) -> None:
        self._names = names

    @cached_property
    def _found(self) -> _Analyzer:
        names = self._names
        analyzer = _Analyzer(Summaries(names))
        if isinstance(names.node, gast.FunctionDef):
            analyzer.summaries.block(names.node.body)
            analyzer.record(names.node.body, _ENDS)
            if names.captured:
                analyzer.pin_captured(names)
        return analyzer

    def after(self, statement: Any) -> Names:
        """The names that may be read after ``statement`` before they are assigned again."""
        return self._found.packer.unpack(self._found.after[statement])

    def at_head(self, loop: Any) -> Names:
        """The names that may be read as they are where a round of ``loop`` begins.

        They are read in that round, in a later one, or after the loop.
        """
        return self._found.packer.unpack(self._found.at_head[loop])


class _Analyzer:
    """Reads off what is live, from the outside in."""

    def __init__(self, summaries: Summaries) -> None:
        self.summaries = summaries
        self.packer = _Packer()
        self.after: dict[Any, Packed] = {}
        self.at_head: dict[Any, Packed] = {}

    def record(self, statements: list[Any], live: Mapping[str, Packed]) -> None:
        """Note what is live after each statement, where ``live`` is live at each way of ending."""
        current = live[NEXT]
        for statement in reversed(statements):
            summary = self.summaries.of(statement)
            ways = {**live, NEXT: current}
            self.after[statement] = _union(live[RAISE], *(ways[way] for way in summary.kills))
            self._inside(statement, ways)
            current = live[RAISE] | self._before(summary, ways)

    def _before(self, summary: Summary, live: Mapping[str, Packed]) -> Packed:
        """What is live before, where ``live`` is live at each way of ending."""
        pack = self.packer.pack
        passed = (live[way] & ~pack(killed) for way, killed in summary.kills.items())
        return _union(pack(summary.reads), *passed)

    def _inside(self, node: Any, ways: Mapping[str, Packed]) -> None:
        if isinstance(node, LOOPS):
            self._loop(node, ways)
        elif isinstance(node, gast.Try):
            self._try(node, ways)
        elif isinstance(node, gast.With):  # the context may swallow an exception
            self.record(node.body, {**ways, RAISE: ways[RAISE] | ways[NEXT]})
        else:
            for block in blocks_of(node):
                self.record(block, ways)

    def _loop(self, loop: Any, ways: Mapping[str, Packed]) -> None:
        summaries = self.summaries
        end = ways[NEXT] if NEXT in summaries.of(loop).kills else 0
        if not is_endless(loop):
            end |= ways[RAISE] | self._before(summaries.block(loop.orelse), ways)
        head = ways[RAISE] | end | self.packer.pack(summaries.round(loop).reads)
        self.at_head[loop] = head
        body = {NEXT: head, CONTINUE: head, BREAK: ways[NEXT], RAISE: ways[RAISE]}
        self.record(loop.body, body)
        self.record(loop.orelse, ways)

    def _try(self, node: Any, ways: Mapping[str, Packed]) -> None:
        summaries = self.summaries
        final = summaries.block(node.finalbody)
        # ``finally`` begins, whichever way the rest ended, and goes on that way.
        inner = {
            way: ways[RAISE] | self._before(final, {**ways, NEXT: live})
            for way, live in ways.items()
        }
        handlers = (self._before(summaries.handler(each), inner) for each in node.handlers)
        handled = _union(inner[RAISE], *handlers)
        orelse = inner[RAISE] | self._before(summaries.block(node.orelse), inner)
        self.record(node.body, {**inner, NEXT: orelse, RAISE: handled})
        self.record(node.orelse, inner)
        for handler in node.handlers:
            self.record(handler.body, inner)
        self.record(node.finalbody, {**ways, NEXT: _union(*ways.values())})

    def pin_captured(self, names: FunctionNames) -> None:
        """Keep what a nested function reads alive from its definition to the end.

        It reads the variables as they are when it is called. In a loop, keep them alive from the
        beginning of the loop.
        """
        order = list(_preorder(names.node.body))
        first = {statement: number for number, (statement, _, _) in enumerate(order)}
        last = dict(first)
        for statement, parent, _ in reversed(order):
            if parent is not None:
                last[parent] = max(last[parent], last[statement])
        pins = [
            (first[loop or statement], self.packer.pack(captured))
            for statement, _, loop in order
            if (captured := _captured_by(statement, names))
        ]
        pins.sort(key=itemgetter(0))
        starts = [start for start, _ in pins]
        alive = list(accumulate((captured for _, captured in pins), or_, initial=0))
        for table in (self.after, self.at_head):
            for statement, live in table.items():
                table[statement] = live | alive[bisect_right(starts, last[statement])]


def _union(*sets: Packed) -> Packed:
    return reduce(or_, sets, 0)


def blocks_of(statement: Any) -> list[list[Any]]:
    """The lists of statements in a statement, in the order of the text."""
    if isinstance(statement, _MATCHES):
        return [case.body for case in statement.cases]
    if isinstance(statement, _DEFINITIONS):
        return []
    handlers = [handler.body for handler in getattr(statement, "handlers", ())]
    fields = [getattr(statement, name, []) for name in ("body", "orelse", "finalbody")]
    return [fields[0], *handlers, *fields[1:]]


# --- closures -----------------------------------------------------------------------------------


def _captured_by(statement: Any, names: FunctionNames) -> Names:
    found = NO_NAMES
    for node in iter_own(header(statement)):
        if node in names.nested:
            found |= names.nested[node].late.intersection(names.locals)
    return found


def header(statement: Any) -> list[Any]:
    """The parts of a statement that are not statements."""
    if isinstance(statement, gast.If | gast.While):
        return [statement.test]
    if isinstance(statement, gast.For):
        return [statement.iter, statement.target]
    if isinstance(statement, gast.With):
        return list(statement.items)
    if isinstance(statement, gast.Try):
        return [handler.type for handler in statement.handlers if handler.type]
    if isinstance(statement, gast.Match):
        guards = [case.guard for case in statement.cases if case.guard]
        return [statement.subject, *(case.pattern for case in statement.cases), *guards]
    return [statement]


def _preorder(body: list[Any]) -> Iterator[tuple[Any, Any, Any]]:
    """Each statement with the one around it, and the outermost loop around it."""
    pending: list[tuple[Any, Any, Any]] = [(statement, None, None) for statement in reversed(body)]
    while pending:
        statement, parent, loop = pending.pop()
        yield statement, parent, loop
        around = loop or (statement if isinstance(statement, LOOPS) else None)
        inner = [child for block in blocks_of(statement) for child in block]
        pending.extend((child, statement, around) for child in reversed(inner))
