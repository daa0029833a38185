"""``//`` and ``%`` of integers: rounded down, 0 by 0, and NumPy's warnings."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import staticpy

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")


def of_arrays(x, y):
    return x // y, x % y


def by_numbers(x, y):
    return x // y[0], x % y[0]


def by_known_numbers(x, y):
    return x // 7, x % 7, x // 8, x % 8, x // 1, x % 100


def by_known_negative_numbers(x, y):
    return x // -7, x % -7, x // -1, x % -1


def by_zero(x, y):
    return x // 0, x % 0


def in_place(x, y):
    a, b = x.copy(), x.copy()
    a //= y
    a %= 7
    b[1:] %= y[1:]
    b //= 3
    return a, b


def of_elements(x, y):
    quotients, rests = np.zeros_like(x), np.zeros_like(x)
    for i in range(len(x)):
        quotients[i] = x[i] // y[i]
        rests[i] = x[i] % y[i]
    return quotients, rests


def outcome(function, *arguments):
    """What a call gives and warns of; one that is done again repeats what kernels warned of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        results = function(*arguments)
    found = [(each.dtype, each.tobytes()) for each in results]
    return found, {str(each.message) for each in caught}


def pairs(dtype):
    """All of the ends and small numbers, then many; with divisors of 0 and without."""
    limits = np.iinfo(dtype)
    some = [limits.min, limits.min + 1, 0, 1, 2, 3, 7, 100, limits.max // 2, limits.max]
    some += [-1, -2, -7, -100] if limits.min else []
    x, y = (each.ravel() for each in np.meshgrid(*[np.array(some, dtype)] * 2))
    yield x, y
    yield x[y != 0], y[y != 0]
    generator = np.random.default_rng(0)
    x, y = generator.integers(limits.min, limits.max, (2, 500), dtype, endpoint=True)
    yield x, y
    yield x, (y >> (limits.bits // 2)) | 1
    yield from ((x[n : n + 1], y[n : n + 1]) for n in range(0, 500, 50))


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint32", "int32", "int64", "uint64"])
@pytest.mark.parametrize(
    "function",
    [
        *(of_arrays, of_elements, by_numbers, by_known_numbers),
        *(by_known_negative_numbers, by_zero, in_place),
    ],
)
def test_divisions(function, dtype):
    if function is by_known_negative_numbers and dtype.startswith("u"):
        pytest.skip("an OverflowError")
    compiled = staticpy.jit(function, backend="llvm")
    for x, y in pairs(dtype):
        assert outcome(compiled, x, y) == outcome(function, x, y)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint32", "int32", "int64", "uint64"])
@pytest.mark.parametrize("operator", [np.floor_divide, np.remainder])
def test_a_division_by_zero_behind_a_write_raises_no_other_flag(operator, dtype):
    """There the flags are all that is told."""

    def into(out, x, y):
        out[...] = operator(x, y)
        return (out,)

    compiled = staticpy.jit(into, backend="llvm")
    x = np.arange(70, dtype=dtype)
    for count in (1, 7, 40, 70):
        for y in (x % 5, x * 0):
            with np.errstate(all="raise", divide="ignore"):
                (found,) = compiled(np.ones(count, dtype), x[:count], y[:count])
            with np.errstate(divide="ignore"):
                np.testing.assert_array_equal(found, operator(x[:count], y[:count]))


def of_pythons_ints(x, y):
    return x // y, x % y, x // 1, x % 1, x // 8, x % 8, x // 7, x % 7, x // -1, x // -4, x % -4


def test_divisions_of_pythons_ints():
    compiled = staticpy.jit(of_pythons_ints, backend="llvm")
    for x in (0, 1, -1, 7, -7, 8, -8, 9, -9, 2**63 - 1, -(2**63)):
        for y in (1, -1, 3, -3, 8, 2**62, -(2**63)):
            assert compiled(x, y) == of_pythons_ints(x, y), (x, y)


def quotients_beside_places(x, shifts):
    out = np.zeros_like(x)
    for i in range(len(x)):
        total, inverse = 0.0, 1.0
        for k in range(len(x)):
            total += x[k] * i
        inverse /= total
        for k in range(len(shifts)):
            out[(i + shifts[k]) % len(x)] = inverse
    return out


def test_quotients_of_floats_beside_those_of_integers():
    """Both know the instruction of LLVM that raises a flag."""
    compiled = staticpy.jit(quotients_beside_places, backend="llvm")
    x, shifts = np.array([2.0, 1.0, 4.0, 0.5, 3.0]), np.array([3, -1, 0, 7, 2])
    with np.errstate(divide="ignore"):
        assert compiled(x, shifts).tolist() == quotients_beside_places(x, shifts).tolist()
