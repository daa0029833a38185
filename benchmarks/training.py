"""Training MindSpore's tutorial network: a step of Adam in each framework that is installed.

Each runs in a process of its own, first with one thread and then with as many as there are cores,
and they take turns. Before they are timed, their losses of the first steps are compared.
"""

from __future__ import annotations

import itertools
import os
import statistics
import sys
from collections.abc import Iterator
from importlib.util import find_spec

import numpy as np

from benchmarks.timing import Measurement
from benchmarks.trainers import MAKERS, first_weights, make_batches
from benchmarks.workers import Worker, environment_of, serve

COMPARED = 10
"""So many losses are compared, of the first steps."""

BATCHES = 100
STEPS = 10
"""Steps in a row, of each competitor in turn."""


def training(rounds: int) -> Iterator[Measurement]:
    """A step of staticpy's graph, beside that of each peer."""
    for threads in dict.fromkeys((1, os.cpu_count() or 1)):
        times = step_times(threads, rounds)
        own = times.pop("staticpy") * 1e3
        for peer, time in times.items():
            target = "< 1 x" if peer == "MindSpore" else ""
            name = f"training: a step of Adam, {threads} thread{'s' * (threads > 1)}"
            yield Measurement(name, own, "ms", peer, time * 1e3, target)


def step_times(threads: int, rounds: int) -> dict[str, float]:
    """The median time in seconds of one step of each competitor."""
    environment = environment_of(threads)
    workers: list[Worker] = []
    try:
        for name, (package, _) in MAKERS.items():
            if find_spec(package):
                workers.append(Worker("benchmarks.training", [name], environment))
        for worker in workers:
            np.testing.assert_allclose(worker.ready, workers[0].ready, 1e-3, err_msg=worker.name)
        times: dict[str, list[float]] = {worker.name: [] for worker in workers}
        for _ in range(rounds):
            for worker in workers:
                times[worker.name].append(worker.seconds(STEPS))
    finally:
        for worker in workers:
            worker.stop()
    return {name: statistics.median(taken) for name, taken in times.items()}


def main() -> None:
    """One competitor, as a worker."""
    _, maker = MAKERS[sys.argv[1]]
    step = maker(first_weights(), make_batches(BATCHES))
    numbers = itertools.cycle(range(BATCHES))
    losses = [float(step(next(numbers))) for _ in range(COMPARED)]
    serve(lambda: step(next(numbers)), losses)


if __name__ == "__main__":
    main()
