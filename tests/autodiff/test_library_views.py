"""Functions of NumPy that make new arrays, and sometimes a view of their argument instead."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy.diagnostics import CompileError

X = np.array([[1.0, 2.0], [3.0, 4.0]])
PARTS: list[Callable[[Any], Any]] = [
    lambda m: np.einsum("ii->i", m),
    lambda m: np.einsum("ij->ji", m),
    lambda m: np.linalg.matrix_power(m, 1),
]


@pytest.mark.parametrize("part", PARTS)
def test_writes_through_them_are_not_lost(part: Callable[[Any], Any]) -> None:
    """A function that is no ``einsum`` may give what is neither a view nor a copy."""

    def total(m: Any) -> Any:
        m = m * 1.0
        seen = part(m)
        seen *= 3.0
        return m.sum()

    assert staticpy.jit(total)(X) == total(X)
    if part is PARTS[-1]:
        with pytest.raises(CompileError, match="SPY701"):
            staticpy.grad(staticpy.jit(total))(X)
    else:
        assert staticpy.grad(staticpy.jit(total))(X).sum() == total(np.ones((2, 2)))


@pytest.mark.parametrize("part", PARTS)
def test_what_is_read_through_them_has_its_derivative(part: Callable[[Any], Any]) -> None:
    def total(m: Any) -> Any:
        return (part(m * 2.0) ** 2).sum()

    found, eager = staticpy.grad(staticpy.jit(total))(X), staticpy.grad(total)(X)
    assert np.array_equal(found, eager)
