"""The child process of a recorded run: tries some seeds, one after the other.

In: ``python -m tests.support.fuzz.batch '{"start": 0, "stop": 200, ...}'``. Out: on standard output
one line of JSON for each seed as soon as it is known, so that whoever reads knows which program was
the last where the process dies. With ``shrink`` it makes the program of one seed small instead, and
writes it as a case. Memory and processor time are bounded.
"""

from __future__ import annotations

import gc
import json
import resource
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.support.fuzz.features import FEATURES
from tests.support.fuzz.found import FOLDER, write_case
from tests.support.fuzz.shrink import Shrinker
from tests.support.fuzz.trial import CRASHED, DIFFERENT, EVERY, Verdict, attempt
from tests.support.programs import Program, generate

_WHAT = {DIFFERENT: "the graph differed from CPython", CRASHED: "the compiler failed"}


@dataclass(frozen=True)
class Job:
    """What a child process does."""

    start: int
    stop: int
    only: tuple[str, ...] = FEATURES
    seconds: float = 20.0
    gigabytes: float = 4.0
    every: int = EVERY
    shrink: bool = False
    folder: str = str(FOLDER)


def bound_resources(job: Job) -> None:
    """Let the process die rather than fill the memory of the machine, or run for ever."""
    most = int(job.gigabytes * 2**30)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    seconds = int(60 + job.seconds * (8 if job.shrink else 4) + (job.stop - job.start) * 2)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(job: Job) -> None:
    """Try every seed of the job."""
    for seed in range(job.start, job.stop):
        program = generate(seed, job.only)
        verdict = attempt(program, job.seconds, job.every)
        line = {"seed": seed, "features": sorted(program.features)} | asdict(verdict)
        print(json.dumps(line), flush=True)


def shrink(job: Job) -> Path:
    """Make the program of the first seed small, and write it as a case."""
    program = generate(job.start, job.only)
    verdict = attempt(program, job.seconds, job.every)
    small = shrunk(program, verdict, job)
    return write_case(small, _WHAT.get(verdict.kind, "it failed"), Path(job.folder))


def shrunk(program: Program, verdict: Verdict, job: Job) -> Program:
    """The smallest program that fails as this one does."""

    def fails(smaller: Program) -> bool:
        try:
            return attempt(smaller, 2.0, job.every).signature == verdict.signature
        except Exception:  # a smaller text may not even load
            return False

    return Shrinker(fails, job.seconds * 4).shrink(program)


def main(argument: str) -> None:
    """Do the job that the argument describes."""
    gc.set_threshold(50_000)  # a compilation makes many objects, and no cycles worth looking for
    options = json.loads(argument)
    job = Job(**(options | {"only": tuple(options.get("only", FEATURES))}))
    bound_resources(job)
    if job.shrink:
        print(json.dumps({"path": str(shrink(job))}), flush=True)
    else:
        run(job)


if __name__ == "__main__":
    main(sys.argv[1])
