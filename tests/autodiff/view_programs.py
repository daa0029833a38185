"""Programs that write to arrays of which they hold views, and what may be a view or a copy; see
``programs``.
"""

from __future__ import annotations

import numpy as np

from staticpy import grad
from tests.autodiff.programs import X, differentiable

# --- views ----------------------------------------------------------------------------------------


@differentiable((X, 2), (X, 0))
def rows_that_a_loop_carries(x, n):
    h, hu = x, x * 2
    for _ in range(n):
        u = np.stack([h, hu]) * 0.9
        h, hu = u
        h[0] = hu[1] * x[0]
        u[1] *= h[1]
    return (h**2).sum() + (hu**2).sum()


@differentiable((X, 2))
def rows_that_are_read_by_element(x, n):
    h, hu = x, x * 2
    for _ in range(n):
        h, hu = np.stack([h, hu])
        s = 0.0
        for i in range(len(h) - 1):
            s += h[i] * hu[i + 1]
        hu = hu + s
    return (h**2).sum() + (hu**2).sum()


@differentiable((X, 2))
def columns_that_a_loop_carries(x, n):
    p, q = x, x * 2
    for _ in range(n):
        z = np.stack([p * q, np.sin(q)], axis=1)
        p, q = z.T
        p[1:] += q[:-1]
        z[0] = x[1]
    return (p * q).sum()


@differentiable((X, 2))
def parts_that_are_written_to(x, n):
    u, m = x * 1.0, np.outer(x, x)
    for _ in range(n):
        a, b = np.split(u, 2)
        a[0] = b[1] * 0.5
        u = np.concatenate([a * b, b])
        left, right = np.hsplit(m, 2)
        upper, lower = np.vsplit(m, 2)
        left *= right
        upper[0] = lower[1]
    return (u**2).sum() + (m**2).sum()


@differentiable((X, 2))
def rows_that_change_their_names(x, n):
    m = np.outer(x, x)[:3]
    a, b, c = m
    for i in range(n):
        a += b * c
        b[i] = c[i + 1]
        m[2] = a
        a, b, c = c, a, b
    return (m * m).sum() + (a * b).sum()


@differentiable((X, 2))
def diagonals_of_what_is_written_to(x, n):
    m = np.outer(x, x)
    d, e, g = m.diagonal(), np.diag(m, 1), np.diag(x)
    for i in range(n):
        m[i, i] = d[i] * d[i + 1]
        m[i + 1] += e.sum()
        d = np.diagonal(m[:, ::-1], -1)
    return (m**2).sum() + (d * x[:3]).sum() + (e**3).sum() + (g @ m).sum()


@differentiable((X, 2))
def diagonals_that_are_written_to(x, n):
    m = np.outer(x, x)
    d = np.einsum("ii->i", m)
    for i in range(n):
        d[i] = d[i + 1] * x[i]
        m[2] += d
    return (m**2).sum() + (d**2).sum()


# --- views or copies ------------------------------------------------------------------------------


@differentiable((X, 2), (X, 1))
def a_reshape_on_one_path(x, n):
    u = x * 1.0
    y = u.reshape(2, 2) if n > 1 else np.outer(x[:2], x[2:])
    u[0] = x[1] * x[1]
    return (y * y * y).sum() + u.sum()


@differentiable((X, 2))
def views_and_copies_by_reshape(x, n):
    u = np.outer(x, x)
    y, z = u.T.reshape(-1), u.reshape(-1)
    for i in range(n):
        u[0, i] = x[1] * x[i]
        y[i + 4] *= y[i + 3]
        z[3 * i] += y[i + 4]
    return (y**3).sum() + (u**2).sum() + z[2]


@differentiable((X, 2))
def views_or_copies_by_the_step(x, n):
    u = np.outer(x, x)
    v = x
    for i in range(1, n + 2):
        v, w = u[:, ::i].reshape(-1), u[::i].ravel()
        v[0] = w[1] * x[1]
        w[-1] = v[-1] * x[2]
        u[1] += x
    return (u**2).sum() + v[0] * v[1]


@differentiable((X, 2))
def a_reshape_that_a_loop_carries(x, n):
    u = np.outer(x, x)
    y = u.reshape(-1)
    for i in range(n):
        y[i] = u[1, i] * x[i]
        u = u.T.copy() if i % 2 else u.T
        y = u.reshape(-1)
        u[0] *= 1.5
    return (u**2).sum() + (y**3).sum()


@differentiable((X.copy(),))
def an_argument_that_is_reshaped(x):
    y = x.reshape(2, 2)
    y[0] *= y[1]
    x[2] = y[0, 1] * 2
    return (x * x).sum() + y[1, 0]


@differentiable((X,))
def arrays_in_an_order(x):
    u = np.outer(x, x)
    a, b = np.ascontiguousarray(u), np.ascontiguousarray(u.T)
    f, g = np.asfortranarray(u), np.asarray(u)
    a[0] = x * 2
    b[1] += g[0]
    f[2] *= a[1]
    return (u**2).sum() + (b**2).sum() + (f**3).sum() + (g * g)[1].sum()


@differentiable((X, 2))
def weights_in_a_row(x, n):
    w = x.reshape(2, 2)
    for i in range(n):
        g = np.tanh(w @ w).ravel()
        g[i] *= 0.5
        w = (w.ravel() - 0.1 * g).reshape(2, 2)
        w[0] += g[2:]
    return (w**3).sum()


@differentiable((X, 2))
def reshapes_of_nothing(x, n):
    y = x[:0].reshape(0, 3)
    u = x * 1.0
    v = u[:n].reshape(n, 1)
    u[:] = u * u
    return (v**2).sum() + y.sum() + u.sum()


# --- complex numbers ------------------------------------------------------------------------------


@differentiable((X, 2))
def real_and_imaginary_parts(x, n):
    z = x * (1 + 2j)
    y = np.zeros(4, complex)
    y.imag[1:] = z.real[1:]
    y.real[...] = z.imag * x
    for i in range(n):
        y.imag[i] += y.real[i + 1] * y.imag[i + 1]
    return (np.abs(y) ** 2).sum() + (y * y).real.sum()


@differentiable((X, 3))
def parts_that_a_loop_carries(x, n):
    z = x * (1 + 1j)
    part = z.imag
    for i in range(n):
        part[i] = part[(i + 1) % 4] * z.real[i]
        z = z * z * (0.7 - 0.2j)
        part = z.imag if i % 2 else z.real
    return (part**2).sum() + (np.abs(z) ** 2).sum()


@differentiable((X,))
def parts_of_rows(x):
    y = np.zeros((2, 4), complex)
    y[0] = x
    y[1].imag = x * x
    a, b = y
    b += a * 1j
    a.imag[:] = b.imag[::-1]
    y[0] *= y[1]
    y.real[1] -= y.imag[0] * 0.5
    w = y.T.copy()
    w.imag[1] = np.sin(w.real[1])
    return (np.abs(y) ** 2).sum() + (w**2).sum().real


@differentiable((X, 2))
def spectra_that_are_changed(x, n):
    z = np.fft.fft(x)
    for i in range(n):
        z.real[i + 1] = z.imag[i + 1] * x[i]
        z.imag[i] *= 0.5
    return (np.abs(np.fft.ifft(z)) ** 2).sum()


@differentiable((X, 2))
def parts_in_containers(x, n):
    z = x * (1 + 1j)
    held, rows = {"z": z, "part": z.imag}, [x * (1 - 1j), x * 2j]
    for i in range(n):
        held["part"][i] = held["z"][i + 1].real ** 2
        rows[i].imag[1] = rows[i - 1].real[1] * x[0]
    return sum((np.abs(row) ** 2).sum() for row in rows) + (held["z"] ** 2).imag.sum()


@differentiable((X, 2))
def pairs_of_numbers(x, n):
    z = np.zeros(4, complex)
    p = z.view(float)
    for i in range(n):
        p[::2] = x * x
        p[1 + i] += x[i] * p[2]
        z[1] = z[0] * z[2] * 1j
    y = (x * 2).view(np.complex128)
    y[0] = y[1] * y[0]
    return (np.abs(z) ** 2).sum() + (p**3).sum() + abs(y[0]) ** 2 + y.view(float)[1] ** 3


@differentiable((X,))
def complex_gradients_of_memory(x):
    def inner(z):
        z = z.copy()
        z[0].imag[:] = z[1].real
        z[2] *= z[0]
        s = 0j
        for i in range(2):
            s += z[i, i + 1] * z[2, i]
        np.copyto(z[1], z[0] * 1j, where=z[0].real > 0.5)
        np.put(z, [3, 5], z[2, :2] * 2j)
        z[1] **= 2
        z.T[0].imag = z.real[1]
        np.add.at(z, [1, 1, 2], z[0] * (1 - 2j))
        np.exp(z[3] * 0.1, out=z[3])
        return (s * np.conj(s)).real + (np.abs(z) ** 2).sum()

    z = np.outer(x, x) + 1j * x
    return inner(z) + (np.abs(grad(inner)(z)) ** 2).sum() * 0.01


@differentiable((X,))
def the_imaginary_part_of_reals(x):
    y = x * 1.0
    y.real[1:] = x[:3] * 2
    q = np.imag(y)
    y[0] = y.real[1] * y[2]
    return (y * y).sum() + q.sum()


@differentiable((np.outer(X, X)[:2, :2] / 3,), ((np.outer(X, X)[:2, :2] / 3).T,))
def line_that_a_loop_begins_with(x):
    line, total = x.reshape(-1), 0.0
    carried = line[::-1]
    for _ in range(3):
        for i in range(len(line)):
            total += carried[i] * line[i]
        carried = carried * total
    return total


# --- as_strided -----------------------------------------------------------------------------------


@differentiable((X,))
def windows_by_strides(x):
    y = np.sin(x)
    size, step = len(x) - 1, y.strides[0]
    seen = np.lib.stride_tricks.as_strided(y, (size, 2), (step, step))
    return (seen**2).sum() * seen[0, 1] + y[1]


@differentiable((np.outer(X, X)[:3],))
def of_an_array_that_lies_in_columns(x):
    y = np.sin(x).T
    seen = np.lib.stride_tricks.as_strided(y, shape=(2, 2, 3), strides=(8, 32, 0))
    return (seen**2).sum() + np.lib.stride_tricks.as_strided(y[::-1], (2,), (-8,)).prod()


@differentiable((X,))
def windows_in_a_loop(x):
    y, total = x * 1.0, 0.0
    for _ in range(len(x)):
        seen = np.lib.stride_tricks.as_strided(y[::-1], (2, 2), (-8, -8))
        total = total + (seen * seen).sum() * total + seen.sum()
        y = y * x
    return total


# --- views that see an element several times ------------------------------------------------------

windows = np.lib.stride_tricks.sliding_window_view


@differentiable((X,))
def rows_that_are_one_array(x):
    y = x * 2
    rows = np.broadcast_to(y, (3, len(y)))
    before = (rows * [[1.0], [2.0], [3.0]]).sum()
    y[0] = x[1] * x[2]
    y *= y
    return before * x[0] + (rows[1:] * rows[0]).sum() + (rows * rows).sum()


@differentiable((X, True), (X, False))
def rows_on_some_paths(x, is_wide):
    y = x * x
    rows = np.broadcast_to(y, (2, len(y))) if is_wide else np.outer(x, x)
    y[1:] = y[:-1] * x[0]
    return (np.sin(rows) * x).sum() + rows[1, 1] * y[2]


@differentiable((X, 3), (X, 0))
def columns_that_a_loop_reads(x, n):
    y = np.sqrt(x)
    columns = np.broadcast_to(y[:, None], (len(y), 2))
    total = 0.0
    for i in range(n):
        total += (columns[i] * columns[i + 1, 0]).sum() + columns[0, 1]
        y[i] = total * 0.1
        y[i + 1] *= columns[i, 0]
    return total * y[0] + (columns**2).sum()


@differentiable((X, 2), (X, 0))
def rows_that_a_loop_carries_and_holds(x, n):
    y, z = x * 1.0, x * x
    rows, kept = np.broadcast_to(y, (2, 4)), []
    for _ in range(n):
        kept.append(rows)
        y[0] = rows[1, 2] * rows[0, 3]
        rows = np.broadcast_to(z, (2, 4))
        z *= rows[0] * 0.5
    total = (rows[:, 1:] * x[0]).sum()
    for each in kept:
        total += (each * each).sum()
    return total


@differentiable((X,))
def rows_picked_by_indexes_and_masks(x):
    y = np.exp(x)
    rows = np.broadcast_to(y, (3, 4))
    y[2] = y[0] * x[3]
    picked = rows[[0, 2, 2], [1, 1, 2]]
    return (picked**2).sum() + (rows[rows > y[1]] ** 2).sum() + rows.T[2] @ rows[:, 0]


@differentiable((X,))
def parts_that_are_stretched(x):
    m = np.outer(x, x)
    seen = np.broadcast_to(m[::2, None, ::-3], (2, 3, 2))
    m[2] = m[0] * x[1]
    m[:, 0] += seen[0, 1, 0]
    return (seen**2 * [[1.0], [2.0], [3.0]]).sum()


@differentiable((X, 2), (X, 0))
def windows_of_what_is_smoothed(x, n):
    y = np.concatenate([x, x * x])
    seen = windows(y, 3)
    for i in range(n):
        y[1:-1] = seen.mean(axis=1)
        y[i] *= seen[i, 1] * seen[i + 2].sum()
    return (seen * seen[::-1]).sum() + (seen[1:, 0] ** 2).sum()


@differentiable((X,))
def windows_of_tables(x):
    m = np.outer(x, np.sin(x))
    seen = windows(m, (2, 3))
    rows = windows(m, 2, axis=1)
    m[1:3, 1:3] = m[:2, :2] * 2
    m += rows[0, 0, 0]
    return np.einsum("abij,ij->", seen * seen, m[:2, :3]) + (rows[..., 1] * rows[..., 0]).sum()


@differentiable((X,))
def windows_of_windows(x):
    y = x * x
    seen = np.broadcast_to(windows(windows(y, 3), 2, axis=1), (2, 2, 2, 2))
    y[1] = y[2] * x[0]
    return (seen**3).sum() + y[0]


@differentiable((X[:1], 3))
def one_number_that_is_stretched(x, n):
    y = x * 2.0
    many = np.broadcast_to(y, n)
    y *= x
    return (many**2).sum() + many[1] * x[0]


@differentiable((X, 2), (X, 1))
def stretched_together(x, n):
    y, z = x * 2.0, np.outer(x[:n], x[:1])
    rows, columns, ones = np.broadcast_arrays(y, z, 1.0)
    before = (rows * columns).sum()
    y[0] = x[1] * rows[0, 2]
    z *= columns[:, 1:2]
    y += x
    return before * x[0] + (rows * rows * columns * ones).sum() + rows[n - 1, 0]


@differentiable((X, 3), (X, 0))
def stretched_together_and_read_in_a_loop(x, n):
    y, total = x * x, 0.0
    rows = np.broadcast_arrays(y, np.ones((2, 1)))[0]
    for i in range(n):
        total += (rows[:, i:] * rows[1, i + 1]).sum()
        y[i] = total * 0.1
        y[i + 1] *= rows[0, i]
    return total * y[0] + (rows**2).sum()
