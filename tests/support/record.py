"""A recorded run of random programs: ``python -m tests.support.record --seeds 0:200000``.

In: seeds, and the features to use (``--only loops,calls``). Out: progress while it runs, a log of
one line for each batch, from which a run that was stopped goes on, and a report: differences and
crashes, each made small and written as a case, and the rate of refusals by code and by feature.
Each batch runs in a process of its own, with bounds on memory and time; where one dies, the program
that it was at counts as a crash.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tests.support.fuzz.batch import Job
from tests.support.fuzz.features import FEATURES, checked
from tests.support.fuzz.found import FOLDER
from tests.support.fuzz.trial import CRASHED, DIFFERENT, REFUSED

ROOT = Path(__file__).parents[2]
MOST_SHRUNK = 20
MOST_KEPT = 200
"""How many failures a summary keeps word for word."""


@dataclass
class Summary:
    """What became of some programs."""

    kinds: Counter[str] = field(default_factory=Counter)
    codes: Counter[str] = field(default_factory=Counter)
    features: Counter[str] = field(default_factory=Counter)
    refused_features: Counter[str] = field(default_factory=Counter)
    failures: list[dict[str, Any]] = field(default_factory=list)

    @property
    def total(self) -> int:
        return self.kinds.total()

    @property
    def refused(self) -> float:
        """The share of the programs that were refused."""
        return self.kinds[REFUSED] / max(1, self.total)

    def add(self, line: dict[str, Any]) -> None:
        """Count the verdict on one program."""
        self.kinds[line["kind"]] += 1
        self.features.update(line["features"])
        if line["kind"] == REFUSED:
            self.codes.update(line["codes"])
            self.refused_features.update(line["features"])
        elif line["kind"] in (DIFFERENT, CRASHED):
            self.failures = [*self.failures, line][:MOST_KEPT]

    def merge(self, other: Summary) -> None:
        """Count what another summary counted."""
        self.kinds += other.kinds
        self.codes += other.codes
        self.features += other.features
        self.refused_features += other.refused_features
        self.failures = [*self.failures, *other.failures][:MOST_KEPT]

    def headline(self) -> str:
        """The counts in a line."""
        failed = f"{self.kinds[DIFFERENT]} differences, {self.kinds[CRASHED]} crashes"
        return f"{self.total} programs: {failed}, {self.refused:.1%} refused"

    def report(self) -> Iterator[str]:
        """Everything that was counted, line by line."""
        yield self.headline()
        for code, count in self.codes.most_common():
            yield f"  {code}: {count / max(1, self.total):.2%} of the programs refused"
        for feature, count in sorted(self.features.items()):
            yield f"  {feature}: {self.refused_features[feature] / count:.1%} of {count} refused"
        for failure in self.failures[:MOST_SHRUNK]:
            yield f"seed {failure['seed']} {failure['kind']}: {failure['detail'][:2000]}"


# --- one batch ------------------------------------------------------------------------------------


def run_batch(job: Job) -> Summary:
    """Try the seeds of a job, in as many processes as it takes."""
    summary = Summary()
    start = job.start
    while start < job.stop:
        status = _run_child(Job(**(asdict(job) | {"start": start})), summary)
        start = job.start + summary.total
        if start < job.stop:  # it died at this one
            detail = f"the process ended with status {status}"
            line = {"seed": start, "kind": CRASHED, "codes": ["died"], "features": []}
            summary.add(line | {"detail": detail})
            start += 1
    return summary


def _child(job: Job) -> subprocess.Popen[str]:
    command = [sys.executable, "-W", "ignore", "-m", "tests.support.fuzz.batch"]
    argument = json.dumps(asdict(job))
    return subprocess.Popen(
        [*command, argument], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )


def _run_child(job: Job, summary: Summary) -> int:
    with _child(job) as process:
        assert process.stdout is not None
        for text in process.stdout:
            if text.endswith("\n"):
                summary.add(json.loads(text))
    return process.returncode


def shrink_failures(summary: Summary, job: Job, most: int) -> list[Path]:
    """Make failing programs small, one of each kind of failure first, and write them as cases."""
    found: list[Path] = []
    for failure in _distinct(summary.failures)[:most]:
        start = failure["seed"]
        one = Job(**(asdict(job) | {"start": start, "stop": start + 1, "shrink": True}))
        with _child(one) as process:
            text, _ = process.communicate()
        found += [Path(json.loads(line)["path"]) for line in text.splitlines()]
    return found


def _distinct(failures: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The failures, those that say something new before the others."""
    seen: set[str] = set()
    first: list[dict[str, Any]] = []
    again: list[dict[str, Any]] = []
    for failure in failures:
        message = failure["detail"].partition("): ")[2].partition("expected")[0][:100]
        (again if message in seen else first).append(failure)
        seen.add(message)
    return first + again


# --- a run ----------------------------------------------------------------------------------------


def batches(job: Job, size: int) -> list[Job]:
    """The job in parts."""
    starts = range(job.start, job.stop, size)
    return [
        Job(**(asdict(job) | {"start": start, "stop": min(start + size, job.stop)}))
        for start in starts
    ]


def run(job: Job, workers: int, size: int = 200, log: Path | None = None) -> Summary:
    """Try every seed of ``job`` that the log doesn't know yet; the summary counts those too."""
    total, done = Summary(), _logged(log, job)
    began = time.monotonic()
    pending = [part for part in batches(job, size) if (part.start, part.stop) not in done]
    for known in done.values():
        total.merge(known)
    before = total.total
    with ThreadPoolExecutor(workers) as pool:
        running = {pool.submit(run_batch, part): part for part in pending}
        for future in as_completed(running):
            part, summary = running[future], future.result()
            total.merge(summary)
            _write(log, part, summary)
            rate = (total.total - before) / max(1e-9, time.monotonic() - began)
            if log is not None:
                print(f"{total.headline()}; {rate:.1f} programs a second", flush=True)
    return total


def _write(log: Path | None, job: Job, summary: Summary) -> None:
    if log is not None:
        with log.open("a", encoding="utf-8") as file:
            print(json.dumps([job.start, job.stop, job.only, vars(summary)]), file=file)


def _logged(log: Path | None, job: Job) -> dict[tuple[int, int], Summary]:
    """The batches of the same run that a log knows, by their first and last seed."""
    if log is None or not log.exists():
        return {}
    found: dict[tuple[int, int], Summary] = {}
    for text in log.read_text(encoding="utf-8").splitlines():
        start, stop, only, counts = json.loads(text)
        if tuple(only) == job.only and job.start <= start and stop <= job.stop:
            counted = {name: Counter(counts.pop(name)) for name in list(counts)[:4]}
            found[start, stop] = Summary(**counted, **counts)
    return found


def arguments(texts: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.support.record", description=__doc__)
    parser.add_argument("--seeds", default="0:5000", help="first:end")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--only", default=",".join(FEATURES), help="features, by commas")
    parser.add_argument("--batch", type=int, default=200, help="programs in a process")
    parser.add_argument("--log", type=Path, default=Path("random_programs.jsonl"))
    parser.add_argument("--shrink", type=int, default=MOST_SHRUNK, help="failures to make small")
    parser.add_argument("--seconds", type=float, default=Job.seconds, help="for one program")
    parser.add_argument("--every", type=int, default=Job.every, help="take a second route in")
    parser.add_argument("--gigabytes", type=float, default=Job.gigabytes, help="for a process")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where failures are written")
    return parser.parse_args(texts)


def main(texts: list[str] | None = None) -> int:
    """Run, report, and write what failed as cases; the status is 1 if anything did."""
    options = arguments(texts)
    start, stop = map(int, options.seeds.split(":"))
    only = checked(options.only.split(","))
    bounds = {name: getattr(options, name) for name in ("seconds", "gigabytes", "every")}
    job = Job(start, stop, only, folder=str(options.folder), **bounds)
    summary = run(job, options.workers, options.batch, options.log)
    print("\n".join(summary.report()), flush=True)
    for path in shrink_failures(summary, job, options.shrink):
        print(f"wrote {path}", flush=True)
    return 1 if summary.failures else 0


if __name__ == "__main__":
    sys.exit(main())
