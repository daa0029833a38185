"""What is kept of a compiled call with Tensors, and run again: what its results need."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

import staticpy
from staticpy import Tensor

X = np.array([0.5, -1.0, 2.0])


def test_effects_are_not_run_twice(capsys: pytest.CaptureFixture[str]) -> None:
    seen: list[int] = []
    total = np.zeros(3)

    @staticpy.jit
    def shown(x):
        print(x.shape)
        seen.append(len(x))
        total[:] += 1.0
        return (x * x).sum()

    x = Tensor(X, requires_grad=True)
    shown(x).backward()
    np.testing.assert_array_equal(x.grad.numpy(), 2 * X)
    assert capsys.readouterr().out == "(3,)\n"
    assert seen == [3]
    np.testing.assert_array_equal(total, 1.0)


def test_only_what_the_result_needs_is_kept() -> None:
    memory = np.ones(1_000_000)

    @staticpy.jit
    def step(x):
        memory[:] = memory * 0.5
        return (x * x).sum(), memory.sum()

    x = Tensor(X, requires_grad=True)
    step(x)
    tracemalloc.start()
    results = [step(x)[0] for _ in range(5)]
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < memory.nbytes
    results[0].backward()
    np.testing.assert_array_equal(x.grad.numpy(), 2 * X)
    assert memory[0] == 0.5**6


def test_what_is_written_before_it_is_read_is_run_again() -> None:
    memory = np.ones(3)

    @staticpy.jit
    def step(x):
        memory[:] += 1.0
        y = x * memory
        memory[:] = 0.0
        return y.sum()

    x = Tensor(X, requires_grad=True)
    step(x).backward()
    np.testing.assert_array_equal(x.grad.numpy(), 2.0)
    np.testing.assert_array_equal(memory, 0.0)
