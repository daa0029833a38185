"""How long the kernels of compiled code take: what code writes down as it runs, if it is timed.

In: from the code, the number of a kernel and when it began, each time one ends. Out: Timings, one
piece of memory to which Python and machine code write in the same way, with the lock of the
interpreter held:

    number of events | kernel, thread, start, end of each event | calls, time of each kernel

Calls and times are complete; of events there are the first CAPACITY.
"""

from __future__ import annotations

import threading
import time
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from staticpy.source import SourceSpan

CAPACITY = 1 << 14
"""How many events of one function are kept."""

EVENT = 4
"""The numbers of an event."""

TOTALS = 1 + EVENT * CAPACITY
"""Where the calls and the time of the first kernel are."""

CLOCK = getattr(time, "CLOCK_MONOTONIC", None)
"""The clock of the system that is read, where it has several."""


def now() -> int:
    """The time in nanoseconds, by the clock that machine code reads."""
    return time.perf_counter_ns() if CLOCK is None else time.clock_gettime_ns(CLOCK)


@dataclass(frozen=True, slots=True)
class TimedKernel:
    """What is timed.

    Attributes:
        kind: ``kernel``, a loop, a product or a call; ``line`` of generated source; ``function``.
        name: what it is called.
        operations: the names of the ops that it does.
        spans: where they stand in the source.
    """

    kind: str
    name: str
    operations: tuple[str, ...]
    spans: tuple[SourceSpan, ...]


@dataclass(frozen=True, slots=True)
class Event:
    """That a kernel has run once; ``start`` and ``end`` in nanoseconds."""

    kernel: TimedKernel
    thread: int
    start: int
    end: int


class Timings:
    """What is known of the kernels of one compiled function, and of its calls.

    The function itself is the last kernel.
    """

    def __init__(self, kernels: Sequence[TimedKernel] = ()) -> None:
        self.kernels = list(kernels)
        self._memory = array("q", bytes(8 * (TOTALS + 2 * (len(kernels) + 1))))
        self._lock = threading.Lock()

    @property
    def address(self) -> int:
        """Where the memory is."""
        return self._memory.buffer_info()[0]

    def record(self, number: int, start: int) -> None:
        """A kernel that began at ``start`` has ended."""
        end, thread, memory = now(), threading.get_ident(), self._memory
        place = TOTALS + 2 * number
        with self._lock:  # other threads run the same function
            memory[place] += 1
            memory[place + 1] += end - start
            count = memory[0]
            if count < CAPACITY:
                place = 1 + EVENT * count
                memory[place : place + EVENT] = array("q", (number, thread, start, end))
                memory[0] = count + 1

    def total(self, number: int) -> tuple[int, int]:
        """How often a kernel has run, and for how many nanoseconds."""
        number %= len(self.kernels)
        place = TOTALS + 2 * number
        return self._memory[place], self._memory[place + 1]

    def events(self) -> Iterator[Event]:
        """What has run, in the order in which it ended."""
        for count in range(self._memory[0]):
            place = 1 + EVENT * count
            number, thread, start, end = self._memory[place : place + EVENT]
            yield Event(self.kernels[number], thread, start, end)
