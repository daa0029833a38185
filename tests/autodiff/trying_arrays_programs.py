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


# --- classes of which one is the other's base -----------------------------------------------------


class SpentError(StateError):
    """A state that has been used up."""


class CountError(Exception):
    """Not as many as there should be. Its ``state`` is a number."""

    def __init__(self, state):
        super().__init__()
        self.state = state


@differentiable((X, 0), (X, 1), (X, 2))
def one_of_two_classes(x, n):
    try:
        if n == 0:
            raise StateError(x * 2, x[0])
        if n == 1:
            raise SpentError(x * x, x[1])
        total = np.sum(x)
    except StateError as error:
        total = np.sum(error.state**2) * error.weight
    return total


@differentiable((X, 4))
def a_class_and_its_base_in_turns(x, n):
    total = x[0] * 1.0
    for i in range(n):
        try:
            if i == 1:
                raise SpentError(x[i:] * total)
            if i == 2:
                raise StateError(x, total * x[i])
            total = total + x[i]
        except SpentError as error:
            total = total * np.sum(error.state)
        except StateError as error:
            total = total + error.weight * error.state[1]
    return total


@differentiable((X, 0), (X, 1))
def an_array_or_a_number_by_its_class(x, n):
    try:
        if n == 0:
            raise StateError(x * 2)
        raise CountError(x[1] * x[0])
    except (StateError, CountError) as error:
        y = error.state * x
    return np.sum(y * y)
