"""Iterators that are asked for one item after the other: ``next``, and ``zip`` of generators.

``for_each`` (``iteration``) hands over items as they are made. Here the one who takes them says
when: ``ask`` lowers one step, and then what is done with the item, or where there is none, which
may be known while compiling or not. An iterator is an IteratorRef, whose state are variables like
any other, so it goes through loops and branches.

A generator runs where it is consumed (``lazy_iteration``) as long as that is done in one go. Where
the program turns out to stop in the middle and to go on later, it is lowered once more, with this
generator made as an iterator from the start (``NeedsSteps``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from staticpy import ops
from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.frontend.classes import is_object
from staticpy.frontend.constant_loops import LONGEST_UNROLLED, Live, Take
from staticpy.frontend.kinds import kind_of
from staticpy.frontend.lower_base import NeedsInPlace, NeedsSteps
from staticpy.frontend.paths import FLAGS, nothing
from staticpy.frontend.positions import Positions
from staticpy.frontend.state import Cells
from staticpy.frontend.values import (
    PENDING,
    Conflict,
    DictRef,
    DictView,
    Generator,
    IteratorRef,
    PathEnds,
    Pending,
    Poisoned,
    ReversedIterable,
)
from staticpy.ir import Value

Found = Callable[[Any], None]
"""Lowers what is done with an item."""
Over = Callable[[], None]
"""Lowers what is done where there is none."""


class Iterators(Positions):
    """Makes iterators, and asks them for items."""

    def new_iterator(self, kind: str, source: Any, **state: Any) -> IteratorRef:
        """An iterator of a kind, with the state that it begins with."""
        made = IteratorRef(self.builder.span, name="iterator", kind=kind, source=source)
        made.cells = new_state(self.journal)
        for name, value in state.items():
            made.cells[f"%{name}"] = value
        made.cells["%made"] = True
        return made

    def iterator(self, iterable: Any, node: Any) -> Any:
        """``iter(iterable)``: an IteratorRef, or an object of the user's."""
        if isinstance(iterable, IteratorRef):
            return iterable
        if isinstance(iterable, Generator):
            return self._steps_of(iterable, node)
        if is_object(iterable):
            return self._iterator_of_object(iterable, node)
        made = self.lazy_iterator(iterable, node)
        if made is not None:
            return made
        if self._view_in_memory(iterable) is not None:
            return self._iterator_in_memory(iterable)
        sequence, at = self.sequence_of(iterable, node)
        return self.new_iterator("sequence", None, sequence=sequence, at=at)

    def set_state(self, cells: Cells, name: str, value: Any) -> None:
        """Write the state of an iterator, which somebody may read after an exception."""
        cells[name] = value
        self.state_written(cells, name)

    def state_written(self, cells: Cells, name: str) -> None:
        raise AssertionError("defined by Watching")

    def block(self, statements: list[Any], live: frozenset[str]) -> None:
        raise AssertionError("defined by Statements")

    def lazy_iterator(self, iterable: Any, node: Any) -> IteratorRef | None:
        raise AssertionError("defined by LazyIterators")

    def _steps_of(self, made: Generator, node: Any) -> IteratorRef:
        """What a generator makes, to be asked for. Nobody else can ask it from now on."""
        if self.heap.get(made) is not False or made.steps is None:
            self.resumed(made, node)
        self.heap[made] = "left"
        assert made.steps is not None
        return made.steps()

    def resumed(self, made: Generator, node: Any) -> None:
        """Give up on a generator that is not consumed in one go."""
        if made.steps is not None and made.span is not None:
            raise NeedsSteps(made.span)
        self.error(catalog.YIELD_IN_TRY, node, name=made.name)

    def _iterator_of_object(self, ref: Any, node: Any) -> Any:
        found = self.call_special(ref, "__iter__", [], node)
        if found is not NotImplemented:
            return found if is_object(found) else self.iterator(found, node)
        if self.special(ref, "__getitem__") is None:
            self.fails("TypeError", f"'{kind_of(ref)}' object is not iterable", node)
        return self.new_iterator("index", ref, at=0)

    def _view_in_memory(self, iterable: Any) -> DictView | None:
        """The view of a dict in memory that an iterable is, or goes through backwards."""
        source = iterable.iterable if isinstance(iterable, ReversedIterable) else iterable
        view = DictView(source, "keys") if isinstance(source, DictRef) else source
        is_in_memory = isinstance(view, DictView) and isinstance(self.content(view.ref), Value)
        return view if is_in_memory else None

    def _iterator_in_memory(self, iterable: Any) -> IteratorRef:
        """Python's own iterator of a dict: it knows when the dict has changed meanwhile."""
        view = self._view_in_memory(iterable)
        assert view is not None
        made = self.emit(
            "dict.iterator",
            [self.list_value(view.ref)],
            kind=view.kind,
            is_reversed=isinstance(iterable, ReversedIterable),
        )
        return self.new_iterator("view", None, view=view, iterator=made)

    # --- asking -----------------------------------------------------------------------------------

    def ask(self, iterator: Any, found: Found, over: Over, node: Any) -> None:
        """Lower ``next(iterator)``, and what follows."""
        if is_object(iterator):
            ask_next = lambda: self.ask_next(iterator, node)  # noqa: E731
            self.guarded_ask(ask_next, (StopIteration,), found, over, node)
            return
        if self._is_outer(iterator):
            raise NeedsInPlace
        if "%made" not in iterator.cells:  # it was made on a path, or in a loop, that has ended
            self.error(catalog.ITERATOR_UNDECIDED, node, name="this value")
        for value in iterator.cells.values():
            if isinstance(value, Conflict):
                self.refuse_conflict(value, node)
            if value is PENDING:
                raise Pending
        getattr(self, f"ask_{iterator.kind}")(iterator, found, over, node)

    def guarded_ask(
        self,
        ask: Callable[[], Any],
        ends: tuple[type, ...],
        found: Found,
        over: Over,
        node: Any,
    ) -> None:
        """Ask by a call that raises one of ``ends`` where there is nothing."""
        with self.hidden("item", "found") as (item, is_found):
            env = self.env

            def body() -> None:
                env[item], env[is_found] = ask(), True

            def handle(_: Value) -> None:
                env[is_found] = False

            env[is_found] = False
            self.guarded(body, handle, ends, frozenset())
            self.if_else(env[is_found], lambda: found(self.read_local(item, node)), over)

    def ask_sequence(self, iterator: IteratorRef, found: Found, over: Over, node: Any) -> None:
        """``iter(sequence)``."""
        self.ask_place(iterator.cells, "%sequence", "%at", found, over, node)

    def ask_view(self, iterator: IteratorRef, found: Found, over: Over, node: Any) -> None:
        """``iter(d)`` of a dict in memory, or of a view of it."""

        def ask() -> Any:
            view = iterator.cells["%view"]
            operands = [iterator.cells["%iterator"], self.list_value(view.ref)]
            return self.open(self.emit("dict.next", operands, kind=view.kind))

        self.guarded_ask(ask, (StopIteration,), found, over, node)

    def ask_place(
        self, cells: Cells, name: str, place: str, found: Found, over: Over, node: Any
    ) -> None:
        """The next item of the sequence in one variable, at the place in another one."""
        sequence, at = cells[name], cells[place]

        def take() -> None:
            item, following = self.next_of(sequence, at, node)
            self.set_state(cells, place, following)
            found(item)

        def end() -> None:
            self.set_state(cells, place, self.end_of(sequence, at))
            over()

        self.if_else(self.has_next(sequence, at, node), take, end)

    # --- all that is left -------------------------------------------------------------------------

    def _each_of_iterator(self, iterator: Any, take: Take, node: Any, live: Live) -> None:
        ask = lambda found, over: self.ask(iterator, found, over, node)  # noqa: E731
        self.each_asked(ask, take, node, live)

    def each_asked(
        self, ask: Callable[[Found, Over], None], take: Take, node: Any, live: Live = None
    ) -> None:
        """Hand over what is left: one by one as long as it is known while compiling whether there
        is another item, and then in a loop.
        """

        def step() -> Any:
            return self._asked(ask, take)

        self.rounds(step, node, live, lambda: self._asked(ask, lambda _: False))

    def _asked(self, ask: Callable[[Found, Over], None], take: Take) -> Any:
        """Whether the item that is asked for is the last, by ``take`` or as there is none."""
        with self.hidden("left") as (left,):
            self.env[left] = True
            ask(lambda item: self.take_into(left, take, item), nothing)
            return self.env[left]

    def rounds(
        self,
        step: Callable[[], Any],
        node: Any,
        live: Live = None,
        probe: Callable[[], Any] | None = None,
    ) -> None:
        """``step`` again and again, until it says that it was the last. As long as ``probe`` says
        while compiling whether it is, the steps stand one after the other; then there is a loop.
        """
        outer = self.unrolled

        def go_on(number: int) -> None:
            for position in range(number, LONGEST_UNROLLED):
                if not self.is_decided(probe or step):
                    break
                self.unrolled = (*outer, position)
                left = step()
                if left is True:
                    return
                if left is not False:
                    rest = lambda at=position + 1: go_on(at)  # noqa: E731
                    self.branch(left, nothing, rest, live)
                    return
            self.test_loop(lambda: True, step, node, live)

        try:
            go_on(0)
        finally:
            self.unrolled = outer

    def is_decided(self, step: Callable[[], Any]) -> bool:
        """Whether what a step says is known while compiling. Nothing is lowered."""
        diagnostics, notes = self.compilation.diagnostics, self.compilation.notes
        marks = (diagnostics.mark(), notes.mark())
        with self.journal.scope(), self.builder.region():
            try:
                answer = step()
            except (DiagnosticError, Poisoned, Pending, PathEnds):
                answer = None
        diagnostics.rollback(marks[0])
        notes.rollback(marks[1])
        return isinstance(answer, bool)

    # --- the user's own ---------------------------------------------------------------------------

    def ask_index(self, iterator: IteratorRef, found: Found, over: Over, node: Any) -> None:
        """The items 0, 1, 2, … of an object, until there is none."""
        cells = iterator.cells
        ask = lambda: self.call_special(iterator.source, "__getitem__", [cells["%at"]], node)  # noqa: E731

        def go_on(item: Any) -> None:
            self.set_state(cells, "%at", self.binary("+", cells["%at"], 1, node))
            found(item)

        self.guarded_ask(ask, (IndexError, StopIteration), go_on, over, node)

    def ask_generator(self, iterator: IteratorRef, found: Found, over: Over, node: Any) -> None:
        """A generator: it runs up to its next ``yield``."""
        frame, blocks = iterator.source
        env, cells, start = frame.env, iterator.cells, iterator.cells["%state"]
        with self.in_frame(frame), self.inside_generator(frame.prepared.node, 3):
            self.set_state(cells, "%state", -1)
            env["%next"] = -1
            for flag in FLAGS:
                env[flag] = False

            def run(number: int) -> None:
                if number < len(blocks):
                    is_here = ops.compare("==", start, number)
                    block = lambda: self.block(blocks[number], frame.prepared.captured)  # noqa: E731
                    self.if_else(is_here, block, lambda: run(number + 1))

            run(0)
            if self.is_dead():
                raise PathEnds
            self.set_state(cells, "%state", env["%next"])
            has_item = ops.compare(">=", cells["%state"], 0)

        def hand_over() -> None:
            with self.in_frame(frame):
                item = self.read_local("%item", node)
                env.drop("%item")
            found(item)

        self.if_else(has_item, hand_over, over)


def new_state(journal: Any) -> Cells:
    """The variables of an iterator."""
    cells = Cells(journal, "variables")
    cells.is_state = True
    return cells
