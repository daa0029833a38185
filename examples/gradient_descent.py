"""Gradient descent: a line through noisy points, with the derivative written by hand."""

import numpy as np

import staticpy


def loss_and_gradient(w, b, x, y):
    """The mean squared error of ``w * x + b``, and its derivatives by ``w`` and ``b``."""
    error = w * x + b - y
    return np.mean(error * error), 2 * np.mean(error * x), 2 * np.mean(error)


@staticpy.jit
def fit(x, y, rate, tolerance=1e-10, max_steps=10_000):
    """Descend until the loss no longer gets smaller: the line, its loss and the steps taken."""
    w, b = np.float64(0.0), np.float64(0.0)
    loss, dw, db = loss_and_gradient(w, b, x, y)
    for step in range(max_steps):
        w = w - rate * dw
        b = b - rate * db
        previous = loss
        loss, dw, db = loss_and_gradient(w, b, x, y)
        if previous - loss < tolerance:
            return {"w": w, "b": b, "loss": loss, "steps": step + 1}
    return {"w": w, "b": b, "loss": loss, "steps": max_steps}


def main():
    """Fit a line to points around ``3 x - 0.5``."""
    rng = np.random.default_rng(0)
    x = rng.uniform(-1, 1, 200)
    y = 3 * x - 0.5 + rng.normal(size=200) * 0.1
    result = fit(x, y, 0.3)
    print(f"y = {result['w']:.4f} * x + {result['b']:.4f}")
    print(f"loss {result['loss']:.6f} after {result['steps']} steps")
    return result


if __name__ == "__main__":
    main()
