"""Gradients that are kept from being too large.

In: a sequence of gradients, Tensors or arrays, in which None stands for none, or a dict of them by
name. Out: a new list, or dict.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

Grads = Sequence[Any] | Mapping[str, Any]


def global_norm(grads: Grads) -> Any:
    """The root of the sum of the squares of all elements: ``f[]``."""
    total: Any = 0.0
    items: Any = grads.values() if isinstance(grads, dict) else grads
    for grad in items:
        if grad is not None:
            total = total + np.sum(grad * grad)
    return np.sqrt(total)


def clip_by_global_norm(grads: Grads, max_norm: float) -> tuple[Any, Any]:
    """The gradients times ``min(1, max_norm / norm)`` (Pascanu et al., arXiv:1211.5063), and the
    norm of all before.

    As in PyTorch 1e-6 is added to the norm that is divided by. If the norm is NaN, so are they all.
    """
    norm = global_norm(grads)
    factor = np.minimum(max_norm / (norm + 1e-6), 1.0)
    return _each(grads, lambda grad: grad * factor.astype(grad.dtype)), norm


def clip_by_value(grads: Grads, limit: float) -> Any:
    """Each element kept from ``-limit`` to ``limit``."""
    return _each(grads, lambda grad: np.clip(grad, -limit, limit))


def _each(grads: Any, change: Callable[[Any], Any]) -> Any:
    """Other gradients in the same places."""
    if isinstance(grads, dict):
        return {name: None if grad is None else change(grad) for name, grad in grads.items()}
    return [None if grad is None else change(grad) for grad in grads]
