"""Conway's game of life on a torus: on an array, and on a list of cells, until it repeats.

Source: Gardner, "Mathematical games", Scientific American, October 1970.
"""

import numpy as np


def step(grid):
    alive = sum(
        np.roll(np.roll(grid, i, 0), j, 1)
        for i in (-1, 0, 1)
        for j in (-1, 0, 1)
        if (i, j) != (0, 0)
    )
    return (alive == 3) | (grid & (alive == 2))


def step_cells(cells, h, w):
    counts = {}
    for y, x in cells:
        for dy in (-1, 0, 1):
            for dx in (-1, 0, 1):
                if dy or dx:
                    key = ((y + dy) % h, (x + dx) % w)
                    counts[key] = counts.get(key, 0) + 1
    return [cell for cell, n in counts.items() if n == 3 or (n == 2 and cell in cells)]


def program(grid, limit):
    grid = grid.astype(np.int8)
    cells = [(int(y), int(x)) for y, x in np.argwhere(grid)]
    history = []
    for generation in range(limit):
        for age, old in enumerate(reversed(history), start=1):
            if np.array_equal(old, grid):
                return grid, generation, age
        history.append(grid)
        grid = step(grid).astype(np.int8)
        cells = step_cells(cells, *grid.shape)
        if len(cells) != np.count_nonzero(grid):
            raise AssertionError("the two ways differ")
    return grid, limit, None


def arguments(size):
    return np.random.default_rng(5).random((size + 3, size + 4)) < 0.3, 10
