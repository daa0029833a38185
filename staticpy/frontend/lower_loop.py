"""Loops of the graph: rounds of a body, counted or tested, with what they carry.

In: a function that lowers one round, and what each round gets. Out: a ``for`` or ``while``
operation, and the state after it. Statements, comprehensions and builtins all make their loops
here; what is carried is found in ``carry``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from staticpy import ops
from staticpy.diagnostics import catalog
from staticpy.frontend.carry import BecameMemory
from staticpy.frontend.findings import Carried, Carry, CarryRef, Findings
from staticpy.frontend.inputs import map_tree, tree_leaves
from staticpy.frontend.recall import Recalling
from staticpy.frontend.state import Cell, Log, next_serial
from staticpy.frontend.values import POISON, PathEnds, Poisoned, Ref
from staticpy.ir import INT, Region, Type, Value
from staticpy.source import SourceSpan

_MOST_ROUNDS = 60
"""Types get wider at most as often as there are members of a union; this is far beyond."""

_MOST_PARTS = 5000
"""The parts of a type that a loop carries: beyond that, each round doubles them."""

Body = Callable[[], Any]
"""Lowers a round; returns whether the loop is left after it: a bool, or a Value."""


@dataclass(frozen=True, slots=True)
class Counted:
    """A loop over ``range(*bounds)``; ``item`` makes what a round gets from the index."""

    bounds: tuple[Any, Any, Any]
    item: Callable[[Value], Any]
    index_is_item: bool = False
    index_type: Type = INT


@dataclass(slots=True)
class Loop:
    """One loop while it is lowered.

    ``live`` are the variables of the current frame that are of use to the next round; None for
    all. ``log`` is the scope of the round being lowered.
    """

    node: Any
    live: frozenset[str] | None
    found: Findings
    log: Log
    key: Any = None
    keeps_tuples: bool = False
    """Whether the loop is given up where it makes tuples longer, to be unrolled if it can be."""


class NeedsMemory(Exception):
    """Raised where a constant loop fills lists or tuples, which unrolling leaves known."""


class RunTimeLoops(Recalling):
    """Emits ``for`` and ``while`` operations."""

    def count_loop(
        self,
        plan: Counted,
        take: Callable[[Any], Any],
        node: Any,
        live: frozenset[str] | None = None,
        *,
        is_short: bool = False,
        keeps_tuples: bool = False,
    ) -> None:
        """``take`` each item of a plan; it returns whether the loop is left.

        Raises:
            NeedsMemory: ``is_short``, and the loop fills lists; or ``keeps_tuples``, and it makes
                tuples longer.
        """
        operands = [ops.as_value(bound) for bound in plan.bounds]

        def lower_round(loop: Loop) -> tuple[list[Region], bool]:
            with self.builder.region(
                [plan.index_type, *self.types_of(loop.found.carried)]
            ) as region:
                index, *values = region.block.args
                self._enter_round(loop, values)
                left = self._attempt(lambda: take(plan.item(index)))
                self._find(loop)
                stop = [] if left is False else [ops.as_value(left)]
                self._yield(loop, stop)
            return [region], left is not False

        loop = Loop(node, live, Findings(next_serial()), Log())
        loop.keeps_tuples = keeps_tuples
        regions, breaks = self._search(loop, lower_round, is_short=is_short)
        self.compilation.notes.kept(self.span(node), "for")
        initial = self.leaves(loop.found.carried)
        attrs = {"breaks": breaks}
        operation = self.builder.emit(ops.for_, [*operands, *initial], attrs, tuple(regions))
        self._leave(loop, operation.results)

    def test_loop(
        self,
        test: Body,
        take: Body,
        node: Any,
        live: frozenset[str] | None = None,
        *,
        keeps_tuples: bool = False,
    ) -> None:
        """Rounds of ``take`` as long as ``test`` holds and ``take`` does not leave.

        Raises:
            NeedsMemory: ``keeps_tuples``, and the loop makes tuples longer.
        """

        def lower_round(loop: Loop) -> tuple[list[Region], bool]:
            carried = loop.found.carried
            with self.builder.region(self.types_of(carried)) as before:
                self._enter_round(loop, before.block.args)
                condition = self._test(test, is_first=not carried)
                if condition is False and not carried:
                    return [], False
                facts = self._facts_by_cell(condition) if isinstance(condition, Value) else []
                tested = frozenset(key for (group, key) in loop.log if group is self.env)
                loop.live = live and live | tested
                self.find(loop.found, loop.log, loop.live)
                after_test = loop.found.following
                try:
                    forwarded = self.leaves(carried)
                except BecameMemory as found:
                    self._carry_as_memory(loop, found)
                    return [before], False
                self.builder.emit(ops.region_yield, [ops.as_value(condition), *forwarded])
            with self.builder.region(self.types_of(carried)) as after:
                self._enter_round(loop, after.block.args)
                self._know(facts)
                self.env["%stop"] = self._attempt(take)
                self._find(loop, after_test)
                self._yield(loop, [])
            return [before, after], True

        self.env["%stop"] = False
        loop = Loop(node, live, Findings(next_serial()), Log(), keeps_tuples=keeps_tuples)
        regions, _ = self._search(loop, lower_round)
        if not regions:  # it ends before its first round, after the test
            self.env.drop("%stop")
            test()
            return
        self.compilation.notes.kept(self.span(node), "while")
        initial = self.leaves(loop.found.carried)
        operation = self.builder.emit(ops.while_, initial, {}, tuple(regions))
        self._leave(loop, operation.results)
        self.env.drop("%stop")

    # --- rounds -----------------------------------------------------------------------------------

    def _search(
        self, loop: Loop, lower_round: Callable[[Loop], Any], *, is_short: bool = False
    ) -> Any:
        """Lower rounds until what they carry no longer changes; what the last one gave."""
        diagnostics = self.compilation.diagnostics
        notes, spans = self.compilation.notes, {}
        mark, noted = diagnostics.mark(), notes.mark()
        loop.key = self.place_of(loop.node)
        self._recall_memory(loop, is_short=is_short)
        self.recall(loop.key, loop.found)
        for _ in range(_MOST_ROUNDS):
            with self.journal.scope() as loop.log:
                result = lower_round(loop)
                spans = self._spans(loop.log)
                spoiled = self._spoiled(loop)
            if spoiled and len(diagnostics) == mark:
                notes.rollback(noted)
                self._spoil(spoiled)
                loop.found = Findings(loop.found.start)
                return self._search(loop, lower_round, is_short=is_short)
            if loop.keeps_tuples and loop.found.lengthens:
                raise NeedsMemory
            if self._has_no_end(loop.found):
                self._refuse_growth(loop, loop.found)
            if loop.found.promote or loop.found.handles:
                self.remember_memory(loop.key, loop.found.promote)
                self._prepare_memory(loop, is_short=is_short)
            elif self._is_stable(loop) or not result[0]:
                break
            diagnostics.rollback(mark)
            notes.rollback(noted)
            last, loop.found = loop.found, loop.found.next_round()
        else:
            self._refuse_growth(loop, last)
        if len(diagnostics) > mark:
            raise Poisoned
        self.remember(loop.key, loop.found)
        for (group, name), span in spans.items():
            group.put(name, span)
        return result

    def _spoiled(self, loop: Loop) -> list[Cell]:
        """The variables from outside of the round that nothing is known of where it ends, though
        something was where it began.
        """
        written = self.written_cells(loop.log, loop.found.start, loop.live)
        ends = [cell for cell, end in written if end is POISON]
        return [cell for cell in ends if loop.log.get(cell, POISON) is not POISON]

    def _spoil(self, cells: list[Cell]) -> None:
        """Spoil before the loop what a round has spoiled without an error: nothing is known of it
        in the next round or after the last.
        """
        for group, name in cells:
            group[name] = POISON
            group.drop(f"%bound:{name}")

    def _has_no_end(self, found: Findings) -> bool:
        """Whether what holds what it was before, as 't = [t]' does, has doubled too often."""
        types = [*found.promote.values(), *self.types_of(found.following)]
        return any(len(ops.parts_of_type(each)) > _MOST_PARTS for each in types)

    def _refuse_growth(self, loop: Loop, found: Findings) -> None:
        args = {"before": "one type", "after": "ever wider ones"}
        refs = list(found.promote)
        held = [name for name, value in self.env.items() if any(value is ref for ref in refs)]
        name = held[0] if held else _changing(found)
        self.error(catalog.LOOP_TYPE_CHANGE, loop.node, name=name, **args)

    def _spans(self, log: Log) -> dict[Any, SourceSpan]:
        return {cell: end for cell, end in log.ends().items() if cell[0].kind == "spans"}

    def _find(self, loop: Loop, after_test: Carried | None = None) -> None:
        """Compare what the round ends with to what it began with.

        ``after_test`` holds what its test ended with, too: the loop is left there. Where no path of
        the body comes to its end, nothing else is known of a next round.
        """
        found, begun = loop.found, loop.found.carried
        if self.is_dead():
            found.following = dict(begun if after_test is None else after_test)
            return
        if after_test is not None:
            found.carried, found.following, found.ends = after_test, {}, {}
        self.find(found, loop.log, loop.live)
        found.carried = begun

    def _is_stable(self, loop: Loop) -> bool:
        found = loop.found
        return not found.promote and not found.handles and found.following == found.carried

    def _yield(self, loop: Loop, stop: list[Value]) -> None:
        """End the region of a round with what the next one gets."""
        carried = loop.found.carried
        if not self._is_stable(loop):
            return  # it is lowered again
        if self.is_dead():
            types = self.types_of(carried)
            yields = [ops.emit(ops.undef, type=type_) for type_ in types]
        else:
            try:
                yields = self.leaves(carried)
            except BecameMemory as found:
                self._carry_as_memory(loop, found)
                return
        self.builder.emit(ops.region_yield, [*stop, *yields])

    def _carry_as_memory(self, loop: Loop, found: BecameMemory) -> None:
        """Let the next round carry as memory what has become that in this one."""
        place = found.place
        if isinstance(place, Ref):
            loop.found.promote[place] = found.type
            return

        def leaf(item: Any) -> Any:
            if not isinstance(item, CarryRef):
                return item
            is_it = item.number == place.number
            inner = Carry(found.type) if is_it else map_tree(leaf, item.content)
            return replace(item, content=inner)

        carried = loop.found.carried
        loop.found.following = {cell: map_tree(leaf, tree) for cell, tree in carried.items()}

    def _attempt(self, take: Body) -> Any:
        """Lower a round's body; False where it ends in an exception on every path."""
        try:
            left = take()
        except PathEnds:
            self.compilation.path["dead"] = True
        return False if self.is_dead() else left

    def _test(self, test: Body, *, is_first: bool) -> Any:
        """The condition of a ``while``: False where the loop was left, or where it can't be met."""
        stop = self.env.get("%stop", False)
        try:
            if isinstance(stop, Value):
                return self.choose(stop, lambda: False, test, "this condition")
            return False if stop is True else test()
        except PathEnds:
            if is_first:
                return False
            self.compilation.path["dead"] = False
            return ops.emit(ops.undef, type=ops.as_value(False).type)

    def _enter_round(self, loop: Loop, values: Sequence[Value]) -> None:
        loop.found.entered = self.enter(loop.found.carried, values)
        self.mark_aliases(loop.found, loop.found.entered, loop.found.carried)

    def _leave(self, loop: Loop, results: Sequence[Value]) -> None:
        """Write what the loop has left into the state."""
        entered = self.enter(loop.found.carried, results)
        self.mark_aliases(loop.found, entered, loop.found.carried)

    # --- what a condition says --------------------------------------------------------------------

    def _facts_by_cell(self, condition: Value) -> list[tuple[Any, Type]]:
        """What a true condition says of types, by the variables that hold the tested values."""
        found = []
        for value, type_ in self.facts_of(condition, True):
            frame: Any = self.frame
            while frame is not None:
                held = [name for name, each in frame.env.items() if each is value]
                found += [((frame.env, name), type_) for name in held]
                frame = frame.parent
        return found

    def _know(self, facts: list[tuple[Any, Type]]) -> None:
        for (group, name), type_ in facts:
            value = group.get(name)
            if isinstance(value, Value) and value.type != type_:
                self.replace(value, self.narrow(value, type_))

    # --- memory -----------------------------------------------------------------------------------

    def _recall_memory(self, loop: Loop, *, is_short: bool) -> None:
        """Prepare at once what had to be memory when the loop was last lowered."""
        loop.found.promote = self.recall_memory(loop.key)
        self._prepare_memory(loop, is_short=is_short)
        loop.found.promote = {}

    def _prepare_memory(self, loop: Loop, *, is_short: bool) -> None:
        """Give the lists and dicts that grow in the loop their memory before it."""
        if is_short and loop.found.promote:
            raise NeedsMemory
        for ref, type_ in loop.found.promote.items():
            self.list_value(ref, type_)
        for ref in loop.found.handles:
            self.materialize(ref)
        loop.found.following = {
            cell: tree
            for cell, tree in loop.found.following.items()
            if not self._is_memory(cell) and not self._holds_refs(tree)
        }

    def _holds_refs(self, tree: Any) -> bool:
        """Whether a structure was found for containers that may be memory now."""
        return any(isinstance(leaf, CarryRef) for leaf in tree_leaves(tree))

    def _is_memory(self, cell: Any) -> bool:
        return cell[0] is self.heap and isinstance(self.heap.get(cell[1]), Value)


def _changing(found: Findings) -> str:
    """The first variable that a round ends with in another structure than it began with."""
    for (group, key), tree in found.carried.items():
        is_variable = group.kind == "variables" and not key.startswith("%")
        if is_variable and found.following.get((group, key), tree) != tree:
            return str(key)
    return "a value"
