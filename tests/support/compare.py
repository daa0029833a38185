"""A recorded comparison with NumPy: ``python -m tests.support.compare --workers 2``.

Every function that a graph can call, in every dtype and layout of the tables in
``tests.support.comparisons``; ``--share 4`` takes a quarter of them, another one with each
``--turn``. Out: progress while it runs, a log of one line for each batch, from which a run that was
stopped goes on, and a report: differences, and what NumPy has a result for and is refused. Each
batch runs in a process of its own, with bounds on memory and time; where one dies, the unit that it
was at counts as a difference.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from tests.support.comparisons.batch import Job, units
from tests.support.comparisons.trial import Count

ROOT = Path(__file__).parents[2]
_MOST_SHOWN = 60


def read_count(line: dict[str, Any]) -> Count:
    """A Count from what was written of it."""
    return Count(**(line | {"refused": Counter(line["refused"])}))


def run_batch(job: Job) -> Count:
    """Try the units of a job, in as many processes as it takes."""
    total = Count()
    start = job.start
    while start < job.stop:
        status, done = _run_child(replace(job, start=start), total)
        start += done
        if start < job.stop:  # it died at this one
            row, unit = units(job.share, job.turn)[start]
            total.differences.append(f"{row.text} {unit}: the process ended with status {status}")
            start += 1
    return total


def _run_child(job: Job, total: Count) -> tuple[int, int]:
    """The status in which the process ended, and how many units it has tried."""
    done = 0
    command = [sys.executable, "-W", "ignore", "-m", "tests.support.comparisons.batch"]
    with subprocess.Popen(
        [*command, json.dumps(asdict(job))],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout is not None
        for text in process.stdout:
            if text.startswith("{") and text.endswith("\n"):
                total.merge(read_count(json.loads(text)))
                done += 1
    return process.returncode, done


# --- a run ----------------------------------------------------------------------------------------


def headline(total: Count) -> str:
    """The counts in a line."""
    refused = total.refused.total()
    return (
        f"{total.total} comparisons, {len(total.differences)} differences; {total.raised} ended in "
        f"the same exception; {refused} cases refused, {total.declined} that raise in NumPy, too, "
        f"{total.undetermined} that NumPy itself does not determine"
    )


def report(total: Count) -> Iterator[str]:
    """Everything that was counted, line by line."""
    yield headline(total)
    codes: Counter[str] = Counter()
    for text, count in total.refused.items():
        codes[text.partition(" ")[0]] += count
    yield from (f"  {code}: {count} refused" for code, count in codes.most_common())
    yield from (text[:1000] for text in total.differences[:_MOST_SHOWN])


def run(job: Job, workers: int, size: int = 400, log: Path | None = None) -> Count:
    """Try every unit that the log doesn't know yet; the count has those, too."""
    done = _logged(log, job)
    total = Count()
    for known in done.values():
        total.merge(known)
    before, began = total.total, time.monotonic()
    starts = range(job.start, job.stop, size)
    parts = [replace(job, start=start, stop=min(start + size, job.stop)) for start in starts]
    with ThreadPoolExecutor(workers) as pool:
        running = {pool.submit(run_batch, part): part for part in parts if part.start not in done}
        for future in as_completed(running):
            part, count = running[future], future.result()
            total.merge(count)
            if log is not None:
                with log.open("a", encoding="utf-8") as file:
                    print(json.dumps([_key(part), vars(count)]), file=file)
                rate = (total.total - before) / max(1e-9, time.monotonic() - began)
                print(f"{headline(total)}; {rate:.0f} comparisons a second", flush=True)
    return total


def _key(job: Job) -> list[int]:
    return [job.start, job.stop, job.share, job.turn]


def _logged(log: Path | None, job: Job) -> dict[int, Count]:
    """The batches of the same run that a log knows, by their first unit."""
    if log is None or not log.exists():
        return {}
    found = {}
    for text in log.read_text(encoding="utf-8").splitlines():
        key, count = json.loads(text)
        if key[2:] == [job.share, job.turn] and job.start <= key[0] and key[1] <= job.stop:
            found[key[0]] = read_count(count)
    return found


def arguments(texts: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.support.compare", description=__doc__)
    parser.add_argument("--share", type=int, default=1, help="take one unit in so many")
    parser.add_argument("--turn", type=int, default=0, help="which of them")
    parser.add_argument("--units", default="0:", help="first:end")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--batch", type=int, default=400, help="units in a process")
    parser.add_argument("--log", type=Path, default=Path("comparisons.jsonl"))
    parser.add_argument("--gigabytes", type=float, default=Job.gigabytes, help="for a process")
    return parser.parse_args(texts)


def main(texts: list[str] | None = None) -> int:
    """Run and report; the status is 1 if anything differed."""
    options = arguments(texts)
    count = len(units(options.share, options.turn))
    start, _, stop = options.units.partition(":")
    last = min(int(stop or count), count)
    job = Job(int(start or 0), last, options.share, options.turn, options.gigabytes)
    total = run(job, options.workers, options.batch, options.log)
    print("\n".join(report(total)), flush=True)
    return 1 if total.differences else 0


if __name__ == "__main__":
    sys.exit(main())
