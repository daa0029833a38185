"""Programs in terms of the array API standard: ``from staticpy import xp``."""

from __future__ import annotations

import numpy as np

import staticpy.xp
from staticpy import xp
from staticpy.xp import linalg
from tests.support.cases import case

X = np.array([[3.0, -1.0, 2.0], [0.5, 4.0, -2.5]])
V = np.array([3, 1, 2, 3])
S = np.array([[2.0, 1.0], [1.0, 3.0]])


# A function of no library in particular: the same code for every dtype.
@case((X,), (X.astype("float32"), 0))
def standardized(x, axis=-1):
    mean = xp.mean(x, axis=axis, keepdims=True)
    spread = xp.std(x, axis=axis, correction=1.0, keepdims=True)
    return xp.where(spread > 0, (x - mean) / spread, xp.zeros_like(x))


# The namespace is a compile-time value, like any module.
def _names(own):
    return xp if own else np


@case((X, True), (X, False))
def chosen_namespace(x, own):
    total = 0.0
    for namespace in (xp, np, staticpy.xp):
        total = total + namespace.sum(namespace.abs(x))
    return total, _names(own=True).max(x)


# NumPy's scalars stand for arrays without axes.
@case((X,), (V,))
def of_scalars(x):
    total = xp.sum(x)
    return xp.astype(total, xp.float32), xp.floor(total), xp.clip(total, 0, 1), xp.ceil(x[0])


# Numbers of the running program, and what is None on one path.
@case((V, 1, 2.5), (V, 5, None), (X[0], 0, -1.0))
def run_time_bounds(v, low, high):
    bound = high if low < 3 else None
    return xp.clip(v, low, bound), xp.clip(v, max=bound)


# The order of equal elements is kept, in either direction.
@case((V,), (V[:0],), (V.astype("uint8"),), (np.array([0.0, -0.0, 1.0, np.nan, 0.0]),))
def both_ways(v):
    order = xp.argsort(v, descending=True)
    return order, xp.take(v, order), xp.sort(v, descending=True), xp.sort(v, stable=False)


# An array that a loop goes through in parts; the parts are views.
@case(
    (X,),
)
def parts_are_views(x):
    total = xp.zeros(3)
    for row in xp.unstack(x):
        row[0] = row[0] + 1.0
        total = total + row
    flat = xp.reshape(x, (-1,), copy=False)
    flat[1] = 9.0
    fresh = xp.reshape(x, (3, 2), copy=True)
    fresh[0, 0] = -9.0
    return x, total, flat, fresh


# Where a view cannot be made, that is an error of the running program.
@case((X,), (X[:, :1],), (X[:, 1:],))
def view_or_error(x):
    try:
        return xp.reshape(x, (-1,), copy=False)
    except ValueError as error:
        return str(error)


# Eigenvalues are complex, whether they need it or not.
@case((S,), (S.astype("float32"),), (np.array([[0.0, 1.0], [-1.0, 0.0]]),))
def eigenvalues(s):
    found = linalg.eig(s)
    return found, xp.abs(found.eigenvalues), linalg.eigvals(s).dtype == found.eigenvectors.dtype


# Sums that start with nothing, over an axis that has to be named where there are several.
@case((X,), (X[0],), (X[:, :0],))
def running_sums(x):
    try:
        return xp.cumulative_sum(x, include_initial=True)
    except ValueError:
        return xp.cumulative_prod(x, axis=-1, include_initial=True)


# Along an axis that the running program chooses.
@case((X, 0), (X, 1), (X, -1), (X, 2))
def chosen_axis(x, axis):
    return (
        xp.cumulative_sum(x, axis=axis, include_initial=True), xp.argsort(x, axis=axis),
        xp.sort(x, axis=axis, descending=True), len(xp.unstack(x, axis=axis)),
    )  # fmt: skip


# Arguments as NumPy takes them, beyond what the standard has.
@case((X,))
def as_numpy_takes_them(x):
    return (
        xp.reshape(x, [3, 2]), xp.reshape(x, 6, copy=True), xp.sort(x, axis=None, descending=1),
        xp.cumulative_sum(x, axis=np.int8(1), include_initial=1), xp.astype(x, float, copy=0),
        xp.fft.fftfreq(np.int64(4), d=2), xp.floor(2.5), xp.clip([1, 5], 2, 3),
    )  # fmt: skip


# What the namespace says of itself is known while compiling.
@case(
    (X,),
)
def inspected(x):
    info = xp.__array_namespace_info__()
    dtypes = info.default_dtypes()
    if info.capabilities()["boolean indexing"]:
        x = x[x > 0]
    count = 0
    for dtype in info.dtypes(kind="real floating").values():
        count += 1 if xp.isdtype(dtype, xp.float64) else 10
    return xp.astype(x, dtypes["complex floating"]), count, xp.finfo(x).eps, xp.iinfo("int8").max


# A device that does not exist.
@case((X, "cpu"), (X, None))
def named_devices(x, device):
    try:
        return xp.astype(x, xp.int32, device="gpu" if x.shape[0] == 2 else None)
    except ValueError as error:
        return str(error), xp.fft.fftfreq(4, dtype=xp.float32, device="cpu")
