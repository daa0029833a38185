"""Lowering of ``match``: the first case whose pattern matches and whose guard is true.

In: a ``Match`` node. What is known while compiling chooses the case at once; where a run-time value
decides, the case is one side of a branch, and the cases after it are the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import gast

from staticpy.frontend.lower_pattern import Patterns, Test, hidden_name
from staticpy.ir import Value


class Match(Patterns):
    """Lowers ``match``."""

    def stmt_Match(self, node: Any) -> None:
        subject = self.expression(node.subject)
        with self.hidden("subject") as (cell,):
            self.env[cell] = subject
            self._cases(node.cases, 0, cell, self.frame.prepared.liveness.after(node))

    def _cases(self, cases: list[Any], start: int, cell: str, live: frozenset[str]) -> None:
        """The first case from ``start`` on that matches what is in the hidden variable ``cell``."""
        for position in range(start, len(cases)):
            case = cases[position]
            condition = self._selects_case(case, cell)
            span = self.span(case.pattern)
            if isinstance(condition, Value):
                self.compilation.notes.tested(span, "case")
                self.branch(
                    condition,
                    partial(self._enter_case, case, cell, live),
                    partial(self._later_cases, cases, position, cell, live),
                    live,
                )
                return
            self.compilation.notes.folded(span, "case", bool(condition))
            if condition:
                self._enter_case(case, cell, live)
                return
            self._forget_captures(case)
        self.env.drop(cell)

    def _enter_case(self, case: Any, cell: str, live: frozenset[str]) -> None:
        """Lower the body of a case."""
        self._bind_captures(case, _walrus_names(case.guard))
        self._forget_captures(case)
        self.env.drop(cell)
        self.block(case.body, live)

    def _later_cases(
        self, cases: list[Any], position: int, cell: str, live: frozenset[str]
    ) -> None:
        self._forget_captures(cases[position])
        self._cases(cases, position + 1, cell, live)

    def _selects_case(self, case: Any, cell: str) -> Any:
        """Whether the pattern matches and the guard is true."""
        tests: list[Test] = [lambda: self.matches(case.pattern, self.env[cell])]
        if case.guard is not None:

            def guard() -> Any:
                self._bind_captures(case)
                return self.condition(case.guard)

            tests.append(guard)
        return self.all_of(tests)

    def block(self, statements: list[Any], live: frozenset[str]) -> None:
        raise AssertionError("defined by Statements")

    # --- captures ---------------------------------------------------------------------------------

    def _bind_captures(self, case: Any, without: frozenset[str] = frozenset()) -> None:
        """Give the user's names what the pattern has captured."""
        for name, node in _captures(case.pattern):
            if name not in without:
                self.assign_name(name, self.env[hidden_name(name)], self.span(node))

    def _forget_captures(self, case: Any) -> None:
        for name, _ in _captures(case.pattern):
            self.env.drop(hidden_name(name))


def _captures(pattern: Any) -> Iterator[tuple[str, Any]]:
    """The names that a pattern binds, each with its node."""
    for node in gast.walk(pattern):
        kind = type(node).__name__
        name = None
        if kind in ("MatchAs", "MatchStar"):
            name = node.name
        elif kind == "MatchMapping":
            name = node.rest
        if name is not None:
            yield name, node


def _walrus_names(guard: Any) -> frozenset[str]:
    """The names that a guard itself binds."""
    if guard is None:
        return frozenset()
    nodes = (node for node in gast.walk(guard) if isinstance(node, gast.NamedExpr))
    return frozenset(node.target.id for node in nodes)
