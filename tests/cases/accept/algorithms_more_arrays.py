"""Algorithms on arrays: solvers, filters, simulation, geometry, with helpers and handlers."""

from __future__ import annotations

import math

import numpy as np

from staticpy import c128, f64, i64
from tests.support.cases import call, case

X = np.array([3.0, -1.0, 2.0, 0.5, 8.0])
A = np.array([[4.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 5.0]])
B = np.array([1.0, 2.0, -1.0])
POINTS = np.array([[0.0, 0.0], [4.0, 0.0], [4.0, 3.0], [0.0, 3.0], [2.0, 1.0]])


# Root finding: the method is chosen while compiling, the steps at run time.
def bisected(f, low, high, tolerance=1e-10):
    if f(low) * f(high) > 0:
        raise ValueError(f"no change of sign between {low} and {high}")
    steps = 0
    while high - low > tolerance:
        middle = (low + high) / 2
        if f(low) * f(middle) <= 0:
            high = middle
        else:
            low = middle
        steps += 1
    return (low + high) / 2, steps


@case((2.0, 0.0, 2.0), (2.0, 2.0, 3.0))
def bisection(a: float, low: float, high: float):
    return bisected(lambda x: x * x - a, low, high)


@case(call(X), call(X, method="jacobi"), call(X, method="power"))
def method_by_name(x, method="gauss"):
    def jacobi(v):
        return v * 0.5 + 1.0

    def gauss(v):
        return np.cumsum(v)

    methods = {"jacobi": jacobi, "gauss": gauss}
    if method not in methods:
        raise KeyError(method)
    return methods[method](x)


# Jacobi iteration with a stopping rule and an else.
@case((A, B, 100), (A, B, 2))
def jacobi(a: f64["n", "n"], b: f64["n"], limit: int):
    d = np.diagonal(a)
    x = np.zeros(len(b))
    for step in range(limit):
        new = (b - (a @ x - d * x)) / d
        if np.max(np.abs(new - x)) < 1e-12:
            break
        x = new
    else:
        return x, -1
    return x, step


# Conjugate gradients.
@case((A, B), (A * 0.0, B))
def conjugate_gradients(a: f64["n", "n"], b: f64["n"]):
    x = b * 0.0
    r = b - a @ x
    p = r
    for _ in range(len(b)):
        ap = a @ p
        with np.errstate(divide="ignore", invalid="ignore"):
            alpha = (r @ r) / (p @ ap)
        if not np.isfinite(alpha):
            return None
        x = x + alpha * p
        new = r - alpha * ap
        p = new + (new @ new) / (r @ r) * p
        r = new
        if r @ r < 1e-20:
            break
    return x


# Gauss elimination with pivoting; a singular matrix raises.
class SingularError(ArithmeticError):
    pass


def solved(a, b):
    a, b = a.copy(), b.copy()
    n = len(b)
    for k in range(n):
        pivot = k + int(np.argmax(np.abs(a[k:, k])))
        if a[pivot, k] == 0.0:
            raise SingularError(f"column {k}")
        if pivot != k:
            a[[k, pivot]] = a[[pivot, k]]
            b[[k, pivot]] = b[[pivot, k]]
        for i in range(k + 1, n):
            factor = a[i, k] / a[k, k]
            a[i, k:] -= factor * a[k, k:]
            b[i] -= factor * b[k]
    x = np.zeros(n)
    for k in reversed(range(n)):
        x[k] = (b[k] - a[k, k + 1 :] @ x[k + 1 :]) / a[k, k]
    return x


@case((A, B), (A[::-1].copy(), B), (np.ones((3, 3)), B))
def gauss_elimination(a: f64["n", "n"], b: f64["n"]):
    return solved(a, b)


@case((A, B), (np.ones((3, 3)), B))
def solved_or_none(a: f64["n", "n"], b: f64["n"]):
    try:
        return solved(a, b)
    except SingularError as error:
        return str(error)


# Cholesky with an error for what isn't positive.
@case((A,), (-A,))
def cholesky(a: f64["n", "n"]):
    n = len(a)
    low = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            rest = float(a[i, j]) - sum(low[i, k] * low[j, k] for k in range(j))
            if i == j:
                low[i, i] = math.sqrt(rest)
            else:
                low[i, j] = rest / low[j, j]
    return low


# Power iteration: the largest eigenvalue.
@case((A, 30), (A, 0))
def power_iteration(a: f64["n", "n"], steps: int):
    v = np.ones(len(a))
    value = None
    for _ in range(steps):
        w = a @ v
        value = float(np.sqrt(w @ w))
        v = w / value
    return value, v


# Runge-Kutta with a right side that is a closure.
def integrated(f, y, t, h, steps):
    for _ in range(steps):
        k1 = f(t, y)
        k2 = f(t + h / 2, y + h / 2 * k1)
        k3 = f(t + h / 2, y + h / 2 * k2)
        k4 = f(t + h, y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        t += h
    return y, t


@case((np.array([1.0, 0.0]), 0.5, 10), (np.array([1.0, 0.0]), 0.5, 0))
def damped_oscillator(y: f64[2], damping: float, steps: int):
    def slope(t, state):
        x, v = state
        return np.array([v, -x - damping * v + math.sin(t)])

    return integrated(slope, y, 0.0, 0.1, steps)


@case((1.0, 8), (0.1, 0))
def logistic_growth(x: float, steps: int):
    y, t = integrated(lambda _, v: v * (1.0 - v), x, 0.0, 0.25, steps)
    return y, t


# Moving averages, median filter, run lengths.
@case((X, 2), (X, 5), (X, 6))
def moving_average(x: f64["n"], size: int):
    if not 0 < size <= len(x):
        raise ValueError(f"size {size} of {len(x)}")
    return np.array([x[i : i + size].mean() for i in range(len(x) - size + 1)])


@case((X,), (X[:1],), (X[:0],))
def median_of_three(x: f64["n"]):
    y = x.copy()
    for i in range(1, len(x) - 1):
        y[i] = sorted((x[i - 1], x[i], x[i + 1]))[1]
    return y


@case((np.array([1, 1, 2, 2, 2, 1]),), (np.array([], dtype=np.int64),))
def run_lengths(x: i64["n"]):
    runs = []
    for value in x:
        if runs and runs[-1][0] == value:
            runs[-1] = (value, runs[-1][1] + 1)
        else:
            runs.append((value, 1))
    return runs


# Exponential smoothing: a coroutine-like object.
class Smoother:
    def __init__(self, rate):
        self.rate = rate
        self.level = None

    def __call__(self, x):
        if self.level is None:
            self.level = x
        else:
            self.level += self.rate * (x - self.level)
        return self.level


@case((X, 0.5), (X[:0], 0.5))
def smoothed(x: f64["n"], rate: float):
    smoother = Smoother(rate)
    levels = [smoother(float(value)) for value in x]
    return levels, smoother.level


# Histogram with bounds and a handler for what falls outside.
@case((X, 4), (X, 1))
def histogram(x: f64["n"], bins: int):
    counts = [0] * bins
    outside = 0
    for value in x:
        try:
            if value < 0:
                raise IndexError
            counts[int(value)] += 1
        except IndexError:
            outside += 1
    return counts, outside


# Polygons: the shoelace formula, and a point inside.
@case((POINTS[:4],), (POINTS[:2],))
def polygon_area(points: f64["n", 2]):
    total = 0.0
    following = np.concatenate((points[1:], points[:1]))
    for (x0, y0), (x1, y1) in zip(points, following):
        total += x0 * y1 - x1 * y0
    return total / 2


@case((POINTS[:4], 1.0, 1.0), (POINTS[:4], 5.0, 1.0))
def point_in_polygon(points: f64["n", 2], x: float, y: float):
    inside = False
    j = len(points) - 1
    for i in range(len(points)):
        (xi, yi), (xj, yj) = points[i], points[j]
        if (yi > y) != (yj > y) and x < (xj - xi) * (y - yi) / (yj - yi) + xi:
            inside = not inside
        j = i
    return inside


# The closest pair of points.
@case((POINTS,), (POINTS[:1],))
def closest_pair(points: f64["n", 2]):
    best = (math.inf, None, None)
    for i, p in enumerate(points):
        for j in range(i):
            d = math.dist(p, points[j])
            if d < best[0]:
                best = (d, j, i)
    return best


# k-means: assignments change until they don't.
@case((POINTS, 10), (POINTS, 0))
def k_means(points: f64["n", 2], limit: int):
    centers = points[:2].copy()
    labels = None
    for step in range(limit):
        distances = ((points[:, None, :] - centers[None, :, :]) ** 2).sum(axis=2)
        new = np.argmin(distances, axis=1)
        if labels is not None and np.all(new == labels):
            break
        labels = new
        for k in range(2):
            if np.any(labels == k):
                centers[k] = points[labels == k].mean(axis=0)
    return centers, labels


# Escape times of the Mandelbrot set.
@case((np.array([0j, 1 + 1j, -1 + 0j, 0.3 + 0.5j]), 20), (np.array([2j]), 0))
def escape_times(c: c128["n"], limit: int):
    times = []
    for point in c:
        z = 0j
        for step in range(limit):
            z = z * z + complex(point)
            if abs(z) > 2.0:
                break
        else:
            step = limit
        times.append(step)
    return times


# The discrete Fourier transform by its definition.
@case((X,), (X[:1],))
def slow_fourier(x: f64["n"]):
    n = len(x)
    result = np.zeros(n, dtype=complex)
    for k in range(n):
        for t, value in enumerate(x):
            angle = -2.0 * math.pi * k * t / n
            result[k] += value * complex(math.cos(angle), math.sin(angle))
    return result


# Game of Life on a torus.
@case(
    (np.array([[0, 1, 0, 0], [0, 1, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0]]), 1),
    (np.array([[0, 1, 0, 0], [0, 1, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0]]), 4),
)
def game_of_life(board: i64["m", "n"], steps: int):
    rows, columns = board.shape
    for _ in range(steps):
        new = board.copy()
        for i in range(rows):
            for j in range(columns):
                neighbours = sum(
                    board[(i + a) % rows, (j + b) % columns]
                    for a in (-1, 0, 1)
                    for b in (-1, 0, 1)
                    if (a, b) != (0, 0)
                )
                match board[i, j], neighbours:
                    case 1, 2 | 3:
                        new[i, j] = 1
                    case 0, 3:
                        new[i, j] = 1
                    case _:
                        new[i, j] = 0
        board = new
    return board


# A line search with a walrus and an else.
@case((B, 1.0), (B, 1e6))
def line_search(x: f64["n"], step: float):
    f = lambda v: float(((v - 1.0) ** 4).sum())
    slope = 4.0 * (x - 1.0) ** 3
    start = f(x)
    for _ in range(12):
        if (value := f(x - step * slope)) < start:
            break
        step *= 0.5
    else:
        return None, step
    return value, step
