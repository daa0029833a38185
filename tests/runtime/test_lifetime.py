"""What was compiled for a function goes with it."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy.ir import Module


def total(x: np.ndarray) -> Any:
    result = 0.0
    for i in range(len(x)):
        result += abs(x[i]) * np.sum(x)
    return result


def shifted(by: float) -> Callable[..., Any]:
    def add(x: np.ndarray) -> Any:
        return x + by

    return add


def jitted(x: np.ndarray) -> Any:
    return staticpy.jit(total)(x)


def of_a_closure(x: np.ndarray) -> Any:
    return staticpy.jit(shifted(2.0))(x)


def gradient(x: np.ndarray) -> Any:
    return staticpy.grad(staticpy.jit(total))(x)


def gradient_inside(x: np.ndarray) -> Any:
    def slope(x: np.ndarray) -> Any:
        return staticpy.grad(total)(x)

    return staticpy.jit(slope)(x)


def on_the_tape(x: np.ndarray) -> Any:
    return staticpy.grad(total)(x)


def pullback(x: np.ndarray) -> Any:
    out, back = staticpy.vjp(staticpy.jit(total), x)
    return out, back(1.0)


def batched(x: np.ndarray) -> Any:
    return staticpy.vmap(staticpy.jit(lambda v: v * 2.0))(x)


def refused(x: np.ndarray) -> Any:
    with pytest.raises(staticpy.CompileError):
        staticpy.jit(lambda x: x + undefined)(x)


def alive() -> int:
    gc.collect()
    return sum(type(each) is Module for each in gc.get_objects())


@pytest.mark.parametrize(
    "run",
    [jitted, of_a_closure, gradient, gradient_inside, on_the_tape, pullback, batched, refused],
    ids=lambda run: run.__name__,
)
def test_no_graph_outlives_its_function(run: Callable[..., Any]) -> None:
    before = alive()
    run(np.arange(3.0))
    assert alive() <= before
