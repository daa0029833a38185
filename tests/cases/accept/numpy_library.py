"""NumPy's functions that have no op of their own, on arrays, lists and run-time numbers."""

# ruff: noqa: RUF005 - an array plus a list

from __future__ import annotations

import numpy as np

from tests.support.cases import case

X = np.array([3.0, -1.0, 2.0, 0.5])
K = np.array([3, 1, 2])
M = np.arange(6.0).reshape(2, 3)
S = np.array([[2.0, 1.0], [1.0, 3.0]])
Z = np.array([1 + 2j, 3 - 1j])


# append, insert and delete make new arrays; the dtype is that of all parts.
@case((X, K))
def grown_and_shrunk(x, k):
    return (
        np.append(x, k), np.append(k, 1.0), np.append(k, True), np.insert(x, 1, 9.5),
        np.insert(x, [0, 2], k[:2]), np.delete(x, 0), np.delete(x, [0, 1]),
    )  # fmt: skip


# 1, True and 1.0 are not the same to a function that looks at dtypes, nor are 0.0 and -0.0.
@case((X, True), (X, 1), (X, 1.0))
def boxes_of_what_is_appended(x, v):
    b = np.array([True])
    return np.append(b, v), np.append(b, 1), np.append(b, True), np.append(x, -0.0), np.append(x, 0)


# Flipped and turned arrays are views.
@case((M,))
def flips_are_views(m):
    a, b, c = np.fliplr(m), np.flipud(m), np.rot90(m)
    a[0, 0] = 99.0
    b[0] = -1.0
    c[0, 1] = 5.0
    return m, a, b, c, np.rot90(m, 2)


# Linear algebra: solutions, factors, norms.
@case((S, X[:2]), (np.eye(2), X[:2]))
def linear_algebra(s, b):
    return (
        np.linalg.solve(s, b), np.linalg.inv(s), np.linalg.det(s), np.linalg.cholesky(s),
        np.linalg.matrix_rank(s), np.linalg.norm(b), np.linalg.norm(s, axis=0),
        np.linalg.norm(s, "fro"), np.linalg.lstsq(s, b, rcond=None), np.linalg.matrix_power(s, 3),
    )  # fmt: skip


# What comes as a named tuple stays one.
@case((S,))
def named_results(s):
    found = np.linalg.eigh(s)
    values, vectors = found
    return found, found.eigenvalues, values, vectors, np.linalg.slogdet(s), np.linalg.qr(s)


# A singular matrix: LinAlgError.
@case((np.zeros((2, 2)), np.ones(2)))
def singular(s, b):
    return np.linalg.solve(s, b)


# The eigenvalues of a real matrix are complex for some.
@case((S,), (np.array([[0.0, 1.0], [-1.0, 0.0]]),))
def eigenvalues(s):
    values = np.linalg.eigvals(s)
    return values, values * 2, np.linalg.eig(s), np.roots(s[0])


# Complex numbers without an imaginary part become real.
@case((X,), (Z,), (Z.real + 0j,))
def real_if_close(x):
    return np.real_if_close(x), np.poly(x)


# Statistics with weights, and of ranks.
@case((X, K))
def statistics(x, k):
    return (
        np.average(x), np.average(x, weights=np.abs(x)), np.average(x, weights=[1, 2, 3, 4]),
        np.percentile(x, 50), np.percentile(x, [25, 75]), np.quantile(x, 0.5), np.cov(x),
        np.bincount(k), np.bincount(k, minlength=6), np.histogram(x, bins=2),
        np.digitize(x, [0.0, 1.0]), np.corrcoef(x, x),
    )  # fmt: skip


# Values that are not numbers are left out.
@case((X,))
def statistics_without_nan(x):
    y = x.copy()
    y[0] = np.nan
    return (
        np.nanmean(y), np.nanmax(y), np.nanstd(y), np.nanmedian(y), np.nanpercentile(y, 50),
        np.nancumsum(y), np.nanargmax(y),
    )  # fmt: skip


# Interpolation, polynomials, convolution, derivatives.
@case((X, K))
def curves(x, k):
    return (
        np.interp(0.5, [0.0, 1.0], [2.0, 3.0]), np.interp(x, [0.0, 1.0], [2.0, 3.0]),
        np.convolve(x, k), np.gradient(x), np.trapezoid(x), np.polyfit(x, x, 1),
        np.polyval([1, 2], x), np.polyval([1.0, 2], 3), np.diff(x),
    )  # fmt: skip


# A gradient along each axis.
@case((M,))
def gradients(m):
    rows, columns = np.gradient(m[:, :2])
    return rows, columns


# Products of several kinds.
@case((M, X))
def products(m, x):
    return (
        np.kron(m, m), np.cross(x[:3], x[1:]), np.tensordot(m, m.T, axes=1),
        np.einsum("ij,kj->ik", m, m), np.einsum("ii", m[:, :2]),
    )  # fmt: skip


# Arrays side by side, by conditions, by blocks.
@case((M, X))
def arranged(m, x):
    return (
        np.column_stack([x, x]), np.column_stack((m, m)), np.dstack([m, m]),
        np.select([x > 1, x < 0], [x, -x], 0.0), np.block([[m, m], [m, m]]), np.vander(x, 3),
        m[np.ix_([0, 1], [2, 0])], np.choose([0, 1, 0, 1], [x, -x]),
    )  # fmt: skip


# Sets of elements.
@case((X,))
def elements_as_sets(x):
    return (
        np.isin(x, [2.0, 3.0]), np.setdiff1d(x, [2.0]), np.union1d(x, [2.0]),
        np.intersect1d(x, x), np.extract(x > 0, x), np.compress([True, False, True, False], x),
        x.compress(x > 0), np.trim_zeros(np.array([0.0, 1.0, 0.0])),
    )  # fmt: skip


# Flat indexes and indexes for each axis.
@case((3,), (0,))
def flat_indexes(n):
    return np.unravel_index(n, (2, 3)), np.ravel_multi_index(([0, 1], [1, 1]), (2, 3))


# Fourier transforms.
@case((X,))
def transforms(x):
    return np.fft.fft(x), np.fft.rfft(x), np.fft.ifft(np.fft.fft(x)).real, np.fft.fftshift(x)


# Sizes that are known at run time only.
@case((4,), (2,))
def sizes_at_run_time(n):
    return (
        np.linspace(0, 1, n), np.linspace(0.0, 1.0, num=n, endpoint=False), np.logspace(0, 2, n),
        np.geomspace(1, 8, n), np.tri(n), np.hanning(n), np.fft.fftfreq(n), np.indices((n, 2)),
        np.tril_indices(n), np.linspace(0, 1, n, retstep=True), np.linspace(0, 1, 5, retstep=True),
    )  # fmt: skip


# Axes and other numbers that are known at run time only.
@case((M, 1), (M, 0))
def axis_at_run_time(m, k):
    return m.sum(axis=k), np.argmax(m, axis=k), np.cumsum(m, axis=k), m.max(k), np.var(m, ddof=k)


@case((M, 1))
def counts_at_run_time(m, k):
    return (
        np.tril(m, k), np.diff(m, n=k), np.round(m, k), np.pad(m, k), np.trace(m, k),
        np.rot90(m, k), np.triu(m, k), np.percentile(m, k * 50, axis=0), np.quantile(m, k * 0.5),
    )  # fmt: skip


# Lists that grow in a loop are arrays to NumPy.
@case((3, X))
def lists_of_numbers(n: int, x):
    v = [i * 1.5 for i in range(n)]
    return (
        np.append(x, v), np.average(v), np.interp(v, [0.0, 9.0], [1.0, 2.0]), np.linalg.norm(v),
        np.bincount(list(range(n))), np.histogram(v, bins=3), np.isin(x, v),
        np.polyfit(v, v, 1), x[list(range(n))], x[[value > 0 for value in x]],
    )  # fmt: skip


@case((3, X), (1, X))
def lists_of_arrays(n: int, x):
    rows = [x * i for i in range(n)]
    return (
        np.stack(rows), np.stack(rows, axis=1), np.concatenate(rows), np.vstack(rows),
        np.hstack(rows), np.concatenate(rows, axis=None), np.column_stack(rows), np.dstack(rows),
    )  # fmt: skip


# A list of no arrays: ValueError.
@case((0,))
def stack_of_nothing(n: int):
    return np.stack([np.zeros(2) for _ in range(n)])


# Lists beside arrays in operators.
@case((X, K))
def lists_beside_arrays(x, k):
    return (
        x * [1, 2, 3, 4], [1, 2, 3, 4] * x, x + (1, 2, 3, 4), k + [1.5, 2, 3], x > [0, 0, 5, 0],
        x == [3, -1, 2, 0.5], x @ [1, 2, 3, 4], k ** [2, 1, 0], np.where([True, False, True], k, 0),
    )  # fmt: skip


@case((3, X[:3]))
def grown_lists_beside_arrays(n: int, x):
    v = [i + 1 for i in range(n)]
    return x * v, v * x, x + v, x > v, x @ v, np.dot(v, v), x == v, v / x


# A NumPy int repeats a list, and a NumPy scalar is added to each element of one.
@case((2, X), (0, X), (-1, X))
def scalars_beside_lists(n: int, x):
    k = np.int64(n)
    return [1, 2] * k, k * [1, 2], np.float64(2) + [1, 2], [1, 2] - x[0], x[0] > [0, 9]


# Questions about types are answered while compiling.
@case((X, Z))
def questions_about_types(x, z):
    return (
        np.isscalar(x), np.isscalar(x[0]), np.iscomplexobj(z), np.isrealobj(x),
        np.result_type(x, z), np.promote_types("i4", "f4"), np.can_cast(np.int32, np.float64),
        np.issubdtype(x.dtype, np.floating), np.iterable(x), np.ndim(3), np.size(x, 0),
    )  # fmt: skip


# What shares memory.
@case((X, X), (X, X.copy()))
def memory_that_is_shared(x, y):
    a, b = x + 1, x + 1
    return np.shares_memory(x, y), np.may_share_memory(x, x[1:]), np.shares_memory(a, b), a is b


# squeeze() drops what has one element.
@case((np.ones((1, 3, 1)),))
def squeezed(x):
    y = np.squeeze(x)
    y[0] = 7.0
    return y, x.squeeze().sum(), y.shape


# An array of numbers that are made one by one.
@case((X,))
def array_of_an_iterator(x):
    return np.fromiter((v * 2 for v in x), float), np.fromiter([1, 2, 3], dtype=np.int32)


# Gauss's rule, whose places and weights NumPy finds from the eigenvalues of a matrix.
@case((0.0, 2.0), (-1.0, 1.0))
def quadrature(low: float, high: float):
    places, weights = np.polynomial.legendre.leggauss(4)
    half = (high - low) / 2
    return half * np.sum(weights * np.exp(half * places + (low + high) / 2))


@case(
    (np.array([0.0, 1.0, 2.0, 3.0]), np.array([1.0, 2.5, 0.0, -1.0])),
)
def fitted_and_derived(x, y):
    line = np.polynomial.polynomial.polyfit(x, y, 1)
    curve = np.polynomial.Polynomial([1.0, -2.0, 0.5])
    slopes = np.polynomial.polynomial.polyder([1.0, 2.0, 3.0])
    return line, slopes, curve.deriv()(x), curve.integ()(2.0), np.polynomial.polynomial.polyint(y)


# Parameters by the names that the method has, which are not always those of the function.
@case((np.array([3.0, 1.0]), np.float32(2)), (np.array([[1, 2]]), np.int8(7)))
def parameters_of_methods(x, c):
    x.put(indices=[0], values=[5], mode="wrap")
    picked = np.zeros(x.shape, int).choose(x, -x), x.conj(np.zeros_like(x))
    repeated = x.repeat(repeats=2, axis=0), c.repeat(2, axis=0), c.take([0, 0], axis=-1)
    return x, picked, repeated, np.arange(stop=3), np.arange(step=2, start=1, stop=6)
