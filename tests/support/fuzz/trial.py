"""Trying one random program: CPython against the graph.

In: a Program. Out: a Verdict: the same, refused with diagnostic codes, another result, or a crash
(an exception of the compiler's own, a program that doesn't end). A program runs as a graph, and
every few seeds also as the graph that the printed text gives, with a pass switched off.
"""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from types import FrameType
from typing import Any

import numpy as np

from staticpy.diagnostics import CompileError
from tests.support.observing import Outcome, compare_outcomes, observe
from tests.support.programs import Program, load
from tests.support.routes import PIPELINES, routes_of
from tests.support.world import World

SAME, REFUSED, DIFFERENT, CRASHED = "same", "refused", "different", "crashed"
SECONDS = 20.0
EVERY = 3
"""One program in so many is also tried through the printed text, with a pass switched off."""
_INTERNAL = "SPY9"


@dataclass(frozen=True)
class Verdict:
    """What became of one program."""

    kind: str
    """One of the four words above."""

    codes: tuple[str, ...] = ()
    """The codes of the diagnostics, where it was refused."""

    detail: str = ""
    """What differs, or the report."""

    @property
    def is_failure(self) -> bool:
        return self.kind in (DIFFERENT, CRASHED)

    @property
    def signature(self) -> tuple[str, ...]:
        """What stays the same while a failing program is made smaller."""
        return (self.kind, *self.codes)


class TimeoutReached(BaseException):
    """A program took too long; not an ``Exception``, so that no program catches it."""


@contextlib.contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TimeoutReached in the body after some seconds. In the main thread only."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TimeoutReached

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def route_names(seed: int, every: int = EVERY) -> tuple[str, ...]:
    """The routes that the program of a seed is tried in; one in ``every`` takes a second one."""
    others = tuple(PIPELINES)
    return ("graph", others[seed // every % len(others)]) if seed % every == 0 else ("graph",)


def attempt(program: Program, seconds: float = SECONDS, every: int = EVERY) -> Verdict:
    """Try a program on all of its calls, in each of its routes."""
    try:
        with time_limit(seconds), np.errstate(all="ignore"):
            return _attempt(program, every)
    except TimeoutReached:
        return Verdict(CRASHED, ("timeout",), f"it ran longer than {seconds} seconds")


def _attempt(program: Program, every: int) -> Verdict:
    function, calls = load(program)
    routes = routes_of(function, route_names(program.seed, every))
    world = World(function)
    for number, call in enumerate(calls):
        expected = observe(function, call, world)
        for name, route in routes.items():
            verdict = _verdict(expected, route, call, world)
            if verdict.kind != SAME:
                place = f"{name}, call {number} ({program.calls[number]}): "
                return Verdict(verdict.kind, verdict.codes, place + verdict.detail)
    return Verdict(SAME)


def _verdict(expected: Outcome, route: Any, call: Any, world: World) -> Verdict:
    actual = observe(route, call, world)
    if actual.refusal is not None:
        return refusal(actual.refusal)
    found = list(compare_outcomes(expected, actual))
    return Verdict(DIFFERENT, (), "\n".join(found)) if found else Verdict(SAME)


def refusal(error: CompileError) -> Verdict:
    """The verdict for a CompileError; one without a code, or with an internal one, is a crash."""
    codes = tuple(sorted(set(error.codes)))
    internal = not codes or any(code.startswith(_INTERNAL) for code in codes)
    return Verdict(CRASHED if internal else REFUSED, codes, str(error))
