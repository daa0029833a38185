"""`python -m benchmarks.plot_derivatives FILE.svg`: what derivatives of loops cost, over rounds.

On the left the peak of memory of a gradient, with ``checkpoint`` and without; on the right the time
of a gradient, and of its forward pass.
"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import staticpy
from benchmarks.charts import Chart, Line, svg
from benchmarks.checkpoints import driven, peak
from benchmarks.loops_of_numbers import logistic_map
from benchmarks.timing import medians

ROUNDS = (100, 316, 1_000, 3_162, 10_000, 31_623, 100_000)
"""Evenly spaced on the axis."""


def memory() -> Chart:
    """The peak of memory, beside the square root of the number of rounds."""
    x = np.linspace(-1.0, 1.0, 100)
    whole: Any = staticpy.grad(staticpy.jit(driven))
    again: Any = staticpy.grad(staticpy.checkpoint(staticpy.jit(driven)))
    again(x, 1), whole(x, 1)
    divided = [(n, peak(partial(again, x, n))) for n in ROUNDS]
    first = divided[0][1] / ROUNDS[0] ** 0.5 / 2  # below the line, not on it
    lines = [
        Line("saving all", [(n, peak(partial(whole, x, n))) for n in ROUNDS]),
        Line("with checkpoint", divided),
        Line("slope of √n", [(n, first * n**0.5) for n in ROUNDS], is_measured=False),
    ]
    return Chart("peak of memory of a gradient", "rounds of the loop", "kB", lines)


def time(rounds: int) -> Chart:
    """Milliseconds of a loop over one number, and of its gradient."""
    forward: Any = staticpy.jit(logistic_map)
    programs = {"gradient": staticpy.grad(forward), "forward pass": forward}
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in programs}
    for n in ROUNDS:
        thunks = {name: partial(program, 0.3, n) for name, program in programs.items()}
        for name, seconds in medians(thunks, rounds).items():
            found[name].append((n, seconds * 1e3))
    bound = [(n, 4 * milliseconds) for n, milliseconds in found["forward pass"]]
    lines = [Line(name, points) for name, points in found.items()]
    lines.append(Line("4 x forward pass", bound, is_measured=False))
    return Chart("time of a gradient", "rounds of the loop", "ms", lines)


def main() -> None:
    """Measure, and write the picture."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.plot_derivatives")
    parser.add_argument("file", type=Path, help="the SVG to write")
    parser.add_argument("--rounds", type=int, default=15, help="rounds of timing (default: 15)")
    options = parser.parse_args()
    options.file.write_text(svg([memory(), time(options.rounds)]), encoding="utf-8")


if __name__ == "__main__":
    main()
