"""Programs that train what a dict holds by name: the rounds of a loop don't know which name they
have come to, so what is differentiated by is an array on some paths, or has other axes there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from staticpy import grad, jacrev, vjp
from tests.autodiff.held_programs import differentiable
from tests.autodiff.programs import X


def loss(parameters):
    """The fit of a line, whose two parameters are a matrix and a row, or a row and a number."""
    return ((np.ones(2) @ parameters["w"] * 2.0 + parameters["b"] - 1.0) ** 2).sum()


@differentiable((X, 3), (X, 1))
def momentum_by_name(x, n):
    parameters, moments = {"w": np.outer(x[:2], x[1:3]), "b": x[2:]}, {}
    for _ in range(n):
        slopes = grad(loss)(parameters)
        for name, value in parameters.items():
            known = moments.get(name)
            new = slopes[name] if known is None else 0.9 * known + 0.1 * slopes[name]
            moments[name] = new
            parameters[name] = value - 0.05 * new
    return loss(parameters)


class Descent:
    """An optimiser that makes its moments when it meets a name for the first time."""

    def __init__(self, rate: Any) -> None:
        self.rate = rate
        self.moments: dict[str, Any] = {}
        self.steps = 0

    def step(self, parameters, slopes):
        self.steps += 1
        for name in parameters:
            if name not in self.moments:
                self.moments[name] = np.zeros_like(parameters[name])
            moment = 0.8 * self.moments[name] + 0.2 * slopes[name]
            self.moments[name] = moment
        scale = self.rate / (1 - 0.8**self.steps)
        return {name: parameters[name] - scale * self.moments[name] for name in parameters}


@differentiable((X, 3), (X, 0))
def an_optimiser_of_several_arrays(x, n):
    descent, parameters = Descent(0.1 * x[3]), {"w": x[:2, None] * x[:2], "b": x[1:3]}
    for _ in range(n):
        parameters = descent.step(parameters, grad(loss)(parameters))
    return loss(parameters)


@differentiable((X, 2))
def numbers_among_the_arrays(x, n):
    parameters, seen = {"w": x[:2].copy(), "b": x[2]}, {}
    for _ in range(n):
        slopes = vjp(loss, parameters)[1](x[3])[0]
        parameters = {name: parameters[name] - 0.1 * slopes[name] for name in slopes}
        for name, value in parameters.items():
            seen[name] = seen.get(name, 0.0) + value
        parameters = {"w": seen["w"], "b": seen["b"]}
    return loss(parameters)


@differentiable((X, 2))
def rows_by_what_may_be_a_number(x, n):
    held = {"a": x[0], "b": x[1:]}
    total = 0.0
    for k in range(n):
        for name, value in held.items():
            found = jacrev(lambda each: np.sin(each) * x.sum())(value)
            held[name] = value + 0.5 * np.sum(found) * k
            total = total + np.sum(held[name] ** 2)
    return total
