"""Lowering of generators that run step by step (``stepping``)."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable
from typing import Any

from staticpy.frontend.classes import is_object
from staticpy.frontend.iterators import Found, Over, new_state
from staticpy.frontend.lower_base import Frame, Prepared
from staticpy.frontend.lower_stmt import Statements
from staticpy.frontend.paths import nothing
from staticpy.frontend.state import ABSENT, Cells
from staticpy.frontend.stepping import AllLive, CannotStep, steps_of
from staticpy.frontend.values import (
    LAZY,
    PENDING,
    Conflict,
    IteratorRef,
    Pending,
    RangeIterable,
)


class SteppingStatements(Statements):
    """Lowers the statements that generators are taken apart into."""

    def generator_steps(
        self, body: list[Any], make_frame: Callable[[], Frame], first: Any = ABSENT
    ) -> Callable[[], IteratorRef] | None:
        """How to make a generator that runs step by step; None where that can't be.

        ``first`` is what the outermost loop goes through, if that is known already.
        """
        try:
            blocks = steps_of(body, has_first=first is not ABSENT)
        except CannotStep:
            return None

        def make() -> IteratorRef:
            frame = make_frame()
            frame.prepared = _for_steps(frame.prepared)
            frame.state = new_state(self.journal)
            self.compilation.finals[frame.env] = 1  # what it leaves is read by its next step
            if first is not ABSENT:
                loop = blocks[0][0]
                with self.in_frame(frame):
                    self.begin_loop(loop.slot, first, loop.iter)
            made = self.new_iterator("generator", (frame, blocks), state=0)
            made.class_ = types.GeneratorType
            return made

        return make

    def stmt_Suspend(self, node: Any) -> None:
        """``yield``: the block ends, and says where to go on."""
        if node.value is not None:
            self.env["%item"] = self.expression(node.value)
        self.env["%next"] = node.number
        self.env["%return"] = True

    def stmt_Resumable(self, node: Any) -> None:
        """``for``, over an iterator that the next step finds again."""
        if node.begins:
            self.begin_loop(node.slot, self.expression(node.iter), node.iter)
        live = self.frame.prepared.liveness.at_head(node)
        with self.hidden("broke") as (broke,):
            self.env[broke] = False

            def begin(item: Any) -> None:
                if node.target is None:
                    self.env["%item"] = item
                else:
                    self.assign(node.target, item)

            def take(item: Any) -> Any:
                return self._round(node, broke, live, lambda: begin(item))

            def ask(found: Found, over: Over) -> None:
                self.ask_loop(node.slot, found, over, node.iter)

            self.each_asked(ask, take, node, live)
            self._after_loop(node, broke)

    def stmt_Once(self, node: Any) -> None:
        """The rest of a round, and then the loop."""
        live = self.frame.prepared.liveness.at_head(node)
        with self.hidden("broke") as (broke,):
            self.env[broke] = False
            self._round(node, broke, live, nothing)
            self._after_loop(node, broke)

    def begin_loop(self, slot: str, iterable: Any, node: Any) -> None:
        """Keep what a loop goes through that the generator stops in: a sequence by its place."""
        state, place = self.frame.state, f"{slot}.at"
        is_pushed = isinstance(iterable, LAZY) and not isinstance(iterable, RangeIterable)
        if is_pushed or is_object(iterable):
            found: Any = self._begun_again(slot, self.iterator(iterable, node))
        else:
            found, at = self.sequence_of(iterable, node)
            self.set_state(state, place, at)
        self.set_state(state, slot, found)

    def _begun_again(self, slot: str, made: Any) -> Any:
        """The generator that a loop goes through: one and the same in all steps, so that they find
        its state; it begins anew where the loop does.
        """
        if not isinstance(made, IteratorRef) or made.kind != "generator":
            return made
        known, frame, outer = self.frame.loops.get(slot), made.source[0], self.frame.env
        if known is None or not _are_alike(known.source[0], frame):
            made.serial = outer.serial
            for cells in (made.cells, frame.state, frame.env, frame.spans):
                cells.serial = outer.serial
            self.frame.loops[slot] = made
            return made
        self._copy(frame.env, known.source[0].env)
        self._copy(frame.state, known.source[0].state)
        self._copy(made.cells, known.cells)
        return known

    def _copy(self, source: Cells, target: Cells) -> None:
        """Give variables the values that others have."""
        for name in [name for name in target if name not in source]:
            target.drop(name)
        for name, value in source.items():
            self.set_state(target, name, value)

    def ask_loop(self, slot: str, found: Found, over: Over, node: Any) -> None:
        """The next item of what a loop goes through."""
        state = self.frame.state
        kept = state.get(slot, ABSENT)
        if kept is ABSENT:  # no path has begun the loop: nor can it have stopped there
            self.refuse_unbound(slot, node, is_free=False)
        if isinstance(kept, Conflict):
            self.refuse_conflict(kept, node)
        if kept is PENDING:
            raise Pending
        if isinstance(kept, tuple):
            self.ask_place(state, slot, f"{slot}.at", found, over, node)
        else:
            self.ask(kept, found, over, node)


def _are_alike(known: Frame, frame: Frame) -> bool:
    """Whether two frames are of one generator, at one place."""
    is_same = known.prepared.node is frame.prepared.node and known.parent is frame.parent
    return is_same and known.chain == frame.chain


def _for_steps(prepared: Prepared) -> Prepared:
    """A generator as a function all of whose variables are read in another step."""
    names = prepared.assigned
    return dataclasses.replace(prepared, liveness=AllLive(names), captured=names)
