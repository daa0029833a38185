"""First values of parameters.

In: a shape and a generator. Out: an array of them, float32 unless another dtype is asked for.

Weights have the outputs on their first axis and the inputs on the second; what follows is the
window of a convolution, whose size multiplies both: ``fan_in`` and ``fan_out`` below.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from staticpy.nn.generator import shared_generator
from staticpy.runtime import Tensor

Shape = Sequence[int]
Generator = np.random.Generator | None


def _fans(shape: Shape) -> tuple[int, int]:
    """How many inputs an output sees, and how many outputs see an input.

    Raises:
        ValueError: there are less than two axes.
    """
    if len(shape) < 2:
        raise ValueError(
            f"the number of inputs of a weight of shape {tuple(shape)} is not known: it needs two "
            "axes; take nn.init.normal or nn.init.uniform"
        )
    window = math.prod(shape[2:])
    return shape[1] * window, shape[0] * window


def zeros(shape: Shape, rng: Generator = None, dtype: Any = np.float32) -> Any:
    """Zeros: ``f[*shape]``."""
    return np.zeros(shape, dtype)


def ones(shape: Shape, rng: Generator = None, dtype: Any = np.float32) -> Any:
    """Ones: ``f[*shape]``."""
    return np.ones(shape, dtype)


def normal(
    shape: Shape,
    mean: float = 0.0,
    sigma: float = 0.01,
    rng: Generator = None,
    dtype: Any = np.float32,
) -> Any:
    """Normal numbers of a mean and a standard deviation: ``f[*shape]``."""
    source = shared_generator() if rng is None else rng
    return (mean + sigma * source.standard_normal(shape)).astype(dtype)


def uniform(
    shape: Shape,
    low: float = -0.07,
    high: float = 0.07,
    rng: Generator = None,
    dtype: Any = np.float32,
) -> Any:
    """Numbers that are equally likely from ``low`` to ``high``: ``f[*shape]``."""
    source = shared_generator() if rng is None else rng
    return (low + (high - low) * source.random(shape)).astype(dtype)


def xavier_uniform(
    shape: Shape, gain: float = 1.0, rng: Generator = None, dtype: Any = np.float32
) -> Any:
    """Uniform to ``± gain * sqrt(6 / (fan_in + fan_out))`` (Glorot and Bengio 2010, eq. 16)."""
    fan_in, fan_out = _fans(shape)
    bound = gain * math.sqrt(6.0 / (fan_in + fan_out))
    return uniform(shape, -bound, bound, rng, dtype)


def xavier_normal(
    shape: Shape, gain: float = 1.0, rng: Generator = None, dtype: Any = np.float32
) -> Any:
    """Normal of deviation ``gain * sqrt(2 / (fan_in + fan_out))`` (Glorot and Bengio 2010)."""
    fan_in, fan_out = _fans(shape)
    return normal(shape, 0.0, gain * math.sqrt(2.0 / (fan_in + fan_out)), rng, dtype)


def he_uniform(
    shape: Shape, negative_slope: float = 0.0, rng: Generator = None, dtype: Any = np.float32
) -> Any:
    """Uniform to ``± sqrt(6 / ((1 + a**2) * fan_in))`` for a ReLU of slope ``a`` below zero (He et
    al., arXiv:1502.01852, eq. 15).
    """
    fan_in, _ = _fans(shape)
    bound = math.sqrt(6.0 / ((1.0 + negative_slope**2) * fan_in))
    return uniform(shape, -bound, bound, rng, dtype)


def he_normal(
    shape: Shape, negative_slope: float = 0.0, rng: Generator = None, dtype: Any = np.float32
) -> Any:
    """Normal of deviation ``sqrt(2 / ((1 + a**2) * fan_in))`` (He et al., arXiv:1502.01852)."""
    fan_in, _ = _fans(shape)
    return normal(shape, 0.0, math.sqrt(2.0 / ((1.0 + negative_slope**2) * fan_in)), rng, dtype)


def orthogonal(
    shape: Shape, gain: float = 1.0, rng: Generator = None, dtype: Any = np.float32
) -> Any:
    """A matrix of ``shape[0]`` rows whose rows or columns are orthogonal, times ``gain`` (Saxe et
    al., arXiv:1312.6120).

    Raises:
        ValueError: there are less than two axes.
    """
    _fans(shape)
    rows, columns = shape[0], math.prod(shape[1:])
    source = shared_generator() if rng is None else rng
    tall = source.standard_normal((max(rows, columns), min(rows, columns)))
    q, r = np.linalg.qr(tall)
    q = q * np.sign(np.diag(r))  # which makes all orthogonal matrices equally likely
    matrix = q if rows >= columns else q.T
    return (gain * matrix).reshape(shape).astype(dtype)


_BY_NAME: dict[str, Callable[..., Any]] = {
    "zeros": zeros,
    "ones": ones,
    "normal": normal,
    "uniform": uniform,
    "xavier_uniform": xavier_uniform,
    "xavieruniform": xavier_uniform,
    "xavier_normal": xavier_normal,
    "xaviernormal": xavier_normal,
    "he_uniform": he_uniform,
    "heuniform": he_uniform,
    "he_normal": he_normal,
    "henormal": he_normal,
    "orthogonal": orthogonal,
}


def initial(how: Any, shape: Shape, rng: Generator = None, dtype: Any = np.float32) -> Any:
    """The first values that an argument such as ``weight_init`` asks for: ``f[*shape]``.

    Args:
        how: the name of a function of this module, also in MindSpore's spelling; a function that
            is called with ``(shape, rng=rng, dtype=dtype)``; a number; or an array of the shape.
        shape: of the parameter.
        rng: what is drawn from; the generator of ``set_seed`` if it is None.
        dtype: of the result.

    Raises:
        ValueError: no function has this name, or the array has another shape.
    """
    if isinstance(how, str):
        name = how.lower()
        if name not in _BY_NAME:
            raise ValueError(
                f"no initialiser is called {how!r}: take one of nn.init, as 'he_normal'"
            )
        return _BY_NAME[name](shape, rng=rng, dtype=dtype)
    if callable(how):
        return how(shape, rng=rng, dtype=dtype)
    if isinstance(how, Tensor):
        return initial(how.detach().numpy(), shape, rng, dtype)
    given = np.asarray(how, dtype=dtype)
    if given.ndim == 0:
        return np.full(shape, given, dtype)
    if given.shape != tuple(shape):
        raise ValueError(f"first values of shape {given.shape} for a parameter of shape {shape}")
    return np.array(given)
