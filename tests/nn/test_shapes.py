"""Arrays that don't fit a layer or loss: what is said, in plain Python and in graphs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy import nn

F4 = np.float32
CASES: dict[str, tuple[Callable[[], nn.Cell], tuple[Any, ...], type[Exception], str]] = {
    "dense": (
        lambda: nn.Dense(4, 3),
        (np.ones((5, 3), F4),),
        ValueError,
        "Dense of 4 input channels was given 3: they are the last axis",
    ),
    "batch norm": (
        lambda: nn.BatchNorm1d(3),
        (np.ones((2, 4), F4),),
        ValueError,
        "BatchNorm1d of 3 features was given 4: they are the axis 1",
    ),
    "embedding": (
        lambda: nn.Embedding(4, 2),
        (np.ones(3),),
        TypeError,
        "Embedding takes the numbers of rows, and not float64",
    ),
    "lstm": (
        lambda: nn.LSTM(3, 4),
        (np.ones((2, 5, 7), F4),),
        ValueError,
        "LSTM of 3 inputs was given 7",
    ),
    "state": (
        lambda: nn.GRU(3, 4),
        (np.ones((2, 5, 3), F4), np.ones((2, 5, 4), F4)),
        ValueError,
        r"has the shape \(2, 5, 4\), not \(1, 5, 4\)",
    ),
    "labels in a column": (
        nn.CrossEntropyLoss,
        (np.ones((5, 2)), np.ones((5, 1), int)),
        ValueError,
        r"labels of the shape \(5, 1\): they have a label for each row",
    ),
    "labels that are floats": (
        nn.NLLLoss,
        (np.ones((5, 2)), np.ones(5)),
        TypeError,
        "NLLLoss takes the numbers of classes for labels, and not float64",
    ),
    "probabilities": (
        nn.CrossEntropyLoss,
        (np.ones((5, 2)), np.ones(5)),
        ValueError,
        "they have one shape",
    ),
    "a column and a row": (
        nn.MSELoss,
        (np.ones((5, 1)), np.ones(5)),
        ValueError,
        r"MSELoss was given logits of the shape \(5, 1\) and labels of the shape \(5,\)",
    ),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("run", [lambda f: f, staticpy.jit])
def test_refused(name: str, run: Any) -> None:
    make, given, error, message = CASES[name]
    with pytest.raises(error, match=message):
        run(lambda cell, *given: cell(*given))(make(), *given)


def test_one_label_for_all() -> None:
    assert nn.MSELoss()(np.ones((5, 1)), np.float64(0.0)) == 1.0


def test_name_of_pytorch() -> None:
    class Network(nn.Cell):
        def forward(self, x: Any) -> Any:
            return x

    with pytest.raises(NotImplementedError, match=r"it has forward\(\), PyTorch's name"):
        Network()(1.0)
