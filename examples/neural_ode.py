"""A neural ordinary differential equation: a small network says how a point moves, the method of
Runge and Kutta follows it, and gradient descent learns the network from where points should arrive.

With checkpoint the way back saves the order of sqrt(n) points of n steps, and computes those
between again; the gradient is the same.
"""

import numpy as np

import staticpy

STEPS = 9


def velocity(y, parameters):
    """How fast the points, the rows of y, move."""
    inner, outer = parameters
    return np.tanh(y @ inner) @ outer


def flow(y, parameters, steps):
    """Where the points are after one unit of time: the classical method of fourth order."""
    h = 1.0 / steps
    for _ in range(steps):
        k1 = velocity(y, parameters)
        k2 = velocity(y + h / 2 * k1, parameters)
        k3 = velocity(y + h / 2 * k2, parameters)
        k4 = velocity(y + h * k3, parameters)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return y


@staticpy.jit
def loss(parameters, start, end, steps):
    """How far the points are from where they should be."""
    return np.mean((flow(start, parameters, steps) - end) ** 2)


@staticpy.jit
def loss_in_pieces(parameters, start, end, steps):
    """The same, of which less is saved."""
    return np.mean((staticpy.checkpoint(flow)(start, parameters, steps) - end) ** 2)


def train(function, parameters, start, end, rounds):
    """Gradient descent; the losses on the way."""
    slope = staticpy.value_and_grad(function)
    losses = []
    for _ in range(rounds):
        value, gradients = slope(parameters, start, end, STEPS)
        parameters = tuple(p - 0.5 * g for p, g in zip(parameters, gradients, strict=True))
        losses.append(round(float(value), 9))
    return losses


def main():
    """Learn a quarter turn, with and without checkpoint; print and return the losses."""
    rng = np.random.default_rng(0)
    parameters = rng.normal(0, 0.5, (2, 8)), rng.normal(0, 0.5, (8, 2))
    start = rng.normal(0, 1, (20, 2))
    end = start @ np.array([[0.0, 1.0], [-1.0, 0.0]])
    results = {}
    for function in (loss, loss_in_pieces):
        losses = train(function, parameters, start, end, 3)
        results[function.__name__] = losses
        print(f"{function.__name__}: from {losses[0]:.6f} to {losses[-1]:.6f}")
    return results


if __name__ == "__main__":
    main()
