"""Sorting in descending order, which NumPy does from 2.5 on: exactly as this version does it."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy.diagnostics import CompileError

X = np.array([[3.0, np.nan, 1.0, 0.0], [-0.0, 0.0, np.inf, 3.0]])
HAS_IT = "descending" in inspect.signature(np.sort).parameters


def both(x: Any) -> Any:
    return np.sort(x, descending=True), np.argsort(x, axis=0, descending=True, stable=True)


@pytest.mark.skipif(not HAS_IT, reason="NumPy sorts in descending order from 2.5 on")
@pytest.mark.parametrize("x", [X, X.astype("f2"), X > 0, X[0]])
def test_as_numpy_does(x: np.ndarray) -> None:
    for found, expected in zip(staticpy.jit(both)(x), both(x), strict=True):
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found, expected)


@pytest.mark.skipif(HAS_IT, reason="this version has it")
def test_refused_where_numpy_has_it_not() -> None:
    with pytest.raises(CompileError, match="SPY502"):
        staticpy.jit(both)(X)
