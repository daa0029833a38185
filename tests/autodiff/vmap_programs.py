"""Functions of one example that are vectorised, with the arguments of their vectorised form.

``@vectorized(args, …)`` enters a function into ``PROGRAMS``, with the options of ``vmap``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

import staticpy

X = np.array([[0.3, 0.9, 0.7], [1.2, -0.4, 0.1], [2.0, 0.5, -1.5], [0.0, 1.0, 3.0]])
V = np.array([0.5, 2.0, -1.0, 0.25])
W = np.array([[0.2, -0.4], [0.7, 0.3], [1.0, 2.0]])
N = np.array([3, 0, 2, 1])

PROGRAMS: list[tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]] = []


def vectorized(*args: Any, **options: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def enter(function: Callable[..., Any]) -> Callable[..., Any]:
        PROGRAMS.append((function, args, options))
        return function

    return enter


# --- numbers and arrays ---------------------------------------------------------------------------


@vectorized(V)
def number(x):
    return x * x + 1


@vectorized(V)
def python_number(x):
    return float(x) / 3 + 2**0.5


@vectorized(X, W, in_axes=(0, None))
@vectorized(X[:1], W, in_axes=(0, None))
def layer(x, w):
    return np.tanh(x @ w)


@vectorized(X, V)
@vectorized(X.T, V, in_axes=(1, 0))
@vectorized(X.T, V, in_axes=(-1, -1), out_axes=-1)
def two_arrays(x, y):
    return x * y - x.sum()


@vectorized(np.stack([W, W * 2]), in_axes=2, out_axes=1)
def middle_axis(x):
    return x.T @ x


@vectorized(X, in_axes=(0,), out_axes=None)
def independent(x):
    return np.arange(3.0)


@vectorized(X)
def reductions(x):
    return x.sum(), x.max(), x.mean(axis=0), np.cumsum(x), x.argmax(), (x > 0).any()


@vectorized(X)
def shapes(x):
    y = x[:, None] * x
    return y.reshape(-1), y.T, np.concatenate([x, x[::-1]]), np.stack([x, x + 1], axis=1), y[0, 1:]


@vectorized(X, N, np.array([10.0, 20.0, 30.0, 40.0]), in_axes=(0, 0, None))
def indexes(x, n, table):
    return table[n], x[n % 3], x[[2, 0]], np.where(x > 0.5, x, table[:3])


@vectorized(np.stack([np.eye(3) + 0.1, np.diag([1.0, 2.0, 3.0])]), X[:2])
def linear_algebra(a, b):
    return np.linalg.solve(a, b), np.linalg.det(a), np.linalg.inv(a) @ b, np.trace(a)


@vectorized(X)
def sorting(x):
    return np.sort(x), np.argsort(x), x.argmin(), np.flip(x)


@vectorized(X.astype("f4"), N.astype("i1"))
def dtypes(x, n):
    return x * 2, n + 1, x.astype(int), n > 1, n * 2.5, x.sum() + n


# --- structures -----------------------------------------------------------------------------------


@vectorized({"a": X, "b": [V, None]}, (V, 2.0), in_axes=({"a": 0, "b": [0, None]}, (0, None)))
def trees(p, q):
    return {"sum": p["a"] * p["b"][0], "rest": [q[0] * q[1], None, (True, 3)]}


@vectorized([X, V], out_axes=({"x": -1}, 0))
def prefixes(p):
    return {"x": p[0] * 2}, (p[1], p[1] + 1)


@vectorized(2.0, in_axes=None, axis_size=3)
def no_batch(x):
    return x * 3


# --- control flow ---------------------------------------------------------------------------------


@vectorized(V)
def branch(x):
    if x > 0.3:
        return x * 2
    return -x


@vectorized(X, N)
def loops(x, n):
    total = 0.0
    for i in range(n):
        total += x[i] * (i + 1)
    for value in x:
        total -= value
    return total


@vectorized(V)
def newton(x):
    y = abs(x) + 1.0
    count = 0
    while abs(y * y - abs(x)) > 1e-9 and count < 60:
        y = 0.5 * (y + abs(x) / y)
        count += 1
    return y, count


@vectorized(X)
def known_loop(x):
    y = x
    for i in range(5):
        y = np.sin(y) + i * x
    return y


@vectorized(X)
def memory(x):
    y = np.zeros(3)
    y[0] = x[1]
    y[1:] += x[:2]
    items = [x[0]]
    for i in range(2):
        items.append(items[-1] * y[i])
    return y, items[-1]


@vectorized(V)
def early(x):
    for i in range(10):
        if x * i > 1:
            return i
    return -1


@vectorized(np.arange(4))
def integers(n):
    k = int(n)
    return k // 2, k % 3, 10**18 * (k + 80) // 77, k / 4


@vectorized(V)
def mathematics(x):
    return math.sin(x), math.floor(x), round(float(x)), max(x, 0.0)


@vectorized(X)
def first_bound_in_a_loop(x):
    best = 0.0
    for i in range(len(x)):
        if x[i] > best:
            best, place = x[i], i
    return place if best else -1


@vectorized(X, V)
def bound_in_a_branch(x, y):
    done = False
    for i in range(3):
        if i > 1:
            kept = x * i
            done = True
    return kept * y if done else x


@vectorized(X, in_axes=0)
def of_two_types(x):
    found = False
    for i in range(len(x)):
        found = found or x[i] > 1.0
    return found


@vectorized(np.float32(X))
@vectorized(np.float32(X[:, :0]))
@vectorized(np.int32(X))
@vectorized(np.int32(X[:, :0]))
@vectorized(np.float32(np.stack([W, W * 2])))
@vectorized(np.float32(np.stack([W, W * 2])[:, :0]))
def sums(x):
    """With nothing to add they are still Python's numbers, which NumPy stacks as others."""
    total, squares = 0.0, 0
    for value in x:
        total += value
        squares = squares + value * value
    return total, squares


@vectorized(np.float32(V))
@vectorized(np.float32(V[:2]))
@vectorized(np.float32(V[2:3]))
def of_one_dtype_or_the_other(x):
    if x > 0:
        return x
    return 0.25 if x < -2 else 1


@vectorized(np.float32(X), in_axes=0)
def stacked_twice(x):
    def grown(y):
        total = 0.0
        for _ in range(len(x)):
            total = total + y
        return total

    return staticpy.vmap(lambda y: y * x)(staticpy.vmap(grown)(x))


@vectorized(np.asfortranarray(np.stack([W, W * 2])))
def order_in_memory(x):
    y = x.T + np.zeros((2, 3), order="F")
    return y.strides[0], y.ravel(order="K"), y.flags.f_contiguous


@vectorized(X, V)
def raises_for_none(x, y):
    if len(x) > 5:
        raise ValueError("too long")
    return np.linalg.solve(np.diag(x + 2.0), x) * y


@vectorized(X, N)
def unpacked(x, n):
    a, b, c = x
    return a * b, (c, x[n % 3], x[:, None][n % 2, 0])


# --- transforms -----------------------------------------------------------------------------------


def energy(x, w=1.0):
    return (np.sin(x) * x * w).sum()


@vectorized(X)
def gradient(x):
    return staticpy.grad(energy)(x)


@vectorized(X, V)
def inner_vmap(x, y):
    return staticpy.vmap(lambda a: a * y + x.sum())(x)


@vectorized(V)
def inner_only(y):
    return staticpy.vmap(lambda a: a[0] * a[1])(X) * y
