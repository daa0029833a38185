"""Programs over numbers and elements, as plain Python: what is measured of loops.

The stencils, solvers and n-body are those of ``arrays``, spelled out.
"""

from __future__ import annotations

import numpy as np


def counter(n):
    """Nothing but a test and a sum."""
    i = 0
    while i < n:
        i += 1
    return i


def mandelbrot(n, limit):
    """How long each point of a grid stays."""
    counts = np.zeros((n, n), np.int64)
    for row in range(n):
        for column in range(n):
            a, b = -2.0 + 2.75 * column / n, -1.25 + 2.5 * row / n
            x, y = 0.0, 0.0
            count = 0
            while count < limit and x * x + y * y <= 4.0:
                x, y = x * x - y * y + a, 2.0 * x * y + b
                count += 1
            counts[row, column] = count
    return counts


def stencil_1d(a, steps):
    a = a.copy()
    b = a.copy()
    for _ in range(steps):
        for i in range(1, a.shape[0] - 1):
            b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3
        for i in range(1, a.shape[0] - 1):
            a[i] = (b[i - 1] + b[i] + b[i + 1]) / 3
    return a


def jacobi_2d(a, steps):
    a = a.copy()
    b = a.copy()
    rows, columns = a.shape
    for _ in range(steps):
        for i in range(1, rows - 1):
            for j in range(1, columns - 1):
                b[i, j] = 0.2 * (a[i, j] + a[i, j - 1] + a[i, j + 1] + a[i + 1, j] + a[i - 1, j])
        for i in range(1, rows - 1):
            for j in range(1, columns - 1):
                a[i, j] = 0.2 * (b[i, j] + b[i, j - 1] + b[i, j + 1] + b[i + 1, j] + b[i - 1, j])
    return a


def fdtd_2d(ex, ey, hz, steps):
    ex, ey, hz = ex.copy(), ey.copy(), hz.copy()
    rows, columns = hz.shape
    for step in range(steps):
        for j in range(columns):
            ey[0, j] = step
        for i in range(1, rows):
            for j in range(columns):
                ey[i, j] -= 0.5 * (hz[i, j] - hz[i - 1, j])
        for i in range(rows):
            for j in range(1, columns):
                ex[i, j] -= 0.5 * (hz[i, j] - hz[i, j - 1])
        for i in range(rows - 1):
            for j in range(columns - 1):
                hz[i, j] -= 0.7 * (ex[i, j + 1] - ex[i, j] + ey[i + 1, j] - ey[i, j])
    return ex, ey, hz


def triangular_solve(a, b):
    x = np.zeros_like(b)
    for i in range(b.shape[0]):
        rest = b[i]
        for j in range(i):
            rest = rest - a[i, j] * x[j]
        x[i] = rest / a[i, i]
    return x


def lu(a):
    a = a.copy()
    n = a.shape[0]
    for k in range(n):
        for i in range(k + 1, n):
            a[i, k] /= a[k, k]
            for j in range(k + 1, n):
                a[i, j] -= a[i, k] * a[k, j]
    return a


def floyd_warshall(path):
    path = path.copy()
    n = path.shape[0]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                path[i, j] = min(path[i, j], path[i, k] + path[k, j])
    return path


def edit_distance(a, b):
    """How many changes make one text of another (Levenshtein 1966), by a table."""
    table = np.zeros((a.shape[0] + 1, b.shape[0] + 1), np.int64)
    for i in range(a.shape[0] + 1):
        table[i, 0] = i
    for j in range(b.shape[0] + 1):
        table[0, j] = j
    for i in range(1, a.shape[0] + 1):
        for j in range(1, b.shape[0] + 1):
            changed = table[i - 1, j - 1] + (a[i - 1] != b[j - 1])
            table[i, j] = min(changed, table[i - 1, j] + 1, table[i, j - 1] + 1)
    return table[a.shape[0], b.shape[0]]


def crc32(data, table):
    """The checksum of zip and PNG; ``data`` and ``table`` are ``i64``, so that nothing wraps."""
    crc = 0xFFFFFFFF
    for i in range(data.shape[0]):
        crc = table[(crc ^ data[i]) & 0xFF] ^ (crc >> 8)
    return crc ^ 0xFFFFFFFF


def n_body(position, velocity, mass, steps):
    position, velocity = position.copy(), velocity.copy()
    n = mass.shape[0]
    for _ in range(steps):
        for i in range(n):
            u, v, w = 0.0, 0.0, 0.0
            for j in range(n):
                x = position[j, 0] - position[i, 0]
                y = position[j, 1] - position[i, 1]
                z = position[j, 2] - position[i, 2]
                distance = x * x + y * y + z * z + 0.01
                pull = mass[j] / (distance * np.sqrt(distance))
                u += x * pull
                v += y * pull
                w += z * pull
            velocity[i, 0] += 0.01 * u
            velocity[i, 1] += 0.01 * v
            velocity[i, 2] += 0.01 * w
        for i in range(n):
            for axis in range(3):
                position[i, axis] += 0.01 * velocity[i, axis]
    return position, velocity
