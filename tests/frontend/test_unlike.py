"""Equality of something of NumPy's and of what is no number is what the NumPy that runs says."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy
from tests.support.cases import Call
from tests.support.observing import differences
from tests.support.routes import routes_of

Program = Callable[..., Any]
NUMBERS: list[Any] = [
    *(np.float64(1), np.float32(2), np.int64(1), np.bool_(True), np.complex128(1)),
    *(np.array(1.0), np.ones(2), np.ones((1, 2))),
]


class Bare: ...


class Alike(type):
    def __eq__(cls, other: object) -> bool:
        return True

    __hash__ = type.__hash__


class LikeAll(metaclass=Alike): ...


bare = Bare()


def beside_text(x: Any) -> Any:
    return x == "a", x != "a", "1" == x, b"a" != x  # noqa: SIM300


def beside_run_time_text(x: Any) -> Any:
    text = str(x.ndim)
    return x == text, text != x


def beside_none(x: Any) -> Any:
    return x == None, None != x  # noqa: E711, SIM300


def beside_objects(x: Any) -> Any:
    return x == bare, bare != x, x == math.sin, math.sin != x, x == math, x != {}, x == ...


def beside_class(x: Any) -> Any:
    return x == Bare, int != x  # noqa: E721


def beside_dtype(x: Any) -> Any:
    return x == np.dtype("float32"), np.dtype("float32") != x


def beside_own_dtype(x: Any) -> Any:
    return np.dtype("float64") == x


def in_tuples(x: Any) -> Any:
    return x in ("a", None), math.sin in (x, None), bare in (x, 1)


def tuple_in_tuple(x: Any) -> Any:
    return (1, 2) in (x, 5)


def beside_class_like_all(x: Any) -> Any:
    return x == LikeAll


SCALARS = NUMBERS[:5]


def _refusal_of(function: Program, x: Any) -> str:
    try:
        staticpy.jit(function)(x)
    except staticpy.CompileError as error:
        return str(error)
    except (TypeError, ValueError):
        pass  # as NumPy does
    return ""


TAKEN: list[tuple[Program, list[Any]]] = [
    (beside_text, NUMBERS),
    (beside_run_time_text, NUMBERS),
    (beside_none, SCALARS),
    (beside_objects, SCALARS),
    (in_tuples, SCALARS),
]
OFTEN_REFUSED: list[Program] = [
    beside_class,
    beside_class_like_all,
    beside_dtype,
    beside_own_dtype,
    tuple_in_tuple,
]
"""NumPy looks into these, and may raise or find something equal."""


@pytest.mark.parametrize(("function", "numbers"), TAKEN)
def test_is_what_numpy_says(function: Program, numbers: list[Any]) -> None:
    calls = [Call((x,)) for x in numbers]
    assert not differences(function, calls, routes_of(function, ("graph", "text")))


@pytest.mark.parametrize("function", OFTEN_REFUSED)
@pytest.mark.parametrize("x", NUMBERS, ids=repr)
def test_is_what_numpy_says_or_refused(function: Program, x: Any) -> None:
    refusal = _refusal_of(function, x)
    assert "SPY9" not in refusal
    if not refusal:
        assert not differences(function, [Call((x,))], routes_of(function, ("graph", "text")))


def test_text_may_be_the_name_of_a_dtype() -> None:
    with pytest.raises(staticpy.CompileError, match="SPY605"):
        staticpy.jit(lambda n: np.dtype("float64") == "float" + str(n))(64)
