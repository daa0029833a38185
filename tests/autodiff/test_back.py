"""Reverse mode in its general form: trees, arguments by name, cotangents of any result."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy.diagnostics import CompileError
from tests.support.describing import compare_trees

each_form = pytest.mark.parametrize(
    "form", [staticpy.jit, lambda function: function], ids=["graph", "tape"]
)


def codes_of(call: Callable[[], Any]) -> list[str]:
    with pytest.raises(CompileError) as caught:
        call()
    return [diagnostic.code for diagnostic in caught.value.diagnostics]


# --- dataclasses ----------------------------------------------------------------------------------


@dataclasses.dataclass
class Layer:
    w: Any
    b: Any
    rest: Any = None


@dataclasses.dataclass(frozen=True, slots=True)
class Model:
    layers: tuple[Layer, ...]
    scale: float = 2.0

    def __post_init__(self) -> None:
        assert type(self.scale) is float, "no gradient and no Tensor is checked"


def loss(model, x):
    for layer in model.layers:
        x = np.tanh(x @ layer.w + layer.b)
    return x.sum() * model.scale


@each_form
def test_dataclasses_are_trees(form: Callable[..., Any]) -> None:
    layers = Layer(np.ones((3, 2)), np.zeros(2)), Layer(np.full((2, 2), 0.5), np.ones(2))
    found = staticpy.grad(form(loss))(Model(layers), np.arange(3.0))

    def plain(parameters, x):
        (w1, b1), (w2, b2) = parameters
        return (np.tanh(np.tanh(x @ w1 + b1) @ w2 + b2)).sum() * 2.0

    tuples = tuple((layer.w, layer.b) for layer in layers)
    expected = staticpy.grad(plain)(tuples, np.arange(3.0))
    assert type(found) is Model
    assert type(found.layers[0]) is Layer
    assert found.layers[0].rest is None
    assert found.scale == loss(Model(layers), np.arange(3.0)) / 2
    by_layers = tuple((layer.w, layer.b) for layer in found.layers)
    assert list(compare_trees(by_layers, expected, "gradient")) == []


@each_form
def test_dataclasses_in_containers(form: Callable[..., Any]) -> None:
    @form
    def f(w):
        g = staticpy.grad(lambda d: d["a"].w ** 2 * d["a"].b[1])({"a": Layer(w, [1.0, w])})
        return g["a"].w * g["a"].b[1]

    assert f(3.0) == 162.0
    assert staticpy.grad(f)(3.0) == 216.0


@each_form
def test_what_a_dataclass_may_not_hold(form: Callable[..., Any]) -> None:
    class Plain:
        w = 1.0

    for held in (2, "two", Plain()):
        gradient = staticpy.grad(form(lambda layer: layer.w * layer.w))
        assert codes_of(lambda: gradient(Layer(1.0, held))) == ["SPY703"]  # noqa: B023


# --- arguments by name ----------------------------------------------------------------------------


def weighted(x, w, *, b=1.0, n=3):
    return (x * w).sum() * b * n


X = np.arange(3.0)


def same(found: Any, expected: Any) -> bool:
    return list(compare_trees(found, expected, "gradient")) == []


@each_form
def test_arguments_by_name(form: Callable[..., Any]) -> None:
    f = form(weighted)
    by_x, by_w, by_b = (X + 1) * 6, X * 6, 24.0
    assert same(staticpy.grad(f, argnames="w")(X, X + 1, b=2.0), by_w)
    assert same(staticpy.grad(f, argnames="w")(X, w=X + 1, b=2.0), by_w)
    assert same(staticpy.grad(f, argnames=["w"])(X, X + 1, b=2.0), (by_w,))
    assert same(staticpy.grad(f, argnames=("b", "w"))(X, X + 1, b=2.0), (by_b, by_w))
    assert same(staticpy.grad(f, argnums=0, argnames="b")(X, X + 1, b=2.0), (by_x, by_b))
    assert same(staticpy.grad(f, argnums=[1, 0])(X, X + 1, b=2.0), (by_w, by_x))
    value, found = staticpy.value_and_grad(f, argnames="b")(X, X + 1, b=2.0)
    assert value == 48.0
    assert found == by_b


@each_form
def test_names_of_methods_and_partials(form: Callable[..., Any]) -> None:
    class Model:
        scale = 2.0

        def run(self, u, v):
            return u * v * self.scale

        def __call__(self, u, v):
            return u * v

    @form
    def f(x, w):
        partial = functools.partial(weighted, x)
        called = staticpy.grad(Model(), argnames="v")(2.0, 3.0)
        return staticpy.grad(partial, argnames="w")(w), called

    assert staticpy.grad(form(Model().run), argnames="v")(2.0, 3.0) == 4.0
    assert same(f(X, X), (X * 3, 2.0))


@each_form
def test_arguments_that_are_not_given(form: Callable[..., Any]) -> None:
    f = form(weighted)
    for asked in ({"argnames": "b"}, {"argnames": "other"}, {"argnums": 2}):
        with pytest.raises(ValueError, match=r"argnames has|argnums is"):
            staticpy.grad(f, **asked)(X, X)
    with pytest.raises(ValueError, match="one argument twice"):
        staticpy.grad(f, argnums=1, argnames="w")(X, X)
    assert codes_of(lambda: staticpy.grad(f, argnames="n")(X, X, n=2)) == ["SPY703"]
    for wrong in (1.5, "w", (0, 1.0), [None]):
        with pytest.raises(TypeError, match="argnums is an int, or a tuple or list of ints"):
            staticpy.grad(f, argnums=wrong)(X, X)


def test_what_is_drawn_by_what_is_differentiated_by() -> None:
    def noisy(x):
        return np.random.default_rng(0).normal(x, 1.0).sum()

    for derive in (
        staticpy.grad(staticpy.jit(noisy)),
        lambda x: staticpy.jvp(staticpy.jit(noisy), (x,), (x,)),
    ):
        with pytest.raises(CompileError, match=r"m \+ s \* rng\.normal\(size=n\)") as caught:
            derive(X)
        assert caught.value.diagnostics[0].code == "SPY701"


@each_form
def test_ints_where_they_are_allowed(form: Callable[..., Any]) -> None:
    slope = staticpy.grad(form(weighted), (0, 1), argnames=("n",), allow_int=True)
    zeros = np.zeros(3)
    assert same(slope(X, np.arange(3), n=2), (np.arange(3) * 2.0, zeros, 0.0))
    assert same(slope(X, X, n=np.int32(2)), (X * 2, X * 2, np.float64(0)))
    tree = staticpy.grad(form(lambda t: t["x"] * t["n"]), allow_int=True)
    assert same(tree({"x": 2.0, "n": 3, "b": True}), {"x": 3.0, "n": 0.0, "b": 0.0})
    assert codes_of(lambda: tree({"x": 2.0, "n": 3, "b": "text"})) == ["SPY703"]


# --- conventions ----------------------------------------------------------------------------------


@each_form
def test_complex_numbers(form: Callable[..., Any]) -> None:
    """JAX's convention: the derivative by the real part, less ``1j`` times that by the other."""
    found = staticpy.grad(form(lambda z: abs(z) ** 2))(3 + 4j)
    assert found == pytest.approx(6 - 8j)
    step = 1e-6
    by_parts = [(abs(3 + 4j + step * way) ** 2 - 25) / step for way in (1, 1j)]
    assert found == pytest.approx(by_parts[0] - 1j * by_parts[1], rel=1e-5)
    z = np.array([1j, 2 + 1j])
    by_array = staticpy.grad(form(lambda z: (z * z.conj()).real.sum()))(z)
    np.testing.assert_allclose(by_array, 2 * z.conj())
    assert staticpy.vjp(form(lambda z: z**2), 1j)[1](1.0) == (2j,)
