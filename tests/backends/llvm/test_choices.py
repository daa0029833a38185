"""Numbers that are compared, and chosen without a branch: NaN, zeros, and no flag without cause."""

from __future__ import annotations

import itertools
import warnings

import numpy as np
import pytest

import staticpy

pytest.importorskip("llvmlite", reason="the backend llvm needs llvmlite")


def observed(function, *args):
    """The result, with its types and bits, what is written, and the warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        arrays = [each.copy() if isinstance(each, np.ndarray) else each for each in args]
        result = function(*arrays)
    texts = [repr(each) for each in (result, *arrays)]
    return texts, [str(each.message) for each in caught]


def largest(x, out):
    out[0] = 1
    best, where = x[0] * 2, 0
    for i in range(len(x)):
        value = x[i] * 2
        if value > best:
            best = value
            where = i
    out[1] = where
    return best


def smallest_of_python(x, out):
    out[0] = 1
    best, count = float(x[0]) * 2, 0
    for i in range(len(x)):
        value = float(x[i]) * 2
        if best >= value:
            best = value
        else:
            count += 1
    out[1] = count
    return best + x[0]


def extrema(x, out):
    out[0] = 1
    low, high = x[0] + x[0], float(x[-1])
    for i in range(len(x)):
        low = min(low, x[i] + x[i])
        high = max(high, float(x[i]), 0.5)
    return low, high


def extrema_before(x, out):
    low, high = x[0] + x[0], float(x[-1])
    for i in range(len(x)):
        low = min(low, x[i] + x[i])
        high = max(high, float(x[i]), 0.5)
    out[0] = 1
    return low, high


def equal_ones(x, out):
    last, other = x[0] * 1, x[-1] * 1
    for i in range(len(x)):
        last = x[i] if x[i] != other else last
        other = other if last == x[i] else x[i]
        out[i % 2] = i
    return last, other


def by_a_sum(x, out):
    """The sum is a register of a loop alone."""
    a, b, k = x[0], float(x[1]), 3
    if x.sum() > 0:
        a, k = x[1], -2
    if (x * 0.5).max() <= 1.0:
        b = 2.0
    out[0] = k
    return a, b, k


def extrema_of_either_type(x, out):
    """Python's numbers, and NumPy's where there is a better one; nothing is visible yet."""
    best, where, low = -1.0, 0, 1e30
    for i in range(len(x)):
        value = x[i] * 2
        if value > best:
            best = value
            where = i
        if low > x[i]:
            low = x[i]
    out[0] = where
    return best, low


def extrema_by_orders(x, out):
    first, last, low, high, count = x[0], x[0], x[-1], float(x[-1]), 0
    for i in range(len(x)):
        first = x[i] if first < x[i] else first  # noqa: FURB136 - the other order
        last = x[i] if not last > x[i] else last
        if x[i] <= low:
            low, count = x[i], count + 1
        if float(x[i]) < high:
            high = float(x[i])
    out[0] = count
    return first, last, low, high


PROGRAMS = [
    *(largest, smallest_of_python, extrema, extrema_before, equal_ones, by_a_sum),
    *(extrema_of_either_type, extrema_by_orders),
]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("program", PROGRAMS)
def test_same_as_cpython(program, dtype):
    compiled = staticpy.jit(program, backend="llvm")
    values = (0.0, -0.0, 1.5, np.nan, -np.inf, -2.0)
    for numbers in itertools.product(values, repeat=3):
        x, out = np.array(numbers, dtype), np.zeros(2, dtype)
        assert observed(compiled, x, out) == observed(program, x, out), numbers


def compared(x, i, n):
    y = x[i]
    return y < n, y <= n, y > n, y >= n, y == n, y != n, n < y, n == y


@pytest.mark.parametrize("dtype", "bBhHiIlL")
def test_numpys_integers_beside_pythons(dtype):
    compiled = staticpy.jit(compared, backend="llvm")
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    x = np.array([low, high, 0, 5, high // 2, high // 2 + 1], dtype)
    numbers = (0, 5, -1, 127, 128, 255, 300, 2**31, 2**63 - 1, -(2**63), 2**70, -(2**70))
    for i, n in itertools.product(range(len(x)), numbers):
        assert observed(compiled, x, i, n) == observed(compared, x, i, n)


def neighbours(grid):
    """A sum that is one of Python's before the first round, and one of NumPy's after it."""
    alive = 0
    for i in range(1, grid.shape[0] - 1):
        for j in range(1, grid.shape[1] - 1):
            total = 0
            for a in range(-1, 2):
                for b in range(-1, 2):
                    if a != 0 or b != 0:
                        total += grid[i + a, j + b]
            if total == 3 or (total == 2 and grid[i, j] == 1):
                alive += 1
    return alive


def test_ints_of_one_type_or_another_are_compared_without_calls():
    grid = np.random.default_rng(0).integers(0, 2, (12, 9))
    compiled = staticpy.jit(neighbours, backend="llvm")
    assert compiled(grid) == neighbours(grid)
    with staticpy.profile() as measured:
        compiled(grid)
    (function,) = measured.functions
    assert [kernel.name for kernel in function.kernels if "equal" in kernel.name] == []


def multiplied(k):
    return k * 3, 7 * k, k * 2


def by_parity(k, n):
    for _ in range(n):
        k = k // 2 if k % 2 == 0 else 3 * k + 1
    return k


def test_products_with_constants_leave_64_bits_where_cpython_does():
    product, parity = (staticpy.jit(each, backend="llvm") for each in (multiplied, by_parity))
    for factor in (1, 2, 3, 7):
        for sign, off in itertools.product((1, -1), range(-3, 4)):
            k = sign * (2**63 // factor) + off
            assert product(k) == multiplied(k)
            assert parity(k, 4) == by_parity(k, 4)


def first_and_sum(x):
    return x[0] + x[1], x.sum(), x + 1


@pytest.mark.parametrize("dtypes", ["qlQL", "lqLQ"])
def test_longlong_and_int64_are_told_apart(dtypes):
    """Their dtypes are equal, and NumPy keeps them apart."""
    compiled = staticpy.jit(first_and_sum, backend="llvm")
    for char in dtypes * 2:
        results = compiled(np.arange(3).astype(char))
        assert [each.dtype.char for each in results] == [char] * 3
        assert [type(each) for each in results[:2]] == [np.dtype(char).type] * 2


def doubled(x, n):
    items = [x + x]
    for _ in range(n):
        items.append(items[-1] * 2)
    return items


@pytest.mark.parametrize("char", "qQlL")
def test_numbers_of_longlong(char):
    number = np.dtype(char).type(3)
    for _ in range(2):
        results = staticpy.jit(doubled, backend="llvm")(number, 3)
        assert [each.dtype.char for each in results] == [char] * 4
    offset = staticpy.jit(lambda x: x + number, backend="llvm")
    assert offset(np.ones(3, np.uint8)).dtype.char == char


def conversions(x, y):
    total = x + y
    return (
        [x.astype(np.int64), x.astype("q"), np.int64(x[0]), np.longlong(x[0])],
        [total.astype(np.int64), total.astype(np.ulonglong), np.zeros_like(total)],
        [np.ones_like(x), np.full_like(x, 3), np.zeros(2, "q"), np.zeros(2, np.int64)],
        [x + np.longlong(1), x.astype(np.int64) + 1, np.where(y > 1, x, y).astype("l")],
        [np.array(x, dtype=np.int64), np.asarray(x, dtype=np.int64)],
    )


@pytest.mark.parametrize("backend", ["llvm", "python_source"])
@pytest.mark.parametrize("chars", ["ll", "qq", "lq", "ql", "QL", "LQ", "iq"])
def test_conversions_between_longlong_and_int64(chars, backend):
    x, y = (np.array([3, 1, 2]).astype(char) for char in chars)
    found = staticpy.jit(conversions, backend=backend)(x, y)
    for row, expected in zip(found, conversions(x, y), strict=True):
        assert [each.dtype.char for each in row] == [each.dtype.char for each in expected]
        assert [each.tolist() for each in row] == [each.tolist() for each in expected]


@pytest.mark.parametrize("backend", ["llvm", "python_source"])
def test_paths_that_give_longlong_or_int64(backend):
    def chosen(x, y, n):
        found = x if n > 1 else y
        total = found[0]
        for each in found:
            total = total + each
        return found, total

    compiled = staticpy.jit(chosen, backend=backend)
    x = np.array([3, 1, 2])
    for n in (0, 2):
        found = compiled(x, x.astype("q"), n)
        assert [each.dtype.char for each in found] == ["l" if n else "q"] * 2


def test_an_array_of_longlong_seen_as_int64_shares_its_memory():
    def written(x):
        seen = np.asarray(x, dtype=np.int64)
        seen[0] = 7
        return seen

    x = np.array([3, 1, 2], np.longlong)
    assert staticpy.jit(written)(x).tolist() == x.tolist() == [7, 1, 2]
