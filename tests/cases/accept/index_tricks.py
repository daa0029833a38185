"""NumPy's objects that are called by an index, and differences with ends."""

import numpy as np

from staticpy import f64, i64
from tests.support.cases import case


# Arrays and numbers in a row; Python numbers take the dtype of the arrays.
@case((np.array([1.5, 2.5]), 3), (np.array([]), 0))
def in_a_row(x: f64["n"], k: int):
    return np.r_[x, 0, x[::-1]], np.r_[k, k + 1], np.r_[x], np.r_[True, x[1:] != x[:-1]]


@case((np.array([1, 2], np.float32), np.float32(0.5)), (np.array([1, 2], np.int8), np.int8(3)))
def in_a_row_of_small_numbers(x, y):
    return np.r_[x, 1], np.r_[x, 0.5], np.r_[y, x], np.r_[x, np.float64(1)]


# Slices are ranges; with an imaginary step, so many points.
@case((4, 0.5), (0, 1.0), (-1, 2.0))
def in_a_row_by_slices(n: int, h: float):
    return np.r_[0:n], np.r_[1:n:2, -1], np.r_[0:1:h], np.r_[0:1:3j, n], np.r_[:n]


# Lists, and two-dimensional arrays.
@case(
    (np.eye(2), 7),
)
def in_a_row_of_tables(x: f64["m", "n"], k: int):
    return np.r_[x, x[:1]], np.r_[[1, 2], k, (3, 4)]


# Columns side by side.
@case((np.arange(3.0), np.ones((3, 2))), (np.array([]), np.ones((0, 2))), (np.ones(2), np.eye(3)))
def in_columns(x: f64["n"], y: f64["m", "k"]):
    return np.c_[x, y], np.c_[x, x**2], np.c_[np.ones(len(y)), y]


# A new array, not a view of what it is made of.
@case((np.arange(3.0),))
def row_is_new(x: f64["n"]):
    y = np.r_[x]
    z = np.c_[x]
    y += 1
    z[0] = -1
    return x, y, z


# Coordinates of a grid.
@case((3, 2), (0, 2), (1, 1))
def grid(m: int, n: int):
    i, j = np.mgrid[0:m, 0:n]
    y, x = np.mgrid[:m, -1:n:0.5]
    i += 10
    return i, j, y * x, np.mgrid[:n], np.mgrid[:n,]


@case((3, 2), (0, 1))
def open_grid(m: int, n: int):
    i, j = np.ogrid[0:m, 0:1:3j]
    rows, _ = np.ogrid[:m, :n]
    return i + j, (rows % 2 == 0) & (i > 0), np.ogrid[1:n]


# An index by a name.
@case((np.arange(12).reshape(3, 4), 1), (np.zeros((2, 2), int), 0))
def named_index(x: i64["m", "n"], k: int):
    inner = np.s_[k:, ::-1]
    both = np.index_exp[..., k]
    x[inner] += 1
    return x[inner], x[both], x[np.s_[k]], x[np.s_[:, [0, k]]]


# Differences with ends.
@case((np.array([1.0, 4.0, 9.0]), 2.0), (np.array([5.0]), 1.0), (np.array([]), 1.0))
def differences_with_ends(x: f64["n"], end: float):
    last = np.diff(x, append=x[:1])
    return last, np.diff(x, prepend=0), np.diff(x, prepend=end, append=[end, 2 * end])


@case((np.arange(6).reshape(2, 3),))
def differences_of_tables(x: i64["m", "n"]):
    return np.diff(x, axis=0, prepend=0), np.diff(x, 2, append=x), np.diff(x, prepend=x[:, :1])
