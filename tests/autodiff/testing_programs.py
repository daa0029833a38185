"""Programs with loops whose tests do more than to test; see ``programs``."""

from __future__ import annotations

import numpy as np

from tests.autodiff.programs import X, differentiable


@differentiable((X, 2), (X, 50))
def roots_in_the_test(x, n):
    s, k = 1.0, 0
    while abs(step := (s * s - x[0]) / (2 * s)) > 1e-3 and k < n:
        s = s - step
        k += 1
    return s * x[2] + step


@differentiable((X,))
def the_test_is_all(x):
    s = 2.0
    while (s := s * 0.5 + x[0] / s * 0.5) > x[1]:
        pass
    return s * x[2]


@differentiable((X,))
def ends_in_the_test(x):
    s, t = x[1], 0.0
    while (s := s * x[2] * 0.9) > 0.1:
        t += s
        if t > 0.8:
            break
        t *= 1.1
    else:
        t *= 3
    return t * s


@differentiable((X,))
def two_values_in_one_test(x):
    s, p = x[0], x[1]
    while (q := s * p) < 3 and (s := s + q * 0.5) < 2.5:
        p = p * 1.1 + q * 0.1
    return s * p * q


@differentiable((X,))
def tests_in_tests(x):
    s, t, r = x[3] * 2, 0.0, 0.0
    while (s := s * 0.7) > 0.5:
        r = s
        while (r := r * x[1] * 0.5) > 0.1:
            t += r * s
        t += r
    return t + s * r


@differentiable((X,))
def numbers_that_begin_otherwise(x):
    best, total, v = None, 0, x[0]
    while (v := v * x[1]) > 0.3:
        best = v if best is None or v > best else best
        total += v * v
    if best is None:
        return total * v
    return best * total + v


@differentiable((X,))
def stacks_in_the_test(x):
    stack = [x[0], x[1], x[2] * 2]
    t = 0.0
    while (v := stack.pop()) > 0.4:
        t += v * v
        if len(stack) < 2:
            stack.append(v * 0.4)
    return t * v


@differentiable((X, 3))
def trees_by_a_stack(x, n):
    due = [(x[0], n), (x[1], 1)]
    t = 0.0
    while due and (item := due.pop())[1] >= 0:
        value, depth = item
        t += value**2
        if depth > 0:
            due.append((value * 0.5, depth - 1))
            due.append((value * x[2], depth - 1))
    return t


@differentiable((X,))
def dicts_in_the_test(x):
    held, keys = {"a": x[0], "b": x[1], "c": x[2]}, ["a", "b", "c"]
    t, v = 0.0, 1.0
    while keys and (v := held.pop(keys.pop())) < 2:
        t = t * x[3] + v * v
    return t * v


@differentiable((X, 4))
def relaxing_in_the_test(x, n):
    u = x * 1.0

    def relax():
        u[1:-1] = 0.5 * (u[2:] + u[:-2])
        return abs(u[1] - u[2])

    k = 0
    while relax() > 0.01 and k < n:
        k += 1
        u[0] *= x[1]
    return (u * x).sum()


@differentiable((X,))
def arrays_in_the_test(x):
    u = x * 1.0
    while (r := np.abs(u := u * x * 0.6).max()) > 0.2:
        u[0] += r * 0.01
    return u.sum() + r


@differentiable((X,))
def items_in_the_test(x):
    items = iter(x.tolist())
    t = 0.0
    while (v := next(items, -1.0)) >= 0:
        t += v * v
    return t + v
