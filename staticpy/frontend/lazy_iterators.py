"""One step of ``map``, ``zip`` and their kin of itertools, as CPython takes it.

What each of them asks for before it stops, and what it remembers, is as in CPython: ``zip`` asks
its first iterator, finds the second used up, and the item of the first is lost.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any, ClassVar

from staticpy import ops
from staticpy.diagnostics import catalog
from staticpy.frontend.iterators import Found, Iterators, Over
from staticpy.frontend.paths import nothing
from staticpy.frontend.values import (
    AccumulateIterable,
    ChainIterable,
    CycleIterable,
    EnumerateIterable,
    FilterIterable,
    FlattenIterable,
    GroupIterable,
    IteratorRef,
    MapIterable,
    PairwiseIterable,
    ProductIterable,
    SliceIterable,
    ZipIterable,
    ZipLongestIterable,
)


class LazyIterators(Iterators):
    """Asks what makes its items as they are asked for."""

    MAKERS: ClassVar[dict[type, str]] = {
        MapIterable: "map",
        FilterIterable: "filter",
        EnumerateIterable: "enumerate",
        ZipIterable: "zip",
        ZipLongestIterable: "zip_longest",
        ChainIterable: "chain",
        SliceIterable: "slice",
        AccumulateIterable: "accumulate",
        PairwiseIterable: "pairwise",
        CycleIterable: "cycle",
        GroupIterable: "groups",
    }

    def lazy_iterator(self, iterable: Any, node: Any) -> IteratorRef | None:
        """``map`` and its kin as iterators over iterators; None for anything else."""
        if isinstance(iterable, FlattenIterable):
            return self.flattened(iterable, node)
        if isinstance(iterable, ProductIterable):
            return self._product(iterable, node)
        kind = self.MAKERS.get(type(iterable))
        if kind is None:
            return None
        parts = getattr(iterable, "iterables", None)
        if parts is None:
            parts = (iterable.iterable,)
        sources = [self.iterator(part, node) for part in parts]
        made = self.new_iterator(kind, (iterable, *sources))
        made.class_ = self.class_of(iterable)
        begin = getattr(self, f"_begin_{kind}", None)
        if begin is not None:
            begin(made.cells, iterable)
        return made

    def _product(self, made: ProductIterable, node: Any) -> IteratorRef:
        pools = [self.iterated(each, node) for each in made.iterables]
        if not all(isinstance(pool, list) for pool in pools):
            self.error(catalog.UNSUPPORTED_ITERABLE, node, type="a product of run-time length")
        return self.iterator(tuple(itertools.product(*pools)), node)  # type: ignore[no-any-return]

    def flattened(self, made: FlattenIterable, node: Any) -> IteratorRef:
        raise AssertionError("defined by SharedIterators")

    # --- item by item -----------------------------------------------------------------------------

    def ask_map(self, ref: IteratorRef, found: Found, over: Over, node: Any) -> None:
        made, source = ref.source

        def one(item: Any) -> None:
            args = self.iterated(item, node) if made.is_starred else [item]
            found(self.call_function(made.function, args, {}, node))

        self.ask(source, one, over, node)

    def _begin_enumerate(self, cells: Any, made: EnumerateIterable) -> None:
        self.set_state(cells, "%count", made.start)

    def ask_enumerate(self, ref: IteratorRef, found: Found, over: Over, node: Any) -> None:
        cells = ref.cells

        def one(item: Any) -> None:
            count = cells["%count"]
            self.set_state(cells, "%count", ops.binary("+", count, 1))
            found((count, item))

        self.ask(ref.source[1], one, over, node)

    def _begin_filter(self, cells: Any, made: FilterIterable) -> None:
        cells["%open"] = True  # of takewhile: whether to go on; of dropwhile: whether to test

    def ask_filter(self, ref: IteratorRef, found: Found, over: Over, node: Any) -> None:
        """``filter``, ``filterfalse``, ``takewhile``, ``dropwhile``."""
        made, source = ref.source
        cells = ref.cells
        if made.kind == "takewhile":
            self.if_else(cells["%open"], lambda: self._ask_while(ref, found, over, node), over)
            return

        def is_wanted(item: Any) -> Any:
            if made.kind != "dropwhile":
                return self.accepts(made, item, node)
            with self.hidden("wanted") as (wanted,):
                test = lambda: self.set_cell(wanted, self.accepts(made, item, node))  # noqa: E731
                self.if_else(cells["%open"], test, lambda: self.set_cell(wanted, True))
                return self.env[wanted]

        def ended(item: Any) -> None:
            self.set_state(cells, "%open", False)
            found(item)

        self._ask_until(source, is_wanted, ended, over, node)

    def set_cell(self, name: str, value: Any) -> None:
        """Give a hidden variable a value."""
        self.env[name] = value

    def _ask_while(self, ref: IteratorRef, found: Found, over: Over, node: Any) -> None:
        made, source = ref.source

        def stop() -> None:
            self.set_state(ref.cells, "%open", False)
            over()

        def one(item: Any) -> None:
            self.if_else(self.accepts(made, item, node), lambda: found(item), stop)

        self.ask(source, one, over, node)

    def _ask_until(
        self, source: Any, is_wanted: Callable[[Any], Any], found: Found, over: Over, node: Any
    ) -> None:
        """Ask until there is an item that is wanted."""
        with self.hidden("kept", "found", "left") as (kept, is_found, left):

            def keep(item: Any) -> None:
                self.env[kept], self.env[is_found], self.env[left] = item, True, True

            def one(item: Any) -> None:
                self.if_else(is_wanted(item), lambda: keep(item), nothing)

            def step() -> Any:
                self.env[left] = False
                self.ask(source, one, lambda: self.set_cell(left, True), node)
                return self.env[left]

            self.env[is_found] = False
            self.rounds(step, node)
            self.if_else(self.env[is_found], lambda: found(self.read_local(kept, node)), over)

    # --- side by side -----------------------------------------------------------------------------

    def ask_zip(self, ref: IteratorRef, found: Found, over: Over, node: Any) -> None:
        made, *sources = ref.source

        def column(items: tuple[Any, ...]) -> None:
            position = len(items)
            if position == len(sources):
                found(items)
                return
            end = over
            if made.strict:
                end = lambda: self._require_ends(sources, position, over, node)  # noqa: E731
            self.ask(sources[position], lambda item: column((*items, item)), end, node)

        if sources:
            column(())
        else:
            over()

    def _require_ends(self, sources: list[Any], ended: int, over: Over, node: Any) -> None:
        """``strict=True``: the iterator ``ended`` is used up, and so must the others be."""
        if ended:
            before = "argument 1" if ended == 1 else f"arguments 1-{ended}"
            message = f"zip() argument {ended + 1} is shorter than {before}"
            self.fails("ValueError", message, node)

        def require(position: int) -> None:
            if position == len(sources):
                over()
                return
            before = "argument 1" if position == 1 else f"arguments 1-{position}"
            message = f"zip() argument {position + 1} is longer than {before}"
            fail = lambda _: self.fails("ValueError", message, node)  # noqa: E731
            self.ask(sources[position], fail, lambda: require(position + 1), node)

        require(1)

    def _begin_zip_longest(self, cells: Any, made: ZipLongestIterable) -> None:
        self.set_state(cells, "%active", len(made.iterables))
        for position in range(len(made.iterables)):
            cells[f"%open{position}"] = True

    def ask_zip_longest(self, ref: IteratorRef, found: Found, over: Over, node: Any) -> None:
        (made, *sources), cells = ref.source, ref.cells
        names = [f"item{position}_" for position in range(len(sources))]
        with self.hidden("over", *names) as (is_over, *items):

            def ended(position: int) -> None:
                self.set_state(cells, f"%open{position}", False)
                self.set_state(cells, "%active", ops.binary("-", cells["%active"], 1))
                self.env[items[position]] = made.fill
                self.env[is_over] = ops.compare("==", cells["%active"], 0)

            def column(position: int) -> None:
                name = items[position]
                keep = lambda item: self.set_cell(name, item)  # noqa: E731
                end = lambda: ended(position)  # noqa: E731
                ask = lambda: self.ask(sources[position], keep, end, node)  # noqa: E731
                fill = lambda: self.set_cell(name, made.fill)  # noqa: E731
                self.if_else(cells[f"%open{position}"], ask, fill)

            self.env[is_over] = ops.compare("==", cells["%active"], 0)
            for position in range(len(sources)):
                run = lambda at=position: column(at)  # noqa: E731
                self.if_else(self.env[is_over], nothing, run)
            row = lambda: found(tuple(self.read_local(name, node) for name in items))  # noqa: E731
            self.if_else(self.env[is_over], over, row)

    # --- one after the other ----------------------------------------------------------------------

    def _begin_chain(self, cells: Any, _: ChainIterable) -> None:
        self.set_state(cells, "%part", 0)

    def ask_chain(self, ref: IteratorRef, found: Found, over: Over, node: Any) -> None:
        (_, *sources), cells = ref.source, ref.cells
        with self.hidden("kept", "found") as (kept, is_found):

            def keep(item: Any) -> None:
                self.env[kept], self.env[is_found] = item, True

            def part(position: int) -> None:
                end = lambda: self.set_state(cells, "%part", position + 1)  # noqa: E731
                self.ask(sources[position], keep, end, node)

            self.env[is_found] = False
            for position in range(len(sources)):
                is_here = ops.compare("==", cells["%part"], position)
                self.if_else(is_here, lambda at=position: part(at), nothing)  # type: ignore[misc]
            self.if_else(self.env[is_found], lambda: found(self.read_local(kept, node)), over)

    def _begin_slice(self, cells: Any, made: SliceIterable) -> None:
        cells["%at"], cells["%next"], cells["%open"] = 0, made.start, True

    def ask_slice(self, ref: IteratorRef, found: Found, over: Over, node: Any) -> None:
        """The items up to the next one are asked for, but no more than ``stop`` in all."""
        (made, source), cells = ref.source, ref.cells

        def end() -> None:
            self.set_state(cells, "%open", False)

        def ended() -> None:
            end()
            over()

        def one(item: Any) -> None:
            self.set_state(cells, "%at", ops.binary("+", cells["%at"], 1))
            following = ops.binary("+", cells["%next"], made.step)
            bounded = ops.BUILTINS[min](following, following if made.stop is None else made.stop)
            self.set_state(cells, "%next", bounded)
            found(item)

        def run() -> None:
            self._skip(source, cells, end, node)
            is_open = cells["%open"]
            if made.stop is not None:
                is_open = self.both(is_open, ops.compare("<", cells["%at"], made.stop))
            self.if_else(is_open, lambda: self.ask(source, one, ended, node), ended)

        self.if_else(cells["%open"], run, over)

    def _skip(self, source: Any, cells: Any, end: Over, node: Any) -> None:
        """Ask for the items before the next one of a slice."""

        def is_before() -> Any:
            return ops.compare("<", cells["%at"], cells["%next"])

        with self.hidden("left") as (left,):

            def one(_: Any) -> None:
                self.set_state(cells, "%at", ops.binary("+", cells["%at"], 1))
                self.env[left] = False

            def step() -> Any:
                self.env[left] = True
                self.if_else(is_before(), lambda: self.ask(source, one, end, node), nothing)
                return self.env[left]

            self.rounds(step, node)

    # --- what remembers items ---------------------------------------------------------------------

    def _begin_accumulate(self, cells: Any, made: AccumulateIterable) -> None:
        cells["%stage"] = 1 if made.initial is None else 0  # 2: there is a total

    def ask_accumulate(self, ref: IteratorRef, found: Found, over: Over, node: Any) -> None:
        (made, source), cells = ref.source, ref.cells
        with self.hidden("found") as (is_found,):

            def keep(total: Any) -> None:
                self.set_state(cells, "%total", total)
                self.set_state(cells, "%stage", 2)
                self.env[is_found] = True

            def add(item: Any) -> None:
                is_first = ops.compare("==", cells["%stage"], 1)
                more = lambda: keep(self.accumulated(made, cells["%total"], item, node))  # noqa: E731
                self.if_else(is_first, lambda: keep(item), more)

            self.env[is_found] = False
            begins = ops.compare("==", cells["%stage"], 0)
            ask = lambda: self.ask(source, add, nothing, node)  # noqa: E731
            self.if_else(begins, lambda: keep(made.initial), ask)
            self.if_else(self.env[is_found], lambda: found(cells["%total"]), over)

    def _begin_pairwise(self, cells: Any, _: PairwiseIterable) -> None:
        cells["%stage"] = 0  # 1: there is a last item; 2: it is over

    def ask_pairwise(self, ref: IteratorRef, found: Found, over: Over, node: Any) -> None:
        (_, source), cells = ref.source, ref.cells

        def end() -> None:
            self.set_state(cells, "%stage", 2)

        def begin(item: Any) -> None:
            self.set_state(cells, "%last", item)
            self.set_state(cells, "%stage", 1)

        def pair(item: Any) -> None:
            last = cells["%last"]
            self.set_state(cells, "%last", item)
            found((last, item))

        def ended() -> None:
            end()
            over()

        is_new = ops.compare("==", cells["%stage"], 0)
        self.if_else(is_new, lambda: self.ask(source, begin, end, node), nothing)
        is_open = ops.compare("==", cells["%stage"], 1)
        self.if_else(is_open, lambda: self.ask(source, pair, ended, node), over)
