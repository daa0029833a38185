"""Reading elements and parts of arrays: ints, slices, None, Ellipsis, index arrays, masks."""

from __future__ import annotations

import numpy as np

from staticpy import b1, f64, i64
from tests.support.cases import case

X = np.array([10.0, 11.0, 12.0, 13.0, 14.0])
M = np.arange(12).reshape(3, 4)
T = np.arange(24.0).reshape(2, 3, 4)


# An element of a vector is a NumPy scalar.
@case((X, 0), (X, 4), (X, -1), (X, -5))
def element_of_a_vector(x: f64["n"], i: int):
    return x[i]


# Out of bounds on either side: IndexError.
@case((X, 5), (X, -6), (X, 2))
def index_out_of_bounds(x: f64["n"], i: int):
    return x[i] + 1.0


# A constant index may be out of bounds too.
@case((X,), (X[:2],), (X[:0],))
def constant_index(x: f64["n"]):
    return x[2], x[-3]


# An index of a matrix gives a row, two give an element.
@case((M, 1, 2), (M, -1, -4), (M, 3, 0), (M, 0, 4))
def elements_of_a_matrix(m: i64["m", "n"], i: int, j: int):
    return m[i], m[i, j], m[i][j]


# Columns.
@case((M, 1), (M, -2))
def column_of_a_matrix(m: i64["m", "n"], j: int):
    return m[:, j], m[1:, j], m[..., j]


# An index may be a NumPy integer, signed or not, or a bool of Python's ints.
@case((X, np.int64(2)), (X, np.uint8(4)), (X, np.int32(-1)))
def numpy_integers_as_indexes(x, i):
    return x[i], x[i : i + 1], x[:i]


# An index that is computed.
@case((X, 7), (X, 3))
def computed_index(x: f64["n"], k: int):
    return x[k % len(x)] + x[k // 3]


# Slices with one bound.
@case((X, 2), (X, -2), (X, 9), (X, -9), (X, 0))
def slices_with_one_bound(x: f64["n"], k: int):
    return x[k:], x[:k]


# Slices with both, which may lie outside or cross.
@case((X, 1, 4), (X, -4, -1), (X, 4, 1), (X, -99, 99), (X, 7, 9))
def slices_with_two_bounds(x: f64["n"], a: int, b: int):
    return x[a:b]


# Steps.
@case((X,), (X[:4],), (X[:1],))
def slices_with_steps(x: f64["n"]):
    return x[::2], x[1::2], x[::-1], x[-2::-2], x[3:0:-1]


@case((X, 1), (X, 3), (X, -1), (X, -2), (X, 0))
def slices_with_a_dynamic_step(x: f64["n"], step: int):
    return x[::step]


# Several slices at once.
@case((M,))
def slices_of_a_matrix(m: i64["m", "n"]):
    return m[1:, :2], m[::-1, ::-1], m[:0], m[:, 1:-1]


# An int and a slice.
@case((T, 1), (T, 0))
def ints_and_slices(t: f64["a", "b", "c"], i: int):
    return t[i], t[i, 1:], t[:, i], t[i, :, 1], t[i, 2, 3]


# The ellipsis stands for the axes that aren't named.
@case((T,))
def ellipsis(t: f64["a", "b", "c"]):
    return t[..., 0], t[0, ...], t[0, ..., 1], t[...]


# None makes an axis.
@case((X,))
def new_axes(x: f64["n"]):
    return x[None], x[:, None], x[None, :, None], x[np.newaxis, 1:3]


# An outer product by way of new axes.
@case((X, X[:3]))
def outer_product(x: f64["n"], y: f64["m"]):
    return x[:, None] * y[None, :]


# An array of indexes.
@case((X, np.array([3, 0, -1, 3])), (X, np.array([[0, 1], [2, 9]])), (X, np.array([], dtype=int)))
def index_arrays(x, order):
    return x[order]


# A list of indexes.
@case((X,), (X[:2],))
def list_of_indexes(x: f64["n"]):
    return x[[2, 0, -1]]


# Rows by an index array.
@case((M, np.array([2, 0])), (M, np.array([-1, -1, 1])))
def rows_by_an_index_array(m: i64["m", "n"], order: i64["k"]):
    return m[order], m[order, 1:]


# Two index arrays go together, element by element.
@case((M, np.array([0, 2]), np.array([1, 3])), (M, np.array([0, 2]), np.array([1, 4])))
def pairs_of_index_arrays(m: i64["m", "n"], rows: i64["k"], columns: i64["k"]):
    return m[rows, columns]


# A mask selects; the size of the result follows from the data.
@case((X, X > 11.5), (X, X > 99.0), (X, X > 0.0))
def masks(x: f64["n"], mask: b1["n"]):
    return x[mask]


@case((X - 12.0,))
def mask_of_a_comparison(x: f64["n"]):
    positive = x[x > 0.0]
    return positive, positive.sum(), len(positive)


# A mask of the wrong length: IndexError.
@case((X, np.array([True, False])), (X, X > 12.0))
def mask_of_the_wrong_length(x: f64["n"], mask: b1["m"]):
    return x[mask]


# A mask over a whole matrix flattens it.
@case((M, M % 2 == 0))
def mask_of_a_matrix(m: i64["m", "n"], mask: b1["m", "n"]):
    return m[mask], m[m > 5].sum()


# A mask over rows.
@case((M, np.array([True, False, True])))
def mask_of_rows(m: i64["m", "n"], mask: b1["m"]):
    return m[mask], m[mask, 0]


# A 0-d array has no axis: IndexError for an index; () and ... are fine.
@case((np.array(2.5),))
def indexes_of_a_0d_array(x: f64[()]):
    return x[()], x[...], x[None]


# The shape and the size are Python ints.
@case((M,))
def shape_and_size(m: i64["m", "n"]):
    rows, columns = m.shape
    return m.shape, rows * columns, m.size, len(m), m.ndim


# np.take and take() as functions.
@case(
    (X, np.array([1, 1, 4])),
)
def gathers(x: f64["n"], order: i64["k"]):
    return x[order] + x[order[::-1]]


# argmax gives an index.
@case((np.array([1.0, 9.0, 3.0]),))
def index_of_the_largest(x: f64["n"]):
    i = np.argmax(x)
    return i, x[i], x[np.argmin(x)]


# Slices of slices.
@case((X,), (X[:3],))
def slices_of_slices(x: f64["n"]):
    return x[1:][1:], x[::-1][1:], x[1:-1][::-1]


# A range is an index array, beside others too; an empty one selects nothing.
@case((M, np.array([0, 3, 1])), (M, np.array([2, 2])), (M, np.array([0, 1, 2, 3])))
def ranges_as_indexes(m: i64["m", "n"], columns: i64["k"]):
    k = len(columns)
    return m[range(2)], m[range(k), columns], m[..., range(k - 1, -1, -1)], m[range(0), None]


# And so it is where elements are written.
@case((M, np.array([0, 3, 1])), (M, np.array([3])), (M, np.array([0, 1, 2, 4])))
def writes_at_ranges(m: i64["m", "n"], columns: i64["k"]):
    m[range(len(columns)), columns] -= 10
    m[range(0, 3, 2)] = 5
    return m
