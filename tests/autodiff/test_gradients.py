"""Gradients of compiled programs against central differences, of first and second order."""

from __future__ import annotations

import copy
import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy.autodiff import expand
from staticpy.diagnostics import CompileError
from staticpy.ir import verify, walk
from staticpy.ops.rules.library import LIBRARY
from staticpy.passes import inline, optimize
from tests.autodiff.all_programs import PROGRAMS, X
from tests.autodiff.recursive_programs import RECURSIVE

IDS = [function.__name__ for function, _ in PROGRAMS]
each_program = pytest.mark.parametrize(("function", "args"), PROGRAMS, ids=IDS)


def slope(function: Callable[..., Any], args: tuple[Any, ...], step: float = 1e-6) -> Any:
    """The derivative by the first argument, by central differences."""

    def at(change: Any) -> float:
        first, *others = copy.deepcopy(args)
        return float(function(first + change, *others))

    if not isinstance(args[0], np.ndarray):
        return (at(step) - at(-step)) / (2 * step)
    found = np.zeros_like(args[0])
    for place in np.ndindex(args[0].shape):
        change = np.zeros_like(args[0])
        change[place] = step
        found[place] = (at(change) - at(-change)) / (2 * step)
    return found


@each_program
def test_first_order(function: Callable[..., Any], args: tuple[Any, ...]) -> None:
    value, found = staticpy.value_and_grad(staticpy.jit(function))(*copy.deepcopy(args))
    assert value == staticpy.jit(function)(*copy.deepcopy(args))
    assert type(found) is type(args[0])
    expected = slope(staticpy.jit(function), args)
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-7)


@each_program
def test_second_order(function: Callable[..., Any], args: tuple[Any, ...]) -> None:
    weights = np.arange(1.0, np.size(args[0]) + 1).reshape(np.shape(args[0]))

    def weighted(x: Any, *others: Any) -> Any:
        return np.sum(staticpy.grad(function)(x, *others) * weights)

    found = staticpy.grad(staticpy.jit(weighted))(*copy.deepcopy(args))
    expected = slope(staticpy.jit(weighted), args, 1e-5)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


@each_program
def test_every_stage_is_a_valid_graph(function: Callable[..., Any], args: tuple[Any, ...]) -> None:
    module = staticpy.grad(staticpy.jit(function)).lower(*copy.deepcopy(args)).module
    verify(module)
    for change in (inline, expand, optimize):
        change(module)
        verify(module)
    assert not any(each.name == "vjp" for each in walk(module.main.block))


@pytest.mark.parametrize(
    ("function", "args"), RECURSIVE, ids=[each.__name__ for each, _ in RECURSIVE]
)
def test_recursion(function: Callable[..., Any], args: tuple[Any, ...]) -> None:
    compiled = staticpy.jit(function)
    value, found = staticpy.value_and_grad(compiled)(*copy.deepcopy(args))
    assert value == compiled(*copy.deepcopy(args))
    np.testing.assert_allclose(found, slope(compiled, args), rtol=1e-6, atol=1e-7)
    back = staticpy.vjp(staticpy.jit(lambda x: function(x, args[1])), args[0])[1]
    for _ in range(2):
        np.testing.assert_allclose(back(type(value)(1.0))[0], found, rtol=1e-14)
    ones = 1.0 if isinstance(args[0], float) else np.ones_like(args[0])
    rows = staticpy.hvp(compiled, copy.deepcopy(args), (ones, None))
    step = 1e-6 * ones
    ahead, behind = (staticpy.grad(compiled)(args[0] + each, args[1]) for each in (step, -step))
    np.testing.assert_allclose(rows, (ahead - behind) / 2e-6, rtol=1e-5, atol=1e-5)

    def total(x: Any, n: Any) -> Any:
        return np.sum(staticpy.grad(function)(x, n))

    twice = staticpy.grad(staticpy.jit(total))(*copy.deepcopy(args))
    np.testing.assert_allclose(twice, rows, rtol=1e-12, atol=1e-14)


# --- what is asked for ----------------------------------------------------------------------------


def test_several_arguments() -> None:
    @staticpy.jit
    def f(x, y, z):
        return x * y * z.sum()

    found = staticpy.grad(f, argnums=(0, -1))(2.0, 3.0, X)
    assert found[0] == pytest.approx(3 * X.sum())
    np.testing.assert_allclose(found[1], np.full(4, 6.0))
    assert staticpy.grad(f, argnums=1)(2.0, 3.0, X) == pytest.approx(2 * X.sum())


def test_structures() -> None:
    @staticpy.jit
    def f(parameters, x):
        (w, b), scale = parameters["layer"], parameters["scale"]
        return ((x @ w + b) * scale[0]).sum()

    w, b = np.ones((2, 3)), np.zeros(3)
    found = staticpy.grad(f)({"layer": (w, b), "scale": [2.0, None]}, np.ones((4, 2)))
    assert found["scale"] == [24.0, None]
    np.testing.assert_array_equal(found["layer"][0], np.full((2, 3), 8.0))
    np.testing.assert_array_equal(found["layer"][1], np.full(3, 8.0))


def test_what_is_returned_besides() -> None:
    @staticpy.jit
    def f(x, data):
        return (x * data).sum(), {"data": data * 2}

    found, aux = staticpy.grad(f, has_aux=True)(np.ones(2), np.arange(2.0))
    np.testing.assert_array_equal(found, [0.0, 1.0])
    np.testing.assert_array_equal(aux["data"], [0.0, 2.0])
    (value, _), again = staticpy.value_and_grad(f, has_aux=True)(np.ones(2), np.arange(2.0))
    assert value == 1.0
    np.testing.assert_array_equal(again, found)


@pytest.mark.parametrize("form", [staticpy.jit, lambda function: function], ids=["graph", "tape"])
def test_gradients_are_arrays_of_their_own(form: Callable[..., Any]) -> None:
    def f(x, y):
        total = x + y
        return total.sum() + x.reshape(2, 2).sum(), total

    x = X.copy()
    (by_x, by_y), total = staticpy.grad(form(f), argnums=(0, 1), has_aux=True)(x, X)
    arrays = [x, by_x, by_y, total]
    for number, array in enumerate(arrays):
        array *= 2  # noqa: PLW2901 - none is read only
        assert not any(np.shares_memory(array, other) for other in arrays[:number])
    np.testing.assert_array_equal(by_x, np.full(4, 4.0))
    np.testing.assert_array_equal(by_y, np.full(4, 2.0))


def test_dtypes_stay() -> None:
    found = staticpy.grad(staticpy.jit(lambda x, y: (x * y).sum()))(X.astype("f4"), X)
    assert found.dtype == np.float32
    scalar = staticpy.grad(staticpy.jit(lambda x: np.sin(x) * 2))(np.float32(0.5))
    assert type(scalar) is np.float32


def _stored(x, y):
    x = x * 1.0
    x[:] = y
    return (x * x).sum()


def _added(x, y):
    x += y
    return x.sum()


def test_axes_of_size_one_in_front() -> None:
    """A store drops them; an operator in place has no room for them."""
    by_x, by_y = staticpy.grad(staticpy.jit(_stored), (0, 1))(X.copy(), X[None])
    assert by_x.tolist() == [0.0] * 4
    assert by_y.tolist() == (2 * X[None]).tolist()
    with pytest.raises(ValueError, match="broadcast"):
        staticpy.grad(staticpy.jit(_added), (0, 1))(X.copy(), X[None])


@pytest.mark.parametrize("form", [staticpy.jit, lambda function: function], ids=["graph", "tape"])
@pytest.mark.parametrize(
    ("function", "by"),
    [
        (lambda x: np.average(x, weights=[1, 2, 3, 4]), [0.1, 0.2, 0.3, 0.4]),
        (lambda x: np.interp(x, [0.0, 1.0], [2.0, 5.0]).sum(), [3.0, 3.0, 3.0, 0.0]),
        (lambda x: np.polyval([1, 2], x).sum(), [1.0] * 4),
    ],
)
def test_lists_of_numbers_beside_arrays(form: Any, function: Any, by: Any) -> None:
    np.testing.assert_allclose(staticpy.grad(form(function))(X), by)


@pytest.mark.parametrize(
    "function",
    [
        lambda t: np.mgrid[0:t:5j].sum(),
        lambda t: np.ogrid[0:3, t:5.0][1].sum(),
        lambda t: np.r_[0:3, t].sum(),
    ],
)
def test_what_grids_begin_and_end_with_is_not_passed_over(function: Any) -> None:
    for call in (staticpy.grad(staticpy.jit(function)), lambda t: jvp_of(function, t)):
        with pytest.raises(CompileError, match="SPY701"):
            call(2.5)


def jvp_of(function: Any, x: float) -> Any:
    return staticpy.jvp(staticpy.jit(function), (x,), (1.0,))


@pytest.mark.parametrize("n", [0, 1, 3])
def test_arrays_of_other_sizes_in_each_round(n: int) -> None:
    """What nobody reads at the end of a loop has zeros of its last size for a cotangent."""

    def f(x, n):
        s = x[1]
        for j in range(1, n + 1):
            if j % 2:
                u = x[: j + 1] * x[0]
                for _ in range(j):
                    s += (u * u).sum()
                    u = u[::-1] * 0.9
            else:
                s *= 1.1
        return s

    found = staticpy.grad(staticpy.jit(f))(X, n)
    np.testing.assert_allclose(found, slope(f, (X, n)), rtol=1e-6, atol=1e-7)


def test_of_complex_numbers() -> None:
    """JAX's convention: the derivative by the real part, less ``1j`` times that by the other."""
    assert staticpy.grad(staticpy.jit(lambda z: abs(z * z) ** 2))(1 + 2j) == pytest.approx(20 - 40j)


def test_a_function_is_run_once(capsys: pytest.CaptureFixture[str]) -> None:
    @staticpy.jit
    def f(x):
        print("run")
        return x * x

    assert staticpy.grad(f)(3.0) == 6.0
    assert capsys.readouterr().out == "run\n"


def test_of_a_method() -> None:
    class Model:
        def __init__(self, scale: float) -> None:
            self.scale = scale

        def loss(self, x):
            return self.scale * x**2

    model = Model(3.0)
    slope_of_loss = staticpy.grad(staticpy.jit(model.loss))
    assert slope_of_loss(2.0) == 12.0
    model.scale = 4.0
    assert slope_of_loss(2.0) == 16.0


def test_as_a_decorator() -> None:
    @staticpy.jit
    @staticpy.grad
    def f(x):
        return x**3

    assert f(2.0) == 12.0


def test_exceptions_pass() -> None:
    @staticpy.jit
    def f(x, n):
        if n > 3:
            raise ValueError("too many")
        return x[n] * 2

    np.testing.assert_array_equal(staticpy.grad(f)(X, 1), [0.0, 2.0, 0.0, 0.0])
    with pytest.raises(ValueError, match="too many"):
        staticpy.grad(f)(X, 5)
    with pytest.raises(IndexError):
        staticpy.grad(f)(X[:2], 3)


# --- what is emitted ------------------------------------------------------------------------------


def operations(function: Callable[..., Any], *args: Any, argnums: Any = 0) -> list[str]:
    """The names of the operations that are compiled for a gradient."""
    lowered = staticpy.grad(staticpy.jit(function), argnums).lower(*args)  # type: ignore[attr-defined]
    return [operation.name for operation in walk(lowered.compile().module.main.block)]


def squared(scores: Any, labels: Any) -> Any:
    return ((scores - labels) ** 2).mean()


def cross_entropy(scores: Any, labels: Any) -> Any:
    shifted = scores - np.max(scores, axis=1, keepdims=True)
    logarithms = shifted - np.log(np.sum(np.exp(shifted), axis=1, keepdims=True))
    return -(logarithms * labels).sum() / len(labels)


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("measure", [squared, cross_entropy])
def test_work_of_a_perceptron(count: int, measure: Callable[..., Any]) -> None:
    def loss(parameters, x, labels):
        for w, b in parameters[:-1]:
            x = np.tanh(x @ w + b)
        w, b = parameters[-1]
        return measure(x @ w + b, labels)

    sizes = [5, 4, 6, 3][-count - 1 :]
    pairs = itertools.pairwise(sizes)
    parameters = tuple((np.ones(pair) / 8, np.zeros(pair[1])) for pair in pairs)
    args = parameters, np.ones((7, sizes[0])), np.ones((7, 3))
    lowered = staticpy.grad(staticpy.jit(loss)).lower(*args)  # type: ignore[attr-defined]
    block = lowered.compile().module.main.block
    found = [operation.name for operation in walk(block)]
    # Forward one a layer; back one for each matrix, and one for each hidden layer: none for x.
    assert found.count("matmul") == 3 * count - 1
    once = {"tanh": count - 1}
    if measure is cross_entropy:
        once |= {"max": 1, "exp": 1, "log": 1}
    assert {name: found.count(name) for name in once} == once
    unused = [
        each
        for each in walk(block)
        if each.results and not any(result.uses for result in each.results)
    ]
    assert unused == []


def test_a_loop_that_needs_nothing_saves_nothing() -> None:
    def f(x, n):
        for _ in range(n):
            x = x * 0.5 + 1.0
        return x

    assert "list.append" not in operations(f, 2.0, 3)


def test_a_loop_saves_what_its_rules_read() -> None:
    def f(x, n):
        y = x
        for _ in range(n):
            y = math.sin(y) + x
        return y

    assert operations(f, 2.0, 3).count("list.append") == 1


def test_a_stencil_saves_nothing_and_sums_nothing() -> None:
    def f(u, n):
        u = u.copy()
        for _ in range(n):
            u[1:-1] += 0.1 * (u[2:] - 2.0 * u[1:-1] + u[:-2])
        return (u * u).sum()

    found = operations(f, X, 3)
    assert not {"list.append", "sum_to", "broadcast_arrays"}.intersection(found)


def test_arrays_are_saved_in_one_array() -> None:
    def f(x, n):
        for _ in range(n):
            x = np.sin(x) * np.cos(x)
        return x.sum()

    found = operations(f, X, 3)
    assert "list.make" in found  # x itself, which the program holds
    assert found.count("zeros") == found.count("store") == 2


def test_numbers_and_what_ends_early_are_saved_in_lists() -> None:
    def f(x, n):
        for _ in range(n):
            x = np.sin(x) * 2.0
            if x[0] > 1.5:
                break
        return x.sum()

    assert not {"zeros", "store"}.intersection(operations(f, X, 3))


def test_what_is_there_is_read_again() -> None:
    def f(x, y, n):
        total = 0.0
        for i in range(n):
            total += x[i] * y[i + 1] + (x[:-1] * x[1:]).sum() * y[2]
        return total

    assert "list.append" not in operations(f, X, X + 1, 2)


def test_an_array_that_is_read_for_its_size_is_not_saved() -> None:
    def f(x, n):
        for _ in range(n):
            x = (x + np.ones((2, 1))).mean(axis=0)
        return x.sum()

    assert "list.append" not in operations(f, X, 3)


def test_no_size_is_read_of_what_a_loop_binds_first() -> None:
    def f(m):
        total = 0.0
        for row in m:
            total += row.sum() * row[0]
        return total, row

    def of_list(m):
        return np.array([row.sum() for row in m]).sum()

    m = np.arange(6.0).reshape(2, 3)
    np.testing.assert_array_equal(staticpy.grad(staticpy.jit(of_list))(m), np.ones((2, 3)))
    found, _ = staticpy.grad(staticpy.jit(f), has_aux=True)(m)
    np.testing.assert_allclose(found, m[:, :1] + np.array([1, 0, 0]) * m.sum(axis=1)[:, None])


def test_nothing_is_computed_for_its_size() -> None:
    assert "pow" not in operations(lambda x: (x**2).mean(), X)


@pytest.mark.parametrize("in_a_loop", [False, True])
def test_arguments_that_share_memory(in_a_loop: bool) -> None:
    def f(x, w, y):
        total = 0.0
        if in_a_loop:
            for i in range(len(x)):
                total += x[i] * w[i]
        else:
            total += (x * w).sum()
        y[:] = 0.0
        return total

    w = X.copy()
    np.testing.assert_allclose(staticpy.grad(staticpy.jit(f))(X, w, w[1:]), X)
    np.testing.assert_array_equal(w[1:], np.zeros(3))


# --- what is wrong is said ------------------------------------------------------------------------


def code_of(function: Callable[..., Any], *args: Any) -> tuple[str, int]:
    with pytest.raises(CompileError) as caught:
        staticpy.grad(staticpy.jit(function))(*args)
    (diagnostic,) = caught.value.diagnostics
    return diagnostic.code, diagnostic.span.line - function.__code__.co_firstlineno


def test_an_array_is_no_loss() -> None:
    assert code_of(lambda x: np.sin(x) * 2, X) == ("SPY702", 0)


@pytest.mark.parametrize("wrap", [staticpy.jit, lambda function: function])
@pytest.mark.parametrize(
    ("function", "kind"),
    [
        (lambda x: np.sin(x) * 2, "f64["),
        (lambda x: (x.sum(), 2), "tuple"),
        (lambda x: {"a": x}, "dict"),
        (lambda _: None, "None"),
        (lambda _: "text", "str"),
    ],
)
def test_what_is_no_loss_is_named(
    function: Callable[..., Any], kind: str, wrap: Callable[..., Any]
) -> None:
    with pytest.raises(CompileError, match="SPY702") as caught:
        staticpy.grad(wrap(function))(X)
    (diagnostic,) = caught.value.diagnostics
    assert f"this function returns {kind}" in diagnostic.message


def test_an_int_has_no_gradient() -> None:
    assert code_of(lambda x: x * 0.5, 2) == ("SPY703", 0)


def test_the_line_of_what_has_no_derivative() -> None:
    def f(x):
        y = x * 2
        return np.nextafter(y, 1.0)

    assert code_of(f, 0.5) == ("SPY701", 2)
    with pytest.raises(CompileError) as caught:
        staticpy.jit(lambda x: staticpy.grad(f)(x) * 2)(0.5)
    assert "transforms.py" not in str(caught.value)  # but the user's call is there
    assert "called from" in str(caught.value)


@pytest.mark.parametrize("form", [staticpy.jit, lambda function: function], ids=["graph", "tape"])
def test_a_function_without_a_rule(
    form: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(LIBRARY, "intersect1d")

    def common(x):
        return np.intersect1d(x, x).sum()

    for call in (staticpy.grad(form(common)), lambda x: staticpy.jvp(form(common), (x,), (x,))):
        with pytest.raises(CompileError, match=r"SPY709.*'np\.intersect1d\(\)'") as caught:
            call(X)
        assert "np.intersect1d(x, x).sum()" in str(caught.value)


def test_an_axis_that_only_the_run_knows() -> None:
    @staticpy.jit
    def f(x, axis):
        return (np.sum(x, axis=axis) ** 2).sum()

    x = np.arange(6.0).reshape(2, 3)
    assert f(x, 1) == 153
    for call in (staticpy.grad(f), lambda x, axis: staticpy.jvp(f, (x, axis), (x, None))):
        with pytest.raises(CompileError, match=r"SPY504.*'np\.sum\(\)'") as caught:
            call(x, 1)
        assert "static_argnames" in str(caught.value)
    known = staticpy.jit(f, static_argnames="axis")
    np.testing.assert_array_equal(staticpy.grad(known)(x, 1), [[6, 6, 6], [24, 24, 24]])


def test_arrays_that_are_taken_from_a_list_and_written_to() -> None:
    def f(x, n):
        items = []
        for i in range(n):
            items.append(x * (i + 1.0))  # noqa: PERF401 - a list that grows
        total = (np.array(items) * x).sum()
        last = items.pop()
        last[0] = 5.0 * x[1]
        return total * last.sum()

    found = staticpy.grad(staticpy.jit(f))(X, 3)
    np.testing.assert_allclose(found, slope(f, (X, 3)), rtol=1e-6)


def test_which_of_two_equal_indexes_counts() -> None:
    @staticpy.jit
    def f(v, i):
        y = np.zeros(3)
        y[i] = v
        return (y * np.array([1.0, 2.0, 3.0])).sum()

    np.testing.assert_array_equal(staticpy.grad(f)(X[:3], np.array([2, 0, 2])), [0, 1, 3])
    pairs = np.array([[2, 9], [0, 9], [2, 9]])
    np.testing.assert_array_equal(staticpy.grad(f)(X[:3], pairs[:, 0]), [0, 1, 3])
    np.testing.assert_array_equal(staticpy.grad(f)(X[:3], np.array([1, 0, 2])[::-1]), [3, 1, 2])
    with pytest.raises(ValueError, match="C order"):
        staticpy.grad(f)(X[:3], np.array([2, 0, 2])[::-1])


def test_results_into_an_argument() -> None:
    def f(x, y):
        np.multiply(x, y, out=y)
        y[np.array([1, 1])] = y[:2] * x[0]
        return (y * x).sum()

    for _ in range(2):
        y = np.ones(4)
        found = staticpy.grad(staticpy.jit(f))(X, y)
        np.testing.assert_array_equal(y, [X[0], X[0] * X[1], X[2], X[3]])
        np.testing.assert_allclose(found, slope(f, (X, np.ones(4))), rtol=1e-6)


def test_what_an_exception_carries_is_not_written_to() -> None:
    class LimitError(Exception):
        def __init__(self, limit: Any) -> None:
            self.limit = limit

    def f(x):
        try:
            if x[0] < 1:
                raise LimitError(x * x[2])
            y = x[0]
        except LimitError as error:
            error.limit[0] = x[1]
            y = error.limit.sum()
        return y

    assert code_of(f, X) == ("SPY701", 7)


def _depends_on_x(x):
    try:
        if x[0] < 1:
            raise ValueError(x[0] * x[1])
        y = x[0]
    except ValueError as error:
        y = float(error.args[0]) ** 2
    return y


def _known_number(x):
    try:
        if x[0] < 1:
            raise ValueError(2.5)
        y = x[0]
    except ValueError as error:
        y = float(error.args[0]) * x[1]
    return y


def _shown(x):
    try:
        if x[0] < 1:
            raise ValueError(x[0] * x[1])
        y = x[0]
    except ValueError as error:
        y = x[1] if str(error) else x[2]
    return y


def _missing_key(x):
    try:
        y = {1.0: x[0]}[x[1]]
    except KeyError as error:
        y = float(error.args[0]) * x[0]
    return y


@pytest.mark.parametrize("f", [_depends_on_x, _missing_key])
def test_what_an_exception_is_made_of_is_not_taken_for_constant(f) -> None:
    assert code_of(f, X)[0] == "SPY701"
    with pytest.raises(CompileError, match="SPY701"):
        staticpy.jvp(staticpy.jit(f), (X,), (X,))


@pytest.mark.parametrize("f", [_known_number, _shown])
def test_an_exception_of_which_nothing_with_a_derivative_is_read(f) -> None:
    found = staticpy.grad(staticpy.jit(f))(X)
    np.testing.assert_allclose(found, slope(f, (X,)), rtol=1e-6, atol=1e-9)


def test_no_handler_sees_what_derivatives_raise() -> None:
    def f(x):
        try:
            y = math.sqrt(x)
        except ZeroDivisionError:
            y = 7.0
        return y

    value, slope_at_zero = staticpy.value_and_grad(staticpy.jit(f))(0.0)
    assert value == 0.0
    assert slope_at_zero == math.inf
    assert staticpy.jvp(staticpy.jit(f), (0.0,), (1.0,)) == (0.0, math.inf)


def test_argnums_out_of_range() -> None:
    with pytest.raises(ValueError, match="argnums"):
        staticpy.grad(staticpy.jit(lambda x: x * x), argnums=3)(2.0)


def _written_beside(x, w):
    w[0] = 5.0
    return (x * w).sum()


def test_arrays_that_share_memory_are_refused_where_one_is_written_to() -> None:
    for form in (staticpy.jit, lambda f: f):
        x = np.array([2.0, 3.0])
        np.testing.assert_array_equal(staticpy.grad(form(_written_beside))(x, x.copy()), [5, 3])
        with pytest.raises(ValueError, match="share memory"):
            staticpy.grad(form(_written_beside))(x, x)
        x[0] = 2.0
        with pytest.raises(ValueError, match="share memory"):
            staticpy.jvp(form(_written_beside), (x, x), (x, None))
