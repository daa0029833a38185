"""NumPy's functions that call a function, that go through all places, or that look at windows."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import as_strided, sliding_window_view

from staticpy import f64, i64
from tests.support.cases import case

M = np.arange(12.0).reshape(3, 4) % 5 + 1
LAYOUTS = ((M,), (np.asfortranarray(M),), (M[::2, ::-1],), (M[:0],), (M[:, :1],))


# --- broadcast_arrays -----------------------------------------------------------------------------


# Stretched arrays are arrays of the whole shape, also where one alone is used. (NumPy warns of those
# that are asked whether they can be written, as the comparison asks; so they are not returned.)
@case(*LAYOUTS)
def stretched_together(m: f64["m", "n"]):
    whole, column = np.broadcast_arrays(m, m[:, :1])
    m += 1.0
    return whole, column + 1.0, column.sum(axis=1), column.strides, np.shares_memory(m, column)


# Arrays of one shape are returned themselves: a write to one is seen.
@case(*LAYOUTS)
def stretched_already(m: f64["m", "n"]):
    other = m + 1.0
    first, second, third = np.broadcast_arrays(m, other, m)
    first += 2.0
    return m, first, second, third, first is third


@case((M, np.arange(4)), (M, np.arange(3)))
def stretched_with_numbers(m: f64["m", "n"], v: i64["k"]):
    return [each.copy() for each in np.broadcast_arrays(m, v, 2.5, [1, 2, 3, 4], subok=True)]


# --- apply_along_axis -----------------------------------------------------------------------------


def _scaled(row, factor, offset=0.0):
    return (row - row.mean()) * factor + offset


@case(*LAYOUTS)
def along_an_axis(m: f64["m", "n"]):
    sums = np.apply_along_axis(np.sum, 0, m), np.apply_along_axis(lambda row: row.max(), -1, m)
    return sums, np.apply_along_axis(_scaled, 1, m, 2.0, offset=1.0)


@case(*LAYOUTS)
def tables_along_an_axis(m: f64["m", "n"]):
    tables = np.apply_along_axis(lambda row: np.outer(row, row), 0, m)
    return tables, np.apply_along_axis(sorted, 1, m), np.apply_along_axis(np.diag, 0, m[0])


# The function is called once a row, in order, and what it writes to its row is written to the array.
@case(*LAYOUTS)
def effects_along_an_axis(m: f64["m", "n"]):
    seen = []

    def shifted(row):
        seen.append(row[0])
        row -= 1.0
        return row.sum()

    return np.apply_along_axis(shifted, 0, m), seen, m


# --- piecewise, fromfunction ----------------------------------------------------------------------


@case(*LAYOUTS)
def in_pieces(m: f64["m", "n"]):
    mixed = np.piecewise(m, [m < 2, m > 4], [lambda v: -v, 7.0, lambda v: v**2])
    return mixed, np.piecewise(m.ravel(), m.ravel() > 2, [1, 0])


# The rows of a table are conditions, each of its own.
@case((M,), (M[:2],), (M[:0],), (M[:1, :1],))
def pieces_by_rows(m: f64["m", "n"]):
    return np.piecewise(m[0], m > 2, [1, np.sqrt]), np.piecewise(m[0, :1], [True], [np.sqrt])


@case((np.arange(4), 3), (np.arange(0), 1))
def pieces_of_ints(v: i64["n"], k: int):
    return np.piecewise(v, [v % 2 == 0], [lambda x, by: x * by + 0.75, -1], k)


@case((2.5,), (-1.0,))
def pieces_of_a_number(x: float):
    return np.piecewise(x, [x < 0, x >= 0], [lambda v: -v, lambda v: v])


@case((M, 2), (M, 0))
def too_few_pieces(m: f64["m", "n"], k: int):
    return np.piecewise(m, [m < k, m > k], [1.0])


@case((2,), (0,))
def made_by_a_function(n: int):
    distances = np.fromfunction(lambda i, j: abs(i - j), (n, 3))
    return distances, np.fromfunction(lambda i: i % 2 == 0, (4,), dtype=int)


# --- every place ----------------------------------------------------------------------------------


@case(*LAYOUTS)
def every_place_and_element(m: f64["m", "n"]):
    total, last = 0.0, (-1, -1)
    for (i, j), element in np.ndenumerate(m):
        total += element * (i + 2 * j)
        last = i, j
        m[i, j] = total
    return total, last, m, [element for _, element in np.ndenumerate(m.T)]


@case(*LAYOUTS)
def every_index(m: f64["m", "n"]):
    squares = np.zeros_like(m)
    for index in np.ndindex(m.shape):
        squares[index] = m[index] ** 2
    return squares, list(np.ndindex(2, 2)), list(np.ndindex()), list(np.ndindex(m.shape[0], 1))


@case((3,), (-1,))
def no_places_of_negative_sizes(n: int):
    return [index for index in np.ndindex(2, n)]


# --- windows --------------------------------------------------------------------------------------


@case((np.arange(6.0), 3), (np.arange(3.0), 3), (np.arange(2.0), 3))
def moving_average(x: f64["n"], width: int):
    return sliding_window_view(x, width).mean(axis=-1)


# Windows of one memory: a write to it is seen in each.
@case(*LAYOUTS)
def windows_are_views(m: f64["m", "n"]):
    windows = sliding_window_view(m, 1, axis=0)
    writable = sliding_window_view(m, (1, 1), writeable=True)
    m += 1.0
    writable[:, :, 0, 0] *= 2.0
    return windows, m, windows.flags.writeable


@case((np.arange(6.0), 3), (np.arange(12.0)[::2], 2))
def rows_that_overlap(x: f64["n"], width: int):
    (step,) = x.strides
    return as_strided(x, shape=(x.size - width + 1, width), strides=(step, step), writeable=False)


# --- more arguments -------------------------------------------------------------------------------

HOLES = np.array([[1.0, np.nan, np.inf], [-np.inf, 0.0, -0.0]])


# In place, and the array itself.
@case((HOLES,), (HOLES.T,), (np.array([1, 2]),), (np.array(np.nan),))
def holes_filled_in_place(x):
    filled = np.nan_to_num(x, copy=False, nan=-1.0, posinf=9)
    return filled, x, np.nan_to_num(x, copy=True)


@case(*LAYOUTS[:2])
def spread_around_a_mean(m: f64["m", "n"]):
    means = m.mean(axis=0, keepdims=True)
    spread = m.std(0, mean=means, ddof=1), np.var(m, axis=0, mean=means, correction=1)
    return spread, np.std(m, mean=2.0, keepdims=True)


@case(*LAYOUTS[:3])
def joined_in_a_dtype(m: f64["m", "n"]):
    return np.hstack([m, m], dtype="f4"), np.vstack((m, m[0]), dtype=int, casting="unsafe")


@case(*LAYOUTS[:3])
def padded_in_other_ways(m: f64["m", "n"]):
    ramps = np.pad(m, 1, mode="linear_ramp", end_values=((1.5, 2), (0, 3)))
    return ramps, np.pad(m, 2, "reflect", reflect_type="odd"), np.pad(m, 1, "mean", stat_length=2)


@case((np.array([1, 256, -1]),), (np.float32([[1.5], [0.0]]),))
def bytes_swapped(x):
    return x.byteswap(), x.byteswap().byteswap(inplace=False)


@case((M,))
def facts_of_ufuncs(m: f64["m", "n"]):
    start = np.multiply.identity
    return start * m, np.add.nin, np.divmod.nout, np.hypot.nargs, np.add.__name__
