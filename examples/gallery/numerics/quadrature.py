"""Integrals: adaptive Simpson by recursion, Romberg, and Gauss-Legendre with nodes by Newton.

Source: Lyness, "Notes on the adaptive Simpson quadrature routine", 1969; Press et al., section 4.6.
"""

import math

import numpy as np


def simpson(f, a, fa, b, fb):
    m = (a + b) / 2
    fm = f(m)
    return m, fm, abs(b - a) / 6 * (fa + 4 * fm + fb)


def adaptive(f, a, fa, b, fb, eps, whole, m, fm, depth):
    lm, flm, left = simpson(f, a, fa, m, fm)
    rm, frm, right = simpson(f, m, fm, b, fb)
    delta = left + right - whole
    if depth <= 0 or abs(delta) <= 15 * eps:
        return left + right + delta / 15
    return adaptive(f, a, fa, m, fm, eps / 2, left, lm, flm, depth - 1) + adaptive(
        f, m, fm, b, fb, eps / 2, right, rm, frm, depth - 1
    )


def romberg(f, a, b, order):
    R = np.zeros((order, order))
    h = b - a
    R[0, 0] = h * (f(a) + f(b)) / 2
    for k in range(1, order):
        h /= 2
        R[k, 0] = R[k - 1, 0] / 2 + h * sum(
            f(a + (2 * i - 1) * h) for i in range(1, 2 ** (k - 1) + 1)
        )
        for j in range(1, k + 1):
            R[k, j] = R[k, j - 1] + (R[k, j - 1] - R[k - 1, j - 1]) / (4**j - 1)
    return R[-1, -1]


def gauss_legendre(n):
    x = np.zeros(n)
    w = np.zeros(n)
    for i in range((n + 1) // 2):
        z = math.cos(math.pi * (i + 0.75) / (n + 0.5))
        while True:
            p1, p2 = 1.0, 0.0
            for j in range(n):
                p1, p2 = ((2 * j + 1) * z * p1 - j * p2) / (j + 1), p1
            pp = n * (z * p1 - p2) / (z * z - 1)
            z_old, z = z, z - p1 / pp
            if abs(z - z_old) < 1e-14:
                break
        x[i], x[n - 1 - i] = -z, z
        w[i] = w[n - 1 - i] = 2 / ((1 - z * z) * pp * pp)
    return x, w


def program(a, b, n, eps=1e-9):
    calls = 0

    def f(x):
        nonlocal calls
        calls += 1
        return math.exp(-x * x) * math.sin(3 * x) + 1 / (1 + 25 * x * x)

    fa, fb = f(a), f(b)
    m, fm, whole = simpson(f, a, fa, b, fb)
    first = adaptive(f, a, fa, b, fb, eps, whole, m, fm, 12)
    used = calls
    second = romberg(f, a, b, 5)
    x, w = gauss_legendre(n)
    nodes = 0.5 * (b - a) * x + 0.5 * (a + b)
    third = 0.5 * (b - a) * sum(wi * f(xi) for wi, xi in zip(w, nodes))
    return first, used, second, third, f"{first:.6f} after {used} calls"


def arguments(size):
    return -1.0, 2.0, size + 1
