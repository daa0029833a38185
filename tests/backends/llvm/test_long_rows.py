"""Walks along one long row: on several threads, and with NumPy's bits whatever their number."""

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


def folded(x):
    return x.max(), np.abs(x).min(), (x > -9).all(), (x > 4.9).any(), (x > 0).sum()


def computed_beside(x):
    return x * 2, np.clip(x, 0, 1), x.max(), np.floor(x).astype(np.int64).sum()


def of_every_third(x):
    return x[::3].max(), x[1::3] + 1, x[::-1].min()


def by_its_largest(x):
    y = np.exp(x - x.max())
    return y / y.sum(), np.floor(y).astype(np.int8).prod()


PROGRAMS = [
    *(several, spread, of_two_types, kept, with_largest, of_truths),
    *(folded, computed_beside, of_every_third),
]

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


@pytest.mark.parametrize("place", [0, 700_000, 1_400_001, -1])
def test_one_nan_anywhere(place):
    x = np.random.default_rng(1).standard_normal(3_000_001)
    x[place] = np.nan
    assert parts(staticpy.jit(folded, backend="llvm")(x)) == parts(folded(x))


def test_what_is_written_meanwhile(set_threads):
    def halved(x, y):
        x *= 0.5
        y[x > 0] = 1
        return x.max(), (x > 0.25).any()

    drawn = np.random.default_rng(2).standard_normal(2_500_001)
    expected = x, y = drawn.copy(), np.zeros(len(drawn))
    wanted = parts((*halved(x, y), *expected))
    for count in (1, 2):
        set_threads(count)
        compiled, arguments = staticpy.jit(halved, backend="llvm"), (drawn.copy(), np.zeros(len(x)))
        assert parts((*compiled(*arguments), *arguments)) == wanted


def test_all_of_a_matrix():
    x = np.random.default_rng(1).standard_normal((1234, 1777))
    for program in (several, folded, computed_beside):
        assert parts(staticpy.jit(program, backend="llvm")(x)) == parts(program(x))


def test_the_bits_dont_depend_on_the_number_of_threads(set_threads):
    x = np.random.default_rng(1).standard_normal(2_000_003)
    compiled = staticpy.jit(by_its_largest, backend="llvm")
    found = [set_threads(count) or parts(compiled(x)) for count in (1, 2, 3)]
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_complex_numbers(dtype):
    def total(x):
        return (x + 1).sum()

    x = np.random.default_rng(2).standard_normal(3_000_001).astype(dtype) * (1 + 2j)
    assert staticpy.jit(total, backend="llvm")(x) == total(x)


def total_of_inverses(x):
    return (1 / x).sum()


def largest_inverse(x):
    return (1 / x).max()


@pytest.mark.parametrize("program", [total_of_inverses, largest_inverse])
def test_what_numpy_warns_of_anywhere(program):
    compiled = staticpy.jit(program, backend="llvm")
    x = np.ones(3_000_000)
    with np.errstate(all="raise"):
        assert compiled(x) == program(x)
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
