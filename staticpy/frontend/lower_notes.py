"""Lowering that notes what it finds out, for ``staticpy.explain``.

The last of the parts of the lowerer: it lowers nothing itself. What a part below it knows alone,
such as whether a loop is kept, that part notes; what can be seen from a result is noted here.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import gast

from staticpy.frontend.constant_loops import Live, Take
from staticpy.frontend.hinting import Hinting
from staticpy.frontend.values import UNBOUND, ListRef, Ref
from staticpy.ir import TensorType, Value
from staticpy.source import descendants

_LONGEST_NAME = 32


class Noting(Hinting):
    """The lowerer: everything below, with notes."""

    _loop: Any = None
    """What hands over items: a loop, the iterable of a comprehension, or a call."""

    def stmt_Return(self, node: Any) -> None:
        super().stmt_Return(node)
        self.compilation.notes.returned(self.span(node), self.env["%result"])

    def run(self, node: Any) -> Any:
        notes = self.compilation.notes
        for parameter in self.frame.prepared.parameters:
            value = self.env.get(parameter.name, UNBOUND)
            notes.assigned(self.span(parameter.node), parameter.name, value)
        result = super().run(node)
        if isinstance(node, gast.Lambda):
            notes.returned(self.span(node.body), result)
        return result

    # --- decisions --------------------------------------------------------------------------------

    def condition(self, node: Any) -> Any:
        condition = super().condition(node)
        word = _tests(self.frame.prepared.node).get(node)
        if word is None:
            return condition
        if not isinstance(condition, Value):
            self.compilation.notes.folded(self.span(node), word, bool(condition))
        elif word != "while":  # that is said by the loop
            self.compilation.notes.tested(self.span(node), word)
        return condition

    # --- loops ------------------------------------------------------------------------------------

    def for_each(self, iterable: Any, take: Take, node: Any, live: Live = None) -> None:
        outer, self._loop = self._loop, node
        try:
            super().for_each(iterable, take, node, live)
        finally:
            self._loop = outer

    def unroll(self, items: Sequence[Any], take: Take, live: Live = None) -> None:
        self._note_rounds(len(items))
        super().unroll(items, take, live)

    def _each_known(self, ref: ListRef, take: Take, node: Any, live: Live, start: int) -> None:
        content = self.content(ref)
        if start == 0 and isinstance(content, tuple):
            self._note_rounds(len(content))
        super()._each_known(ref, take, node, live, start)

    def _note_rounds(self, count: int) -> None:
        loop = self._loop
        if loop in _loops(self.frame.prepared.node):
            self.compilation.notes.unrolled(self.span(loop), count)

    # --- writes -----------------------------------------------------------------------------------

    def set_item(self, base: Any, index: Any, value: Any, node: Any) -> None:
        super().set_item(base, index, value, node)
        if isinstance(node, gast.Subscript):
            self.compilation.notes.wrote(self.span(node), self._name_of(node.value))

    def set_attribute(self, base: Any, name: str, value: Any, node: Any) -> None:
        super().set_attribute(base, name, value, node)
        if isinstance(node, gast.Attribute):
            self.compilation.notes.assigned(self.span(node), self._name_of(node), value)

    def update(self, symbol: str, current: Any, operand: Any, node: Any) -> Any:
        updated = super().update(symbol, current, operand, node)
        is_array = isinstance(current, Value) and isinstance(current.type, TensorType)
        target = getattr(node, "target", None)
        if (is_array or isinstance(current, Ref)) and isinstance(
            target, gast.Name | gast.Attribute
        ):
            self.compilation.notes.wrote(self.span(node), self._name_of(target))
        return updated

    def _name_of(self, node: Any) -> str:
        """An expression as the user wrote it, if that is short."""
        unit = self.frame.prepared.unit
        span = unit.span(node)
        text = unit.lines[span.line - 1][span.col : span.end_col]
        is_short = span.line == span.end_line and len(text) <= _LONGEST_NAME
        return text if is_short else "an item"


@lru_cache(maxsize=256)
def _tests(function: Any) -> dict[Any, str]:
    """The tests of a function, each with the word for what asks.

    The test of an ``if`` statement is noted where its sides are chosen.
    """
    found: dict[Any, str] = {}
    for node in descendants(function):
        if isinstance(node, gast.While) and not isinstance(node.test, gast.Constant):
            found[node.test] = "while"
        elif isinstance(node, gast.IfExp):
            found[node.test] = "conditional expression"
        elif isinstance(node, gast.Assert):
            found[node.test] = "assert"
        elif isinstance(node, gast.comprehension):
            found.update(dict.fromkeys(node.ifs, "if"))
    return found


@lru_cache(maxsize=256)
def _loops(function: Any) -> frozenset[Any]:
    """The loops of a function, by the node that ``for_each`` is given."""
    nodes = list(descendants(function))
    statements = [node for node in nodes if isinstance(node, gast.For)]
    comprehensions = [node.iter for node in nodes if isinstance(node, gast.comprehension)]
    return frozenset([*statements, *comprehensions])
