"""What flows to one value by several names is added up as on a tape: bit for bit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy
from tests.autodiff.twin_programs import PROGRAMS, begins_as_one, in_a_branch

POINTS = np.random.default_rng(5).uniform(0.5, 3.0, (12, 4))


@pytest.mark.parametrize("kind", [float, np.float64, np.asarray])
@pytest.mark.parametrize("program", PROGRAMS)
def test_as_on_a_tape(program: Callable[..., Any], kind: Callable[..., Any]) -> None:
    def summed(x: Any, n: int) -> Any:
        return np.sum(program(x, n)) if kind is np.asarray else program(x, n)

    plain, graph = staticpy.grad(summed), staticpy.grad(staticpy.jit(summed))
    for point in POINTS:
        x = kind(point if kind is np.asarray else point[0])
        for n in range(5):
            np.testing.assert_array_equal(graph(x, n), plain(x, n))


@pytest.mark.parametrize("program", [begins_as_one, in_a_branch])
def test_again_and_many_at_once(program: Callable[..., Any]) -> None:
    graph = staticpy.grad(staticpy.jit(program))
    twice, many = staticpy.grad(graph), staticpy.vmap(graph, in_axes=(0, None))
    push = staticpy.jit(lambda x, n: staticpy.jvp(graph, (x, n), (1.0, None))[1])
    for n in range(4):
        found = [graph(x, n) for x in POINTS[0]]
        np.testing.assert_allclose(many(POINTS[0], n), found, rtol=1e-14)
        for x in POINTS[0].tolist():
            near = (graph(x + 1e-6, n) - graph(x - 1e-6, n)) / 2e-6
            np.testing.assert_allclose(twice(x, n), near, rtol=1e-5, atol=1e-7)
            np.testing.assert_allclose(push(x, n), near, rtol=1e-5, atol=1e-7)


def test_code_without_twins_stays_plain() -> None:
    @staticpy.jit
    def f(x: float, n: int):
        for _ in range(n):
            x = 3.1 * x * (1 - x)
        return x

    assert "if" not in staticpy.grad(f).lower(0.3, 4).compile().source
