"""``np.f(a, b, out=x)`` in loops, as NumPy does it: values, refusals, and what is written then."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import staticpy
from tests.support.warned import with_warnings

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")


def momentum(p, v, g):
    np.multiply(v, 0.9, out=v)
    np.add(v, g, out=v)
    return np.subtract(p, 0.01 * v, out=p)


def positional(p, v, g):
    np.exp(g, p)
    np.maximum(p, v, out=p)
    np.negative(p, out=v)
    return p + v


def into_a_new_one(p, v, g):
    y = np.empty_like(p)
    np.multiply(p, v, out=y)
    np.add(y, g, out=(y,))
    return y


def of_a_function(p, v, g):
    np.tanh(p, out=p)
    np.power(v, 2, out=v)
    np.sqrt(v, out=v)
    np.true_divide(p, v, out=g)
    return g


def of_rows(p, v, g):
    np.subtract(p, p.mean(axis=-1, keepdims=True), out=p)
    np.divide(p, v, out=p)
    return p.sum()


def of_an_int(p, v, g):
    for i in range(1, 4):
        np.multiply(p, i, out=p)
        np.add(p, v, out=g)
    return g


PROGRAMS = [momentum, positional, into_a_new_one, of_a_function, of_rows, of_an_int]


def outcome(function, arguments):
    """What comes of a call: the result or the exception, what is written, what was warned of."""
    found, caught = with_warnings(function, *arguments)
    if isinstance(found, Exception):
        result = (type(found), str(found))
    else:
        result = (type(found), getattr(found, "dtype", None), np.asarray(found).tolist())
    texts = sorted({str(each.message).split(" encountered")[0] for each in caught})
    return result, [each.tolist() for each in arguments], texts


def numbers(shapes, dtype=np.float64):
    rng = np.random.default_rng(0)
    return [np.array(rng.uniform(1, 3, shape) * 2).astype(dtype) for shape in shapes]


def agree(program, make):
    found = outcome(staticpy.jit(program, backend="llvm"), make())
    expected = outcome(program, make())
    if found[0][0] is staticpy.CompileError:
        assert issubclass(expected[0][0], Exception), found
        return
    assert found[0][:2] == expected[0][:2]
    assert found[2] == expected[2]
    for given, wanted in zip(
        (found[0][2:], *found[1]), (expected[0][2:], *expected[1]), strict=True
    ):
        np.testing.assert_allclose(given, wanted, rtol=1e-6)


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.int8, np.complex64])
@pytest.mark.parametrize("shape", [(5,), (3, 4), (0,), (1,), (), (40_000,)])
def test_as_numpy(program, dtype, shape):
    if dtype == np.complex64 and program is positional:
        pytest.skip("the order of complex numbers is that of the kernel")
    agree(program, lambda: numbers([shape] * 3, dtype))


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize(
    "shapes",
    [
        ((3, 4), (4,), (3, 4)),
        ((3, 4), (3, 1), (3, 4)),
        ((3, 4), (1,), (4,)),
        ((4,), (3, 4), (4,)),
        ((3,), (4,), (3,)),
        ((3,), (3,), (1,)),
        ((1,), (3,), (1,)),
        ((3,), (), (3,)),
    ],
)
def test_sizes(program, shapes):
    agree(program, lambda: numbers(shapes))


@pytest.mark.parametrize("program", PROGRAMS)
def test_memory_that_is_shared(program):
    def overlapping():
        (x,) = numbers([(12,)])
        return x[2:10], x[:8], x[4:]

    def same():
        (x,) = numbers([(3, 4)])
        return x, x, x

    def reversed_():
        x, y = numbers([(3, 4), (4, 3)])
        return x, x[::-1], y.T

    for make in (overlapping, same, reversed_):
        agree(program, make)


def logarithms(x, y, z):
    z[0] = 5.0
    np.log(x, out=y)
    return y.sum()


def quotients(x, y, z):
    z[0] = 5.0
    np.divide(x, z, out=y)
    return y


@pytest.mark.parametrize("program", [logarithms, quotients])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex128, np.float16])
@pytest.mark.parametrize("has_gaps", [False, True])
def test_an_array_to_which_nobody_may_write_is_refused_before_anything_is_computed(
    program, dtype, has_gaps
):
    def make():
        x = np.array([-1, 0, 2, 3]).astype(dtype)
        y = np.ones((4, 2), dtype)[:, 0] if has_gaps else np.ones(4, dtype)
        y.flags.writeable = False
        return x, y, np.zeros(4, dtype)

    expected = outcome(program, make())
    assert expected[0] == (ValueError, "output array is read-only")
    assert outcome(staticpy.jit(program, backend="llvm"), make()) == expected


@pytest.mark.parametrize("how", ["raise", "error"])
def test_what_is_refused_by_its_numbers_is_written_before(how):
    def inverse(x, y):
        np.divide(1.0, y, out=x)
        return x.sum()

    def run(function):
        x, y = np.full(4, 7.0), np.array([1.0, 0.0, 2.0, 4.0])
        kind = FloatingPointError if how == "raise" else RuntimeWarning
        with np.errstate(all="raise" if how == "raise" else "warn"), warnings.catch_warnings():
            warnings.simplefilter("error")
            with pytest.raises(kind, match="divide by zero encountered in divide"):
                function(x, y)
        return x.tolist()

    assert run(staticpy.jit(inverse, backend="llvm")) == run(inverse)


@pytest.mark.parametrize(
    ("number", "dtype"), [(300, np.int8), (-1, np.uint8), (2.5, np.int64), (1e300, np.float32)]
)
def test_numbers_that_do_not_fit(number, dtype):
    def added(x, y, z):
        x += y
        np.add(x, number, out=z)
        return z

    try:
        compiled = staticpy.jit(added, backend="llvm")
        found = outcome(compiled, numbers([(5,)] * 3, dtype))
    except staticpy.CompileError:
        return
    if found[0][0] is not staticpy.CompileError:
        assert found == outcome(added, numbers([(5,)] * 3, dtype))


def test_one_walk():
    x = np.ones((3, 5), np.float32)
    lowered = staticpy.jit(momentum, backend="llvm").lower(x, x.copy(), x.copy())
    (fused,) = lowered.compile().kernels
    assert (fused.bytes_read, fused.bytes_written) == (12, 8)


@pytest.mark.parametrize(
    ("make", "function"),
    [
        (lambda: (np.ones(3), np.ones(3, np.float32)), "add"),  # the result is cast
        (lambda: (np.ones((2, 3)), np.ones(3)), "add"),  # and stretched
        (lambda: (np.ones(3), np.ones(3)), "less"),  # and no bool
    ],
)
def test_what_is_left_to_numpy(make, function):
    numpys = getattr(np, function)

    def program(x, y):
        numpys(y, y, out=x)
        return x

    assert outcome(staticpy.jit(program, backend="llvm"), make()) == outcome(program, make())
