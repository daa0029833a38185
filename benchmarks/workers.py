"""Competitors that can't share a process: each is one of its own, and they take turns.

A worker is ``python -m MODULE ARGUMENT…``. It gets ready, prints one line of JSON, and then answers
each number of calls that it reads with the seconds that they took.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from time import perf_counter
from typing import Any


def environment_of(threads: int) -> dict[str, str]:
    """What tells the libraries of a worker how many threads to use."""
    libraries = (
        "OMP_NUM",
        "OPENBLAS_NUM",
        "MKL_NUM",
        "NUMBA_NUM",
        "TF_NUM_INTRAOP",
        "STATICPY_NUM",
    )
    environment = {f"{name}_THREADS": str(threads) for name in libraries}
    if threads == 1:
        environment["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"
    return environment


def _with_bytecode() -> dict[str, str]:
    """The environment, in which modules keep their bytecode, as those of installed packages do."""
    return {name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def serve(call: Callable[[], object], ready: Any) -> None:
    """The worker's side: tell that it is ready, then time calls until nobody asks any more."""
    out = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    print(json.dumps(ready), file=out, flush=True)
    for line in sys.stdin:
        repeat = range(int(line))
        start = perf_counter()
        for _ in repeat:
            call()
        print(json.dumps(perf_counter() - start), file=out, flush=True)


class Worker:
    """A competitor in a process of its own.

    Attributes:
        name: the first of its arguments.
        ready: what it said when it was.
    """

    def __init__(
        self,
        module: str,
        arguments: Sequence[str],
        environment: Mapping[str, str],
        python: str = sys.executable,
    ) -> None:
        self.name = arguments[0]
        self._process = subprocess.Popen(
            [python, "-m", module, *arguments],
            env={**_with_bytecode(), **environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.ready = self._answer()

    def seconds(self, number: int) -> float:
        """The mean time of one of ``number`` calls in a row."""
        assert self._process.stdin is not None
        print(number, file=self._process.stdin, flush=True)
        return float(self._answer()) / number

    def stop(self) -> None:
        """End the process."""
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            self._process.communicate(timeout=10)
        self._process.kill()

    def _answer(self) -> Any:
        """What the worker says next; what a library prints in between is passed over.

        Raises:
            RuntimeError: it has ended, with the end of what it printed.
        """
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        for line in self._process.stdout:
            with contextlib.suppress(json.JSONDecodeError):
                return json.loads(line)
        raise RuntimeError(f"{self.name} has ended: {self._process.stderr.read()[-400:]}")
