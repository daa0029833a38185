"""What NumPy would turn into arrays of objects, and what it decides by values, is refused."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, StrEnum
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


class Name(StrEnum):
    A = "a"


class Pair(tuple[int, int], Enum):
    A = (3, 1)


class Own(StrEnum):
    A = "a"

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = str.__hash__


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


def _rows(x: Any, n: int) -> Any:
    """Sums of no rounds, which are numbers, or of some, which are rows."""
    rows = []
    for row in x:
        total = 0.0
        for i in range(n):
            total = total + i * row
        rows.append(total)
    return rows


_BY_RANK: list[Callable[..., Any]] = [
    lambda x, n: np.array(_rows(x, n)),
    lambda x, n: np.asarray(_rows(x, n), dtype=np.float32).shape,
    lambda x, n: np.stack(_rows(x, n)),
    lambda x, n: np.stack(_rows(x, n), axis=1),
    lambda x, n: np.concatenate(_rows(x, n)),
    lambda x, n: np.concatenate(_rows(x, n), axis=None),
    lambda x, n: np.vstack(_rows(x, n)),
    lambda x, n: np.mean(_rows(x, n), axis=1),
    lambda x, n: np.sum(_rows(x, n), axis=0),
    lambda x, n: np.max(_rows(x, n)),
    lambda x, n: np.linalg.norm(_rows(x, n)),
    lambda x, n: np.shape(_rows(x, n)),
    lambda x, n: np.size(_rows(x, n)),
    lambda x, n: np.stack([*_rows(x, n), *_rows(x[:1], n)]),
]


@pytest.mark.parametrize("function", _BY_RANK)
@pytest.mark.filterwarnings("ignore")
def test_list_of_items_with_axes_or_without(function: Callable[..., Any]) -> None:
    compiled = staticpy.jit(function)
    for x, n in ((np.arange(6.0).reshape(3, 2), 2), (np.ones((3, 2)), 0), (np.ones((0, 2)), 2)):
        assert _outcome_of(compiled, x, n) == _outcome_of(function, x, n)


@pytest.mark.parametrize("shape", [(3,), (3, 2), (0,)])
def test_sizes_of_a_list(shape: tuple[int, ...]) -> None:
    def sizes(x: Any) -> Any:
        rows, pairs = [], []
        for row in x:
            rows.append(row)
            pairs.append([row, row])
        found = np.shape(rows), np.ndim(rows), np.size(rows), np.size(rows, 0)
        return *found, np.shape(pairs) if pairs else ()

    assert staticpy.jit(sizes)(np.ones(shape)) == sizes(np.ones(shape))


def test_list_of_items_of_which_some_have_axes() -> None:
    def sums(x: Any) -> Any:
        rows = []
        for row in x:
            total = 0.0
            for each in row:
                if each > 0:
                    total = total + row
            rows.append(total)
        return np.array(rows)

    compiled = staticpy.jit(sums)
    for x in (np.ones((2, 2)), -np.ones((2, 2)), np.array([[1.0, 1.0], [-1.0, -1.0]])):
        assert _outcome_of(compiled, x) == _outcome_of(sums, x)


def test_gradient_through_such_a_list() -> None:
    slope = staticpy.grad(staticpy.jit(lambda x, n: np.sum(np.mean(_rows(x, n), axis=0) ** 2)))
    assert np.allclose(slope(np.ones((3, 2)), 3), 6.0)
    assert not slope(np.ones((3, 2)), 0).any()


_LIKE_MEMBERS: list[Callable[..., Any]] = [
    lambda x: x == Name.A,
    lambda x: x != Name.A,
    lambda x: x[0] == Name.A,
    lambda x: x != "a",
    lambda x: x[:2] == Pair.A,
    lambda x: x[:2] != Pair.A,
    lambda x: x == Pair.A,
]


@pytest.mark.parametrize("function", _LIKE_MEMBERS)
@pytest.mark.parametrize("x", [X, np.ones((2, 2)).T, np.arange(4)[::-2]], ids=str)
def test_array_beside_member(function: Callable[..., Any], x: Any) -> None:
    found, expected = (_outcome_of(each, x) for each in (staticpy.jit(function), function))
    assert found == expected
    if isinstance(expected, tuple):
        assert np.asarray(staticpy.jit(function)(x)).strides == np.asarray(function(x)).strides


def test_array_beside_member_with_an_equality_of_its_own() -> None:
    with pytest.raises(CompileError, match="SPY605"):
        staticpy.jit(lambda x: x == Own.A)(X)


def _outcome_of(function: Callable[..., Any], *args: Any) -> Any:
    try:
        found = function(*args)
    except Exception as error:  # it is compared
        return type(error)
    return type(found), np.asarray(found).dtype, np.asarray(found).shape, repr(found)
