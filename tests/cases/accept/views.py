"""What shares memory: results that are arguments, views of them or of each other, and copies."""

from __future__ import annotations

import numpy as np

from staticpy import f32, f64, i64
from tests.support.cases import case

X = np.arange(6.0)
M = np.arange(6.0).reshape(2, 3)


# The argument itself.
@case((X,))
def returns_its_argument(x: f64["n"]):
    return x


# A new array, though its values are those of the argument.
@case((X,))
def returns_an_equal_array(x: f64["n"]):
    return x + 0.0, x * 1.0, +x, x - 0.0, x / 1.0


# Slices are views.
@case((X,))
def slices_are_views(x: f64["n"]):
    return x[1:], x[::-1], x[:0], x[:]


# Rows, columns and new axes are views.
@case((M,))
def rows_and_columns_are_views(m: f64["m", "n"]):
    return m[0], m[:, 1], m[None], m[..., 1:]


# Index arrays and masks copy.
@case((X, np.array([0, 1])))
def fancy_indexes_copy(x: f64["n"], order: i64["k"]):
    return x[order], x[x > 2.0], x[[0, 1]]


# The transpose is a view.
@case((M,))
def transposes_are_views(m: f64["m", "n"]):
    return m.T, np.transpose(m), m.T.T, np.swapaxes(m, 0, 1)


# reshape is a view where it can be.
@case((M,), (M.T,))
def reshape_is_a_view_where_it_can_be(m: f64["m", "n"]):
    return m.reshape(3, 2), m.reshape(-1), np.ravel(m)


# flatten and copy always copy.
@case((X,))
def flatten_and_copy(x: f64["n"]):
    return x.flatten(), x.copy(), np.copy(x), np.array(x)


# asarray hands out what it was given.
@case((X,))
def asarray_is_the_argument(x: f64["n"]):
    return np.asarray(x), np.asarray(x, dtype=np.float32)


# astype copies, also to the dtype that it has.
@case((X,))
def astype_copies(x: f64["n"]):
    return x.astype(np.float64), x.astype(np.float32)


# astype with copy=False does not.
@case((X,))
def astype_without_a_copy(x: f64["n"]):
    return x.astype(np.float64, copy=False), x.astype(np.float32, copy=False)


# Axes of size one come and go by views.
@case((M,))
def expand_and_squeeze_are_views(m: f64["m", "n"]):
    wide = np.expand_dims(m, 0)
    return wide, np.squeeze(wide, axis=0)


# broadcast_to is a view that can't be written.
@case((X,))
def broadcast_to_is_a_view(x: f64["n"]):
    return np.broadcast_to(x, (2, 6))


# Two results that share with each other, not with the argument.
@case((X,))
def results_share_with_each_other(x: f64["n"]):
    y = x * 2.0
    return y, y[1:], y[::2]


# Two results of the same computation don't.
@case((X,))
def equal_results_do_not_share(x: f64["n"]):
    y = np.sin(x)
    z = np.sin(x)
    return y, z


# An array that is made twice.
@case((3,))
def equal_constructors_do_not_share(n: int):
    return np.zeros(n), np.zeros(n), np.ones(3), np.ones(3)


# ... by a function that is called twice.
def halved(x):
    return x * 0.5


@case((X,))
def results_of_two_calls_do_not_share(x: f64["n"]):
    return halved(x), halved(x)


# A view that a function returns.
def tail(x):
    return x[1:]


@case((X,))
def views_out_of_a_function(x: f64["n"]):
    return tail(x), tail(tail(x)), tail(x + 1.0)


# Joined arrays are new, also one alone.
@case((X, X + 10.0))
def concatenate_copies(x: f64["n"], y: f64["m"]):
    return np.concatenate([x, y]), np.concatenate([x]), np.stack([x])


# Whether a result is a view may depend on a branch.
@case((X, 1), (X, 0))
def view_or_copy_by_a_branch(x: f64["n"], n: int):
    return x[1:] if n else x[1:] + 1.0


# ... and on a loop that may not run.
@case((X, 0), (X, 2))
def argument_or_copy_by_a_loop(x: f64["n"], n: int):
    y = x
    for _ in range(n):
        y = y * 2.0
    return y, x


# Two arguments that are one array.
SAME = np.arange(3.0)


@case((SAME, SAME), (SAME, SAME[1:]), (SAME, SAME + 1.0))
def arguments_that_share(x: f64["n"], y: f64["m"]):
    return x, y, x[:1] + y[:1]


# A new array is new at each call.
@case((2,), (0,))
def fresh_at_each_call(n: int):
    return np.arange(5), np.full((2, n), 7.0), np.eye(2)


# Views of float32 data stay float32.
@case((M.astype(np.float32),))
def views_keep_the_dtype(m: f32["m", "n"]):
    return m[:1].T, m.T[1:].reshape(-1)


# A scalar out of an array is a copy.
@case((X,))
def elements_are_copies(x: f64["n"]):
    a, b = x[0], x[1]
    return a + b, x


# Swapping elements of a vector swaps scalars.
@case((X,))
def swaps_scalars(x: f64["n"]):
    a, b = x[0], x[2]
    a, b = b, a
    return a, b


# Swapping rows of a matrix swaps views.
@case((M,))
def swaps_rows(m: f64["m", "n"]):
    a, b = m[0], m[1]
    a, b = b, a
    return a, b


# Real parts of real arrays are the arrays themselves.
@case((X,))
def real_part_of_a_real_array(x: f64["n"]):
    return x.real, np.real(x)


# An axis that is added has the stride that NumPy gives it.
@case((np.arange(3.0),), (np.arange(6.0)[::2],), (np.zeros(0),))
def at_least_two_axes(x):
    row, block = np.atleast_2d(x), np.atleast_3d(x)
    row += 1
    return row, block, np.atleast_3d(row), row.strides
