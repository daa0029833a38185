"""Arrays without elements, at every step of a program."""

from __future__ import annotations

import numpy as np

from staticpy import b1, f64, i64
from tests.support.cases import case

NONE = np.array([], dtype=np.float64)
NO_ROWS = np.zeros((0, 3))
NO_COLUMNS = np.zeros((3, 0))


# Elementwise functions of nothing are nothing.
@case((NONE,))
def elementwise(x: f64["n"]):
    return x + 1, np.sin(x), x > 0, np.where(x > 0, x, 0.0), -x


# Nothing broadcasts against one element and against a scalar, not against two.
@case((NONE, np.ones(1)), (NONE, NONE), (NONE, np.ones(2)))
def broadcasting(x: f64["n"], y: f64["m"]):
    return x + y


# Sums over an axis without elements are zero; over the other axis there are none.
@case((NO_ROWS,), (NO_COLUMNS,))
def sums(m: f64["m", "n"]):
    return m.sum(axis=0), m.sum(axis=1), m.sum(), m.prod(axis=0), m.all(axis=0), m.any(axis=1)


# A product over nothing is zero.
@case(
    (NO_COLUMNS, NO_ROWS),
)
def matrix_product(a: f64["m", "k"], b: f64["k", "n"]):
    return a @ b, b.T @ a.T


# Slices outside of the array.
@case((np.ones(3),), (NONE,))
def slices(x: f64["n"]):
    return x[5:], x[3:3], x[:0], x[2:1], x[-1:0]


# Selections that find nothing.
@case((np.ones(3),), (NONE,))
def selections(x: f64["n"]):
    nothing = x[x > 5.0]
    return nothing, nothing.sum(), nothing.size, nothing[nothing > 0.0]


# Joining with nothing.
@case((np.ones(3), NONE), (NONE, NONE))
def joining(x: f64["n"], y: f64["m"]):
    return np.concatenate([x, y]), np.concatenate([y, x, y])


# Loops over nothing: rows, elements, pairs.
@case((NONE, NO_ROWS), (np.ones(2), NO_COLUMNS))
def loops(x: f64["n"], m: f64["m", "k"]):
    count = 0
    for _ in x:
        count += 1
    for row in m:
        count += 10 + len(row)
    for _ in zip(x, m):
        count += 100
    return count


# Shapes of nothing.
@case((NO_ROWS,), (NO_COLUMNS,))
def shapes(m: f64["m", "n"]):
    return m.T, m.reshape(-1), m[:, :1], m[None], m.size, len(m)


# Constructors of nothing.
@case((0,), (2,))
def constructors(n: int):
    return np.zeros(n), np.arange(n), np.zeros((n, 0)), np.ones((0, n)), np.eye(n)


# Masks and index arrays without elements.
@case((np.ones(3), np.array([], dtype=np.int64)))
def empty_index_array(x: f64["n"], order: i64["k"]):
    return x[order], x[order].sum()


@case((NONE, np.array([], dtype=bool)))
def empty_mask(x: f64["n"], mask: b1["n"]):
    return x[mask], mask.sum(), mask.any(), mask.all(), ~mask


# The truth of an empty array: NumPy raises ValueError.
@case((NONE,), (np.zeros(1),))
def truth(x: f64["n"]):
    return bool(x)


# The mean of nothing is NaN, with a warning.
@case((NONE,))
def mean(x: f64["n"]):
    return x.mean(), x.std()


# No trips, and the carried array keeps its shape.
@case((NONE, 3), (NO_ROWS[:, 0], 0))
def carried(x: f64["n"], steps: int):
    for _ in range(steps):
        x = x * 0.5 + 1.0
    return x
