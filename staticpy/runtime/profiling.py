"""``profile``: how long compiled functions and their kernels take, by line.

In: the calls of compiled functions within a ``with``. Out: a table, a trace for Chrome. A function
that is called there is compiled apart, so that it writes down when its kernels begin and end; the
code that runs elsewhere knows nothing of it.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from staticpy.backends import Event, Recorder, TimedKernel, Timings, now
from staticpy.runtime.jitted import JittedFunction
from staticpy.runtime.mode import is_jit_disabled, open_block
from staticpy.source import OWN_FILES, SourceSpan, write_whole


@dataclass(frozen=True, slots=True)
class KernelTime:
    """What a kernel has taken.

    Attributes:
        name: of the kernel.
        operations: the names of the ops that it does.
        spans: where they stand in the source.
        calls: how often it has run.
        seconds: for how long, all calls together.
    """

    name: str
    operations: tuple[str, ...]
    spans: tuple[SourceSpan, ...]
    calls: int
    seconds: float

    @property
    def place(self) -> str:
        """The files and the lines: the user's, or this library's where there are no others."""
        users = [span for span in self.spans if not span.file.startswith(OWN_FILES)]
        lines: dict[str, set[int]] = {}
        for span in users or self.spans:
            lines.setdefault(span.file, set()).add(span.line)
        return " ".join(
            f"{os.path.basename(file)}:{','.join(map(str, sorted(numbers)))}"  # noqa: PTH119
            for file, numbers in lines.items()
        )


@dataclass(frozen=True, slots=True)
class FunctionTime:
    """What the compiled code of a function has taken, for arguments of some types.

    Attributes:
        name: of the function.
        calls: how often it has run.
        seconds: for how long, all calls together.
        kernels: what its kernels have taken, the longest first; those that haven't run are none.
    """

    name: str
    calls: int
    seconds: float
    kernels: tuple[KernelTime, ...]

    @property
    def rest(self) -> float:
        """The seconds between its kernels."""
        return self.seconds - sum(each.seconds for each in self.kernels)


class Profile:
    """How long what was called within ``with`` takes. Made by ``profile``."""

    def __init__(self) -> None:
        self._recorder = Recorder()
        self._timed: dict[JittedFunction[..., Any], TimedFunction] = {}
        self._lock = threading.Lock()
        self._began = now()

    def __enter__(self) -> Self:
        open_block(1, self._function)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        open_block(-1, None)
        self._timed.clear()

    def _function(self, function: JittedFunction[..., Any]) -> TimedFunction:
        """What is called instead of a compiled function."""
        with self._lock:
            if function not in self._timed:
                self._timed[function] = TimedFunction(function, self._recorder)
            return self._timed[function]

    @property
    def functions(self) -> tuple[FunctionTime, ...]:
        """What was called, the longest first."""
        found = [_function_time(each) for each in self._recorder.timings if each.total(-1)[0]]
        return tuple(sorted(found, key=lambda each: -each.seconds))

    def __str__(self) -> str:
        rows = [row for each in self.functions for row in _rows(each)]
        return _table(rows) if rows else "no compiled function was called"

    def save_trace(self, path: str | os.PathLike[str]) -> None:
        """Write a file that ``chrome://tracing`` and https://ui.perfetto.dev show.

        It has what ran first of each function, some thousand kernels.

        Raises:
            OSError: the file can't be written.
        """
        events = [event for each in self._recorder.timings for event in each.events()]
        events.sort(key=lambda event: (event.start, -event.end))
        threads = dict.fromkeys(event.thread for event in events)
        numbers = {thread: number for number, thread in enumerate(threads)}
        described = [_described(event, self._began, numbers[event.thread]) for event in events]
        content = {"traceEvents": described, "displayTimeUnit": "ms"}
        write_whole(Path(path), json.dumps(content).encode())


def profile() -> Profile:
    """Measure how long compiled functions take, and each of their kernels: loops over arrays,
    products, calls of NumPy, loops over numbers; of the backend ``python_source`` each line.

        with staticpy.profile() as measured:
            step(x)
        print(measured)

    Functions are compiled again for it. What is called within the ``with`` counts, by any thread.

    Raises:
        RuntimeError: on entering it, another one is open.
    """
    return Profile()


class TimedFunction(JittedFunction[..., Any]):
    """A compiled function whose code tells a Recorder how long it takes."""

    def __init__(self, function: JittedFunction[..., Any], recorder: Recorder) -> None:
        options = replace(function.options, recorder=recorder)
        super().__init__(function.__wrapped__, function.static, options)

    def instead(self) -> Any:
        """See JittedFunction."""
        return self.__wrapped__ if is_jit_disabled() else None


def _function_time(timings: Timings) -> FunctionTime:
    *kernels, function = [
        _kernel_time(kernel, *timings.total(number))
        for number, kernel in enumerate(timings.kernels)
    ]
    ran = sorted((each for each in kernels if each.calls), key=lambda each: -each.seconds)
    return FunctionTime(function.name, function.calls, function.seconds, tuple(ran))


def _kernel_time(kernel: TimedKernel, calls: int, nanoseconds: int) -> KernelTime:
    return KernelTime(kernel.name, kernel.operations, kernel.spans, calls, nanoseconds / 1e9)


# --- the table ------------------------------------------------------------------------------------

_HEAD = ("", "line", "calls", "ms", "µs a call", "share")


def _rows(function: FunctionTime) -> Iterator[tuple[str, ...]]:
    whole = function.seconds
    yield _row(function.name, "", function.calls, whole, whole)
    for each in function.kernels:
        fused = "" if set(each.operations) <= {each.name} else f": {' '.join(each.operations)}"
        yield _row(f"  {each.name}{fused}", each.place, each.calls, each.seconds, whole)
    if function.kernels:
        yield _row("  between", "", function.calls, function.rest, whole)


def _row(name: str, place: str, calls: int, seconds: float, whole: float) -> tuple[str, ...]:
    share = f"{seconds / whole:.1%}" if whole else ""
    return name, place, str(calls), f"{seconds * 1e3:.3f}", f"{seconds / calls * 1e6:.2f}", share


def _table(rows: Iterable[tuple[str, ...]]) -> str:
    rows = [_HEAD, *rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        texts = [cell.ljust(width) for cell, width in zip(row[:2], widths[:2], strict=True)]
        numbers = [cell.rjust(width) for cell, width in zip(row[2:], widths[2:], strict=True)]
        lines.append("  ".join([*texts, *numbers]).rstrip())
    return "\n".join(lines)


# --- the trace ------------------------------------------------------------------------------------


def _described(event: Event, began: int, thread: int) -> dict[str, object]:
    """A complete event of the Trace Event Format, whose times are in microseconds."""
    kernel = event.kernel
    places = [f"{span.file}:{span.line}" for span in kernel.spans]
    return {
        "name": kernel.name,
        "cat": kernel.kind,
        "ph": "X",
        "ts": (event.start - began) / 1e3,
        "dur": (event.end - event.start) / 1e3,
        "pid": os.getpid(),
        "tid": thread,
        "args": {"operations": " ".join(kernel.operations), "lines": list(dict.fromkeys(places))},
    }
