"""Derivatives through what a program puts into lists, dicts and objects from outside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import staticpy
from tests.autodiff.outside_programs import PROGRAMS, restore, state

Program = Callable[[float, int], Any]
X, STEP = 1.7, 1e-4


def run(program: Program, x: float, n: int) -> Any:
    restore()
    return program(x, n)


def pushed(program: Program) -> Program:
    return lambda x, n: staticpy.jvp(program, (x, n), (1.0, None))[1]


@pytest.mark.parametrize("n", [0, 1, 3])
@pytest.mark.parametrize("program", PROGRAMS)
def test_of_both_orders(program: Program, n: int, capsys: pytest.CaptureFixture[str]) -> None:
    low, value, high = (run(program, X + step, n) for step in (-STEP, 0.0, STEP))
    first, second = (high - low) / 2 / STEP, (high - 2 * value + low) / STEP**2
    capsys.readouterr()
    run(program, X, n)
    due, shown = state(), capsys.readouterr().out
    graph = staticpy.jit(program)
    slope = staticpy.grad(graph)
    for derivative, expected in [
        (slope, first),
        (pushed(graph), first),
        (staticpy.grad(slope), second),
        (pushed(slope), second),
        (staticpy.grad(staticpy.jit(pushed(graph))), second),
    ]:
        assert run(derivative, X, n) == pytest.approx(expected, rel=1e-5, abs=1e-5)
        assert (state(), capsys.readouterr().out) == (due, shown)


def test_one_list_as_two_arguments() -> None:
    def f(x, left, right, n):
        for _ in range(n):
            left.append(right[-1] * x)
        right.sort()
        return left[0] * right[-1] * x

    slope = staticpy.grad(staticpy.jit(f))

    @staticpy.jit
    def pushed(x, left, right, n):
        return staticpy.jvp(lambda x: f(x, left, right, n), (x,), (1.0,))[1]

    for derivative in (slope, pushed):
        both = [1.0, 2.0]
        assert derivative(1.5, [1.0, 2.0], [3.0, 1.0], 2) == 3.0
        assert derivative(1.5, both, both, 2) == pytest.approx(2.0 * 3 * 1.5**2)
        assert both == [1.0, 2.0, 3.0, 4.5]


def test_what_has_no_way_yet_says_so() -> None:
    rows = [[1.0], [2.0]]

    @staticpy.jit
    def f(x, n):
        for i in range(n):
            rows[i % 2].append(x)
        return rows[n % 2][-1] * x

    for derivative in (staticpy.grad(f), pushed(f)):
        with pytest.raises(staticpy.CompileError, match="SPY701"):
            derivative(1.0, 3)
