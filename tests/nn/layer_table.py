"""What the tests know of a layer: how it is made, what goes in, what PyTorch has for it."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from staticpy import nn


@dataclass(frozen=True)
class Layer:
    """``make(dtype)`` gives the Cell; ``shapes`` are of its inputs, or functions of a generator.

    ``theirs(torch)`` gives PyTorch's layer, whose parameters have the names that ``renamed`` says.
    """

    make: Callable[[Any], nn.Cell]
    inputs: tuple[Any, ...]
    theirs: Callable[[Any], Any] | None = None
    renamed: dict[str, str] = field(default_factory=dict)
    is_training: bool = False

    def cell(self, dtype: Any) -> nn.Cell:
        return self.make(dtype).set_train(self.is_training)

    def arrays(self, dtype: Any) -> list[Any]:
        rng = np.random.default_rng(7)
        return [
            each(rng, dtype) if callable(each) else rng.normal(size=each).astype(dtype)
            for each in self.inputs
        ]


def rng() -> np.random.Generator:
    return np.random.default_rng(3)


def classes(count: int, *shape: int) -> Callable[[Any, Any], Any]:
    return lambda generator, _: generator.integers(0, count, shape)


def probabilities(*shape: int) -> Callable[[Any, Any], Any]:
    def make(generator: Any, dtype: Any) -> Any:
        found = generator.random(shape) + 0.1
        return (found / found.sum(axis=1, keepdims=True)).astype(dtype)

    return make


def ignoring(count: int, *shape: int) -> Callable[[Any, Any], Any]:
    def make(generator: Any, _: Any) -> Any:
        labels = generator.integers(0, count, shape)
        labels[0] = -100
        return labels

    return make


def plain(cell: nn.Cell) -> nn.Cell:
    """The same Cell with ndarrays in place of Parameters, which is compiled."""
    cell = copy.deepcopy(cell)
    for _, each in list(cell.cells_and_names()):
        for name, item in list(vars(each).items()):
            vars(each)[name] = unwrapped(item)
    return cell


def unwrapped(item: Any) -> Any:
    if isinstance(item, nn.Parameter):
        return item.detach().numpy().copy()
    if type(item) in (list, tuple):
        return type(item)(unwrapped(each) for each in item)
    return item


LAYERS: dict[str, Layer] = {}
"""Filled by ``tests.nn.layers``."""
