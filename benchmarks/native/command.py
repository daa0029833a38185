"""`python -m benchmarks native`: the workloads in staticpy's native code and in each peer."""

from __future__ import annotations

import argparse
import compileall
import os
from collections.abc import Sequence
from pathlib import Path

from benchmarks.native import report
from benchmarks.native.comparison import compare
from benchmarks.native.peers import OWN, PEERS
from benchmarks.native.workloads import BY_NAME

_PROJECT = Path(__file__).parents[2]


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks native", description=__doc__)
    add = parser.add_argument
    add("--only", action="append", choices=BY_NAME, metavar="NAME", help="; ".join(BY_NAME))
    add("--peers", default=",".join(PEERS), help="with commas between them (default: %(default)s)")
    add("--rounds", type=int, default=11, help="turns of each (default: 11)")
    add("--threads", type=int, default=os.cpu_count() or 1, help="of each (default: all cores)")
    add(
        "--python",
        action="append",
        default=[],
        metavar="[PACKAGE=]PYTHON",
        help="an interpreter that may have other peers, or is for one of them: jax=python3.12",
    )
    add("--write", action="store_true", help="write docs/native.md and its plot")
    add("--remark", default="", help="about the machine, for the page")
    options = parser.parse_args(arguments)
    unknown = set(options.peers.split(",")) - set(PEERS)
    if unknown:
        parser.error(f"no such peer: {', '.join(sorted(unknown))}")
    return options


def main(arguments: Sequence[str]) -> None:
    """Compare what was asked for, printing each row as it is found."""
    options = _options(arguments)
    for folder in ("staticpy", "benchmarks"):  # as the installation of a package does
        compileall.compile_dir(_PROJECT / folder, quiet=1)
    chosen = options.peers.split(",")
    peers = [name for name in PEERS if name in chosen or name == OWN]
    said = report.conditions(options.rounds, options.threads, options.remark)
    print(said)
    print("\t".join(report.COLUMNS))
    rows = []
    for name in options.only or BY_NAME:
        pythons = tuple(options.python)
        row = compare(BY_NAME[name], peers, options.rounds, options.threads, pythons)
        rows.append(row)
        print("\t".join(report.cells(row)), flush=True)
    notes = (report.shortfalls(rows), report.by_hand(rows))
    found = (*notes, report.times(rows), report.failures(rows))
    print("\n" + "\n\n".join(filter(None, found)))
    if options.write:
        report.write(rows, said)
