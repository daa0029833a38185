"""Lowering of generators that run step by step (``stepping``)."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from staticpy.frontend.iteration import nothing
from staticpy.frontend.iterators import Found, Over
from staticpy.frontend.lower_base import Frame, Prepared
from staticpy.frontend.lower_stmt import Statements
from staticpy.frontend.state import ABSENT
from staticpy.frontend.stepping import AllLive, CannotStep, steps_of
from staticpy.frontend.values import LAZY, IteratorRef, ObjectRef, RangeIterable


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
            frame.env["%state"] = 0
            self.compilation.finals[frame.env] = 1  # what it leaves is read by its next step
            if first is not ABSENT:
                loop = blocks[0][0]
                with self.in_frame(frame):
                    self.begin_loop(loop.slot, first, loop.iter)
            return self.new_iterator("generator", (frame, blocks))

        return make

    def stmt_Suspend(self, node: Any) -> None:
        """``yield``: the block ends, and says where to go on."""
        if node.value is not None:
            self.env["%item"] = self.expression(node.value)
        self.env["%state"] = node.number
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
        """Keep an iterator for a loop that the generator stops in: a sequence by how far it is."""
        if isinstance(iterable, (*LAZY, ObjectRef)) and not isinstance(iterable, RangeIterable):
            self.env[slot] = self._begun_again(slot, self.iterator(iterable, node))
        else:
            self.env[slot] = self.rest_of(iterable, node)

    def _begun_again(self, slot: str, made: Any) -> Any:
        """The generator that a loop goes through: one and the same in all steps, so that they find
        its state; it begins anew where the loop does.
        """
        if not isinstance(made, IteratorRef) or made.kind != "generator":
            return made
        known, frame = self.frame.loops.get(slot), made.source[0]
        if known is None or not _are_alike(known.source[0], frame):
            made.serial = self.frame.env.serial
            for cells in (made.cells, frame.env, frame.spans):
                cells.serial = self.frame.env.serial
            self.frame.loops[slot] = made
            return made
        env = known.source[0].env
        for name in [name for name in env if name not in frame.env]:
            env.drop(name)
        for name, value in frame.env.items():
            env[name] = value
        known.cells["%made"] = True
        return known

    def ask_loop(self, slot: str, found: Found, over: Over, node: Any) -> None:
        """The next item of what a loop goes through."""
        kept = self.read_local(slot, node)
        if isinstance(kept, tuple):
            self.ask_cell(self.env, slot, found, over, node)
        else:
            self.ask(kept, found, over, node)


def _for_steps(prepared: Prepared) -> Prepared:
    """A generator as a function all of whose variables are read in another step."""
    names = prepared.assigned
    return dataclasses.replace(prepared, liveness=AllLive(names), captured=names)


def _are_alike(known: Frame, frame: Frame) -> bool:
    """Whether two frames are of one generator, at one place."""
    is_same = known.prepared.node is frame.prepared.node and known.parent is frame.parent
    return is_same and known.chain == frame.chain
