"""``jacrev`` and ``hessian``, of plain and of compiled functions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy.diagnostics import CompileError
from tests.support.describing import compare_trees

each_form = pytest.mark.parametrize(
    "form", [staticpy.jit, lambda function: function], ids=["graph", "tape"]
)
X = np.array([0.3, 0.9, 0.7])


def outer(x, y):
    return x[:, None] * np.sin(x) * y


def slopes(f: Callable[..., Any], x: np.ndarray, step: float = 1e-6) -> np.ndarray:
    """The derivatives of an array by an array, by central differences."""
    columns = []
    for place in np.ndindex(x.shape):
        change = np.zeros_like(x)
        change[place] = step
        columns.append((f(x + change) - f(x - change)) / (2 * step))
    stacked = np.stack(columns, axis=-1)
    return stacked.reshape(stacked.shape[:-1] + x.shape)


@each_form
def test_arrays_by_arrays(form: Callable[..., Any]) -> None:
    found = staticpy.jacrev(form(outer))(X, 2.0)
    np.testing.assert_allclose(found, slopes(lambda x: outer(x, 2.0), X), atol=1e-8)
    by_x, by_y = staticpy.jacrev(form(outer), argnums=(0, -1))(X, 2.0)
    np.testing.assert_array_equal(by_x, found)
    np.testing.assert_allclose(by_y, outer(X, 1.0))
    square = np.array([[0.2, -0.4], [0.7, 0.3]])
    product = staticpy.jacrev(form(lambda x: x @ x))(square)
    np.testing.assert_allclose(product, slopes(lambda x: x @ x, square), atol=1e-8)


@each_form
def test_trees(form: Callable[..., Any]) -> None:
    def f(parameters, rest):
        w, b = parameters
        return {"a": w * b, "b": (w.sum() * rest, None)}

    found = staticpy.jacrev(form(f))((X, 2.0), 3.0)
    expected = {
        "a": (np.diag([2.0, 2.0, 2.0]), X),
        "b": ((np.full(3, 3.0), 0.0), None),
    }
    assert list(compare_trees(found, expected, "jacobian")) == []
    both = staticpy.jacrev(form(f), argnums=(1, 0))((X, 2.0), 3.0)
    assert both["b"][0][0] == X.sum()
    np.testing.assert_array_equal(both["a"][0], np.zeros(3))


@each_form
def test_numbers_and_what_is_returned_besides(form: Callable[..., Any]) -> None:
    assert staticpy.jacrev(form(lambda x: x * x))(3.0) == 6.0
    found, aux = staticpy.jacrev(form(lambda x: (x * 2, {"x": x})), has_aux=True)(X)
    np.testing.assert_array_equal(found, np.diag([2.0, 2.0, 2.0]))
    np.testing.assert_array_equal(aux["x"], X)
    assert staticpy.jacrev(form(lambda x: x * 2))(np.ones(2, "f4")).dtype == np.float32
    assert staticpy.jacrev(form(lambda x: x[:0] * 2))(X).shape == (0, 3)
    assert staticpy.jacrev(form(lambda x: x[:, None] * x[:0]))(X).shape == (3, 0, 3)


@each_form
def test_by_ints_where_they_are_allowed(form: Callable[..., Any]) -> None:
    def f(x, n, many):
        return x[:, None] * n * many

    many = np.arange(2)
    found = staticpy.jacrev(form(f), argnums=(0, 1, 2), allow_int=True)(X, 2, many)
    np.testing.assert_array_equal(found[0], slopes(lambda x: f(x, 2, many), X).round(6))
    for item, shape in zip(found[1:], [(3, 2), (3, 2, 2)], strict=True):
        assert item.shape == shape
        assert item.dtype == np.float64
        assert not item.any()
    of_number = staticpy.jacrev(form(lambda x, n: x * n), argnums=(0, 1), allow_int=True)
    assert of_number(0.5, 2) == (2.0, 0.0)
    with pytest.raises(CompileError, match="SPY703"):
        staticpy.jacrev(form(f), argnums=1)(X, 2, many)


@each_form
def test_hessian(form: Callable[..., Any]) -> None:
    def f(x):
        return (x**3).sum() * x[0] + np.sin(x[1] * x[2])

    found = staticpy.hessian(form(f))(X)
    np.testing.assert_allclose(found, slopes(staticpy.grad(f), X), atol=1e-8)
    np.testing.assert_allclose(found, found.T, rtol=1e-14)
    assert staticpy.hessian(form(lambda x: x**3))(2.0) == 12.0
    found, aux = staticpy.hessian(form(lambda x: (x @ x, "aux")), has_aux=True)(X)
    np.testing.assert_array_equal(found, 2 * np.eye(3))
    assert aux == "aux"
    of_array = staticpy.hessian(form(lambda x: outer(x, 2.0)))(X)
    expected = slopes(staticpy.jacrev(lambda x: outer(x, 2.0)), X)
    np.testing.assert_allclose(of_array, expected, atol=1e-8)


@each_form
def test_hessian_of_trees(form: Callable[..., Any]) -> None:
    found = staticpy.hessian(form(lambda x, y: x * x * y), (0, 1))(2.0, 3.0)
    assert found == ((6.0, 4.0), (4.0, 0.0))
    found = staticpy.hessian(form(lambda d: d["w"].sum() ** 2 * d["b"]))({"w": X, "b": 2.0})
    np.testing.assert_allclose(found["w"]["w"], np.full((3, 3), 4.0))
    np.testing.assert_allclose(found["w"]["b"], np.full(3, 2 * X.sum()))
    np.testing.assert_allclose(found["b"]["w"], np.full(3, 2 * X.sum()))
    assert found["b"]["b"] == 0.0


@each_form
def test_in_a_function_that_is_differentiated(form: Callable[..., Any]) -> None:
    @form
    def newton(x, a):
        for _ in range(4):
            slope = staticpy.jacrev(lambda y: y * y - a)(x)
            x = x - np.linalg.solve(slope, x * x - a)
        return x

    a = np.array([2.0, 3.0])
    np.testing.assert_allclose(newton(np.ones(2), a), np.sqrt(a), rtol=1e-3)
    found = staticpy.jacrev(newton, argnums=1)(np.ones(2), a)
    expected = slopes(lambda a: newton(np.ones(2), a), a)
    np.testing.assert_allclose(found, expected, atol=1e-8)


@each_form
def test_what_is_no_real_number(form: Callable[..., Any]) -> None:
    for f in (lambda x: x * 1j, lambda x: (x, 3)):
        with pytest.raises(TypeError, match="real numbers"):
            staticpy.jacrev(form(f))(X)
    with pytest.raises(ValueError, match="argnums"):
        staticpy.jacrev(form(lambda x: x), argnums=1)(X)
    with pytest.raises(CompileError) as caught:
        staticpy.jacrev(form(lambda x: np.nextafter(x, 1.0)))(X)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "SPY701"
    assert diagnostic.span.file == __file__


def test_what_would_happen_again() -> None:
    @staticpy.jit
    def f(x):
        print("here")
        return x * x

    with pytest.raises(CompileError) as caught:
        staticpy.jacrev(f)(X)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "SPY706"
    assert diagnostic.span.file == __file__


def merged(items):
    if len(items) <= 1:
        return items
    half = len(items) // 2
    left, right = merged(items[:half]), merged(items[half:])
    out, i, j = [], 0, 0
    while i < len(left) and j < len(right):
        if left[i] < right[j]:
            out.append(left[i])
            i += 1
        else:
            out.append(right[j])
            j += 1
    return out + left[i:] + right[j:]


def ranked(x):
    return sum(v * v * (i + 1) for i, v in enumerate(merged(list(x))))


def test_functions_that_call_themselves_with_lists() -> None:
    x = np.array([0.5, 1.5, 0.25])
    hessian = staticpy.hessian(staticpy.jit(ranked))(x)
    assert hessian.tolist() == np.diag([4.0, 6.0, 2.0]).tolist()
    (slope,) = staticpy.vjp(staticpy.jit(ranked), x)[1](1.0)
    assert slope.tolist() == [2.0, 9.0, 0.5]


def scaled(x, items):
    if not items:
        return 1.0
    x *= items[0]
    return scaled(x, items[1:]) * items[0] * x[0]


def test_what_they_do_to_what_they_get_would_happen_again() -> None:
    def f(x, items):
        return scaled(x, items) * scaled(x, items)

    with pytest.raises(CompileError, match="SPY706"):
        staticpy.vjp(staticpy.jit(f), np.ones(2), [2.0, 3.0])


@dataclass
class Parts:
    first: Any
    second: Any


@each_form
def test_jacfwd_of_dataclasses(form: Callable[..., Any]) -> None:
    def f(p):
        return Parts(p.first * p.second, (p.first[0], None, 3))

    found = staticpy.jacfwd(form(f))(Parts(X, 2.0))
    np.testing.assert_array_equal(found.first.first, np.eye(3) * 2)
    np.testing.assert_array_equal(found.first.second, X)
    assert found.second[0].first.tolist() == [1.0, 0.0, 0.0]
    assert found.second[1:] == (None, Parts(None, None))
    with pytest.raises(CompileError, match="SPY704") as caught:
        staticpy.jacfwd(form(lambda x: (x, "a text")))(2.0)
    assert __file__ in str(caught.value)


@each_form
def test_determinants_of_singular_matrices(form: Callable[..., Any]) -> None:
    """The second derivatives are minors; the first ones are of each matrix by itself."""
    singular = np.array([[1.0, 2.0], [3.0, 6.0]])
    found = staticpy.hessian(form(lambda a: np.linalg.det(a) * 1.0))(singular)
    expected = [[0, 0, 0, 1], [0, 0, -1, 0], [0, -1, 0, 0], [1, 0, 0, 0]]
    np.testing.assert_allclose(found.reshape(4, 4), expected, atol=1e-12)
    several = np.array([[[1.0, 2.0], [2.0, 4.0]], [[3.0, 0.0], [0.0, 3.0]], [[0.0, 0.0]] * 2])
    slopes = staticpy.grad(form(lambda a: np.linalg.det(a).sum()))(several)
    expected = [[[4, -2], [-2, 1]], [[3, 0], [0, 3]], [[0, 0], [0, 0]]]
    np.testing.assert_allclose(slopes, expected, atol=1e-12)


def sometimes_rows(x, n):
    return x[None] * x[0] if n > 2 else x * x


@pytest.mark.parametrize("backend", ["python_source", "llvm"])
def test_a_number_of_axes_that_the_run_decides(backend: str) -> None:
    x = np.arange(1.0, 4.0)
    for transform in (staticpy.jacrev, staticpy.hessian):
        graph = transform(staticpy.jit(sometimes_rows, backend=backend))
        for n in (1, 3):
            expected = transform(sometimes_rows)(x, n)
            assert list(compare_trees(expected, graph(x, n), "derivatives")) == []


def test_numbers_and_numbers_of_axes_that_the_run_decides() -> None:
    def also_a_number(x, n):
        return sometimes_rows(x, n) if n else x[0] ** 3

    compiled, x = staticpy.jit(also_a_number), np.arange(3.0)
    for transform in (staticpy.jacrev, staticpy.jacfwd):
        for n in (0, 1, 3):
            expected = transform(also_a_number)(x, n)
            assert list(compare_trees(expected, transform(compiled)(x, n), "derivatives")) == []
    with pytest.raises(CompileError, match=r"SPY701.*an array on some paths only"):
        staticpy.hessian(compiled)(x, 1)
