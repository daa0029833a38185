"""Functions of numbers call each other natively, and recursion ends where CPython's does."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
import time
import traceback
import warnings
from typing import Any

import numpy as np
import pytest

import staticpy
from tests.support.direct import frames_of, outcome

pytest.importorskip("llvmlite")


def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)


def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))


def is_even(n):
    return True if n == 0 else is_odd(n - 1)


def is_odd(n):
    return False if n == 0 else is_even(n - 1)


def power(x, n):
    if n == 0:
        return 1.0
    half = power(x, n // 2)
    return half * half * (x if n % 2 else 1.0)


def factorial(n):
    return 1 if n == 0 else n * factorial(n - 1)


def collatz(n, steps):
    while n % 2 == 0:
        n //= 2
        steps += 1
    return steps if n == 1 else collatz(3 * n + 1, steps + 1)


def depth(n):
    return 0 if n == 0 else 1 + depth(n - 1)


def quotient(n):
    if n == 0:
        return 1 // n
    return quotient(n - 1) + 1


def checked(n):
    if n < 0:
        raise ValueError("negative")
    return 0 if n == 0 else checked(n - 2) + 1


def of_numpy(x, n):
    return x if n == 0 else of_numpy(x / 2, n - 1)


def infinite(x, n):
    return x if n == 0 else infinite(x * 1e300, n - 1)


def by_squaring(base, exponent):
    """An int where the exponent is zero, of the type of ``base`` elsewhere."""
    if exponent == 0:
        return 1
    half = by_squaring(base, exponent // 2)
    return half * half * base if exponent % 2 else half * half


def in_turns(n, first, second):
    """Two results, each of which is an int or a float."""
    if n == 0:
        return first, second
    if n == 3:
        return in_turns(n - 1, second, 1)
    return in_turns(n - 1, second * 2, first)


NATIVE = [
    (fib, (15,)),
    (fib, (True,)),
    (ackermann, (2, 3)),
    (is_even, (101,)),
    (power, (1.5, 13)),
    (factorial, (10,)),
    (collatz, (27, 0)),
    (of_numpy, (np.float64(3.0), 5)),
    (by_squaring, (1.5, 7)),
    (by_squaring, (-2.0, 0)),
    (by_squaring, (np.float32(1.5), 5)),
    (in_turns, (5, 1, 2.5)),
    (in_turns, (2, 1.5, 3)),
    (in_turns, (7, np.float32(1), 2)),
]


@pytest.mark.parametrize(("function", "args"), NATIVE)
def test_recursion_runs_no_python(function, args):
    compiled = staticpy.jit(function, backend="llvm")
    for _ in range(2):
        assert outcome(compiled, *args) == outcome(function, *args)
    assert frames_of(compiled, *args) == []


@pytest.mark.parametrize(
    ("function", "args"),
    [(factorial, (30,)), (quotient, (5,)), (checked, (5,)), (checked, (6,)), (fib, (2**70,))],
)
def test_what_native_code_cannot_finish(function, args):
    compiled = staticpy.jit(function, backend="llvm")
    for _ in range(3):
        assert outcome(compiled, *args) == outcome(function, *args)


def test_every_call_is_in_the_traceback():
    compiled = staticpy.jit(quotient, backend="llvm")
    for _ in range(2):
        with pytest.raises(ZeroDivisionError) as caught:
            compiled(4)
        frames = traceback.extract_tb(caught.value.__traceback__)
        assert [frame.name for frame in frames][-5:] == ["quotient"] * 5


def test_warnings_of_what_is_called():
    compiled = staticpy.jit(infinite, backend="llvm")
    compiled(np.float64(1.0), 1)
    with pytest.warns(RuntimeWarning, match="overflow"):
        compiled(np.float64(1.0), 5)
    with np.errstate(over="raise"), pytest.raises(FloatingPointError):
        compiled(np.float64(1.0), 5)


# --- depth ----------------------------------------------------------------------------------------


def test_a_recursion_that_is_too_deep():
    compiled = staticpy.jit(depth, backend="llvm")
    assert compiled(10) == 10
    for function in (depth, compiled, compiled):
        with pytest.raises(RecursionError, match="maximum recursion depth exceeded"):
            function(2 * sys.getrecursionlimit())
    assert compiled(10) == 10


def _nested(levels: int, function: Any, n: int) -> Any:
    return function(n) if levels == 0 else _nested(levels - 1, function, n)


def test_what_is_on_the_stack_already_counts():
    compiled = staticpy.jit(depth, backend="llvm")
    compiled(3)
    room = sys.getrecursionlimit() - _used() - 1
    assert _nested(room - 300, compiled, 100) == 100
    with pytest.raises(RecursionError):
        _nested(room - 100, compiled, 300)


def _used() -> int:
    frame, count = sys._getframe(1), 0
    while frame is not None:
        frame, count = frame.f_back, count + 1
    return count


def test_a_recursion_deeper_than_the_stack_of_c():
    compiled = staticpy.jit(depth, backend="llvm")
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(60_000)
    try:
        assert compiled(1500) == 1500
        assert compiled(40_000) == depth(40_000) == 40_000
    finally:
        sys.setrecursionlimit(limit)


def test_in_a_thread_with_a_small_stack():
    compiled = staticpy.jit(fib, backend="llvm")
    compiled(3)
    deep = staticpy.jit(depth, backend="llvm")
    deep(3)
    results: list[int] = []
    old = threading.stack_size(256 * 1024)
    try:
        thread = threading.Thread(target=lambda: results.extend([compiled(12), deep(900)]))
        thread.start()
        thread.join()
    finally:
        threading.stack_size(old)
    assert results == [144, 900]


# --- what stays with the host ---------------------------------------------------------------------


def test_functions_that_write_are_called_once():
    def fill(x, i):
        x[i] += 1
        if i > 0:
            fill(x, i - 1)

    def both(x, n):
        x[0] += 1
        fill(x, 3)
        return factorial(n)

    expected, given = np.zeros(4), np.zeros(4)
    compiled = staticpy.jit(both, backend="llvm")
    assert outcome(compiled, given, 5) == outcome(both, expected, 5)
    np.testing.assert_array_equal(given, expected)


def test_functions_that_print_are_called_once(capsys):
    def countdown(n):
        print(n)
        return 1 if n == 0 else n * 2**40 * countdown(n - 1)

    compiled = staticpy.jit(countdown, backend="llvm")
    expected = countdown(4)
    printed = capsys.readouterr().out
    with contextlib.suppress(OverflowError):  # it can't be called again
        assert compiled(4) == expected
    assert capsys.readouterr().out == printed


def test_what_is_seen_of_arrays_of_the_function_happens_once(capsys):
    def shown(n):
        y = np.zeros(3)
        print(y)
        return n * n * n, 1 / y

    def drawn(n):
        y = np.arange(5.0)
        np.random.shuffle(y)  # noqa: NPY002 - the generator that others draw from
        z = np.random.normal(y)  # noqa: NPY002
        return int(z[0]) + n * n * n

    for function, n in ((shown, 2), (shown, 10**10), (drawn, 10**10)):
        compiled = staticpy.jit(function, backend="llvm")
        seen = []
        for called in (function, compiled):
            np.random.seed(5)  # noqa: NPY002
            with contextlib.suppress(OverflowError), warnings.catch_warnings(record=True):
                called(n)
            seen.append((capsys.readouterr().out, np.random.random()))  # noqa: NPY002
        assert seen[0] == seen[1]


def test_lists_of_the_function_that_callees_write_to_are_made_again():
    def noted(n, m):
        found = []
        try:
            found.append(n // m)
        except ZeroDivisionError:
            found.append(0.5)
        return found, n * n * n

    compiled = staticpy.jit(noted, backend="llvm")
    for n, m in ((2, 1), (10**10, 1), (10**10, 0)):
        assert compiled(n, m) == noted(n, m)


# --- signals --------------------------------------------------------------------------------------


class Alarm(Exception):
    pass


def halved(x, n):
    i = 0
    while i < n:
        x = x * 0.5 + 1.0
        i += 1
    return x


def summed(start, stop, step):
    total = 0
    for i in range(start, stop, step):
        total = (total + i) % 1000
    return total


def every_third(n):
    total = 0
    for i in range(n, 0, -3):
        if i % 1000003 == 1000002:
            break
        total = (total + i) % 1000
    return total


def turned(n):
    total = 1.0
    for i in range(n):
        total = total * 0.5 + i
    return total


FAR = 10**13
ENDLESS = [
    (fib, (5,), (60,)),
    (halved, (1.0, 70_000), (1.0, FAR)),
    (summed, (0, 200_000, 1), (0, FAR, 1)),
    (summed, (200_000, 0, -7), (FAR, 0, -1)),
    (turned, (65_536,), (FAR,)),
    (turned, (65_537,), (FAR,)),
]


@pytest.mark.parametrize("n", [0, 1, 3, 65_535, 196_608, 196_609, 400_000])
def test_a_loop_that_is_cut_into_pieces_is_the_same(n):
    compiled = staticpy.jit(every_third, backend="llvm")
    assert outcome(compiled, n) == outcome(every_third, n)


@pytest.mark.parametrize("stop", [2**63 - 1, 2**63 - 2])
def test_a_loop_at_the_end_of_64_bits(stop):
    compiled = staticpy.jit(summed, backend="llvm")
    for args in [(stop - 100, stop, 1), (stop - 100, stop, 7), (-stop + 90, -stop, -7)]:
        assert outcome(compiled, *args) == outcome(summed, *args)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers")
@pytest.mark.parametrize(("function", "small", "large"), ENDLESS)
def test_a_signal_ends_what_takes_long(function, small, large):
    def ring(*_: Any) -> None:
        raise Alarm

    compiled = staticpy.jit(function, backend="llvm")
    for _ in range(2):
        assert outcome(compiled, *small) == outcome(function, *small)
    old = signal.signal(signal.SIGALRM, ring)
    start = time.monotonic()
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(Alarm):
            compiled(*large)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
    assert time.monotonic() - start < 2
