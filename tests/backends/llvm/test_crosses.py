"""``np.cross`` in native code: of rows of three floats."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import staticpy
from tests.backends.llvm.test_loops import details

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")


def crossed(a, b):
    return np.cross(a, b)


def rows(seed, *shape, dtype=np.float64):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_rows_of_all_numbers(dtype):
    native = staticpy.jit(crossed, backend="llvm")
    for count in (0, 1, 7, 8, 9, 1000, 50_001):
        a, b = rows(0, count, 3, dtype=dtype), rows(1, count, 3, dtype=dtype)
        others = np.asfortranarray(b), rows(2, count, 6, dtype=dtype)[:, ::2], b[:, ::-1], b[::-1]
        for each in (b, *others):
            assert details(native(a, each)) == details(crossed(a, each)), count


def test_one_row_with_all():
    native = staticpy.jit(crossed, backend="llvm")
    a, axis = rows(0, 4, 5, 3), np.array([0.5, -2.0, 1.0])
    for pair in ((a, axis), (axis, a), (axis, axis[::-1]), (a[:1, :1], a), (a[:1], axis)):
        assert details(native(*pair)) == details(crossed(*pair))


def test_other_axes_and_dtypes():
    def along(a, b):
        return np.cross(a, b, axis=0)

    a, b = rows(0, 3, 4), rows(1, 3, 4)
    assert details(staticpy.jit(along, backend="llvm")(a, b)) == details(along(a, b))
    native = staticpy.jit(crossed, backend="llvm")
    for pair in ((a[:, :3], b[:, :3].astype("f4")), ((a[:, :3] * 9).astype(int),) * 2):
        assert details(native(*pair)) == details(crossed(*pair))


def test_rows_of_two_and_four():
    """NumPy takes rows of two up to 2.4, and tells of those of four in other words since."""
    native = staticpy.jit(crossed, backend="llvm")
    a = rows(0, 5, 4)
    for pair in ((a[:, :3], a[:, :2]), (a, a)):
        outcomes = []
        for function in (crossed, native):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)
                try:
                    outcomes.append(details(function(*pair)))
                except ValueError as error:
                    outcomes.append(str(error))
        assert outcomes[0] == outcomes[1]


def test_what_overflows_is_a_warning():
    """Of infinities and NaN, too, whose differences are invalid or silent as NumPy's."""
    native = staticpy.jit(crossed, backend="llvm")
    for number, kind in ((1e300, "overflow"), (np.inf, "invalid"), (np.nan, None)):
        a = np.ones((9, 3))
        a[4] = number
        found = []
        for function in (native, crossed):
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                found.append(details(function(a, a * [1.0, 2.0, 3.0])))
            assert kind is None or any(kind in str(each.message) for each in caught)
            assert kind is not None or not caught
        assert found[0] == found[1]
