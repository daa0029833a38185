"""Derivatives that a program gives itself: compiled, in plain Python, and one in another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy import grad, stop_gradient
from tests.support.describing import compare_trees

X = np.array([0.3, 0.9, 0.7, 1.2])
both = pytest.mark.parametrize(
    "form", [staticpy.jit, lambda function: function], ids=["graph", "tape"]
)
Form = Callable[[Callable[..., Any]], Callable[..., Any]]


# --- stop_gradient --------------------------------------------------------------------------------


@both
def test_stop_gradient(form: Form) -> None:
    def f(x, n):
        y = x
        for _ in range(n):
            y = y * x + stop_gradient({"y": y, "x": x})["y"]
        return y

    def constants(x, n):
        y, values = x, [x]
        for _ in range(n):
            y = y * x + values[-1]
            values.append(y)
        stopped = values[:-1]

        def g(x):
            y = x
            for value in stopped:
                y = y * x + value
            return y

        return grad(g)(x)

    assert form(f)(1.1, 4) == f(1.1, 4)
    assert grad(form(f))(1.1, 4) == pytest.approx(constants(1.1, 4))


@both
def test_stop_gradient_stops_every_order(form: Form) -> None:
    def f(x):
        return x * stop_gradient(x * x) + x**3

    assert grad(form(lambda x: grad(f)(x) * x))(2.0) == 4 * 1 + 9 * 4


@both
def test_stop_gradient_gives_what_it_gets(form: Form) -> None:
    tree = {"array": X, "rest": (1, 2.5, None)}
    found = form(lambda tree: stop_gradient(tree))(tree)  # noqa: PLW0108
    assert found["array"] is X
    assert found is not tree
    assert list(compare_trees(tree, found, "tree")) == []
    with pytest.raises(TypeError, match="numbers and arrays"):
        form(lambda x: stop_gradient(len) or x)(1.0)


def test_stop_gradient_of_memory() -> None:
    """The very array, into which the program may go on to write."""

    @staticpy.jit
    def f(x):
        squares = np.zeros(4)
        for i in range(4):
            squares[i] = x[i] ** 2
        return (stop_gradient(squares) * x * squares).sum()

    np.testing.assert_allclose(grad(f)(X), 3 * X**4)

    @staticpy.jit
    def writes(x):
        y = stop_gradient(x)
        y[0] = 5.0
        return x.sum()

    x = X.copy()
    assert writes(x) == x.sum()
    assert x[0] == 5.0
