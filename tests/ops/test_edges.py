"""Numbers, 0-d arrays, huge ints and warnings: what the tables of comparisons have found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy.diagnostics import CompileError
from tests.support.comparisons.rows import Row
from tests.support.comparisons.trial import Given, compared, see

_I8, _F8, _C16 = np.arange(6, dtype="i1").reshape(2, 3), np.array([1.5, -0.0, 2]), np.array(1 - 2j)
_ZERO, _LEAST, _HUGE = np.array(3.0), np.int64(-(2**63)), 2**64 - 1
_CASES: list[tuple[str, Callable[[], dict[str, Any]]]] = [
    # A dtype of float64 equals None: it is no dtype that is not given.
    ("np.asarray(x, dtype=np.float64)", lambda: {"x": _I8.copy()}),
    ("np.array(x, dtype=np.float64, copy=None)", lambda: {"x": _F8.copy()}),
    # A scalar class gives an array of its own dtype as it is.
    ("np.float64(x)", lambda: {"x": _F8.copy()}),
    ("np.bool(x)", lambda: {"x": _F8 > 1}),
    ("np.int8(x)", lambda: {"x": _F8.copy()}),
    # Axes of what has none.
    ("np.squeeze(x, axis=0)", lambda: {"x": _ZERO.copy()}),
    ("np.squeeze(x, axis=-1)", lambda: {"x": np.float64(3)}),
    ("np.pad(x, 2, mode='reflect')", lambda: {"x": _ZERO.copy()}),
    ("np.pad(x, 1)", lambda: {"x": _ZERO.copy()}),
    # The warnings of scalars are not those of arrays.
    ("abs(c)", lambda: {"c": _LEAST}),
    ("np.absolute(c)", lambda: {"c": _LEAST}),
    *((each, lambda: {"c": np.complex64(3.5 - 1.67j)}) for each in ("abs(c)", "np.absolute(c)")),
    *((each, lambda: {"c": np.complex128(3.5 - 1.67j)}) for each in ("abs(c)", "np.absolute(c)")),
    ("divmod(c, d)", lambda: {"c": np.int8(3), "d": np.int8(0)}),
    ("np.divide(c, d)", lambda: {"c": np.int8(3), "d": np.int8(0)}),
    ("c / d", lambda: {"c": np.int8(3), "d": np.int8(0)}),
    ("np.add(c, d)", lambda: {"c": _LEAST, "d": _LEAST}),
    ("c + d", lambda: {"c": _LEAST, "d": _LEAST}),
    ("-c", lambda: {"c": _LEAST}),
    ("np.where(x > 0, x, x * 2)", lambda: {"x": np.array(-128, "i1")}),
    ("z = x * 2; x[()] = 1; (z, -x, x - 3)", lambda: {"x": np.array(-128, "i1")}),
    ("np.negative(c)", lambda: {"c": _LEAST}),
    ("np.less_equal(e, x)", lambda: {"e": complex(np.nan, 1), "x": _F8 * 1j}),
    ("e <= x", lambda: {"e": complex(np.nan, 1), "x": _F8 * 1j}),
    ("np.sqrt(k)", lambda: {"k": 2**70}),
    # The method of a scalar unboxes the array that it writes to.
    ("np.sum(x, out=o)", lambda: {"x": np.int8(3), "o": np.zeros(())}),
    ("np.sum(x, out=o)", lambda: {"x": np.array(3.0), "o": np.zeros(())}),
    ("np.clip(x, 0, 2, out=o)", lambda: {"x": np.float64(3), "o": np.zeros(())}),
    ("np.ptp(x, out=o)", lambda: {"x": np.float64(3), "o": np.zeros(())}),
    # What is not complex is its own conjugate.
    ("c.conjugate()", lambda: {"c": np.bool(True)}),
    ("x.conj()", lambda: {"x": _C16.copy()}),
    ("x.conjugate()", lambda: {"x": _F8.copy()}),
    # Only where arrays are flattened, Python's numbers are weak.
    ("np.concatenate((x, a), axis=None)", lambda: {"x": _I8.copy(), "a": 500}),
    ("np.concatenate((x, a), axis=None)", lambda: {"x": np.float32(2), "a": 0.1}),
    ("np.concatenate((x, [a, 1]), axis=None)", lambda: {"x": _I8.copy(), "a": 5}),
    # An int that is known decides about the dtype.
    ("np.array([18446744073709551615, 1])", dict),
    ("np.array([k, 1])", lambda: {"k": 3}),
    ("np.full(2, k)", lambda: {"k": 3}),
]


@pytest.mark.parametrize(("text", "arguments"), _CASES, ids=[text for text, _ in _CASES])
def test_as_numpy(text: str, arguments: Callable[[], dict[str, Any]]) -> None:
    row = Row(text, "edges")
    given = Given(arguments)
    assert compared(see(row.function, given), see(staticpy.jit(row.function), given)) == ""


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("np.array([k, 1])", {"k": _HUGE}),
        ("np.asarray([k, c])", {"k": _HUGE, "c": np.uint64(1)}),
        ("np.full(2, k)", {"k": _HUGE}),
        ("np.atleast_1d(k)", {"k": _HUGE}),
        ("np.reciprocal(k)", {"k": _HUGE}),
        ("np.maximum(k, 1)", {"k": _HUGE}),
    ],
)
def test_a_huge_int_makes_another_array(text: str, arguments: dict[str, Any]) -> None:
    """The graph was made for arrays of int64."""
    with pytest.raises(CompileError, match="SPY627"):
        staticpy.jit(Row(text, "edges").function)(**arguments)


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("np.flip(x, 0)", {"x": _ZERO}),
        ("np.moveaxis(x, 0, -1)", {"x": _ZERO}),
        ("np.vsplit(x, [1])", {"x": _F8}),
        ("np.hsplit(x, [1])", {"x": _ZERO}),
        ("c.dot(c)", {"c": np.float64(3)}),
        ("c.argpartition(0)", {"c": np.float64(3)}),
        ("a.conj()", {"a": 3}),
    ],
)
def test_refused_where_numpy_raises(text: str, arguments: dict[str, Any]) -> None:
    function = Row(text, "edges").function
    with pytest.raises((AttributeError, ValueError, TypeError)):
        function(**arguments)
    with pytest.raises(CompileError):
        staticpy.jit(function)(**arguments)


def test_a_mask_and_two_outputs_warn_of_nothing() -> None:
    row = Row("np.frexp(x, o, i, where=w)", "edges")
    given = Given(lambda: {"x": _F8, "o": np.zeros(3), "i": np.zeros(3, "i4"), "w": _F8 > 1})
    assert compared(see(row.function, given), see(staticpy.jit(row.function), given)) == ""


_CONSTANTS = [
    "np.int8(100) + np.int8(100)",
    "-np.uint8(1)",
    "np.int64(2**62) * 4",
    "np.float32(0) / np.float32(0)",
    "np.bool(True) - np.int8(-128)",
    "np.complex64(1e30 + 1e30j) * np.complex64(1e30 - 1j)",
]


@pytest.mark.parametrize("text", _CONSTANTS)
def test_what_is_known_warns_at_each_call(text: str) -> None:
    row = Row(text, "edges")
    jitted = staticpy.jit(row.function)
    expected = see(row.function, Given(dict))
    assert compared(expected, see(jitted, Given(dict))) == ""
    assert compared(expected, see(jitted, Given(dict))) == ""


_OUTPUTS = [
    "np.nancumsum(x, axis=0, out=o)",
    "np.quantile(x, 0.5, out=q)",
    "np.fix(x, o)",
    "np.fft.fft(x, out=np.zeros(3, complex))",
    "np.nancumsum(x, out=x)",
    "np.diff(x, prepend=0, append=o)",
]


@pytest.mark.parametrize("text", _OUTPUTS)
def test_outputs_of_library_functions(text: str) -> None:
    row = Row(text, "edges")
    known = {"x": _F8, "o": np.zeros(3), "q": np.zeros(())}
    given = Given(lambda: {name: known[name].copy() for name in row.names})
    expected, actual = see(row.function, given), see(staticpy.jit(row.function), given)
    assert compared(expected, actual) == ""
    for name in row.names:
        assert expected.arguments[name].tobytes() == actual.arguments[name].tobytes()
