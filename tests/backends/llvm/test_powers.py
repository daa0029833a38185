"""Powers of arrays in loops, where it matters which function NumPy computes for an exponent."""

from __future__ import annotations

import warnings

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


def distance(x, y):
    total = 0.0
    for i in range(len(x)):
        total += (x[i] - y[i]) ** 2
    return total


def cubes(x, y):
    found = np.zeros(len(x))
    for i in range(len(x)):
        found[i] = x[i] ** 3 - y[i] ** -1 + x[i] ** 4
    return found


def roots(x, y):
    found = np.zeros(len(x))
    for i in range(len(x)):
        found[i] = x[i] ** 0.5 + 2.0 ** y[i] + x[i] ** y[i] + x[i] ** i
    return found


@pytest.mark.parametrize("function", [distance, cubes, roots], ids=lambda each: each.__name__)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")
def test_powers_of_numbers(function, dtype):
    x, y = (each.ravel().astype(dtype) for each in np.meshgrid(SPECIAL, [*SPECIAL, 3.0, -3.0]))
    ulp = 4 if dtype is np.float32 else 2
    for count in (5, 27, len(x)):
        found, expected = (each(x[:count], y[:count]) for each in (native(function), function))
        assert type(found) is type(expected)
        np.testing.assert_array_max_ulp(np.array(found), np.array(expected), ulp)


def test_powers_of_integers_wrap_round():
    def powers(x):
        found = np.zeros_like(x)
        for i in range(len(x)):
            found[i] = x[i] ** 2 - x[i] ** 3 + x[i] ** 5
        return found

    for dtype in (np.int8, np.uint8, np.int64, np.uint64):
        x = np.array([0, 1, 3, 100, 127], dtype)
        assert native(powers)(x).tolist() == powers(x).tolist()


@pytest.mark.parametrize("exponent", [2, 3, 4, -1, 2.5])
def test_powers_of_numbers_warn_as_numpys(exponent):
    def power(x, exponent):
        return x[0] ** exponent

    for number in (0.0, -1.0, 1e200, -np.inf):
        x = np.array([number])
        caught = []
        for function in (power, native(power)):
            with warnings.catch_warnings(record=True) as found:
                warnings.simplefilter("always")
                function(x, exponent)
            caught.append({str(each.message).split(" encountered")[0] for each in found})
        assert caught[0] == caught[1], number


def test_powers_of_complex_numbers_are_numpys():
    def squares(z):
        found = np.zeros_like(z)
        for i in range(len(z)):
            found[i] = z[i] ** 2
        return found

    z = np.array([complex(-0.0, 0.0), 1 - 2j, 3e200 + 1j, complex(0.0, -0.0)])
    with np.errstate(all="ignore"):
        assert native(squares)(z).tobytes() == squares(z).tobytes()
