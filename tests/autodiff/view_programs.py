"""Programs that write to arrays of which they hold views, and what may be a view or a copy; see
``programs``.
"""

from __future__ import annotations

import numpy as np

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
