"""The math library against NumPy: error, special values, flags, packed code.

The judge of an error is x86's long double, whose 64 bits leave 2^-11 of an f64's last place.
"""

from __future__ import annotations

import functools
import os

import numpy as np
import pytest

pytest.importorskip("llvmlite", reason="the native backend needs llvmlite")
special = pytest.importorskip("scipy.special", reason="the judge of the logistic function and erf")

import staticpy  # noqa: E402
from staticpy.backends.llvm import ir, maths  # noqa: E402
from staticpy.backends.llvm.engine import numpy_has_vectors  # noqa: E402
from tests.backends.llvm.math_loops import (  # noqa: E402
    DIVIDE,
    DTYPES,
    INVALID,
    OVERFLOW,
    WIDTHS,
    Loop,
    compiled,
)

BINARY = maths.BINARY
UNARY = [name for name in maths.NAMES if name not in BINARY]
LIMIT = {"f64": 1.0, "f32": 2.0}
SPECIAL = [0.0, 5e-324, 1e-310, 1e-45, 1e-40, 0.5, 1.0, 2.0, 20.0, 40.0, 100.0, 104.0, 708.0]
SPECIAL += [745.13, 745.14, 709.782712893384, 709.79, 88.72, 88.73, 1023.99, 1024.0, 1075.0, 1e30]
SPECIAL += [3.4e38, 1.7976931348623157e308, np.inf, 2.0**20, 1e22, 5.319372648326541e255, 3.0]
VALUES = np.array([*SPECIAL, *(-v for v in SPECIAL), np.nan])


def series(x: np.ndarray) -> np.ndarray:
    """Erf by positive terms: 2 / sqrt(pi) e^-x² times the sum of 2^n x^(2n + 1) / (1 · 3 · …)."""
    x = np.clip(x, -7, 7)
    total = term = x
    for n in range(1, 220):
        term = term * (2 * x * x / (2 * n + 1))
        total = total + term
    return total * np.exp(-x * x) * 2 / np.sqrt(4 * np.arctan(np.ones_like(x)))


JUDGES = {
    "erf": series,
    "sigmoid": lambda x: np.exp(np.minimum(x, 0)) / (1 + np.exp(-np.abs(x))),
    "cube": lambda x: x * x * x,
    "fourth": lambda x: (x * x) * (x * x),
}
NUMPYS = {
    "erf": special.erf,
    "sigmoid": special.expit,
    "cube": lambda x: np.power(x, np.full_like(x, 3)),
    "fourth": lambda x: np.power(x, np.full_like(x, 4)),
}

NUMPYS_OWN = maths.NUMPYS if numpy_has_vectors() else frozenset()
"""What isn't computed here on such a processor: there NumPy's flags are those of its vectors."""

pytestmark = pytest.mark.skipif(
    np.finfo(np.longdouble).nmant < 63, reason="no wider format to judge by"
)


@functools.cache
def loop(name: str, dtype: str, fma: bool | None = None) -> Loop:
    return compiled(name, dtype, fma=fma)


def judge(name: str, *arrays: np.ndarray) -> np.ndarray:
    function = JUDGES.get(name) or getattr(np, name)
    return function(*(a.astype(np.longdouble) for a in arrays))


def ulps(got: np.ndarray, exact: np.ndarray) -> np.ndarray:
    """The error in units of the exact result's last place; infinite where only one is finite."""
    nearest = exact.astype(got.dtype)
    with np.errstate(all="ignore"):
        unit = np.spacing(np.abs(nearest)).astype(exact.dtype)
        error = np.abs(got - exact) / unit
    same = (got == nearest) | (np.isnan(got) & np.isnan(nearest))
    return np.where(same, 0.0, np.where(np.isfinite(got) & np.isfinite(nearest), error, np.inf))


def samples(dtype: str, count: int = 50_000) -> np.ndarray:
    """Numbers of every exponent, and many of those where something happens."""
    random = np.random.default_rng(0)
    kind = DTYPES[dtype]
    word = np.int32 if dtype == "f32" else np.int64
    limits = np.iinfo(word)
    every = random.integers(limits.min, limits.max, count, dtype=word, endpoint=True).view(kind)
    size = {"f32": 110.0, "f64": 760.0}[dtype]
    near_one = 1 + random.standard_normal(count) * 10 ** random.uniform(-8, -1, count)
    usual = random.standard_normal(count) * 10 ** random.uniform(-6, 3, count)
    parts = [random.uniform(-size, size, count), random.uniform(-3, 3, count), near_one, usual]
    parts.append(np.pi / 2 * np.rint(2 ** random.uniform(0, 24, count)))
    return np.concatenate([every, *(part.astype(kind) for part in parts)])


@pytest.mark.parametrize("fma", [None, False], ids=["host", "no-fma"])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", maths.NAMES)
def test_error_is_within_the_limit(name: str, dtype: str, fma: bool | None) -> None:
    x = samples(dtype)
    arrays = (x, np.random.default_rng(1).permutation(x)) if name in BINARY else (x,)
    with np.errstate(all="ignore"):
        exact = judge(name, *arrays)
        got, _ = loop(name, dtype, fma).run(*arrays)
        errors = ulps(got, exact)
    worst = int(errors.argmax())
    assert errors[worst] <= LIMIT[dtype], [a[worst] for a in arrays]


def of_numpy(name: str, *arrays: np.ndarray) -> tuple[np.ndarray, int]:
    """NumPy's results and the flags of its warnings."""
    raised = 0

    def note(_: str, flag: int) -> None:
        nonlocal raised
        raised |= flag

    function = NUMPYS.get(name) or getattr(np, name)
    with np.errstate(divide="call", over="call", invalid="call", under="ignore", call=note):
        result = function(*arrays)
    flags = (DIVIDE, 1), (OVERFLOW, 2), (INVALID, 8)
    return result, sum(flag for flag, bit in flags if raised & bit)


@pytest.mark.parametrize("fma", [None, False], ids=["host", "no-fma"])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", maths.NAMES)
def test_special_values_and_flags_are_numpys(name: str, dtype: str, fma: bool | None) -> None:
    with np.errstate(all="ignore"):
        values = np.unique(
            VALUES.astype(DTYPES[dtype]).view(np.uint8).reshape(len(VALUES), -1), axis=0
        ).view(DTYPES[dtype])[:, 0]
    others = values if name in BINARY else values[:1]
    for first in values:
        for second in others:
            arrays = [np.full(17, v) for v in ((first, second) if name in BINARY else (first,))]
            expected, flags = of_numpy(name, *arrays)
            got, raised = loop(name, dtype, fma).run(*arrays)
            if name == "power" and np.isinf(second):  # Intel's vectors warn of 1e22 ** inf
                flags &= ~OVERFLOW
            if name not in NUMPYS_OWN:
                assert raised == flags, (first, second)
            assert np.array_equal(np.isfinite(got), np.isfinite(expected)), (first, second)
            signs = np.signbit(got) == np.signbit(expected)
            assert (signs | np.isnan(expected)).all(), (first, second)
            if np.isinf(expected[0]) or (expected[0] == 0 and name != "sigmoid"):
                assert got[0] == expected[0], (first, second)


def error_over_f32(name: str, turn: int, turns: int) -> tuple[float, float]:
    """The largest error over all 2^32 numbers of f32, or a share of them, against NumPy's f64, and
    where it is.
    """
    worst, where = 0.0, 0.0
    function = NUMPYS.get(name) or getattr(np, name)
    step = 1 << 18
    for start in range(turn % turns * step, 1 << 32, turns * step):
        x = np.arange(start, start + step, dtype=np.uint64).astype(np.uint32).view(np.float32)
        with np.errstate(all="ignore"):
            exact = function(x.astype(np.float64))
            errors = ulps(loop(name, "f32").run(x)[0], exact)
        if errors.max() > worst:
            worst, where = float(errors.max()), float(x[errors.argmax()])
    return worst, where


@pytest.mark.slow
@pytest.mark.parametrize("name", UNARY)
def test_a_share_of_all_f32(name: str) -> None:
    """Each turn tries others; ``error_over_f32(name, 0, 1)`` tries all, which takes minutes."""
    worst, where = error_over_f32(name, int(os.environ.get("STATICPY_TURN", "0")), 64)
    assert worst <= LIMIT["f32"], where


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", ["exp", "log", "sin", "tanh"])
def test_an_element_has_the_same_bits_wherever_it_is(name: str, dtype: str) -> None:
    """In the widest vectors, in shorter ones, and by itself."""
    function = getattr(np, name)
    short = staticpy.jit(lambda x: 2 * function(x), backend="llvm")
    long = staticpy.jit(lambda x: ((function(x) - x) * x + 0.5) * x - 1, backend="llvm")
    x = np.linspace(0.01, 12, 16 * 64 + 8 + 7).astype(dtype)
    for call in (short, long):
        every = call(x)
        for count in (1, 7, 8, 15, 23):
            assert (call(x[:count]) == every[:count]).all()
        last = call(np.roll(x, 5))
        assert (np.roll(last, -5) == every).all()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", maths.NAMES)
def test_the_loop_is_packed(name: str, dtype: str) -> None:
    """Vectors as wide as a register, of which nothing is taken to libm."""
    text = loop(name, dtype).code.text()
    declared = [line for line in text.splitlines() if line.startswith("declare")]
    assert all("@llvm." in line for line in declared)
    kind = "float" if dtype == "f32" else "double"
    assert f"<{WIDTHS[dtype]} x {kind}>" in text


def test_a_function_is_defined_once() -> None:
    module = ir.Module()
    first = maths.declare(module, "exp", "f64", fma=True)
    assert maths.declare(module, "exp", "f64", fma=True) is first
