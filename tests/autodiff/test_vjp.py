"""``vjp``: of plain functions, of compiled ones that Python calls, and inside of compiled ones."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy.diagnostics import CompileError
from staticpy.ir import walk
from tests.autodiff.programs import PROGRAMS

each_form = pytest.mark.parametrize(
    "form", [staticpy.jit, lambda function: function], ids=["graph", "tape"]
)
X = np.array([0.3, 0.9, 0.7])
A, W = np.arange(6.0).reshape(2, 3) / 10, np.ones((3, 2))


@dataclasses.dataclass
class Result:
    y: Any
    total: Any


def layer(x, w):
    y = np.tanh(x @ w)
    return {"result": Result(y, y.sum()), "n": 3, "none": None}


def cotangents(y: Any, total: Any) -> Any:
    return {"result": Result(y, total), "n": None, "none": None}


def inside(f: Callable[..., Any]) -> Callable[..., Any]:
    """``vjp`` and a call of the way back, in one compiled function."""

    def run(args, given):
        out, back = staticpy.vjp(f, *args)
        return out, back(given)

    return staticpy.jit(run)


def outside(form: Callable[..., Any]) -> Callable[..., Any]:
    def of(f: Callable[..., Any]) -> Callable[..., Any]:
        def run(args: Any, given: Any) -> Any:
            out, back = staticpy.vjp(form(f), *args)
            return out, back(given)

        return run

    return of


each_way = pytest.mark.parametrize(
    "way",
    [outside(lambda f: f), outside(staticpy.jit), inside],
    ids=["tape", "compiled", "in a graph"],
)


@each_way
def test_any_tree(way: Callable[..., Any]) -> None:
    out, found = way(layer)((A, W), cotangents(np.ones((2, 2)), 2.0))
    slope = staticpy.grad(lambda x, w: np.tanh(x @ w).sum() * 3, (0, 1))(A, W)
    np.testing.assert_allclose(found[0], slope[0])
    np.testing.assert_allclose(found[1], slope[1])
    np.testing.assert_array_equal(out["result"].y, np.tanh(A @ W))
    assert (out["n"], out["none"]) == (3, None)


@each_form
def test_called_again_with_others(form: Callable[..., Any]) -> None:
    _, back = staticpy.vjp(form(lambda x: np.sin(x) * x), X)
    for weights in (np.ones(3), X, np.zeros(3)):
        (found,) = back(weights)
        np.testing.assert_allclose(found, weights * (np.sin(X) + X * np.cos(X)))
        found += 1.0  # nobody else's


@each_form
def test_called_again_in_a_loop(form: Callable[..., Any]) -> None:
    def f(x, n):
        def g(y):
            for _ in range(n):
                y = np.sin(y) * x
            return y

        out, back = staticpy.vjp(g, x)
        total = 0.0
        for i in range(n):
            total = total + back(i + 1.0)[0] * out
        return total

    expected = (f(0.5 + 1e-6, 3) - f(0.5 - 1e-6, 3)) / 2e-6
    assert form(f)(0.5, 3) == pytest.approx(f(0.5, 3), rel=1e-14)
    assert staticpy.grad(form(f))(0.5, 3) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("way", [outside(staticpy.jit), inside], ids=["compiled", "in a graph"])
def test_memory_of_the_function(way: Callable[..., Any]) -> None:
    def f(x):
        y = np.zeros(3)
        for i in range(3):
            y[i] = x[i] * x[0]
        y[1] *= 2.0
        rows = [y * i for i in range(len(x))]
        return rows[1], rows[2].sum()

    _, (found,) = way(f)((X,), (np.ones(3), 0.5))
    slope = staticpy.grad(staticpy.jit(lambda x: f(x)[0].sum() + 0.5 * f(x)[1]))(X)
    np.testing.assert_allclose(found, slope)


@each_form
def test_backwards_through_what_was(form: Callable[..., Any]) -> None:
    """What changes behind the call of ``vjp`` changes nothing."""
    data, x = np.arange(3.0), np.ones(3)
    scale = 2.0
    f = form(lambda y: y * y * data * scale)
    out, back = staticpy.vjp(f, x)
    data[:], x[:], out[:] = 100.0, 100.0, 100.0
    scale = 5.0
    np.testing.assert_array_equal(back(np.ones(3))[0], [0.0, 4.0, 8.0])
    np.testing.assert_array_equal(staticpy.vjp(f, np.ones(3))[1](np.ones(3))[0], np.full(3, 1e3))


@each_form
def test_backwards_through_what_was_in_a_function(form: Callable[..., Any]) -> None:
    @form
    def f(x, data):
        scale, held = 2.0, [3.0]

        def g(y):
            return y * data * scale * held[0]

        out, back = staticpy.vjp(g, x)
        scale, held[0] = 5.0, 7.0
        data[:] = 100.0
        out[:] = 100.0
        return out, back(np.ones(3)), scale, held

    _, found, *_ = f(np.ones(3), np.arange(3.0))
    np.testing.assert_array_equal(found[0], [0.0, 6.0, 12.0])


@each_form
def test_what_is_returned_besides_may_be_changed(form: Callable[..., Any]) -> None:
    def f(x):
        y = np.sin(x)
        return y * y, y

    def inside(x):
        _, back, aux = staticpy.vjp(f, x, has_aux=True)
        aux[:] = 100.0
        return back(np.ones(3))[0]

    _, back, aux = staticpy.vjp(form(f), X, has_aux=True)
    aux[:] = 100.0
    np.testing.assert_allclose(back(np.ones(3))[0], np.sin(2 * X))
    np.testing.assert_allclose(form(inside)(X), np.sin(2 * X))


@each_form
def test_results_are_arrays_of_their_own(form: Callable[..., Any]) -> None:
    def run(x):
        out, back = staticpy.vjp(lambda y: (y, y[1:]), x)
        return *out, *back(out)

    for call in (form(run), lambda x: staticpy.vjp(form(lambda y: (y, y[1:])), x)[0]):
        x = X.copy()
        arrays = [x, *call(x)]
        for number, array in enumerate(arrays):
            assert not any(np.shares_memory(array, other) for other in arrays[:number])


@each_form
def test_methods_and_what_is_returned_besides(form: Callable[..., Any]) -> None:
    class Model:
        def __init__(self) -> None:
            self.w, self.scale = np.ones(3), 2.0

        def run(self, x):
            return np.sin(x * self.w) * self.scale, {"x": x}

    model = Model()
    _, back, aux = staticpy.vjp(form(model.run), X, has_aux=True)
    model.w[:], model.scale = 0.0, 7.0
    np.testing.assert_allclose(back(np.ones(3))[0], 2 * np.cos(X))
    np.testing.assert_array_equal(aux["x"], X)
    _, again, _ = staticpy.vjp(form(model.run), X, has_aux=True)
    np.testing.assert_array_equal(again(np.ones(3))[0], np.zeros(3))


@each_form
def test_of_a_gradient_and_a_gradient_of_it(form: Callable[..., Any]) -> None:
    @form
    def product(x, v):
        return staticpy.vjp(staticpy.grad(lambda y: (y**3).sum()), x)[1](v)[0]

    np.testing.assert_allclose(product(X, X), 6 * X * X)
    slope = staticpy.grad(form(lambda x: product(x, X).sum()))
    np.testing.assert_allclose(slope(X), 6 * X)


def test_on_the_tape_of_another() -> None:
    _, back = staticpy.vjp(lambda x: np.sin(x), X)  # noqa: PLW0108
    found = staticpy.grad(lambda c: (back(c * X)[0] ** 2).sum())(2.0)
    assert found == pytest.approx((4 * (X * np.cos(X)) ** 2).sum())


@each_way
def test_complex_numbers(way: Callable[..., Any]) -> None:
    assert way(lambda z: z * (1 + 2j))((1 + 1j,), 1.0)[1] == (1 + 2j,)
    assert way(lambda z: abs(z) * 1.0)((3 + 4j,), 1.0)[1] == (pytest.approx(0.6 - 0.8j),)


@each_form
def test_a_gradient_is_not_the_cotangent(form: Callable[..., Any]) -> None:
    def run(x, given):
        return staticpy.vjp(lambda y: y, x)[1](given)[0], staticpy.vjp(lambda y: y.T, x)[1](given)[
            0
        ]

    given = np.ones((2, 2))
    _, back = staticpy.vjp(form(lambda y: y), given)
    for found in (*form(run)(np.zeros((2, 2)), given), *back(given), *back(given)):
        np.testing.assert_array_equal(found, np.ones((2, 2)))
        found[:] = 2.0
        np.testing.assert_array_equal(given, np.ones((2, 2)))


SOME = PROGRAMS[::6]
NOT_TWICE = (
    *("raised_by_the_program", "taken_from_the_middle", "loops_in_loops_in_tries"),
    *("removed_and_sorted", "an_argument_that_is_reshaped"),
    *("several_writes_of_which_one_raises", "not_written_if_it_fits_nowhere"),
    *("argument_written", "elements_exchanged", "an_exception_that_is_changed"),
    *("written_before_it_overflows", "lists_of_arrays"),
)
"""Those that call ``str``, or write to their arguments or to what they have caught, which must not
happen twice."""


@pytest.mark.parametrize(("f", "args"), SOME, ids=[f.__name__ for f, _ in SOME])
def test_equal_to_the_gradient(f: Callable[..., Any], args: tuple[Any, ...]) -> None:
    def run(x, *others):
        out, back = staticpy.vjp(lambda y: f(y, *others), x)
        twice = 0.0
        for number in range(len(others) + 2):
            twice = back(number * 2.0)[0]
        return out, back(1.0)[0], twice

    if f.__name__ in NOT_TWICE:
        with pytest.raises(staticpy.CompileError, match="SPY706"):
            staticpy.jit(run)(*copy.deepcopy(args))
        return
    value, slope = staticpy.value_and_grad(staticpy.jit(f))(*copy.deepcopy(args))
    out, found, twice = staticpy.jit(run)(*copy.deepcopy(args))
    assert out == value
    np.testing.assert_array_equal(found, slope)
    np.testing.assert_allclose(twice, slope * 2 * (len(args)), rtol=1e-12)


def test_the_way_there_is_computed_once() -> None:
    def run(w1, w2, x, given):
        out, back = staticpy.vjp(lambda w1, w2: np.tanh(x @ w1) @ w2, w1, w2)
        return out, back(given)

    args = np.ones((5, 4)), np.ones((4, 3)), np.ones((6, 5)), np.ones((6, 3))
    compiled = staticpy.jit(run).lower(*args).compile()
    names = [operation.name for operation in walk(compiled.module.main.block)]
    assert names.count("matmul") == 2 + 2 + 1
    assert names.count("tanh") == 1

    def looped(x, n, given):
        def f(y):
            for _ in range(n):
                y = np.sin(y) * x
            return y

        out, back = staticpy.vjp(f, x)
        return out, [back(given * number) for number in range(n)]

    compiled = staticpy.jit(looped).lower(X, 3, X).compile()
    names = [operation.name for operation in walk(compiled.module.main.block)]
    assert names.count("sin") == 1


def test_compiled_once() -> None:
    @staticpy.jit
    def f(x):
        return x * x

    for number in range(3):
        staticpy.vjp(f, X * number)[1](X)
    assert f.cache_size == 1
    assert [len(programs) for programs in f.derived.values()] == [1, 1]  # asked, and run again
    f.cache_clear()
    assert f.derived == {}


# --- what is wrong is said ------------------------------------------------------------------------


@each_way
def test_cotangents_that_do_not_fit(way: Callable[..., Any]) -> None:
    ones = np.ones((2, 2))
    run = way(layer)
    for given in (cotangents(ones, 1.0)["result"], {"n": 1}, None, ones):
        with pytest.raises(TypeError, match="structure"):
            run((A, W), given)
    for given in (cotangents(ones.astype("f4"), 1.0), cotangents(ones, 1), cotangents(ones, 1j)):
        with pytest.raises(TypeError, match="dtype"):
            run((A, W), given)
    for given in (cotangents(ones[:1], 1.0), cotangents(1.0, 1.0), cotangents(ones, ones)):
        with pytest.raises(ValueError, match="shape"):
            run((A, W), given)
    assert way(lambda x: x * x)((np.float32(3),), 1.0)[1] == (np.float32(6),)


@each_form
def test_one_argument_is_taken(form: Callable[..., Any]) -> None:
    _, back = staticpy.vjp(form(lambda x: x * x), 2.0)
    for given in ((), (1.0, 2.0)):
        with pytest.raises(TypeError):
            back(*given)
        with pytest.raises(TypeError):
            form(lambda: staticpy.vjp(lambda x: x * x, 2.0)[1](*given))()  # noqa: B023
    with pytest.raises(TypeError):
        form(lambda: staticpy.vjp(lambda x: x * x, 2.0)[1](cotangents=1.0))()


def refusal(call: Callable[[], Any]) -> tuple[str, int]:
    with pytest.raises(CompileError) as caught:
        call()
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.span.file == __file__
    return diagnostic.code, diagnostic.span.line


@each_way
def test_what_has_no_way_back(way: Callable[..., Any]) -> None:
    def text(x):
        return x, "text"

    line = text.__code__.co_firstlineno
    assert refusal(lambda: way(text)((2.0,), 1.0)) == ("SPY706", line)
    assert refusal(lambda: way(lambda x: x * 2)((2,), 1.0))[0] == "SPY703"
    assert refusal(lambda: way(lambda x: np.nextafter(x, 1.0))((2.0,), 1.0))[0] == "SPY701"


@pytest.mark.parametrize("way", [outside(staticpy.jit), inside], ids=["compiled", "in a graph"])
def test_what_would_happen_again(way: Callable[..., Any]) -> None:
    kept: list[float] = []

    def prints(x):
        print("here")
        return x * x

    def writes(x):
        x[0] = 1.0
        return x * x

    def collects(x):
        kept.append(1.0)
        return x * x

    for f in (prints, writes, collects):
        found = refusal(lambda: way(f)((X.copy(),), X))  # noqa: B023
        assert found == ("SPY706", f.__code__.co_firstlineno + 1)


def test_memory_that_changes_in_between() -> None:
    def f(x, n):
        held = [1.0 * i for i in range(n)]
        _, back = staticpy.vjp(lambda y: y * held[1], x)
        found = back(1.0)[0]
        held[1] = 5.0
        return found

    def late(x, n):
        held = [1.0 * i for i in range(n)]
        _, back = staticpy.vjp(lambda y: y * held[1], x)
        held[1] = 5.0
        return back(1.0)[0]

    assert staticpy.jit(f)(2.0, 3) == 1.0
    assert refusal(lambda: staticpy.jit(late)(2.0, 3)) == (
        "SPY706",
        late.__code__.co_firstlineno + 3,
    )


def test_a_way_back_that_leaves_its_block() -> None:
    def f(x):
        with np.errstate(all="ignore"):
            _, back = staticpy.vjp(lambda y: np.log(y), x)  # noqa: PLW0108
        return back(1.0)

    assert refusal(lambda: staticpy.jit(f)(2.0)) == ("SPY706", f.__code__.co_firstlineno + 2)


def test_what_would_happen_again_is_said_as_the_program_says_it() -> None:
    log: list[Any] = []

    @staticpy.jit
    def f(x):  # type: ignore[no-untyped-def]
        log.append(1)
        return (x * 2).sum()

    with pytest.raises(staticpy.CompileError, match="'append' of an object would happen again"):
        staticpy.vjp(f, np.ones(2))


def test_what_it_changes_for_its_second_run_is_seen_before_the_first() -> None:
    items, state = [1.0, 2.0, 3.0], {"first": True}

    @staticpy.jit
    def emptied(x):
        while items:
            x = x * items.pop()
        return x

    @staticpy.jit
    def other(x):
        if state["first"]:
            state["first"] = False
            return x
        return x * x

    for function in (emptied, other):
        for transform in (staticpy.vjp, staticpy.linearize):
            with pytest.raises(staticpy.CompileError, match="SPY706"):
                transform(function, 2.0)
    assert (items, state) == ([1.0, 2.0, 3.0], {"first": True})
