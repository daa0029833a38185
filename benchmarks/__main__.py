"""`python -m benchmarks [AREA…] [--rounds N] [--full]`: measure, and print one table.

`python -m benchmarks native` has options of its own: see ``native/command.py``.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections.abc import Callable, Iterator
from functools import partial

# One core, for the peers too; read when NumPy and JAX load.
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

import numpy as np  # noqa: E402

from benchmarks.calls import call_overhead, scalar_loops  # noqa: E402
from benchmarks.checking import check_speed  # noqa: E402
from benchmarks.checkpoints import checkpoints  # noqa: E402
from benchmarks.compilation import compile_growth, compile_time  # noqa: E402
from benchmarks.gallery import gallery  # noqa: E402
from benchmarks.gradients import gradients  # noqa: E402
from benchmarks.memory import memory  # noqa: E402
from benchmarks.native import command as native  # noqa: E402
from benchmarks.timing import Measurement  # noqa: E402
from benchmarks.training import training  # noqa: E402

AREAS: dict[str, Callable[[int], Iterator[Measurement]]] = {
    "calls": call_overhead,
    "compile": compile_time,
    "growth": compile_growth,
    "loops": scalar_loops,
    "check": check_speed,
    "gallery": gallery,
    "gradients": gradients,
    "checkpoint": checkpoints,
    "training": training,
    "memory": memory,
}
COLUMNS = "{:<46} {:>10} {:<8} {:>12} {:<11} {:>7}  {}"


def print_row(row: Measurement) -> None:
    """One measurement as a line of the table."""
    value, peer = f"{row.value:.3g}", f"{row.peer_value:.3g}"
    ratio = f"{row.ratio:.2f}"
    print(COLUMNS.format(row.name, value, row.unit, peer, row.peer, ratio, row.target), flush=True)


def main() -> None:
    """Run the areas that were asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("areas", nargs="*", metavar="AREA", help=f"of {', '.join(AREAS)}")
    parser.add_argument("--rounds", type=int, default=15, help="rounds of each (default: 15)")
    parser.add_argument("--full", action="store_true", help="check the whole standard library")
    options = parser.parse_args()
    unknown = set(options.areas) - set(AREAS)
    if unknown:
        parser.error(f"no such area: {', '.join(sorted(unknown))}")
    areas = dict(AREAS)
    if options.full:
        areas["check"] = partial(check_speed, every=1)
    print(f"CPython {platform.python_version()}, NumPy {np.__version__}, {options.rounds} rounds\n")
    print(COLUMNS.format("what", "staticpy", "", "peer", "", "ratio", "target"))
    for name in options.areas or areas:
        for row in areas[name](options.rounds):
            print_row(row)


if __name__ == "__main__":
    if sys.argv[1:2] == ["native"]:
        native.main(sys.argv[2:])
    else:
        main()
