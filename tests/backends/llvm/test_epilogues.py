"""Products with what is done to their elements next, part by part."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import staticpy
from staticpy.passes import fuse, heads

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

from staticpy.backends.llvm.loop_forms import has_form
from staticpy.backends.llvm.products import has_product_form


def layer(x, w, b):
    return np.maximum(x @ w + b, 0)


def softmax(x, w, b):
    scores = x @ w + b
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


def step(x, w, b):
    return b - 0.5 * (x @ w)


def in_place(x, w, b):
    out = np.zeros((*x.shape[:-1], w.shape[-1]), x.dtype)
    out[...] = 2 * (x @ w)
    return out


def accumulated(x, w, b):
    out = np.ones((*x.shape[:-1], w.shape[-1]), x.dtype)
    for _ in range(2):
        out -= x @ w
    return out


def into_a_slice(x, w, b):
    out = np.zeros((*x.shape[:-1], 2 * w.shape[-1]), x.dtype)
    out[..., ::2] = 2 * (x @ w)
    return out


PROGRAMS = [layer, softmax, step, in_place, accumulated, into_a_slice]
SIZES = [(1, 1, 1), (2, 3, 4), (40, 30, 50), (64, 64, 64), (300, 70, 500), (70, 300, 33), (0, 3, 4)]


def numbers(rng, *shape):
    """So small that sums of products are exact."""
    return rng.integers(-3, 4, shape)


def compiled(program):
    return staticpy.jit(program, backend="llvm")


def outcome(function, *arguments):
    try:
        return function(*arguments).tolist()
    except ValueError as error:
        return str(error)


def clusters_of(program, *arguments):
    """Of each cluster of a program the product that is its head, or None."""
    module = staticpy.jit(program, backend="llvm").lower(*arguments).module
    found = fuse(module.main.block, has_form)
    products = heads(module.main.block, found, has_product_form)
    return [products.get(each) for each in found]


@pytest.fixture(params=[1, 3])
def threads(request):
    before = staticpy.get_num_threads()
    staticpy.set_num_threads(request.param)
    yield request.param
    staticpy.set_num_threads(before)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("program", PROGRAMS)
def test_matrices(program, sizes, dtype, threads):
    m, k, n = sizes
    rng = np.random.default_rng(m)
    x, w, b = (numbers(rng, *shape).astype(dtype) for shape in ((m, k), (k, n), (n,)))
    function = compiled(program)
    for left in (x, np.asfortranarray(x)):
        found, wanted = function(left, w, b), program(left, w, b)
        assert found.dtype == wanted.dtype
        np.testing.assert_allclose(found, wanted, rtol=1e-6)
        assert found.flags.c_contiguous


@pytest.mark.parametrize("outer", [(3,), (5,), (2, 3), (3, 1, 4)])
@pytest.mark.parametrize("sizes", [(2, 3, 4), (64, 40, 32), (100, 70, 130)])
@pytest.mark.parametrize("program", PROGRAMS)
def test_stacks(program, sizes, outer, threads):
    m, k, n = sizes
    rng = np.random.default_rng(m)
    x, w = (numbers(rng, *outer, *shape).astype(float) for shape in ((m, k), (k, n)))
    b = numbers(rng, n).astype(float)
    np.testing.assert_allclose(compiled(program)(x, w, b), program(x, w, b), rtol=1e-12)
    if len(outer) == 2:
        np.testing.assert_allclose(compiled(program)(x, w[:1], b), program(x, w[:1], b), rtol=1e-12)


@pytest.mark.parametrize("program", PROGRAMS)
def test_rows_with_gaps(program):
    rng = np.random.default_rng(0)
    x, w, b = numbers(rng, 80, 90) * 1.0, numbers(rng, 90, 60) * 1.0, numbers(rng, 120) * 1.0
    np.testing.assert_allclose(compiled(program)(x, w, b[::2]), program(x, w, b[::2]), rtol=1e-12)


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize(("m", "k", "deep", "n"), [(40, 30, 31, 50), (40, 30, 30, 51)])
def test_what_does_not_fit(program, m, k, deep, n):
    x, w, b = np.ones((m, k)), np.ones((deep, n)), np.ones(50)
    assert outcome(compiled(program), x, w, b) == outcome(program, x, w, b)


def added_to_some_rows(x, w, c, rows):
    return c[:rows] + x @ w


def summed_from(x, w, c, rows):
    c = c[:rows]
    for _ in range(2):
        c = c + x.T @ w
    return c


@pytest.mark.parametrize("m", [1, 64, 300])
@pytest.mark.parametrize("rows", [1, 64, 300])
def test_sizes_that_only_the_run_knows(m, rows, threads):
    """What may be stretched is done after the product, if it is."""
    rng = np.random.default_rng(m)
    x, w, c = (numbers(rng, *shape) * 1.0 for shape in ((m, 40), (40, 50), (300, 50)))
    found = outcome(compiled(added_to_some_rows), x, w, c, rows)
    assert found == outcome(added_to_some_rows, x, w, c, rows)
    x, w = numbers(rng, 40, m) * 1.0, numbers(rng, 40, 50) * 1.0
    assert outcome(compiled(summed_from), x, w, c, rows) == outcome(summed_from, x, w, c, rows)


def test_a_product_of_which_sizes_are_unknown_is_a_head():
    x, w, c = np.ones((64, 40)), np.ones((40, 50)), np.ones((300, 50))
    found = [each for each in clusters_of(added_to_some_rows, x, w, c, 64) if each is not None]
    assert len(found) == 1


def add_to_what_is_read(x, w):
    x += 2 * (x @ w)
    return x


def subtract_from_what_is_read(x, w):
    x -= w @ x
    return x


def store_to_what_is_read(x, w):
    x[:, :] = 2 * (w @ x)
    return x


@pytest.mark.parametrize("size", [20, 64, 300])
@pytest.mark.parametrize(
    "program", [add_to_what_is_read, subtract_from_what_is_read, store_to_what_is_read]
)
def test_operands_that_are_written_to(program, size, threads):
    rng = np.random.default_rng(size)
    x, w = numbers(rng, size, size) * 1.0, numbers(rng, size, size) * 1.0
    found, wanted = compiled(program)(x.copy(), w), program(x.copy(), w)
    np.testing.assert_array_equal(found, wanted)
    both = x.copy()
    np.testing.assert_array_equal(compiled(program)(both, both), program(x, x))


def test_warnings_of_parts_on_other_threads(threads):
    def program(x, w):
        return 1 / (x @ w)

    x, w = np.ones((300, 200)), np.ones((200, 300))
    x[299] = 0
    for _ in range(2):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            found = compiled(program)(x, w)
        assert [str(each.message) for each in caught] == ["divide by zero encountered in divide"]
        assert np.isinf(found[299]).all()
        assert (found[:299] == 1 / 200).all()


def test_which_products_are_heads():
    x, w, b = np.ones((4, 5)), np.ones((5, 6)), np.ones(6)
    assert [each.op.name for each in clusters_of(layer, x, w, b)] == ["matmul"]

    def read_twice(x, w, b):
        s = x @ w
        return s, s + b

    def summed_over_rows(x, w, b):
        return (x @ w).sum(axis=0)

    def stretched(x, w, b):
        return (x.max(axis=0, keepdims=True) @ w) + np.ones((4, 6))

    def written_between(x, w, b):
        s = x @ w
        x[...] = 0
        return s + b

    for program in (read_twice, summed_over_rows, stretched, written_between):
        assert not any(clusters_of(program, x, w, b)), program.__name__
        fresh = lambda: (x.copy(), w, b)
        found, wanted = compiled(program)(*fresh()), program(*fresh())
        np.testing.assert_array_equal(found, wanted)
