"""Convolutions of images and sequences, and their transposes.

In: ``x: f[n, c, h, w]`` or ``f[n, c, l]``. Out: the same with other channels and sizes: the windows
as columns, and one product of matrices.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from staticpy.nn.basic import weight_and_bias
from staticpy.nn.cell import Cell
from staticpy.nn.init import Generator
from staticpy.nn.windows import Pair, padded, padding_of, pair, places, reach


def convolved(
    x: Any, weight: Any, kernel: Pair, padding: Any, stride: Pair, dilation: Pair, group: int
) -> Any:
    """The cross-correlation that networks call convolution.

    Args:
        x: ``f[n, c, h, w]``.
        weight: ``f[o, c / group, kh, kw]``.
        kernel: ``(kh, kw)``.
        padding: ``"same"``, or the rows and columns at each side, of zeros.
        stride: how far the window moves.
        dilation: the distance of the elements that it meets.
        group: in how many parts the channels are taken, each with its own outputs.

    Returns:
        ``f[n, o, oh, ow]``.

    Raises:
        ValueError: the window does not fit, or ``x`` has other channels.
    """
    wide = padded(x, padding, kernel, stride, dilation, 0.0)
    columns = np.stack(places(wide, kernel, stride, dilation), axis=2)
    n, channels, window, height, width = columns.shape
    outputs = weight.shape[0]
    if group == 1:
        flat = columns.reshape((n, channels * window, height * width))
        made = weight.reshape((outputs, channels * window)) @ flat
    else:
        each = channels // group * window
        flat = columns.reshape((n, group, each, height * width))
        made = weight.reshape((group, outputs // group, each)) @ flat
    return made.reshape((n, outputs, height, width))


class _Convolution(Cell):
    """What all convolutions are made of."""

    bias: Any

    def __init__(
        self,
        channels: Pair,
        kernel: Pair,
        stride: Pair,
        dilation: Pair,
        padding: Any,
        group: int,
    ) -> None:
        super().__init__()
        self.in_channels, self.out_channels = channels
        if self.in_channels % group or self.out_channels % group:
            raise ValueError(f"{channels} channels can't be taken in {group} groups")
        self.kernel_size, self.stride, self.dilation = kernel, stride, dilation
        self.padding, self.group = padding, group

    def applied(self, x: Any, weight: Any, padding: Any, stride: Pair) -> Any:
        """The convolution, and the bias if there is one."""
        kernel, dilation, group = self.kernel_size, self.dilation, self.group
        if x.shape[1] != self.in_channels:
            raise ValueError(
                f"{type(self).__name__} of {self.in_channels} channels was given {x.shape[1]}: "
                "they are the second axis"
            )
        y = convolved(x, weight, kernel, padding, stride, dilation, group)
        return y if self.bias is None else y + self.bias.reshape((-1, 1, 1))

    def extend_repr(self) -> str:
        """The sizes."""
        return (
            f"input_channels={self.in_channels}, output_channels={self.out_channels}, "
            f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding!r}, "
            f"dilation={self.dilation}, group={self.group}"
        )


class Conv2d(_Convolution):
    """A convolution of images; arguments and defaults are MindSpore's.

    Args:
        in_channels: of the input.
        out_channels: of the output.
        kernel_size: of the window: an int, or rows and columns; as are ``stride``, ``dilation``.
        stride: how far the window moves.
        pad_mode: ``"same"`` for an output of ``size / stride``, ``"valid"`` for windows inside of
            the image only, or ``"pad"``.
        padding: with ``"pad"``: an int, two or four (top, bottom, left, right).
        dilation: the distance of the elements that a window meets.
        group: in how many parts the channels are taken.
        has_bias: whether there is a bias.
        weight_init: how the weight starts; see ``nn.init``.
        bias_init: the same of the bias.
        dtype: of the parameters.
        rng: what their first values are drawn from; the generator of ``set_seed`` if None.

    Attributes:
        weight: ``f[out_channels, in_channels / group, rows, columns]``.
        bias: ``f[out_channels]``, or None.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        pad_mode: str = "same",
        padding: Any = 0,
        dilation: Any = 1,
        group: int = 1,
        has_bias: bool = False,
        weight_init: Any = None,
        bias_init: Any = None,
        dtype: Any = np.float32,
        rng: Generator = None,
    ) -> None:
        kernel = pair(kernel_size, "kernel_size")
        super().__init__(
            (in_channels, out_channels),
            kernel,
            pair(stride, "stride"),
            pair(dilation, "dilation"),
            padding_of(pad_mode, padding),
            group,
        )
        shape = (out_channels, in_channels // group, *kernel)
        bias_how = bias_init if has_bias else False
        self.weight, self.bias = weight_and_bias(weight_init, bias_how, shape, rng, dtype)

    def construct(self, x: Any) -> Any:
        """``x: f[n, in_channels, h, w]`` to ``f[n, out_channels, oh, ow]``.

        Raises:
            ValueError: the window does not fit, or ``x`` has other channels.
        """
        return self.applied(x, self.weight, self.padding, self.stride)


class Conv1d(_Convolution):
    """A convolution of sequences; arguments as those of ``Conv2d``, of one axis.

    Attributes:
        weight: ``f[out_channels, in_channels / group, kernel_size]``.
        bias: ``f[out_channels]``, or None.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        stride: int = 1,
        pad_mode: str = "same",
        padding: Any = 0,
        dilation: int = 1,
        group: int = 1,
        has_bias: bool = False,
        weight_init: Any = None,
        bias_init: Any = None,
        dtype: Any = np.float32,
        rng: Generator = None,
    ) -> None:
        sides = (padding, padding) if isinstance(padding, int) else tuple(padding)
        super().__init__(
            (in_channels, out_channels),
            pair((1, kernel_size), "kernel_size"),
            pair((1, stride), "stride"),
            pair((1, dilation), "dilation"),
            padding_of(pad_mode, (0, 0, *sides)),
            group,
        )
        shape = (out_channels, in_channels // group, kernel_size)
        bias_how = bias_init if has_bias else False
        self.weight, self.bias = weight_and_bias(weight_init, bias_how, shape, rng, dtype)

    def construct(self, x: Any) -> Any:
        """``x: f[n, in_channels, l]`` to ``f[n, out_channels, ol]``.

        Raises:
            ValueError: the window does not fit, or ``x`` has other channels.
        """
        rows, weight = np.expand_dims(x, 2), np.expand_dims(self.weight, 2)
        return np.squeeze(self.applied(rows, weight, self.padding, self.stride), axis=2)


class Conv2dTranspose(_Convolution):
    """The transpose of a convolution of images, which makes them larger.

    Args:
        in_channels: of the input.
        out_channels: of the output.
        kernel_size: of the window: an int, or rows and columns; as are ``stride``, ``dilation``,
            ``output_padding``.
        stride: how far apart the windows of neighbours are.
        pad_mode: ``"same"`` for an output of ``size * stride``, ``"valid"`` for all of it, or
            ``"pad"``.
        padding: with ``"pad"``, what is cut off: an int, two or four (top, bottom, left, right).
        output_padding: rows and columns that are added at the bottom and at the right.
        dilation: the distance of the elements of a window.
        group: in how many parts the channels are taken.
        has_bias: whether there is a bias.
        weight_init: how the weight starts; see ``nn.init``.
        bias_init: the same of the bias.
        dtype: of the parameters.
        rng: what their first values are drawn from; the generator of ``set_seed`` if None.

    Attributes:
        weight: ``f[in_channels, out_channels / group, rows, columns]``.
        bias: ``f[out_channels]``, or None.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        pad_mode: str = "same",
        padding: Any = 0,
        output_padding: Any = 0,
        dilation: Any = 1,
        group: int = 1,
        has_bias: bool = False,
        weight_init: Any = None,
        bias_init: Any = None,
        dtype: Any = np.float32,
        rng: Generator = None,
    ) -> None:
        kernel = pair(kernel_size, "kernel_size")
        super().__init__(
            (in_channels, out_channels),
            kernel,
            pair(stride, "stride"),
            pair(dilation, "dilation"),
            padding_of(pad_mode, padding),
            group,
        )
        is_int = isinstance(output_padding, int)
        self.output_padding = (output_padding,) * 2 if is_int else tuple(output_padding)
        shape = (in_channels, out_channels // group, *kernel)
        self.weight, _ = weight_and_bias(weight_init, False, shape, rng, dtype)
        self.bias = None
        if has_bias:
            turned = (out_channels, in_channels // group, *kernel)
            _, self.bias = weight_and_bias("zeros", bias_init, turned, rng, dtype)

    def construct(self, x: Any) -> Any:
        """``x: f[n, in_channels, h, w]`` to ``f[n, out_channels, oh, ow]``."""
        extent = reach(self.kernel_size, self.dilation)
        sides = (self._sides(0, extent[0]), self._sides(1, extent[1]))
        wide = cropped(spread(x, self.stride), sides)
        return self.applied(wide, self._turned(), ((0, 0), (0, 0)), (1, 1))

    def _sides(self, axis: int, extent: int) -> Pair:
        """What is put before and behind the spread image along an axis, or cut off if negative."""
        stride, extra = self.stride[axis], self.output_padding[axis]
        if self.padding == "same":
            missing = extent - stride
            before = max(missing, 0) // 2
            return extent - 1 - before, extent - 1 - (missing - before) + extra
        before, after = self.padding[axis]
        return extent - 1 - before, extent - 1 - after + extra

    def _turned(self) -> Any:
        """The weight of the convolution that this is: ``f[o, in_channels / group, kh, kw]``."""
        inputs, outputs, rows, columns = self.weight.shape
        group = self.group
        parts = self.weight.reshape((group, inputs // group, outputs, rows, columns))
        turned = parts[:, :, :, ::-1, ::-1].transpose((0, 2, 1, 3, 4))
        return turned.reshape((group * outputs, inputs // group, rows, columns))


def spread(x: Any, stride: Pair) -> Any:
    """``x: f[n, c, h, w]`` with ``stride - 1`` zeros between neighbours."""
    if stride == (1, 1):
        return x
    n, channels, height, width = x.shape
    apart = np.pad(
        x.reshape((n, channels, height, 1, width, 1)),
        ((0, 0), (0, 0), (0, 0), (0, stride[0] - 1), (0, 0), (0, stride[1] - 1)),
    )
    grid = apart.reshape((n, channels, height * stride[0], width * stride[1]))
    return grid[:, :, : (height - 1) * stride[0] + 1, : (width - 1) * stride[1] + 1]


def cropped(x: Any, sides: tuple[Pair, Pair]) -> Any:
    """``x: f[n, c, h, w]`` with rows and columns of zeros around it, or without some of its own
    where a side is negative.
    """
    (top, bottom), (left, right) = sides
    height, width = x.shape[2], x.shape[3]
    inside = x[
        :,
        :,
        max(-top, 0) : height - max(-bottom, 0),
        max(-left, 0) : width - max(-right, 0),
    ]
    rows, columns = (max(top, 0), max(bottom, 0)), (max(left, 0), max(right, 0))
    return np.pad(inside, ((0, 0), (0, 0), rows, columns))


ConvTranspose2d = Conv2dTranspose
