"""Sudoku by backtracking over candidates kept as bits; queens on a board, counted and shown.

Source: Knuth, "The Art of Computer Programming", section 7.2.2.
"""

import numpy as np


def candidates(grid, r, c):
    used = 0
    for k in range(9):
        used |= 1 << grid[r, k]
        used |= 1 << grid[k, c]
    br, bc = 3 * (r // 3), 3 * (c // 3)
    for v in grid[br : br + 3, bc : bc + 3].flat:
        used |= 1 << v
    return [v for v in range(1, 10) if not used >> v & 1]


def solve(grid):
    best = None
    for r, c in np.argwhere(grid == 0):
        found = candidates(grid, r, c)
        if best is None or len(found) < len(best[2]):
            best = (r, c, found)
            if len(found) <= 1:
                break
    if best is None:
        return True
    r, c, found = best
    for v in found:
        grid[r, c] = v
        if solve(grid):
            return True
    grid[r, c] = 0
    return False


def queens(n, row=0, cols=0, d1=0, d2=0):
    if row == n:
        return 1
    count = 0
    free = ~(cols | d1 | d2) & ((1 << n) - 1)
    while free:
        bit = free & -free
        free ^= bit
        count += queens(n, row + 1, cols | bit, (d1 | bit) << 1, (d2 | bit) >> 1)
    return count


def program(grid, n):
    solved = solve(grid)
    rows = ["".join(str(v) for v in row) for row in grid.tolist()]
    valid = all(sorted(row) == list(range(1, 10)) for row in grid.tolist())
    return solved, valid, rows, [queens(k) for k in range(1, n + 1)]


def arguments(size):
    base = np.array([[(3 * (r % 3) + r // 3 + c) % 9 + 1 for c in range(9)] for r in range(9)])
    base[np.random.default_rng(4).random((9, 9)) < 0.05 * min(size, 9)] = 0
    return base, min(size, 6)
