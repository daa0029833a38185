"""Iterators of itertools that keep what they have asked for: ``cycle``, ``tee``, ``groupby``."""

from __future__ import annotations

import dataclasses
from typing import Any

from staticpy import ops
from staticpy.frontend.iterators import Found, Over
from staticpy.frontend.lazy_iterators import LazyIterators
from staticpy.frontend.lower_base import Frame
from staticpy.frontend.paths import nothing
from staticpy.frontend.stepping import PART, flattening
from staticpy.frontend.values import CycleIterable, FlattenIterable, GroupIterable, IteratorRef


class SharedIterators(LazyIterators):
    """Asks iterators that share, or repeat, the items of another one."""

    def _begin_cycle(self, cells: Any, _: CycleIterable) -> None:
        cells["%saved"], cells["%at"], cells["%open"] = self.new_list(()), 0, True

    def ask_cycle(self, ref: IteratorRef, found: Found, over: Over, node: Any) -> None:
        """First the items themselves, and then those that were kept, again and again."""
        source, cells = ref.source[1], ref.cells
        saved = cells["%saved"]
        with self.hidden("kept", "found") as (kept, is_found):

            def keep(item: Any) -> None:
                self.env[kept], self.env[is_found] = item, True

            def first(item: Any) -> None:
                self.call_method_of(saved, "append", [item], node)
                keep(item)

            def repeat() -> None:
                at = cells["%at"]
                keep(self.list_item(saved, at, node))
                following = ops.binary("+", at, 1)
                self.set_state(cells, "%at", ops.binary("%", following, self.length(saved, node)))

            def again() -> None:
                self.set_state(cells, "%open", False)
                if self.length(saved, node) != 0:
                    is_some = ops.compare(">", self.length(saved, node), 0)
                    self.if_else(is_some, repeat, nothing)

            self.env[is_found] = False
            self.if_else(cells["%open"], lambda: self.ask(source, first, again, node), again)
            self.if_else(self.env[is_found], lambda: found(self.read_local(kept, node)), over)

    # --- iter(function, sentinel), chain.from_iterable ------------------------------------------

    def ask_call(self, ref: IteratorRef, found: Found, over: Over, node: Any) -> None:
        """What a function returns, until that equals the sentinel."""
        function, sentinel = ref.source

        def end() -> None:
            self.set_state(ref.cells, "%open", False)
            over()

        def ask() -> None:
            item = self.call_function(function, [], {}, node)
            is_last = self.truth(self.compare_values("==", sentinel, item, node), node)
            self.if_else(is_last, end, lambda: found(item))

        self.if_else(ref.cells["%open"], ask, over)

    def flattened(self, made: FlattenIterable, node: Any) -> IteratorRef:
        """``chain.from_iterable`` as the generator that it is: ``yield from`` each part."""
        outer = self.frame

        def make_frame() -> Frame:
            names = frozenset([PART])
            prepared = dataclasses.replace(outer.prepared, parameters=[], assigned=names)
            return Frame(prepared, outer.scope, self.journal, None, outer.chain)

        steps = self.generator_steps(flattening(node), make_frame, made.iterable)
        assert steps is not None
        return steps()

    # --- tee --------------------------------------------------------------------------------------

    def tee(self, iterable: Any, count: int, node: Any) -> tuple[IteratorRef, ...]:
        """Readers of one iterator, which keeps what one of them has asked for."""
        source, saved = self.iterator(iterable, node), self.new_list(())
        return tuple(self.new_iterator("reader", (source, saved), at=0) for _ in range(count))

    def ask_reader(self, ref: IteratorRef, found: Found, over: Over, node: Any) -> None:
        (source, saved), cells = ref.source, ref.cells
        at = cells["%at"]
        with self.hidden("kept", "found") as (kept, is_found):

            def keep(item: Any) -> None:
                self.env[kept], self.env[is_found] = item, True
                self.set_state(cells, "%at", ops.binary("+", at, 1))

            def first(item: Any) -> None:
                self.call_method_of(saved, "append", [item], node)
                keep(item)

            self.env[is_found] = False
            is_saved = ops.compare("<", at, self.length(saved, node))
            read = lambda: keep(self.list_item(saved, at, node))  # noqa: E731
            self.if_else(is_saved, read, lambda: self.ask(source, first, nothing, node))
            self.if_else(self.env[is_found], lambda: found(self.read_local(kept, node)), over)

    # --- groupby ----------------------------------------------------------------------------------

    def _begin_groups(self, cells: Any, _: GroupIterable) -> None:
        cells["%begun"], cells["%held"], cells["%group"] = False, False, 0
        cells["%first"] = False  # whether what is held is the item that the last group began with

    def _step_groups(self, ref: IteratorRef, over: Over, node: Any) -> None:
        """Ask for the next item, and its key."""
        (made, source), cells = ref.source, ref.cells

        def one(item: Any) -> None:
            key = item
            if made.function is not None:
                key = self.call_function(made.function, [item], {}, node)
            for name, value in (("%item", item), ("%key", key), ("%held", True), ("%first", False)):
                self.set_state(cells, name, value)

        self.ask(source, one, over, node)

    def _is_same_key(self, cells: Any, key: Any, node: Any) -> Any:
        """Whether ``key`` is that of the item which is held: the same object, or else equal. So a
        nan begins a group, and doesn't begin another.
        """
        with self.hidden("same") as (same,):

            def compare() -> None:
                self.env[same] = self.contains((key,), cells["%key"], node)

            self.if_else(cells["%first"], lambda: self.set_cell(same, True), compare)
            return self.env[same]

    def ask_groups(self, ref: IteratorRef, found: Found, over: Over, node: Any) -> None:
        """``next(groupby(…))``: what is left of the last group is passed over."""
        cells = ref.cells
        with self.hidden("left", "over") as (left, is_over):
            env = self.env

            def end() -> None:
                env[left] = env[is_over] = True

            def compare() -> None:
                env[left] = self.negate(self._is_same_key(cells, cells["%target"], node))

            def look() -> None:
                """Whether the item that is held begins a group."""
                self.if_else(cells["%begun"], compare, lambda: self.set_cell(left, True))

            def step() -> Any:
                env[left] = False
                self.if_else(cells["%held"], look, nothing)
                ask = lambda: self._step_groups(ref, end, node)  # noqa: E731
                self.if_else(env[left], nothing, ask)
                return env[left]

            env[is_over] = False
            self.set_state(cells, "%group", ops.binary("+", cells["%group"], 1))
            self.rounds(step, node)

            def group() -> None:
                self.set_state(cells, "%target", cells["%key"])
                self.set_state(cells, "%begun", True)
                self.set_state(cells, "%first", True)
                number, key = cells["%group"], cells["%target"]
                found((key, self.new_iterator("group", ref, number=number, key=key)))

            self.if_else(env[is_over], over, group)

    def ask_group(self, ref: IteratorRef, found: Found, over: Over, node: Any) -> None:
        """The next item of a group, as long as it is the last one that ``groupby`` has made."""
        groups, cells = ref.source, ref.cells
        parent = groups.cells
        with self.hidden("found") as (is_found,):

            def step() -> None:
                self._step_groups(groups, nothing, node)

            def look() -> None:
                self.env[is_found] = self._is_same_key(parent, cells["%key"], node)

            def run() -> None:
                self.if_else(parent["%held"], nothing, step)
                self.if_else(parent["%held"], look, nothing)

            def take() -> None:
                self.set_state(parent, "%held", False)
                found(parent["%item"])

            self.env[is_found] = False
            is_last = ops.compare("==", parent["%group"], cells["%number"])
            self.if_else(is_last, run, nothing)
            self.if_else(self.env[is_found], take, over)
