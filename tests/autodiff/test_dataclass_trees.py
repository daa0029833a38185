"""Dataclasses as arguments, results, tangents and cotangents of what is compiled before the
tangents or cotangents are known (``linearize`` and ``vjp`` of compiled functions).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy

X = np.array([[0.3, 0.9], [0.7, -0.2], [0.1, 0.5]])
W = np.array([0.5, -1.5])
FORMS = [pytest.param(staticpy.jit, id="graph"), pytest.param(lambda f: f, id="tape")]


@dataclasses.dataclass
class Layer:
    w: Any
    b: Any


def loss(layer, x):
    return np.logaddexp(0, x @ layer.w + layer.b).sum()


def slopes(layer: Layer) -> tuple[Any, Any]:
    by = 1 / (1 + np.exp(-(X @ layer.w + layer.b)))
    return by @ X, by.sum()


@pytest.mark.parametrize("form", FORMS)
def test_tangents_in_dataclasses(form: Callable[..., Any]) -> None:
    """A number in an attribute is part of the code, but not one of a tangent."""
    f = form(loss)
    for layer in (Layer(W, 0.2), Layer(W * 2, 0.4), Layer(W, 1.0)):
        _, push = staticpy.linearize(f, layer, X)
        by_w, by_b = slopes(layer)
        for w, b in ((W, 0.2), (np.zeros(2), 1.0), (np.ones(2), -3.0)):
            found = push(Layer(w, b), None)
            np.testing.assert_allclose(found, by_w @ w + by_b * b)
            np.testing.assert_allclose(found, staticpy.jvp(f, (layer, X), (Layer(w, b), None))[1])


@pytest.mark.parametrize("form", FORMS)
def test_gradients_in_dataclasses(form: Callable[..., Any]) -> None:
    _, back = staticpy.vjp(form(loss), Layer(W, 0.2), X)
    for g in (1.0, 2.5):
        found = back(np.float64(g))[0]
        assert type(found) is Layer
        np.testing.assert_allclose(found.w, g * slopes(Layer(W, 0.2))[0])
        np.testing.assert_allclose(found.b, g * slopes(Layer(W, 0.2))[1])


@pytest.mark.parametrize("form", FORMS)
def test_cotangents_in_dataclasses(form: Callable[..., Any]) -> None:
    def f(x, s):
        return {"made": [Layer(x * s, s * s)]}

    _, back = staticpy.vjp(form(f), W, 3.0)
    for w, b in ((np.ones(2), 0.0), (W, 2.0), (W, -1.0)):
        by_x, by_s = back({"made": [Layer(w, b)]})
        np.testing.assert_allclose(by_x, 3.0 * w)
        np.testing.assert_allclose(by_s, w @ W + 6.0 * b)


@pytest.mark.parametrize("argnums", [0, 1, (0, 1)])
def test_one_list_for_two_arguments(argnums: Any) -> None:
    """What is differentiated by is a list of its own."""

    def grown(left: Any, right: Any) -> Any:
        left.append(left[0] * 2.0)
        return sum(left) * right[-1]

    found = []
    for function in (grown, staticpy.jit(grown)):
        both = [1.5, 2.0]
        found.append((staticpy.value_and_grad(function, argnums)(both, both), both))
    assert found[0] == found[1]
    assert found[0][0][0] == 13.0
