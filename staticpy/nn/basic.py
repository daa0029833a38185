"""Layers of matrices: Dense, Flatten and Embedding.

In: arrays or Tensors. Out: the same, of the dtype that the layer and its input have together.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from staticpy.nn.activations import activation_of
from staticpy.nn.cell import Cell
from staticpy.nn.checks import require_size
from staticpy.nn.functional import linear
from staticpy.nn.init import Generator, he_uniform, initial, normal, uniform
from staticpy.nn.parameter import Parameter
from staticpy.runtime import stop_gradient


def weight_and_bias(
    weight_init: Any, bias_init: Any, shape: tuple[int, ...], rng: Generator, dtype: Any
) -> tuple[Parameter, Any]:
    """The parameters of a layer, whose weight has the outputs first; None for no bias.

    By default both are uniform to ``± 1 / sqrt(fan_in)``, as those of MindSpore and PyTorch.

    Args:
        weight_init: see ``init.initial``; None for the default.
        bias_init: the same, or False for none.
        shape: of the weight.
        rng: what is drawn from.
        dtype: of the parameters.
    """
    if weight_init is None:
        weight = he_uniform(shape, math.sqrt(5.0), rng, dtype)
    else:
        weight = initial(weight_init, shape, rng, dtype)
    if bias_init is False:
        return Parameter(weight), None
    if bias_init is None:
        bound = 1.0 / math.sqrt(math.prod(shape[1:])) if math.prod(shape[1:]) > 0 else 0.0
        return Parameter(weight), Parameter(uniform((shape[0],), -bound, bound, rng, dtype))
    return Parameter(weight), Parameter(initial(bias_init, (shape[0],), rng, dtype))


class Dense(Cell):
    """``x @ weight.T + bias``, and an activation behind it if one is given.

    Args:
        in_channels: the size of the last axis of the input.
        out_channels: that of the output.
        weight_init: how the weight starts: a name or function of ``nn.init``, a number or an array.
        bias_init: the same of the bias.
        has_bias: whether there is a bias.
        activation: a name as ``"relu"``, a Cell or a function.
        dtype: of the parameters.
        rng: what their first values are drawn from; the generator of ``set_seed`` if None.

    Attributes:
        weight: ``f[out_channels, in_channels]``.
        bias: ``f[out_channels]``, or None.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        weight_init: Any = None,
        bias_init: Any = None,
        has_bias: bool = True,
        activation: Any = None,
        dtype: Any = np.float32,
        rng: Generator = None,
    ) -> None:
        super().__init__()
        if in_channels < 1 or out_channels < 1:
            raise ValueError(f"Dense has at least 1 channel, not {in_channels} and {out_channels}")
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.has_bias = has_bias
        shape = (out_channels, in_channels)
        bias_how = bias_init if has_bias else False
        self.weight, self.bias = weight_and_bias(weight_init, bias_how, shape, rng, dtype)
        self.activation = activation_of(activation)

    def construct(self, x: Any) -> Any:
        """``x: f[..., in_channels]`` to ``f[..., out_channels]``.

        Raises:
            ValueError: the last axis of ``x`` has another size.
        """
        require_size("Dense", x, -1, self.in_channels, "input channels")
        y = linear(x, self.weight)
        if self.bias is not None:
            y = y + self.bias
        if self.activation is not None:
            y = self.activation(y)
        return y

    def extend_repr(self) -> str:
        """The sizes."""
        text = f"input_channels={self.in_channels}, output_channels={self.out_channels}"
        return f"{text}, has_bias={self.has_bias}"


class Flatten(Cell):
    """All axes from ``start_dim`` to ``end_dim`` as one."""

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        super().__init__()
        self.start_dim = start_dim
        self.end_dim = end_dim

    def construct(self, x: Any) -> Any:
        """``x: f[n, ...]`` to ``f[n, m]``, by default."""
        stop = self.end_dim % x.ndim + 1
        start = self.start_dim % x.ndim
        size = 1
        for length in x.shape[start:stop]:
            size = size * length
        return x.reshape((*x.shape[:start], size, *x.shape[stop:]))


class Identity(Cell):
    """What it is given."""

    def construct(self, x: Any) -> Any:
        """``x`` itself."""
        return x


class Embedding(Cell):
    """A row of a table for each integer.

    Args:
        vocab_size: the number of rows.
        embedding_size: the length of a row.
        padding_idx: a row that starts as zeros and is not learned.
        embedding_table: how the table starts; normal numbers of deviation 1 by default, as
            PyTorch's.
        dtype: of the table.
        rng: what it is drawn from; the generator of ``set_seed`` if None.

    Raises:
        TypeError: ``padding_idx`` is no int: MindSpore has ``use_one_hot`` in its place.

    Attributes:
        embedding_table: ``f[vocab_size, embedding_size]``.
    """

    def __init__(
        self,
        vocab_size: int,
        embedding_size: int,
        padding_idx: int | None = None,
        embedding_table: Any = None,
        dtype: Any = np.float32,
        rng: Generator = None,
    ) -> None:
        super().__init__()
        if isinstance(padding_idx, bool):
            raise TypeError("padding_idx is the number of a row; there is no use_one_hot here")
        self.vocab_size = vocab_size
        self.embedding_size = embedding_size
        self.padding_idx = padding_idx
        shape = (vocab_size, embedding_size)
        if embedding_table is None:
            table = normal(shape, 0.0, 1.0, rng, dtype)
        else:
            table = initial(embedding_table, shape, rng, dtype)
        if padding_idx is not None:
            table[padding_idx] = 0
        self.embedding_table = Parameter(table)

    def construct(self, indices: Any) -> Any:
        """``indices: i[...]``, from 0 to ``vocab_size - 1``, to ``f[..., embedding_size]``.

        Raises:
            IndexError: there is no such row.
            TypeError: the indices are no ints.
        """
        if indices.dtype.kind not in "iu":
            raise TypeError(f"Embedding takes the numbers of rows, and not {indices.dtype}")
        if np.any(indices < 0) or np.any(indices >= self.vocab_size):
            raise IndexError(
                f"Embedding of {self.vocab_size} rows was given an index that is none: they are "
                f"from 0 to {self.vocab_size - 1}"
            )
        rows = self.embedding_table[indices]
        if self.padding_idx is not None:
            is_padding = np.expand_dims(indices == self.padding_idx, -1)
            rows = np.where(is_padding, stop_gradient(rows), rows)
        return rows

    def extend_repr(self) -> str:
        """The sizes."""
        text = f"vocab_size={self.vocab_size}, embedding_size={self.embedding_size}"
        return text if self.padding_idx is None else f"{text}, padding_idx={self.padding_idx}"
