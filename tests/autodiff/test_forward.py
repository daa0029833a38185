"""Forward mode: against central differences, against the gradient, and of plain against compiled
functions.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest

import staticpy
from staticpy.diagnostics import CompileError
from staticpy.ir import verify, walk
from staticpy.passes import inline
from tests.autodiff import trying_programs, writing_programs  # noqa: F401 - their programs
from tests.autodiff.forward_programs import WRITING
from tests.autodiff.programs import PROGRAMS, X
from tests.autodiff.recursive_programs import RECURSIVE
from tests.autodiff.test_gradients import slope
from tests.support.describing import compare_trees

IN_GRAPHS_ONLY = "@staticpy.jit"
IDS = [function.__name__ for function, _ in PROGRAMS]
each_program = pytest.mark.parametrize(("function", "args"), PROGRAMS, ids=IDS)
each_form = pytest.mark.parametrize("form", [lambda f: f, staticpy.jit], ids=["tape", "graph"])
T = np.array([0.5, -0.3, 0.8, 0.2])


BACKWARDS = {
    "best_of_several",
    "layer",
    "leaves_in_the_middle",
    "list_of_arrays",
    "slope_of_a_closure",
    "two_buffers",
    "while_in_memory",
}
"""The programs that reverse mode goes through after forward mode, in the tests."""
ONCE = dict(reversed(PROGRAMS))


def along(args: tuple[Any, ...], number: int = 0) -> Any:
    """A direction for the first argument; the others stay where they are."""
    tangent: Any = 0.7 - 0.2 * number
    if isinstance(args[0], np.ndarray):
        tangent = np.random.default_rng(number).standard_normal(args[0].shape)
    return (tangent, *[None] * (len(args) - 1))


@each_program
def test_first_order(function: Callable[..., Any], args: tuple[Any, ...]) -> None:
    tangents = along(args)
    graph = staticpy.jvp(staticpy.jit(function), copy.deepcopy(args), tangents)
    expected = np.sum(slope(staticpy.jit(function), args) * tangents[0])
    np.testing.assert_allclose(graph[1], expected, rtol=1e-6, atol=1e-6)
    eager, told = graph, IN_GRAPHS_ONLY
    try:
        eager = staticpy.jvp(function, copy.deepcopy(args), tangents)
    except (TypeError, ValueError, CompileError) as error:  # NumPy makes a ValueError of some
        told = f"{error} {error.__cause__}"
    assert IN_GRAPHS_ONLY in told
    assert list(compare_trees(eager, graph, "value and tangent")) == []


@pytest.mark.parametrize(("function", "args"), [*ONCE.items()], ids=[f.__name__ for f in ONCE])
def test_second_order(function: Callable[..., Any], args: tuple[Any, ...]) -> None:
    """Forward over reverse, forward over forward and reverse over forward are one; so are the
    gradient and forward mode.
    """
    first, second = along(args), along(args, 1)

    def push(x: Any, *others: Any) -> Any:
        return staticpy.jvp(function, (x, *others), first)[1]

    def forward(x: Any, *others: Any) -> Any:
        y = x + 0.0  # some programs write to their argument
        gradient, rows = staticpy.jvp(staticpy.grad(function), (x, *others), first)
        return gradient, rows, staticpy.jvp(push, (y, *others), second)

    gradient, rows, (tangent, twice) = staticpy.jit(forward)(*copy.deepcopy(args))
    np.testing.assert_allclose(tangent, np.sum(gradient * first[0]), rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(twice, np.sum(rows * second[0]), rtol=1e-9, atol=1e-10)
    if function.__name__ in BACKWARDS:
        columns = staticpy.grad(staticpy.jit(push))(*copy.deepcopy(args))
        np.testing.assert_allclose(columns, rows, rtol=1e-9, atol=1e-10)


def test_second_order_by_differences() -> None:
    def f(x):
        return np.sin(x).sum() * x[0] * x[1]

    found = staticpy.hvp(staticpy.jit(f), (X,), (T,))
    expected = (staticpy.grad(f)(X + 1e-6 * T) - staticpy.grad(f)(X - 1e-6 * T)) / 2e-6
    np.testing.assert_allclose(found, expected, rtol=1e-6)
    np.testing.assert_array_equal(found, staticpy.hvp(f, (X,), (T,)))


@pytest.mark.parametrize(
    ("function", "args"), RECURSIVE, ids=[each.__name__ for each, _ in RECURSIVE]
)
def test_recursion(function: Callable[..., Any], args: tuple[Any, ...]) -> None:
    tangents = along(args)
    compiled = staticpy.jit(function)
    out, found = staticpy.jvp(compiled, copy.deepcopy(args), tangents)
    assert out == compiled(*copy.deepcopy(args))
    expected = np.sum(slope(compiled, args) * tangents[0])
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6)

    def push(x: Any, n: Any) -> Any:
        return staticpy.jvp(function, (x, n), tangents)[1]

    twice = staticpy.jvp(staticpy.jit(push), copy.deepcopy(args), tangents)[1]
    expected = np.sum(slope(staticpy.jit(push), args) * tangents[0])
    np.testing.assert_allclose(twice, expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("function", WRITING, ids=[each.__name__ for each in WRITING])
def test_memory(function: Callable[..., Any], capsys: pytest.CaptureFixture[str]) -> None:
    """Memory that the gradient has no way through."""
    out, found = staticpy.jvp(staticpy.jit(function), (X.copy(),), (T,))
    value = function(X.copy())
    assert type(value) is type(out)
    assert out == value
    expected = (function(X + 1e-6 * T) - function(X - 1e-6 * T)) / 2e-6
    assert found == pytest.approx(expected, rel=1e-6, abs=1e-7)
    capsys.readouterr()


def test_every_stage_is_a_valid_graph() -> None:
    @staticpy.jit
    def f(x):
        return staticpy.jvp(lambda v: (v * v).sum(), (x,), (x,))

    module = f.lower(X).module
    verify(module)
    assert any(each.name == "jvp" for each in walk(module.main.block))
    inline(module)
    assert not any(each.name == "jvp" for each in walk(f.lower(X).compile().module.main.block))


def test_dead_tangents_disappear() -> None:
    @staticpy.jit
    def f(x, w):
        return staticpy.jvp(lambda v: np.tanh(v @ w) * 2.0, (x,), (x,))[0]

    names = [each.name for each in walk(f.lower(X, np.ones((4, 4))).compile().module.main.block)]
    assert names.count("matmul") == names.count("tanh") == 1


# --- trees ----------------------------------------------------------------------------------------


class Pair(NamedTuple):
    left: Any
    right: Any


@dataclass
class Layer:
    weights: Any
    bias: Any


@each_form
def test_trees(form: Callable[..., Any]) -> None:
    def f(parameters, pair, n):
        return {"y": [parameters["w"] * pair.left * n, None], "n": n}, pair

    primals = {"w": X, "rest": [None, 2.0]}, Pair(2.0, np.float32(3)), 4
    tangents = {"rest": None, "w": T}, Pair(1.0, np.float32(0.5)), None
    (out, pair), (found, pair_moved) = staticpy.jvp(form(f), primals, tangents)
    np.testing.assert_array_equal(out["y"][0], X * 8)
    np.testing.assert_allclose(found["y"][0], T * 8 + X * 4)
    assert (out["n"], found["n"], found["y"][1]) == (4, None, None)
    assert pair == Pair(2.0, 3.0)
    assert pair_moved == Pair(1.0, 0.5)
    assert [type(each) for each in pair_moved] == [float, np.float32]


@each_form
def test_dataclasses(form: Callable[..., Any]) -> None:
    def f(layer):
        return (layer.weights * layer.bias).sum()

    out, found = staticpy.jvp(form(f), (Layer(X, 2.0),), (Layer(T, 0.5),))
    assert out == pytest.approx(2 * X.sum())
    assert found == pytest.approx(2 * T.sum() + 0.5 * X.sum())


@each_form
def test_ints_and_constants_have_no_tangents(form: Callable[..., Any]) -> None:
    def f(x, n):
        return x > 0.5, n + 1, 2.5, np.ones(2), 1j, x.astype(int)

    _, found = staticpy.jvp(form(f), (X, 3), (T, None))
    assert found[:2] == (None, None)
    assert found[2] == 0.0
    np.testing.assert_array_equal(found[3], np.zeros(2))
    assert found[4:] == (0j, None)


@each_form
def test_what_is_returned_besides(form: Callable[..., Any]) -> None:
    found = staticpy.jvp(form(lambda x: (x * 2, {"n": "aux"})), (2.0,), (1.0,), has_aux=True)
    assert found == (4.0, 2.0, {"n": "aux"})


@each_form
def test_tangents_are_arrays_of_their_own(form: Callable[..., Any]) -> None:
    x, t = X.copy(), T.copy()
    (same, _), found = staticpy.jvp(form(lambda v: (v, v)), (x,), (t,))
    arrays = [same, *found, t]
    for number, array in enumerate(arrays):
        array += 1  # noqa: PLW2901 - none is read only
        assert not any(np.shares_memory(array, other) for other in arrays[:number])


@each_form
def test_boxes(form: Callable[..., Any]) -> None:
    double = form(lambda x: x * 2)
    for primal, tangent in ((2.0, np.float64(1)), (np.float64(2), 1.0), (np.array(2.0), 1.0)):
        out, found = staticpy.jvp(double, (primal,), (tangent,))
        assert type(out) is type(found)
        assert found == 2.0
    assert staticpy.jvp(form(lambda z: (z * z, abs(z))), (3 + 4j,), (1j,))[1] == (-8 + 6j, 0.8)


def test_a_function_is_run_once(capsys: pytest.CaptureFixture[str]) -> None:
    @staticpy.jit
    def f(x):
        print("run")
        x[0] = 7.0
        return x * x

    x = X.copy()
    out, found = staticpy.jvp(f, (x,), (T,))
    assert capsys.readouterr().out == "run\n"
    assert (x[0], out[0], found[0]) == (7.0, 49.0, 0.0)


# --- what is wrong is said ------------------------------------------------------------------------


@each_form
@pytest.mark.parametrize(
    ("primals", "tangents", "error"),
    [
        ((X, 3), (T, 1), TypeError),
        ((X, 3), (T.astype("f4"), None), TypeError),
        ((2.0, 3), (1, None), TypeError),
        ((X, 3), (T[:3], None), ValueError),
        ((X, 3), (T[:, None], None), ValueError),
        ((X, 3), (T,), TypeError),
        (([X, X], 3), ([T], None), TypeError),
        (({"a": X}, 3), ({"b": T}, None), TypeError),
        ((X, 3), ([T], None), TypeError),
        (X, T, TypeError),
    ],
)
def test_primals_and_tangents_fit(
    form: Callable[..., Any], primals: Any, tangents: Any, error: type[Exception]
) -> None:
    with pytest.raises(error):
        staticpy.jvp(form(lambda x, n: n), primals, tangents)


class Reached(Exception):
    """Holds a number."""

    def __init__(self, limit: Any) -> None:
        super().__init__(limit)
        self.limit = limit


def code_of(function: Callable[..., Any], *args: Any) -> tuple[str, int]:
    with pytest.raises(CompileError) as caught:
        staticpy.jvp(function, *args)
    (diagnostic,) = caught.value.diagnostics
    code = getattr(function, "__wrapped__", function).__code__
    return diagnostic.code, diagnostic.span.line - code.co_firstlineno


def test_the_line_of_what_has_no_derivative() -> None:
    def f(x):
        y = x * 2
        return np.nextafter(y, 1.0)

    assert code_of(staticpy.jit(f), (0.5,), (1.0,)) == ("SPY701", 2)


def test_why_an_exception_has_no_tangent() -> None:
    def f(x):
        last = None
        for i in range(2):
            try:
                raise Reached(x[i])
            except Reached as error:
                last = error
        return float(last.limit) * x[0]

    x = np.array([1.5, 2.0])
    with pytest.raises(CompileError, match=r"reaches a 'try'.* it hands on an exception that was"):
        staticpy.jvp(staticpy.jit(f), (x,), (x,))


@each_form
def test_what_no_tangent_depends_on_needs_no_derivative(form: Callable[..., Any]) -> None:
    def f(x, n):
        y = np.nextafter(x, 2.0)
        if n > 2:
            y = y + 1
        return x * 2, y

    assert staticpy.jvp(form(f), (0.5, 3), (1.0, None), has_aux=True)[1] == 2.0


@pytest.mark.parametrize(
    ("function", "shown"),
    [
        (lambda x, n: [x * i for i in range(n)], "a list whose length is known only when"),
        (lambda x, n: {i: x * i for i in range(n)}, "a dict whose keys are known only when"),
        (lambda x, n: (x, np.sin), "returns a ufunc"),
    ],
)
def test_what_has_no_tangent_is_named(function: Any, shown: str) -> None:
    with pytest.raises(CompileError, match=f"SPY704.*{shown}"):
        staticpy.jvp(staticpy.jit(function), (0.5, 3), (1.0, None))


def test_what_has_no_tangent_is_refused() -> None:
    assert code_of(staticpy.jit(lambda x: "a"), (0.5,), (1.0,)) == ("SPY704", 0)
    assert code_of(lambda x: "a", (0.5,), (1.0,))[0] == "SPY704"
    mixed = staticpy.jit(lambda x, n: n if n > 2 else x)
    assert code_of(mixed, (0.5, 3), (1.0, None)) == ("SPY702", 0)
    assert staticpy.jvp(mixed, (0.5, 1), (1.0, None)) == (0.5, 1.0)


def test_writes_to_objects_from_outside() -> None:
    class Held:
        value = 0.0

    held = Held()

    def f(x):
        held.value = x
        return held.value * 2

    assert staticpy.jvp(staticpy.jit(f), (0.5,), (1.0,)) == (1.0, 2.0)


def test_memory_that_may_be_shared_is_refused() -> None:
    @staticpy.jit
    def f(x, y):
        x[0] = x[1] * 3
        return (x * y).sum()

    x = X.copy()
    assert staticpy.jvp(f, (x, X), (T, T))[1] == pytest.approx(
        (f(X + 1e-6 * T, X + 1e-6 * T) - f(X - 1e-6 * T, X - 1e-6 * T)) / 2e-6
    )
    for other in (x, x[::-1], x[1:]):
        with pytest.raises(ValueError, match="share memory"):
            staticpy.jvp(f, (x, other), (T, T[: len(other)]))


@pytest.mark.parametrize("order", ["C", "F"])
def test_tangents_in_another_order(order: Any) -> None:
    """A reshape of an array may be a view where that of a tangent is a copy, and the reverse."""

    @staticpy.jit
    def f(x):
        y = x.reshape(-1)
        x[0] *= 2
        y[3] *= y[2]
        return y[1] * y[3] + x[1, 0]

    tangent = np.array([[0.5, -0.3, 0.8], [0.2, 0.7, -0.1]], order=order)
    for part in np.s_[:, :3], np.s_[:, ::2], np.s_[::-1, :3], np.s_[::-1, 5:2:-1]:

        def moved(step: float, part: Any = part) -> np.ndarray:
            x = np.arange(1.0, 13.0).reshape(2, 6)[part]
            x += step * tangent
            return x

        expected = (f(moved(1e-6)) - f(moved(-1e-6))) / 2e-6
        assert staticpy.jvp(f, (moved(0),), (tangent,))[1] == pytest.approx(expected)
        assert np.vdot(staticpy.grad(f)(moved(0)), tangent) == pytest.approx(expected)


# --- linearize ------------------------------------------------------------------------------------


@each_form
def test_linearize(form: Callable[..., Any]) -> None:
    def f(x, n):
        return {"y": np.sin(x) * x[0] * n, "n": n}

    x = X.copy()
    out, push = staticpy.linearize(form(f), x, 3)
    expected = staticpy.jvp(f, (X, 3), (T, None))[1]
    x[:], out["y"][:] = 0.0, 7.0
    for factor in (1.0, 2.0):
        found = push(T * factor, None)
        np.testing.assert_array_equal(found["y"], expected["y"] * factor)
        assert found["n"] is None
    np.testing.assert_array_equal(push(None, None)["y"], np.zeros(4))
    with pytest.raises(ValueError, match="shape"):
        push(T[:2], None)
    with pytest.raises(TypeError):
        push(T)


@each_form
def test_linearize_at_the_values_of_its_call(form: Callable[..., Any]) -> None:
    def f(x, t):
        a = 2.0
        y = x + 0.0
        w = [3.0, 4.0]

        def inner(v):
            return v * v * a * w[0], "aux"

        out, push, aux = staticpy.linearize(inner, y, has_aux=True)
        a = 5.0
        w[0] = 7.0
        y = y * 100
        return out, push(t), push(t * 2), aux

    out, once, twice, aux = form(f)(X, T)
    np.testing.assert_allclose(out, X * X * 6)
    np.testing.assert_allclose(once, 12 * X * T)
    np.testing.assert_allclose(twice, 24 * X * T)
    assert aux == "aux"


def test_linearize_of_what_is_written_to_afterwards() -> None:
    @staticpy.jit
    def f(x, t):
        y, w = x.copy(), np.ones(4)
        _, push = staticpy.linearize(lambda v: v * v * w, y)
        y[0], w[1] = 100.0, 9.0
        return push(t), y

    np.testing.assert_allclose(f(X, T)[0], 2 * X * T)


def test_linearize_reads_what_is_outside_once() -> None:
    data = np.ones(4)
    _, push = staticpy.linearize(staticpy.jit(lambda x: x * data), X)
    data[:] = 5.0
    np.testing.assert_array_equal(push(T), T)


def test_linearize_with_effects_is_refused() -> None:
    @staticpy.jit
    def f(x):
        print("run")
        return x * 2

    with pytest.raises(CompileError, match="SPY706"):
        staticpy.linearize(f, 2.0)


def test_gradient_of_linearize() -> None:
    def f(x):
        return staticpy.linearize(lambda v: v * v * v, x)[1](1.0)

    assert staticpy.grad(f)(2.0) == staticpy.grad(staticpy.jit(f))(2.0) == 12.0


# --- jacobians, and products with the hessian -----------------------------------------------------

A = np.arange(6.0).reshape(2, 3)
V = np.array([0.3, 0.9, 0.7])


@pytest.mark.parametrize(
    ("function", "args", "argnums"),
    [
        (lambda x: np.sin(x) * x[0], (V,), 0),
        (lambda a, x: {"y": a @ x, "s": (a * a).sum()}, (A, V), (0, 1)),
        (lambda p: (p["w"] @ p["b"][0], p["b"][1] * 2), ({"w": A, "b": [V, 2.0, None]},), 0),
        (lambda x, y: x[:, None] * y, (V, np.zeros(0)), [0, -1]),
        (lambda x: (x * x, x > 1), (np.float32(2.0),), 0),
        (lambda x: x * x, (np.array(2.0),), 0),
    ],
)
def test_jacfwd(function: Callable[..., Any], args: tuple[Any, ...], argnums: Any) -> None:
    eager = staticpy.jacfwd(function, argnums)(*args)
    graph = staticpy.jacfwd(staticpy.jit(function), argnums)(*args)
    assert list(compare_trees(eager, graph, "jacobian")) == []


def test_jacfwd_is_the_matrix_of_derivatives() -> None:
    found = staticpy.jacfwd(lambda x: np.outer(x, x[:2]), has_aux=False)(V)
    assert found.shape == (3, 2, 3)
    for place in range(3):
        step = np.eye(3)[place] * 1e-6
        expected = (np.outer(V + step, (V + step)[:2]) - np.outer(V - step, (V - step)[:2])) / 2e-6
        np.testing.assert_allclose(found[..., place], expected, atol=1e-9)


def test_hessians() -> None:
    def f(x):
        return (np.sin(x) * x[0]).sum()

    forward = staticpy.jacfwd(staticpy.jacfwd(staticpy.jit(f)))(V)
    for outer in (staticpy.jacfwd, staticpy.jacrev):
        np.testing.assert_allclose(outer(staticpy.jacfwd(f))(V), forward, atol=1e-15)
    mixed = staticpy.jit(staticpy.jacfwd(staticpy.grad(f)))(V)
    rows = [staticpy.hvp(staticpy.jit(f), (V,), (row,)) for row in np.eye(3)]
    np.testing.assert_allclose(forward, mixed, atol=1e-15)
    np.testing.assert_allclose(rows, mixed, atol=1e-15)


@each_form
def test_jacfwd_with_a_rest_and_names(form: Callable[..., Any]) -> None:
    found, aux = staticpy.jacfwd(form(lambda x, *, n: (x * n, "aux")), has_aux=True)(2.0, n=3)
    assert (found, aux) == (3.0, "aux")
    with pytest.raises(ValueError, match="argnums"):
        staticpy.jacfwd(form(lambda x: x), 1)(2.0)
    with pytest.raises(TypeError, match="floats"):
        staticpy.jacfwd(form(lambda x: x))(2)


def test_of_methods() -> None:
    class Model:
        def __init__(self, scale: float) -> None:
            self.scale = scale

        @staticpy.jit
        def loss(self, x):
            return self.scale * x**3

    model = Model(2.0)
    assert staticpy.jvp(model.loss, (2.0,), (1.0,)) == (16.0, 24.0)
    assert staticpy.hvp(model.loss, (2.0,), (1.0,)) == 24.0
    _, push = staticpy.linearize(model.loss, 2.0)
    model.scale = 3.0
    assert push(1.0) == 24.0
    assert staticpy.jvp(model.loss, (2.0,), (1.0,)) == (24.0, 36.0)


def test_programs_are_compiled_once() -> None:
    @staticpy.jit
    def f(x):
        return (x**3).sum()

    for _ in range(3):
        staticpy.jvp(f, (X,), (T,))
        staticpy.hvp(f, (X,), (T,))
    assert all(each.cache_size == 1 for each in f.derived.values())


def test_a_tensor_that_is_pushed_through_is_not_written_to() -> None:
    def writes(x):
        x += 1.0
        return (x * x).sum()

    x = staticpy.Tensor(X, requires_grad=True)
    for call in (
        lambda: staticpy.jvp(writes, (x,), (X,)),
        lambda: staticpy.linearize(writes, x),
        lambda: staticpy.grad(lambda v: staticpy.jvp(writes, (v,), (X,))[1])(X),
    ):
        with pytest.raises(TypeError, match="changed in place"):
            call()
