"""Attention, and the layer of a transformer that is made of it.

In: sequences of vectors. Out: sequences of vectors, each a mean over those that it looks at.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from staticpy.nn import functional
from staticpy.nn.activations import activation_of
from staticpy.nn.basic import Dense
from staticpy.nn.cell import Cell
from staticpy.nn.dropout import Dropout
from staticpy.nn.functional import linear, softmax
from staticpy.nn.init import Generator, initial, xavier_uniform
from staticpy.nn.normalization import LayerNorm
from staticpy.nn.parameter import Parameter


def causal_mask(queries: Any, keys: Any) -> Any:
    """``b1[queries, keys]``: whether a key stands at the place of the query, or before it."""
    return np.expand_dims(np.arange(queries), 1) >= np.arange(keys)


def masked(scores: Any, mask: Any) -> Any:
    """The scores, ``-inf`` where a mask of bools is False; or plus a mask of floats."""
    if mask.dtype.kind == "b":
        return np.where(mask, scores, -math.inf)
    return scores + mask


class MultiHeadAttention(Cell):
    """Attention in several parts of the vectors (Vaswani et al., arXiv:1706.03762, section 3.2.2).

    Args:
        embed_dim: the size of the vectors.
        num_heads: in how many parts they are taken.
        dropout: the probability of zero of a weight in training.
        has_bias: whether there are biases.
        batch_first: whether sequences are ``f[n, steps, embed_dim]``.
        dtype: of the parameters.
        rng: what their first values and Dropout are drawn from; the generator of ``set_seed`` if
            None.

    Raises:
        ValueError: ``embed_dim`` is no multiple of ``num_heads``.

    Attributes:
        in_proj_weight: ``f[3 * embed_dim, embed_dim]``, of queries, keys and values.
        in_proj_bias: ``f[3 * embed_dim]``, or None.
        out_proj: the Dense layer at the end.
    """

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        has_bias: bool = True,
        batch_first: bool = False,
        dtype: Any = np.float32,
        rng: Generator = None,
    ) -> None:
        super().__init__()
        if embed_dim % num_heads:
            raise ValueError(f"embed_dim={embed_dim} is no multiple of num_heads={num_heads}")
        self.embed_dim, self.num_heads, self.batch_first = embed_dim, num_heads, batch_first
        weight = xavier_uniform((3 * embed_dim, embed_dim), 1.0, rng, dtype)
        self.in_proj_weight = Parameter(weight)
        bias = initial("zeros", (3 * embed_dim,), rng, dtype)
        self.in_proj_bias: Any = Parameter(bias) if has_bias else None
        self.out_proj = Dense(
            embed_dim, embed_dim, None, "zeros", has_bias=has_bias, dtype=dtype, rng=rng
        )
        self.dropout = Dropout(dropout, rng)

    def construct(
        self,
        query: Any,
        key: Any = None,
        value: Any = None,
        mask: Any = None,
        is_causal: bool = False,
    ) -> Any:
        """A mean of the values for each query.

        Args:
            query: ``f[l, n, embed_dim]``, or ``f[n, l, embed_dim]`` with ``batch_first``.
            key: ``f[s, n, embed_dim]``, or the same; the query if None.
            value: the same; the key if None.
            mask: ``b1[l, s]``, or with axes ``n`` and ``num_heads`` before these: True where a
                query looks at a key (as in PyTorch's ``scaled_dot_product_attention``; its
                ``MultiheadAttention`` has it the other way round); or floats that are added.
            is_causal: whether a query looks at keys at its place and before it alone.

        Returns:
            As ``query``.
        """
        key = query if key is None else key
        value = key if value is None else value
        q, k, v = self._heads(query, 0), self._heads(key, 1), self._heads(value, 2)
        scores = (q @ np.swapaxes(k, -1, -2)) * (1.0 / math.sqrt(self.embed_dim // self.num_heads))
        if is_causal:
            scores = masked(scores, causal_mask(scores.shape[-2], scores.shape[-1]))
        if mask is not None:
            scores = masked(scores, mask)
        made = self.dropout(softmax(scores, -1)) @ v
        axes = (0, 2, 1, 3) if self.batch_first else (2, 0, 1, 3)
        joined = made.transpose(axes)
        return self.out_proj(joined.reshape((*joined.shape[:2], self.embed_dim)))

    def _heads(self, x: Any, part: int) -> Any:
        """The projection of all heads: ``f[n, num_heads, steps, embed_dim / num_heads]``."""
        size = self.embed_dim
        rows = slice(part * size, (part + 1) * size)
        made = linear(x, self.in_proj_weight[rows])
        if self.in_proj_bias is not None:
            made = made + self.in_proj_bias[rows]
        split = made.reshape((*made.shape[:2], self.num_heads, size // self.num_heads))
        return split.transpose((0, 2, 1, 3) if self.batch_first else (1, 2, 0, 3))

    def extend_repr(self) -> str:
        """The sizes."""
        return f"embed_dim={self.embed_dim}, num_heads={self.num_heads}"


class TransformerEncoderLayer(Cell):
    """Attention of a sequence to itself, and two Dense layers, each added to what goes in.

    Args:
        d_model: the size of the vectors.
        nhead: the number of heads.
        dim_feedforward: the size between the two Dense layers.
        dropout: the probability of zero in training.
        activation: between the two: a name, a Cell or a function.
        layer_norm_eps: what is added to variances.
        batch_first: whether sequences are ``f[n, steps, d_model]``.
        norm_first: whether normalisation is before each part in place of after it.
        dtype: of the parameters.
        rng: what their first values and Dropout are drawn from; the generator of ``set_seed`` if
            None.
    """

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: Any = "relu",
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        dtype: Any = np.float32,
        rng: Generator = None,
    ) -> None:
        super().__init__()
        self.norm_first = norm_first
        self.self_attn = MultiHeadAttention(
            d_model, nhead, dropout, batch_first=batch_first, dtype=dtype, rng=rng
        )
        self.linear1 = Dense(d_model, dim_feedforward, dtype=dtype, rng=rng)
        self.linear2 = Dense(dim_feedforward, d_model, dtype=dtype, rng=rng)
        self.norm1 = LayerNorm(d_model, epsilon=layer_norm_eps, dtype=dtype)
        self.norm2 = LayerNorm(d_model, epsilon=layer_norm_eps, dtype=dtype)
        self.dropout = Dropout(dropout, rng)
        is_gelu = activation == "gelu"  # which is the exact one here, also in MindSpore
        self.activation = activation_of(functional.gelu if is_gelu else activation)

    def construct(self, x: Any, mask: Any = None, is_causal: bool = False) -> Any:
        """``x: f[steps, n, d_model]`` to the same shape; ``mask`` and ``is_causal`` as those of
        ``MultiHeadAttention``.
        """
        if self.norm_first:
            x = x + self.dropout(self.self_attn(self.norm1(x), None, None, mask, is_causal))
            return x + self._forward(self.norm2(x))
        x = self.norm1(x + self.dropout(self.self_attn(x, None, None, mask, is_causal)))
        return self.norm2(x + self._forward(x))

    def _forward(self, x: Any) -> Any:
        """The two Dense layers."""
        inside = self.dropout(self.activation(self.linear1(x)))
        return self.dropout(self.linear2(inside))


MultiheadAttention = MultiHeadAttention
