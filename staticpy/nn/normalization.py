"""Normalisation: elements that are shifted to mean 0 and scaled to variance 1.

In: ``x: f[n, c, ...]``. Out: the same shape.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from staticpy.nn.cell import Cell
from staticpy.nn.checks import require_size
from staticpy.nn.init import initial
from staticpy.nn.parameter import Parameter, assign


def normalized(x: Any, axes: tuple[int, ...], epsilon: float) -> tuple[Any, Any, Any]:
    """``x: f[...]`` of mean 0 and variance 1 along ``axes``, and these two, with axes of size 1.

    The variance is the mean of the squares, and ``epsilon`` is added to it.
    """
    mean = np.mean(x, axis=axes, keepdims=True)
    centered = x - mean
    variance = np.mean(centered * centered, axis=axes, keepdims=True)
    return centered / np.sqrt(variance + epsilon), mean, variance


def _first(how: Any, shape: tuple[int, ...], dtype: Any, requires_grad: bool = True) -> Parameter:
    return Parameter(initial(how, shape, dtype=dtype), requires_grad=requires_grad)


class BatchNorm(Cell):
    """Normalisation of each channel over the batch (Ioffe and Szegedy, arXiv:1502.03167).

    In training the statistics are those of the batch, and move the running ones; else these count.

    Args:
        num_features: the number of channels.
        eps: what is added to the variance.
        momentum: how much of the running statistics is kept: 0.9 here is 0.1 in PyTorch.
        affine: whether there are ``gamma`` and ``beta``.
        gamma_init: how the scale starts; see ``nn.init``.
        beta_init: the same of the shift.
        moving_mean_init: the same of the running mean.
        moving_var_init: the same of the running variance.
        dtype: of the parameters.

    Attributes:
        gamma: ``f[num_features]``, or None.
        beta: ``f[num_features]``, or None.
        moving_mean: ``f[num_features]``, not learned.
        moving_variance: ``f[num_features]``, not learned; unbiased.
    """

    ndims: tuple[int, ...] = (2, 3, 4, 5)

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.9,
        affine: bool = True,
        gamma_init: Any = "ones",
        beta_init: Any = "zeros",
        moving_mean_init: Any = "zeros",
        moving_var_init: Any = "ones",
        dtype: Any = np.float32,
    ) -> None:
        super().__init__()
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        shape = (num_features,)
        scale, shift = _first(gamma_init, shape, dtype), _first(beta_init, shape, dtype)
        self.gamma: Any = scale if affine else None
        self.beta: Any = shift if affine else None
        self.moving_mean: Any = _first(moving_mean_init, shape, dtype, False)
        self.moving_variance: Any = _first(moving_var_init, shape, dtype, False)

    def construct(self, x: Any) -> Any:
        """``x: f[n, num_features, ...]`` to the same shape.

        Raises:
            ValueError: ``x`` has another number of axes, or of features.
        """
        if x.ndim not in self.ndims:
            raise ValueError(
                f"{type(self).__name__} takes an array of {self.ndims} axes, not of {x.ndim}"
            )
        require_size(type(self).__name__, x, 1, self.num_features, "features")
        shape = (1, self.num_features) + (1,) * (x.ndim - 2)
        if self.training:
            y = self._of_batch(x)
        else:
            scale = np.sqrt(self.moving_variance + self.eps).reshape(shape)
            y = (x - self.moving_mean.reshape(shape)) / scale
        if self.gamma is None:
            return y
        return y * self.gamma.reshape(shape) + self.beta.reshape(shape)

    def _of_batch(self, x: Any) -> Any:
        axes = (0, *range(2, x.ndim))
        y, mean, variance = normalized(x, axes, self.eps)
        count = x.size // self.num_features
        if count < 2:
            raise ValueError(
                "in training a batch needs more than one value per channel: its variance is zero"
            )
        unbiased = variance.reshape(-1) * (count / (count - 1))
        keep = self.momentum
        assign(self.moving_mean, keep * self.moving_mean + (1.0 - keep) * mean.reshape(-1))
        assign(self.moving_variance, keep * self.moving_variance + (1.0 - keep) * unbiased)
        return y

    def extend_repr(self) -> str:
        """The sizes."""
        return f"num_features={self.num_features}, eps={self.eps}, momentum={self.momentum}"


class BatchNorm1d(BatchNorm):
    """``BatchNorm`` of ``f[n, num_features]`` or ``f[n, num_features, l]``."""

    ndims = (2, 3)


class BatchNorm2d(BatchNorm):
    """``BatchNorm`` of ``f[n, num_features, h, w]``."""

    ndims = (4,)


class LayerNorm(Cell):
    """Normalisation over the last axes of each element (Ba et al., arXiv:1607.06450).

    Args:
        normalized_shape: the sizes of these axes: an int for one.
        begin_norm_axis: the first of these axes, as MindSpore wants to know it; -1 for what
            ``normalized_shape`` says.
        begin_params_axis: the first axis of the parameters; the same one.
        gamma_init: how the scale starts; see ``nn.init``.
        beta_init: the same of the shift.
        epsilon: what is added to the variance: MindSpore's 1e-7; PyTorch has 1e-5.
        dtype: of the parameters.

    Attributes:
        gamma: ``f[*normalized_shape]``.
        beta: ``f[*normalized_shape]``.
    """

    def __init__(
        self,
        normalized_shape: Any,
        begin_norm_axis: int = -1,
        begin_params_axis: int = -1,
        gamma_init: Any = "ones",
        beta_init: Any = "zeros",
        epsilon: float = 1e-7,
        dtype: Any = np.float32,
    ) -> None:
        super().__init__()
        is_int = isinstance(normalized_shape, int)
        shape = (normalized_shape,) if is_int else tuple(normalized_shape)
        self.normalized_shape, self.epsilon = shape, epsilon
        self.begin_axes = (begin_norm_axis, begin_params_axis)
        self.gamma = _first(gamma_init, shape, dtype)
        self.beta = _first(beta_init, shape, dtype)

    def construct(self, x: Any) -> Any:
        """``x: f[..., *normalized_shape]`` to the same shape.

        Raises:
            ValueError: the last axes have other sizes, or begin elsewhere.
        """
        count = len(self.normalized_shape)
        for axis in self.begin_axes:
            if axis not in (-1, x.ndim - count, -count):
                raise ValueError(
                    f"LayerNorm of {self.normalized_shape} begins at axis {x.ndim - count} of an "
                    f"array of {x.ndim} axes, and not at axis {axis}"
                )
        if x.shape[x.ndim - count :] != self.normalized_shape:
            raise ValueError(
                f"LayerNorm of {self.normalized_shape} was given an array of the shape {x.shape}, "
                "whose last axes have other sizes"
            )
        y, _, _ = normalized(x, tuple(range(x.ndim - count, x.ndim)), self.epsilon)
        return y * self.gamma + self.beta

    def extend_repr(self) -> str:
        """The sizes."""
        return f"normalized_shape={self.normalized_shape}, epsilon={self.epsilon}"


class GroupNorm(Cell):
    """Normalisation over groups of channels of each element (Wu and He, arXiv:1803.08494).

    Args:
        num_groups: how many groups the channels are in, one after the other.
        num_channels: the size of axis 1.
        eps: what is added to the variance.
        affine: whether there are a scale and a shift.
        gamma_init: how the scale starts; see ``nn.init``.
        beta_init: the same of the shift.
        dtype: of the parameters.

    Raises:
        ValueError: the channels don't fill the groups.

    Attributes:
        gamma: ``f[num_channels]``, or None.
        beta: ``f[num_channels]``, or None.
    """

    def __init__(
        self,
        num_groups: int,
        num_channels: int,
        eps: float = 1e-5,
        affine: bool = True,
        gamma_init: Any = "ones",
        beta_init: Any = "zeros",
        dtype: Any = np.float32,
    ) -> None:
        super().__init__()
        if num_groups < 1 or num_channels % num_groups:
            raise ValueError(f"{num_channels} channels are not {num_groups} groups of one size")
        self.num_groups, self.num_channels, self.eps = num_groups, num_channels, eps
        self.gamma = _first(gamma_init, (num_channels,), dtype) if affine else None
        self.beta = _first(beta_init, (num_channels,), dtype) if affine else None

    def construct(self, x: Any) -> Any:
        """``x: f[n, num_channels, ...]`` to the same shape.

        Raises:
            ValueError: axis 1 has another size.
        """
        if x.ndim < 2 or x.shape[1] != self.num_channels:
            raise ValueError(
                f"GroupNorm of {self.num_channels} channels was given an array of the shape "
                f"{x.shape}"
            )
        size = math.prod(x.shape[1:]) // self.num_groups
        groups = x.reshape(x.shape[0], self.num_groups, size)
        y, _, _ = normalized(groups, (2,), self.eps)
        y = y.reshape(x.shape)
        if self.gamma is None or self.beta is None:
            return y
        sizes = (self.num_channels,) + (1,) * (x.ndim - 2)
        return y * self.gamma.reshape(sizes) + self.beta.reshape(sizes)

    def extend_repr(self) -> str:
        """The sizes."""
        return f"num_groups={self.num_groups}, num_channels={self.num_channels}, eps={self.eps}"
