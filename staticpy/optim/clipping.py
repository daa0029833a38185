"""Gradients that are kept from being too large.

In: a sequence of gradients, Tensors or arrays, in which None stands for none. Out: a new list.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

Grads = Sequence[Any]


def global_norm(grads: Grads) -> Any:
    """The root of the sum of the squares of all elements: ``f[]``."""
    total: Any = 0.0
    for grad in grads:
        if grad is not None:
            total = total + np.sum(grad * grad)
    return np.sqrt(total)


def clip_by_global_norm(grads: Grads, max_norm: float) -> tuple[list[Any], Any]:
    """The gradients times ``min(1, max_norm / norm)`` (Pascanu et al., arXiv:1211.5063), and the
    norm of all before.

    As in PyTorch 1e-6 is added to the norm that is divided by. If the norm is NaN, so are they all.
    """
    norm = global_norm(grads)
    factor = np.minimum(max_norm / (norm + 1e-6), 1.0)
    clipped = [None if grad is None else grad * factor.astype(grad.dtype) for grad in grads]
    return clipped, norm


def clip_by_value(grads: Grads, limit: float) -> list[Any]:
    """Each element kept from ``-limit`` to ``limit``."""
    return [None if grad is None else np.clip(grad, -limit, limit) for grad in grads]
