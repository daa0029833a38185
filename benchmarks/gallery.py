"""The programs of ``examples/gallery``: as graphs and as CPython runs them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import partial
from typing import Any

import staticpy
from benchmarks.timing import Measurement, medians
from examples.gallery import NAMES, load

SIZE = 12


def _on_copies(function: Callable[..., Any], args: tuple[Any, ...]) -> object:
    """Call a function that may write to its arguments; copying them is part of the time."""
    return function(*deepcopy(args))


def gallery(rounds: int) -> Iterator[Measurement]:
    """Each program, compiled before it is timed."""
    for name in NAMES:
        program, args = load(name).program, load(name).arguments(SIZE)
        competitors = {"staticpy": staticpy.jit(program), "Python": program}
        thunks = {peer: partial(_on_copies, each, args) for peer, each in competitors.items()}
        times = medians(thunks, rounds)
        own, python = times["staticpy"] * 1e3, times["Python"] * 1e3
        yield Measurement(f"gallery: {name}", own, "ms", "Python", python)
