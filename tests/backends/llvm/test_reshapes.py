"""``x.reshape`` and ``x.ravel``: a view where NumPy gives one, and its copy or error elsewhere."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import staticpy
from tests.support.layouts import layouts

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")


def flat(x, n):
    return x.reshape(-1)


def same(x, n):
    return x.reshape(x.shape)


def known(x, n):
    return x.reshape(6, 4)


def rest(x, n):
    return np.reshape(x, (n, -1))


def between(x, n):
    return x.reshape(1, -1, n, 1)


def given(x, n):
    return x.reshape(n)


def two(x, n):
    return x.reshape(n, 4)


def columns(x, n):
    return x.reshape(-1, order="F")


def there_and_back(x, n):
    return (x.reshape(-1) * 2).reshape(x.shape) + x


def vector(x, n):
    return x.ravel()


def as_it_lies(x, n):
    return np.ravel(x, "K")


def in_either_order(x, n):
    return x.ravel(order="A")


PROGRAMS = [
    *(flat, same, known, rest, between, given, two, columns, there_and_back),
    *(vector, as_it_lies, in_either_order),
]

LAYOUTS = {
    "c": lambda x: x,
    "rows": lambda x: x[1:],
    "other rows": lambda x: x[::2],
    "fortran": np.asfortranarray,
    "gaps": lambda x: x[:, ::2],
    "backwards": lambda x: x[::-1],
    "empty": lambda x: x[:0],
    "column": lambda x: x[:, :1],
    "one row": lambda x: x[:1],
}

NUMBERS = [6, 0, -1, -2, 24, 2**62]


def seen(call, x, n):
    """What a caller can see of the result."""
    try:
        found = call(x, n)
    except Exception as error:
        return type(error), str(error)
    shares = None if found.base is None else (found.base is x or found.base is x.base)
    return found.tolist(), found.shape, found.strides, found.dtype, shares, found.flags.writeable


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("program", PROGRAMS)
def test_it_is_numpys(program, layout):
    x = LAYOUTS[layout](np.arange(24.0).reshape(4, 6))
    compiled = staticpy.jit(program, backend="llvm")
    for n in NUMBERS:
        for _ in range(2):
            assert seen(compiled, x, n) == seen(program, x, n), n


def test_what_is_written_to_the_view_is_seen_in_the_array():
    @staticpy.jit(backend="llvm")
    def write(x):
        y = x.reshape(-1)
        y[0] = 5
        y += 1
        return x

    x = np.arange(4.0).reshape(2, 2)
    assert write(x) is x
    assert x.tolist() == [[6, 2], [3, 4]]


def test_a_read_only_array_has_read_only_views():
    x = np.arange(4.0).reshape(2, 2)
    x.flags.writeable = False
    assert not staticpy.jit(flat, backend="llvm")(x, 0).flags.writeable


def test_a_loop_hands_the_view_on():
    @staticpy.jit(backend="llvm")
    def loop(x):
        for _ in range(3):
            x = (x * 2).reshape(-1, 2)
        return x

    x = np.arange(6.0)
    assert np.array_equal(loop(x), x.reshape(3, 2) * 8)


@pytest.mark.parametrize("shape", [(40, 7), (5, 6, 7), (1, 9), (9, 1)])
def test_a_norm_adds_up_in_the_order_of_memory(shape):
    def norm(x):
        return np.linalg.norm(x)

    compiled = staticpy.jit(norm, backend="llvm")
    for seed in range(20):
        x = np.random.default_rng(seed).standard_normal(shape)
        for each in layouts(x):
            assert compiled(each) == norm(each)


def test_no_reference_is_kept():
    compiled, x = staticpy.jit(flat, backend="llvm"), np.arange(4.0)
    for _ in range(2):
        compiled(x, 0)
    before = sys.getrefcount(x)
    for _ in range(100):
        compiled(x, 0)
    assert sys.getrefcount(x) == before
