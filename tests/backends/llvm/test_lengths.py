"""``math.hypot`` has CPython's bits, whatever the size of its arguments."""

from __future__ import annotations

import math

import numpy as np
import pytest

import staticpy

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

SPECIAL = np.array(
    [
        *(0.0, -0.0, 1.0, -1.0, 3.0, 4.0, 5e-324, 1e-310, 1e-200, 1e308, 1.7e308),
        *(2.0**-900, 2.0**-901, 2.0**900, 2.0**901, np.inf, -np.inf, np.nan),
    ]
)


def lengths(x, y):
    out = np.empty_like(x)
    for i in range(len(x)):
        out[i] = math.hypot(x[i], y[i])
    return out


@pytest.mark.parametrize("widest", [0, 3, 60, 600])
@pytest.mark.filterwarnings("error")
def test_bits(widest: int) -> None:
    generator = np.random.default_rng(widest)
    x, y = generator.normal(size=(2, 20_000)) * 2.0 ** generator.integers(
        -widest, widest + 1, 20_000
    )
    y[:5_000] = x[:5_000] * 2.0 ** generator.integers(-30, 31, 5_000)
    native = staticpy.jit(lengths, backend="llvm")
    for a, b in ((x, y), (y, -x), [each.ravel() for each in np.meshgrid(SPECIAL, SPECIAL)]):
        assert native(a, b).tobytes() == lengths(a, b).tobytes()


def test_other_numbers() -> None:
    def length(x, y):
        return math.hypot(x, y), math.hypot(x), math.hypot(x, y, 2), math.hypot()

    native = staticpy.jit(length, backend="llvm")
    for x, y in [(3, 4), (True, 2.0), (np.float32(0.1), 7), (0, 0), (-(2**62), 1)]:
        assert native(x, y) == length(x, y)
