"""Derivatives of programs that put arrays into lists, dicts and objects from outside: a record of
the run for the caller, in which there are plain arrays afterwards, as without a derivative.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy

X = np.array([1.3, 0.7, -0.4])
Program = Callable[[np.ndarray, Any], Any]
PROGRAMS: list[tuple[Program, Any]] = []


class Log:
    """What a caller may keep a record in."""

    def __init__(self) -> None:
        self.items: list[Any] = []
        self.by_name: dict[str, Any] = {}


def keeps_in(container: Any) -> Callable[[Program], Program]:
    def note(program: Program) -> Program:
        PROGRAMS.append((program, container))
        return program

    return note


@keeps_in([])
def copies_of_each_round(x, log):
    for _ in range(4):
        x = x * 0.5 + 1
        log.append(x.copy())
    return x.sum()


@keeps_in([])
def copies_in_a_loop_of_the_graph(x, log):
    y = x * 2
    for _ in range(len(x)):
        log.append(y.copy())
        y = y * x
    return y.sum()


@keeps_in([])
def written_to_afterwards(x, log):
    y = x * 2
    log.append(y)
    y[0] = x[1] * 5
    return (y * x).sum()


@keeps_in([])
def written_to_through_the_list(x, log):
    y = x * 2
    log.append(y)
    log.append(y[1:])
    log[0][0] = x[1] * 5
    log[1] += x[:-1]
    return (y * x).sum()


@keeps_in([np.ones(3)])
def moved(x, log):
    log.extend([x * x, x * 3])
    log.insert(0, x + 1)
    log.reverse()
    log[0], log[1] = log[1], log[0]
    last = log.pop()
    last[0] = 1.0
    return sum((each * last).sum() for each in log)


@keeps_in({})
def named(x, log):
    log["a"] = x * 3
    log["b"] = log["a"][1:]
    log["b"][0] = x[0]
    return (log["a"] * x).sum()


@keeps_in(Log())
def of_an_object(x, log):
    log.items.append(x * x)
    log.by_name["k"] = log.items[-1]
    log.by_name["k"][0] = x[1]
    return (log.items[0] * x).sum()


@keeps_in([])
def on_one_path(x, log):
    y = x * 2
    if x[0] > 0:
        log.append(y)
        y[0] = 3.0
    else:
        log.append(x.copy())
    return (log[-1] * x).sum()


@keeps_in([np.ones(3), np.ones(3)])
def in_the_place_of_others(x, log):
    first = log[0]
    log[1] = x * 2
    first[0] = 7.0
    log[0] = log[1]
    return (log[0] * x).sum()


@keeps_in([np.ones(3), np.full(3, 2.0)])
def replaced_in_a_loop(x, log):
    for i in range(len(x)):
        log[i % 2] = log[i % 2] * x
    return (log[0] * log[1]).sum()


@keeps_in([np.ones(3)])
def appended_in_a_loop(x, log):
    for _ in range(len(x)):
        y = log[-1] * x
        y[0] = x[1]
        log.append(y * 1.0)
    return (log[0] * log[-1]).sum()


@keeps_in([np.ones(3), np.full(3, 2.0)])
def moved_in_a_loop(x, log):
    for i in range(len(x)):
        log.insert(1, log[-1] * x)
        log.append(x * i)
        first = log.pop(0)
        log.extend([first, first * x])
    log.reverse()
    del log[1]
    total = 0.0
    for item in log:
        total = total + (item * item).sum()
    return total * len(log) + np.stack(log).sum()


@keeps_in([np.ones(3), np.full(3, 2.0)])
def on_both_paths_of_a_loop(x, log):
    for i in range(len(x)):
        if x[i] > 0:
            log[0] = x * log[0]
        else:
            log.append(x * x[i])
    return (log[0] * log[-1]).sum()


@keeps_in({0: np.ones(3), 2: np.ones(3)})
def by_numbers(x, log):
    for i in range(len(x) + 2):
        log[i] = x * i + (log[i - 1] if i > 0 else 0.0)
    taken = log.pop(2)
    del log[1]
    log.update({7: taken * x})
    total = (log.get(9, x) * x).sum()
    for key in log:
        total = total + (log[key] * key).sum()
    for key, item in log.items():
        total = total + (key * item * item).sum()
    for item in log.values():
        total = total + (item * x).sum()
    return total


@keeps_in({0: 2.0, 2: 3.0})
def numbers_by_numbers(x, log):
    for i in range(len(x)):
        log[i] = x[i] * i + (log[i - 1] if i > 0 else 0.0)
    log[7] = log.pop(2) * x[0]
    total = log.get(9, x[1]) * x[2]
    for key, item in log.items():
        total = total + key * item * item
    return total


def kept(container: Any) -> Any:
    if isinstance(container, Log):
        return [container.items, container.by_name]
    return container


def each(programs: list[tuple[Program, Any]]) -> Any:
    names = [program.__name__ for program, _ in programs]
    return pytest.mark.parametrize(("program", "container"), programs, ids=names)


@each(PROGRAMS)
def test_the_gradient_and_what_is_kept(program: Program, container: Any) -> None:
    def value(x: np.ndarray) -> Any:
        return program(x, copy.deepcopy(container))

    steps = np.eye(len(X)) * 1e-6
    differences = [(value(X + step) - value(X - step)) / 2e-6 for step in steps]
    plain, compiled = copy.deepcopy(container), copy.deepcopy(container)
    program(X.copy(), plain)
    found = staticpy.grad(staticpy.jit(program))(X.copy(), compiled)
    np.testing.assert_allclose(found, differences, rtol=1e-6, atol=1e-8)
    np.testing.assert_equal(kept(compiled), kept(plain))


@each(PROGRAMS)
def test_forward_mode(program: Program, container: Any) -> None:
    jitted = staticpy.jit(program)
    found = staticpy.grad(jitted)(X.copy(), copy.deepcopy(container))
    plain, compiled = copy.deepcopy(container), copy.deepcopy(container)
    program(X.copy(), plain)
    _, tangent = staticpy.jvp(
        staticpy.jit(lambda x: program(x, compiled)), (X.copy(),), (np.ones(3),)
    )
    np.testing.assert_allclose(tangent, found.sum(), rtol=1e-12)
    np.testing.assert_equal(kept(compiled), kept(plain))


@each(PROGRAMS)
def test_second_derivatives(program: Program, container: Any) -> None:
    def gradient(x: np.ndarray) -> Any:
        return staticpy.grad(staticpy.jit(program))(x, copy.deepcopy(container))

    step = np.array([1e-6, 2e-6, -1e-6])
    expected = (gradient(X + step) - gradient(X - step)) / 2e-6
    log = copy.deepcopy(container)
    found = staticpy.hvp(staticpy.jit(lambda x: program(x, log)), (X.copy(),), (step / 1e-6,))
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-7)


def test_one_container_as_two_arguments() -> None:
    def f(x, left, right):
        for i in range(len(x)):
            left[i] = right[0] * x
        return (left[0] * right[1]).sum()

    slope = staticpy.grad(staticpy.jit(f))
    for make in (list, lambda items: dict(enumerate(items))):
        apart = [make([np.ones(3), np.full(3, 2.0), np.ones(3)]) for _ in range(2)]
        np.testing.assert_array_equal(slope(X, *apart), np.full(3, 2.0))
        both = make([np.ones(3), np.full(3, 2.0), np.ones(3)])
        np.testing.assert_allclose(slope(X, both, both), 3 * X**2, rtol=1e-15)
        np.testing.assert_array_equal(both[2], X * X)


def test_arrays_that_are_written_to_stay_refused() -> None:
    def f(x, log):
        for _ in range(len(x)):
            y = log[-1] * x
            log.append(y)
            y[0] = 1.0
        return (log[0] * log[-1]).sum()

    with pytest.raises(staticpy.CompileError, match="SPY701"):
        staticpy.grad(staticpy.jit(f))(X, [np.ones(3)])


def test_of_derivatives_around() -> None:
    """What a list from outside holds may be differentiated by in turn."""

    @staticpy.jit
    def f(w, x, n):
        log = [w * 1.0, w * w]

        def inner(y):
            for _ in range(n):
                log.append(log[-1] * y)
            return (log[-1] * log[0]).sum()

        return staticpy.grad(inner)(x).sum()

    w, x = np.array([0.5, 2.0]), np.array([1.5, -0.5])
    expected = 3 * w**2 * 2 * x  # of w * w * x**2 * w, by x and then by w
    np.testing.assert_allclose(staticpy.grad(f)(w, x, 2), expected, rtol=1e-14)
