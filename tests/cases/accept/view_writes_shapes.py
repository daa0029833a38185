"""Writes through transposes, reshapes, flat views, diagonals and new axes."""

from __future__ import annotations

import numpy as np

from staticpy import f64, i64
from tests.support.cases import case

X = np.arange(6.0)
M = np.arange(6.0).reshape(2, 3)
S = np.arange(9.0).reshape(3, 3)
T = np.arange(12.0).reshape(2, 3, 2)


# A write through the transpose.
@case((M, 9.0))
def through_the_transpose(m: f64["m", "n"], value: float):
    m.T[2, 0] = value
    t = m.T
    t[0] += 0.5
    return m, t


# The transpose sees what is written to the base.
@case((M,))
def the_transpose_follows(m: f64["m", "n"]):
    t = np.transpose(m)
    m[0, 1] = 70.0
    m *= 2.0
    return t, t.sum(axis=0)


# A square is added to its own transpose: NumPy sees the overlap.
@case((S,))
def adds_its_own_transpose(s: f64["n", "n"]):
    s += s.T
    return s.copy(), s


# A transpose is assigned to its base.
@case((S,))
def assigns_its_own_transpose(s: f64["n", "n"]):
    s[:] = s.T
    return s.tolist()


# Through reshape, where it is a view.
@case((X, 5.0))
def through_a_reshape(x: f64["n"], value: float):
    m = x.reshape(2, 3)
    m[1, 0] = value
    m[0] *= 2.0
    x[-1] = -1.0
    return x, m


# reshape of a transpose is a copy: nothing is seen.
@case((M,))
def a_reshape_that_copies(m: f64["m", "n"]):
    flat = m.T.reshape(-1)
    flat[0] = 100.0
    m[1, 2] = -100.0
    return m, flat


# Whether reshape copies depends on the argument.
@case((M,), (M.T,), (M[:, ::-1],), (M[:, :2],))
def a_reshape_that_may_copy(m: f64["m", "n"]):
    flat = m.reshape(-1)
    flat += 10.0
    m[0, 0] = 0.25
    return flat, m


# ravel is a view of a contiguous array, flatten never is.
@case((M,), (M.T,))
def ravel_and_flatten(m: f64["m", "n"]):
    one, two = m.ravel(), m.flatten()
    one[1] = 50.0
    two[2] = 60.0
    return m, one, two


# np.reshape with an inferred size.
@case((X, 3), (X, 2), (X, 4))
def reshape_by_a_run_time_size(x: f64["n"], rows: int):
    m = np.reshape(x, (rows, -1))
    m[:, 0] = np.arange(rows) * 10.0
    return x, m


# swapaxes and moveaxis.
@case((T,))
def swapped_axes(t: f64["a", "b", "c"]):
    s = np.swapaxes(t, 0, 2)
    s[1] = -1.0
    w = np.moveaxis(t, 0, -1)
    w[0, 0, :] += 100.0
    return t, s, w


# transpose with an order of axes.
@case((T,))
def ordered_axes(t: f64["a", "b", "c"]):
    s = t.transpose(1, 2, 0)
    s[0, 0] = [7.0, 8.0]
    s[..., -1] *= -1.0
    return t


# A new axis is a view.
@case((X,))
def new_axis(x: f64["n"]):
    column = x[:, None]
    row = x[np.newaxis]
    column[0, 0] = 11.0
    row[0, 1] = 12.0
    row += 1.0
    return x, column, row


# expand_dims and squeeze are views.
@case((X,))
def expanded_and_squeezed(x: f64["n"]):
    wide = np.expand_dims(x, 1)
    wide[2] = 33.0
    flat = np.squeeze(wide)
    flat[3] = 44.0
    wide.squeeze(axis=1)[4] = 55.0
    return x


# diagonal can't be written: ValueError.
@case((S, True), (S, False))
def diagonal_is_read_only(s: f64["n", "n"], write: bool):
    d = s.diagonal()
    s[0, 0] = 21.0
    if write:
        d[0] = 5.0
    return d, d.sum()


# np.diag of a matrix neither, a copy of it can.
@case((S,))
def copy_of_a_diagonal(s: f64["n", "n"]):
    d = np.diag(s).copy()
    d[:] = 1.0
    return s, d, np.diag(d)


# The diagonal as a step through the flat view.
@case((S, 5.0))
def diagonal_by_steps(s: f64["n", "n"], value: float):
    flat = s.reshape(-1)
    flat[:: len(s) + 1] += value
    return s


# A broadcast view can't be written: ValueError.
@case((X, 0), (X, 1))
def broadcasts_are_read_only(x: f64["n"], n: int):
    wide = np.broadcast_to(x, (2, 6))
    x[0] = 7.5
    if n:
        wide[0, 0] = 1.0
    return wide.sum(), wide


# flip, fliplr, rot90 and roll: views and copies.
@case((M,))
def flips(m: f64["m", "n"]):
    a, b, c = np.flip(m), np.fliplr(m), np.roll(m, 1)
    a[0, 0] = 90.0
    b[1, 2] = 80.0
    c[0, 0] = 70.0
    return m, a, b, c


# The parts of a split are views.
@case((X,))
def split_parts(x: f64["n"]):
    a, b, c = np.split(x, 3)
    a += 10.0
    b[:] = a
    c[1] = 0.5
    return x, b


# real and imag of complex numbers are views.
@case((np.array([1 + 2j, 3 - 4j]),))
def real_and_imaginary_parts(z):
    z.real[0] = 10.0
    z.imag += 1.0
    z.real *= 2.0
    return z, z.imag


# The flat iterator writes.
@case((M,))
def flat_assignment(m: f64["m", "n"]):
    m.flat[4] = 44.0
    m.flat[:2] = -1.0
    return m, m.flat[3]


# Rows of the transpose in a loop.
@case((M,))
def columns_in_a_loop(m: f64["m", "n"]):
    for j, column in enumerate(m.T):
        column[:] = column - column.max() + j
    return m


# Matrices of a stack in a loop, and rows in these.
@case((T,))
def nested_rows_in_a_loop(t: f64["a", "b", "c"]):
    for i, plane in enumerate(t):
        for row in plane:
            row[i] += 100.0
        plane[-1] = 0.0
    return t


# Blocks by a reshape of four axes.
@case((np.arange(16).reshape(4, 4),))
def blocks_by_a_reshape(k: i64["n", "n"]):
    blocks = k.reshape(2, 2, 2, 2).swapaxes(1, 2)
    blocks[0, 1] = -blocks[1, 0]
    blocks[1, 1, 0, 0] = 77
    return k, blocks.sum(axis=(2, 3))


# atleast_2d and asarray hand out views.
@case((X,))
def wrapping_functions(x: f64["n"]):
    np.atleast_2d(x)[0, 0] = 5.0
    np.asarray(x)[1] = 6.0
    np.ascontiguousarray(x)[2] = 7.0
    np.array(x)[3] = 8.0
    np.array(x, copy=True)[4] = 9.0
    return x


# A copy of a transpose, and its own order of elements.
@case((M,))
def copies_do_not_follow(m: f64["m", "n"]):
    t = m.T.copy()
    t[0] = 9.0
    m[0, 0] = 8.0
    return t, m, t.reshape(-1)


# The parameters of a layer are views of one vector.
@case((np.arange(8.0), np.array([1.0, -1.0])))
def parameters_in_one_vector(theta: f64["n"], x: f64["k"]):
    w = theta[:6].reshape(3, 2)
    b = theta[6:]
    w -= 0.1
    b += 0.1
    theta *= 0.5
    return w @ x, b, theta


# A table of squares over the triangle above the diagonal.
@case((S,), (np.zeros((0, 0)),))
def mirrors_a_triangle(s: f64["n", "n"]):
    for i in range(len(s)):
        s[i:, i] = s[i, i:]
    return s, np.triu(s, 1)
