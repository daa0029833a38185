"""Functions of neural networks that NumPy lacks, written in plain NumPy.

Called as they are they run on NumPy; in a compiled function they are compiled like any function of
the user's own.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any
"""An array or number of any floating-point dtype."""


def relu(x: Array) -> Array:
    """The positive part, ``max(x, 0)``: ``x: f[...]`` to ``f[...]``; NaN stays NaN."""
    return np.maximum(x, 0)


def sigmoid(x: Array) -> Array:
    """The logistic function ``1 / (1 + exp(-x))``, by ``exp(-|x|)``, which can't overflow."""
    decay = np.exp(-np.abs(x))
    return np.where(x >= 0, 1, decay) / (1 + decay)


def softmax(x: Array, axis: int = -1) -> Array:
    """``exp(x) / sum(exp(x))`` along ``axis``, shifted by the maximum: ``x: f[..., n]`` to ``f[...,
    n]``.

    Raises:
        ValueError: there is no element along ``axis``.
    """
    weights = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return weights / np.sum(weights, axis=axis, keepdims=True)


def log_softmax(x: Array, axis: int = -1) -> Array:
    """``log(softmax(x))`` without the division: ``x: f[..., n]`` to ``f[..., n]``.

    Raises:
        ValueError: there is no element along ``axis``.
    """
    shifted = x - np.max(x, axis=axis, keepdims=True)
    return shifted - np.log(np.sum(np.exp(shifted), axis=axis, keepdims=True))


def gelu(x: Array) -> Array:
    """The Gaussian error linear unit in its tanh form (Hendrycks and Gimpel, arXiv:1606.08415, eq.
    2).
    """
    return 0.5 * x * (1 + np.tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)))
