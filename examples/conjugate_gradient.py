"""Newton's method without a Hessian: each step is found by conjugate gradients, which multiply the
Hessian by vectors only (``staticpy.hvp``, forward over reverse mode).

Run it: python examples/conjugate_gradient.py
"""

from __future__ import annotations

import numpy as np

import staticpy


def make_points(seed: int, count: int = 300, size: int = 8) -> tuple[np.ndarray, np.ndarray]:
    """Points with columns of very different scales, and which side of a plane they lie on.

    Returns:
        ``f64[count, size]`` points, ``f64[count]`` labels, 0 or 1.
    """
    random = np.random.default_rng(seed)
    points = random.normal(size=(count, size)) * np.logspace(-1, 0.5, size)
    noise = random.normal(size=count)
    return points, (points @ random.normal(size=size) + noise > 0).astype(float)


def loss(weights: np.ndarray, points: np.ndarray, labels: np.ndarray) -> float:
    """The mean negative log likelihood of logistic regression, and a penalty for large weights."""
    logits = points @ weights
    likelihood = (np.logaddexp(0.0, logits) - labels * logits).mean()
    return likelihood + 0.005 * (weights * weights).sum()


@staticpy.jit
def newton_step(
    weights: np.ndarray, slope: np.ndarray, points: np.ndarray, labels: np.ndarray
) -> tuple[np.ndarray, int]:
    """Solve ``hessian @ step = -slope`` by conjugate gradients.

    Returns:
        The step, and how many products with the Hessian it took.
    """
    step = np.zeros_like(weights)
    residual = -slope
    direction = residual
    size = residual @ residual
    goal = 1e-2 * size
    products = 0
    while size > goal and products < len(weights):
        curved = staticpy.hvp(loss, (weights, points, labels), (direction, None, None))
        rate = size / (direction @ curved)
        step = step + rate * direction
        residual = residual - rate * curved
        before, size = size, residual @ residual
        direction = residual + (size / before) * direction
        products += 1
    return step, products


@staticpy.jit
def minimize(points: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, float, int, int]:
    """Newton's method with a line search that halves the step.

    Returns:
        The weights, their loss, and the numbers of steps and of products with the Hessian.
    """
    weights = np.zeros(points.shape[1])
    value, slope = staticpy.value_and_grad(loss)(weights, points, labels)
    steps, total = 0, 0
    while np.sqrt(slope @ slope) > 1e-8 and steps < 50:
        step, products = newton_step(weights, slope, points, labels)
        rate = 1.0
        while rate > 1e-6 and loss(weights + rate * step, points, labels) > value:
            rate = rate * 0.5
        weights = weights + rate * step
        value, slope = staticpy.value_and_grad(loss)(weights, points, labels)
        steps, total = steps + 1, total + products
    return weights, value, steps, total


def main() -> tuple[np.ndarray, float, int, int]:
    """Minimize, print how that went, and return what was found."""
    points, labels = make_points(seed=0)
    weights, value, steps, products = minimize(points, labels)
    right = ((points @ weights > 0) == (labels > 0.5)).mean()
    print(f"loss {value:.6f} after {steps} steps, {products} products with the Hessian")
    print(f"{right:.0%} of the points on the right side")
    return weights, value, steps, products


if __name__ == "__main__":
    main()
