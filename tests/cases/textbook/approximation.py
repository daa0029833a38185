"""Interpolation, polynomials, signals and optimization, as textbooks write them."""

import numpy as np

from staticpy import c128, f64


def horner(coefficients: f64["n"], x: float) -> float:
    value = 0.0
    for c in coefficients[::-1]:
        value = value * x + c
    return value


def lagrange(xs: f64["n"], ys: f64["n"], x: float) -> float:
    total = 0.0
    for i in range(len(xs)):
        term = ys[i]
        for j in range(len(xs)):
            if i != j:
                term *= (x - xs[j]) / (xs[i] - xs[j])
        total += term
    return total


def divided_differences(xs: f64["n"], ys: f64["n"]) -> f64["n"]:
    c = ys.copy()
    n = len(xs)
    for k in range(1, n):
        c[k:] = (c[k:] - c[k - 1 : -1]) / (xs[k:] - xs[: n - k])
    return c


def linear_interpolation(xs: f64["n"], ys: f64["n"], x: float) -> float:
    i = int(np.searchsorted(xs, x)) - 1
    i = max(0, min(i, len(xs) - 2))
    t = (x - xs[i]) / (xs[i + 1] - xs[i])
    return (1 - t) * ys[i] + t * ys[i + 1]


def chebyshev_nodes(a: float, b: float, n: int) -> f64["n"]:
    k = np.arange(n)
    return 0.5 * (a + b) + 0.5 * (b - a) * np.cos((2 * k + 1) * np.pi / (2 * n))


def central_differences(y: f64["n"], h: float) -> f64["n"]:
    slope = np.empty_like(y)
    slope[1:-1] = (y[2:] - y[:-2]) / (2 * h)
    slope[0] = (y[1] - y[0]) / h
    slope[-1] = (y[-1] - y[-2]) / h
    return slope


def discrete_fourier(x: f64["n"]) -> c128["n"]:
    n = len(x)
    k = np.arange(n)
    return np.exp(-2j * np.pi * np.outer(k, k) / n) @ x


def convolve(signal: f64["n"], kernel: f64["k"]) -> f64["m"]:
    out = np.zeros(len(signal) + len(kernel) - 1)
    for i, weight in enumerate(kernel):
        out[i : i + len(signal)] += weight * signal
    return out


def moving_average(x: f64["n"], width: int) -> f64["m"]:
    sums = np.concatenate([np.zeros(1), np.cumsum(x)])
    return (sums[width:] - sums[:-width]) / width


def golden_section(low: float, high: float, tolerance: float) -> float:
    ratio = (np.sqrt(5.0) - 1) / 2
    c = high - ratio * (high - low)
    d = low + ratio * (high - low)
    while abs(high - low) > tolerance:
        if (c - 1.0) ** 2 + 0.5 * c < (d - 1.0) ** 2 + 0.5 * d:
            high = d
        else:
            low = c
        c = high - ratio * (high - low)
        d = low + ratio * (high - low)
    return (low + high) / 2


def gradient_descent(x: f64["n"], rate: float, tolerance: float) -> tuple[f64["n"], int]:
    weights = np.arange(1, len(x) + 1)
    for k in range(1000):
        gradient = 2 * weights * x
        if np.max(np.abs(gradient)) < tolerance:
            return x, k
        x = x - rate * gradient
    return x, 1000


def heat_equation(u: f64["n"], ratio: float, steps: int) -> f64["n"]:
    u = u.copy()
    for _ in range(steps):
        u[1:-1] = u[1:-1] + ratio * (u[2:] - 2 * u[1:-1] + u[:-2])
    return u


def laplace(u: f64["m", "n"], tolerance: float) -> tuple[f64["m", "n"], int]:
    u = u.copy()
    rounds, change = 0, 1.0
    while change > tolerance:
        old = u.copy()
        u[1:-1, 1:-1] = 0.25 * (old[2:, 1:-1] + old[:-2, 1:-1] + old[1:-1, 2:] + old[1:-1, :-2])
        change = np.abs(u - old).max()
        rounds += 1
    return u, rounds


def mandelbrot(c: c128["m", "n"], most: int) -> f64["m", "n"]:
    z = np.zeros_like(c)
    counts = np.zeros(c.shape)
    for _ in range(most):
        inside = np.abs(z) <= 2
        z = np.where(inside, z * z + c, z)
        counts += inside
    return counts


def sieve(n: int) -> int:
    is_prime = np.ones(n + 1, dtype=bool)
    is_prime[:2] = False
    i = 2
    while i * i <= n:
        if is_prime[i]:
            is_prime[i * i :: i] = False
        i += 1
    return int(is_prime.sum())


_XS = np.array([0.0, 0.5, 1.5, 2.0])
_YS = np.array([1.0, 0.5, 2.0, -1.0])
_GRID = np.zeros((4, 5))
_GRID[0] = 1.0

EXAMPLES = {
    "horner": (_YS, 0.7),
    "lagrange": (_XS, _YS, 0.9),
    "divided_differences": (_XS, _YS),
    "linear_interpolation": (_XS, _YS, 0.9),
    "chebyshev_nodes": (-1.0, 2.0, 5),
    "central_differences": (_YS, 0.5),
    "discrete_fourier": (_YS,),
    "convolve": (_YS, _XS[1:3].copy()),
    "moving_average": (_YS, 2),
    "golden_section": (0.0, 2.0, 1e-5),
    "gradient_descent": (_YS, 0.1, 1e-6),
    "heat_equation": (_YS, 0.25, 6),
    "laplace": (_GRID, 1e-3),
    "mandelbrot": (np.array([[0.1 + 0.2j, -1.0 + 0j], [0.5 + 0.5j, 2.0 + 2j]]), 12),
    "sieve": (50,),
}
