"""Rolls of one array that loops read: parts of one copy, which goes round."""

from __future__ import annotations

import numpy as np
import pytest

import staticpy
from staticpy.ir import walk
from staticpy.passes import with_halos
from tests.backends.llvm.test_loops import details

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")


def names(function, *args):
    """The ops of arrays that the native backend makes loops of."""
    module = with_halos(staticpy.jit(function, backend="llvm").lower(*args).module)
    return [each.op.name for each in walk(module.main.block) if each.op.name in _NAMES]


_NAMES = {"roll", "halo", "halo.window"}


def assert_same(function, *args):
    given, expected_of = ([np.copy(a, order="K") for a in args] for _ in range(2))
    found = staticpy.jit(function, backend="llvm")(*given)
    expected = function(*expected_of)
    pair = [each if isinstance(each, tuple) else (each,) for each in (found, expected)]
    for one, other in zip((*pair[0], *given), (*pair[1], *expected_of), strict=True):
        assert details(one) == details(other)


def laplacian(u):
    total = np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, axis=1)
    return total - 4 * u


def neighbours(b):
    return sum(np.roll(b, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j)


def one_after_the_other(b):
    return sum(np.roll(np.roll(b, i, 0), j, 1) for i in (-1, 0, 2) for j in (-1, 0, 1) if i or j)


def along_three(x):
    moved = np.roll(x, (1, -2, 3), (0, 1, 2)) - np.roll(x, 2, (0, 2))
    return moved * np.roll(x, (1, 1), (-1, 2)), (np.roll(x, -3, 1) * x).sum(axis=-1)


def along_one_several_times(x):
    return np.roll(x, (1, 2), 0) + np.roll(x, (1, -2), (1, 1)) - np.roll(x, (3, 1, -2), axis=-1)


def in_a_row(x):
    return np.roll(x, 1) - 2 * x + np.roll(x, -1), (np.roll(x, 3) > x).any()


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int64", "float32", "float64", "complex128"])
@pytest.mark.parametrize("function", [neighbours, one_after_the_other])
def test_two_axes(function, dtype):
    x = (np.random.default_rng(0).standard_normal((9, 14)) * 9).astype(dtype)
    assert names(function, x) == ["halo", *["halo.window"] * 8]
    assert_same(function, x)


@pytest.mark.parametrize(
    "shape", [(0, 3), (3, 0), (1, 1), (1, 7), (2, 2), (7, 1), (3, 500), (64, 5)]
)
def test_sizes(shape):
    x = np.random.default_rng(0).standard_normal(shape)
    for function in (laplacian, neighbours, one_after_the_other, along_one_several_times):
        assert_same(function, x)


@pytest.mark.parametrize("size", [0, 1, 2, 3, 4, 100, 70_000])
def test_one_axis(size):
    x = np.linspace(-1, 1, size) ** 3
    assert names(in_a_row, x) == ["halo", *["halo.window"] * 3]
    assert_same(in_a_row, x)


@pytest.mark.parametrize("shape", [(4, 5, 6), (1, 2, 1), (3, 3, 3), (20, 30, 40)])
def test_three_axes(shape):
    assert_same(along_three, np.random.default_rng(0).standard_normal(shape))


@pytest.mark.parametrize("threads", [1, 2])
def test_large_ones(threads):
    before = staticpy.get_num_threads()
    staticpy.set_num_threads(threads)
    try:
        assert_same(laplacian, np.random.default_rng(0).standard_normal((400, 700)))
    finally:
        staticpy.set_num_threads(before)


def test_other_layouts():
    x = np.random.default_rng(0).standard_normal((12, 18))
    for each in (np.asfortranarray(x), x.T, x[::-1], x[:, ::2], x[::3, ::-1], x[:1]):
        native = staticpy.jit(laplacian, backend="llvm")
        assert details(native(each)) == details(laplacian(each))


def steps(u, n):
    for _ in range(n):
        u = u + 0.1 * laplacian(u)
    return u


def in_place(u):
    first = np.roll(u, 1, 0) + u
    u[0] = 5.0
    return first + np.roll(u, 1, 0) * np.roll(u, -1, 0) + np.roll(u, 1, 1)


def updated(u, v):
    for _ in range(5):
        v += 0.1 * (np.roll(u, 1, 0) + np.roll(u, -1, 0) - 2 * u)
        u += v
    return u.sum()


def test_rounds_and_writes():
    x = np.random.default_rng(0).standard_normal((30, 20))
    assert details(staticpy.jit(steps, backend="llvm")(x, 7)) == details(steps(x, 7))
    assert_same(in_place, x)
    assert_same(updated, x, np.zeros_like(x))


def summed_up(u):
    left, right = np.roll(u, 1, 1), np.roll(u, -1, 1)
    return left.sum(), right.mean(), left.var(), right.std()


def summed_up_in_part(x):
    left, right = np.roll(x, 1, 2), np.roll(x, -1, 2)
    return left.sum(axis=(1, 2)), right.mean(axis=(0, 1))


def test_sums_of_several_axes_go_along_the_roll():
    rng = np.random.default_rng(0)
    for sizes in ((100, 17), (1000, 17), (40, 300)):
        assert_same(summed_up, rng.standard_normal(sizes))
        assert_same(summed_up, np.asfortranarray(rng.standard_normal(sizes)))
    assert_same(summed_up_in_part, rng.standard_normal((3, 100, 17)))


def summed_along_one(u):
    left, right = np.roll(u, 1, 1), np.roll(u, -1, 1)
    return left.sum(axis=1) + right.mean(axis=-1), left.max(axis=0), right.sum(axis=0)


def test_sums_of_one_axis_read_parts():
    x = np.random.default_rng(0).standard_normal((20, 300))
    assert "halo" in names(summed_along_one, x)
    assert_same(summed_along_one, x)
    assert_same(summed_along_one, np.asfortranarray(x))


def given_out(u):
    left = np.roll(u, 1, 0)
    return left, left + np.roll(u, -1, 0)


def written_to(u):
    left = np.roll(u, 1, 0)
    right = np.roll(u, -1, 0)
    both = left + right
    left[0] = 1.0
    return both + left


def of_far_away(u):
    return np.roll(u, 100, 0) + np.roll(u, -100, 0)


def of_one_alone(u):
    return np.roll(u, 1, 0) + u, np.roll(u, 1, 0) * 2


def by_what_the_run_says(u):
    n = len(u) // 2
    return np.roll(u, n, 0) + np.roll(u, 1, 0)


@pytest.mark.parametrize(
    "function", [given_out, written_to, of_far_away, of_one_alone, by_what_the_run_says]
)
def test_near_misses(function):
    x = np.random.default_rng(0).standard_normal((6, 5))
    assert "halo" not in names(function, x)
    assert_same(function, x)


def test_the_derivative():
    def loss(u):
        return (laplacian(u) ** 2).sum()

    x = np.random.default_rng(0).standard_normal((8, 9))
    found, expected = (staticpy.grad(staticpy.jit(loss, backend=each))(x) for each in _BACKENDS)
    np.testing.assert_allclose(found, expected, rtol=1e-13)


_BACKENDS = ("llvm", "python_source")
