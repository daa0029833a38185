"""Sums of one long row: on several threads, and with NumPy's bits whatever their number."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import staticpy

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")


def several(x):
    return x.sum(), (x * x).mean(), (x - x.mean()).sum()


def spread(x):
    return x.std(), x.var(ddof=1)


def of_two_types(x):
    return x.sum(), (x.astype(np.float64) * 3).sum()


def kept(x):
    y = x * 2 + 1
    return y, y.sum()


def with_largest(x):
    return x.sum(), x.max()


def of_truths(x):
    return (x > 0).sum(), (x > 0).mean()


PROGRAMS = [several, spread, of_two_types, kept, with_largest, of_truths]

SIZES = [4_200_000, 1_500_003, 700_007]


@pytest.fixture
def set_threads():
    before = staticpy.get_num_threads()
    yield staticpy.set_num_threads
    staticpy.set_num_threads(before)


def parts(result):
    return [np.asarray(each).tobytes() for each in result]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_the_bits_are_numpys_for_any_number_of_threads(program, dtype, set_threads):
    numbers = np.random.default_rng(0).standard_normal(max(SIZES)).astype(dtype)
    compiled = staticpy.jit(program, backend="llvm")
    for size in SIZES:
        expected = parts(program(numbers[:size]))
        for count in (1, 2, 3):
            set_threads(count)
            assert parts(compiled(numbers[:size])) == expected, (size, count)


def test_all_of_a_matrix():
    x = np.random.default_rng(1).standard_normal((1234, 1777))
    assert parts(staticpy.jit(several, backend="llvm")(x)) == parts(several(x))


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_complex_numbers(dtype):
    def total(x):
        return (x + 1).sum()

    x = np.random.default_rng(2).standard_normal(3_000_001).astype(dtype) * (1 + 2j)
    assert staticpy.jit(total, backend="llvm")(x) == total(x)


def test_what_numpy_warns_of_anywhere():
    def inverse(x):
        return (1 / x).sum()

    compiled = staticpy.jit(inverse, backend="llvm")
    x = np.ones(3_000_000)
    with np.errstate(all="raise"):
        assert compiled(x) == len(x)
        for place in (0, 1_234_567, -1):
            x[:] = 1
            x[place] = 0
            with pytest.raises(FloatingPointError):
                compiled(x)


def test_several_threads_of_python_at_once():
    x = np.random.default_rng(3).standard_normal(2_000_000)
    compiled, expected = staticpy.jit(several, backend="llvm"), parts(several(x))
    found = []
    threads = [
        threading.Thread(target=lambda: found.extend(parts(compiled(x)) for _ in range(5)))
        for _ in range(4)
    ]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert found == [expected] * 20
