"""How time is measured, and what a measurement is.

Competitors are timed in turns, many short rounds of each, and the median of the rounds counts: what
disturbs the machine for a while disturbs all of them.
"""

from __future__ import annotations

import gc
import statistics
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter

Thunk = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Measurement:
    """One row of the table.

    Attributes:
        name: what was measured.
        value: the number for staticpy, in ``unit``.
        peer: whom it is compared with, and ``peer_value`` their number.
        target: what the project demands, in words; empty if nothing.
    """

    name: str
    value: float
    unit: str
    peer: str
    peer_value: float
    target: str = ""

    @property
    def ratio(self) -> float:
        """The number of staticpy over that of the peer."""
        return self.value / self.peer_value


@contextmanager
def no_garbage_collection() -> Iterator[None]:
    """Keep the collector from running inside of a round."""
    was_enabled = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def seconds(thunk: Thunk, number: int) -> float:
    """The mean time of one of ``number`` calls in a row."""
    repeat = range(number)
    start = perf_counter()
    for _ in repeat:
        thunk()
    return (perf_counter() - start) / number


def calls_for(thunk: Thunk, duration: float) -> int:
    """How many calls take about ``duration`` seconds."""
    number = 1
    while (elapsed := seconds(thunk, number) * number) < duration / 10:
        number *= 4
    return max(1, round(number * duration / max(elapsed, 1e-9)))


def medians(thunks: Mapping[str, Thunk], rounds: int, duration: float = 0.01) -> dict[str, float]:
    """The median time in seconds of one call of each, timed in turns."""
    for thunk in thunks.values():
        thunk()
    numbers = {name: calls_for(thunk, duration) for name, thunk in thunks.items()}
    times: dict[str, list[float]] = {name: [] for name in thunks}
    with no_garbage_collection():
        for _ in range(rounds):
            for name, thunk in thunks.items():
                times[name].append(seconds(thunk, numbers[name]))
    return {name: statistics.median(taken) for name, taken in times.items()}
