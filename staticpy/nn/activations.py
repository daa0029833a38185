"""Activations as Cells, to stand in a SequentialCell.

In: an array or Tensor. Out: the function of ``staticpy.nn.functional`` of each element, in its
dtype.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from staticpy.nn import functional
from staticpy.nn.cell import Cell


class ReLU(Cell):
    """``max(x, 0)``."""

    def construct(self, x: Any) -> Any:
        """``x: f[...]`` to ``f[...]``."""
        return functional.relu(x)


class ReLU6(Cell):
    """``min(max(x, 0), 6)``."""

    def construct(self, x: Any) -> Any:
        """``x: f[...]`` to ``f[...]``."""
        return functional.relu6(x)


class LeakyReLU(Cell):
    """``x`` above zero, ``alpha * x`` below; by default MindSpore's 0.2, where PyTorch has 0.01."""

    def __init__(self, alpha: float = 0.2) -> None:
        super().__init__()
        self.alpha = alpha

    def construct(self, x: Any) -> Any:
        """``x: f[...]`` to ``f[...]``."""
        return functional.leaky_relu(x, self.alpha)

    def extend_repr(self) -> str:
        """The slope."""
        return f"alpha={self.alpha}"


class ELU(Cell):
    """``x`` above zero, ``alpha * (exp(x) - 1)`` below."""

    def __init__(self, alpha: float = 1.0) -> None:
        super().__init__()
        self.alpha = alpha

    def construct(self, x: Any) -> Any:
        """``x: f[...]`` to ``f[...]``."""
        return functional.elu(x, self.alpha)

    def extend_repr(self) -> str:
        """The scale."""
        return f"alpha={self.alpha}"


class SeLU(Cell):
    """A scaled ELU that keeps mean 0 and variance 1."""

    def construct(self, x: Any) -> Any:
        """``x: f[...]`` to ``f[...]``."""
        return functional.selu(x)


class GELU(Cell):
    """The Gaussian error linear unit.

    Args:
        approximate: take the form with tanh (eq. 2 of arXiv:1606.08415) in place of the exact one,
            as MindSpore does by default, and PyTorch does not.
    """

    def __init__(self, approximate: bool = True) -> None:
        super().__init__()
        self.approximate = approximate

    def construct(self, x: Any) -> Any:
        """``x: f[...]`` to ``f[...]``."""
        if self.approximate:
            return functional.gelu_tanh(x)
        return functional.gelu(x)

    def extend_repr(self) -> str:
        """Which form it is."""
        return f"approximate={self.approximate}"


class SiLU(Cell):
    """``x * sigmoid(x)``."""

    def construct(self, x: Any) -> Any:
        """``x: f[...]`` to ``f[...]``."""
        return functional.silu(x)


class Sigmoid(Cell):
    """``1 / (1 + exp(-x))``."""

    def construct(self, x: Any) -> Any:
        """``x: f[...]`` to ``f[...]``."""
        return functional.sigmoid(x)


class LogSigmoid(Cell):
    """``log(sigmoid(x))``."""

    def construct(self, x: Any) -> Any:
        """``x: f[...]`` to ``f[...]``."""
        return functional.log_sigmoid(x)


class Tanh(Cell):
    """The hyperbolic tangent."""

    def construct(self, x: Any) -> Any:
        """``x: f[...]`` to ``f[...]``."""
        return np.tanh(x)


class Softplus(Cell):
    """``log(1 + exp(x))``."""

    def construct(self, x: Any) -> Any:
        """``x: f[...]`` to ``f[...]``."""
        return functional.softplus(x)


class Softsign(Cell):
    """``x / (1 + abs(x))``."""

    def construct(self, x: Any) -> Any:
        """``x: f[...]`` to ``f[...]``."""
        return functional.softsign(x)


class Mish(Cell):
    """``x * tanh(softplus(x))``."""

    def construct(self, x: Any) -> Any:
        """``x: f[...]`` to ``f[...]``."""
        return functional.mish(x)


class HSigmoid(Cell):
    """``min(max(x + 3, 0), 6) / 6``."""

    def construct(self, x: Any) -> Any:
        """``x: f[...]`` to ``f[...]``."""
        return functional.hardsigmoid(x)


class HSwish(Cell):
    """``x * hardsigmoid(x)``."""

    def construct(self, x: Any) -> Any:
        """``x: f[...]`` to ``f[...]``."""
        return functional.hardswish(x)


class Softmax(Cell):
    """Probabilities of the logits along ``axis``."""

    def __init__(self, axis: int = -1) -> None:
        super().__init__()
        self.axis = axis

    def construct(self, x: Any) -> Any:
        """``x: f[...]`` to ``f[...]``."""
        return functional.softmax(x, self.axis)

    def extend_repr(self) -> str:
        """The axis."""
        return f"axis={self.axis}"


class LogSoftmax(Cell):
    """Logarithms of the probabilities of the logits along ``axis``."""

    def __init__(self, axis: int = -1) -> None:
        super().__init__()
        self.axis = axis

    def construct(self, x: Any) -> Any:
        """``x: f[...]`` to ``f[...]``."""
        return functional.log_softmax(x, self.axis)

    def extend_repr(self) -> str:
        """The axis."""
        return f"axis={self.axis}"


Hardsigmoid = HSigmoid
Hardswish = HSwish

_BY_NAME: dict[str, Callable[[], Cell]] = {
    "relu": ReLU,
    "relu6": ReLU6,
    "leakyrelu": LeakyReLU,
    "leaky_relu": LeakyReLU,
    "elu": ELU,
    "selu": SeLU,
    "gelu": GELU,
    "silu": SiLU,
    "sigmoid": Sigmoid,
    "logsigmoid": LogSigmoid,
    "tanh": Tanh,
    "softplus": Softplus,
    "softsign": Softsign,
    "mish": Mish,
    "hsigmoid": HSigmoid,
    "hswish": HSwish,
    "softmax": Softmax,
    "logsoftmax": LogSoftmax,
}


def activation_of(how: Any) -> Any:
    """What an argument ``activation`` names: a Cell or function, or None.

    Raises:
        ValueError: no activation has this name.
    """
    if not isinstance(how, str):
        return how
    name = how.lower()
    if name not in _BY_NAME:
        known = ", ".join(_BY_NAME)
        raise ValueError(f"no activation is called {how!r}: take one of {known}, or give a Cell")
    return _BY_NAME[name]()
