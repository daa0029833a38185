"""What is None on some paths and an array on others, given to NumPy's functions and stored: which
it is, is asked when the program runs, and what NumPy raises of None is raised.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy import CompileError

X = np.arange(1.0, 4.0)
BACKENDS = ["python_source", "llvm"]


def filled(x, n, missing):
    items = [None] * n
    for i in range(n):
        if i != missing:
            items[i] = x * (i + 1)
    return items


FUNCTIONS: dict[str, Callable[[Any, Any], Any]] = {
    "sqrt": lambda v, x: np.sqrt(v).sum(),
    "maximum": lambda v, x: np.maximum(v, 0).sum(),
    "clip": lambda v, x: np.clip(v, 0, 2).sum(),
    "dot": np.dot,
    "dot, a method": lambda v, x: x.dot(v),
    "outer": lambda v, x: np.outer(v, v).sum(),
    "norm": lambda v, x: np.linalg.norm(v, ord=2),
    "solve": lambda v, x: np.linalg.solve(np.eye(3), v).sum(),
    "mean": lambda v, x: np.mean(v, axis=0),
    "median": lambda v, x: np.median(v),
    "concatenate": lambda v, x: np.concatenate([v, x]).sum(),
    "stack": lambda v, x: np.stack((x, v), axis=1).sum(),
    "einsum": lambda v, x: np.einsum("i,i->", v, x),
    "sort": lambda v, x: np.sort(v)[0],
    "diff": lambda v, x: np.diff(v).sum(),
    "interp": lambda v, x: np.interp(1.5, x, v),
    "multiply.outer": lambda v, x: np.multiply.outer(v, x).sum(),
    "multiply, out": lambda v, x: np.multiply(v, x, out=np.zeros(3)).sum(),
}


def total(name: str) -> Callable[..., Any]:
    function = FUNCTIONS[name]

    def of_all(x, n, missing):
        items = filled(x, n, missing)
        result = 0.0
        for i in range(n):
            result = result + function(items[i], x)
        return result

    return of_all


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name: str, backend: str) -> None:
    plain = total(name)
    compiled = staticpy.jit(plain, backend=backend)
    np.testing.assert_allclose(compiled(X, 3, -1), plain(X, 3, -1), rtol=1e-15)  # products
    with pytest.raises((TypeError, ValueError, IndexError)) as expected:
        plain(X, 3, 1)
    with pytest.raises((TypeError, ValueError, IndexError)) as found:
        compiled(X, 3, 1)
    assert type(found.value) is type(expected.value)
    assert str(found.value) == str(expected.value)


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if "out" not in name.split(", ")])
def test_derivatives(name: str) -> None:
    plain = total(name)
    compiled = staticpy.jit(plain)
    expected = staticpy.grad(plain)(X, 3, -1)
    np.testing.assert_allclose(staticpy.grad(compiled)(X, 3, -1), expected, rtol=1e-12)
    moved = staticpy.jvp(compiled, (X, 3, -1), (X, None, None))[1]
    np.testing.assert_allclose(moved, expected @ X, rtol=1e-12)
    with pytest.raises((TypeError, ValueError, IndexError)):
        staticpy.grad(compiled)(X, 3, 1)


def test_handlers_see_the_exception() -> None:
    def positive(x, n, missing):
        result = 0.0
        for item in filled(x, n, missing):
            try:
                result = result + np.sqrt(item).sum()
            except TypeError:
                result = result + 100 * x[0]
        return result

    for transform in (lambda f: f, staticpy.grad):
        expected = transform(positive)(X, 3, 1)
        np.testing.assert_array_equal(transform(staticpy.jit(positive))(X, 3, 1), expected)


@pytest.mark.parametrize(
    "function",
    [np.sum, np.max, np.copy, np.ndim, np.argmax, lambda v: np.where(v is None, v, 1.0)],
)
def test_where_numpy_takes_none_it_is_refused(function: Callable[[Any], Any]) -> None:
    def of_last(x, n, missing):
        return function(filled(x, n, missing)[n - 1])

    compiled = staticpy.jit(of_last)
    np.testing.assert_array_equal(compiled(X, 3, 1), of_last(X, 3, 1))
    with pytest.raises(CompileError, match=r"SPY506.*not a value of type None"):
        compiled(X, 3, 2)


def test_an_empty_array_makes_no_exception() -> None:
    def product(x, n):
        other = None
        if n > 2:
            other = x
        return np.multiply(x, other)

    compiled = staticpy.jit(product)
    with pytest.raises(TypeError):
        compiled(X, 1)
    with pytest.raises(CompileError, match="SPY506"):  # NumPy gives an empty array of objects
        compiled(X[:0], 1)


# --- stores ---------------------------------------------------------------------------------------


def stored(x, n, missing):
    made = np.ones((n, 3))
    items = filled(x, n, missing)
    for i in range(n):
        made[i] = items[i]  # None is NaN
    return (made[~np.isnan(made)] ** 2).sum()


def stored_by_rank(x, n, missing):
    value = 2.0
    if n > missing:
        value = 2.0 * x
    made = x.copy()
    made[...] = value
    return (made**2).sum()


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("function", [stored, stored_by_rank])
@pytest.mark.parametrize("missing", [-1, 1, 9])
def test_stores(function: Callable[..., Any], missing: int, backend: str) -> None:
    compiled = staticpy.jit(function, backend=backend)
    assert compiled(X, 3, missing) == function(X, 3, missing)
    slope = staticpy.grad(compiled)(X, 3, missing)
    moved = staticpy.jvp(compiled, (X, 3, missing), (X, None, None))[1]
    step = 1e-6
    changes = [
        (function(X + step * e, 3, missing) - function(X - step * e, 3, missing)) / (2 * step)
        for e in np.eye(3)
    ]
    np.testing.assert_allclose(slope, changes, atol=1e-6)  # the rounding of a difference
    np.testing.assert_allclose(moved, slope @ X, rtol=1e-12)
