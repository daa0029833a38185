"""NumPy's numbers written to elements of other dtypes: what fits, what wraps round and what raises
are as in CPython.
"""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import staticpy

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

DTYPES = [*np.typecodes["AllInteger"].replace("p", "").replace("P", ""), "f", "d", "?"]
NUMBERS = [
    np.int8(-5),
    np.uint8(200),
    np.int16(300),
    np.int16(-300),
    np.uint16(60_000),
    np.int32(70_000),
    np.uint32(4_000_000_000),
    np.int64(2**40),
    np.int64(-1),
    np.uint64(2**63 + 5),
    np.uint64(7),
    np.float64(3.7),
    np.float64(-300.0),
    np.float32(1e10),
    np.bool_(True),
    300,
    2**63,
    1e20,
]


def element(a, b, v):
    a[0] = v


def elements(a, b, v):
    for i in range(len(a)):
        a[i] = v


def place(a, b, v):
    b[0, -1] = v


def alone(a, b, v):
    c = a[0:1].reshape(())
    c[()] = v


def a_slice(a, b, v):
    a[:2] = v


def a_row(a, b, v):
    b[1] = v


def where(a, b, v):
    a[a == 1] = v


def outcome(function, dtype, number):
    a, b = np.ones(3, dtype), np.ones((2, 2), dtype)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found = function(a, b, number)
        except (OverflowError, ValueError) as error:
            found = type(error)
    return found, a.tobytes(), b.tobytes(), {str(each.message) for each in caught}


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(
    "function",
    [element, elements, place, alone, a_slice, a_row, where],
    ids=lambda each: each.__name__,
)
def test_as_in_cpython(function):
    native = staticpy.jit(function, backend="llvm")
    for dtype in DTYPES:
        for number in NUMBERS:
            found, expected = (outcome(each, dtype, number) for each in (native, function))
            assert found[:3] == expected[:3], (dtype, number)


def test_what_does_not_fit_stops_a_loop():
    def squares(out, x):
        for i in range(len(x)):
            out[i] = x[i] * x[i]

    x = np.arange(0, 300, 7)
    found, expected = np.zeros(len(x), np.int16), np.zeros(len(x), np.int16)
    for function, out in ((squares, expected), (staticpy.jit(squares, backend="llvm"), found)):
        with pytest.raises(OverflowError, match="out of bounds"):
            function(out, x)
    assert found.tolist() == expected.tolist()
    assert found.any()
