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


# --- lists that begin with numbers ----------------------------------------------------------------


def pascal(x, n):
    row = [0] * (n + 1)
    row[0] = 1
    for i in range(1, n + 1):
        for j in range(i, 0, -1):
            row[j] = (row[j] + row[j - 1]) % 1000003
    return row[n // 2], len(row), x


def sorted_three(x, n):
    total = 0.0
    for i in range(n):
        three = [x * i, 0.5, -x]
        for k in range(1, 3):
            v, q = three[k], k - 1
            while q >= 0 and three[q] > v:
                three[q + 1] = three[q]
                q -= 1
            three[q + 1] = v
        total += three[1] + three[-1] * 2
    return total


def pairs(x, n):
    found = [x, 0.5] * n
    found.append(x + 1)
    for i in range(n):
        found[2 * i] = found[2 * i + 1] + i
        found.append(found[-3])
    total = 0.0
    for each in found:
        total = total * 0.75 + each
    return total, len(found)


def of_two_types(x, n):
    window, values = [0.0] * 9, np.full(9, x)
    for i in range(n):
        window[i % 9] = values[i % 9] * i
    first = window[0]
    return first + 1, window[8], window[3], type(first) is float


def ints_and_floats(x, n):
    found = [0] * 5
    found.append(0.5)
    for i in range(n):
        if i % 2:
            found[i % 6] = x
        else:
            found[i % 6] = i
    return found[0], found[1], found[5]


def flags(x, n):
    sieve, count = [True] * (n + 2), 0
    for i in range(2, n):
        if sieve[i]:
            count += 1
            for j in range(2 * i, n, i):
                sieve[j] = False
    return count, sieve[-1], x


def by_a_negative_number(x, n):
    found = [x] * (3 - n)
    return len(found)


def by_known_numbers(x, n):
    one, none, many = [x] * 3, [x] * -2, [n, 2] * 40
    many[3] = n * n
    return one[2], len(none), many[3] + many[-1], len(many)


def chosen(x, n):
    index = n > 2
    found = [x, 1.5, 2.5]
    found[index] = x * 3
    found[np.uint8(n % 3)] = x * 2
    return found[0], found[1], found[2]


def made_of_what_was_read(x, n):
    first, total = [n, n + 1, n + 2], 0
    for i in range(n):
        other = [first[i % 3]] * 4
        other[i % 4] += i
        first[0] = other[1] - other[0]
        total += first[0] + other[3]
    return total, first[0], x


def too_large_items(x, n):
    found = [2] * 3
    for i in range(n):
        found[i % 3] *= found[(i + 1) % 3]
    return found[0], found[1], x


def repeated_later(x, n):
    grown, changed, twice = [x], [1, 2], [x] * n * 2
    grown.append(2.5)
    changed[0] = n
    changed[-1] += 1
    many, more = grown * n, changed * 3
    more[0] = 7
    return len(many), sum(many), more[1], more[-2], changed[0], len(twice), changed[0] + more[2]


def returned(x, n):
    squares = [0] * n
    for i in range(n):
        squares[i] = i * i
    squares.append(-1)
    return squares


def two_returned(x, n):
    ints, floats = [n] * 3, [x, 0.5]
    for i in range(n):
        ints[i % 3] += i
        floats.append(floats[-2] * 0.5)
    return ints, sum(floats), floats, sum(ints), len(ints)


def returned_twice(x, n):
    one = [x] * n
    return one, one


WITH_NUMBERS = [
    *(pascal, sorted_three, pairs, of_two_types, ints_and_floats, flags, by_a_negative_number),
    *(by_known_numbers, chosen, made_of_what_was_read, too_large_items, repeated_later),
    *(returned, two_returned, returned_twice),
]


@pytest.mark.parametrize("n", [0, 1, 2, 3, 5, 12, 63, 300])
@pytest.mark.parametrize("function", WITH_NUMBERS, ids=lambda function: function.__name__)
def test_lists_that_begin_with_numbers(function, n):
    if function is too_large_items:
        n = min(n, 20)
    native = staticpy.jit(function, backend="llvm")
    for _ in range(2):
        assert repr(outcome(native, 0.4, n)) == repr(outcome(function, 0.4, n))


@pytest.mark.parametrize("function", [pascal, sorted_three, pairs, ints_and_floats, flags])
def test_no_number_becomes_an_object(function):
    native = staticpy.jit(function, backend="llvm")
    for _ in range(2):
        native(0.4, 100)
    assert frames_of(native, 0.4, 100) == []


def test_a_list_that_is_returned_twice_is_one():
    native = staticpy.jit(returned_twice, backend="llvm")
    for _ in range(2):
        one, other = native(0.5, 3)
        assert one is other
    one, other = staticpy.jit(returned, backend="llvm"), returned(0.5, 4)
    assert one(0.5, 4) == one(0.5, 4) == other
    assert one(0.5, 4) is not one(0.5, 4)


def read_beyond(x, n):
    found = [x] * n
    return found[n]


def set_beyond(x, n):
    found = [1, 2, 3]
    for i in range(n):
        found[i] = i
        found[-1 - i] = i
    return found[0]


@pytest.mark.parametrize("function", [read_beyond, set_beyond])
def test_an_index_out_of_bounds_of_a_list_that_begins_with_numbers(function):
    native = staticpy.jit(function, backend="llvm")
    for n in (0, 3, 4, 100):
        for _ in range(2):
            assert outcome(native, 1.5, n) == outcome(function, 1.5, n)


def appended_at_a_flag(x, n):
    found = []
    for i in range(n):
        found.append(x * i)
    found[n > 2] = 7.5
    return found[0], found[1]


def test_an_item_that_is_set_at_a_bool_is_set():
    native = staticpy.jit(appended_at_a_flag, backend="llvm")
    for n in (2, 3, 9):
        assert outcome(native, 1.5, n) == outcome(appended_at_a_flag, 1.5, n)


def test_a_list_that_is_too_long_is_a_memory_error():
    native = staticpy.jit(by_a_negative_number, backend="llvm")
    for _ in range(2):
        assert native(1.0, 1) == 2
        with pytest.raises(MemoryError):
            native(1.0, -(10**15))
