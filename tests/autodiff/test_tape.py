"""Gradients of plain functions, run by Python on Tensors, against those of the graph."""

from __future__ import annotations

import contextlib
import copy
import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy.diagnostics import CompileError
from tests.autodiff.all_programs import PROGRAMS, X
from tests.autodiff.forward_programs import WRITING
from tests.support.describing import compare_trees

IN_GRAPHS_ONLY = "@staticpy.jit"
"""What a program is told that plain Python can't record."""
PURE = {
    "branch",
    "closures",
    "continues",
    "descending",
    "descent",
    "early_return",
    "horner",
    "in_an_errstate",
    "layer",
    "newton",
    "picked_twice",
    "powers_of_an_array",
    "slices_and_elements",
    "standard_deviation",
    "until_large",
    "weighted_mean",
}


BY_VIEWS = {"unpacked"}
OTHER_ORDER = {
    *("several_classes_in_a_loop", "line_that_a_loop_begins_with", "rows_that_are_one_array"),
    *("rows_that_a_loop_carries_and_holds", "windows_of_what_is_smoothed", "windows_of_windows"),
}
"""Where an exception holds what a variable holds, or elements of one array are read by several
views of it: only the run tells that these are one value, so cotangents are added up in another
order.
"""


@pytest.mark.parametrize(
    ("function", "args"), PROGRAMS, ids=[function.__name__ for function, _ in PROGRAMS]
)
def test_tape_equals_graph(function: Callable[..., Any], args: tuple[Any, ...]) -> None:
    graph = staticpy.value_and_grad(staticpy.jit(function))(*copy.deepcopy(args))
    told = ""
    try:
        eager = staticpy.value_and_grad(function)(*copy.deepcopy(args))
    except (TypeError, ValueError, CompileError) as error:  # NumPy makes a ValueError of some
        eager, told = graph, f"{error} {error.__cause__}"
    assert (IN_GRAPHS_ONLY in told) is bool(told)
    assert not told or function.__name__ not in PURE
    if function.__name__ in OTHER_ORDER:
        np.testing.assert_allclose(eager[1], graph[1], rtol=1e-14)
        eager = (eager[0], graph[1])
    assert list(compare_trees(eager, graph, "value and gradient")) == []


def once(x, w, n):
    return np.sum(x * w)


def in_rounds(x, w, n):
    total = 0.0
    for i in range(n):
        total = total + np.sum(np.maximum(x * w, 0.25) * i)
    return total


def from_a_list(x, w, n):
    items = [x * w]
    for i in range(n):
        items.append(items[i] * -x)
    return np.sum(items[-1] * w)


def in_place(x, w, n):
    y = x * w
    for i in range(n):
        y[i] = y[i - 1] * -0.0
    return np.sum(y)


def by_elements(x, w, n):
    return x[n] * w[1]


def transposed(x, w, n):
    return np.sum((x[:, None] * w).T @ w)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex128])
@pytest.mark.parametrize("n", [0, 3])
@pytest.mark.parametrize(
    "program", [once, in_rounds, from_a_list, in_place, by_elements, transposed]
)
def test_zeros_have_no_sign(program: Callable[..., Any], n: int, dtype: type[Any]) -> None:
    """A graph adds up the terms of its rounds from 0.0, and a tape from the first one."""

    def real(x, w, n):
        return np.real(program(x, w, n)) * 1.0

    x, w = np.array([0.5, -0.0, 0.0, -0.75], dtype), np.array([0.0, 2.0, -1.5, -0.0], dtype)
    graph = staticpy.grad(staticpy.jit(real), argnums=(0, 1))(x, w, n)
    assert list(compare_trees(staticpy.grad(real, argnums=(0, 1))(x, w, n), graph, "")) == []
    for part in (part for found in graph for part in (found.real, found.imag)):
        assert not np.signbit(part[part == 0]).any()


def test_native_code_has_these_bits() -> None:
    """Where it computes by what has NumPy's bits there; ``np.tanh``, say, has some of its own."""
    pytest.importorskip("llvmlite")

    def rows(w, n):
        h = np.eye(4) * 0.5
        for i in range(n):
            h = np.sqrt(np.abs(h * w + 0.1)) / (1.5 - h[::-1] * w)
            h = h + h[i - 1].sum() * w[i, 0]
        return (h * h).sum(axis=1).mean()

    native, rng = staticpy.jit(rows, backend="llvm"), np.random.default_rng(0)
    for n in range(5):
        w, t = rng.normal(size=(2, 4, 4))
        expected = staticpy.value_and_grad(rows)(w, n), staticpy.jvp(rows, (w, n), (t, None))
        found = staticpy.value_and_grad(native)(w, n), staticpy.jvp(native, (w, n), (t, None))
        assert list(compare_trees(expected, found, "derivative")) == []


LAYOUTS = {
    "gaps": lambda x: x[::2, ::3],
    "backwards": lambda x: x[::-1, ::-1],
    "columns": lambda x: x[:, ::2].T,
    "windows": lambda x: np.lib.stride_tricks.sliding_window_view(x[0], 80),
    "one row": lambda x: np.broadcast_to(x[0], (100, 160)),
    "one column": lambda x: np.broadcast_to(x[:, :1], (100, 80)),
    "a stack of one": lambda x: np.broadcast_to(x[::2, None, ::3], (50, 4, 54))[:, 0],
    "nothing": lambda x: x[::2, :0],
}


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS.keys())
def test_arrays_lie_in_memory_as_in_the_graph(layout: Callable[[Any], Any]) -> None:
    """By where the elements are NumPy decides in which order it adds them up."""
    rng = np.random.default_rng(0)
    x = layout(rng.normal(size=(100, 160)))
    w = rng.normal(size=x.shape[1])

    def product(w, x):
        return np.tanh(x @ w).sum()

    def contraction(w, x):
        return np.tanh(np.einsum("ij,j->i", x, w)).sum()

    def norms(w, x):
        return np.linalg.norm(x * w, axis=0).sum()

    for function in (product, contraction, norms):
        for argnums in (0, 1):
            eager = staticpy.value_and_grad(function, argnums)(w, x)
            graph = staticpy.value_and_grad(staticpy.jit(function), argnums)(w, x)
            assert list(compare_trees(eager, graph, "value and gradient")) == []


@pytest.mark.parametrize("function", WRITING, ids=lambda function: function.__name__)
def test_tangents_and_gradients_of_memory(function: Callable[[Any], Any]) -> None:
    """Where both find one, they are the same, but for what is added up by views of one array."""
    moving = ((X,), (np.linspace(0.1, 0.9, len(X)),))
    for transform in (lambda f: staticpy.jvp(f, *moving), lambda f: staticpy.value_and_grad(f)(X)):
        found = []
        for form in (function, staticpy.jit(function)):
            with contextlib.suppress(TypeError, ValueError, CompileError):
                found.append(transform(form))
        if len(found) == 2 and function.__name__ not in BY_VIEWS:
            assert list(compare_trees(*found, "derivative")) == []


def test_of_a_gradient() -> None:
    def f(x, n):
        y = x
        for _ in range(n):
            y = np.sin(y) * x
        return y

    twice = staticpy.grad(staticpy.grad(f))
    graph = staticpy.grad(staticpy.grad(staticpy.jit(f)))(0.7, 3)
    assert twice(0.7, 3) == pytest.approx(graph, rel=1e-14)


def test_a_number_is_not_its_other_uses() -> None:
    """Of the inner function by its argument alone, although the outer one uses the same number."""
    found = staticpy.grad(lambda x: x * staticpy.grad(lambda y: x * y)(x))(3.0)
    assert found == 6.0


def test_structures_and_what_is_returned_besides() -> None:
    def f(parameters, x):
        w, b = parameters["layer"]
        logits = x @ w + b
        return logits.sum() * parameters["scale"], {"logits": logits}

    parameters = {"layer": (np.ones((2, 3)), np.zeros(3)), "scale": 2.0, "rest": None}
    found, aux = staticpy.grad(f, has_aux=True)(parameters, np.ones((4, 2)))
    assert type(aux["logits"]) is np.ndarray
    assert found["rest"] is None
    assert found["scale"] == 24.0
    np.testing.assert_array_equal(found["layer"][0], np.full((2, 3), 8.0))


def test_comparisons_and_sizes_are_plain() -> None:
    def f(x):
        assert type(x.shape) is tuple
        assert type(x > 0.5) is np.ndarray
        assert len(x) == 4
        return sum(row for row in x if row > 0.5)

    np.testing.assert_array_equal(staticpy.grad(f)(X), [0.0, 1.0, 1.0, 1.0])


def test_numbers_are_found_in_dicts_by_what_they_are() -> None:
    def f(x):
        by_number = {}
        for i in range(len(x)):
            by_number[x[i]] = x[i] * 2
        found = by_number.get(x[1], 0.0) * x[2] + by_number[0.5]
        return found + (1.5 if x[3] * 1 in by_number else 0.0)

    x = np.array([0.5, 1.25, -0.75, 2.0])
    value, found = staticpy.value_and_grad(f)(x)
    assert value == f(x) == 2.0 * 1.25 * -0.75 + 1.0 + 1.5
    np.testing.assert_array_equal(found, [2.0, -1.5, 2.5, 0.0])
    compiled = staticpy.value_and_grad(staticpy.jit(f))(x)
    assert not list(compare_trees(compiled, (value, found), "compiled"))


class _Holder:
    """An object of the caller's."""


def test_what_is_put_into_other_arguments_is_plain() -> None:
    def f(x, items, by_name, holder, nested):
        items += [x.sum(), (x * 2, [x[0]])]
        by_name[x[0]] = x[1]
        by_name["all"] = x * 3
        holder.value = x[1]
        nested[0].append(holder)
        return (x * x).sum()

    def given() -> tuple[Any, ...]:
        return [], {"had": 1}, _Holder(), ([], None)

    def shown(args: tuple[Any, ...]) -> str:
        return repr((*args[:2], vars(args[2]), args[3][0][0] is args[2]))

    expected, found = given(), given()
    f(X, *expected)
    staticpy.grad(f)(X, *found)
    assert shown(found) == shown(expected)


def test_what_is_put_into_arguments_has_its_derivative_around() -> None:
    def outer(x):
        items = []
        slope = staticpy.grad(lambda y, kept: (kept.append(y * y), y * y * y)[1])(x, items)
        return slope * items[0]

    assert staticpy.grad(outer)(0.5) == pytest.approx(12 * 0.5**3)


def test_compiled_functions_run_plainly() -> None:
    @staticpy.jit
    def inner(x):
        return x**3

    assert staticpy.grad(lambda x: inner(x) * 2)(2.0) == 24.0


def test_what_plain_python_cannot_record() -> None:
    with pytest.raises(TypeError, match=r"np\.sin for math\.sin"):
        staticpy.grad(lambda x: math.sin(x))(2.0)  # noqa: PLW0108

    def written(x):
        x[0] = 1.0
        return x.sum()

    def added(x):
        x += 1.0
        return x.sum()

    for function in (written, added):
        with pytest.raises(TypeError, match="changed in place"):
            staticpy.grad(function)(X)


@pytest.mark.parametrize(
    ("write", "code"),
    [
        (lambda y, x: operator.setitem(y, 1, x[0]), "SPY710"),
        (lambda y, x: operator.setitem(y, slice(2), x[1:3]), "SPY710"),
        (lambda y, x: y.fill(x[0]), "SPY710"),
        (lambda _, x: np.array([x[0], x[1]]), "SPY710"),
        (lambda _, x: np.polynomial.legendre.legmul(x, x), "SPY710"),
        (lambda _, x: np.frompyfunc(abs, 1, 1)(x), "SPY710"),
        (lambda _, x: np.piecewise(x, [x > 1], [np.sin, np.cos]), "SPY710"),
        (operator.iadd, "SPY711"),
        (lambda y, x: np.exp(x, out=y), "SPY711"),
        (lambda y, x: np.add.at(y, [0, 0, 1, 1], x), "SPY711"),
        (np.copyto, "SPY711"),
    ],
)
def test_arrays_that_keep_no_record(write: Any, code: str) -> None:
    def f(x: Any) -> Any:
        y = np.zeros(4)
        write(y, x)
        return (x * x).sum()

    with pytest.raises(staticpy.CompileError) as caught:
        staticpy.grad(f)(np.arange(4.0))
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == code
    assert diagnostic.span.file == __file__
    assert isinstance(caught.value, TypeError)


def test_what_is_wrong_is_said_at_its_line() -> None:
    def f(x):
        y = x * 2
        return np.nextafter(y, 1.0)

    with pytest.raises(CompileError) as caught:
        staticpy.grad(f)(0.5)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "SPY701"
    assert diagnostic.span.line == f.__code__.co_firstlineno + 2
    for function, args, code in (
        (lambda x: x * 2, (X,), "SPY702"),
        (lambda x: x * 0.5, (3,), "SPY703"),
    ):
        with pytest.raises(CompileError) as caught:
            staticpy.grad(function)(*args)
        (diagnostic,) = caught.value.diagnostics
        assert diagnostic.code == code
        assert diagnostic.span.file == __file__


def test_what_an_operation_does_not_take_is_said_at_its_line() -> None:
    def f(x):
        y = x * 2
        return y.astype(object).sum()

    for transform in (staticpy.grad(f), lambda x: staticpy.jvp(f, (x,), (x,))):
        with pytest.raises(CompileError) as caught:
            transform(X)
        (diagnostic,) = caught.value.diagnostics
        assert diagnostic.code == "SPY603"
        assert diagnostic.span.line == f.__code__.co_firstlineno + 2


def test_a_result_with_names() -> None:
    x = np.array([[2.0, 1.0], [0.5, 3.0]])

    def f(a: Any) -> Any:
        return np.linalg.slogdet(a).logabsdet + np.sum(np.linalg.svd(a, compute_uv=False))

    u, _, vh = np.linalg.svd(x)
    np.testing.assert_allclose(staticpy.grad(f)(x), np.linalg.inv(x).T + u @ vh)


def long_product(x: float, n: int) -> float:
    y = x
    for _ in range(n):
        y = y * x
    return -y


def test_rows_of_products_of_any_length() -> None:
    args = (0.999, 3_000)
    assert staticpy.grad(long_product)(*args) == staticpy.grad(staticpy.jit(long_product))(*args)


def without_effect(x: float, n: int) -> float:
    total = 1.0
    for _ in range(n):
        total = total - 0.0 * x
    return total


def never_reached(x: float, n: int) -> float:
    total = 0.0
    for i in range(n):
        if i > 100:
            total = total + x
    return total


@pytest.mark.parametrize("n", [0, 1, 3])
@pytest.mark.parametrize("function", [without_effect, never_reached])
def test_zeros_of_numbers_have_no_sign(function: Callable[..., Any], n: int) -> None:
    for slope in (staticpy.grad(staticpy.jit(function)), staticpy.grad(function)):
        assert str(slope(0.5, n)) == "0.0"
        assert str(slope(np.float32(0.5), n)) == "0.0"
