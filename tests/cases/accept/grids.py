"""``np.mgrid`` and ``np.ogrid``: grids of the numbers in slices."""

from __future__ import annotations

import numpy as np

from staticpy import f64
from tests.support.cases import case

M = np.arange(6.0).reshape(2, 3)


# Known numbers: a dense grid has an axis more, an open one is a tuple.
@case(())
def known_grids():
    rows, columns = np.mgrid[0:3, 0:4]
    y, x = np.ogrid[-1:1:5j, :3]
    return rows * 10 + columns, y * x, np.mgrid[5:0:-2], np.ogrid[0:3], np.mgrid[0:2, 0:2, 1:3]


# The sizes of an array, and numbers that are known at run time.
@case((M, 3, 0.5), (M[:, :0], 0, 2.0), (M, -2, 1.0))
def run_time_grids(m: f64["m", "n"], k: int, t: float):
    y, x = np.mgrid[0 : m.shape[0], 0 : m.shape[1]]
    r, c = np.ogrid[:k, 0:t:3j]
    return m + y * x, r + c, np.mgrid[k:5, 0.0:t], np.mgrid[1:k]


# A disc.
@case((7, 2.5), (4, 0.0))
def disc(n: int, radius: float):
    y, x = np.ogrid[:n, :n]
    return (y - n // 2) ** 2 + (x - n // 2) ** 2 <= radius**2


# A step of zero raises.
@case((2,), (0,))
def steps(k: int):
    return np.mgrid[0:4:k]


# Without copies, the arrays of a grid are views: what is written to an axis is seen in the grid.
@case((np.arange(3.0), np.arange(2.0)), (np.arange(1.0), np.zeros(0)))
def grids_that_are_views(x: f64["m"], y: f64["n"]):
    wide, tall = np.meshgrid(x, y, copy=False)
    sparse = np.meshgrid(x, y, copy=False, sparse=True, indexing="ij")
    x += 1.0
    return wide.copy(), wide * tall, np.shares_memory(wide, x), sparse, wide.strides
