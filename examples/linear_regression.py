"""Linear regression in three styles, 1000 steps each, which agree to the last digit.

Functional, as in JAX: a function of the parameters, and `value_and_grad` of it. With a
`GradientTape`, as in TensorFlow. With `backward`, as in PyTorch. Then what PyTorch's tutorials
show beside it: `backward` of an array, and an operation with a derivative of one's own.

Run it: python examples/linear_regression.py
"""

import numpy as np

import staticpy
from staticpy import Tensor

RATE = 0.05


def make_data(seed, count=200):
    """Points near a plane.

    Returns:
        ``f64[count, 3]`` inputs and ``f64[count]`` targets.
    """
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(count, 3))
    return x, x @ np.array([2.0, -1.0, 0.5]) + 3.0 + 0.1 * rng.normal(size=count)


def loss(w, b, x, y):
    """The mean squared error of the line ``x @ w + b``."""
    return np.mean((x @ w + b - y) ** 2)


@staticpy.jit
def train_functional(x, y, steps):
    """All steps in one graph: forward, backward, update and the loop."""
    w, b, value = np.zeros(3), 0.0, 0.0
    for _ in range(steps):
        value, (slope_w, slope_b) = staticpy.value_and_grad(loss, argnums=(0, 1))(w, b, x, y)
        w = w - RATE * slope_w
        b = b - RATE * slope_b
    return w, b, value


def train_with_tape(x, y, steps):
    """Operations are recorded while the tape is open."""
    w, b = Tensor(np.zeros(3), requires_grad=True), Tensor(0.0, requires_grad=True)
    for _ in range(steps):
        with staticpy.GradientTape() as tape:
            value = loss(w, b, x, y)
        slope_w, slope_b = tape.gradient(value, (w, b))
        with staticpy.no_grad():
            w -= RATE * slope_w
            b -= RATE * slope_b
    return w.detach().numpy(), b.item(), value.item()


def train_with_backward(x, y, steps):
    """Each Tensor remembers what it was computed by, and `backward` fills in `grad`."""
    w, b = Tensor(np.zeros(3), requires_grad=True), Tensor(0.0, requires_grad=True)
    for _ in range(steps):
        value = loss(w, b, x, y)
        value.backward()
        with staticpy.no_grad():
            w -= RATE * w.grad
            b -= RATE * b.grad
        w.grad = b.grad = None
    return w.detach().numpy(), b.item(), value.item()


class ReLU(staticpy.Function):
    """The positive part, with a derivative of its own."""

    @staticmethod
    def forward(ctx, x):
        """``f[...]`` to ``f[...]``."""
        ctx.save_for_backward(x)
        return np.maximum(x, 0.0)

    @staticmethod
    def backward(ctx, grad):
        """Nothing flows where the input was negative."""
        (x,) = ctx.saved_tensors
        grad = grad.copy()
        grad[x < 0] = 0
        return grad


@staticpy.jit
def linear(x, w, b):
    """``f64[n, 3]`` to ``f64[n, 2]``; a matrix product by PyTorch's name."""
    return x.mm(w) + b


@staticpy.jit
def rectified(x, w, b):
    """The positive part of it, whose derivative is its own in graphs too."""
    return ReLU.apply(linear(x, w, b))


def linear_model():
    """`backward` of an array takes the gradient of what follows it, of the array's shape."""
    rng = np.random.default_rng(1)
    x = Tensor(rng.normal(size=(4, 3)))
    w = Tensor(rng.normal(size=(3, 2)), requires_grad=True)
    b = Tensor(np.zeros(2), requires_grad=True)
    output = linear(x, w, b)
    output.backward(staticpy.ones_like(output))
    print("x.mm(w) + b:", "gradient of b", b.grad.tolist(), "of w", w.grad.tolist())

    w.grad = b.grad = None
    hidden = rectified(x, w, b)
    hidden.backward(staticpy.ones_like(hidden))
    print("ReLU of it: gradient of b", b.grad.tolist())
    return w.grad.numpy(), b.grad.numpy()


def main(steps=1000):
    """Train in three styles and compare."""
    x, y = make_data(seed=0)
    styles = {
        "value_and_grad": train_functional,
        "GradientTape": train_with_tape,
        "backward": train_with_backward,
    }
    results = {name: train(x, y, steps) for name, train in styles.items()}
    for name, (w, b, value) in results.items():
        print(f"{name:15} w {w.tolist()}, b {b}, loss {value}")
    return results, linear_model()


if __name__ == "__main__":
    main()
