"""Cubic splines: natural or clamped ends, evaluated, differentiated and integrated.

Source: de Boor, "A Practical Guide to Splines", chapter IV.
"""

import bisect

import numpy as np


class CubicSpline:
    def __init__(self, x, y, bc="natural"):
        if len(x) != len(y):
            raise ValueError("x and y must have the same length")
        if np.any(np.diff(x) <= 0):
            raise ValueError("x must increase")
        self.x, self.a = x, y
        n = len(x) - 1
        h = np.diff(x)
        A = np.zeros((n + 1, n + 1))
        rhs = np.zeros(n + 1)
        for i in range(1, n):
            A[i, i - 1 : i + 2] = h[i - 1], 2 * (h[i - 1] + h[i]), h[i]
            rhs[i] = 3 * ((y[i + 1] - y[i]) / h[i] - (y[i] - y[i - 1]) / h[i - 1])
        if bc == "natural":
            A[0, 0] = A[n, n] = 1
        elif bc == "clamped":
            A[0, :2] = 2 * h[0], h[0]
            A[n, n - 1 :] = h[-1], 2 * h[-1]
            rhs[0] = 3 * (y[1] - y[0]) / h[0]
            rhs[n] = -3 * (y[n] - y[n - 1]) / h[-1]
        else:
            raise ValueError(f"unknown boundary condition: {bc!r}")
        self.c = np.linalg.solve(A, rhs)
        self.b = np.diff(y) / h - h * (2 * self.c[:-1] + self.c[1:]) / 3
        self.d = np.diff(self.c) / (3 * h)

    def __call__(self, t):
        i = min(max(bisect.bisect(self.x, t) - 1, 0), len(self.x) - 2)
        dx = t - self.x[i]
        return self.a[i] + dx * (self.b[i] + dx * (self.c[i] + dx * self.d[i]))

    def derivative(self, t):
        i = int(np.clip(np.searchsorted(self.x, t) - 1, 0, len(self.x) - 2))
        dx = t - self.x[i]
        return self.b[i] + dx * (2 * self.c[i] + 3 * dx * self.d[i])

    def integral(self):
        h = np.diff(self.x)
        return np.sum(h * (self.a[:-1] + h * (self.b / 2 + h * (self.c[:-1] / 3 + h * self.d / 4))))


def program(x, y, points):
    rows, reason = [], ""
    for bc in ("natural", "clamped"):
        spline = CubicSpline(x, y, bc)
        rows.append([spline(t) for t in points] + [spline.derivative(x[0]), spline.integral()])
    try:
        CubicSpline(x[::-1], y)
    except ValueError as e:
        reason = str(e)
    return np.array(rows), reason


def arguments(size):
    x = np.linspace(0, 3, size + 2) ** 1.3
    return x, np.cos(2 * x), np.linspace(-0.1, x[-1] + 0.1, 2 * size)
