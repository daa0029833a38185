"""Derivatives that a program gives itself: compiled, in plain Python, and one in another."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy import custom_jvp, custom_vjp, grad, stop_gradient
from staticpy.diagnostics import CompileError
from tests.support.describing import compare_trees

X = np.array([0.3, 0.9, 0.7, 1.2])
both = pytest.mark.parametrize(
    "form", [staticpy.jit, lambda function: function], ids=["graph", "tape"]
)
Form = Callable[[Callable[..., Any]], Callable[..., Any]]


# --- stop_gradient --------------------------------------------------------------------------------


@both
def test_stop_gradient(form: Form) -> None:
    def f(x, n):
        y = x
        for _ in range(n):
            y = y * x + stop_gradient({"y": y, "x": x})["y"]
        return y

    def constants(x, n):
        y, values = x, [x]
        for _ in range(n):
            y = y * x + values[-1]
            values.append(y)
        stopped = values[:-1]

        def g(x):
            y = x
            for value in stopped:
                y = y * x + value
            return y

        return grad(g)(x)

    assert form(f)(1.1, 4) == f(1.1, 4)
    assert grad(form(f))(1.1, 4) == pytest.approx(constants(1.1, 4))


@both
def test_stop_gradient_stops_every_order(form: Form) -> None:
    def f(x):
        return x * stop_gradient(x * x) + x**3

    assert grad(form(lambda x: grad(f)(x) * x))(2.0) == 4 * 1 + 9 * 4


@both
def test_stop_gradient_gives_what_it_gets(form: Form) -> None:
    tree = {"array": X, "rest": (1, 2.5, None)}
    found = form(lambda tree: stop_gradient(tree))(tree)  # noqa: PLW0108
    assert found["array"] is X
    assert found is not tree
    assert list(compare_trees(tree, found, "tree")) == []
    with pytest.raises(TypeError, match="numbers and arrays"):
        form(lambda x: stop_gradient(len) or x)(1.0)


def test_stop_gradient_of_memory() -> None:
    """The very array, into which the program may go on to write."""

    @staticpy.jit
    def f(x):
        squares = np.zeros(4)
        for i in range(4):
            squares[i] = x[i] ** 2
        return (stop_gradient(squares) * x * squares).sum()

    np.testing.assert_allclose(grad(f)(X), 3 * X**4)

    @staticpy.jit
    def writes(x):
        y = stop_gradient(x)
        y[0] = 5.0
        return x.sum()

    x = X.copy()
    assert writes(x) == x.sum()
    assert x[0] == 5.0


# --- custom_vjp -----------------------------------------------------------------------------------


@custom_vjp
def cube(x):
    """A cube whose derivative is told to be ``10 * x``, so that it shows where the rule is used."""
    return x**3


def _cube_forward(x):
    return cube(x), x


cube.defvjp(_cube_forward, lambda x, g: (10 * x * g,))


@both
def test_custom_vjp(form: Form) -> None:
    assert form(lambda x: cube(x) + 1)(2.0) == cube(2.0) + 1 == 9.0
    assert grad(form(lambda x: cube(x) * 2))(2.0) == 40.0
    by_array = grad(form(lambda x: (cube(x) * X).sum()))(X)
    np.testing.assert_allclose(by_array, 10 * X * X)


@both
def test_the_rule_is_differentiated(form: Form) -> None:
    def slope(x):
        return grad(cube)(x)

    def slope_of_square(x):  # 2 * f * 10 x: f by its rule, x by the rules of NumPy
        return grad(lambda y: cube(y) ** 2)(x)

    def by_another(x):
        return grad(lambda y: cube(x) * y)(x)

    def third(x):
        return grad(slope_of_square)(x)

    assert grad(form(slope))(2.0) == 10.0
    assert grad(form(slope_of_square))(2.0) == 20 * 8 + 20 * 2 * 20
    assert grad(form(by_another))(2.0) == 20.0
    assert grad(form(third))(2.0) == 20 * 10 * 2 + 400 * 2


@both
def test_trees_and_arguments_without_derivative(form: Form) -> None:
    @functools.partial(custom_vjp, nondiff_argnums=(0, -1))
    def apply(function, parameters, x, scale="twice"):
        return {"y": function(parameters["w"]) * x, "count": 3, "scale": scale}

    def forward(function, parameters, x, scale):
        out = {"y": function(parameters["w"]) * x, "count": 3, "scale": scale}
        return out, (parameters["w"], [x])

    def backward(function, scale, residuals, g):
        w, (x,) = residuals
        assert g["count"] is None
        factor = 2.0 if scale == "twice" else 1.0
        return {"w": factor * g["y"] * x, "rest": None, "b": None}, function(w) * g["y"]

    apply.defvjp(forward, backward)

    def f(parameters, x):
        return apply(np.sin, parameters, x=x)["y"] + apply(np.cos, parameters, x, "once")["y"]

    parameters = {"w": 0.3, "rest": None, "b": (X,)}
    found, by_x = grad(form(f), argnums=(0, 1))(parameters, 2.0)
    assert found["w"] == 6.0
    assert found["rest"] is None
    np.testing.assert_array_equal(found["b"][0], np.zeros(4))
    assert by_x == np.sin(0.3) + np.cos(0.3)


def code_of(function: Callable[..., Any], *args: Any) -> str:
    """The code that a call is refused with."""
    with pytest.raises(CompileError) as caught:
        function(*args)
    return caught.value.diagnostics[0].spec.code


def with_rule(fun: Any, fwd: Any, bwd: Any, nondiff_argnums: Any = ()) -> Any:
    made = custom_vjp(fun, nondiff_argnums)
    made.defvjp(fwd, bwd)
    return made


@both
def test_what_is_no_rule(form: Form) -> None:
    rules = {
        "no pair": (lambda x: x, lambda _, g: (g,)),
        "no tuple": (lambda x: (x, None), lambda _, g: g),
        "two for one": (lambda x: (x, None), lambda _, g: (g, g)),
        "another structure": (lambda x: (x, None), lambda _, g: ((g,),)),
        "no number": (lambda x: (x, None), lambda _, g: ("g",)),
        "an array for a number": (lambda x: (x, None), lambda _, g: (np.ones(2) * g,)),
    }
    for name, (fwd, bwd) in rules.items():
        f = with_rule(lambda x: x, fwd, bwd)
        assert code_of(grad(form(lambda x, f=f: f(x) * 2)), 1.0) == "SPY707", name
    wrong = with_rule(lambda x: x, lambda x: (x, None), lambda _, g: (np.ones(3),))
    with pytest.raises(ValueError, match="broadcast"):
        grad(form(lambda x: wrong(x).sum()))(X)
    f = with_rule(len, lambda x: (1.0, None), lambda _, g: (None,))
    assert code_of(grad(form(lambda x: f("text") * x)), 1.0) == "SPY707"
    with pytest.raises(AttributeError, match="defvjp"):
        form(lambda x: custom_vjp(np.sin)(x))(1.0)  # noqa: PLW0108


@both
def test_derivatives_do_not_get_round_a_rule(form: Form) -> None:
    def around(x):
        f = with_rule(lambda y: x * y, lambda y: (x * y, y), lambda y, g: (g,))
        return f(x * 1.0)

    assert code_of(grad(form(around)), 2.0) == "SPY707"

    def only_read_on_the_way_back(x):
        z = x * x
        f = with_rule(lambda y: y, lambda y: (y, y), lambda y, g: (g * z,))
        return f(x)

    assert grad(form(only_read_on_the_way_back))(3.0) == 9.0


@both
def test_without_a_derivative_the_function_is_called(form: Form, capsys: Any) -> None:
    def fun(x, *more, factor=2):
        print("fun")
        return x * factor

    def fwd(x):
        print("fwd")
        return x * 2, None

    f = with_rule(fun, fwd, lambda _, g: (g * 5,))
    assert form(lambda x: f(x, 1, factor=3))(2.0) == 6.0
    assert capsys.readouterr().out == "fun\n"
    g = with_rule(lambda x: fun(x), fwd, lambda _, g: (g * 5,))  # noqa: PLW0108
    assert grad(form(g))(2.0) == 5.0
    assert grad(form(lambda x, y: g(y) * x))(2.0, 3.0) == 6.0  # whether or not x goes into it
    assert capsys.readouterr().out == "fwd\nfwd\n"
    with pytest.raises(TypeError, match="by position"):
        grad(form(lambda x: f(x, factor=3)))(2.0)


def test_compiled_where_the_function_is() -> None:
    @custom_vjp
    @staticpy.jit
    def f(x):
        return x * x

    f.defvjp(lambda x: (x * x, x), lambda x, g: (3.0 * x * g,))
    assert isinstance(grad(f), staticpy.runtime.JittedFunction)
    assert grad(f)(2.0) == 6.0
    assert staticpy.jit(f)(2.0) == f(2.0) == 4.0


@both
def test_residuals_are_lists_that_grow(form: Form) -> None:
    def forward(x, n):
        saved = []
        for _ in range(n):
            saved.append(np.cos(x) * 2)
            x = np.sin(x) * 2
        return x, (saved, n)

    def backward(_, residuals, g):
        saved, n = residuals
        for i in range(n):
            g = g * saved[n - 1 - i]
        return (g,)

    sines = with_rule(lambda x, n: forward(x, n)[0], forward, backward, 1)

    def f(x, n):
        y = x
        for _ in range(n):
            y = sines(y, n) + x
        return y

    def plain(x, n):
        y = x
        for _ in range(n):
            y = forward(y, n)[0] + x
        return y

    assert grad(form(f))(0.7, 3) == pytest.approx(grad(plain)(0.7, 3), rel=1e-12)


# --- custom_vjp and memory ------------------------------------------------------------------------


@both
def test_what_a_rule_reads_and_changes_is_its_own(form: Form) -> None:
    def backward(x, g):
        g[x < 0.8] = 0.0
        return (g,)

    relu = with_rule(lambda x: x, lambda x: (x * 1.0, x), backward)

    def f(x):
        y = x * 2
        z = y * 3
        return (relu(x) * y + z).sum()

    np.testing.assert_array_equal(
        grad(form(f))(X),
        [8 * v + 0 if v < 0 else (2 * v + 6 + (2 * v if v >= 0.8 else 0)) for v in X],
    )


def test_rules_in_programs_with_memory() -> None:
    f = with_rule(np.exp, lambda x: (y := np.exp(x), y), lambda y, g: (g * y * 2,))

    @staticpy.jit
    def written_afterwards(x):
        rows = np.zeros((3, 4))
        for i in range(3):
            y = f(x * i)
            y[0] = 5.0 * x[1]
            rows[i] = y
            y[1] = 7.0
        return (rows * rows).sum()

    expected = np.zeros(4)
    for i in range(3):
        expected += 2 * np.exp(X * i) ** 2 * i * 2 * (np.arange(4) > 0)
        expected[1] += 2 * 25 * X[1]
    np.testing.assert_allclose(grad(written_afterwards)(X), expected)

    @staticpy.jit
    def element_by_element(x):
        y, total = f(x), 0.0
        for i in range(4):
            total += y[i] * x[i]
        return total

    np.testing.assert_allclose(grad(element_by_element)(X), np.exp(X) * (1 + 2 * X))


def test_rules_that_share_memory() -> None:
    same = with_rule(lambda x: x, lambda x: (x, None), lambda _, g: (g * 2,))
    np.testing.assert_array_equal(grad(staticpy.jit(lambda x: (same(x) * x).sum()))(X), 3 * X)

    @staticpy.jit
    def written(x):
        y = x * 2
        z = same(y)
        z[0] = 1.0
        return y.sum()

    assert code_of(grad(written), X) == "SPY707"

    def in_place(x):
        x[0] = 1.0
        return x.sum(), None

    writes = with_rule(lambda x: x.sum(), in_place, lambda _, g: (g,))
    assert code_of(grad(staticpy.jit(lambda x: writes(x * 2))), X) == "SPY707"

    @staticpy.jit
    def counting(x):
        calls = []

        def backward(_, g):
            calls.append(1)
            return (g,)

        f = with_rule(lambda y: y, lambda y: (y, None), backward)
        return f(x), calls

    assert code_of(grad(counting, has_aux=True), 1.0) == "SPY707"


# --- custom_jvp -----------------------------------------------------------------------------------


@custom_jvp
def square(x):
    """A square whose derivative is told to be ``3 * x``, so that it shows where the rule is."""
    return x * x


@square.defjvp
def _square_rule(primals, tangents):
    (x,), (t,) = primals, tangents
    return square(x), 3 * x * t


@both
def test_custom_jvp(form: Form) -> None:
    assert form(lambda x: square(x) + 1)(2.0) == square(2.0) + 1 == 5.0
    assert grad(form(lambda x: square(x) * 2))(2.0) == 12.0
    np.testing.assert_allclose(grad(form(lambda x: (square(x) * X).sum()))(X), 3 * X * X)

    def slope_of_square(x):  # 2 * f * 3 x: f by its rule, x by the rules of NumPy
        return grad(lambda y: square(y) ** 2)(x)

    assert grad(form(slope_of_square))(2.0) == 6 * 4 + 6 * 2 * 6
    assert grad(form(lambda x: grad(square)(x)))(2.0) == 3.0  # noqa: PLW0108
    assert grad(form(lambda x: grad(lambda y: square(x) * y)(x)))(2.0) == 6.0
    third = grad(form(grad(slope_of_square)))(2.0)
    assert third == 6 * 3 * 2 + 36 * 2


@both
def test_tangents_of_trees(form: Form) -> None:
    apply = custom_jvp(lambda f, p, k: {"y": f(p["x"]) * p["z"] * k, "k": k}, (0,))

    @apply.defjvp
    def rule(f, primals, tangents):
        (p, k), (t, zero) = primals, tangents
        assert zero is None
        return apply(f, p, k), {"y": (t["x"] * p["z"] * 5 + t["z"] * f(p["x"])).sum(), "k": None}

    def f(p):
        return (
            apply(lambda x: np.sin(x).sum(), p, 2)["y"]
            + apply(np.cos, {"x": 1.0, "z": 2.0}, 2)["y"]
        )

    found = grad(form(f))({"x": X, "z": 2.0})
    np.testing.assert_allclose(found["x"], np.full(4, 10.0))
    assert found["z"] == pytest.approx(4 * np.sin(X).sum())


@both
def test_defjvps(form: Form) -> None:
    f = custom_jvp(lambda x, y, z: x * y + z)
    f.defjvps(lambda t, out, x, y, z: t * y * 2, None, lambda t, out, x, y, z: t * out)
    found = grad(form(f), argnums=(0, 1, 2))(2.0, 3.0, 1.0)
    assert found == (6.0, 0.0, 7.0)


@pytest.mark.parametrize(
    ("rule", "power", "factor"), [(cube, 3, 10), (square, 2, 3)], ids=["vjp", "jvp"]
)
@both
def test_a_rule_in_control_flow(form: Form, rule: Any, power: int, factor: int) -> None:
    def f(x, n):
        y = x
        for i in range(n):
            y = rule(y) * 0.1 + x if i % 2 else np.sin(rule(x)) * y
        while y < 3:
            y = y + rule(y)
        return y

    def plain(x, n):
        dy, y = 1.0, x
        for i in range(n):
            if i % 2:
                dy, y = dy * factor * y * 0.1 + 1, y**power * 0.1 + x
            else:
                inner = np.cos(x**power) * factor * x
                dy = inner * y + np.sin(x**power) * dy
                y = np.sin(x**power) * y
        while y < 3:
            dy, y = dy * (1 + factor * y), y + y**power
        return dy

    assert grad(form(f))(0.9, 5) == pytest.approx(plain(0.9, 5), rel=1e-12)


@both
def test_what_is_no_rule_for_tangents(form: Form) -> None:
    rules = {
        "no pair": lambda primals, tangents: tangents[0],
        "another structure": lambda primals, tangents: (primals[0], tangents),
        "no number": lambda primals, tangents: (primals[0], "t"),
        "an array for a number": lambda primals, tangents: (primals[0], tangents[0] * np.ones(2)),
    }
    for name, rule in rules.items():
        f = custom_jvp(lambda x: x)
        f.defjvp(rule)
        assert code_of(grad(form(lambda x, f=f: f(x) * 2)), 1.0) == "SPY707", name
    with pytest.raises(AttributeError, match="defjvp"):
        form(lambda x: custom_jvp(np.sin)(x))(1.0)  # noqa: PLW0108

    def around(x):
        f = custom_jvp(lambda y: x * y)
        f.defjvp(lambda primals, tangents: (f(*primals), x * tangents[0]))
        return f(x * 1.0)

    assert code_of(grad(form(around)), 2.0) == "SPY707"


@pytest.mark.parametrize("rule", [staticpy.custom_vjp, staticpy.custom_jvp])
def test_signatures_are_shown(rule: Any) -> None:
    names = ["fun", "nondiff_argnums", "nondiff_argnames"]
    assert list(inspect.signature(rule).parameters) == names
    assert list(inspect.signature(rule(lambda x, limit: x)).parameters) == ["x", "limit"]


@both
def test_named_arguments_that_are_no_numbers(form: Any) -> None:
    """By name, as JAX has it: they come by position, in the order of the parameters."""

    def power(function, x, n, text):
        return function(x) ** n

    def run(x, names, numbers):
        f = custom_vjp(power, numbers, names)
        f.defvjp(
            lambda function, x, n, text: (function(x) ** n, x),
            lambda function, n, text, x, g: (g * n * function(x) + len(text),),
        )
        return f(np.sin, x, text="abc", n=2)

    for names, numbers in ((("text", "function"), 2), (["n", "text", "function"], ())):
        found = staticpy.grad(form(lambda x, a=names, b=numbers: run(x, a, b)))(0.5)
        assert found == 2 * np.sin(0.5) + 3

    def tangents(x):
        f = custom_jvp(lambda function, x: function(x), nondiff_argnames="function")
        f.defjvp(lambda function, primals, tangents: (function(*primals), 2 * tangents[0]))
        return f(np.sin, x)

    assert staticpy.jvp(form(tangents), (0.5,), (1.0,)) == (np.sin(0.5), 2.0)
    with pytest.raises(ValueError, match="nondiff_argnames has 'other'"):
        staticpy.grad(form(lambda x: run(x, "other", (0, 2, 3))))(0.5)
