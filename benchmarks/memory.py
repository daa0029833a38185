"""Whether training keeps memory: the resident size after many steps, and after the first ones.

`python -m benchmarks.memory graph 10000` trains in this process alone, and prints both in kB.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import staticpy
from benchmarks.timing import Measurement
from staticpy import nn, optim

STEPS = 10_000
WARM_UP = 500
"""After so many steps all is compiled, and the allocator has what it needs."""


def resident() -> int:
    """The kilobytes of this process that are in memory (Linux)."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    raise OSError("the resident size is not in /proc/self/status")


def training(way: str) -> Callable[[], object]:
    """A step with Adam of a small network on 16 examples: as one graph, in plain Python, or with a
    compiled forward pass and ``backward``.
    """
    rng = np.random.default_rng(0)
    net = nn.SequentialCell(nn.Dense(8, 16, rng=rng), nn.Tanh(), nn.Dense(16, 1, rng=rng))
    x, y = (rng.normal(size=(16, n)).astype(np.float32) for n in (8, 1))
    optimizer = optim.Adam(net, optim.schedules.Cosine(1e-3, STEPS))
    loss = nn.MSELoss()

    def step(x: Any, y: Any) -> Any:
        error, grads = staticpy.value_and_grad(lambda net, x, y: loss(net(x), y))(net, x, y)
        optimizer.step(grads)
        return error

    def step_by_backward(x: Any, y: Any) -> Any:
        error = forward(x, y)
        error.backward()
        optimizer.step()
        optimizer.zero_grad()
        return error

    forward = staticpy.jit(lambda x, y: loss(net(x), y)) if way == "backward" else None
    run = {"graph": staticpy.jit(step), "eager": step, "backward": step_by_backward}[way]
    return lambda: run(x, y)


def sizes(way: str, steps: int) -> tuple[int, int]:
    """The resident size after the first steps, and after all."""
    step = training(way)
    for _ in range(WARM_UP):
        step()
    first = resident()
    for _ in range(steps - WARM_UP):
        step()
    return first, resident()


def memory(_: int) -> Iterator[Measurement]:
    """The resident size of fresh processes that train."""
    for way in ("graph", "backward", "eager"):
        command = [sys.executable, "-m", "benchmarks.memory", way, str(STEPS)]
        printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        first, last = map(int, printed.split())
        name = f"memory: {STEPS} steps, {way}"
        peer = f"at {WARM_UP}"
        yield Measurement(name, last / 1e3, "MB", peer, first / 1e3, "≤ 1.05 x")


if __name__ == "__main__":
    print(*sizes(sys.argv[1], int(sys.argv[2])))
