"""Programs that write to arrays by other ways than a plain index; see ``programs``."""

from __future__ import annotations

import numpy as np

from tests.autodiff.programs import X, differentiable


@differentiable((X,))
def stores_by_indexes(x):
    y = np.zeros(4)
    y[np.array([0, 1, 0])] = x[:3] * 2
    y[[1, 3]] += x[1:3]
    y[[0, 0]] = x[1:3] * y[[0, 0]]
    return (y * x).sum()


@differentiable((X,))
def stores_by_two_axes_of_indexes(x):
    y = np.outer(x, x)
    i = np.array([[0, 1], [1, 1]])
    y[i] = np.outer(x[:2], x).reshape(2, 1, 4) * y[0]
    y[:, i] = y[:, :2, None] * 2
    y[i, i[::-1]] = x[:2]
    y[np.ix_([0, 0, 2], [1, 1])] = x[:2]
    return (y * y).sum()


@differentiable((X, 3), (X, 0), (X, 1))
def stores_by_indexes_that_change(x, n):
    y = x * 1.0
    i = np.array([0, 1, 0])
    for k in range(n):
        y[i] = np.sin(y[i + 1]) * x[:3]
        i[1] = k
    return (y * y).sum()


@differentiable((X,))
def functions_that_write(x):
    y = np.zeros((4, 4))
    np.fill_diagonal(y, x)
    np.copyto(y[0], x * 2)
    y[1].fill(x[2])
    np.put(y, [1, 6, 1], x[:3] ** 2)
    np.putmask(y, y > 1, x * x)
    y.flat[3] = x[3] * x[0]
    y.flat[[3, 3]] = x[2:] * x[0]
    np.place(y, y < 0.3, x[1:3])
    np.put_along_axis(y, np.array([[0], [1], [2], [3]]), x[0] * 3, 1)
    np.put_along_axis(y, np.array([[0, 1, 0, 2]]), y[1] * x[1], 0)
    np.put_along_axis(y, np.array([2, 2, 3]), x[:3] * x[1], None)
    np.copyto(y, x[:, None], where=y > 0.8)
    return (y**2).sum()


@differentiable((X,))
def results_into_arrays(x):
    y = np.zeros(4)
    np.exp(x, out=y)
    np.multiply(y, x, y)
    np.add(y, y, out=y)
    np.sqrt(y, out=y, where=x > 0.5)
    z = np.zeros((4, 4))
    np.multiply.outer(x, y, out=z)
    w = np.zeros((4, 4))
    np.matmul(z, z, out=w)
    np.dot(w, z, out=z)
    s = np.zeros(4)
    z.sum(axis=0, out=s)
    np.mean(w, axis=1, out=s[:])
    np.cumsum(s, out=y)
    np.clip(y, 0.1, 2.5, out=y)
    np.maximum.reduce(w, axis=1, out=s)
    np.add.reduce(z, 0, None, x[:0].sum() + np.zeros(4))
    np.concatenate([x[:2], s[2:]], out=s)
    u = np.zeros(4)
    np.max(z, axis=0, out=u)
    return (y * x).sum() + s.sum() + (z * z).sum() * 1e-3 + u.sum()


@differentiable((X,))
def results_where_a_mask_says(x):
    y = np.ones(4)
    np.divide(x, x - 0.9, out=y, where=np.abs(x - 0.9) > 1e-3)
    z = np.zeros(4)
    np.log(y * y, out=z, where=y > 0)
    return y.sum() + (z * x).sum()


@differentiable((X,))
def results_of_other_dtypes(x):
    y = np.zeros(4, "f4")
    z = np.zeros(4, complex)
    np.multiply(x, 2, out=z)
    np.multiply(z, 1 + 1j, out=z)
    np.multiply(x, x, out=y, casting="same_kind")
    return (z.real * z.imag).sum() + 0.0 * y.sum()


@differentiable((X,))
def operators_in_place(x):
    y = x + 1
    y **= 2
    y %= 3.0
    z = x.copy()
    z **= y
    z /= z + 1
    z -= z * y
    z *= z
    z //= 0.1
    w = x * 1
    w *= x
    w /= 2
    w += w
    w -= w * 0.25
    w **= w
    m = np.outer(x, x) + np.eye(4)
    m @= m.T.copy()
    return (y * x).sum() + z.sum() + w.sum() + m.sum()


@differentiable((X,))
def sorted_in_place(x):
    y = x * np.array([1.0, -1.0, 2.0, 0.5])
    y.sort()
    q = np.outer(x, y)
    q.sort(axis=0)
    q.partition(1)
    z = np.sort(x)[::-1]
    return (y * np.arange(4.0) * z).sum() + (q * np.arange(16.0).reshape(4, 4)).sum()


@differentiable((X, 3), (X, 0), (X, 1))
def results_into_arrays_in_a_loop(x, n):
    y = x.copy()
    t = np.zeros(4)
    for _ in range(n):
        np.sin(y, out=t)
        np.multiply(t, x, out=y)
        np.add(y[:-1], t[1:], out=y[1:])
        np.add.at(y, [0, 0, 1], t[:3])
    return (y * t).sum()


@differentiable((X,))
def two_results_into_arrays(x):
    a = np.zeros(4)
    b = np.zeros(4)
    np.modf(x * 3, a, b)
    np.divmod(x * 3, 0.71, out=(b, None))
    return (a * a).sum() + b.sum()


@differentiable((X,))
def masks_and_indexes_that_change_later(x):
    y = x * 1.0
    m = y > 0.5
    places = [0, 1]
    y[m] = x[0]
    y[places] = y[places] * x[:2]
    places[0] = 3
    m[:] = False
    np.copyto(y, x * x, where=m)
    return (y * x).sum()


@differentiable((X,))
def results_into_views(x):
    y = np.zeros((2, 4))
    np.sin(x, out=y[1])
    np.cos(y[1], out=y[0])
    r = y.T
    np.multiply(r, 2.0, out=r)
    return (y[0] * y[1] * x).sum()


@differentiable((X[:0],), (X[:1],))
def few_elements(x):
    y = x * 2
    places = np.arange(len(x))
    y[places] = x * y[places]
    np.multiply(y, x, out=y)
    np.put(y, places, y * x)
    return (y * x).sum()


@differentiable((X,))
def views_of_complex_numbers(x):
    z = np.zeros(4, complex)
    z[:] = x * 2
    z[:] = z * (1 + 1j)
    return (z.real * z.imag * x).sum()


@differentiable((X,))
def parts_of_complex_numbers(x):
    z = np.zeros(4, complex)
    z.real = x * 2
    z.imag = x * x
    z *= 1 + 2j
    z[1:].imag = x[0]
    z.real[:2] = x[1:3]
    y = np.zeros((2, 4))
    y.flat = x * x[1]
    y.real = y * x
    np.subtract.at(y, (0, np.array([1, 1])), x[:2])
    w = z * z
    return (w.real * x).sum() + w.imag.sum() + (y * y).sum()


@differentiable((X, [1, 1, 0]))
def indexes_in_a_list(x, places):
    y = x * 1.0
    y[places] = x[:3] * x[1:]
    y[places] += y[places] * 2
    return (y * x).sum()


@differentiable((X, 3), (X, 0))
def other_operations_at_indexes(x, n):
    y = np.outer(x, x[:3]) + 1
    places = np.array([0, 2, 0])
    for k in range(n):
        np.multiply.at(y, places, x[:3])
        np.divide.at(y, (places, slice(k)), 2 + x[0])
        places[1] = k
    np.maximum.at(y, ([0, 0, 1], 1), y[1] * 1.3)
    np.hypot.at(y, y > 1.5, x[1])
    np.logaddexp.at(y[0], 2, x[3])
    return (y * y).sum()


@differentiable((X, 2), (X, 4))
def lists_where_the_function_knows(x, n):
    y = np.outer(x, x)
    y.flat = [1.0, 2.0]
    y.flat[3:9] = [x[0], x[1] * x[2]]
    np.put(y, [1, 6], (x[3] * x[0], 3))
    np.put(y, [2], [4])
    items = [x[i] * x[i] for i in range(n)]
    np.place(y, y > 1, items)
    items[0] = x[1]
    np.putmask(y[2:], y[2:] < 1, items)
    np.fill_diagonal(y, [x[3], 0.5])
    return (y @ y * np.outer(x, x)).sum()


@differentiable((X, 2), (X, 3))
def lists_that_are_written(x, n):
    y = np.zeros((n, 4))
    for k in range(2):
        y[:, 1:] = [(x[i] * x[1:]) * (k + 1) for i in range(n)]
        y[0] += [each * each for each in x]
        x = x * 0.5
        y[1:, 0] = [row.sum() for row in y[1:]]
    rows = [x * 2]
    rows.append(y[1] * x)
    z = np.zeros((2, 4))
    np.copyto(z, rows)
    rows[0] = x
    np.add.at(z, (0, [1, 1, 3]), [each * x[0] for each in x[1:]])
    z[1, 2:] = x[0], 3.0
    return (y * y).sum() + (z**3).sum() + rows[0].sum()


@differentiable((X,))
def arrays_of_ints_or_floats_by_the_path(x):
    rows = [x[i] * x[:2] if x[i] > 0.8 else np.arange(2) for i in range(4)]
    return (np.array(rows) ** 2 * np.arange(2)).sum()
