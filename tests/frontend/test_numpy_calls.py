"""What NumPy would turn into arrays of objects, and what it decides by values, is refused."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy.diagnostics import CompileError, DiagnosticError

X = np.array([3.0, -1.0, 2.0])


class Element:
    """An element of an array of objects, to NumPy."""

    def __radd__(self, other: Any) -> Any:
        return 5

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = None  # type: ignore[assignment]


class Color(Enum):
    RED = 1


def array_plus_object(x: Any) -> Any:
    return x + Element()


def number_plus_object(x: Any) -> Any:
    return x[0] + Element()


def array_equals_object(x: Any) -> Any:
    return x == Element()


def array_of_an_iterator(x: Any) -> Any:
    return np.array(v * 2 for v in x)


def sum_of_a_zip(x: Any) -> Any:
    return np.sum(zip(x, x, strict=False))


def array_of_a_set(x: Any) -> Any:
    return np.array({1, 2})


def array_of_members(x: Any) -> Any:
    return np.array([Color.RED])


def array_of_flat(x: Any) -> Any:
    return np.array(x.flat)


def flat_twice(x: Any) -> Any:
    elements = x.flat
    return list(elements), list(elements)


def axes_kept_by_a_value(x: Any) -> Any:
    return np.sum(x, keepdims=x[0] > 0)


def axis_of_size_one(x: Any) -> Any:
    return np.squeeze(x[x > 2])


_REFUSED = [
    (array_plus_object, "SPY605"),
    (number_plus_object, "SPY605"),
    (array_equals_object, "SPY605"),
    (array_of_an_iterator, "SPY506"),
    (sum_of_a_zip, "SPY506"),
    (array_of_a_set, "SPY506"),
    (array_of_members, "SPY506"),
    (array_of_flat, "SPY506"),
    (flat_twice, "SPY209"),
    (axes_kept_by_a_value, "SPY504"),
    (axis_of_size_one, "SPY627"),
]


@pytest.mark.parametrize(("function", "code"), _REFUSED)
def test_refused(function: Callable[..., Any], code: str) -> None:
    with pytest.raises((CompileError, DiagnosticError), match=code):
        staticpy.jit(function)(X.copy())


def test_generator_of_the_caller_is_drawn_from() -> None:
    @staticpy.jit
    def draws(rng: Any, n: int) -> Any:
        total = 0.0
        for _ in range(n):
            total += rng.random()
        return total, rng.normal(size=2)

    ours, theirs = np.random.default_rng(1), np.random.default_rng(1)
    for n in (3, 2, 2):
        total, row = draws(ours, n)
        expected = 0.0
        for _ in range(n):
            expected += theirs.random()
        assert total == expected
        assert row.tolist() == theirs.normal(size=2).tolist()
