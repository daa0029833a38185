"""Layers against PyTorch's: the same weights and inputs give the same values and gradients."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.nn.layer_table import Layer
from tests.nn.layers import LAYERS
from tests.nn.test_layers import leaves, numbers, summed

torch: Any = pytest.importorskip("torch", reason="PyTorch is not installed (extra 'peers')")

TOLERANCE = {"rtol": 1e-7, "atol": 1e-11}
"""Of float64: PyTorch computes the slope of its Hardsigmoid in float32."""

NAMES = [name for name, layer in LAYERS.items() if layer.theirs is not None]


def twin(layer: Layer, cell: Any) -> tuple[Any, dict[str, Any]]:
    """PyTorch's layer with the weights of a Cell, and its parameters by the names of ours."""
    theirs = layer.theirs(torch).double().train(layer.is_training)
    state = theirs.state_dict(keep_vars=True)
    named = {}
    for name, parameter in cell.parameters_and_names():
        place = state[layer.renamed.get(name, name)]
        place.data.copy_(torch.tensor(parameter.detach().numpy()).reshape(place.shape))
        named[name] = place
    return theirs, named


def summed_of_theirs(output: Any) -> Any:
    if isinstance(output, tuple):
        return sum(summed_of_theirs(each) for each in output)
    return (output.reshape(-1) * torch.cos(torch.arange(output.numel(), dtype=output.dtype))).sum()


def numbers_of_theirs(output: Any) -> list[Any]:
    if isinstance(output, tuple):
        return [array for each in output for array in numbers_of_theirs(each)]
    return [output.detach().numpy()]


@pytest.mark.parametrize("name", NAMES)
def test_agrees(name: str) -> None:
    layer = LAYERS[name]
    cell, arrays = layer.cell(np.float64), layer.arrays(np.float64)
    theirs, state = twin(layer, cell)
    tensors = leaves(arrays)
    given = [torch.tensor(each, requires_grad=each.dtype.kind == "f") for each in arrays]
    ours, expected = cell(*tensors), theirs(*given)
    for one, other in zip(numbers(ours), numbers_of_theirs(expected), strict=True):
        np.testing.assert_allclose(one, other, **TOLERANCE)
    summed(ours).backward()
    summed_of_theirs(expected).backward()
    pairs = [*zip(tensors, given, strict=True)]
    pairs += [(each, state[key]) for key, each in cell.parameters_and_names()]
    for mine, other in pairs:
        if getattr(mine, "grad", None) is not None:
            wanted = other.grad.reshape(mine.shape).numpy()
            np.testing.assert_allclose(mine.grad.numpy(), wanted, **TOLERANCE)
    for key, other in state.items():  # running statistics
        mine = cell.parameters_dict()[key].detach().numpy()
        np.testing.assert_allclose(mine, other.detach().numpy().reshape(mine.shape), **TOLERANCE)
