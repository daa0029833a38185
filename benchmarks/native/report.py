"""Rows of a comparison as a table, and as a page of the documentation with a plot."""

from __future__ import annotations

import importlib
import os
import platform
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.native.comparison import Row
from benchmarks.native.peers import BOUND, OWN, PEERS
from benchmarks.native.workloads import FIRST_CALL

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "native.md"
FIGURE = DOCS / "figures" / "native_speed.svg"
HEADING = "## How fast"
FIRST_GOAL = 0.5
COLUMNS = (
    "work",
    OWN,
    "spread",
    "python_source",
    "best peer",
    "ratio",
    "goal",
    "met",
    "first",
    "JAX",
)


def duration(seconds: float) -> str:
    """Three digits and a unit."""
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def cells(row: Row) -> list[str]:
    """One line of the table."""
    own = row.timings.get(OWN)
    spread = f"{own.spread:.0%}" if own else ""
    best = f"{row.best} {_time(row, row.best)}" if row.best else ""
    met = {True: "yes", False: "no", None: ""}[row.is_met]
    first, jax_first = (_first(row, name) for name in (OWN, "JAX"))
    times = [_time(row, OWN), spread, _time(row, "python_source"), best]
    return [row.workload.title, *times, _ratios(row), _goals(row), met, first, jax_first]


def _time(row: Row, name: str | None) -> str:
    return duration(row.timings[name].median) if name in row.timings else ""


def _first(row: Row, name: str) -> str:
    return duration(row.timings[name].first) if name in row.timings else ""


def _ratios(row: Row) -> str:
    names = [row.best, BOUND] if row.workload.bound_goal else [row.best]
    return ", ".join(f"{ratio:.2f}" for name in names if (ratio := row.ratio(name)) is not None)


def _goals(row: Row) -> str:
    workload = row.workload
    if workload.goal_seconds is not None:
        return f"≤ {duration(workload.goal_seconds)}"
    bound = f", {BOUND} {workload.bound_goal:g}" if workload.bound_goal else ""
    return f"≤ {workload.goal:g}{bound}"


def table(rows: Sequence[Row]) -> str:
    """The goals, and whether they are met, as Markdown."""
    return _markdown(COLUMNS, [cells(row) for row in rows])


def times(rows: Sequence[Row]) -> str:
    """The time of each peer, as Markdown."""
    names = [name for name in PEERS if any(name in row.timings for row in rows)]
    lines = [[row.workload.title, *(_time(row, name) for name in names)] for row in rows]
    return _markdown(["work", *names], lines)


def shortfalls(rows: Sequence[Row]) -> str:
    """Which goals aren't met, by how much, and why."""
    lines = [
        f"- {row.workload.title}: {_time(row, OWN)}, {_ratios(row)} of {row.best}'s time (goal "
        f"{_goals(row)}). {_sentence(row.workload.limit)}"
        for row in rows
        if row.is_met is False and row.best
    ]
    late = [
        f"{row.workload.title} {ratio:.2f}"
        for row in rows
        if (ratio := row.first_ratio) is not None and ratio > FIRST_GOAL
    ]
    if late:
        said = f"First calls of more than {FIRST_GOAL:g} of JAX's: {', '.join(late)}."
        lines.append(f"- {said} {_sentence(FIRST_CALL)}")
    return "\n".join(lines)


def by_hand(rows: Sequence[Row]) -> str:
    """Whose derivatives are written by hand, with the ratios to their times."""
    lines = [
        f"- {row.workload.title}: {row.ratio(name):.2f} of {name}'s time, {_time(row, name)}."
        for row in rows
        if OWN in row.timings
        for name in row.by_hand
    ]
    said = "Written by hand, and so no peers of a derivative that is made, are:"
    return "\n".join([said, "", *lines]) if lines else ""


def _sentence(text: str) -> str:
    return text.replace("\n", " ") + "." * bool(text)


def failures(rows: Sequence[Row]) -> str:
    """Who has no time of what, and why; files by their place in the project."""
    root = f"{PAGE.parents[1]}{os.sep}"
    return "\n".join(
        f"- {row.workload.title}, {name}: {reason.replace(root, '')}"
        for row in rows
        for name, reason in row.failures.items()
    )


def _markdown(columns: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    rows = [columns, ["---"] * len(columns), *lines]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def conditions(rounds: int, threads: int, remark: str) -> str:
    """Where and how it was measured."""
    place = f"CPython {platform.python_version()}, NumPy {np.__version__}, {platform.machine()}"
    said = f"; {remark}" if remark else ""
    return f"{place}, threads: {threads}, medians of {rounds} rounds{said}."


def write(rows: Sequence[Row], said: str) -> None:
    """Put the tables and the plot into the documentation."""
    plot(rows, FIGURE)
    figure = f"![Ratios to the best peer](figures/{FIGURE.name})"
    failed = failures(rows)
    parts = [HEADING, f"`python -m benchmarks native --write` wrote this section. {said}"]
    missed = shortfalls(rows)
    parts += [table(rows)] + (["Not met:\n\n" + missed] if missed else [])
    parts += [*filter(None, [by_hand(rows)]), figure, times(rows)]
    parts += ["Without a time:\n\n" + failed] if failed else []
    text = PAGE.read_text(encoding="utf-8") if PAGE.exists() else "# Native code\n"
    PAGE.write_text(replaced(text, "\n\n".join(parts)), encoding="utf-8")


def replaced(page: str, section: str) -> str:
    """A page whose section of that heading is another, or which has one more."""
    heading = section.partition("\n")[0]
    found = re.search(rf"^{re.escape(heading)}$.*?(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    if not found:
        return f"{page.rstrip()}\n\n{section}\n"
    rest = page[found.end() :]
    return page[: found.start()] + section + "\n" + ("\n" + rest if rest else "")


def plot(rows: Sequence[Row], file: Path) -> None:
    """A bar for each workload, the ratio to its best peer, with a mark at the goal.

    Raises:
        ImportError: matplotlib (extra ``bench``) isn't installed.
    """
    pyplot = importlib.import_module("matplotlib.pyplot")
    shown = [(row, ratio) for row in rows if (ratio := row.ratio(row.best)) is not None][::-1]
    figure, axes = pyplot.subplots(figsize=(8, 1 + 0.3 * len(shown)))
    ratios = [ratio for _, ratio in shown]
    colours = ["#0072b2" if row.is_met else "#d55e00" for row, _ in shown]
    axes.barh([row.workload.title for row, _ in shown], ratios, color=colours)
    goals = [_goal_as_ratio(row) for row, _ in shown]
    axes.scatter(goals, range(len(shown)), marker="|", s=160, color="#222222", label="goal")
    axes.set_xscale("log")
    axes.axvline(1.0, color="#777777", linewidth=0.8)
    axes.set_xlabel("time of staticpy over that of its best peer")
    axes.legend()
    file.parent.mkdir(exist_ok=True)
    figure.savefig(file, bbox_inches="tight")
    pyplot.close(figure)


def _goal_as_ratio(row: Row) -> float:
    if row.workload.goal_seconds is None or row.best is None:
        return row.workload.goal
    return row.workload.goal_seconds / row.timings[row.best].median
