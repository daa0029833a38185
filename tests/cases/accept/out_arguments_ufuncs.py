"""`out=` and `where=`, ufuncs with a third argument, `copyto`, `fill`, `sort` and other writers."""

from __future__ import annotations

import numpy as np

from staticpy import b1, f32, f64, i64
from tests.support.cases import case

X = np.array([0.5, -1.0, 2.0])
Y = np.array([3.0, 4.0, -5.0])
Z = np.zeros(3)
K = np.array([3, 1, 2])
M = np.array([[3.0, 1.0, 2.0], [-1.0, 5.0, 0.0]])


# The result goes into `out`, and is `out`.
@case((X, Y, Z))
def result_goes_into_out(x: f64["n"], y: f64["n"], z: f64["n"]):
    r = np.add(x, y, out=z)
    r[0] = 9.0
    return r, z


# As the third positional argument, as a tuple.
@case((X, Y, Z))
def positional_out(x: f64["n"], y: f64["n"], z: f64["n"]):
    np.multiply(x, y, z)
    np.subtract(z, 1.0, out=(z,))
    return z


# `out` is one of the operands.
@case((X, Y))
def out_is_an_operand(x: f64["n"], y: f64["n"]):
    np.add(x, y, x)
    np.multiply(y, x, out=y)
    return x, y


# A function of one argument.
@case((X, Z))
def unary_out(x: f64["n"], z: f64["n"]):
    np.exp(x, out=z)
    np.negative(x, x)
    np.sqrt(z, out=z)
    return x, z


# `out` is a slice of another array.
@case((X, np.zeros(6)))
def out_is_a_slice(x: f64["n"], z: f64["k"]):
    np.square(x, out=z[1:4])
    np.add(z[:3], 1.0, out=z[:3])
    np.abs(x, z[::2])
    return z


# `out` overlaps an operand, shifted: NumPy copies first.
@case((np.arange(5.0),))
def out_overlaps_an_operand(x: f64["n"]):
    np.add(x[:-1], x[1:], out=x[1:])
    np.multiply(x[::-1], 2.0, out=x)
    return x, x[0]


# `out` of another shape: the operands are broadcast into it, never the other way: ValueError.
@case((X, M), (M, X), (X, np.zeros((3, 3))))
def shape_of_out(x, z):
    np.add(x, 1.0, out=z)
    return z


# Ints go into floats by way of `out`.
@case((K, Z))
def ints_into_a_float_out(k: i64["n"], z: f64["n"]):
    np.add(k, k, out=z)
    np.true_divide(z, k, out=z)
    return z


# Single precision `out`: computed in double, cast at the end.
@case((X, np.zeros(3, dtype=np.float32)))
def single_precision_out(x: f64["n"], z: f32["n"]):
    np.exp(x, out=z)
    np.multiply(z, 0.1, out=z)
    return z


# `where=` leaves the other elements alone.
@case((X, Y, X > 0))
def out_where(x: f64["n"], y: f64["n"], mask: b1["n"]):
    np.divide(x, y, out=y, where=mask)
    np.log(x, out=x, where=x > 0)
    return x, y


# Safe division.
@case((X, np.array([0.0, 2.0, -0.0])))
def safe_division(x: f64["n"], y: f64["n"]):
    return np.divide(x, y, out=np.zeros_like(x), where=y != 0)


# Comparisons into a mask.
@case((X, Y, np.zeros(3, dtype=bool)))
def comparisons_into_a_mask(x: f64["n"], y: f64["n"], mask: b1["n"]):
    np.less(x, y, out=mask)
    np.logical_not(mask, out=mask)
    return mask


# Two outputs.
@case((np.array([1.5, -2.25, 3.0]), Z, Y))
def two_outputs(x: f64["n"], z: f64["n"], y: f64["n"]):
    np.modf(x, out=(z, y))
    return z, y


# `out` of reductions.
@case((M, Z))
def reductions_into_out(m: f64["m", "n"], z: f64["n"]):
    m.sum(axis=0, out=z)
    z -= 1.0
    np.maximum.reduce(m, axis=0, out=z)
    return z, np.mean(m, axis=1, out=np.zeros(2))


# cumsum in place.
@case((X,))
def cumulative_sum_in_place(x: f64["n"]):
    np.cumsum(x, out=x)
    np.multiply.accumulate(x, out=x)
    return x


# matmul, dot, clip, take into `out`.
@case((M, X, np.zeros(2), np.zeros(3)))
def other_functions_with_out(m: f64["m", "n"], x: f64["n"], z: f64["m"], w: f64["n"]):
    np.matmul(m, x, out=z)
    np.clip(x, -0.5, 0.5, out=x)
    np.dot(z, m, out=w)
    x.clip(0.0, None, out=x)
    return z, w, x


# A buffer is used by each step of a loop.
@case((X, 4), (X, 0))
def buffer_in_a_loop(x: f64["n"], steps: int):
    buffer = np.empty_like(x)
    for _ in range(steps):
        np.multiply(x, 0.5, out=buffer)
        np.add(buffer, 1.0, out=x)
    return x


# Two buffers that change places.
@case((X, 3), (X, 2))
def buffers_change_places(x: f64["n"], steps: int):
    a, b = x, np.zeros_like(x)
    for _ in range(steps):
        np.cos(a, out=b)
        a, b = b, a
    return a, x


# fill.
@case((X, M, 7), (X, M, -0.0))
def fills(x, m, value):
    x.fill(value)
    m[0].fill(value)
    m.T[1:].fill(1.5)
    return x, m


# copyto: broadcasting, casting, masks.
@case((X, M))
def copies_to(x: f64["n"], m: f64["m", "n"]):
    np.copyto(m, x)
    np.copyto(x, 4)
    np.copyto(m[1], -1.0, where=m[1] < 0)
    np.copyto(m[:, 0], [8.0, 9.0])
    return x, m


# copyto refuses a lossy cast unless it is told: floats into ints.
@case((K, X))
def copies_unsafely(k: i64["n"], x: f64["n"]):
    np.copyto(k, x, casting="unsafe")
    return k


# sort in place gives None.
@case((X,), (np.array([]),), (np.array([np.nan, 1.0, -0.0, 0.0]),))
def sorts_in_place(x: f64["n"]):
    nothing = x.sort()
    return nothing, x


# Along an axis, along the first one, a column alone.
@case((M,))
def sorts_along_axes(m: f64["m", "n"]):
    m.sort()
    m.sort(axis=0)
    m[:, 1].sort()
    m[0, ::-1].sort()
    return m


# np.sort and sorted do not write.
@case((K,))
def sorted_copies(k: i64["n"]):
    a = np.sort(k)
    b = sorted(k)
    a[0] = 100
    return k, a, b


# partition, and the order of an in-place sort.
@case((np.array([5.0, 1.0, 4.0, 2.0]),))
def order_and_sort(x: f64["n"]):
    order = x.argsort()
    x.sort()
    return order, x, x.searchsorted(3.0)


# A shuffle by a permutation, in place with take.
@case((X, K - 1))
def takes_into_out(x: f64["n"], order: i64["n"]):
    z = np.zeros(3)
    np.take(x, order, out=z, mode="clip")
    x[...] = z
    return x.tolist()


# at, reduce, accumulate and outer of one ufunc.
@case((X, K))
def ufunc_methods(x: f64["n"], k: i64["n"]):
    np.add.at(x, k - 1, k)
    return x, np.add.reduce(x), np.add.accumulate(x), np.subtract.outer(x, k)


# A helper that takes `out`, with None for a new array.
def scaled(x, factor, out=None):
    if out is None:
        out = np.empty_like(x)
    np.multiply(x, factor, out=out)
    return out


@case((X, Y, 3.0))
def a_helper_with_out(x: f64["n"], y: f64["n"], factor: float):
    new = scaled(x, factor)
    same = scaled(x, factor, out=y)
    scaled(x, 0.5, x)
    return new, same is y, x, y


# out=None is no out.
@case((X, Y))
def out_of_none(x: f64["n"], y: f64["n"]):
    r = np.add(x, y, out=None)
    r[0] = 3.0
    return r, x, y


# The result of a call with `out` in an expression.
@case((X, Z))
def out_within_an_expression(x: f64["n"], z: f64["n"]):
    total = np.add(x, 1.0, out=z) + np.multiply(z, 2.0, out=z)
    return total, z
