"""Functions of NumPy that make new arrays, and sometimes a view of their argument instead."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy

X = np.array([[1.0, 2.0], [3.0, 4.0]])
PARTS: list[Callable[[Any], Any]] = [
    lambda m: np.einsum("ii->i", m),
    lambda m: np.einsum("ij->ji", m),
    lambda m: np.linalg.matrix_power(m, 1),
    lambda m: np.linalg.matrix_power(m, 2),
    lambda m: np.polyder(m[0], 0),
    lambda m: np.polyint(m[1], 0),
]


@pytest.mark.parametrize("part", PARTS)
def test_writes_through_them_are_not_lost(part: Callable[[Any], Any]) -> None:
    def total(m: Any) -> Any:
        m = m * 1.0
        seen = part(m)
        seen *= 3.0
        return m.sum()

    assert staticpy.jit(total)(X) == total(X)
    ones = np.ones((2, 2))
    _, moved = staticpy.jvp(staticpy.jit(total), (X,), (ones,))
    assert staticpy.grad(staticpy.jit(total))(X).sum() == moved == total(ones)


@pytest.mark.parametrize("part", PARTS)
def test_what_is_read_through_them_has_its_derivative(part: Callable[[Any], Any]) -> None:
    def total(m: Any) -> Any:
        return (part(m * 2.0) ** 2).sum()

    found, eager = staticpy.grad(staticpy.jit(total))(X), staticpy.grad(total)(X)
    assert np.array_equal(found, eager)
