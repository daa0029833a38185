"""Assignment through arrays of integers, lists, and mixes with slices; `np.add.at`, `put`."""

from __future__ import annotations

import numpy as np

from staticpy import f64, i64
from tests.support.cases import case

X = np.arange(6.0)
K = np.array([4, 0, 2])
M = np.arange(12.0).reshape(3, 4)
T = np.arange(24.0).reshape(2, 3, 4)


# A number goes to each index.
@case((X, K, 9.0), (X, np.array([], dtype=np.int64), 9.0), (X, np.array([6]), 9.0))
def scatters_a_number(x: f64["n"], k: i64["k"], value: float):
    x[k] = value
    return x


# An array goes to the indexes in order; another length is a ValueError.
@case((X, K, np.array([1.5, 2.5, 3.5])), (X, K, np.array([1.5, 2.5])), (X, K, np.array([8.0])))
def scatters_an_array(x: f64["n"], k: i64["k"], y: f64["j"]):
    x[k] = y
    return x


# The last of equal indexes wins.
@case((X, np.array([1, 1, -5]), np.array([10.0, 20.0, 30.0])))
def equal_indexes(x: f64["n"], k: i64["k"], y: f64["k"]):
    x[k] = y
    return x


# Augmented assignment counts an equal index once.
@case((X, np.array([1, 1, 2])))
def augments_equal_indexes(x: f64["n"], k: i64["k"]):
    x[k] += 10.0
    return x


# np.add.at counts it each time.
@case((X, np.array([1, 1, 2])))
def adds_at_equal_indexes(x: f64["n"], k: i64["k"]):
    np.add.at(x, k, 10.0)
    return x


# ... with values, and with other ufuncs.
@case((X, np.array([0, 0, 3]), np.array([5.0, 7.0, -1.0])))
def other_ufuncs_at(x: f64["n"], k: i64["k"], y: f64["k"]):
    np.subtract.at(x, k, y)
    np.maximum.at(x, [1, 2], 2.5)
    np.negative.at(x, k)
    return x


# Lists of numbers are index arrays.
@case((X, 1), (X, 5))
def lists_as_indexes(x: f64["n"], i: int):
    x[[i, 0]] = [7.0, 8.0]
    x[[-1]] -= 1.0
    return x, x[[i, i, 0]]


# A permutation is applied in place.
@case((X, np.array([3, 1, 2, 0, 5, 4])))
def permutes(x: f64["n"], order: i64["n"]):
    x[:] = x[order]
    return x.tolist()


# ... and inverted.
@case((np.array([3, 1, 2, 0]),))
def inverts_a_permutation(order: i64["n"]):
    inverse = np.empty_like(order)
    inverse[order] = np.arange(len(order))
    return inverse


# Reads with a negative step and an index array copy.
@case((X, K))
def reads_are_copies(x: f64["n"], k: i64["k"]):
    part = x[k]
    part[:] = 0.0
    back = x[::-1]
    back[k] = -1.0
    return x, part


# Elements of a matrix, pairwise.
@case((M, np.array([0, 2, 2]), np.array([1, 3, -4])), (M, np.array([3]), np.array([0])))
def pairs_of_indexes(m: f64["m", "n"], i: i64["k"], j: i64["k"]):
    m[i, j] = 100.0
    m[i, j] += np.arange(1.0, 1.0 + len(i))
    return m


# The diagonal by indexes.
@case((M,))
def writes_the_diagonal(m: f64["m", "n"]):
    i = np.arange(m.shape[0])
    m[i, i] = -1.0
    m[i, i + 1] *= 10.0
    return m


# Rows by an index array, the columns by a slice.
@case((M, np.array([2, 0]), np.array([[1.0, 2.0], [3.0, 4.0]])))
def rows_by_an_array(m: f64["m", "n"], i: i64["k"], block: f64["k", "two"]):
    m[i, 1:3] = block
    m[i] += 0.5
    m[1:, i] *= 2.0
    return m


# A number and an index array.
@case((M, 1, np.array([3, 1])), (M, -3, np.array([0, 0])))
def number_and_array(m: f64["m", "n"], i: int, j: i64["k"]):
    m[i, j] = 5.0
    m[j[0] - j[0], :] -= 1.0
    return m


# A whole block through np.ix_-like broadcasting.
@case((M, np.array([0, 2]), np.array([1, 3])))
def outer_indexes(m: f64["m", "n"], i: i64["a"], j: i64["b"]):
    m[i[:, None], j] = [[1.0, 2.0], [3.0, 4.0]]
    m[i[:, None], j[None, :]] += 10.0
    return m, m[i[:, None], j]


# Index arrays of two dimensions.
@case((X, np.array([[0, 1], [4, 5]])))
def indexes_of_two_dimensions(x: f64["n"], k: i64["a", "b"]):
    x[k] = k * 10.0
    return x, x[k].shape


# Two arrays of indexes around a slice.
@case((T, np.array([0, 1]), np.array([3, 0])))
def arrays_around_a_slice(t: f64["a", "b", "c"], i: i64["k"], j: i64["k"]):
    t[i, :, j] = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    t[i, 1] += 100.0
    return t


# An ellipsis and an index array.
@case((T, np.array([2, 2, 0])))
def ellipsis_and_array(t: f64["a", "b", "c"], k: i64["k"]):
    t[..., k] = -1.0
    return t, t[..., k].shape


# One-hot rows from labels.
@case((np.array([2, 0, 1, 2]), 3), (np.array([0, 3]), 3))
def one_hot(labels: i64["n"], classes: int):
    out = np.zeros((len(labels), classes))
    out[np.arange(len(labels)), labels] = 1.0
    return out


# Counts by label, one after the other.
@case((np.array([2, 0, 2, 2]), np.array([1.0, 2.0, 3.0, 4.0])))
def sums_by_label(labels: i64["n"], values: f64["n"]):
    sums = np.zeros(3)
    np.add.at(sums, labels, values)
    counts = np.zeros(3, dtype=np.int64)
    for label in labels:
        counts[label] += 1
    return sums, counts


# An index that the loop computes.
@case((np.array([1, 2, 3, 0]), 3), (np.array([1, 2, 3, 0]), 0))
def follows_links(links: i64["n"], steps: int):
    seen = np.zeros(len(links), dtype=np.int64)
    place = 0
    for step in range(steps):
        seen[place] = step + 1
        place = links[place]
    return seen, place


# An index of NumPy's own kinds: a scalar, a smaller int, a 0-d array.
@case((X, np.int8(2), np.uint64(3), np.array(1)))
def numpy_ints_as_indexes(x, i, j, k):
    x[i] = 10.0
    x[j] += 20.0
    x[k] = 30.0
    return x, x[i], x[k]


# A bool is not a number here: x[True] adds an axis.
@case((X, 4.0))
def bool_as_an_index(x: f64["n"], value: float):
    x[True] = value
    x[False] = 99.0
    return x


# take, put, and their modes.
@case((X, np.array([1, 7])), (X, np.array([-2, 3])))
def puts(x: f64["n"], k: i64["k"]):
    np.put(x, [0, -1], [50.0, 60.0])
    np.put(x, k, 7.0, mode="wrap")
    np.put(x, k, 8.0, mode="clip")
    return x, np.take(x, k, mode="wrap")


# put without a mode: IndexError.
@case((X, np.array([1, 7])), (X, np.array([1, 2])))
def puts_out_of_bounds(x: f64["n"], k: i64["k"]):
    np.put(x, k, np.array([1.0, 2.0]))
    return x


# put_along_axis sorts the rows of a matrix backwards.
@case((M * -1.0,))
def puts_along_an_axis(m: f64["m", "n"]):
    order = np.argsort(m, axis=1)
    np.put_along_axis(m, order[:, :1], 100.0, axis=1)
    return m, np.take_along_axis(m, order, axis=1)


# fill_diagonal writes in place.
@case((M, 7.0), (np.ones((4, 2)), -0.0))
def fills_the_diagonal(m: f64["m", "n"], value: float):
    np.fill_diagonal(m, value)
    return m


# Indexes that argsort, nonzero and argmax give.
@case((np.array([3.0, -1.0, 2.0, 5.0]),))
def indexes_from_functions(x: f64["n"]):
    order = np.argsort(x)
    ranks = np.zeros(len(x), dtype=np.int64)
    ranks[order] = np.arange(len(x))
    x[np.argmax(x)] = 0.0
    x[np.nonzero(x < 0)] = 9.0
    x[np.flatnonzero(x == 2.0)] -= 1.0
    return ranks, x
