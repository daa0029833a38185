"""Derivatives that a program gives itself, under transforms of other kinds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from staticpy import checkpoint, grad, hessian, jacrev, stop_gradient, vjp, vmap
from tests.autodiff.test_custom import X, both, cube, square

Form = Callable[[Callable[..., Any]], Callable[..., Any]]


@both
def test_of_many_examples(form: Form) -> None:
    for transform in (
        grad(form(lambda x: vmap(cube)(x).sum())),
        vmap(grad(form(cube))),
        grad(form(lambda x: vmap(checkpoint(cube))(x).sum())),
    ):
        np.testing.assert_allclose(transform(X), 10 * X)
    np.testing.assert_allclose(grad(form(lambda x: vmap(square)(x).sum()))(X), 3 * X)
    stopped = grad(form(lambda x: vmap(lambda v: v * stop_gradient(v))(x).sum()))
    np.testing.assert_allclose(stopped(X), X)


@both
def test_of_the_way_back_by_itself(form: Form) -> None:
    def f(x):
        return cube(x) * square(x)

    slope = 10 * X * X**2 + X**3 * 3 * X
    _, back = vjp(form(f), X)
    for factor in (1.0, 2.0):  # as often as one likes
        np.testing.assert_allclose(back(factor * np.ones(4))[0], factor * slope)
    inside = form(lambda x: vjp(checkpoint(f), x)[1](x)[0])
    np.testing.assert_allclose(inside(X), slope * X)
    np.testing.assert_allclose(jacrev(form(f))(X), np.diag(slope))
    second = hessian(form(lambda x: f(x).sum()))(X)
    # of 10 x * square(x) + cube(x) * 3 x, where the rules give the derivatives
    expected = 10 * X**2 + 10 * X * 3 * X + 10 * X * 3 * X + X**3 * 3
    np.testing.assert_allclose(second, np.diag(expected))
