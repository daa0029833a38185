"""Pooling: the largest or the mean element of each window.

In: ``x: f[n, c, h, w]`` or ``f[n, c, l]``. Out: the same, smaller.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from staticpy.nn.cell import Cell
from staticpy.nn.windows import Pair, padded, padding_of, pair, places


def max_pooled(x: Any, padding: Any, kernel: Pair, stride: Pair, dilation: Pair) -> Any:
    """The largest element of each window: ``f[n, c, h, w]`` to ``f[n, c, oh, ow]``.

    Of equal ones the first counts in derivatives, as in PyTorch; NaN is larger than all.
    """
    wide = padded(x, padding, kernel, stride, dilation, -math.inf)
    best, *others = places(wide, kernel, stride, dilation)
    for other in others:
        best = np.where((other > best) | np.isnan(other), other, best)
    return best


def mean_pooled(x: Any, padding: Any, kernel: Pair, stride: Pair, counts_padding: bool) -> Any:
    """The mean of each window: ``f[n, c, h, w]`` to ``f[n, c, oh, ow]``.

    Args:
        x: the images.
        padding: ``"same"``, or the rows and columns at each side.
        kernel: the window.
        stride: how far it moves.
        counts_padding: whether what was padded counts as elements that are zero.
    """
    total = window_sum(padded(x, padding, kernel, stride, (1, 1), 0.0), kernel, stride)
    if counts_padding:
        return total / (kernel[0] * kernel[1])
    ones = np.ones((1, 1, x.shape[2], x.shape[3]), x.dtype)
    return total / window_sum(padded(ones, padding, kernel, stride, (1, 1), 0.0), kernel, stride)


def window_sum(x: Any, kernel: Pair, stride: Pair) -> Any:
    """The sum of each window."""
    total, *others = places(x, kernel, stride, (1, 1))
    for other in others:
        total = total + other
    return total


class _Pooling(Cell):
    """What all pooling has."""

    def __init__(self, kernel: Pair, stride: Pair, padding: Any) -> None:
        super().__init__()
        self.kernel_size, self.stride, self.padding = kernel, stride, padding

    def extend_repr(self) -> str:
        """The sizes."""
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding!r}"


class MaxPool2d(_Pooling):
    """The largest element of each window; arguments and defaults are MindSpore's.

    Args:
        kernel_size: of the window: an int, or rows and columns.
        stride: how far it moves: the same.
        pad_mode: ``"valid"`` for windows inside of the image only, ``"same"`` for an output of
            ``size / stride``, or ``"pad"``.
        padding: with ``"pad"``: an int, two or four (top, bottom, left, right).
        dilation: the distance of the elements that a window meets.
    """

    def __init__(
        self,
        kernel_size: Any = 1,
        stride: Any = 1,
        pad_mode: str = "valid",
        padding: Any = 0,
        dilation: Any = 1,
    ) -> None:
        sides = padding_of(pad_mode, padding)
        super().__init__(pair(kernel_size, "kernel_size"), pair(stride, "stride"), sides)
        self.dilation = pair(dilation, "dilation")

    def construct(self, x: Any) -> Any:
        """``x: f[n, c, h, w]`` to ``f[n, c, oh, ow]``.

        Raises:
            ValueError: the window is larger than the image.
        """
        return max_pooled(x, self.padding, self.kernel_size, self.stride, self.dilation)


class MaxPool1d(_Pooling):
    """The largest element of each window of a sequence; arguments as those of ``MaxPool2d``."""

    def __init__(
        self,
        kernel_size: int = 1,
        stride: int = 1,
        pad_mode: str = "valid",
        padding: int = 0,
        dilation: int = 1,
    ) -> None:
        sides = padding_of(pad_mode, (0, padding))
        super().__init__(pair((1, kernel_size), "kernel_size"), pair((1, stride), "stride"), sides)
        self.dilation = pair((1, dilation), "dilation")

    def construct(self, x: Any) -> Any:
        """``x: f[n, c, l]`` to ``f[n, c, ol]``.

        Raises:
            ValueError: the window is longer than the sequence.
        """
        rows = np.expand_dims(x, 2)
        made = max_pooled(rows, self.padding, self.kernel_size, self.stride, self.dilation)
        return np.squeeze(made, axis=2)


class AvgPool2d(_Pooling):
    """The mean of each window; arguments and defaults are MindSpore's.

    Args:
        kernel_size: of the window: an int, or rows and columns.
        stride: how far it moves: the same.
        pad_mode: ``"valid"``, ``"pad"``, or ``"same"``, where what was padded never counts.
        padding: with ``"pad"``: an int, two or four (top, bottom, left, right).
        count_include_pad: with ``"pad"``, whether what was padded counts as zeros.
    """

    def __init__(
        self,
        kernel_size: Any = 1,
        stride: Any = 1,
        pad_mode: str = "valid",
        padding: Any = 0,
        *,
        count_include_pad: bool = True,
    ) -> None:
        sides = padding_of(pad_mode, padding)
        super().__init__(pair(kernel_size, "kernel_size"), pair(stride, "stride"), sides)
        self.count_include_pad = count_include_pad and pad_mode != "same"

    def construct(self, x: Any) -> Any:
        """``x: f[n, c, h, w]`` to ``f[n, c, oh, ow]``.

        Raises:
            ValueError: the window is larger than the image.
        """
        return mean_pooled(x, self.padding, self.kernel_size, self.stride, self.count_include_pad)


class AvgPool1d(_Pooling):
    """The mean of each window of a sequence; arguments as those of ``AvgPool2d``."""

    def __init__(
        self,
        kernel_size: int = 1,
        stride: int = 1,
        pad_mode: str = "valid",
        padding: int = 0,
        *,
        count_include_pad: bool = True,
    ) -> None:
        sides = padding_of(pad_mode, (0, padding))
        super().__init__(pair((1, kernel_size), "kernel_size"), pair((1, stride), "stride"), sides)
        self.count_include_pad = count_include_pad and pad_mode != "same"

    def construct(self, x: Any) -> Any:
        """``x: f[n, c, l]`` to ``f[n, c, ol]``.

        Raises:
            ValueError: the window is longer than the sequence.
        """
        rows = np.expand_dims(x, 2)
        made = mean_pooled(
            rows, self.padding, self.kernel_size, self.stride, self.count_include_pad
        )
        return np.squeeze(made, axis=2)
