"""Programs whose ``try`` may end half way through a write, or in the middle of a list; see
``programs``.
"""

from __future__ import annotations

import numpy as np

from tests.autodiff.programs import X, differentiable


@differentiable((X, 1.0), (X, 1e200))
def written_before_it_overflows(x, scale):
    y = x * 1.0
    try:
        with np.errstate(all="raise"):
            y[1:] *= scale
            y[1:] *= scale
            y += 1
    except FloatingPointError as error:
        y[1:] = len(str(error)) * x[0]
    return (y * y).sum()


@differentiable((X, 1.0), (X, 1e200))
def thrown_away_since_it_overlaps(x, scale):
    y = x * scale
    try:
        with np.errstate(over="raise"):
            y *= y[::-1]
            y *= y[::-1]
    except ArithmeticError:
        y /= scale
    return (y * x).sum()


@differentiable((X, 0), (X, 1), (X, 9))
def several_writes_of_which_one_raises(x, n):
    y = x * 1.0
    total = 0.0
    for k in range(4):
        try:
            with np.errstate(all="raise"):
                y[k] = np.exp(x[k] * k * 0.1)
                y[: k + 1] -= x[0]
                y *= 1e308 if k == n else 1.5
                y *= 1e308 if k == n else 0.5
                total = total + y[k]
        except Exception as error:
            y[:] = x * len(str(error))
            total = total * y[0]
    return total * (y * x).sum()


@differentiable((X, 0), (X, 3))
def at_indexes(x, n):
    y = x * 1e10
    with np.errstate(over="raise"):
        try:
            for scale in (2.0, 0.5, 1e100):
                np.multiply.at(y, [0, n, 0], scale)
        except FloatingPointError:
            y[:] = x * x
        try:
            np.add.at(y, [0, n + 1], x[1])
        except IndexError:
            y[1] = x[0]
    return (np.log(y) * x).sum()


@differentiable((X, 0), (X, 2))
def not_written_if_it_fits_nowhere(x, n):
    y = x * 1.0
    try:
        y[:2] = x[1 : 2 + n]
        np.add(x, y[: 4 - n], out=y)
        y.sort()
        np.copyto(y[:2], x[n:])
    except ValueError as error:
        y *= len(str(error))
    return (y * x).sum() + y[0]


@differentiable((X, 2.0), (X, 1e160))
def masked(x, scale):
    y = x * 2.0
    with np.errstate(over="raise"):
        try:
            for _ in range(2):
                np.multiply(y, scale, out=y, where=np.array([True, False, True, False]))
            y += x
        except FloatingPointError:
            y[::2] = 3.0
    return (y * x).sum()


@differentiable((X, 2.0), (X, 1e200))
def in_rounds(x, scale):
    y = x * 2.0
    count = 0
    with np.errstate(over="raise"):
        try:
            while y[0] < 20.0 and count < 5:
                y *= scale
                for _ in range(2):
                    y += x
                count += 1
        except FloatingPointError:
            y[::2] = 3.0
    return (y * x).sum() + count


# --- lists ----------------------------------------------------------------------------------------


@differentiable((X, 0), (X, 1), (X, 3))
def taken_from_the_middle(x, n):
    items = [x[0], x[1], x[2]]
    total = 1.0
    for i in range(4):
        try:
            total = total * items.pop(n)
            items.insert(1, total)
            del items[n + i]
            items.append(x[3])
        except IndexError as error:
            total = total * len(str(error))
            items.insert(0, x[i])
    for value in items:
        total = total * value + value
    return total


@differentiable((X, 0), (X, 1), (X, 2))
def removed_and_sorted(x, n):
    items = [x[0], x[1], x[2]]
    total = 1.0
    for i in range(4):
        try:
            items.remove(x[n + i])
            total = total * items[0]
            items[1:1] = [total, x[i]]
            del items[:: n + 2]
            items.extend(x)
            items.sort()
            items.pop(-5 * i)
        except (ValueError, IndexError) as error:
            total = total * len(str(error)) * x[3]
    for value in items:
        total = total * value + value
    return total


@differentiable((X, 0), (X, 2))
def removed(x, n):
    items = [(x[0], 1), (x[1], 2), (x[2], 3)]
    items.remove(items[n])
    total = 1.0
    for value, count in items:
        total = total * value + value * count
    return total


@differentiable((X, 0), (X, 1))
def lists_of_arrays(x, n):
    items = [x * 1.0, x * 2.0, x * 3.0]
    total = 1.0
    for i in range(3):
        try:
            taken = items.pop(n)
            taken *= x[i]
            items.insert(0, taken)
            items[n + i] += 1
            total = total + items.pop(1).sum()
        except IndexError as error:
            total = total * len(str(error)) * x[1]
            items.append(x * total)
    for each in items:
        total = total + (each * each).sum()
    return total
