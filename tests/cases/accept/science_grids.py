"""Grids and stencils: cellular automata, heat, waves, fractals, labels, paths."""

from __future__ import annotations

import numpy as np

from staticpy import f64, i64, u8
from tests.support.cases import case

GLIDER = np.array(
    [[0, 1, 0, 0, 0], [0, 0, 1, 0, 0], [1, 1, 1, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]]
)
PLATE = np.array([[9.0, 0.0, 1.0, 0.0], [0.0, 4.0, 0.0, 0.0], [2.0, 0.0, 0.0, 8.0]])


# Conway's game of life by slices, on a grid with a border.
@case((GLIDER, 4), (GLIDER, 0))
def life_by_slices(grid: i64["m", "n"], steps: int):
    wide = np.zeros((grid.shape[0] + 2, grid.shape[1] + 2), dtype=np.int64)
    for _ in range(steps):
        wide[1:-1, 1:-1] = grid
        count = (
            wide[:-2, :-2] + wide[:-2, 1:-1] + wide[:-2, 2:]
            + wide[1:-1, :-2] + wide[1:-1, 2:]
            + wide[2:, :-2] + wide[2:, 1:-1] + wide[2:, 2:]
        )  # fmt: skip
        born = (grid == 0) & (count == 3)
        dies = (grid == 1) & ((count < 2) | (count > 3))
        grid[born] = 1
        grid[dies] = 0
    return grid


# ... by elements, on a torus, with two grids.
@case((GLIDER, 3))
def life_by_elements(grid: i64["m", "n"], steps: int):
    m, n = grid.shape
    now = grid.copy()
    for _ in range(steps):
        new = np.zeros_like(now)
        for i in range(m):
            for j in range(n):
                count = 0
                for di in (-1, 0, 1):
                    for dj in (-1, 0, 1):
                        if di != 0 or dj != 0:
                            count += now[(i + di) % m, (j + dj) % n]
                if count == 3 or (count == 2 and now[i, j]):
                    new[i, j] = 1
        now = new
    return now


# Heat in a rod, in place by a slice.
@case((np.array([0.0, 1.0, 4.0, 1.0, 0.0]), 3), (np.array([1.0, 2.0]), 3))
def heat_in_a_rod(u: f64["n"], steps: int):
    for _ in range(steps):
        u[1:-1] += 0.25 * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return u.sum()


# Heat in a plate until it is even, at most so many steps.
@case((PLATE, 0.05, 100), (PLATE, 100.0, 100), (PLATE, 0.0, 2))
def heat_in_a_plate(u: f64["m", "n"], tolerance: float, limit: int):
    for step in range(limit):
        old = u.copy()
        u[1:-1, 1:-1] = 0.25 * (old[:-2, 1:-1] + old[2:, 1:-1] + old[1:-1, :-2] + old[1:-1, 2:])
        if np.abs(u - old).max() <= tolerance:
            break
    else:
        step = limit
    return step, u


# Gauss and Seidel: each element uses those that are new already.
@case((PLATE, 2))
def relaxation(u: f64["m", "n"], sweeps: int):
    m, n = u.shape
    for _ in range(sweeps):
        for i in range(1, m - 1):
            for j in range(1, n - 1):
                u[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
    return u


# Red and black cells in turn, by steps of two.
@case((np.arange(8.0), 3))
def red_and_black(u: f64["n"], sweeps: int):
    for _ in range(sweeps):
        for start in (1, 2):
            u[start:-1:2] = 0.5 * (u[start - 1 : -2 : 2] + u[start + 1 :: 2])
    return u


# A wave in a string: three arrays change places.
@case((np.array([0.0, 1.0, 0.0, 0.0, 0.0]), 4), (np.array([0.0, 1.0, 0.0]), 0))
def wave(u: f64["n"], steps: int):
    before, now, after = u.copy(), u.copy(), np.zeros_like(u)
    for _ in range(steps):
        after[1:-1] = 2.0 * now[1:-1] - before[1:-1] + 0.5 * np.diff(now, 2)
        before, now, after = now, after, before
    return now


# Transport against the wind.
@case((np.array([0.0, 1.0, 1.0, 0.0]), 0.5, 3), (np.array([0.0, 1.0, 1.0, 0.0]), -0.5, 3))
def transport(u: f64["n"], speed: float, steps: int):
    for _ in range(steps):
        flux = np.zeros(len(u) + 1)
        if speed > 0:
            flux[1:-1] = speed * u[:-1]
        else:
            flux[1:-1] = speed * u[1:]
        u -= flux[1:] - flux[:-1]
    return u, u.sum()


# An elementary automaton by its number.
@case((30, 9, 4), (110, 9, 4), (0, 3, 1))
def automaton(rule: int, width: int, steps: int):
    table = np.array([(rule >> k) & 1 for k in range(8)])
    rows = np.zeros((steps + 1, width), dtype=np.int64)
    rows[0, width // 2] = 1
    for t in range(steps):
        left, right = np.roll(rows[t], 1), np.roll(rows[t], -1)
        rows[t + 1] = table[4 * left + 2 * rows[t] + right]
    return rows


# Mandelbrot's set, point by point.
@case((4, 3, 10), (1, 1, 0))
def mandelbrot(width: int, height: int, limit: int):
    counts = np.zeros((height, width), dtype=np.int64)
    for i, y in enumerate(np.linspace(-1.0, 1.0, height)):
        for j, x in enumerate(np.linspace(-2.0, 0.5, width)):
            z = c = complex(x, y)
            while abs(z) <= 2.0 and counts[i, j] < limit:
                z = z * z + c
                counts[i, j] += 1
    return counts


# ... all points at once, those that escape under a mask.
@case((4, 3, 10))
def mandelbrot_by_masks(width: int, height: int, limit: int):
    x = np.linspace(-2.0, 0.5, width)
    y = np.linspace(-1.0, 1.0, height)
    c = x[None, :] + 1j * y[:, None]
    z = np.zeros_like(c)
    counts = np.zeros(c.shape, dtype=np.int64)
    active = np.ones(c.shape, dtype=bool)
    for _ in range(limit):
        z[active] = z[active] ** 2 + c[active]
        active &= np.abs(z) <= 2.0
        counts[active] += 1
    return counts


# A flood fill with a stack of places.
@case((np.array([[0, 0, 1], [1, 0, 1], [0, 1, 0]]), 0, 0), (np.array([[1]]), 0, 0))
def flood_fill(grid: i64["m", "n"], i: int, j: int):
    m, n = grid.shape
    color = grid[i, j]
    if color == 7:
        return 0, grid
    stack = [(i, j)]
    filled = 0
    while stack:
        a, b = stack.pop()
        if 0 <= a < m and 0 <= b < n and grid[a, b] == color:
            grid[a, b] = 7
            filled += 1
            stack.append((a + 1, b))
            stack.append((a - 1, b))
            stack.append((a, b + 1))
            stack.append((a, b - 1))
    return filled, grid


# Labels of connected cells.
@case((np.array([[1, 0, 1], [1, 0, 0], [0, 1, 1]]),), (np.zeros((2, 2), dtype=np.int64),))
def labels(grid: i64["m", "n"]):
    m, n = grid.shape
    out = np.zeros_like(grid)
    count = 0
    for i in range(m):
        for j in range(n):
            if grid[i, j] == 0 or out[i, j] != 0:
                continue
            count += 1
            stack = [(i, j)]
            while stack:
                a, b = stack.pop()
                if not (0 <= a < m and 0 <= b < n) or grid[a, b] == 0 or out[a, b] != 0:
                    continue
                out[a, b] = count
                stack.extend([(a + 1, b), (a - 1, b), (a, b + 1), (a, b - 1)])
    return count, out


# The cheapest path from corner to corner, right and down only.
@case((PLATE,), (np.array([[3.0]]),))
def cheapest_path(cost: f64["m", "n"]):
    m, n = cost.shape
    best = cost.copy()
    best[0] = np.cumsum(cost[0])
    best[:, 0] = np.cumsum(cost[:, 0])
    for i in range(1, m):
        for j in range(1, n):
            best[i, j] += min(best[i - 1, j], best[i, j - 1])
    path = [(m - 1, n - 1)]
    i, j = m - 1, n - 1
    while i > 0 or j > 0:
        if j == 0 or (i > 0 and best[i - 1, j] <= best[i, j - 1]):
            i -= 1
        else:
            j -= 1
        path.append((i, j))
    return best[-1, -1], path[::-1]


# A box blur of bytes, with sums in a wider type.
@case((np.array([[0, 255, 10], [200, 100, 50], [1, 2, 3]], dtype=np.uint8),))
def box_blur(image: u8["m", "n"]):
    m, n = image.shape
    out = image.copy()
    for i in range(1, m - 1):
        for j in range(1, n - 1):
            total = 0
            for row in image[i - 1 : i + 2]:
                total += int(row[j - 1 : j + 2].sum())
            out[i, j] = total // 9
    return out


# The edges of an image.
@case((PLATE, 3.0))
def edges(image: f64["m", "n"], limit: float):
    gx = np.zeros_like(image)
    gy = np.zeros_like(image)
    gx[:, 1:-1] = image[:, 2:] - image[:, :-2]
    gy[1:-1, :] = image[2:, :] - image[:-2, :]
    strength = np.hypot(gx, gy)
    image[strength > limit] = -1.0
    return strength, image


# The largest square of ones.
@case((np.array([[1, 1, 0], [1, 1, 1], [0, 1, 1]]),), (np.zeros((1, 2), dtype=np.int64),))
def largest_square(grid: i64["m", "n"]):
    side = grid.copy()
    for i in range(1, grid.shape[0]):
        for j in range(1, grid.shape[1]):
            if grid[i, j]:
                side[i, j] += min(side[i - 1, j], side[i, j - 1], side[i - 1, j - 1])
    return side.max() ** 2
