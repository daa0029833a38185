"""Programs whose handlers read arrays of exceptions. As those of ``trying_programs``."""

from __future__ import annotations

import numpy as np

from tests.autodiff.programs import X, differentiable


class StateError(Exception):
    """A state that is not to go on."""

    def __init__(self, state, weight=1.0):
        super().__init__("a bad state")
        self.state = state
        self.weight = weight


@differentiable((X,), (-X,))
def an_array_of_an_exception(x):
    try:
        if x[0] > 0:
            raise StateError(x * 2)
        total = np.sum(x)
    except StateError as error:
        total = np.sum(error.state**2) * x[1]
    return total


@differentiable((X, 3), (X * 2, 4))
def arrays_of_exceptions_in_a_loop(x, n):
    total = 0.0
    for i in range(n):
        try:
            if x[i] > 0.5:
                raise StateError(x[i:] * x[0], x[i])
            total = total + x[i] ** 2
        except StateError as error:
            total = total + np.sum(error.state * error.state) * error.weight
    return total


@differentiable((X,))
def an_array_behind_finally(x):
    total = x[0]
    try:
        try:
            raise StateError(np.sin(x))
        finally:
            total = total * 2
    except StateError as error:
        total = total * np.prod(error.state)
    return total
