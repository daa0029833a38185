"""Rarer garbage collection, for as long as something is compiled.

Graphs are full of reference cycles that live as long as the compilation: with the usual thresholds
the collector goes through them again and again, and finds nothing. Collecting more rarely takes a
third off the time of a large compilation, and still bounds the memory that failed attempts hold.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_RARE = (50_000, 20, 100)


class _Thresholds:
    """The thresholds of the process: raised while somebody needs that, then what they were."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._needed = 0
        self._saved = _RARE

    def need(self) -> None:
        with self._lock:
            if not self._needed:
                self._saved = gc.get_threshold()
                if 0 < self._saved[0] < _RARE[0]:  # 0: it is turned off
                    gc.set_threshold(*_RARE)
            self._needed += 1

    def release(self) -> None:
        with self._lock:
            self._needed -= 1
            is_ours = gc.get_threshold() == _RARE  # nobody has changed them meanwhile
            if not self._needed and is_ours:
                gc.set_threshold(*self._saved)


_THRESHOLDS = _Thresholds()


@contextmanager
def rare_collection() -> Iterator[None]:
    """Collect garbage more rarely, in any number of threads."""
    _THRESHOLDS.need()
    try:
        yield
    finally:
        _THRESHOLDS.release()
