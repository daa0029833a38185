"""Reverse mode in its general form: trees, arguments by name, cotangents of any result."""

from __future__ import annotations

import dataclasses
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
