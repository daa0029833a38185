"""Powers of numbers with small known exponents: the bits, warnings and exceptions of ``pow``."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest

import staticpy

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

EDGES = [
    *(0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 5e-324, 1.7e308, 2.2e-308, 1e154, 1e-154),
    *(2.0**128, 2.0**-128, 2.0**16, 2.0**16 - 2.0**-37, 1 - 2.0**-53, 1 + 2.0**-52, 2.0**64),
]


def numbers(seed: int = 0) -> np.ndarray:
    """Numbers of all sizes, of which some powers are near to the middle of two doubles."""
    random = np.random.default_rng(seed)
    parts = [
        np.array(EDGES),
        random.uniform(-4, 4, 20000),
        np.exp(random.uniform(-700, 700, 3000)) * random.choice([-1, 1], 3000),
        np.exp2(random.uniform(-140, 140, 3000)),
        random.integers(1, 1 << 20, 3000).astype(float),
    ]
    return np.concatenate(parts)


def of_numpys(x, y):
    for i in range(len(x)):
        v = x[i]
        y[0, i], y[1, i], y[2, i], y[3, i] = v**3, v**4, v**7, v**-2
        y[4, i], y[5, i], y[6, i], y[7, i] = v**-8, v**0.5, v**-1.5, v**2.5
        y[8, i], y[9, i] = v**3.0, v**-0.5


def of_pythons(x, y):
    for i in range(len(x)):
        v = float(x[i])
        y[0, i], y[1, i], y[2, i], y[3, i] = v**2, v**3, v**8, v**-1
        y[4, i], y[5, i], y[6, i], y[7, i] = v**-5, v**0.5, v**-2.5, v**1.5
        y[8, i], y[9, i] = math.pow(v, 0.5), math.pow(v, -3)


def test_powers_of_numpys_numbers_have_its_bits_and_warnings():
    x = numbers()
    compiled, found, expected = staticpy.jit(backend="llvm")(of_numpys), *np.zeros((2, 10, len(x)))
    said = []
    for function, out in ((compiled, found), (of_numpys, expected)):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            function(x, out)
        said.append({str(each.message).split(" encountered")[0] for each in caught})
    assert said[0] == said[1] == {"divide by zero", "invalid value", "overflow"}
    np.testing.assert_array_equal(np.isnan(found), np.isnan(expected))
    is_number = ~np.isnan(expected)
    assert found[is_number].tobytes() == expected[is_number].tobytes()


def test_no_power_of_usual_numbers_warns():
    x = numbers()
    x = x[(x > 1e-30) & (x < 1e30)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        staticpy.jit(backend="llvm")(of_numpys)(x, np.zeros((10, len(x))))


def test_powers_of_pythons_floats_have_its_bits():
    x = numbers(1)
    x = x[(x > 1e-38) & (x < 1e38)]
    found, expected = np.zeros((2, 10, len(x)))
    staticpy.jit(backend="llvm")(of_pythons)(x, found)
    of_pythons(x, expected)
    assert found.tobytes() == expected.tobytes()


def raising(x):
    return x**3, math.pow(x, -3), x**-2


@pytest.mark.parametrize("x", [*EDGES, -2.5, 1e103, 1e-103, -1e200, 1.3])
def test_exceptions_are_pythons(x):
    outcomes = []
    for function in (staticpy.jit(backend="llvm")(raising), raising):
        try:
            outcomes.append(repr(function(x)))
        except (OverflowError, ZeroDivisionError, ValueError) as error:
            outcomes.append(repr(error))
    assert outcomes[0] == outcomes[1]


def on_one_side(x):
    total = 0.0
    for i in range(len(x)):
        if x[i] > 0:
            total += x[i] ** 0.5 + x[i] ** -3
    return total


def test_a_power_on_one_side_of_a_branch_warns_of_no_other_number():
    x = np.array([-1.0, 0.0, 4.0, -np.inf, 2.0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert staticpy.jit(backend="llvm")(on_one_side)(x) == on_one_side(x)
