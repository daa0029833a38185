"""Dropout: elements that are set to zero at random in training.

In: any array. Out: the same shape and dtype.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from staticpy.nn.cell import Cell
from staticpy.nn.generator import shared_generator
from staticpy.nn.init import Generator


class Dropout(Cell):
    """Each element is zero with probability ``p`` in training, else ``1 / (1 - p)`` of it
    (Srivastava et al. 2014); out of training it is what it was.

    Each call draws anew, one float32 an element, whatever the dtype and the mode, so that a seed
    gives the same elements in plain Python and in a graph.

    Args:
        p: the probability of zero, from 0 to below 1.
        rng: what is drawn from; the generator of ``set_seed`` if None.

    Raises:
        ValueError: ``p`` is outside of it.
    """

    def __init__(self, p: float = 0.5, rng: Generator = None) -> None:
        super().__init__()
        if not 0.0 <= p < 1.0:
            raise ValueError(f"the probability of zero is from 0 to below 1, not {p}")
        self.p = p
        self.rng = rng

    def construct(self, x: Any) -> Any:
        """``x: f[...]`` to the same shape."""
        if not self.training or self.p == 0.0:
            return x
        rng = shared_generator() if self.rng is None else self.rng
        is_kept = rng.random(self.drawn(x), dtype=np.float32) >= self.p
        return np.where(is_kept, x * (1.0 / (1.0 - self.p)), 0)

    def drawn(self, x: Any) -> Any:
        """The shape of what is drawn for ``x``, which is stretched to that of ``x``."""
        return x.shape

    def extend_repr(self) -> str:
        """The probability."""
        return f"p={self.p}"


class Dropout2d(Dropout):
    """``Dropout`` of whole channels of ``f[n, c, h, w]`` (Tompson et al., arXiv:1411.4280)."""

    def drawn(self, x: Any) -> Any:
        """``(n, c, 1, 1)``.

        Raises:
            ValueError: ``x`` has another number of axes than four.
        """
        if x.ndim != 4:
            raise ValueError(f"Dropout2d drops the channels of f[n, c, h, w], not of {x.ndim} axes")
        return (x.shape[0], x.shape[1], 1, 1)
