"""Derivatives of what is a number with a derivative on some paths only: a sum that begins with 0
stays an int where nothing is added, and a function may end without a number.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy import CompileError, grad, jit, value_and_grad
from tests.autodiff.test_gradients import slope
from tests.support.describing import compare_trees

X = np.array([1.0, 2.0, 3.0])
FORMS = [pytest.param(jit, id="graph"), pytest.param(lambda f: f, id="tape")]
Form = Callable[..., Any]


def total(x, n):
    t = 0
    for i in range(n):
        t += x[i] * x[i - 1]
    return t


def summed(x, n):
    return sum(x[i] ** 2 for i in range(n))


def ends_early(x, n):
    if n > 0:
        return (x * x).sum()
    return None


@pytest.mark.parametrize("form", FORMS)
def test_a_gradient_is_that_of_the_number(form: Form) -> None:
    value, slope = value_and_grad(form(total))(X, 3)
    assert type(value) is np.float64
    assert value == 11
    assert slope.tolist() == [5, 4, 3]
    assert grad(form(summed))(X, 2).tolist() == [2, 4, 0]
    assert grad(form(ends_early))(X, 1).tolist() == [2, 4, 6]


@pytest.mark.parametrize("form", FORMS)
def test_there_is_none_where_it_is_no_number(form: Form) -> None:
    for function, what in ((total, "int"), (summed, "int"), (ends_early, "None")):
        with pytest.raises(CompileError, match=f"SPY702.*returns {what}"):
            grad(form(function))(X, 0)


def test_inside_of_compiled_functions() -> None:
    @jit
    def step(x, n):
        return x - 0.1 * grad(total)(x, n)

    np.testing.assert_allclose(step(X, 3), [0.5, 1.6, 2.7])
    with pytest.raises(CompileError, match="SPY702"):
        step(X, 0)
    direction = np.array([1.0, 1.0, 1.0])
    found = staticpy.hvp(jit(total), (X, 3), (direction, None))
    assert found.tolist() == [2, 2, 2]


def first(x):
    return total(x, len(x))


@pytest.mark.parametrize("form", FORMS)
def test_other_transforms(form: Form) -> None:
    tangent = np.array([1.0, 0.0, 2.0])
    out, back = staticpy.vjp(form(first), X)
    assert (out, back(1.0)[0].tolist()) == (11, [5, 4, 3])
    assert staticpy.jvp(form(first), (X,), (tangent,)) == (11, 11)
    assert staticpy.linearize(form(first), X)[1](tangent) == 11
    assert staticpy.jacrev(form(first))(X).tolist() == [5, 4, 3]
    assert staticpy.hessian(form(first))(X).tolist() == [[0, 1, 1], [1, 0, 1], [1, 1, 0]]


def squares_above(x, bound):
    return sum(v * v for v in x if v > bound)


@pytest.mark.parametrize("form", FORMS)
def test_many_examples(form: Form) -> None:
    rows = np.array([[1.0, 2.0, 3.0], [0.5, 4.0, -1.0]])
    f = form(squares_above)
    over_rows = staticpy.vmap(f, in_axes=(0, None))
    np.testing.assert_array_equal(over_rows(rows, 0.7), [14.0, 16.0])
    over_slopes = staticpy.vmap(grad(f), in_axes=(0, None))
    np.testing.assert_array_equal(over_slopes(rows, 0.7), [[2, 4, 6], [0, 8, 0]])
    found = grad(form(lambda x: staticpy.vmap(squares_above, (0, None))(x, 0.7).sum()))(rows)
    np.testing.assert_array_equal(found, [[2, 4, 6], [0, 8, 0]])


def test_examples_that_give_an_int() -> None:
    rows = np.array([[1.0, 2.0], [0.1, 0.2]])
    over_rows = staticpy.vmap(jit(squares_above), in_axes=(0, None))
    assert over_rows(rows, 0.7).tolist() == [5.0, 0.0]
    assert over_rows(rows, 7).dtype == np.int64
    with pytest.raises(CompileError, match=r"SPY705.*returns int for an example"):
        grad(jit(lambda x: over_rows(x, 0.7).sum()))(rows)


@pytest.mark.parametrize("form", FORMS)
def test_columns_of_jacobians(form: Form) -> None:
    def f(x):
        return {"total": first(x), "pair": (squares_above(x, 1.5), x * x)}

    found = staticpy.jacfwd(form(f))(X)
    assert found["total"].tolist() == [5, 4, 3]
    assert found["pair"][0].tolist() == [0, 4, 6]
    assert found["pair"][1].tolist() == [[2, 0, 0], [0, 4, 0], [0, 0, 6]]
    assert staticpy.jacfwd(form(lambda y: squares_above([y, 2 * y], 1.5)))(2.0) == 20.0
    if form is jit:
        with pytest.raises(CompileError, match="SPY702"):
            staticpy.jacfwd(jit(first))(np.zeros(0))


def two_sums_in_a_list(x):
    s = [0, 0]
    for i, v in enumerate(x):
        s[i % 2] += v * v
    return s[0] * s[1]


def largest(x):
    best = -1
    for v in x:
        best = max(best, v)
    return best * x[0]


def on_a_path(x):
    s = 0
    if x[0] > 0:
        s = x.sum()
    return s * 2.0 + x[1]


def two_sums_in_a_tuple(x):
    t = (0, 0)
    for v in x:
        t = (t[0] + v, t[1] + v * v)
    return t[1] - t[0] * t[0]


@pytest.mark.parametrize(
    "function", [two_sums_in_a_list, largest, on_a_path, two_sums_in_a_tuple, first]
)
def test_numbers_that_begin_as_ints(function: Callable[..., Any]) -> None:
    expected = slope(function, (X,))
    np.testing.assert_allclose(grad(jit(function))(X), expected, rtol=1e-6)
    np.testing.assert_array_equal(grad(function)(X), grad(jit(function))(X))


def sum_of_sums(x):
    rows = [[v * i for v in x if v > i + 0.5] for i in range(3)]
    return sum(sum(row) ** 2 for row in rows) * 1.0


def product_of_some(x):
    p = 1
    for v in x:
        if v > 1.5:
            p *= v
    return p**2 - p


def of_pythons_floats(x):
    above, below = 0, 0
    for v in x.tolist():
        if v > 1.5:
            above += v
        else:
            below += v * v
    return above * below / (above - below)


SEVERAL = [
    *(two_sums_in_a_list, largest, on_a_path, two_sums_in_a_tuple),
    *(sum_of_sums, product_of_some, of_pythons_floats),
]


@pytest.mark.parametrize("function", SEVERAL)
def test_tangents_of_numbers_that_begin_as_ints(function: Callable[..., Any]) -> None:
    tangent = np.array([0.5, -1.0, 0.25])
    expected = slope(function, (X,))
    by_columns = staticpy.jacfwd(jit(function))(X)
    np.testing.assert_allclose(by_columns, expected, rtol=1e-6)
    moved = staticpy.jvp(jit(function), (X,), (tangent,))[1]
    np.testing.assert_allclose(moved, tangent @ expected, rtol=1e-6)
    hessian = staticpy.hessian(jit(function))(X)
    found = staticpy.hvp(jit(function), (X,), (tangent,))
    np.testing.assert_allclose(found, hessian @ tangent, rtol=1e-12)
    slopes = grad(jit(function))
    step = 1e-6 * tangent
    np.testing.assert_allclose(found, (slopes(X + step) - slopes(X - step)) / 2e-6, rtol=1e-6)


def _of_own_vjp(x):
    own = staticpy.custom_vjp(lambda y: total(y, len(y)))
    own.defvjp(lambda y: (total(y, len(y)), y), lambda y, g: (g * y,))
    return grad(lambda y: own(y) * 1.0)(x).sum()


def _of_own_jvp(x):
    own = staticpy.custom_jvp(lambda y: total(y, len(y)))
    own.defjvp(lambda p, t: (total(p[0], len(p[0])), t[0].sum()))
    return grad(lambda y: own(y) * 1.0)(x).sum()


@pytest.mark.parametrize(
    ("function", "code"),
    [
        (_of_own_vjp, "SPY707"),
        (_of_own_jvp, "SPY707"),
    ],
)
def test_what_would_be_passed_over_is_refused(function: Callable[..., Any], code: str) -> None:
    with pytest.raises(CompileError, match=code):
        jit(function)(X)
    assert function(X) != 0


def first_and_last(y, n):
    total = y * y
    for i in range(n):
        held = [y, np.float64(i) * y]
        for j in range(n):
            held.append(held[j] * np.float64(0.5))
        total = total + held[0] * held[-1]
    return total


def test_lists_of_numbers_of_two_dtypes() -> None:
    for y in (np.float32(1.5), np.float64(1.5), 1.5):
        found = jit(grad(first_and_last))(y, 3)
        expected = grad(first_and_last)(y, 3)
        assert type(found) is type(expected)
        np.testing.assert_allclose(found, expected, rtol=1e-6)


def larger(y):
    return max(np.float64(1.0), y) * 1.0


def smaller_and_sum(y):
    other = np.float64(2.0) if y > 1 else np.float32(3.0)
    return min(y, other) ** 2 + y * other


@pytest.mark.parametrize("function", [larger, smaller_and_sum])
def test_results_of_two_dtypes(function: Callable[..., Any]) -> None:
    def tangents(y):
        return staticpy.jvp(function, (y,), (y,))

    def of_all(y):
        over = staticpy.vmap(function)
        return staticpy.jvp(over, (y,), (y,)), grad(lambda y: over(y).sum())(y)

    for y in np.float32([0.5, 1.5, 2.5]):
        for form in (tangents, grad(function), staticpy.hessian(function)):
            assert list(compare_trees(form(y), jit(form)(y), "derivative")) == []
    ys = np.float32([0.5, 1.5, 2.5])
    assert list(compare_trees(of_all(ys), jit(of_all)(ys), "derivative")) == []
    slopes = staticpy.jacfwd(lambda y: staticpy.vmap(function)(y).sum())
    assert list(compare_trees(slopes(ys), jit(slopes)(ys), "derivative")) == []


# --- by such a number -----------------------------------------------------------------------------


def from_zero(x):
    t = 0
    for v in x:
        t = t + v * v
    return t


def from_a_float(x):
    t = 0.0
    for v in x:
        t = t + v * v
    return t


def doubled(s):
    return s * s, 2 * s


BY_NUMBERS = [
    lambda s: staticpy.vjp(doubled, s)[1]((1.0, 0.5)),
    grad(lambda t: t * t),
    lambda s: value_and_grad(lambda t, u: t * u, argnums=(0, 1))(s, 3.0),
    staticpy.jacrev(doubled),
    staticpy.jacfwd(doubled),
    lambda s: staticpy.jacrev(lambda p: p["s"] * np.ones(2) * p["x"])({"s": s, "x": 2.0}),
    lambda s: staticpy.jacfwd(lambda p: p["s"] * np.ones(2) * p["x"])({"s": s, "x": 2.0}),
    lambda s: staticpy.jvp(doubled, (s,), (1.5,)),
    lambda s: [staticpy.linearize(doubled, s)[1](t) for t in (1.0, np.float64(2))],
    lambda s: staticpy.hvp(lambda t: t**3, (s,), (2.0,)),
    staticpy.hessian(lambda t: t**3),
]


@pytest.mark.parametrize("transform", BY_NUMBERS)
@pytest.mark.parametrize("sum_", [from_zero, from_a_float])
def test_by_what_is_a_number_on_some_paths(
    sum_: Callable[..., Any], transform: Callable[..., Any]
) -> None:
    def f(x):
        return transform(sum_(x))

    for x in (X, X[:0]):
        if sum_ is from_a_float or len(x):
            assert list(compare_trees(f(x), jit(f)(x), "derivative")) == []
            continue
        told = []
        for form in (f, jit(f)):
            with pytest.raises((TypeError, CompileError)) as caught:
                form(x)
            told.append((caught.type, str(caught.value).partition("error[")[2][:70]))
        assert told[0] == told[1]


# --- results that are a number where a loop doesn't run, and an array where it does ---------------


def rows_from_zero(x):
    t = 0
    for row in x:
        t = t + row * row
    return t


def rows_from_a_float(x):
    t, i = 0.0, 0
    while i < len(x):
        t += x[i] * x[i]
        i += 1
    return t


def mean_and_rows(x):
    t = rows_from_a_float(x)
    return np.mean(t) + t


ROWS = np.arange(6.0).reshape(3, 2)


OF_ROWS = [
    lambda f: lambda x: staticpy.vjp(f, x)[1](np.ones(2, x.dtype)),
    staticpy.jacfwd,
    lambda f: lambda x: staticpy.jvp(f, (x,), (np.ones_like(x),)),
    lambda f: lambda x: staticpy.linearize(f, x)[1](x),
]


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("transform", OF_ROWS)
@pytest.mark.parametrize("function", [rows_from_zero, rows_from_a_float, mean_and_rows])
def test_of_what_is_an_array_on_some_paths(
    function: Callable[..., Any], transform: Callable[..., Any], dtype: type
) -> None:
    x = ROWS.astype(dtype)
    found, expected = transform(jit(function))(x), transform(function)(x)
    assert list(compare_trees(expected, found, "derivative")) == []


def test_jacobians_of_what_is_an_array_on_some_paths() -> None:
    for function in (rows_from_zero, rows_from_a_float, mean_and_rows):
        expected, found = staticpy.jacrev(function)(ROWS), staticpy.jacrev(jit(function))(ROWS)
        assert list(compare_trees(expected, found, "jacobian")) == []
        expected, found = staticpy.hessian(function)(ROWS), staticpy.hessian(jit(function))(ROWS)
        assert list(compare_trees(expected, found, "hessian")) == []
    for function in (rows_from_a_float, mean_and_rows):
        assert staticpy.jacrev(jit(function))(ROWS[:0]).shape == (0, 2)
        assert staticpy.hessian(jit(function))(ROWS[:0]).shape == (0, 2, 0, 2)


def test_a_cotangent_is_of_the_form_that_the_result_has() -> None:
    @jit
    def pulled(x, g):
        return staticpy.vjp(rows_from_a_float, x)[1](g)[0]

    assert pulled(ROWS, np.ones(2)).tolist() == (2 * ROWS).tolist()
    assert pulled(ROWS[:0], 1.0).shape == (0, 2)
    for x, g in ((ROWS[:0], np.ones(2)), (ROWS, 1.0), (ROWS, np.ones(3))):
        with pytest.raises(ValueError, match="another shape"):
            pulled(x, g)


class ReachedError(Exception):
    def __init__(self, value):
        super().__init__()
        self.value = value


def an_int_or_a_float(x):
    total = 0.0
    try:
        if x[1] > 0:
            raise ReachedError(2)
    except ReachedError as error:
        total = total * 0.5 + error.value
    if x[0] > 0:
        try:
            if x[1] < 5:
                raise ReachedError(x[0])
        except ReachedError as error:
            total = total * 0.5 + error.value
    return total + np.sum(x * x)


def test_what_may_be_an_int_is_asked_for_at_run_time() -> None:
    for x in (X, -X, 3 * X):
        found, expected = grad(jit(an_int_or_a_float))(x), grad(an_int_or_a_float)(x)
        assert found.tolist() == expected.tolist()


def stores_ints_or_floats(x):
    y = np.zeros((3, 3))
    for i in range(3):
        v = x[i] * x if x[i] > 1.5 else np.arange(3)
        y[i] = v * 2
        y[:, :] += v
        y[:2, 1:] -= v[:2]
        np.add.at(y, [0, 2, 0], v)
        np.copyto(y[i, :2], v[1:])
    return (y * y).sum()


@pytest.mark.parametrize("backend", ["python_source", "llvm"])
def test_arrays_of_ints_or_floats_that_are_written(backend: str) -> None:
    """Each element of such an array gets what flows to its places."""
    found = grad(jit(stores_ints_or_floats, backend=backend))(X)
    np.testing.assert_allclose(found, slope(stores_ints_or_floats, (X,)), rtol=1e-6)
    direction = np.array([1.0, -2.0, 0.5])
    tangent = staticpy.jvp(jit(stores_ints_or_floats, backend=backend), (X,), (direction,))[1]
    np.testing.assert_allclose(found @ direction, tangent)


def a_number_or_an_array(x):
    if len(x) > 5:
        return x * 2
    return x.sum() * x[0]


def a_number_an_array_or_none(x):
    found = None
    for v in x:
        if v > 1.5:
            found = v * v if found is None else found + v * v
        if v > 90:
            return x * found
    return found


def real_or_complex(x):
    if len(x) > 5:
        return 1j * x[0]
    return x.sum() * x[0]


@pytest.mark.parametrize("backend", ["python_source", "llvm"])
def test_results_that_are_one_real_number_on_some_paths(backend: str) -> None:
    """Where it is an array or complex, that is told when it happens, as in plain Python."""
    for function, other, what in (
        (a_number_or_an_array, np.ones(6), r"f64\[6\]"),
        (a_number_an_array_or_none, 100 * X, r"f64\[3\]"),
        (a_number_an_array_or_none, X / 9, "None"),
        (real_or_complex, np.ones(6), "complex"),
    ):
        compiled = jit(function, backend=backend)
        found = grad(compiled)(X)
        np.testing.assert_allclose(found, slope(function, (X,)), rtol=1e-6, atol=1e-8)
        np.testing.assert_array_equal(found, grad(function)(X))
        for form in (compiled, function):
            with pytest.raises(CompileError, match=f"SPY702.*returns {what}"):
                grad(form)(other)


def turned_above(x, bound):
    items = []
    for v in x:
        if v > bound:
            items.append(1j * v)
        else:
            items.append(v)
    return abs(sum(items)) ** 2 + sum((z * z).real for z in items) + abs(items[0] * items[2])


def roots_of_a_quadratic(x, bound):
    a, b, c = x
    under = b * b - bound * a * c
    root = under**0.5 if under >= 0 else 1j * (-under) ** 0.5
    return sum(abs(z - 0.5) for z in [(root - b) / (2 * a), (-root - b) / (2 * a)])


def turned_once(x, bound):
    z = x[0] * x[2]
    if x[1] > bound:
        z = 1j * x[1] + z
    return abs(z) ** 2


def turned_in_a_dict(x, bound):
    kept = {}
    for i in range(3):
        kept[i] = x[i] * 1j if x[i] > bound else x[i]
    return sum((z * z * x[0]).real for z in kept.values())


@pytest.mark.parametrize("backend", ["python_source", "llvm"])
@pytest.mark.parametrize(
    "function", [turned_above, roots_of_a_quadratic, turned_once, turned_in_a_dict]
)
def test_numbers_that_are_complex_on_some_paths(function: Any, backend: str) -> None:
    """What flows to a real one is real."""
    compiled = jit(function, backend=backend)

    def total(x, bound):
        return (grad(function)(x, bound) * X).sum()

    for bound in (0.1, 1.5, 9.0):
        found = grad(compiled)(X, bound)
        np.testing.assert_allclose(found, slope(function, (X, bound)), rtol=1e-6, atol=1e-8)
        np.testing.assert_allclose(found, grad(function)(X, bound), rtol=1e-14)
        second = grad(jit(total, backend=backend))(X, bound)
        np.testing.assert_allclose(second, slope(jit(total), (X, bound)), rtol=1e-5, atol=1e-6)


def test_arrays_of_numbers_that_are_complex_on_some_paths() -> None:
    @jit
    def total(x, bound):
        return np.abs(np.array([np.sqrt(v + 0j) * v if v > bound else v for v in x])).sum()

    for bound in (0.1, 1.5, 9.0):
        found = grad(total)(X, bound)
        np.testing.assert_allclose(found, slope(total, (X, bound)), rtol=1e-6, atol=1e-8)


def constant_array_or_another(x, bound):
    w = np.zeros(3) if x[0] > bound else np.arange(3)
    u = x * 2 if x[1] > bound else w
    kept = {"w": w, "x": x * x}
    return (u + x).prod() + (w * u).sum() + (kept["x" if x[2] > bound else "w"] * x).sum()


def list_of_constant_arrays(x, bound):
    arrays = [np.arange(3) if v > bound else np.ones(3) for v in x]
    arrays.append(x * 2)
    total = (arrays[-1 if x[0] > bound else 0] + x).prod()
    for array in arrays:
        total = total + (array * x).sum()
    return total


@pytest.mark.parametrize("bound", [0.0, 1.5, 2.5, 9.0])
@pytest.mark.parametrize("function", [constant_array_or_another, list_of_constant_arrays])
def test_tangents_beside_constant_arrays_of_ints_or_floats(function: Any, bound: float) -> None:
    direction = np.array([1.0, -2.0, 0.5])
    expected = slope(function, (X, bound)) @ direction
    out, tangent = staticpy.jvp(jit(function), (X, bound), (direction, None))
    assert out == function(X, bound)
    np.testing.assert_allclose(tangent, expected, rtol=1e-6)
    np.testing.assert_allclose(grad(jit(function))(X, bound) @ direction, tangent)
    np.testing.assert_allclose(staticpy.jacfwd(jit(function))(X, bound) @ direction, tangent)


def arrays_put_into_a_list(x, bound):
    rows = [x * v if v > bound else np.arange(3) for v in x]
    return (sum(rows) * x).sum() + sum((row * x).prod() for row in rows)


def products_with_ints_or_floats(x, bound):
    total = 0
    for i in range(3):
        w = np.arange(3) if x[i] > bound else x * x[i]
        total = total + w @ x
    return total


@pytest.mark.parametrize("backend", ["python_source", "llvm"])
@pytest.mark.parametrize("bound", [0.0, 1.5, 9.0])
def test_lists_of_arrays_of_ints_or_floats(bound: float, backend: str) -> None:
    for function in (arrays_put_into_a_list, products_with_ints_or_floats):
        found = grad(jit(function, backend=backend))(X, bound)
        np.testing.assert_allclose(found, slope(function, (X, bound)), rtol=1e-6, atol=1e-8)

    def total(x, bound):
        return (grad(products_with_ints_or_floats)(x, bound) * X).sum()

    second = grad(jit(total, backend=backend))(X, bound)
    np.testing.assert_allclose(second, slope(jit(total), (X, bound)), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("form", FORMS)
def test_examples_that_fill_lists_which_begin_with_ints(form: Form) -> None:
    def sums(row):
        found = [0, 0]
        for i, v in enumerate(row):
            found[i % 2] += v * v
        return found

    def f(x):
        even, odd = staticpy.vmap(sums)(np.outer(x, x))
        return (even * odd).sum()

    np.testing.assert_allclose(grad(form(f))(X), slope(f, (X,)), rtol=1e-6)
