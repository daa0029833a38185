"""Warm calls: what a compiled call costs above the NumPy calls in it, and scalar loops."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import staticpy
from benchmarks.peers import compiled_by_peers
from benchmarks.programs import CALLS, LOOPS
from benchmarks.timing import Measurement, medians


def _times(function: Callable[..., Any], args: tuple[Any, ...], rounds: int) -> dict[str, float]:
    jitted = staticpy.jit(function)
    thunks = {"staticpy": lambda: jitted(*args), "Python": lambda: function(*args)}
    return medians(thunks | compiled_by_peers(function, args), rounds)


def call_overhead(rounds: int) -> Iterator[Measurement]:
    """Small graphs: the time of a warm call, and how much of it is not NumPy's."""
    for name, (function, args) in CALLS.items():
        times = _times(function, args, rounds)
        own = times.pop("staticpy") * 1e6
        overhead = own - times["Python"] * 1e6
        for peer, time in times.items():
            yield Measurement(f"call: {name}", own, "µs", peer, time * 1e6)
        yield Measurement(
            f"call: {name}, above NumPy", overhead, "µs", "Python", times["Python"] * 1e6, "≤ 3 µs"
        )


def scalar_loops(rounds: int) -> Iterator[Measurement]:
    """Loops over numbers."""
    for name, (function, args) in LOOPS.items():
        times = _times(function, args, rounds)
        own = times.pop("staticpy") * 1e3
        for peer, time in times.items():
            yield Measurement(f"loop: {name}", own, "ms", peer, time * 1e3)
