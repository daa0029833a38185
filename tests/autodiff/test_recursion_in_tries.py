"""Functions that call themselves in a ``try`` of their own, and write to memory."""

from __future__ import annotations

import numpy as np
import pytest

import staticpy
from tests.autodiff.programs import X
from tests.autodiff.test_gradients import slope


def a_try_in_each_call(x, n):
    y = x * 1.0

    def rec(k):
        t = 0.0
        try:
            y[k] = y[k] * x[k - 1]
            t = y[k]
            if k < n:
                t = t * rec(k + 1)
            y[0] += t
        except IndexError:
            y[1] = t + x[1]
        return t + y[1]

    return rec(1) * y.sum()


def calls_in_loops_in_a_try(x, n):
    y = x * 1.0

    def rec(k, z):
        for i in range(k):
            z[i] = z[i] * x[k] + rec(k - 1, z[: i + 1])
        return z.sum()

    t = 1.0
    for i in range(3):
        try:
            t = t + rec(n + i, y)
        except IndexError:
            t = t * y[0]
    return t * y.sum()


@pytest.mark.slow
def test_a_try_in_each_call() -> None:
    compiled = staticpy.jit(a_try_in_each_call)
    slope_of = staticpy.grad(compiled)
    for n in (0, 2, 5):
        found = slope_of(X, n)
        np.testing.assert_allclose(found, slope(compiled, (X, n)), rtol=1e-6, atol=1e-7)
        np.testing.assert_array_equal(found, staticpy.grad(a_try_in_each_call)(X, n))


def test_calls_in_loops_in_a_try() -> None:
    compiled = staticpy.jit(calls_in_loops_in_a_try)
    slope_of = staticpy.grad(compiled)
    for n in (0, 1):
        found = slope_of(X, n)
        np.testing.assert_allclose(found, slope(compiled, (X, n)), rtol=1e-6, atol=1e-7)
        rows = staticpy.hvp(compiled, (X, n), (np.ones(4), None))
        ahead, behind = slope_of(X + 1e-6, n), slope_of(X - 1e-6, n)
        np.testing.assert_allclose(rows, (ahead - behind) / 2e-6, rtol=1e-5, atol=1e-4)


class Limit(ValueError):
    """What is too much, with what was computed so far."""

    def __init__(self, limit):
        self.limit = limit


def attributes_in_each_call(x, n):
    def rec(k):
        try:
            if x[k] > 1.0:
                raise Limit(x[k] * x[0])
            y = np.sin(x[k])
        except Limit as error:
            y = error.limit * x[1]
        return y if k == 0 else y * rec(k - 1)

    return rec(n) * x[2]


def attributes_of_what_a_call_raises(x, n):
    def rec(k):
        if k == 0:
            raise Limit(x[n] * x[0])
        return rec(k - 1) * 2

    try:
        return rec(n) * x[2]
    except Limit as error:
        return error.limit


def test_what_a_function_reads_of_its_own_exceptions() -> None:
    compiled = staticpy.jit(attributes_in_each_call)
    for n in (0, 1, 3):
        found = staticpy.grad(compiled)(X, n)
        np.testing.assert_array_equal(found, staticpy.grad(attributes_in_each_call)(X, n))
        along = staticpy.jvp(compiled, (X, n), (np.cos(X), None))[1]
        np.testing.assert_allclose(along, found @ np.cos(X), rtol=1e-14)


def test_what_comes_from_a_call_is_refused() -> None:
    compiled = staticpy.jit(attributes_of_what_a_call_raises)
    with pytest.raises(staticpy.CompileError, match="an attribute of an exception"):
        staticpy.grad(compiled)(X, 2)
