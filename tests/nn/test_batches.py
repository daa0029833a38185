"""Minibatches: every example once, in an order that can be had again."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy import Tensor, nn

X, Y = np.arange(20.0).reshape(10, 2), np.arange(10)


def epoch(data: Any) -> list[list[int]]:
    return [labels.tolist() for _, labels in data]


def test_in_order() -> None:
    data = nn.batches(X, Y, batch_size=4)
    assert len(data) == 3
    assert epoch(data) == epoch(data) == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]
    assert len(nn.batches(X, Y, batch_size=4, drop_last=True)) == 2
    assert epoch(nn.batches(X, Y, batch_size=5, drop_last=True)) == [
        [0, 1, 2, 3, 4],
        [5, 6, 7, 8, 9],
    ]
    assert [part.shape for part in nn.batches(X, batch_size=8)] == [(8, 2), (2, 2)]
    assert epoch(nn.batches(X[:0], Y[:0], batch_size=4)) == []


def test_shuffled() -> None:
    data = nn.batches(X, Y, batch_size=4, shuffle=True, seed=1)
    first, second = epoch(data), epoch(data)
    assert first != second
    for found in (first, second):
        assert sorted(label for part in found for label in part) == list(range(10))
    again = nn.batches(X, Y, batch_size=4, shuffle=True, rng=np.random.default_rng(1))
    assert [epoch(again), epoch(again)] == [first, second]
    for x, y in data:
        assert (x[:, 0] == 2 * y).all()


def test_set_seed() -> None:
    data = nn.batches(X, Y, batch_size=4, shuffle=True)
    staticpy.set_seed(0)
    first = epoch(data)
    staticpy.set_seed(0)
    assert epoch(data) == first


def test_tensors() -> None:
    (part, *_) = nn.batches(Tensor(X), batch_size=3, shuffle=True, seed=0)
    assert (type(part), part.shape) == (Tensor, (3, 2))


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: nn.batches(batch_size=3), "nothing to take parts of"),
        (lambda: nn.batches(X, Y[1:], batch_size=3), r"different numbers of examples: \[9, 10\]"),
        (lambda: nn.batches(X, batch_size=0), "at least 1, not 0"),
        (lambda: nn.batches(X, batch_size=1, seed=0), "without shuffle=True"),
        (
            lambda: nn.batches(X, batch_size=1, shuffle=True, seed=0, rng=np.random.default_rng()),
            "both given",
        ),
    ],
)
def test_refusals(make: Any, match: str) -> None:
    with pytest.raises(ValueError, match=match):
        make()
