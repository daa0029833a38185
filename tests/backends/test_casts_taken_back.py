"""Casts in NumPy source: what NumPy does anyway is left to it, what changes numbers is done."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy

WIDE = np.array([1.1, 2.2e5, -3.3, 7.0])
INTS = np.array([1, 70_000, -200, 7], dtype=np.int32)


def rounded(x: Any) -> Any:
    return x + x.astype(np.float32)


def there_and_back(x: Any) -> Any:
    return x * x.astype(np.float32).astype(np.float64)


def compared(x: Any) -> Any:
    return x == x.astype(np.int16)


def by_half(x: Any) -> Any:
    return np.where(x > 0, x.astype(np.float16), x)


def in_place(x: Any) -> Any:
    y = x.copy()
    y -= x.astype(np.int16)
    return y


CASES = [
    (function, x)
    for function in (rounded, there_and_back, compared, by_half, in_place)
    for x in (WIDE, INTS, INTS.astype(np.int64), np.asfortranarray(np.outer(WIDE, WIDE)))
]


@pytest.mark.parametrize(("function", "x"), CASES)
@pytest.mark.parametrize("backend", ["python_source", "llvm"])
@pytest.mark.filterwarnings("ignore:.*encountered in cast")
def test_a_cast_that_loses_something_is_done(
    function: Callable[..., Any], x: np.ndarray, backend: str
) -> None:
    compiled, expected = staticpy.jit(function, backend=backend), function(x)
    for found in (compiled(x), compiled(x)):
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found, expected)


def test_a_cast_that_numpy_does_anyway_is_not_written_down() -> None:
    @staticpy.jit(backend="python_source")
    def f(x, y):  # type: ignore[no-untyped-def]
        return x.astype(np.float64) + y

    source = f.lower(INTS, WIDE).compile().source
    assert "astype" not in source
