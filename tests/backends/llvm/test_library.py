"""Functions of the C library in loops of which no round changes their arguments: asked once, with
the numbers and exceptions of Python.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

Program = Callable[..., Any]


def burgers(u, dt, dx):
    for step in range(3):
        for i in range(1, len(u) - 1):
            u[i] += 0.01 * dt / dx**2 * (u[i + 1] - 2 * u[i] + u[i - 1]) + step
    return u


def other_ones_in_each_step(u, a, b):
    for step in range(4):
        scale = a + step % 2
        for i in range(len(u)):
            u[i] = u[i] * math.exp(-scale) + math.atan2(scale, b) + math.pow(scale, b)
    return u


def zeros_of_both_signs(u, a, b):
    for step in range(4):
        zero = 0.0 if step % 2 else -0.0
        for i in range(len(u)):
            u[i] += math.copysign(1.0, math.sin(zero)) + math.tanh(a) * math.fmod(a, b)
    return u


def raised_in_the_third_step(u, a, b):
    for step in range(5):
        large = a + 400.0 * step
        for i in range(len(u)):
            u[i] = step
            u[i] += math.exp(large) + large**b
    return u


def never_asked(u, a, b):
    for i in range(len(u)):
        if u[i] > 1e300:
            u[i] = (-a) ** 0.5 + math.log(-a) + a**1e9
    return u


PROGRAMS = [
    *(burgers, other_ones_in_each_step, zeros_of_both_signs, raised_in_the_third_step),
    never_asked,
]


@pytest.mark.parametrize("size", [0, 1, 7])
@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_programs(program: Program, size: int) -> None:
    native = staticpy.jit(program, backend="llvm")
    for a, b in [(0.3, 0.7), (1.5, -2.0), (np.inf, 1.0), (2.0, np.nan), (0.0, 3.0)]:
        outcomes = []
        for function in (program, native):
            u, raised = np.linspace(0.1, 1.0, size), ""
            try:
                function(u, a, b)
            except (OverflowError, ValueError, ZeroDivisionError) as error:
                raised = f"{type(error).__name__}: {error}"
            u[np.isnan(u)] = np.nan  # of a sum of two, which one it is depends on their order
            outcomes.append((u.tobytes(), raised))
        assert outcomes[0] == outcomes[1], (a, b)
