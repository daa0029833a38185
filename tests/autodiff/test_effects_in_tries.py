"""What a program does in a ``try`` around itself is done once, however often derivatives run its
body, and what it raises says the same.
"""

from __future__ import annotations

import contextlib
import io
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy

X = np.array([0.3, -0.9, 0.7])
Program = Callable[[np.ndarray, list[Any], np.ndarray], Any]


def logarithms(x, log, y):
    total = 0.0
    for i in range(4):
        try:
            print("round", i)
            y[i] = x[i] * 2
            log.append(i)
            total = total + math.log(x[i])
            y[i + 1] = total
            log.append(str(i))
        except ValueError as error:
            print("bad", error)
            total = total - 1
        except IndexError as error:
            print("index", error)
            log.append(-1)
    return total * x[0]


def places_in_lists(x, log, y):
    items = [1.0, x[0]]
    total = 0.0
    for k in (0, 5, 1):
        try:
            total = total + x[k % 3]
            items[k] = total * x[1]
            del items[k + 1]
        except IndexError as error:
            print(error, type(error).__name__)
        try:
            total = total * x[1]
            items.pop()
            items.pop()
        except IndexError as error:
            print(error)
        log.append(len(items))
    return total


def places_in_arrays(x, log, y):
    total = 0.0
    for k in (0, 5, 1):
        try:
            total = total + x[k % 3]
            y[k : k + 2] = x[:k]
            y[k] += total
            y += x[1:]
        except (ValueError, IndexError) as error:
            print(error)
        log.append(k)
    return total


def keys(x, log, y):
    total = 0.0
    held = {"a": 1.0}
    for k in ("a", "b", "a"):
        try:
            total = total + x[0]
            held.pop(k)
            log.append(k)
            del held["z"]
        except KeyError as error:
            print(repr(error), error.args)
            total = total * x[1]
    return total


def run(call: Callable[..., Any], program: Program, *, is_written: bool = True) -> Any:
    """What is printed, kept and written."""
    log: list[Any] = []
    y = np.zeros(3)
    y.flags.writeable = is_written
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        call(program, log, y)
    return out.getvalue(), log, y.tolist()


def value(program: Program, log: list[Any], y: np.ndarray) -> Any:
    return program(X.copy(), log, y)


def gradient(program: Program, log: list[Any], y: np.ndarray) -> Any:
    return staticpy.grad(staticpy.jit(program))(X.copy(), log, y)


def tangent(program: Program, log: list[Any], y: np.ndarray) -> Any:
    return staticpy.jvp(staticpy.jit(lambda x: program(x, log, y)), (X.copy(),), (np.ones(3),))


def second(program: Program, log: list[Any], y: np.ndarray) -> Any:
    return staticpy.hvp(staticpy.jit(lambda x: program(x, log, y)), (X.copy(),), (np.ones(3),))


PROGRAMS = [logarithms, places_in_lists, places_in_arrays, keys]


@pytest.mark.parametrize("call", [gradient, tangent, second])
@pytest.mark.parametrize("program", PROGRAMS)
def test_what_is_done_is_done_once(program: Program, call: Callable[..., Any]) -> None:
    assert run(call, program) == run(value, program)


@pytest.mark.parametrize("call", [gradient, tangent])
@pytest.mark.parametrize("program", [logarithms, places_in_arrays])
def test_an_array_that_is_not_to_be_written_to(program: Program, call: Any) -> None:
    expected = run(value, program, is_written=False)
    assert "read-only" in expected[0]
    assert run(call, program, is_written=False) == expected
