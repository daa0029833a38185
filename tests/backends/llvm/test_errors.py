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


def times_ten_to_the_20(n):
    for _ in range(20):
        n = n * 10
    return n


def fills_a_list_in_a_try(x, n):
    found = []
    try:
        for i in range(n):
            found.append(x[i])  # noqa: PERF401
    except IndexError:
        found.append(-1)
    return found, times_ten_to_the_20(n)


def shows_an_exception(x, n):
    text = ""
    try:
        if n > 4:
            raise ValueError(f"{n}")
        text += str(x[n])
    except (IndexError, ValueError) as error:
        text = f"{type(error).__name__}: {error}"
    return text, times_ten_to_the_20(n)


def keeps_a_number_of_a_try(x, n):
    try:
        last = x[n]
        power = times_ten_to_the_20(n)
    except IndexError:
        last, power = -1.0, n
    return last, power


def writes_to_its_own_in_a_try(x, n):
    own, table = np.zeros(5), {}
    try:
        table[n] = own[0]
        own[n] = x[n]
    except IndexError:
        own[0] = 2.0
    return own, table, times_ten_to_the_20(n)


@pytest.mark.parametrize(
    "function",
    [
        fills_a_list_in_a_try,
        shows_an_exception,
        keeps_a_number_of_a_try,
        writes_to_its_own_in_a_try,
    ],
)
@pytest.mark.parametrize("n", [2, 3, 7])
def test_a_try_that_shows_nothing_runs_again(function: Callable[..., Any], n: int) -> None:
    assert repr(native(function)(X, n)) == repr(function(X, n))


def writes_in_a_try(x, held, n):
    try:
        held[0] = x
        x[0] += n
    except IndexError:
        pass
    return times_ten_to_the_20(n)


def writes_to_what_a_list_holds_in_a_try(x, held, n):
    own = [np.zeros(2)]
    try:
        own.append(x)
        own[n - 1] += 1.0
    except IndexError:
        pass
    return times_ten_to_the_20(n)


class Shown(Exception):
    def __init__(self, log):
        self.log = log

    def __str__(self):
        self.log[0] += 1.0
        return "shown"


def raised_in(x, n):
    if n == 0:
        raise Shown(x)
    return raised_in(x, n - 1) + 1


def shows_what_writes(x, held, n):
    try:
        count = raised_in(x, n)
    except Exception as error:
        count = n
        text = str(error)
    return text, times_ten_to_the_20(count)


@pytest.mark.parametrize(
    "function", [writes_in_a_try, writes_to_what_a_list_holds_in_a_try, shows_what_writes]
)
def test_a_try_that_shows_something_is_done_once(function: Callable[..., Any]) -> None:
    x, y = X.copy(), X.copy()
    function(x, [x], 2)
    with pytest.raises(OverflowError, match="native code"):
        native(function)(y, [y], 2)
    assert x.tolist() == y.tolist()


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


def drops_a_sum(x, y):
    x + y


def drops_a_choice(x, y):
    np.where(x > 0, 1, y)


def clips(x, y):
    return np.clip(x * 2, y, 3)


def keeps_an_operand_of_a_sum(x, y):
    z = x * 2
    w = z + y
    return z, len(w)


@pytest.mark.parametrize("backend", ["llvm", "python_source"])
@pytest.mark.parametrize(
    "function", [drops_a_sum, drops_a_choice, clips, keeps_an_operand_of_a_sum]
)
def test_sizes_that_do_not_fit_are_told_as_numpy_does(
    function: Callable[..., Any], backend: str
) -> None:
    for y in (np.ones(4), np.ones((2, 2))):
        with pytest.raises(ValueError, match="operands could not be broadcast") as expected:
            function(X, y)
        with pytest.raises(ValueError, match="operands could not be broadcast") as found:
            staticpy.jit(function, backend=backend)(X, y)
        assert str(found.value) == str(expected.value)


def element_in_a_try(x: Any) -> Any:
    try:
        found = x[5]
    except ValueError:
        found = 0.0
    return found


def test_a_try_has_no_frame_of_its_own() -> None:
    with pytest.raises(IndexError) as error:
        native(element_in_a_try)(np.zeros(3))
    names = [entry.name for entry in error.traceback if str(entry.path) == __file__]
    assert names == ["test_a_try_has_no_frame_of_its_own", "element_in_a_try"]


def arrays_of_its_own_in_a_dict(x: Any, n: int) -> Any:
    found = {}
    try:
        for i in range(3):
            found[i] = np.zeros(3)
            found[i][0] = x[i]
    except ValueError:
        found = {}
    found[1][2] += 1
    return n * n * n, found[1]


def arrays_of_its_own_in_a_list(x: Any, n: int) -> Any:
    found = []
    try:
        for i in range(3):
            found.append(x * i)
            found[i][0] = n
    except ValueError:
        n += 1
    found[1][2] += 1
    return n * n * n, found[1]


@pytest.mark.parametrize("function", [arrays_of_its_own_in_a_dict, arrays_of_its_own_in_a_list])
def test_a_try_that_keeps_arrays_of_its_own_can_be_run_again(function: Callable[..., Any]) -> None:
    expected, found = function(X, 10**10), native(function)(X, 10**10)
    assert repr(found) == repr(expected)


def argument_in_a_dict(x: Any, n: int) -> Any:
    found = {}
    try:
        found[0] = x[1:]
    except ValueError:
        found = {}
    found[0][0] += 1
    return n * n * n


def argument_returned_by_a_try(x: Any, n: int) -> Any:
    try:
        found = x if int(x[0]) else x * 2
    except ValueError:
        found = x * 3
    found[0] += 1
    return n * n * n


@pytest.mark.parametrize("function", [argument_in_a_dict, argument_returned_by_a_try])
def test_a_try_that_gives_out_an_argument_writes_once(function: Callable[..., Any]) -> None:
    expected, found = X.copy(), X.copy()
    function(expected, 10**10)
    with pytest.raises(OverflowError):
        native(function)(found, 10**10)
    assert found.tolist() == expected.tolist()
