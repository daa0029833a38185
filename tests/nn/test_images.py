"""Convolutions, pooling, normalisation and Dropout: what the comparison with PyTorch leaves out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy import Tensor, nn
from tests.nn.layer_table import plain

X = np.random.default_rng(0).normal(size=(2, 3, 5, 8))


@pytest.mark.parametrize("stride", [1, 2, 3, (2, 1)])
@pytest.mark.parametrize("kernel", [1, 2, 3, (4, 1)])
def test_same_gives_size_by_stride(kernel: Any, stride: Any) -> None:
    down, along = (stride, stride) if isinstance(stride, int) else stride
    expected = (2, 4, -(-5 // down), -(-8 // along))
    convolution = nn.Conv2d(3, 4, kernel, stride, dtype=np.float64)
    assert convolution(X).shape == expected
    assert nn.MaxPool2d(kernel, stride, "same")(X).shape[2:] == expected[2:]
    assert nn.AvgPool2d(kernel, stride, "same")(np.ones_like(X)).min() == 1.0
    transposed = nn.Conv2dTranspose(3, 4, kernel, stride, dtype=np.float64)
    assert transposed(X).shape == (2, 4, 5 * down, 8 * along)


def test_transpose_is_the_transpose() -> None:
    """``<conv(x), y> == <x, transposed(y)>`` with the same weight and padding."""
    for mode in ("same", "valid"):
        forward = nn.Conv2d(3, 4, 3, 2, mode, dtype=np.float64)
        back = nn.Conv2dTranspose(4, 3, 3, 2, mode, dtype=np.float64)
        back.weight = forward.weight
        x = np.random.default_rng(1).normal(size=(2, 3, 8, 8) if mode == "same" else (2, 3, 7, 7))
        made = forward(x).detach().numpy()
        y = np.random.default_rng(2).normal(size=made.shape)
        np.testing.assert_allclose((made * y).sum(), (x * back(y).detach().numpy()).sum())


def test_first_of_equal_ones_has_the_gradient() -> None:
    x = Tensor(np.zeros((1, 1, 2, 2)), requires_grad=True)
    nn.MaxPool2d(2, 2)(x).sum().backward()
    assert x.grad.tolist() == [[[[1.0, 0.0], [0.0, 0.0]]]]


def test_nan_is_the_largest() -> None:
    for place in range(4):
        x = np.zeros(4)
        x[place] = np.nan
        assert np.isnan(nn.MaxPool2d(2, 2)(x.reshape(1, 1, 2, 2))).all()


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: nn.Conv2d(3, 4, 0), "kernel_size is an int of at least 1"),
        (lambda: nn.Conv2d(3, 4, 3, pad_mode="full"), "pad_mode is 'same', 'valid' or 'pad'"),
        (lambda: nn.Conv2d(3, 4, 3, padding=1), "pad_mode='same' has no padding of its own"),
        (lambda: nn.Conv2d(3, 4, 3, 1, "pad", (1, 2, 3)), "padding is an int of at least 0"),
        (lambda: nn.Conv2d(3, 4, 3, group=2), "can't be taken in 2 groups"),
        (lambda: nn.Conv2d(2, 4, 3)(X), "Conv2d of 2 channels was given 3"),
        (lambda: nn.Conv1d(4, 4, 3)(X[0]), "Conv1d of 4 channels was given 5"),
        (lambda: nn.Conv2dTranspose(2, 4, 3, 2)(X), "Conv2dTranspose of 2 channels was given 3"),
        (lambda: nn.MaxPool2d(9)(X), "a window of 9 x 9 does not fit into an image of 5 x 8"),
        (lambda: nn.BatchNorm2d(3)(X[0]), "BatchNorm2d takes an array of"),
        (lambda: nn.BatchNorm1d(3).set_train()(X[:1, :, 0, 0]), "more than one value"),
        (lambda: nn.LayerNorm(3)(X), r"LayerNorm of \(3,\) was given"),
        (lambda: nn.Dropout(1.0), "from 0 to below 1"),
    ],
)
def test_refusals(make: Any, match: str) -> None:
    with pytest.raises(ValueError, match=match):
        make()


def test_running_statistics_move_in_graphs_too() -> None:
    layer = nn.BatchNorm2d(3, dtype=np.float64).set_train()
    twin = plain(layer)
    step = staticpy.jit(lambda cell, x: cell(x))
    gradient = staticpy.jit(staticpy.grad(lambda x: (twin(x) ** 3).sum()))
    for _ in range(3):
        layer(Tensor(X, requires_grad=True))
        step(twin, X)
    np.testing.assert_allclose(layer.moving_variance.numpy(), twin.moving_variance, rtol=1e-12)
    gradient(X)
    layer(X)
    np.testing.assert_allclose(layer.moving_mean.numpy(), twin.moving_mean, rtol=1e-12)
    assert not layer.moving_mean.requires_grad


def test_running_statistics_move_while_plain_python_is_differentiated() -> None:
    layer = nn.BatchNorm1d(3, dtype=np.float64).set_train()
    staticpy.grad(lambda x: (layer(x) ** 2).sum())(X[:, :, 0, 0])
    assert layer.moving_mean.detach().tolist() != [0.0, 0.0, 0.0]
    assert not layer.moving_mean.requires_grad


class TestDropout:
    def test_out_of_training(self) -> None:
        assert nn.Dropout(0.5)(X) is X

    def test_draws_anew_and_keeps_the_mean(self) -> None:
        layer = nn.Dropout(0.25, np.random.default_rng(0)).set_train()
        ones = np.ones(40_000, np.float32)
        first, second = layer(ones), layer(ones)
        assert first.dtype == np.float32
        assert (first != second).any()
        assert set(first.tolist()) == {0.0, np.float32(1 / 0.75)}
        assert abs(first.mean() - 1) < 0.02

    def test_graph_draws_the_same(self) -> None:
        eager = nn.Dropout(0.5, np.random.default_rng(0)).set_train()
        graph = nn.Dropout(0.5, np.random.default_rng(0)).set_train()
        compiled = staticpy.jit(lambda cell, x: cell(x))
        for _ in range(3):
            assert eager(X).tolist() == compiled(graph, X).tolist()

    def test_seed(self) -> None:
        layer = nn.Dropout(0.5).set_train()
        compiled = staticpy.jit(layer.construct)
        staticpy.set_seed(3)
        first = [layer(X).tolist(), compiled(X).tolist()]
        staticpy.set_seed(3)
        assert [compiled(X).tolist(), layer(X).tolist()] == first
        assert first[0] != first[1]

    def test_gradient(self) -> None:
        layer = nn.Dropout(0.5, np.random.default_rng(0)).set_train()
        x = Tensor(X, requires_grad=True)
        y = layer(x)
        y.sum().backward()
        assert (x.grad.numpy() == np.where(y.detach().numpy() == 0, 0, 2)).all()
