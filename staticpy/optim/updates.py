"""What optimisers do with the parameters: plain functions over arrays, which they write to.

In: a parameter, its gradient and what is remembered of it, arrays of one shape; numbers of Python,
which are weak, so that float32 stays float32. Out: nothing; parameter and memory are changed in
place. ``update_all`` does so for all parameters: the loop is written out, and the whole step is one
graph.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from staticpy.runtime import jit

Array = Any
Rule = Callable[..., None]


@functools.lru_cache(maxsize=256)
def compiled_update(kinds: tuple[Any, ...]) -> Any:
    """``update_all``, compiled for parameters of certain ``kinds``, dtypes and numbers of axes: a
    function for each, since each keeps the code of so many calls only.
    """
    del kinds
    return jit(update_all, static_argnames="rule")


def update_all(
    rule: Rule,
    weight_decay: Sequence[float],
    parameters: Sequence[Array],
    grads: Sequence[Array],
    memories: Sequence[Sequence[Array]],
    numbers: Sequence[Any],
) -> None:
    """``rule(parameter, grad, *memory, *numbers)`` for each parameter.

    Args:
        rule: one of the functions below.
        weight_decay: what times the parameter is added to the gradient; nothing if there is none.
        parameters: what is changed.
        grads: the gradient of each one.
        memories: what is remembered of each one.
        numbers: the settings of this step.
    """
    for parameter, grad, memory in zip(parameters, grads, memories, strict=True):
        # a gradient that lies otherwise than its parameter is copied once, as all that follows is
        # four times as slow with it
        wanted = grad + weight_decay[0] * parameter if weight_decay else grad
        rule(parameter, np.asarray(wanted, order="C"), *memory, *numbers)


def sgd(parameter: Array, grad: Array, rate: float) -> None:
    """``p -= rate * g``."""
    parameter -= rate * grad


def momentum(
    parameter: Array, grad: Array, velocity: Array, rate: float, keep: float, gain: float
) -> None:
    """``v = keep * v + gain * g``, ``p -= rate * v`` (Sutskever et al. 2013, in PyTorch's form)."""
    velocity *= keep
    velocity += gain * grad
    parameter -= rate * velocity


def nesterov(
    parameter: Array, grad: Array, velocity: Array, rate: float, keep: float, gain: float
) -> None:
    """As ``momentum``, looking one step ahead: ``p -= rate * (g + keep * v)``."""
    velocity *= keep
    velocity += gain * grad
    parameter -= rate * (grad + keep * velocity)


def adam(
    parameter: Array,
    grad: Array,
    mean: Array,
    square: Array,
    rate: float,
    betas: tuple[float, float],
    corrections: tuple[float, float],
    eps: float,
) -> None:
    """Adam (Kingma and Ba, arXiv:1412.6980, algorithm 1): ``p -= rate * mean / (sqrt(square) +
    eps)``, each mean by its correction ``1 - beta ** step``.
    """
    step, correction = rate / corrections[0], math.sqrt(corrections[1])
    mean *= betas[0]
    mean += (1.0 - betas[0]) * grad
    square *= betas[1]
    square += (1.0 - betas[1]) * (grad * grad)
    parameter -= step * (mean / (np.sqrt(square) / correction + eps))


def adamw(
    parameter: Array,
    grad: Array,
    mean: Array,
    square: Array,
    rate: float,
    betas: tuple[float, float],
    corrections: tuple[float, float],
    eps: float,
    decay: float,
) -> None:
    """``p *= 1 - rate * decay``, then ``adam`` (Loshchilov and Hutter, arXiv:1711.05101)."""
    parameter *= 1.0 - rate * decay
    adam(parameter, grad, mean, square, rate, betas, corrections, eps)


def rmsprop(
    parameter: Array, grad: Array, square: Array, rate: float, alpha: float, eps: float
) -> None:
    """The mean of the squares, and the step ``rate * g / (sqrt(square) + eps)`` (Hinton, lecture 6
    of Neural Networks for Machine Learning, 2012).
    """
    square *= alpha
    square += (1.0 - alpha) * (grad * grad)
    parameter -= rate * (grad / (np.sqrt(square) + eps))


def rmsprop_with_momentum(
    parameter: Array,
    grad: Array,
    square: Array,
    velocity: Array,
    rate: float,
    alpha: float,
    eps: float,
    keep: float,
) -> None:
    """``rmsprop`` whose steps go into a velocity."""
    square *= alpha
    square += (1.0 - alpha) * (grad * grad)
    velocity *= keep
    velocity += grad / (np.sqrt(square) + eps)
    parameter -= rate * velocity


def centered_rmsprop(
    parameter: Array,
    grad: Array,
    square: Array,
    velocity: Array,
    mean: Array,
    rate: float,
    alpha: float,
    eps: float,
    keep: float,
) -> None:
    """``rmsprop_with_momentum`` by the variance in place of the mean square (Graves,
    arXiv:1308.0850, eq. 38 to 45).
    """
    square *= alpha
    square += (1.0 - alpha) * (grad * grad)
    mean *= alpha
    mean += (1.0 - alpha) * grad
    velocity *= keep
    velocity += grad / (np.sqrt(square - mean * mean) + eps)
    parameter -= rate * velocity


def adagrad(parameter: Array, grad: Array, total: Array, rate: float, eps: float) -> None:
    """The sum of the squares, and the step by its root (Duchi et al. 2011)."""
    total += grad * grad
    parameter -= rate * (grad / (np.sqrt(total) + eps))
