"""Lists of numbers that stay within a function: no number becomes an object."""

# ruff: noqa: PERF401 - lists that grow are what this is about

from __future__ import annotations

import gc
import tracemalloc

import numpy as np
import pytest

import staticpy
from tests.support.direct import frames_of, outcome

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")


def floats(x, n):
    found = []
    for _ in range(n):
        found.append(x)
        x = 3.1 * x * (1 - x)
    total = 0.0
    for i in range(len(found)):
        total = total * 0.5 + found[-1 - i]
    return total, len(found)


def ints(x, n):
    found = []
    for i in range(n):
        found.append(i * i)
    for i in range(n):
        found[i] = found[i] - i
    return found[n // 2] if n else -1


def bools(x, n):
    found = []
    for i in range(n):
        found.append(i % 3 == 0)
    count = 0
    for each in found:
        if each:
            count += 1
    return count


def complex_numbers(x, n):
    found, z = [], 0.1j
    for _ in range(n):
        z = z * z + 0.1 * x
        found.append(z)
    return found[-1] if n else z


def scalars(x, n):
    found, y = [], np.float32(x)
    for _ in range(n):
        y = y * np.float32(1.5)
        found.append(y)
    return found[0] + found[n - 1] if n else y


def made_in_a_loop(x, n):
    total = 0.0
    for i in range(n):
        row = []
        for j in range(i):
            row.append(x * j)
        for each in row:
            total += each
    return total


PROGRAMS = [floats, ints, bools, complex_numbers, scalars, made_in_a_loop]


@pytest.mark.parametrize("n", [0, 1, 63, 64, 65, 1000])
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda function: function.__name__)
def test_same_as_cpython(function, n):
    native = staticpy.jit(function, backend="llvm")
    for _ in range(2):
        assert outcome(native, 0.4, n) == outcome(function, 0.4, n)


@pytest.mark.parametrize("function", [floats, ints, made_in_a_loop])
def test_no_python_runs(function):
    native = staticpy.jit(function, backend="llvm")
    for _ in range(2):
        native(0.4, 100)
    assert frames_of(native, 0.4, 100) == []


def beyond(x, n):
    found = []
    for i in range(n):
        found.append(x * i)
    return found[n]


def beyond_in_the_front(x, n):
    found = []
    for i in range(n):
        found.append(i > 2)
    found[-1 - n] = True
    return found[0]


@pytest.mark.parametrize("function", [beyond, beyond_in_the_front])
def test_an_index_out_of_bounds(function):
    native = staticpy.jit(function, backend="llvm")
    for n in (0, 3, 100):
        for _ in range(2):
            assert outcome(native, 1.5, n) == outcome(function, 1.5, n)
            with pytest.raises(IndexError) as caught:
                native(1.5, n)
            assert caught.traceback[-1].name == function.__name__


def too_large(x, n):
    found = []
    for i in range(n):
        found.append(10**18 * (i + 1))
    return found[n - 1]


def test_ints_beyond_64_bits():
    native = staticpy.jit(too_large, backend="llvm")
    for n in (3, 9, 10, 30):
        assert native(0.0, n) == too_large(0.0, n)


def given_out(x, n):
    found = []
    for i in range(n):
        found.append(x * i)
    return found, found[0]


def test_a_list_that_others_see_is_a_list():
    native = staticpy.jit(given_out, backend="llvm")
    for _ in range(2):
        assert outcome(native, 0.5, 9) == outcome(given_out, 0.5, 9)


def test_memory_is_given_back():
    native = staticpy.jit(beyond, backend="llvm")
    rows = staticpy.jit(made_in_a_loop, backend="llvm")
    tracemalloc.start()
    try:
        sizes = []
        for _ in range(3):
            for _ in range(20):
                rows(0.5, 100)
                with pytest.raises(IndexError):
                    native(0.5, 10_000)
            gc.collect()  # tracebacks hold the lists that the kernel got
            sizes.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    assert sizes[2] - sizes[1] < 50_000


def logistic(x, n):
    for _ in range(n):
        x = 3.1 * x * (1 - x)
    return x


def halved(x, n):
    y = x
    for i in range(n):
        y = 0.5 * y * x if y > 1 else y * 1.5 + x
        if i > 40:
            break
    return y


@pytest.mark.parametrize("function", [logistic, halved])
def test_the_way_back_of_a_loop(function):
    source = staticpy.grad(staticpy.jit(function, backend="python_source"))
    native = staticpy.grad(staticpy.jit(function, backend="llvm"))
    for n in (0, 1, 5, 100):
        for _ in range(2):
            assert native(0.4, n) == source(0.4, n)
