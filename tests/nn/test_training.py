"""Training whole: forward, backward and update of networks as one graph, and in plain Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy import nn, optim
from tests.nn.layers import LAYERS
from tests.nn.test_layers import summed

TRAINED = [name for name, layer in LAYERS.items() if layer.cell(np.float64).trainable_params()]
STEPS = 3


def curve(name: str, is_graph: bool) -> tuple[list[float], dict[str, Any]]:
    """The losses of a few steps with Adam, and what the Cell has learned."""
    layer = LAYERS[name]
    cell, arrays = layer.cell(np.float64), layer.arrays(np.float64)
    optimizer = optim.Adam(cell, 0.01)

    def loss(cell: nn.Cell, *given: Any) -> Any:
        return (summed(cell(*given)) - 1.0) ** 2

    def step(*given: Any) -> Any:
        value, grads = staticpy.value_and_grad(loss)(cell, *given)
        optimizer.step(grads)
        return value

    run = staticpy.jit(step) if is_graph else step
    return [run(*arrays).item() for _ in range(STEPS)], cell.state_dict()


@pytest.mark.parametrize("name", TRAINED)
def test_graph_trains_as_plain_python(name: str) -> None:
    losses, learned = curve(name, is_graph=True)
    expected, wanted = curve(name, is_graph=False)
    np.testing.assert_allclose(losses, expected, rtol=1e-9, atol=1e-12)
    for key, array in learned.items():
        np.testing.assert_allclose(array, wanted[key], rtol=1e-9, atol=1e-12)
