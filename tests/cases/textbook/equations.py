"""Roots, quadrature and differential equations, as textbooks write them."""

import numpy as np

from staticpy import f64


def cubic(x: float) -> float:
    return x**3 - 2 * x - 5


def cubic_slope(x: float) -> float:
    return 3 * x**2 - 2


def bisection(low: float, high: float, tolerance: float) -> float:
    f_low = cubic(low)
    while high - low > tolerance:
        middle = 0.5 * (low + high)
        f_middle = cubic(middle)
        if f_low * f_middle <= 0:
            high = middle
        else:
            low, f_low = middle, f_middle
    return 0.5 * (low + high)


def newton(x: float, tolerance: float, most: int) -> tuple[float, int]:
    for k in range(most):
        step = cubic(x) / cubic_slope(x)
        x = x - step
        if abs(step) < tolerance:
            return x, k + 1
    return x, most


def secant(x0: float, x1: float, tolerance: float) -> float:
    f0, f1 = cubic(x0), cubic(x1)
    while abs(x1 - x0) > tolerance:
        x0, x1 = x1, x1 - f1 * (x1 - x0) / (f1 - f0)
        f0, f1 = f1, cubic(x1)
    return x1


def newton_system(x: f64[2], rounds: int) -> f64[2]:
    for _ in range(rounds):
        residual = np.array([x[0] ** 2 + x[1] ** 2 - 4.0, x[0] - x[1]])
        jacobian = np.array([[2 * x[0], 2 * x[1]], [1.0, -1.0]])
        x = x - np.linalg.solve(jacobian, residual)
    return x


def trapezoidal_rule(a: float, b: float, n: int) -> float:
    h = (b - a) / n
    total = 0.5 * (np.exp(-(a**2)) + np.exp(-(b**2)))
    for i in range(1, n):
        total += np.exp(-((a + i * h) ** 2))
    return h * total


def simpson_rule(y: f64["n"], h: float) -> float:
    return h / 3 * (y[0] + 4 * y[1:-1:2].sum() + 2 * y[2:-1:2].sum() + y[-1])


def romberg(a: float, b: float, levels: int) -> float:
    r = np.zeros((levels, levels))
    h = b - a
    r[0, 0] = h * (np.sin(a) + np.sin(b)) / 2
    for i in range(1, levels):
        h /= 2
        points = a + h * np.arange(1, 2**i, 2)
        r[i, 0] = r[i - 1, 0] / 2 + h * np.sin(points).sum()
        for j in range(1, i + 1):
            r[i, j] = r[i, j - 1] + (r[i, j - 1] - r[i - 1, j - 1]) / (4**j - 1)
    return r[levels - 1, levels - 1]


def euler(y0: float, end: float, n: int) -> f64["k"]:
    h = end / n
    y = np.empty(n + 1)
    y[0] = y0
    for k in range(n):
        y[k + 1] = y[k] + h * (-2.0 * y[k] + k * h)
    return y


def pendulum(t: float, state: f64[2]) -> f64[2]:
    angle, speed = state
    return np.array([speed, -9.81 * np.sin(angle) - 0.1 * speed * np.cos(t)])


def runge_kutta(state: f64[2], end: float, n: int) -> f64["k", 2]:
    h = end / n
    path = np.zeros((n + 1, 2))
    path[0] = state
    t = 0.0
    for k in range(n):
        y = path[k]
        k1 = pendulum(t, y)
        k2 = pendulum(t + h / 2, y + h / 2 * k1)
        k3 = pendulum(t + h / 2, y + h / 2 * k2)
        k4 = pendulum(t + h, y + h * k3)
        path[k + 1] = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        t += h
    return path


def adaptive_step(y: float, end: float, tolerance: float) -> tuple[float, int]:
    t, h, steps = 0.0, 0.1, 0
    while t < end:
        h = min(h, end - t)
        coarse = y + h * (-y + np.sin(t))
        half = y + h / 2 * (-y + np.sin(t))
        fine = half + h / 2 * (-half + np.sin(t + h / 2))
        error = abs(fine - coarse)
        if error < tolerance or h < 1e-6:
            t, y = t + h, fine
            steps += 1
        h *= 0.9 * np.sqrt(tolerance / max(error, 1e-12)) if error > 0 else 2.0
    return y, steps


EXAMPLES = {
    "cubic": (1.5,),
    "cubic_slope": (1.5,),
    "bisection": (2.0, 3.0, 1e-6),
    "newton": (2.0, 1e-10, 20),
    "secant": (2.0, 3.0, 1e-9),
    "newton_system": (np.array([1.0, 2.0]), 4),
    "trapezoidal_rule": (0.0, 1.0, 10),
    "simpson_rule": (np.linspace(0.0, 1.0, 9) ** 2, 0.125),
    "romberg": (0.0, 1.0, 4),
    "euler": (1.0, 1.0, 8),
    "pendulum": (0.5, np.array([0.3, 0.0])),
    "runge_kutta": (np.array([0.3, 0.0]), 1.0, 8),
    "adaptive_step": (1.0, 1.0, 1e-3),
}
