"""Logistic regression by the gradient of its loss, all of it compiled: loss, gradient and descent.

Run it: python examples/logistic_regression.py
"""

from __future__ import annotations

import numpy as np

import staticpy


def make_points(seed: int, count: int = 200) -> tuple[np.ndarray, np.ndarray]:
    """Points of the plane and which side of a line they lie on, but for some noise.

    Returns:
        ``f64[count, 2]`` points, ``f64[count]`` labels, 0 or 1.
    """
    random = np.random.default_rng(seed)
    points = random.normal(size=(count, 2))
    noise = 0.3 * random.normal(size=count)
    return points, (points @ np.array([1.5, -2.0]) + 0.5 + noise > 0).astype(float)


def loss(
    parameters: dict[str, np.ndarray | float], points: np.ndarray, labels: np.ndarray
) -> float:
    """The mean negative log likelihood: ``log(1 + exp(z)) - label * z`` of the logits ``z``."""
    logits = points @ parameters["weights"] + parameters["bias"]
    return (np.logaddexp(0.0, logits) - labels * logits).mean()


@staticpy.jit
def train(
    points: np.ndarray, labels: np.ndarray, rate: float, steps: int
) -> tuple[np.ndarray, float, float]:
    """Gradient descent: weights, bias, and the loss before the last step."""
    weights, bias, last = np.zeros(2), 0.0, 0.0
    for _ in range(steps):
        parameters = {"weights": weights, "bias": bias}
        last, slope = staticpy.value_and_grad(loss)(parameters, points, labels)
        weights = weights - rate * slope["weights"]
        bias = bias - rate * slope["bias"]
    return weights, bias, last


def main() -> tuple[np.ndarray, float, float]:
    """Train, print how many points are on the right side, and return what was found."""
    points, labels = make_points(seed=0)
    weights, bias, last = train(points, labels, 1.0, 500)
    right = ((points @ weights + bias > 0) == (labels > 0.5)).mean()
    print(f"loss {last:.3f}, {right:.0%} of the points on the right side")
    print(f"the line: {weights[0]:.2f} x {weights[1]:+.2f} y {bias:+.2f} = 0")
    return weights, bias, last


if __name__ == "__main__":
    main()
