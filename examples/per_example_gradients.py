"""Gradients for each example apart, by ``vmap`` of ``grad``: clipped, and then averaged.

Clipping each example's gradient before the mean bounds what a single example can do to a step, the
heart of differentially private training (Abadi et al., 2016).

Run it: python examples/per_example_gradients.py
"""

from __future__ import annotations

import numpy as np

import staticpy


def loss(weights: np.ndarray, point: np.ndarray, target: float) -> float:
    """The squared error of one example: ``weights: f64[3]``, ``point: f64[3]``."""
    return (point @ weights - target) ** 2


@staticpy.jit
def step(
    weights: np.ndarray, points: np.ndarray, targets: np.ndarray, rate: float, bound: float
) -> tuple[np.ndarray, np.ndarray]:
    """One step of descent with clipped gradients.

    Returns:
        The new weights and the norm of each example's gradient before it was clipped.
    """
    slopes = staticpy.vmap(staticpy.grad(loss), in_axes=(None, 0, 0))(weights, points, targets)
    norms = np.sqrt((slopes**2).sum(axis=1))
    clipped = slopes * np.minimum(1.0, bound / np.maximum(norms, 1e-12))[:, None]
    return weights - rate * clipped.mean(axis=0), norms


def main() -> tuple[np.ndarray, np.ndarray]:
    """Fit a line through points of which two have targets that are far off."""
    random = np.random.default_rng(0)
    points = np.column_stack([random.normal(size=(100, 2)), np.ones(100)])
    targets = points @ np.array([2.0, -1.0, 0.5])
    targets[:2] += 50.0
    weights, norms = np.zeros(3), np.zeros(100)
    for _ in range(400):
        weights, norms = step(weights, points, targets, 0.5, 0.2)
    print("weights:", np.round(weights, 2))
    print(f"largest gradient {norms.max():.1f}, median {np.median(norms):.2f}")
    return weights, norms


if __name__ == "__main__":
    main()
