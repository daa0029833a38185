"""Layers in plain Python on Tensors, and as graphs on ndarrays: the same values and dtypes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy import Tensor
from tests.nn.layers import LAYERS, plain


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


@pytest.mark.parametrize("name", LAYERS)
def test_graph_agrees_with_eager(name: str) -> None:
    cell, arrays = LAYERS[name].cell(np.float64), LAYERS[name].arrays(np.float64)
    compiled = staticpy.jit(lambda cell, *given: cell(*given))
    expected, found = numbers(cell(*leaves(arrays))), numbers(compiled(plain(cell), *arrays))
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", LAYERS)
def test_gradient_in_graph_agrees_with_eager(name: str) -> None:
    cell, arrays = LAYERS[name].cell(np.float64), LAYERS[name].arrays(np.float64)
    if arrays[0].dtype.kind != "f":
        pytest.skip("indices have no gradient")
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
