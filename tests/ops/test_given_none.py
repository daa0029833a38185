"""``None`` and other things that are given to NumPy's functions, and are no default there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy import CompileError

X = np.arange(4.0).reshape(2, 2)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: np.where(x > 1, None, None),  # an array of objects, not the places
        lambda x: np.where(x > 1, None, 1.0),
        lambda x: np.where(x > 1, None),
        lambda x: x.item(None),
        lambda x: x.item(0, slice(1)),
        lambda x: x.item(...),
        lambda x: x.item((0, (1, 0))),
        lambda x: x.item(True, True),
        lambda x: x.item(np.array([1])),
    ],
)
def test_refused(function: Callable[[Any], Any]) -> None:
    with pytest.raises(CompileError, match=r"SPY50[56]"):
        staticpy.jit(function)(X)


def test_where_it_is_none() -> None:
    found = staticpy.jit(lambda x: np.where(x > 1))(X)
    np.testing.assert_array_equal(found, np.where(X > 1))


@pytest.mark.parametrize("place", [3, -1, (0, 1), np.int8(2), np.array(1)])
def test_items_by_ints(place: Any) -> None:
    assert staticpy.jit(lambda x, at: x.item(at))(X, place) == X.item(place)
