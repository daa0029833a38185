"""Forward mode of reductions that leave elements out: their tangents count nothing, even NaN."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy

X = np.array([1.0, 2.0, 3.0])
GAPS = np.array([1.0, np.nan, 2.0])


def squares(x):
    return (x * GAPS) ** 2


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda x: np.nansum(squares(x)), 74),
        (lambda x: np.nanmean(squares(x)), 37),
        (lambda x: np.nanmax(squares(x)), 72),
        (lambda x: np.nanmin(squares(x)), 2),
        (lambda x: np.nanprod(squares(x)), 144),
        (lambda x: np.sum(squares(x), where=~np.isnan(GAPS)), 74),
        (lambda x: np.max(squares(x), where=~np.isnan(GAPS), initial=0), 72),
        (lambda x: np.max(np.sqrt(x - 1)), 3 / (2 * np.sqrt(2))),  # infinite for the first one
    ],
)
@pytest.mark.parametrize("form", [lambda f: f, staticpy.jit], ids=["plain", "compiled"])
def test_tangents(form: Any, function: Callable[[Any], Any], expected: float) -> None:
    with np.errstate(divide="ignore", invalid="ignore"):
        moved = staticpy.jvp(form(function), (X,), (X,))[1]
    np.testing.assert_allclose(moved, expected, rtol=1e-14)
