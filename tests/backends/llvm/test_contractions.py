"""``np.einsum`` as a product: the numbers, strides, exceptions and warnings of NumPy's."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import staticpy
from tests.support.warned import with_warnings

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

PATTERNS = [
    "ij,jk->ik",
    "ij,kj->ik",
    "ij,jk->ki",
    "bij,bjk->bik",
    "bhij,bhkj->bhik",
    "bihj,bkhj->bhik",
    "bij,jk->bik",
    "ij,bjk->bik",
    "bhij,hjk->ibhk",
]
SIZES = [
    {"b": 2, "h": 3, "i": 4, "j": 5, "k": 6},
    {"b": 3, "h": 1, "i": 2, "j": 2, "k": 2},
    {"b": 1, "h": 4, "i": 33, "j": 20, "k": 17},
    {"b": 1, "h": 1, "i": 1, "j": 3, "k": 1},
    {"b": 2, "h": 0, "i": 3, "j": 4, "k": 2},
    {"b": 2, "h": 2, "i": 3, "j": 0, "k": 2},
]


def program(text):
    return lambda x, y: np.einsum(text, x, y)


def outcome(function, *arguments):
    """What it gives, how that lies in memory, and its warnings; or the class of what it raises."""
    found, caught = with_warnings(function, *arguments, raises=ValueError)
    if isinstance(found, ValueError):
        return type(found)
    given = found.tolist(), found.dtype, found.shape, found.strides
    return repr(given), [str(each.message) for each in caught]


def lying(shape, dtype):
    """Arrays of small integers, whose products are exact, in each order of their axes, with gaps,
    backwards and stretched.
    """
    rng = np.random.default_rng(len(shape))
    for order in itertools.permutations(range(len(shape))):
        sizes = [shape[axis] for axis in order]
        yield rng.integers(-3, 4, sizes).astype(dtype).transpose(np.argsort(order))
    x = rng.integers(-3, 4, [2 * size for size in shape]).astype(dtype)
    yield x[tuple(slice(0, size) for size in shape)]
    yield x[tuple(slice(0, 2 * size, 2) for size in shape)]
    yield x[tuple(slice(size - 1, None, -1) if size else slice(0, 0) for size in shape)]
    yield np.broadcast_to(x[:1][(slice(0, 1), *(slice(0, size) for size in shape[1:]))], shape)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("text", PATTERNS)
def test_values_and_layouts(text, dtype):
    function = program(text)
    compiled = staticpy.jit(function, backend="llvm")
    for sizes in SIZES:
        shapes = [[sizes[index] for index in term] for term in text.split("->")[0].split(",")]
        pairs = list(itertools.product(*(lying(shape, dtype) for shape in shapes)))
        for pair in pairs[:: 1 + len(pairs) // 150]:
            assert outcome(compiled, *pair) == outcome(function, *pair)


def test_sizes_that_do_not_fit_and_sizes_of_one_that_do():
    function = program("bij,bjk->bik")
    compiled = staticpy.jit(function, backend="llvm")
    for left, right in (
        ((2, 3, 4), (2, 5, 6)),
        ((2, 3, 4), (3, 4, 6)),
        ((2, 3, 1), (2, 5, 6)),
        ((2, 3, 4), (1, 4, 6)),
    ):
        pair = np.ones(left), np.ones(right)
        assert outcome(compiled, *pair) == outcome(function, *pair)


def layer(x, w, b):
    return np.maximum(np.einsum("ij,jk->ik", x, w) + b, 0)


def by_tensordot(x, w, b):
    return np.maximum(np.tensordot(x, w, axes=([1], [0])) + b, 0)


def softmax(x, w, b):
    scores = np.einsum("ij,jk->ik", x, w) * b
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


def seen(x, w, b):
    b[0] = 1
    scores = np.einsum("ij,jk->ik", x, w)
    b[1] = 2
    return scores * b


def kept(x, w, b):
    b[:] = np.einsum("ij,jk->ik", x, w)[0] * 4 - b
    return b


@pytest.mark.parametrize("function", [layer, softmax, by_tensordot])
def test_what_follows_is_done_with_it(function):
    x, w, b = np.ones((64, 30), "f4"), np.ones((30, 40), "f4"), np.ones(40, "f4")
    kernels = staticpy.jit(function, backend="llvm").lower(x, w, b).compile().kernels
    (kernel,) = kernels
    assert kernel.operations[0] in ("einsum.matmul", "dot")


@pytest.mark.parametrize("function", [layer, softmax, by_tensordot, seen, kept])
@pytest.mark.parametrize("size", [3, 64])
def test_warnings(function, size):
    """None of the sum itself, those of what follows, also where that can't be done again."""
    compiled = staticpy.jit(function, backend="llvm")
    x, b = np.ones((size, size), "f4"), np.ones(size, "f4")
    for numbers in ((1, 1), (2.0**90, 2.0**90), (2.0**63, 2.0**58), (np.inf, 0)):
        left, right = (np.full_like(x, number) for number in numbers)
        one, other = b.copy(), b.copy()
        assert outcome(compiled, left, right, one) == outcome(function, left, right, other)
        np.testing.assert_array_equal(one, other)
