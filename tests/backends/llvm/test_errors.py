"""What goes wrong in native code: warnings, exceptions, and ints that don't fit into 64 bits."""

from __future__ import annotations

import math
import traceback
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy
from tests.support.modules import imported

pytest.importorskip("llvmlite", reason="the backend llvm needs llvmlite")

X = np.array([1.0, 0.0, -2.0])


def native(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function in native code."""
    return staticpy.jit(function, backend="llvm")


def warned(function: Callable[..., Any], *args: Any) -> list[str]:
    """Which floating-point warnings a call gives, in their order."""
    found: list[str] = []
    with np.errstate(all="call", call=lambda kind, _: found.append(kind)):
        function(*args)
    return found


def divided(x, i):
    return x[i] / x[1]


def divided_before_a_kernel(x, i):
    quotient = x[i] / x[1]
    return quotient, np.sort(x)


def warned_by_a_kernel(x, i):
    total = x[i] + x[1]
    return total, np.cumsum(x / x[1])


def divided_before_an_error(x, i):
    quotient = x[i] / x[1]
    return x[i + 5] + quotient


def product_beyond(x, n):
    a = n * n
    x[0] = 1.5
    return a * x[0]


def product_beyond_after_a_write(x, n):
    x[0] = 1.5
    return n * n


@pytest.mark.parametrize("function", [divided, divided_before_a_kernel, warned_by_a_kernel])
def test_warnings_are_numpys(function: Callable[..., Any]) -> None:
    for i in range(3):
        assert warned(native(function), X, i) == warned(function, X, i)


@pytest.mark.parametrize(
    "function", [divided, divided_before_a_kernel, warned_by_a_kernel, divided_before_an_error]
)
def test_warnings_raise(function: Callable[..., Any]) -> None:
    with np.errstate(all="raise"):
        with pytest.raises(FloatingPointError) as expected:
            function(X, 0)
        with pytest.raises(FloatingPointError) as found:
            native(function)(X, 0)
    assert str(found.value) == str(expected.value)


def test_an_int_that_is_too_large_runs_again() -> None:
    x = X.copy()
    assert native(product_beyond)(x, 10**12) == 1.5e24
    assert x[0] == 1.5


def test_an_int_that_is_too_large_after_a_write() -> None:
    with pytest.raises(OverflowError, match="64 bits"):
        native(product_beyond_after_a_write)(X.copy(), 10**12)


def fails_in_a_handler(x, i):
    try:
        y = x[i]
    except IndexError:
        y = x[i - 1] + x[i]  # the line
    return y


def fails_again(n, x):
    m = n * n * n * n
    return m + x[n]  # the line


@pytest.mark.parametrize(
    ("function", "args"), [(fails_in_a_handler, (X, 3)), (fails_again, (10**7, X))]
)
def test_traceback_names_the_line(function: Callable[..., Any], args: tuple[Any, ...]) -> None:
    with pytest.raises(IndexError) as found:
        native(function)(*args)
    lines = [frame.line for frame in traceback.extract_tb(found.value.__traceback__)]
    assert any(line is not None and line.endswith("# the line") for line in lines)


def rests(x):
    return x % math.nan, x // math.inf, math.fmod(x, math.nan), x**math.nan


def test_rests_by_what_the_program_knows_to_be_no_number():
    """LLVM has no value for ``fmod(x, nan)`` if it takes it for the C library's."""
    native = staticpy.jit(rests, backend="llvm")
    for x in (3, 3.5, -0.0, True):
        assert [repr(each) for each in native(x)] == [repr(each) for each in rests(x)]


def test_a_chain_of_elif_is_as_long_as_one_likes(tmp_path):
    """Each is in the one before; what is too deep is called."""
    lines = ["def chain(x, k):", "    s = 0", "    for i in range(len(x)):"]
    for number in range(300):
        lines.append(f"        {'if' if number == 0 else 'elif'} k == {number}:")
        lines.append(f"            s += x[i] * {number}")
    (tmp_path / "chains.py").write_text("\n".join([*lines, "    return s", ""]))
    with imported(tmp_path, "chains") as module:
        for k in (0, 5, 299, 300):
            assert native(module.chain)(np.arange(4), k) == module.chain(np.arange(4), k)
