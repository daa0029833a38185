"""Programs that are differentiated: each a function of its first argument, with arguments to try.

``@differentiable((x, …), …)`` enters a program into ``PROGRAMS``. A program gives one real number,
and is smooth at the points that it is tried on. Central differences are the judge.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from staticpy import grad

PROGRAMS: list[tuple[Callable[..., Any], tuple[Any, ...]]] = []
X = np.array([0.3, 0.9, 0.7, 1.2])
SQUARE = np.array([[0.2, -0.4], [0.7, 0.3]])


def differentiable(*calls: tuple[Any, ...]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def enter(function: Callable[..., Any]) -> Callable[..., Any]:
        PROGRAMS.extend((function, args) for args in calls)
        return function

    return enter


# --- numbers and arrays ---------------------------------------------------------------------------


@differentiable((1.3,))
def product_of_functions(x):
    return math.sin(x) * x**2


@differentiable((X, X[::-1].copy(), 0.5), (X[:1], X[:1], 0.5))
def weighted_mean(x, y, b):
    return (np.tanh(x * y + b) ** 2).mean() + x.sum() * 0.25


@differentiable((SQUARE, np.array([0.5, -1.0]), np.array([[1.0, 2.0], [0.5, -1.0], [2.0, 0.0]])))
def layer(w, b, x):
    return ((np.tanh(x @ w + b) - 0.5) ** 2).sum(axis=1).mean()


@differentiable((X,))
def slices_and_elements(x):
    steps = x[1:] - x[:-1]
    return (steps**2).sum() + x[::2].mean() + x[-1] * x.max()


@differentiable((X, np.array([0, 2, 2])))
def picked_twice(x, places):
    return (x[places] ** 3).sum()


@differentiable((X,))
def one_array_for_two_operands(x):
    return np.vecdot(x, x) + np.kron(x, x).sum() * np.convolve(x, x).sum()


@differentiable((0.4,))
def closures(x):
    y = np.sin(x)

    def scaled(z):
        return z * x

    return scaled(y) + scaled(x * 2)


@differentiable((0.3,))
def in_an_errstate(x):
    with np.errstate(all="ignore"):
        y = np.exp(x) * x
    return y / (1 + y)


@differentiable((np.array([0.5, 1.5, 2.5]),))
def standard_deviation(x):
    return x.std() / x.mean()


# --- branches -------------------------------------------------------------------------------------


@differentiable((2.0,), (0.5,))
def branch(x):
    return 3 * x if x > 1 else x * x * x


@differentiable((1.3,), (0.1,), (9.0,))
def early_return(x):
    for _ in range(5):
        if x > 4:
            return x * x
        x = x * 1.5
    return x


@differentiable((0.4, 1), (0.4, 0), (-0.4, 1))
def nested_branches(x, n):
    y = 1.0
    if n:
        y = x * 2
        if x > 0:
            z = math.exp(x)
            y = y * z
    return y * x


# --- loops ----------------------------------------------------------------------------------------


@differentiable((1.1, 5), (1.1, 0), (1.1, 1))
def horner(x, n):
    y = 1.0
    for i in range(n):
        y = y * x + i
    return y


@differentiable((0.7,), (200.0,))
def until_large(x):
    y = x
    while y < 100:
        y = y * y + 1
    return y


@differentiable((1.2, 8), (0.1, 8))
def leaves_in_the_middle(x, n):
    y = 1.0
    for _ in range(n):
        y = y * x * 0.5 if y * x > 2.5 else y + math.exp(x)
        if y > 20:
            break
    return y


@differentiable((0.3, 4), (0.3, 1))
def loops_in_loops(x, n):
    total = 0.1
    for i in range(n):
        for _ in range(i):
            total = total + math.sin(total) * x
            x = x * 1.1
    return total


@differentiable((0.8,))
def newton(x):
    root = 1.0
    while abs(root * root - x) > 1e-12:
        root = 0.5 * (root + x / root)
    return root * x


@differentiable((X,))
def elements_in_a_loop(x):
    total = 0.0
    for i in range(len(x)):
        total += x[i] ** 2 * i
    return total


@differentiable((X, 3))
def powers_of_an_array(x, n):
    y = x
    for _ in range(n):
        y = np.where(y > 1, np.sqrt(y), y * y)
    return (y * x).sum()


@differentiable((0.5, 7))
def continues(x, n):
    y = x
    for i in range(n):
        if i % 2:
            continue
        y = y * x + 1.0
    return y


@differentiable((0.5, 12, -3), (0.5, 1, -3))
def descending(x, start, step):
    y = 0.0
    for i in range(start, 0, step):
        y = y * x + i * x
    return y


# --- memory ---------------------------------------------------------------------------------------


@differentiable((X,))
def elements_written(x):
    y = np.zeros(4)
    for i in range(4):
        y[i] = x[i] ** 2
    y += 1
    y *= x
    return y.sum()


@differentiable((X,))
def heat(u):
    u = u.copy()
    for _ in range(3):
        u[1:-1] = u[1:-1] + 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2])
    return (u**2).sum()


@differentiable((X,))
def two_buffers(u):
    v = u.copy()
    for _ in range(3):
        v[1:-1] += 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2]) * v[1:-1]
        u, v = v, u.copy()
    return (v * u).sum()


@differentiable((X,))
def through_a_view(x):
    y = x * 2
    z = y[1:]
    z[0] = z[1] * z[0]
    y[0] = 7
    return (y * x).sum()


@differentiable((X,))
def in_place(x):
    y = x * 1.0
    y /= x[::-1] + 3
    y -= y * 0.5
    y *= y
    return y.sum()


@differentiable((X,))
def powers_and_remainders_in_place(x):
    y = x * 1.0
    y **= 2
    y %= 0.4
    z = y[1:]
    z **= x[:3]
    return (y * x).sum()


@differentiable((X,))
def matrices_in_place(x):
    y = np.outer(x, x) + 1
    y @= np.outer(x, x + 1)
    y /= y[0]
    return (y * x).sum()


@differentiable((X,))
def divided_by_itself(x):
    y = x * 1.0
    y /= y
    y *= y[0] + x
    y /= y[::-1] + x
    return (y * x).sum()


@differentiable((X, 3))
def rows_and_columns(x, n):
    a = np.outer(x, x)
    for i in range(n):
        a[i] = a[i - 1] * x
        a[:, 0] *= 0.5
    return a.sum()


@differentiable((X,))
def recurrence_with_branches(x):
    y = np.zeros(4)
    for i in range(1, 4):
        if x[i] > 0.8:
            y[i] = y[i - 1] + x[i]
        else:
            y[i] = y[i - 1] * x[i] + x[0]
    return y[-1] * y[1]


@differentiable((X,))
def masks(x):
    y = x.copy()
    y[x > 0.5] = y[x > 0.5] ** 2
    y[x < 0.5] = 0
    return y.sum() * x[0]


@differentiable((X,))
def argument_written(x):
    x[0] = x[1] * x[2]
    return (x**2).sum()


@differentiable((X[:3],))
def cholesky(x):
    low = np.zeros((3, 3))
    a = np.outer(x, x) + 3 * np.eye(3)
    for i in range(3):
        for j in range(i + 1):
            s = a[i, j]
            for k in range(j):
                s = s - low[i, k] * low[j, k]
            if i == j:
                low[i, j] = np.sqrt(s)
            else:
                low[i, j] = s / low[j, j]
    return low.sum()


@differentiable((X,))
def list_that_grows(x):
    held = [x[0], x[1]]
    for _ in range(3):
        held.append(held[-1] * held[-2])
    return held[-1] * 1.0


@differentiable((X,))
def stack(x):
    total = 0.0
    held = []
    for i in range(len(x)):
        held.append(x[i] * i)
        if i % 2:
            total += held.pop() ** 2
    return total


@differentiable((X,))
def histogram(x):
    sums = np.zeros(2)
    np.add.at(sums, np.array([0, 1, 0, 1]), x)
    return (sums**2).sum()


@differentiable((X,))
def while_in_memory(x):
    y = np.empty(4)
    y[:] = x
    y[1:3] = y[1:3] * y[0]
    rounds = 0
    while y[0] < 5 and rounds < 6:
        y[0] = y[0] * 1.7 + x[1]
        rounds += 1
    return y.sum()


@differentiable((X,), (X * 0.5,))
def one_of_two_arrays(x):
    a, b = x.copy(), x.copy()
    c = a if x[0] > 0.2 else b
    c[0] = c[1] * 2
    return (a * b).sum()


@differentiable((1.5,))
def tuple_stored(x):
    y = np.zeros(4)
    y[-2:] = (x, 0)
    y[:2] = [x * x, -x]
    return (y * np.arange(4.0)).sum()


@differentiable((X,))
def transposed_and_copied(x):
    y = x.reshape(2, 2)
    z = y.T.copy()
    z[0] += y[1]
    return (z @ y).sum()


@differentiable((X, 0), (X, 3))
def list_with_items_before_the_loop(x, n):
    held = [x[0], x[1]]
    for _ in range(n):
        held.append(held[-1] * held[-2])
    return held[-1] * 1.0


@differentiable((X, 0), (X, 3))
def items_written(x, n):
    held = [x[0] * 2]
    for i in range(n):
        held.append(held[i] * x[1])
        held[0] = held[0] * x[2]
    return held[0] * held[-1]


@differentiable((X, 0), (X, 3))
def list_gone_through(x, n):
    held = [x[0] * 2, x[1]]
    for i in range(n):
        held.append(x[i] * held[0])
    total = 0.0
    for value in held:
        total += value * value
    return total


@differentiable((X, 0), (X, 3))
def list_of_arrays(x, n):
    rows = [x * 1.0]
    for _ in range(n):
        rows.append(rows[-1] * x)
        rows[0] = rows[0] + 1
    total = 0.0
    for row in rows:
        total = total + (row**2).sum()
    return total


@differentiable((X, 3))
def elements_exchanged(x, n):
    for i in range(n):
        j = (i * 2 + 1) % 4
        x[i], x[j] = x[j] * x[0], x[i]
    return (x * np.arange(4.0)).sum()


@differentiable((X,))
def gaussian_elimination(x):
    a = np.outer(x, x) + np.eye(4) * 4
    b = x.copy()
    for k in range(3):
        for i in range(k + 1, 4):
            m = a[i, k] / a[k, k]
            a[i, k:] -= m * a[k, k:]
            b[i] -= m * b[k]
    z = np.zeros(4)
    for i in range(3, -1, -1):
        z[i] = (b[i] - a[i, i + 1 :] @ z[i + 1 :]) / a[i, i]
    return (z * z).sum()


@differentiable((X, 3))
def stencil_in_two_dimensions(x, n):
    u = np.zeros((4, 4))
    u[0] = x
    for _ in range(n):
        v = u.copy()
        around = v[:-2, 1:-1] + v[2:, 1:-1] + v[1:-1, :-2] + v[1:-1, 2:]
        u[1:-1, 1:-1] = 0.25 * around * x[1]
    return (u**2).sum()


@differentiable((X, 3))
def best_of_several(x, n):
    best = x
    for i in range(n):
        candidate = best * 1.0
        candidate[i] += x[i]
        if candidate.sum() > best.sum():
            best = candidate
    return (best**2).sum()


@differentiable((X, 1.5), (-X, 1.5))
def made_in_a_branch_and_read_in_a_loop(x, a):
    z = x - a if x[0] > 0 else x * a
    total = 0.0
    if z.sum() > 0:
        for each in z:
            total += each
    else:
        x = z
    return (x * x).sum() + total


@differentiable((X,))
def backwards(x):
    y = np.zeros(4)
    for i in range(4):
        y[3 - i] += x[i] * (y[i] + 1)
    y = y[::-1]
    y[0] -= x[0]
    return (y * x).sum()


# --- derivatives in programs ----------------------------------------------------------------------


@differentiable((0.7,))
def slope_of_a_closure(x):
    def inner(y):
        return math.sin(y) * x * y

    return grad(inner)(x) * x


@differentiable((1.5, 4))
def descent(x, steps):
    for _ in range(steps):
        x = x - 0.1 * grad(lambda z: (z - 0.3) ** 4)(x)
    return x


# --- what loops save ------------------------------------------------------------------------------


@differentiable((X, 2, 5), (X, 3, 3), (X, 3, 1))
def rows_from_a_start(x, start, stop):
    for i in range(start, stop):
        x = np.sin(x * i) * (1.5 - x)
    return x.sum()


@differentiable((SQUARE, 2), (np.asfortranarray(SQUARE), 2), (SQUARE.T, 0))
def rows_of_two_axes(w, n):
    h = np.eye(2) * 0.5
    for _ in range(n):
        h = np.tanh(h @ w + 0.1) * (1 - h @ w)
    return (h * h).sum(axis=1).mean()


@differentiable((X, 3, 2))
def rows_of_rows(x, n, m):
    total = 0.0
    for i in range(n):
        y = x * (i + 1)
        for j in range(1, m + 1):
            y = np.exp(-y / j) * y
        total += (y * y).sum()
    return total


@differentiable((X, 3))
def rows_of_slices(x, n):
    u = x.copy()
    for _ in range(n):
        u[1:-1] += 0.1 * u[2:] ** 2 * u[1:-1] * u[:-2]
    return (u * u).sum()


@differentiable((X, 4))
def stretched_in_a_loop(x, n):
    total = 0.0
    for i in range(n):
        table = x[:, None] * x[1:] + i
        total += (table**2).mean() * table.shape[1]
    return total


@differentiable((X, 3))
def found_by_what_varies(x, n):
    known = {}

    def half_of_square(y):
        if y not in known:
            known[y] = y * y * 0.5
        return known[y]

    total = 0.0
    for i in range(n):
        total = total + half_of_square(x[i]) * half_of_square(x[i % 2])
    return total + known.get(x[0], 0.0) * known.pop(x[1])
