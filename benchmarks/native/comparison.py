"""One workload in all peers: they are compared, and then take turns."""

from __future__ import annotations

import statistics
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.native.peers import BOUND, OWN, PEERS
from benchmarks.native.workloads import Workload
from benchmarks.workers import Worker, environment_of

TOLERANCE = 1e-5
"""Of the largest number of an array: that far may a result be from the others'."""

ROUND = 0.05
"""About so many seconds each has its turn."""

_COLD = 3
"""So many calls come before it is asked how long one takes."""


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds of one peer: of its first call, and the quartiles of a warm one."""

    first: float
    quartiles: tuple[float, float, float]

    @property
    def median(self) -> float:
        """Of the rounds."""
        return self.quartiles[1]

    @property
    def spread(self) -> float:
        """Between the outer quartiles, as a part of the median."""
        return (self.quartiles[2] - self.quartiles[0]) / self.median


@dataclass(slots=True)
class Row:
    """What was found of a workload.

    Attributes:
        timings: by the names of the peers.
        failures: why others have none.
    """

    workload: Workload
    timings: dict[str, Timing] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)

    @property
    def best(self) -> str | None:
        """The fastest peer but staticpy; of a derivative, of those that make one."""
        peers = [name for name in self.timings if not PEERS[name].is_own]
        peers = [name for name in peers if name not in self.by_hand]
        return min(peers, key=lambda name: self.timings[name].median, default=None)

    @property
    def by_hand(self) -> list[str]:
        """Who has a time, but not of making the derivative that is part of the workload."""
        return [n for n in self.timings if self.workload.is_derivative and not PEERS[n].derives]

    def ratio(self, name: str | None, own: str = OWN) -> float | None:
        """The time of staticpy over that of a peer."""
        if name not in self.timings or own not in self.timings:
            return None
        return self.timings[own].median / self.timings[name].median

    @property
    def is_met(self) -> bool | None:
        """Whether staticpy keeps to its goals; None if one of them has nobody to compare with."""
        if OWN not in self.timings:
            return False
        goals = [(self.ratio(self.best), self.workload.goal)]
        if self.workload.goal_seconds is not None:
            goals = [(self.timings[OWN].median, self.workload.goal_seconds)]
        if self.workload.bound_goal is not None:
            goals.append((self.ratio(BOUND), self.workload.bound_goal))
        if any(found is not None and found > goal for found, goal in goals):
            return False
        return None if any(found is None for found, _ in goals) else True

    @property
    def first_ratio(self) -> float | None:
        """The first call of staticpy, compilation included, over JAX's."""
        if not {OWN, "JAX"} <= self.timings.keys():
            return None
        return self.timings[OWN].first / self.timings["JAX"].first


@cache
def interpreter(package: str, others: tuple[str, ...]) -> str | None:
    """The first Python that has a package: one that is given for it (``jax=python3``), this one, or
    another of ``others``.
    """
    question = f"import importlib.util as u, sys; sys.exit(u.find_spec({package!r}) is None)"
    given = [other.rpartition("=") for other in others]
    own, common = ([path for name, _, path in given if name == each] for each in (package, ""))
    for python in (*own, sys.executable, *common):
        if subprocess.run([python, "-c", question], check=False).returncode == 0:
            return python
    return None


def compare(
    workload: Workload, peers: Sequence[str], rounds: int, threads: int, pythons: tuple[str, ...]
) -> Row:
    """Start each peer, compare what they give, and time them in turns."""
    row = Row(workload)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        workers = list(_started(row, peers, folder, threads, pythons))
        for worker in workers:
            stack.callback(worker.stop)
        workers = _agreeing(row, workers, folder)
        numbers = {worker.name: _calls(worker) for worker in workers}
        times: dict[str, list[float]] = {worker.name: [] for worker in workers}
        for _ in range(max(rounds, 2)):
            for worker in workers:
                times[worker.name].append(worker.seconds(numbers[worker.name]))
    for worker in workers:
        low, middle, high = statistics.quantiles(times[worker.name], n=4, method="inclusive")
        row.timings[worker.name] = Timing(worker.ready, (low, middle, high))
    return row


def _started(
    row: Row, peers: Sequence[str], folder: Path, threads: int, pythons: tuple[str, ...]
) -> Iterator[Worker]:
    for name in peers:
        python = interpreter(PEERS[name].package, pythons)
        if python is None:
            continue
        arguments = [name, row.workload.name, str(folder / f"{name}.npz")]
        try:
            yield Worker("benchmarks.native.worker", arguments, environment_of(threads), python)
        except RuntimeError as error:
            reason = str(error).strip().rpartition("\n")[2]
            if reason != f"KeyError: '{row.workload.name}'":  # else the peer doesn't say it
                row.failures[name] = reason


def _agreeing(row: Row, workers: Sequence[Worker], folder: Path) -> list[Worker]:
    """Those whose results are those of NumPy, or else of the first; and the bound."""
    names = [worker.name for worker in workers]
    judge = "NumPy" if "NumPy" in names else next((n for n in names if n != BOUND), BOUND)
    expected = _arrays(folder / f"{judge}.npz")
    agreeing = []
    for worker in workers:
        found = _arrays(folder / f"{worker.name}.npz")
        if worker.name == BOUND or are_close(found, expected):
            agreeing.append(worker)
        else:
            row.failures[worker.name] = f"another result than {judge}'s"
    return agreeing


def _arrays(file: Path) -> list[np.ndarray]:
    with np.load(file) as found:
        return [found[name] for name in found.files]


def are_close(found: Sequence[np.ndarray], expected: Sequence[np.ndarray]) -> bool:
    """Whether arrays are the same, to ``TOLERANCE`` of the largest element; ints are exact."""
    if [array.shape for array in found] != [array.shape for array in expected]:
        return False
    return all(_is_close(*pair) for pair in zip(found, expected, strict=True))


def _is_close(found: np.ndarray, expected: np.ndarray) -> bool:
    if expected.dtype.kind in "biu":
        return bool(np.array_equal(found, expected))
    scale = float(np.abs(expected).max(initial=1e-30))
    return bool(np.allclose(found, expected, rtol=TOLERANCE, atol=TOLERANCE * scale))


def _calls(worker: Worker) -> int:
    """How many calls take about ``ROUND`` seconds; the first ones may prepare those to come."""
    for _ in range(_COLD):
        worker.seconds(1)
    number = 1
    while (once := worker.seconds(number)) * number < ROUND / 10:
        number *= 8
    return max(1, round(ROUND / once))
