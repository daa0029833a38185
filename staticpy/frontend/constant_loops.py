"""Loops over what is known while compiling: loops of the graph, or a copy of the body an item.

A constant range stays a loop where that can be compiled; where not, it is unrolled. A constant loop
is lowered again as each one around it is tried in both forms, so what was found out is remembered.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.frontend.known_items import KnownItems
from staticpy.frontend.lower_loop import NeedsMemory
from staticpy.frontend.paths import nothing
from staticpy.frontend.values import Poisoned

LONGEST_UNROLLED = 256
_SHORT = 64
"""Up to here a constant loop is unrolled rather than given memory for the lists that it fills."""
MOST_COPIES = 1024
"""Up to here copies of a body, in all loops around it, are better than a loop over memory."""
_MOST_UNROLLINGS = 16
"""How often a loop is unrolled in vain. Each of the constant loops around it is tried in both forms
as well: that would double the work at each level."""

Take = Callable[[Any], Any]
"""Lowers what is done with an item; returns whether no more are wanted: a bool, or a Value."""
Live = frozenset[str] | None


UNROLL_HELPS = (
    catalog.NEEDS_COMPILE_TIME,
    catalog.LOOP_TYPE_CHANGE,
    catalog.STRUCTURE_UNDECIDED,
    catalog.ALIAS_UNDECIDED,
)
"""What may be wrong with a loop, and not with its rounds one after the other."""


@dataclass(slots=True)
class Unrolling:
    """What became of unrolling a constant loop that can't be compiled as a loop: it is lowered
    again and again, as the loops around it are.
    """

    has_helped: bool = False
    saves_memory: bool = False
    """It leaves the lists that the loop fills known."""
    is_too_much: bool = False
    """It would make too many copies, or each round inside of the one before, for lists that can be
    memory as well."""
    failed: int = 0


class TooManyCopies(Exception):
    """Raised where nested constant loops that fill lists would make too many copies of a body."""


class ConstantLoops(KnownItems):
    """Goes through known items."""

    _savings = 0
    """How many of the loops around are unrolled so that lists stay known."""

    def unroll(self, items: Sequence[Any], take: Take, live: Live = None) -> None:
        """Hand over known items."""

        def go_on(position: int) -> None:
            while position < len(items):
                self.unrolled = (*outer, position)
                left = take(items[position])
                position += 1
                if left is True:
                    return
                if left is not False:
                    rest = lambda at=position: go_on(at)  # noqa: E731
                    self.branch(left, nothing, rest, live)
                    return

        outer, copies = self.unrolled, self.copies
        self.copies = copies * len(items)
        try:
            go_on(0)
        finally:
            self.unrolled, self.copies = outer, copies

    def _each_of_range(self, items: range, take: Take, node: Any, live: Live) -> None:
        """A constant range stays a loop, unless only its unrolled form can be compiled: where the
        index selects an item of a tuple, say, or the first round has types of its own.
        """
        if items[sys.maxsize :]:  # of which 'len' is an OverflowError
            shown = "a range longer than sys.maxsize"
            self.error(catalog.UNSUPPORTED_OPERANDS, node, symbol="for", types=shown)
        if len(items) > LONGEST_UNROLLED:
            self.count_loop(self.counted(items, node), take, node, live)
            return
        if not items:
            return
        place = (node, self.frame.chain, self.graph.function.name)
        known = self.compilation.unrollings.setdefault(place, Unrolling())
        if known.has_helped and self._unrolled_instead(items, take, node, live):
            return
        if known.saves_memory and self._saves_memory(known, items, take, node, live):
            return
        diagnostics = self.compilation.diagnostics
        mark, length = diagnostics.mark(), len(self.builder.block.operations)
        is_short = len(items) <= _SHORT and not known.is_too_much
        try:
            with self.journal.attempt():
                self._try_as_loop(items, take, node, live, is_short=is_short)
        except NeedsMemory:
            diagnostics.rollback(mark)
            del self.builder.block.operations[length:]
            if not self._saves_memory(known, items, take, node, live):
                self._with_memory(known, items, take, node, live)
        except (Poisoned, DiagnosticError) as error:
            kept = diagnostics.rollback(mark)
            del self.builder.block.operations[length:]
            specs = [*(item.spec for item in kept), getattr(error, "spec", None)]
            may_help = is_short or any(spec in UNROLL_HELPS for spec in specs)
            if may_help and known.failed < _MOST_UNROLLINGS:
                known.has_helped = self._unrolled_instead(items, take, node, live)
                known.failed += not known.has_helped
            if not known.has_helped:
                for diagnostic in kept:
                    diagnostics.append(diagnostic)
                raise

    def _try_as_loop(
        self, items: range, take: Take, node: Any, live: Live, *, is_short: bool
    ) -> None:
        self.short_loops += is_short
        try:
            plan = self.counted(items, node)
            self.count_loop(plan, take, node, live, is_short=is_short, keeps_tuples=True)
        finally:
            self.short_loops -= is_short

    def _saves_memory(
        self, known: Unrolling, items: range, take: Take, node: Any, live: Live
    ) -> bool:
        """Unroll, so that the lists that are filled stay known; whether that was done. Where it
        makes too many copies of a body, the outermost of such loops becomes one over memory.
        """
        if self.copies * len(items) > MOST_COPIES:
            known.is_too_much |= not self._savings
            if self._savings:
                raise TooManyCopies
            return False
        mark, length = self.compilation.diagnostics.mark(), len(self.builder.block.operations)
        self._savings += 1
        try:
            known.saves_memory = self._unrolled_instead(items, take, node, live, is_whole=True)
        except TooManyCopies:
            if self._savings > 1:
                raise
            self.compilation.diagnostics.rollback(mark)
            del self.builder.block.operations[length:]
            known.saves_memory, known.is_too_much = False, True
        finally:
            self._savings -= 1
        return known.saves_memory

    def _with_memory(
        self, known: Unrolling, items: range, take: Take, node: Any, live: Live
    ) -> None:
        """Keep a loop, with memory for the lists that it fills; where that can't be compiled, and
        the running program decides how many rounds there are, each is inside of the one before.
        """

        def in_memory() -> None:
            self.count_loop(self.counted(items, node), take, node, live)

        if self.works(in_memory):
            known.is_too_much = True
        elif not self._unrolled_instead(items, take, node, live):
            in_memory()

    def _unrolled_instead(
        self, items: range, take: Take, node: Any, live: Live, *, is_whole: bool = False
    ) -> bool:
        """Unroll; whether that went without an error, and if ``is_whole`` to the last item."""
        diagnostics = self.compilation.diagnostics
        mark = diagnostics.mark()

        def checked(item: Any) -> Any:
            left = take(item)
            if len(diagnostics) > mark or (is_whole and left is not False and left is not True):
                raise Poisoned
            return left

        def unroll() -> None:
            self.compilation.notes.unrolled(self.span(node), len(items))
            self.unroll(items, checked, live)

        return self.works(unroll)

    def works(self, lower: Callable[[], None]) -> bool:
        """Lower something, or nothing of it; whether that went without an error."""
        diagnostics = self.compilation.diagnostics
        mark, length = diagnostics.mark(), len(self.builder.block.operations)
        try:
            with self.journal.attempt():
                lower()
                if len(diagnostics) > mark:
                    raise Poisoned
        except (Poisoned, DiagnosticError):
            diagnostics.rollback(mark)
            del self.builder.block.operations[length:]
            return False
        return True
