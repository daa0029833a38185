"""Training whole: forward, backward and update of networks as one graph, and in plain Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy import nn, optim
from tests.nn.layer_table import Layer
from tests.nn.layers import LAYERS
from tests.nn.test_layers import summed

RATES = {"bce": 1e-4}
"""What a layer takes no large steps in: of BCELoss the inputs stay between 0 and 1."""


class Learned(nn.Cell):
    """A layer that learns its parameters, and its first input if that is of floats: so all layers
    have something to learn.
    """

    def __init__(self, layer: Layer) -> None:
        super().__init__()
        self.layer = layer.cell(np.float64)
        first, *self.others = layer.arrays(np.float64)
        self.first = nn.Parameter(first) if first.dtype.kind == "f" else first

    def construct(self) -> Any:
        return self.layer(self.first, *self.others)


def curve(name: str, steps: int, is_graph: bool) -> tuple[list[float], dict[str, Any]]:
    """The losses of some steps with Adam, and what the Cell has learned."""
    cell = Learned(LAYERS[name])
    optimizer = optim.Adam(cell, RATES.get(name, 0.01))

    def loss(cell: nn.Cell) -> Any:
        return (summed(cell()) - 1.0) ** 2

    def step() -> Any:
        value, grads = staticpy.value_and_grad(loss)(cell)
        optimizer.step(grads)
        return value

    run = staticpy.jit(step) if is_graph else step
    return [run().item() for _ in range(steps)], cell.state_dict()


@pytest.mark.parametrize(
    "steps", [pytest.param(3, id="quick"), pytest.param(100, marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("name", LAYERS)
def test_graph_trains_as_plain_python(name: str, steps: int) -> None:
    """The losses of each step and the parameters after the last one agree to 1e-6."""
    losses, learned = curve(name, steps, is_graph=True)
    expected, wanted = curve(name, steps, is_graph=False)
    bound = {"rtol": 1e-9, "atol": 1e-12} if steps < 10 else {"rtol": 0.0, "atol": 1e-6}
    assert np.isfinite(expected).all()
    np.testing.assert_allclose(losses, expected, **bound)
    for key, array in learned.items():
        np.testing.assert_allclose(array, wanted[key], **bound)
