"""Small whole programs of the kind that people compile."""

from __future__ import annotations

import numpy as np

from staticpy import f32, f64, i64
from tests.support.cases import case

X = np.array([0.5, -1.0, 2.0, 3.5, -0.25])


# The smallest value, its index, and the second smallest.
@case((X,), (X[::-1],), (X[:2],))
def two_smallest(x: f64["n"]):
    first, second = min(x[0], x[1]), max(x[0], x[1])
    for i in range(2, len(x)):
        value = x[i]
        if value < first:
            first, second = value, first
        elif value < second:
            second = value
    return first, second


# Binary search.
@case((np.array([1, 3, 5, 7, 9]), 7), (np.array([1, 3, 5]), 4), (np.array([], dtype=int), 1))
def binary_search(x: i64["n"], wanted: int):
    low, high = 0, len(x)
    while low < high:
        middle = (low + high) // 2
        if x[middle] < wanted:
            low = middle + 1
        elif x[middle] > wanted:
            high = middle
        else:
            return middle
    return -1


# Bisection for a root.
@case((0.0, 2.0), (-3.0, 1.5))
def bisection(low: float, high: float):
    steps = 0
    while high - low > 1e-6:
        middle = (low + high) / 2
        if middle * middle * middle < 2.0:
            low = middle
        else:
            high = middle
        steps += 1
    return low, steps


# Horner's rule over an array of coefficients.
@case((X, 2.0), (X, np.float64(-0.5)), (X[:0], 1.0))
def horner(coefficients, x):
    value = np.float64(0.0)
    for c in coefficients:
        value = value * x + c
    return value


# The number of primes below a limit.
@case((30,), (2,), (0,))
def count_primes(limit: int):
    count = 0
    for n in range(2, limit):
        prime = True
        for d in range(2, n):
            if d * d > n:
                break
            if n % d == 0:
                prime = False
                break
        if prime:
            count += 1
    return count


# Modular powers.
@case((3, 200, 1000007), (2, 0, 13), (7, 10**30, 97))
def modular_power(base: int, exponent: int, modulus: int):
    result = 1
    base %= modulus
    while exponent:
        if exponent & 1:
            result = result * base % modulus
        base = base * base % modulus
        exponent >>= 1
    return result


# The extended algorithm of Euclid.
@case((240, 46), (-17, 5), (0, 3))
def extended_euclid(a: int, b: int):
    old, new = (a, 1, 0), (b, 0, 1)
    while new[0] != 0:
        q = old[0] // new[0]
        old, new = new, (old[0] - q * new[0], old[1] - q * new[1], old[2] - q * new[2])
    return old


# Simpson's rule.
@case((0.0, 1.0, 10), (0.0, 3.0, 4))
def simpson(a: float, b: float, n: int):
    h = (b - a) / n
    total = np.exp(a) + np.exp(b)
    for i in range(1, n):
        weight = 4 if i % 2 else 2
        total = total + weight * np.exp(a + i * h)
    return total * h / 3


# The trapezoidal rule over samples.
@case((X,), (X[:1],))
def trapezoid(y: f64["n"]):
    return ((y[1:] + y[:-1]) / 2).sum()


# A moving average.
@case((X, 2), (X, 5), (X, 1))
def moving_average(x: f64["n"], width: int):
    total = np.zeros(len(x) - width + 1)
    for k in range(width):
        total = total + x[k : len(x) - width + 1 + k]
    return total / width


# A convolution with a short kernel.
@case(
    (X, np.array([0.25, 0.5, 0.25])),
)
def convolution(x: f64["n"], kernel: f64["k"]):
    size = len(x) - len(kernel) + 1
    y = np.zeros(size)
    for k in range(len(kernel)):
        y = y + kernel[k] * x[k : k + size]
    return y


# Heat on a rod, with fixed ends.
@case((X, 5), (X, 0))
def heat_equation(u: f64["n"], steps: int):
    for _ in range(steps):
        inner = u[1:-1] + 0.1 * (u[2:] - 2.0 * u[1:-1] + u[:-2])
        u = np.concatenate([u[:1], inner, u[-1:]])
    return u


# A pendulum, by the method of Runge and Kutta.
def pendulum(angle, speed):
    return speed, -np.sin(angle)


@case(
    (np.float64(0.5), np.float64(0.0), 3),
)
def runge_kutta(angle: np.float64, speed: np.float64, steps: int):
    h = 0.1
    for _ in range(steps):
        a1, s1 = pendulum(angle, speed)
        a2, s2 = pendulum(angle + h / 2 * a1, speed + h / 2 * s1)
        a3, s3 = pendulum(angle + h / 2 * a2, speed + h / 2 * s2)
        a4, s4 = pendulum(angle + h * a3, speed + h * s3)
        angle = angle + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
        speed = speed + h / 6 * (s1 + 2 * s2 + 2 * s3 + s4)
    return angle, speed


# The steepest descent on a bowl, with a step that is halved until it helps.
@case((np.array([3.0, -2.0]),), (np.array([0.0, 0.0]),))
def descent_with_backtracking(x: f64["n"]):
    scale = np.array([1.0, 10.0])
    steps = 0
    while True:
        gradient = scale * x
        if np.max(np.abs(gradient)) < 1e-3 or steps >= 50:
            break
        rate = 1.0
        while np.sum(scale * (x - rate * gradient) ** 2) >= np.sum(scale * x * x):
            rate = rate / 2
        x = x - rate * gradient
        steps += 1
    return x, steps


# One step of k-means.
@case((np.array([[0.0, 0.1], [5.0, 5.2], [0.2, -0.1]]), np.array([[0.0, 0.0], [5.0, 5.0]])))
def k_means_assignment(points: f64["n", "k"], centres: f64["m", "k"]):
    distances = ((points[:, None] - centres[None]) ** 2).sum(axis=-1)
    return distances.argmin(axis=1), distances.min(axis=1).sum()


# The logistic regression of a batch: loss and gradient by hand.
@case((np.array([[1.0, 2.0], [-1.0, 0.5]]), np.array([1.0, 0.0]), np.array([0.1, -0.2])))
def logistic_regression(x: f64["n", "k"], y: f64["n"], w: f64["k"]):
    p = 1.0 / (1.0 + np.exp(-(x @ w)))
    loss = -np.mean(y * np.log(p) + (1.0 - y) * np.log(1.0 - p))
    return loss, x.T @ (p - y) / len(y)


# A recurrent network over time steps.
@case(
    (np.ones((4, 2)), np.eye(3) * 0.5, np.ones((2, 3)) * 0.1),
    (np.ones((0, 2)), np.eye(3), np.ones((2, 3))),
)
def recurrent_network(xs: f64["t", "k"], w: f64["n", "n"], u: f64["k", "n"]):
    h = np.zeros(w.shape[0])
    for x in xs:
        h = np.tanh(h @ w + x @ u)
    return h


# A scaled dot-product attention, in float32.
Q = np.sin(np.arange(6, dtype=np.float32)).reshape(3, 2)


@case((Q, Q + 1, Q * 2))
def attention(q: f32["n", "k"], k: f32["m", "k"], v: f32["m", "d"]):
    scores = q @ k.T / np.float32(np.sqrt(q.shape[1]))
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True) @ v


# The game of life on a torus, one step.
BLINKER = np.array([[0, 0, 0, 0], [0, 1, 1, 1], [0, 0, 0, 0], [0, 0, 0, 0]])


def rolled(board, rows, columns):
    board = np.concatenate([board[rows:], board[:rows]])
    return np.concatenate([board[:, columns:], board[:, :columns]], axis=1)


@case((BLINKER, 1), (BLINKER, 2), (BLINKER, 0))
def game_of_life(board: i64["m", "n"], steps: int):
    for _ in range(steps):
        around = -board
        for rows in (-1, 0, 1):
            for columns in (-1, 0, 1):
                around = around + rolled(board, rows, columns)
        alive = (around == 3) | ((board == 1) & (around == 2))
        board = alive.astype(np.int64)
    return board


# The Mandelbrot escape count in real arithmetic.
@case((-0.5, 0.5, 40), (1.0, 1.0, 40))
def mandelbrot(a: float, b: float, limit: int):
    x, y = 0.0, 0.0
    for i in range(limit):
        x, y = x * x - y * y + a, 2.0 * x * y + b
        if x * x + y * y > 4.0:
            return i
    return limit


# The longest run of equal elements.
@case((np.array([1, 1, 2, 2, 2, 1]),), (np.array([5]),), (np.array([], dtype=int),))
def longest_run(x: i64["n"]):
    best, run = 0, 0
    for i in range(len(x)):
        if i > 0 and x[i] == x[i - 1]:
            run += 1
        else:
            run = 1
        best = max(best, run)
    return best


# The maximum subarray sum.
@case((np.array([3, -4, 5, 6, -1]),), (np.array([-2, -1]),))
def maximum_subarray_sum(x: i64["n"]):
    best = x[0]
    current = x[0]
    for value in x[1:]:
        current = np.maximum(current + value, value)
        best = np.maximum(best, current)
    return best


# A generator of pseudo-random numbers, and pi by counting.
@case((200, 7), (10, 1))
def monte_carlo_pi(samples: int, seed: int):
    inside = 0
    for _ in range(samples):
        seed = (1103515245 * seed + 12345) % 2147483648
        x = seed / 2147483648
        seed = (1103515245 * seed + 12345) % 2147483648
        y = seed / 2147483648
        if x * x + y * y < 1.0:
            inside += 1
    return 4.0 * inside / samples


# Compensated summation: what must not be simplified away.
@case((np.array([1e16, 1.0, -1e16, 1.0]),), (np.array([0.1] * 10),))
def compensated_sum(x: f64["n"]):
    total = np.float64(0.0)
    lost = np.float64(0.0)
    for value in x:
        y = value - lost
        t = total + y
        lost = (t - total) - y
        total = t
    return total


# Neville's polynomial interpolation at a point, over slices.
@case((np.array([0.0, 1.0, 3.0]), np.array([1.0, 2.0, 10.0]), 2.0))
def neville(xs: f64["n"], ys: f64["n"], x: float):
    p = ys
    for k in range(1, len(xs)):
        left, right = xs[: len(xs) - k], xs[k:]
        p = ((x - right) * p[:-1] + (left - x) * p[1:]) / (left - right)
    return p[0]
