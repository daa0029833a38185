"""What the tests of Tensors are written with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy import Tensor
from staticpy.diagnostics import CompileError

X = np.array([0.5, 1.0, 1.5, 2.0])


def leaf(data: Any = X) -> Any:
    return Tensor(data, requires_grad=True)


def gradient_of(function: Callable[[Any], Any], data: Any = X) -> np.ndarray:
    """By ``backward``, of the sum of what a function gives."""
    x = leaf(data)
    function(x).sum().backward()
    assert x.grad is not None
    assert not x.grad.requires_grad
    return x.grad.numpy()


def by_differences(function: Callable[[Any], Any], data: Any = X, step: float = 1e-6) -> np.ndarray:
    found = np.zeros_like(data)
    for place in np.ndindex(data.shape):
        change = np.zeros_like(data)
        change[place] = step
        with staticpy.no_grad():
            up, down = (function(Tensor(data + sign * change)).sum() for sign in (1, -1))
        found[place] = (up - down).item() / (2 * step)
    return found


def refused(run: Callable[[], Any]) -> Any:
    with pytest.raises(CompileError) as caught:
        run()
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.span.file == run.__code__.co_filename
    return diagnostic


def line_of(function: Callable[..., Any], offset: int) -> int:
    return function.__code__.co_firstlineno + offset
