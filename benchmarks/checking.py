"""The speed of `staticpy check --scope all` over the standard library, on one core."""

from __future__ import annotations

import ast
import sysconfig
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from time import perf_counter

from benchmarks.timing import Measurement
from staticpy.diagnostics import catalog
from staticpy.frontend.check import check_text

SAMPLE = 20
"""One file in so many is read, unless the whole library is asked for."""


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


def _lines_per_second(texts: dict[Path, str], read: Callable[[str, str], object]) -> float:
    lines = sum(text.count("\n") for text in texts.values())
    start = perf_counter()
    for path, text in texts.items():
        read(text, str(path))
    return lines / (perf_counter() - start)


def check_speed(rounds: int, every: int = SAMPLE) -> Iterator[Measurement]:
    """Lines a second, against ``ast.parse`` and against CPython's own compiler."""
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
        speeds: dict[str, list[float]] = {name: [] for name in readers}
        for _ in range(rounds):
            for name, read in readers.items():
                speeds[name].append(_lines_per_second(texts, read))
    best = {name: sorted(found)[len(found) // 2] for name, found in speeds.items()}
    own = best.pop("staticpy")
    for peer, speed in best.items():
        target = "≥ 10,000 lines/s"
        name = f"check: {len(texts)} files of the standard library"
        yield Measurement(name, own / 1e3, "kline/s", peer, speed / 1e3, target)
    if failures:
        print(f"{len(set(failures))} internal errors, such as {failures[0]}")
