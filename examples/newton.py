"""Newton's method to a tolerance: how many steps it takes, only the data know."""

import numpy as np

import staticpy


def derivative_of_cube_minus(x, target):
    """The value and the slope of ``x**3 - target``."""
    return x * x * x - target, 3 * x * x


@staticpy.jit
def cube_root(target, tolerance):
    """The cube root of every element of ``target``, and the number of steps."""
    x = np.maximum(np.abs(target), 1)
    steps = 0
    while True:
        value, slope = derivative_of_cube_minus(x, target)
        step = value / slope
        x = x - step
        steps += 1
        if np.max(np.abs(step)) <= tolerance or steps == 100:
            return x, steps


@staticpy.jit
def square_root(number, tolerance):
    """The square root of a Python number."""
    if number < 0:
        return np.nan, 0
    guess = number / 2 + 0.5
    steps = 0
    while abs(guess * guess - number) > tolerance * number:
        guess = (guess + number / guess) / 2
        steps += 1
    return guess, steps


def main():
    """Print roots and step counts."""
    targets = np.array([1.0, 8.0, 27.0, 1000.0])
    results = {
        "cube roots": cube_root(targets, 1e-12),
        "cube roots of float32": cube_root(targets.astype(np.float32), 1e-6),
        "square root of 2": square_root(2, 1e-12),
        "square root of -1": square_root(-1, 1e-12),
    }
    for name, (root, steps) in results.items():
        print(f"{name}: {root} after {steps} steps")
    return results


if __name__ == "__main__":
    main()
