"""Arrays in the other byte order: a dtype of its own, which views and copies keep."""

from __future__ import annotations

import numpy as np

from tests.support.cases import case

X = np.array([3.0, -1.0, 2.0, 0.5]).astype(np.dtype("f8").newbyteorder())
K = np.array([3, 1, 2, 0]).astype(np.dtype("i4").newbyteorder())
M = np.arange(6.0).reshape(2, 3).astype(np.dtype("f4").newbyteorder())
Z = np.array([1 + 2j, 3 + 0j]).astype(np.dtype("c16").newbyteorder())


# Arithmetic gives native arrays; a copy and a view are in the order of what they show.
@case((X, K))
def orders_of_results(x, k):
    return x + 1, x * k, x.copy(), x[1:], -x, np.sort(x), x.sum(), x[0], np.zeros_like(x), x.dtype


# A write swaps the bytes.
@case((X, K))
def written_in_place(x, k):
    x[0] = 7.5
    x[1:] += k[1:]
    x *= 2
    view = x[::-1]
    view[k] = np.float32(0.1)
    return view, x.dtype


# One function serves both orders.
@case((X, X.astype("f8")), (X.astype("f8"), X), (X, X[::-1]))
def both_orders(x, y):
    z = np.where(x > y, x, y)
    return z, np.concatenate([x, y]), np.stack([x, x]), x is y, x.dtype == y.dtype


@case((M, 3))
def carried(m, n):
    total = m
    for i in range(n):
        total = total + m * i
        m[i % 2, 0] = i
    return total, m, np.array([row for row in m]), m.T @ m


@case((Z,))
def complex_parts(z):
    z.real[0] = 5.0
    return z.real, z.imag, abs(z), z.conj(), z.tolist(), np.real_if_close(z), z[0] == z[1]


# With a buffer for the result.
@case((X, np.zeros(4)), (X, X.copy()))
def outputs(x, out):
    np.multiply(x, 2, out=out)
    np.copyto(out[:2], x[2:])
    return np.add(x, out, out=x), np.cumsum(x, out=out)


# A dtype of the other byte order: a conversion, or the same bytes read anew.
@case((np.array([1.5, -2.0]),), (np.array([[1, 256]], np.int16),), (np.array([3], ">i4"),))
def to_the_other_order(x):
    other = x.dtype.newbyteorder()
    converted, swapped = x.astype(other), x.byteswap().view(other)
    return converted, swapped, converted + swapped, other.str, x.dtype.newbyteorder("=").isnative
