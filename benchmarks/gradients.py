"""Gradients beside the programs that they are of: loops of numbers, of elements and of arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

import staticpy
from benchmarks.loops_of_numbers import PROGRAMS
from benchmarks.timing import Measurement, medians
from examples.perceptron import logits, make_images, make_parameters

STEPS = (100, 1_000, 10_000, 100_000)
"""The rounds of a loop; ten times as many should take ten times as long."""


def running_sum(values: np.ndarray, n: int) -> float:
    """Elements read and written one by one."""
    made = np.ones(n + 1)
    for i in range(n):
        made[i + 1] = made[i] * 0.5 + values[i]
    return made[n]


def heat(u: np.ndarray, n: int) -> float:
    """A row of 1,000 numbers, changed in place by slices."""
    u = u.copy()
    for _ in range(n // 100):
        u[1:-1] += 0.1 * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return (u * u).sum()


def perceptron_loss(parameters: Any, images: np.ndarray, labels: np.ndarray) -> float:
    """Cross entropy of three layers: twice the products of the forward pass, but one."""
    scores = logits(parameters, images)
    shifted = scores - np.max(scores, axis=1, keepdims=True)
    logarithms = shifted - np.log(np.sum(np.exp(shifted), axis=1, keepdims=True))
    return -(logarithms * labels).sum() / len(labels)


def _row(name: str, function: Callable[..., Any], args: Any, rounds: int) -> Measurement:
    forward = staticpy.jit(function)
    gradient = staticpy.grad(forward)
    thunks = {"gradient": partial(gradient, *args), "forward": partial(forward, *args)}
    for thunk in thunks.values():
        thunk()
    times = {name: time * 1e3 for name, time in medians(thunks, rounds).items()}
    row = f"gradient: {name}"
    return Measurement(row, times["gradient"], "ms", "forward", times["forward"], "≤ 4 x")


def gradients(rounds: int) -> Iterator[Measurement]:
    """Each program with two numbers of rounds, and a perceptron of three layers."""
    for n in STEPS:
        values = np.linspace(0.1, 0.2, n)
        for name, (program, x) in PROGRAMS.items():
            yield _row(f"{name}, {n} x", program, (x, n), rounds)
        yield _row(f"y[i + 1] = y[i] * ..., {n} x", running_sum, (values, n), rounds)
        u = np.sin(np.linspace(0.0, 3.0, 1000))
        yield _row(f"u[1:-1] += ..., {n // 100} x", heat, (u, n), rounds)
    labels = np.eye(10, dtype=np.float32)[np.arange(64) % 10]
    args = (make_parameters(0), make_images(64, 1), labels)
    yield _row("perceptron, batch of 64", perceptron_loss, args, rounds)
