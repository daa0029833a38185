"""Assignment through slices, new axes, ellipses and mixed basic indexes."""

from __future__ import annotations

import numpy as np

from staticpy import f32, f64, i64
from tests.support.cases import case

X = np.arange(6.0)
M = np.arange(12.0).reshape(3, 4)
T = np.arange(24.0).reshape(2, 3, 4)


# A slice takes a number.
@case((X, 9.0))
def slice_takes_a_number(x: f64["n"], value: float):
    x[1:4] = value
    return x


# ... an array of its length; another length is a ValueError; one element is broadcast.
@case((X, np.array([7.0, 8.0])), (X, np.array([7.0])), (X, np.array([7.0, 8.0, 9.0])))
def slice_takes_an_array(x: f64["n"], y: f64["k"]):
    x[2:4] = y
    return x


# ... a list or a tuple of numbers.
@case((X, 1.5))
def slice_takes_a_list(x: f64["n"], value: float):
    x[:2] = [value, -value]
    x[-2:] = (value, 0)
    return x


# Run-time bounds, with any sign, beyond the ends.
@case((X, 1, 3), (X, -3, 100), (X, 4, 2), (X, -100, 0), (X, 0, -1))
def run_time_bounds(x: f64["n"], i: int, j: int):
    x[i:j] = -1.0
    return x


# Steps, also negative ones; a step of zero is a ValueError.
@case((X, 2), (X, -1), (X, -4), (X, 0))
def run_time_steps(x: f64["n"], step: int):
    part = x[::step]
    x[::step] = np.arange(10.0, 10.0 + len(part))
    return x, len(part)


# None among the bounds.
@case((X, 3))
def open_bounds(x: f64["n"], n: int):
    x[None:n] = 1.0
    x[n:None:2] = 2.0
    x[slice(None, None, -n)] = 3.0
    return x


# The whole array.
@case((X, 5.0), (np.array([]), 5.0))
def writes_everything(x: f64["n"], value: float):
    x[:] = value
    x[...] += 1.0
    return x


# An array is reversed onto itself: NumPy sees the overlap.
@case((X,))
def reversed_onto_itself(x: f64["n"]):
    x[:] = x[::-1]
    return x.tolist()


# Shifts by one, in both directions.
@case((X,))
def shifts(x: f64["n"]):
    x[1:] = x[:-1]
    x[:-2] = x[2:]
    return x


# A rotation by a run-time count.
@case((X, 2), (X, 0))
def rotates(x: f64["n"], k: int):
    x[:] = np.concatenate([x[k:], x[:k]])
    return x, x[0]


# Augmented assignment to a slice.
@case((X, 2.0))
def augments_a_slice(x: f64["n"], factor: float):
    x[1:3] += 10.0
    x[::2] *= factor
    x[3:] -= x[:3]
    x[-1:] **= 2
    return x


# The slice is evaluated once, and so is its array.
@case((X,))
def slice_is_evaluated_once(x: f64["n"]):
    log = []

    def bound(value):
        log.append(value)
        return value

    x[bound(1) : bound(3)] += 1.0
    return x, log


# Rows and columns of a matrix.
@case((M, 1, 2), (M, -1, -1), (M, 3, 0))
def rows_and_columns(m: f64["m", "n"], i: int, j: int):
    m[i] = np.array([1.0, 2.0, 3.0, 4.0])
    m[:, j] = 0.5
    m[i, 1:3] += 100.0
    return m


# A block of a matrix.
@case((M, np.array([[1.0, 2.0], [3.0, 4.0]])))
def writes_a_block(m: f64["m", "n"], block: f64["a", "b"]):
    m[1:, :2] = block
    m[:2, -2:] -= block
    return m


# A column is broadcast over a block, a row too.
@case((M, np.array([1.0, 2.0, 3.0])))
def broadcasts_a_column(m: f64["m", "n"], column: f64["m"]):
    m[:, 1:] = column[:, None]
    m[:, :1] += column.reshape(-1, 1)
    m[1:] *= m[0]
    return m


# Leading axes of size one in the value are dropped.
@case((X,))
def leading_ones_in_the_value(x: f64["n"]):
    x[:2] = np.array([[7.0, 8.0]])
    x[2:3] = np.full((1, 1, 1), 9.0)
    return x


# New axes in the index.
@case((X, M))
def new_axes_in_the_index(x: f64["n"], m: f64["m", "k"]):
    x[None, :3] = m[:1, :3]
    x[3:, np.newaxis] = m[:, :1]
    return x


# Ellipses stand for the axes that are left out.
@case((T, 1), (T, -4))
def ellipses(t: f64["a", "b", "c"], k: int):
    t[..., k] = -1.0
    t[0, ...] += 0.5
    t[..., 1, :] *= 2.0
    return t


# Three indexes, some of them slices.
@case((T, 1))
def mixed_basic_indexes(t: f64["a", "b", "c"], i: int):
    t[i, ::2, 1:3] = [[1.0, 2.0], [3.0, 4.0]]
    t[:, i, -1] = t[:, 0, 0]
    t[0, 0, 0] += 1000.0
    return t


# What was written before the index that is out of bounds stays.
@case((M, 2), (M, 3))
def index_beyond_an_axis(m: f64["m", "n"], i: int):
    m[0, 0] = 99.0
    m[i, i] = 100.0
    return m


# A tuple as an index.
@case((M, 1, 2))
def tuple_as_an_index(m: f64["m", "n"], i: int, j: int):
    place = (i, j)
    m[place] = 50.0
    m[(i - 1, slice(1, j + 1))] = 60.0
    return m, m[place]


# A slice object in a name.
@case((X, M, 2))
def slice_in_a_name(x: f64["n"], m: f64["a", "b"], n: int):
    part = slice(1, n + 1)
    x[part] = 0.0
    m[part, part] = x[part]
    return x, m, part.start, part.stop


# The borders of a grid.
@case((M,), (np.ones((2, 2)),))
def sets_borders(m: f64["m", "n"]):
    m[0, :] = m[-1, :] = 1.0
    m[:, 0] = m[:, -1] = 2.0
    return m


# Ghost cells are copied around.
@case((M,))
def periodic_borders(m: f64["m", "n"]):
    wide = np.zeros((m.shape[0] + 2, m.shape[1] + 2))
    wide[1:-1, 1:-1] = m
    wide[0] = wide[-2]
    wide[-1] = wide[1]
    wide[:, 0] = wide[:, -2]
    wide[:, -1] = wide[:, 1]
    return wide


# A checkerboard by steps.
@case((4, 5), (1, 1))
def checkerboard(m: int, n: int):
    board = np.zeros((m, n), dtype=np.int64)
    board[::2, 1::2] = 1
    board[1::2, ::2] = 1
    return board


# Values are cast: floats into ints, double into single.
@case((np.arange(4), np.array([1.9, -1.9])))
def casts_into_a_slice(k: i64["n"], y: f64["two"]):
    k[:2] = y
    k[2:] = True
    return k


# ... and into single precision.
@case((np.zeros(4, dtype=np.float32), np.array([0.1, 1e10])))
def rounds_into_a_slice(x: f32["n"], y: f64["two"]):
    x[1:3] = y
    x[0] = y[0]
    return x


# The value is read before the write: both sides are the same slice.
@case((X,))
def same_slice_on_both_sides(x: f64["n"]):
    x[1:4] = x[1:4] * 2.0 + x[2:5]
    return x


# Slices swap through copies, and not through views.
@case((X,))
def swaps_slices(x: f64["n"]):
    x[:2], x[2:4] = x[2:4].copy(), x[:2].copy()
    once = x.copy()
    x[:3], x[3:] = x[3:], x[:3]
    return once, x


# A slice as a target among others.
@case((X, M))
def slice_among_targets(x: f64["n"], m: f64["a", "b"]):
    n, x[:4], (m[0, 0], y) = 3, m[1], (8.0, m[2])
    return n, x, m, y


# The targets of a for loop may be elements.
@case((X, 3))
def element_as_a_loop_target(x: f64["n"], n: int):
    total = 0.0
    for x[0] in range(n):
        total += x[0] + x[1]
    return total, x


# The values of a row go into elements by unpacking.
@case((X, M))
def unpacks_into_elements(x: f64["n"], m: f64["a", "b"]):
    x[0], *rest, x[-1] = m[1]
    return x, rest


# An empty slice takes anything that broadcasts to nothing.
@case((X, np.array([1.0])), (X, np.array([])), (X, np.array([1.0, 2.0])))
def empty_slice(x: f64["n"], y: f64["k"]):
    x[3:3] = y
    x[4:2] = 8.0
    return x
