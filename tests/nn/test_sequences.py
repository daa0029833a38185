"""Recurrent layers and attention: what the comparison with PyTorch leaves out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy import nn
from tests.nn.layer_table import plain

RNG = np.random.default_rng(0)
X = RNG.normal(size=(4, 2, 6))


def content(output: Any) -> Any:
    return output.detach().numpy()


@pytest.mark.parametrize("kind", [nn.RNN, nn.GRU, nn.LSTM])
def test_continued_in_two_parts(kind: Any) -> None:
    layer = plain(kind(6, 3, 2, dtype=np.float64))
    whole, end = layer(X)
    first, state = layer(X[:3])
    second, other = layer(X[3:], state)
    np.testing.assert_allclose(np.concatenate([first, second]), whole, rtol=1e-12)
    for mine, wanted in zip(np.array(other), np.array(end), strict=True):
        np.testing.assert_allclose(mine, wanted, rtol=1e-12)


@pytest.mark.parametrize("kind", [nn.RNN, nn.GRU, nn.LSTM])
def test_batch_first(kind: Any) -> None:
    layer = plain(kind(6, 3, dtype=np.float64))
    expected, _ = layer(X)
    layer.batch_first = True
    np.testing.assert_array_equal(layer(X.swapaxes(0, 1))[0].swapaxes(0, 1), expected)


def test_dropout_between_layers() -> None:
    layer = nn.GRU(6, 3, 2, dropout=0.5, dtype=np.float64, rng=np.random.default_rng(1))
    twin = plain(layer)
    compiled = staticpy.jit(lambda cell, x: cell(x)[0])
    calm = content(layer(X)[0])
    np.testing.assert_allclose(compiled(twin, X), calm, rtol=1e-12)
    layer.set_train()
    twin.set_train()
    first = content(layer(X)[0])
    assert (first != calm).any()
    np.testing.assert_allclose(compiled(twin, X), first, rtol=1e-12)


def test_graph_serves_every_length() -> None:
    layer = plain(nn.LSTM(6, 3, dtype=np.float64))
    compiled = staticpy.jit(lambda x: layer(x)[0])
    for steps in (1, 2, 4):
        np.testing.assert_allclose(compiled(X[:steps]), layer(X[:steps])[0], rtol=1e-12)


def test_relu_cell() -> None:
    cell = nn.RNNCell(6, 3, nonlinearity="relu")
    assert content(cell(X[0].astype(np.float32))).min() >= 0
    with pytest.raises(ValueError, match="nonlinearity is 'tanh' or 'relu'"):
        nn.RNNCell(6, 3, nonlinearity="sin")


class TestAttention:
    def test_masks(self) -> None:
        layer = plain(nn.MultiHeadAttention(6, 2, dtype=np.float64))
        causal = layer(X, is_causal=True)
        looks = np.tri(4, dtype=bool)
        added = np.where(looks, 0.0, -np.inf)
        np.testing.assert_allclose(layer(X, mask=looks), causal, rtol=1e-12)
        np.testing.assert_allclose(layer(X, mask=added), causal, rtol=1e-12)
        compiled = staticpy.jit(lambda x, mask: layer(x, mask=mask))
        for mask in (looks, added, np.stack([looks, looks])[:, None]):
            np.testing.assert_allclose(compiled(X, mask), causal, rtol=1e-12)
        np.testing.assert_allclose(causal[:2], layer(X[:2], is_causal=True), rtol=1e-12)

    def test_batch_first(self) -> None:
        layer = plain(nn.MultiHeadAttention(6, 3, has_bias=False, dtype=np.float64))
        expected = layer(X)
        layer.batch_first = True
        made = layer(X.swapaxes(0, 1)).swapaxes(0, 1)
        np.testing.assert_allclose(made, expected, rtol=1e-12)

    def test_refusals(self) -> None:
        with pytest.raises(ValueError, match="embed_dim=6 is no multiple of num_heads=4"):
            nn.MultiHeadAttention(6, 4)
