"""Layers in plain Python on Tensors, and as graphs on ndarrays: the same values and dtypes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy import Tensor, nn
from tests.nn.layer_table import plain
from tests.nn.layers import LAYERS


def leaves(arrays: list[Any]) -> list[Any]:
    """Tensors that require grad of floats; ints as they are."""
    return [Tensor(each, requires_grad=True) if each.dtype.kind == "f" else each for each in arrays]


def numbers(output: Any) -> list[Any]:
    """All arrays of an output, from Tensors and tuples."""
    if isinstance(output, tuple):
        return [array for each in output for array in numbers(each)]
    return [output.detach().numpy() if isinstance(output, Tensor) else output]


def summed(output: Any) -> Any:
    """One number that all of an output goes into."""
    if isinstance(output, tuple):
        total = summed(output[0])
        for each in output[1:]:
            total = total + summed(each)
        return total
    factors = np.cos(np.arange(output.size)).astype(output.dtype)
    return np.sum(output.reshape(-1) * factors)


def ran(cell: nn.Cell, run: Any, arrays: list[Any]) -> tuple[list[Any], list[Any]]:
    """What a Cell gives of Tensors, and the gradients by these and by its Parameters."""
    tensors = leaves(arrays)
    output = run(cell, *tensors)
    total = summed(output)
    if total.requires_grad:
        total.backward()
    with_grad = [each for each in tensors if isinstance(each, Tensor)] + [*cell.get_parameters()]
    return numbers(output), [None if each.grad is None else each.grad.numpy() for each in with_grad]


@pytest.mark.parametrize("name", LAYERS)
def test_graph_agrees_with_eager(name: str) -> None:
    """Of Tensors and Parameters: values, running statistics, and gradients by all of them."""
    layer = LAYERS[name]
    arrays = layer.arrays(np.float64)
    cells = [layer.cell(np.float64), layer.cell(np.float64)]
    runs = [lambda cell, *given: cell(*given), staticpy.jit(lambda cell, *given: cell(*given))]
    outcomes = [ran(cell, run, arrays) for cell, run in zip(cells, runs, strict=True)]
    outcomes[0][0].extend(cells[0].state_dict().values())
    outcomes[1][0].extend(cells[1].state_dict().values())
    for found, expected in zip(outcomes[1], outcomes[0], strict=True):
        for one, other in zip(found, expected, strict=True):
            assert (one is None) == (other is None)
            if one is not None:
                np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-12)


WITHOUT_PARAMETERS = [
    name for name, layer in LAYERS.items() if not layer.cell(np.float64).trainable_params()
]
"""Of the others ``test_training`` takes gradients in graphs."""


@pytest.mark.parametrize("name", WITHOUT_PARAMETERS)
def test_gradient_in_graph_agrees_with_eager(name: str) -> None:
    cell, arrays = LAYERS[name].cell(np.float64), LAYERS[name].arrays(np.float64)
    twin = plain(cell)
    tensors = leaves(arrays)
    summed(cell(*tensors)).backward()
    gradient = staticpy.jit(staticpy.grad(lambda *given: summed(twin(*given))))
    expected = tensors[0].grad.numpy()
    np.testing.assert_allclose(gradient(*arrays), expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", LAYERS)
def test_float32_stays(name: str) -> None:
    cell, arrays = LAYERS[name].cell(np.float32), LAYERS[name].arrays(np.float32)
    tensors = leaves(arrays)
    output = cell(*tensors)
    compiled = staticpy.jit(lambda cell, *given: cell(*given))(plain(cell), *arrays)
    assert {each.dtype for each in numbers(output) + numbers(compiled)} == {np.dtype(np.float32)}
    summed(output).backward()
    with_grad = [*tensors, *cell.get_parameters()]
    grads = [each.grad for each in with_grad if getattr(each, "grad", None) is not None]
    assert {each.dtype for each in grads} <= {np.dtype(np.float32)}
