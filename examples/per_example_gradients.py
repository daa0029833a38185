"""The gradient of each example of its own, by ``vmap`` of ``grad``, and what it is good for: a mean
of gradients, none of which is longer than allowed, that one wrong example can't pull away.

Run it: python examples/per_example_gradients.py
"""

from __future__ import annotations

import numpy as np

import staticpy


def make_points(seed: int, count: int = 10) -> tuple[np.ndarray, np.ndarray]:
    """Points of a plane in space; the height of one of them is wrong.

    Returns:
        ``f64[count, 2]`` places, ``f64[count]`` heights.
    """
    random = np.random.default_rng(seed)
    places = random.normal(size=(count, 2))
    heights = places @ np.array([1.5, -2.0]) + 0.1 * random.normal(size=count)
    heights[0] = 20.0
    return places, heights


def loss(weights: np.ndarray, place: np.ndarray, height: float) -> float:
    """The squared error of one example."""
    return ((place * weights).sum() - height) ** 2


def clipped_mean(slopes: np.ndarray, limit: float) -> np.ndarray:
    """The mean of the rows ``f64[n, k]``, those longer than ``limit`` shortened to it."""
    lengths = np.sqrt((slopes * slopes).sum(axis=1))
    return (slopes * np.minimum(1.0, limit / (lengths + 1e-12))[:, None]).mean(axis=0)


@staticpy.jit
def train(places: np.ndarray, heights: np.ndarray, limit: float, steps: int) -> np.ndarray:
    """Gradient descent by clipped gradients: the weights ``f64[k]``."""
    slopes_of = staticpy.vmap(staticpy.grad(loss), in_axes=(None, 0, 0))
    weights = np.zeros(places.shape[1])
    for _ in range(steps):
        weights = weights - 0.5 * clipped_mean(slopes_of(weights, places, heights), limit)
    return weights


def main() -> tuple[np.ndarray, np.ndarray]:
    """Train with clipped gradients, and as good as without, and return the weights."""
    places, heights = make_points(seed=0)
    clipped, plain = (train(places, heights, limit, 12) for limit in (1.0, 1e9))
    print(f"each gradient of length 1 at most: {clipped[0]:.2f} {clipped[1]:.2f}")
    print(f"as they are: {plain[0]:.2f} {plain[1]:.2f}")
    return clipped, plain


if __name__ == "__main__":
    main()
