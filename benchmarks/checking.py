"""The speed of `staticpy check` over the standard library, in CPU time of one core."""

from __future__ import annotations

import ast
import gc
import resource
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median
from time import process_time

from benchmarks.timing import Measurement
from staticpy.diagnostics import catalog
from staticpy.frontend.check import check_text
from staticpy.source import rare_collection

SAMPLE = 20
"""One file in so many is read, unless the whole library is asked for."""

_PARSE = """
import ast, gc, pathlib, sys
gc.set_threshold(50_000, 20, 100)
for path in pathlib.Path(sys.argv[1]).glob("*.py"):
    ast.parse(path.read_text(encoding="utf-8"))
"""


def _texts(every: int) -> dict[Path, str]:
    root = Path(sysconfig.get_paths()["stdlib"])
    files = sorted(path for path in root.rglob("*.py") if "site-packages" not in path.parts)
    texts = {}
    for path in files[::every]:
        try:
            texts[path] = path.read_text(encoding="utf-8")
            compile(texts[path], str(path), "exec")
        except (UnicodeDecodeError, SyntaxError, ValueError):
            texts.pop(path, None)
    return texts


def _seconds(texts: dict[Path, str], read: Callable[[str, str], object]) -> float:
    gc.collect()
    start = process_time()
    with rare_collection():  # as in a run of the command
        for path, text in texts.items():
            read(text, str(path))
    return process_time() - start


def check_speed(rounds: int, every: int = SAMPLE) -> Iterator[Measurement]:
    """Lines a second in this process against ``ast.parse`` and CPython's own compiler; then those
    of whole commands, and what starting one takes.
    """
    failures: list[str] = []

    def check(text: str, file: str) -> None:
        try:
            found = check_text(text, file, "all")
        except Exception as error:
            failures.append(f"{file}: {type(error).__name__}: {error}")
            return
        internal = [item for item in found if item.spec is catalog.INTERNAL_ERROR]
        failures.extend(f"{file}:{item.span.line}: {item.message}" for item in internal)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        texts = _texts(every)
        rounds = min(rounds, 3) if every > 1 else 1
        readers = {
            "staticpy": check,
            "ast.parse": ast.parse,
            "compile": partial(compile, mode="exec"),
        }
        spent: dict[str, list[float]] = {name: [] for name in readers}
        for _ in range(rounds):
            for name, read in readers.items():
                spent[name].append(_seconds(texts, read))
    lines = sum(text.count("\n") for text in texts.values())
    speeds = {name: lines / median(found) / 1e3 for name, found in spent.items()}
    own = speeds.pop("staticpy")
    for peer, speed in speeds.items():
        name = f"check: {len(texts)} files of the standard library"
        yield Measurement(name, own, "kline/s", peer, speed, "≥ 25,000 lines/s")
    yield from _commands(texts, lines, rounds)
    if failures:
        print(f"{len(set(failures))} internal errors, such as {failures[0]}")


def _commands(texts: dict[Path, str], lines: int, rounds: int) -> Iterator[Measurement]:
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder, "library")
        library.mkdir()
        for number, text in enumerate(texts.values()):
            (library / f"f{number}.py").write_text(text, encoding="utf-8")
        empty = Path(folder, "empty.py")
        empty.touch()
        own = [sys.executable, "-m", "staticpy", "check", "--isolated", "--jobs", "1"]
        own += ["--exit-zero", "--output-format", "concise", "--cache-dir", f"{folder}/cache"]
        ruff = shutil.which("ruff")
        peers = {"ast.parse": [sys.executable, "-c", _PARSE, str(library)]}
        if ruff:
            peers["ruff"] = [ruff, "check", "--isolated", "--no-cache", "-e", str(library)]
        commands = {
            "start": [*own, str(empty)],
            "python": [sys.executable, "-c", "pass"],
            "undecorated": [*own, str(library)],
            "warm": [*own, "--scope", "all", str(library)],
            **peers,
        }
        _cpu_of(commands["warm"])  # fills the cache
        spent: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(max(rounds, 3)):
            for name, command in commands.items():
                spent[name].append(_cpu_of(command))
    took = {name: median(found) for name, found in spent.items()}
    start = took["start"]
    yield Measurement("start", start * 1e3, "ms", "python", took["python"] * 1e3, "≤ 150 ms")
    for name, target in (("undecorated", "≥ 500,000 lines/s"), ("warm", "≥ 1,000,000 lines/s")):
        # A sample is too small for its time to stand beside that of the start.
        speed = lines / max(took[name] - start, 1e-3) / 1e3
        for peer in peers:
            peer_speed = lines / took[peer] / 1e3
            yield Measurement(f"check: {name}", speed, "kline/s", peer, peer_speed, target)


def _cpu_of(command: list[str]) -> float:
    """The CPU time of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
