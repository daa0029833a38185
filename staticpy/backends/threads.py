"""How many threads native loops run on.

In: ``STATICPY_NUM_THREADS``, or a call of ``set_num_threads``. Out: the number, for whoever keeps
threads, who is also told when it changes.
"""

from __future__ import annotations

import operator
import os
from collections.abc import Callable
from functools import cache

MOST = 64
"""More threads than these are never kept."""


@cache
def processors() -> int:
    """How many processors this process may use, as it was when it was asked first."""
    affinity = getattr(os, "sched_getaffinity", None)
    return min(len(affinity(0)) if affinity else os.cpu_count() or 1, MOST)


def _initial() -> int:
    """What the environment says, or else the number of processors."""
    said = os.environ.get("STATICPY_NUM_THREADS", "").strip()
    if said and not (said.isdecimal() and int(said) > 0):
        raise ValueError(f"STATICPY_NUM_THREADS: a number of threads from 1 on, not {said!r}")
    if said:
        return min(int(said), MOST)
    return processors()


class _Setting:
    """The number, and who wants to know of another."""

    def __init__(self) -> None:
        self.number = _initial()
        self.listeners: list[Callable[[int], None]] = []


_SETTING = _Setting()


def get_num_threads() -> int:
    """The number of threads on which native loops over large arrays run."""
    return _SETTING.number


def set_num_threads(number: int) -> None:
    """Let native loops over large arrays run on ``number`` threads; with 1 no thread is kept.

    Results don't depend on it. The environment variable ``STATICPY_NUM_THREADS`` sets it from the
    start; without it, it is the number of processors that this process may use. Large products of
    matrices run on these threads, too, and not on threads of the BLAS.

    Args:
        number: from 1 to 64.

    Raises:
        ValueError: ``number`` is another one.
        TypeError: it is no int.
    """
    number = operator.index(number)
    if not 1 <= number <= MOST:
        raise ValueError(f"number: from 1 to {MOST} threads, not {number}")
    _SETTING.number = number
    for tell in _SETTING.listeners:
        tell(number)


def on_change(tell: Callable[[int], None]) -> None:
    """Let ``tell`` be called with each new number."""
    _SETTING.listeners.append(tell)
