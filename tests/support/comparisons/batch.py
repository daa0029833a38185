"""The child process of a recorded comparison: tries some units, one after the other.

In: ``python -m tests.support.comparisons.batch '{"start": 0, "stop": 200}'``. Out: on standard
output one line of JSON for each unit as soon as it is known, so that whoever reads knows which unit
was the last where the process dies. Memory and processor time are bounded.
"""

from __future__ import annotations

import gc
import json
import resource
import sys
import warnings
from dataclasses import dataclass
from functools import cache
from itertools import islice

from tests.support.comparisons.rows import Row, Unit
from tests.support.comparisons.tables import ROWS
from tests.support.comparisons.trial import attempt


@dataclass(frozen=True)
class Job:
    """What a child process does: the units from ``start`` to ``stop``, each ``share``-th of all."""

    start: int
    stop: int
    share: int = 1
    turn: int = 0
    gigabytes: float = 4.0
    seconds: float = 2.0
    """For a unit."""


def units(share: int = 1, turn: int = 0) -> list[tuple[Row, Unit]]:
    """Every row with every pair of dtypes; with ``share`` one in so many, others at each turn."""
    places = enumerate(_all_units())
    return [each for at, each in places if _spread(at) % share == turn % share]


@cache
def _all_units() -> list[tuple[Row, Unit]]:
    return [(row, unit) for row in ROWS for unit in row.units()]


def _spread(place: int) -> int:
    """A number that has nothing to do with its neighbours'."""
    return (place * 2654435761 % 2**32) >> 7


def bound_resources(job: Job) -> None:
    """Let the process die rather than fill the memory of the machine, or run for ever."""
    most = int(job.gigabytes * 2**30)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    seconds = int(60 + (job.stop - job.start) * job.seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main(argument: str) -> None:
    """Do the job that the argument describes."""
    gc.set_threshold(50_000)  # a compilation makes many objects, and no cycles worth looking for
    warnings.simplefilter("ignore")
    job = Job(**json.loads(argument))
    bound_resources(job)
    for row, unit in islice(units(job.share, job.turn), job.start, job.stop):
        print(json.dumps(vars(attempt(row, unit))), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
