"""Powers of arrays in loops, where it matters which function NumPy computes for an exponent."""

from __future__ import annotations

import numpy as np
import pytest

import staticpy

pytest.importorskip("llvmlite", reason="the backend llvm needs llvmlite")

SPECIAL = [-np.inf, -2.5, -1.0, -0.0, 0.0, 1e-300, 0.5, 1.0, 1e300, np.inf, np.nan]


def native(function):
    return staticpy.jit(backend="llvm")(function)


def operators(x):
    return x**3, x**4.0, x**-2, x**2.5, x**0, x**0.5, x**-1, x**2


def power(x, y):
    return np.power(x, y)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_known_exponents(dtype):
    x = np.linspace(-20, 20, 1003).astype(dtype)
    with np.errstate(invalid="ignore"):
        for ours, numpys in zip(native(operators)(x), operators(x), strict=True):
            assert ours.dtype == numpys.dtype
            np.testing.assert_array_max_ulp(ours, numpys, 4 if dtype is np.float32 else 2)


@pytest.mark.parametrize("function", [operators, power])
@pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")
def test_zeros_infinities_and_nan(function):
    x, y = (each.ravel() for each in np.meshgrid(SPECIAL, [*SPECIAL, 3.0, -3.0, 2.0]))
    arguments = (x,) if function is operators else (x, y)
    found, expected = native(function)(*arguments), function(*arguments)
    np.testing.assert_array_max_ulp(np.array(found), np.array(expected), 2)
    numbers = ~np.isnan(expected)
    assert (np.signbit(found) == np.signbit(expected))[numbers].all()


@pytest.mark.parametrize(
    "exponent",
    [0.5, np.float64(0.5), np.array([0.5]), np.full(5, 0.5), np.broadcast_to(0.5, 5)],
    ids=["float", "number", "one", "array", "view"],
)
@pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")
def test_the_root_is_where_numpys_is(exponent):
    """For one exponent along a row it is ``sqrt``, which is NaN at -inf, and -0 at -0."""
    x = np.array([-0.0, -np.inf, 4.0, 0.0, 1.0])
    found, expected = native(power)(x, exponent), np.power(x, exponent)
    np.testing.assert_array_equal(found, expected)
    assert np.signbit(found[0]) == np.signbit(expected[0])


@pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")
def test_an_exponent_that_the_loops_compute():
    def to_the_sum(x, y):
        return np.power(x, y.sum())

    x, y = np.array([-0.0, 4.0]), np.array([0.25, 0.25])
    assert np.signbit(native(to_the_sum)(x, y)[0]) == np.signbit(to_the_sum(x, y)[0])


@pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")
def test_the_root_of_a_number():
    found = native(power)(np.float64(-0.0), np.float64(0.5))
    assert np.signbit(found) == np.signbit(np.power(np.float64(-0.0), np.float64(0.5)))


def test_warnings_are_numpys():
    with pytest.warns(RuntimeWarning, match="invalid value"):
        native(power)(np.array([2.0, -2.0]), np.array([0.5, 0.5]))
    with pytest.warns(RuntimeWarning, match="divide by zero"):
        native(power)(np.array([2.0, 0.0]), np.array([0.5, -3.0]))
