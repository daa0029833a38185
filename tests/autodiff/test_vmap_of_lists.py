"""``vmap`` of functions that give lists and dicts of which the run alone knows what they hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy import CompileError

X = np.arange(1.0, 4.0)


def powers(x, n):
    found = []
    for i in range(n):
        found.append(x**i)  # noqa: PERF401
    return found


def powers_of_two(x, n):
    return tuple([(x * i, [x, i]) for i in range(n)])


def by_degree(x, n):
    found = {}
    for i in range(n):
        found[i] = np.stack([x, i * x])
    return found


def with_the_argument(x, n):
    return {"x": x, "all": powers(x, n)}


def triangle(x, n):
    return [[x + k for k in range(i)] for i in range(n)]


def as_long_as(x, n):
    return [x * i for i in range(n) if x < 9]


def some_ints(x, n):
    return [x if i % 2 else i for i in range(n)]


@pytest.mark.parametrize(
    "function",
    [powers, powers_of_two, by_degree, with_the_argument, triangle, as_long_as, some_ints],
)
@pytest.mark.parametrize("n", [0, 1, 3])
@pytest.mark.parametrize("out_axes", [0, -1])
def test_items_are_stacked(function: Callable[..., Any], n: int, out_axes: int) -> None:
    expected = staticpy.vmap(function, (0, None), out_axes)(X, n)
    found = staticpy.vmap(staticpy.jit(function), (0, None), out_axes)(X, n)
    assert repr(found) == repr(expected)


def test_what_it_means() -> None:
    first, second = staticpy.vmap(staticpy.jit(powers), (0, None))(X, 2)
    np.testing.assert_array_equal(first, [1, 1, 1])
    np.testing.assert_array_equal(second, X)


@pytest.mark.parametrize("form", [lambda f: f, staticpy.jit])
class TestExamplesThatDiffer:
    @pytest.mark.parametrize(
        "function",
        [
            lambda x: [x] * int(x),
            lambda x: {int(x): x},
            lambda x: [[x] * int(i * x) for i in range(3)],
        ],
    )
    def test_in_their_structure(self, form: Any, function: Any) -> None:
        with pytest.raises(ValueError, match="differ in their structure"):
            staticpy.vmap(form(function))(X)

    def test_in_the_order_of_keys(self, form: Any) -> None:
        def signed(x):
            return {"up": x, "down": -x} if x > 1 else {"down": -x, "up": x}

        found = staticpy.vmap(form(signed))(X)
        assert list(found) == ["down", "up"]
        np.testing.assert_array_equal(found["up"], X)
        np.testing.assert_array_equal(found["down"], -X)

    def test_axes_out_of_range(self, form: Any) -> None:
        with pytest.raises(ValueError, match="out_axes is 2, but each result has 1 axes"):
            staticpy.vmap(form(by_degree), (0, None), 2)(X, 2)


@pytest.mark.parametrize("form", [lambda f: f, staticpy.jit])
def test_the_same_for_all_is_a_list_of_its_own(form: Any) -> None:
    def shared(x, n):
        rows = [x for _ in range(n)]
        found = staticpy.vmap(lambda y: rows, out_axes=None)(x)
        rows.append(x)
        return len(found)

    assert form(shared)(X, 2) == 2


def cubes(function: Callable[..., Any]) -> Callable[..., Any]:
    def total(x, n):
        found = staticpy.vmap(function, (0, None))(x, n)
        rows = found.values() if isinstance(found, dict) else found
        result = 0.0
        for row in rows:
            result = result + (row**3).sum()
        return result

    return total


@pytest.mark.parametrize("backend", ["python_source", "llvm"])
@pytest.mark.parametrize("function", [powers, by_degree, as_long_as])
@pytest.mark.parametrize(
    "transform",
    [
        staticpy.grad,
        staticpy.hessian,
        staticpy.jacfwd,
        lambda f: lambda x, n: staticpy.jvp(f, (x, n), (X, None))[1],
        lambda f: lambda x, n: staticpy.hvp(f, (x, n), (X, None)),
        lambda f: staticpy.vmap(staticpy.grad(f), (0, None)),
    ],
    ids=["grad", "hessian", "jacfwd", "jvp", "hvp", "vmap of grad"],
)
def test_derivatives(backend: str, function: Any, transform: Any) -> None:
    given = np.stack([X, X + 1]) if "vmap" in transform.__code__.co_names else X
    total = cubes(function)
    expected = transform(total)(given, 3)
    found = transform(staticpy.jit(total, backend=backend))(given, 3)
    np.testing.assert_allclose(found, expected, rtol=1e-12)  # cotangents in another order


def test_gradients_of_examples() -> None:
    def slope(x, factor):
        return staticpy.grad(lambda z: z**3 * factor)(x)

    def slopes(x, n):
        return [slope(x, i) for i in range(n)]

    rows = staticpy.vmap(staticpy.jit(slopes), (0, None))(X, 3)
    np.testing.assert_allclose(rows, [factor * 3 * X**2 for factor in range(3)])


class TestRefused:
    def test_an_int_that_no_array_holds(self) -> None:
        with pytest.raises(CompileError, match=r"SPY626"):
            staticpy.vmap(staticpy.jit(lambda x: [10**30 for _ in range(int(x) + 1)]))(np.zeros(2))

    @pytest.mark.parametrize("item", [None, "text"])
    def test_no_numbers(self, item: Any) -> None:
        def marked(x, n):
            return [item for _ in range(n)]

        with pytest.raises(CompileError, match=r"SPY705.*what may be of type"):
            staticpy.vmap(staticpy.jit(marked), (0, None))(X, 3)

    def test_axes_for_each_item(self) -> None:
        with pytest.raises(CompileError, match=r"SPY705.*out_axes has parts for a list whose"):
            staticpy.vmap(staticpy.jit(powers), (0, None), [0, 0])(X, 2)

    def test_a_list_of_arrays_of_examples(self) -> None:
        @staticpy.jit
        def of_list(x, n):
            return staticpy.vmap(lambda rows: rows[0])([x for _ in range(n)])

        with pytest.raises(CompileError, match=r"SPY705.*in_axes has an axis for what is a list"):
            of_list(X, 3)
