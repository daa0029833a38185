"""An implicit layer: the solution of an equation, differentiated through Newton's loop and by the
implicit function theorem.

The layer gives the z for which z = tanh(w @ z + x). Newton's method finds it in a loop of which
only the data know the length. Going back through that loop gives the gradient. But the theorem
gives it from the solution alone: a custom_vjp saves no step of the loop, and needs one linear
system more.
"""

import numpy as np

import staticpy


def jacobian(z, w, x):
    """The derivative of ``z - tanh(w @ z + x)`` by z, and that of tanh."""
    slope = 1.0 - np.tanh(w @ z + x) ** 2
    return np.eye(len(x)) - slope[:, np.newaxis] * w, slope


def solve(w, x):
    """Newton's method, until the step is small."""
    z, step = np.zeros(len(x)), 1.0
    while step > 1e-10:
        matrix, _ = jacobian(z, w, x)
        change = np.linalg.solve(matrix, z - np.tanh(w @ z + x))
        z = z - change
        step = np.max(np.abs(change))
    return z


@staticpy.custom_vjp
def implicit(w, x):
    """As ``solve``, with a derivative that doesn't know how the solution was found."""
    return solve(w, x)


def forward(w, x):
    """The solution, and what its derivative needs."""
    z = solve(w, x)
    return z, (w, x, z)


def backward(residuals, g):
    """Dz solves ``matrix @ dz = slope * (dw @ z + dx)``, so g is pulled back by its transpose."""
    w, x, z = residuals
    matrix, slope = jacobian(z, w, x)
    by_x = slope * np.linalg.solve(matrix.T, g)
    return np.outer(by_x, z), by_x


implicit.defvjp(forward, backward)


@staticpy.jit
def through_the_loop(w, x, target):
    """A loss of the layer."""
    return np.sum((solve(w, x) - target) ** 2)


@staticpy.jit
def by_the_theorem(w, x, target):
    """The same loss."""
    return np.sum((implicit(w, x) - target) ** 2)


def main():
    """Print both gradients, and return them."""
    rng = np.random.default_rng(0)
    w, x, target = rng.normal(0, 0.5, (3, 3)), rng.normal(0, 1, 3), np.array([0.1, 0.5, -0.2])
    results = {}
    for loss in (through_the_loop, by_the_theorem):
        by_w, by_x = staticpy.grad(loss, argnums=(0, 1))(w, x, target)
        results[loss.__name__] = np.round(by_w, 9), np.round(by_x, 9)
        print(f"{loss.__name__}: by x {np.round(by_x, 6)}")
    pairs = zip(*results.values(), strict=True)
    results["they agree"] = all(np.allclose(one, other, atol=1e-8) for one, other in pairs)
    print(f"they agree: {results['they agree']}")
    return results


if __name__ == "__main__":
    main()
