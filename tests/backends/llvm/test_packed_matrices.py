"""Loops that multiply by one matrix in all rounds: it is packed once, as long as nobody writes to
it; also on processors where the BLAS is asked.
"""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

import staticpy

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

from staticpy.backends.llvm import blocked_products

ROUNDS = 3
SIZES = [(9, 32, 32), (16, 64, 64), (40, 100, 100), (33, 300, 300), (8, 64, 64), (70, 65, 65)]
"""Rows, columns, and products of each element. The matrix is square, so that products go on."""


@pytest.fixture(autouse=True)
def _own(monkeypatch):
    monkeypatch.setattr(blocked_products, "is_own", lambda: True)


def compiled(function):
    return staticpy.jit(function, backend="llvm")


def is_packing(function, *args):
    return ".packed(" in function.lower(*args).compile().llvm_ir


def matrices(sizes, dtype=np.float32, outer=()):
    """A matrix of small integers, and one by which they stay small: a permutation, with signs."""
    rng = np.random.default_rng(3)
    m, n, _ = sizes
    right = np.zeros((n, n), dtype)
    right[rng.permutation(n), np.arange(n)] = rng.choice([-1, 1], n)
    return rng.integers(-9, 9, (*outer, m, n)).astype(dtype), right


def layouts(right):
    wide = np.full((len(right), len(right) + 3), 9, right.dtype)
    wide[:, :-3] = right
    return right, np.asfortranarray(right), wide[:, :-3]


def chain(x, w, n):
    for _ in range(n):
        x = x @ w
    return x


def chain_back(x, w, n):
    for _ in range(n):
        x = x @ w.T
    return x


def chain_of_inner(x, w, n):
    for _ in range(n):
        x = np.inner(x, w)
    return x


def until_small(x, w, n):
    while n > 0:
        x = np.dot(x, w) * 0.5
        n -= 1
        if x[0, 0] > 1e9:
            break
    return x


@pytest.mark.parametrize("function", [chain, chain_back, chain_of_inner, until_small])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_values_in_all_layouts(function, dtype):
    native = compiled(function)
    for sizes in SIZES:
        x, w = matrices(sizes, dtype)
        for right in layouts(w):
            expected = function(x, right, ROUNDS)
            np.testing.assert_array_equal(native(x, right, ROUNDS), expected)
    assert is_packing(native, x, w, ROUNDS)


@pytest.mark.parametrize("threads", [1, 3])
def test_stacks_and_threads(threads):
    before = staticpy.get_num_threads()
    staticpy.set_num_threads(threads)
    try:
        native = compiled(chain)
        for sizes, outer in (((70, 300, 300), (2,)), ((200, 96, 96), ()), ((16, 64, 64), (5, 2))):
            x, w = matrices(sizes, outer=outer)
            np.testing.assert_array_equal(native(x, w, ROUNDS), chain(x, w, ROUNDS))
            np.testing.assert_array_equal(native(x, w.T, ROUNDS), chain(x, w.T, ROUNDS))
    finally:
        staticpy.set_num_threads(before)


def steps_back(x, w, n):
    gathered = np.zeros_like(w)
    for _ in range(n):
        x = np.tanh(x @ w.T)
        gathered += x.T @ x
    return x, gathered


@pytest.mark.parametrize("rows", [32, 47, 64, 100])
def test_rows_shared_out_have_the_same_bits(rows):
    before, rng = staticpy.get_num_threads(), np.random.default_rng(5)
    x, w = (rng.normal(size=shape).astype("f") for shape in ((rows, 128), (128, 128)))
    native, found = compiled(steps_back), []
    try:
        for threads in (1, 2, 3):
            staticpy.set_num_threads(threads)
            found.append([each.tobytes() for each in native(x, w, ROUNDS)])
    finally:
        staticpy.set_num_threads(before)
    assert found[0] == found[1] == found[2]


def each_by_its_own(x, ws):
    for w in ws:
        for _ in range(3):
            x = x @ w
    return x


def one_after_the_other(x, w, n):
    for _ in range(n):
        for _ in range(2):
            x = x @ w
        w = w + w
    return x


def test_a_loop_that_begins_again_packs_again():
    x, w = matrices((16, 64, 64))
    ws = np.stack([w, 2 * w, w.T])
    np.testing.assert_array_equal(compiled(each_by_its_own)(x, ws), each_by_its_own(x, ws))
    found = compiled(one_after_the_other)(x, w, 3)
    np.testing.assert_array_equal(found, one_after_the_other(x, w, 3))


def descended(x, w, n):
    for _ in range(n):
        x = x @ w
        w -= 1
    return x


def written_by_a_view(x, w, n):
    first = w[0]
    for i in range(n):
        x = x @ w
        first[i] = 5
    return x


def written_as_another(x, w, other, n):
    for i in range(n):
        x = x @ w
        other[i, i] += 1
    return x


def test_what_is_written_to_is_not_packed():
    x, w = matrices((16, 64, 64))
    for function in (descended, written_by_a_view):
        one, other = w.copy(), w.copy()
        native = compiled(function)
        np.testing.assert_array_equal(native(x, one, 3), function(x, other, 3))
        np.testing.assert_array_equal(one, other)
        assert not is_packing(native, x, w, 3)
    one, other = w.copy(), w.copy()
    native = compiled(written_as_another)
    found = native(x, one, one, 3)
    np.testing.assert_array_equal(found, written_as_another(x, other, other, 3))


def found_early(x, w, n):
    for i in range(n):
        x = x @ w
        if i == 2:
            return x
        if x[0, 0] == 77:
            raise ValueError("found")
    return x


def test_memory_is_let_go_of_wherever_the_loop_ends():
    native = compiled(found_early)
    x, w = matrices((16, 64, 64))

    def calls():
        np.testing.assert_array_equal(native(x, w, 2), chain(x, w, 2))
        np.testing.assert_array_equal(native(x, w, 5), chain(x, w, 3))
        with pytest.raises(ValueError, match="found"):
            native(np.full_like(x, 77), np.eye(64, dtype="f"), 5)
        with pytest.raises(ValueError, match="matmul"):
            native(x, w[1:], 5)

    calls()
    tracemalloc.start()
    try:
        calls()
        before, _ = tracemalloc.get_traced_memory()
        for _ in range(50):
            calls()
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert after - before < 10 * w.nbytes  # what pytest keeps of the exceptions is one tenth


def test_sizes_that_change_on_the_way():
    def shrinking(x, w):
        total = 0.0
        for i in range(len(x)):
            total += (x[i:] @ w).sum()
        return total

    x, w = matrices((40, 64, 64))
    assert compiled(shrinking)(x, w) == shrinking(x, w)


def test_derivatives():
    def loss(x, w):
        for _ in range(3):
            x = np.tanh(x @ w)
        return (x * x).sum()

    rng = np.random.default_rng(0)
    x, w = (rng.normal(size=shape) / 8 for shape in ((16, 64), (64, 64)))
    expected = staticpy.grad(loss, argnums=(0, 1))(x, w)
    found = compiled(staticpy.grad(loss, argnums=(0, 1)))(x, w)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12)
