"""Programs with memory that forward mode has a way through, and reverse mode in part."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

WRITING: list[Callable[[Any], Any]] = []


def writing(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    WRITING.append(function)
    return function


@writing
def tuples_in_lists(x):
    held = [(x[i], i) for i in range(len(x))]
    held.append((x[0] * 2, 7))
    total = 0.0
    for v, i in held:
        total += v * v * i
    return total


@writing
def dict_memory(x):
    d = {}
    for i in range(len(x)):
        d[i % 3] = x[i] * 2
    d[1] = d[1] * d[0]
    total = 0.0
    for k in d:  # noqa: PLC0206 - by its keys
        total += d[k] ** 2
    for k, v in d.items():
        total += k * v
    for v in d.values():
        total += v * v
    return total + d.pop(2) + d.get(9, x[0] * 3)


@writing
def methods_of_lists(x):
    items = [x[0]]
    for i in range(3):
        items.insert(0, x[i] * items[0])
    items.extend([x[1], 2.0])
    items.reverse()
    del items[1]
    m = items[1:] + items[:2]
    m = m * 2
    items[0:2] = [x[2] * x[2]]
    n = items.copy()
    n.append(x[3])
    n.clear()
    return sum(m) + items[0] + len(n) + math.fsum(m)


@writing
def array_of_a_list(x):
    items = []
    for value in x:
        items.append(value**2)  # noqa: PERF401 - a list that grows
    return (np.array(items) * x).sum()


@writing
def sorted_in_place(x):
    y = x * np.array([1.0, -1.0, 2.0, 0.5])
    y.sort()
    z = np.sort(x)[::-1]
    return (y * np.arange(4.0) * z).sum()


@writing
def in_places(x):
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
    return (y * x).sum() + z.sum() + w.sum()


@writing
def writers(x):
    y = np.zeros((4, 4))
    np.fill_diagonal(y, x)
    np.copyto(y[0], x * 2)
    y[1].fill(x[2])
    np.put(y, [1, 6], x[:2] ** 2)
    np.putmask(y, y > 1, x * x)
    y.flat[3] = x[3] * x[0]
    np.place(y, y < 0.3, x[1:3])
    np.put_along_axis(y, np.array([[0], [1], [2], [3]]), x[0] * 3, 1)
    return (y**2).sum()


@writing
def int_stores(x):
    y = np.zeros(4)
    y[np.array([0, 1, 0])] = x[:3] * 2
    y[[1, 3]] += x[1:3]
    return (y * x).sum()


@writing
def reshaped_then(x):
    y = np.zeros(4)
    y[:] = x * x
    z = y.reshape(2, 2)
    w = z @ z
    y[0] = 5
    return w.sum() + y.sum()


@writing
def unpacked(x):
    y = np.outer(x, x)
    a, b, _, d = y
    a[0] = b[1] * 3
    y[2] *= 2
    return (y * y).sum() + d[0]


@writing
def matmul_in_place(x):
    y = np.outer(x, x) + np.eye(4)
    m = np.eye(4) * 2
    y @= m
    y @= np.outer(x, x)
    return y.sum()


@writing
def list_of_lists(x):
    rows = [[x[0], x[1]], [1.0, 2.0]]
    for i in range(2):
        rows[1][i] = rows[0][i] * x[2]
        rows.append([x[3]])
    return rows[1][0] * rows[1][1] + rows[-1][0]


@writing
def optional(x):
    best = None
    for i in range(len(x)):
        if best is None or x[i] > best:
            best = x[i] * 1.5
    return best * best


@writing
def starts_as_int(x):
    total = 0
    for i in range(len(x)):
        total += x[i] * i
    return total * 1.0


@writing
def starts_as_int_in_python(x):
    total = 0
    for v in x.tolist():
        total = total + v * v
    return total * 1.0


@writing
def with_try(x):
    try:
        n = int("3")
    except ValueError:
        n = 2
    return (x * n).sum()


@writing
def records(x):
    log = []

    def note(v):
        log.append(v)
        return v

    y = note(x[0] * x[1])
    z = note(y * x[2])
    return log[0] + log[1] * z


@writing
def printing(x):
    items = [x[0]]
    for i in range(2):
        items.append(x[i])  # noqa: PERF401 - a list that grows
    print(items, x[0], f"{x[1]:.2f}")
    return items[0] * items[1]
