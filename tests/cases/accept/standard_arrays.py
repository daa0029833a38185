"""What the array API standard asks of NumPy's arrays and functions: devices, namespaces, products."""

from __future__ import annotations

import numpy as np

from tests.support.cases import case

X = np.array([3.0, 1.0, 2.0])
M = np.arange(6.0).reshape(2, 3)


# There is one device, which may be named.
@case((X,))
def the_device(x):
    made = np.zeros(2, device="cpu"), np.ones_like(x, device=x.device), np.arange(3, device=None)
    return made, x.device, x[0].device, x.sum().to_device("cpu"), np.asarray(x, device="cpu") is x


# ``to_device`` gives the array itself.
@case((X,))
def to_the_device(x):
    y = x.to_device("cpu")
    y[0] = 7.0
    return x, y is x


# The namespace of an array is the module, known while compiling.
@case((X,), (M,))
def the_namespace(x):
    xp = x.__array_namespace__(api_version="2023.12")
    return xp.sum(x, axis=0), xp.astype(x, xp.float32), x[0].__array_namespace__() is np


# ``correction`` is ``ddof``, whole or not, known or not.
@case((M, 1), (M, 0.5), (M, 0))
def corrections(m, n):
    return np.std(m, correction=n), np.var(m, axis=1, correction=1.5), np.std(m, 0, correction=1)


# The place among what a sorter orders.
@case((X, 2.5, [1, 2, 0]), (X, 0.5, [1, 2, 0]))
def searched_by_a_sorter(x, v, order):
    sorter = np.argsort(x)
    return (
        np.searchsorted(x, v, sorter=sorter), x.searchsorted([1.0, 3.0], "right", sorter),
        np.searchsorted(x, v, sorter=order),
    )  # fmt: skip


# Products of vectors, which may be stacked.
@case((M, X), (M.astype("float32"), X), (M * 1j, X))
def products_of_vectors(m, x):
    return np.vecdot(m, x), np.vecdot(m, m, axis=0), np.vecdot(x, x), np.linalg.vecdot(m, x)


# Sizes that do not fit are found when the function runs.
@case((M, X), (M, X[:2]))
def broadcast_sizes(m, x):
    sizes = np.broadcast_shapes(m.shape, x.shape, (5, 1, 1))
    return sizes, np.broadcast_to(x, np.broadcast_shapes(m.shape, x.shape)), np.broadcast_shapes()


# Over the same memory, or not.
@case((X,))
def through_dlpack(x):
    a, b = np.from_dlpack(x), np.from_dlpack(x, copy=True)
    a[0] = 9.0
    b[1] = 8.0
    return x, a, b


# A copy for certain, or a view for certain: else it is an error, of the layout that is found there.
@case((M,), (M.T,), (M[:, ::2],))
def reshaped_with_or_without_a_copy(m):
    fresh = np.reshape(m, (-1,), copy=True)
    turned = m.T.reshape(m.shape, order="F", copy=True)
    fresh[0] = turned[0, 0] = -1.0
    try:
        view = (m * 2).T.reshape((-1,), copy=False)
    except ValueError:
        view = m.reshape(1, *m.shape, copy=False)[0]
    view[0] = 9.0
    return m, fresh, turned, view


# What stands before and behind takes part in the differences; one number stands for a row of them.
@case((M, X), (M.astype("float32"), X), (M > 2, X))
def differences_at_the_ends(m, x):
    return (
        np.diff(m, prepend=0), np.diff(m, append=m), np.diff(m, prepend=x[None], axis=0),
        np.diff(x, n=2, prepend=[1, 2], append=x[0]), np.diff(m, n=0, prepend=1) is m,
    )  # fmt: skip


# The bounds have places or names.
@case((M,))
def bounds_by_place_or_name(m):
    return np.clip(m, 1, 2), np.clip(m, a_min=1, a_max=None), np.clip(m, min=1), m.clip(max=3)


# A dtype that the running program chooses, as functions, methods and ufuncs take it.
@case((X, 1), (X, 0))
def chosen_dtype(x, n):
    dtype = np.float32 if n > 0 else np.int64
    return (
        x.astype(dtype), x.sum(dtype=np.float32 if n else np.float64), np.zeros(2, dtype),
        np.add.reduce(x, dtype=np.float32 if n else None), x.astype(dtype=dtype, copy=False) + n,
    )  # fmt: skip


# The parts of an array are views; a scalar may be cast like an array.
@case((M,), (M.T,))
def parts_and_casts(m):
    parts = np.unstack(m, axis=1)
    parts[0][0] = 9.0
    first, *_ = np.unstack(m)
    return m, parts, first, len(np.unstack(m)), np.astype(m[0, 0], np.float32), np.astype(m, bool)


# One part is a part, too.
@case((M,), (X,))
def one_part(m):
    found = np.split(m, 1), np.array_split(m, 1), np.array_split(m, []), np.split(m, [1])
    found[0][0][0] = 9.0
    return found, m


# None as a dtype is no default where another dtype is; one axis in a tuple is an axis.
@case((M,))
def dtypes_and_axes_that_are_spelled_out(m):
    return (
        np.indices((2, 2), dtype=None), np.indices((2, 2)), np.tri(2, dtype=None),
        np.add.reduceat(m, [0, 1], axis=(0,)), np.add.accumulate(m, axis=(1,)),
    )  # fmt: skip
