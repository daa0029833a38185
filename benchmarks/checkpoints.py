"""What gradients of loops save, with and without ``checkpoint``: the peak of memory, and time."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

import staticpy
from benchmarks.timing import Measurement, medians

ROUNDS = (100, 1_000, 10_000)
"""A hundred times as many rounds should take ten times the memory."""


def driven(x: np.ndarray, n: int) -> float:
    """A nonlinear map of 100 numbers, so that what is saved are arrays."""
    y = x
    for i in range(n):
        y = np.tanh(1.5 * y + 0.01 * x) * (1.0 - 1e-5 * i)
    return y.sum()


def peak(thunk: Callable[[], object]) -> float:
    """The largest number of kilobytes that a call has held at a time."""
    tracemalloc.start()
    thunk()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e3


def checkpoints(rounds: int) -> Iterator[Measurement]:
    """Memory, then time, of the same gradient with a checkpoint and without."""
    x = np.linspace(-1.0, 1.0, 100)
    whole: Any = staticpy.grad(staticpy.jit(driven))
    again: Any = staticpy.grad(staticpy.checkpoint(staticpy.jit(driven)))
    thunks = {n: (partial(again, x, n), partial(whole, x, n)) for n in ROUNDS}
    for n, (checkpointed, saving) in thunks.items():
        checkpointed(), saving()
        name = f"checkpoint: peak of {n} rounds"
        target = "order of sqrt(n)"
        yield Measurement(name, peak(checkpointed), "kB", "saving all", peak(saving), target)
    for n, (checkpointed, saving) in thunks.items():
        times = medians({"again": checkpointed, "whole": saving}, rounds)
        name = f"checkpoint: time of {n} rounds"
        times = {key: time * 1e3 for key, time in times.items()}
        yield Measurement(name, times["again"], "ms", "saving all", times["whole"], "≤ 2 x")
