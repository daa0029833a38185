"""The time of a fresh compilation: the first call of a function less a warm one."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator
from typing import Any

import staticpy
from benchmarks.programs import CALLS, mandelbrot
from benchmarks.timing import Measurement, medians, no_garbage_collection, seconds
from examples.perceptron import logits, make_images, make_parameters


def _compilation(function: Callable[..., Any], args: tuple[Any, ...], rounds: int) -> float:
    """Seconds that the first call takes above a warm one, as median of fresh compilations."""
    taken = []
    staticpy.jit(function)(*args)  # imports, and the caches of the source
    with no_garbage_collection():
        for _ in range(rounds):
            jitted = staticpy.jit(function)
            first = seconds(lambda jitted=jitted: jitted(*args), 1)
            taken.append(first - seconds(lambda jitted=jitted: jitted(*args), 1))
    return statistics.median(taken)


def compile_time(rounds: int) -> Iterator[Measurement]:
    """The perceptron, a two-line function, and nested loops."""
    line, line_args = CALLS["w * x + b, 8 elements"]
    programs = {
        "perceptron, batch of 64": (logits.__wrapped__, (make_parameters(0), make_images(64, 1))),
        "w * x + b": (line, line_args),
        "Mandelbrot set": (mandelbrot, (2, 2, 5)),
    }
    for name, (function, args) in programs.items():
        time = _compilation(function, args, rounds)
        eager = medians({"eager": lambda: function(*args)}, 5)["eager"]  # noqa: B023
        target = "≤ 50 ms" if name.startswith("perceptron") else ""
        yield Measurement(f"compile: {name}", time * 1e3, "ms", "eager call", eager * 1e3, target)
