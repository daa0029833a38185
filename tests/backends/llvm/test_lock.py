"""Loops over numbers and recursion let go of the interpreter's lock: they wait for what another
thread does, which needs it, and take it again for what needs it themselves.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy

pytest.importorskip("llvmlite", reason="the backend llvm needs llvmlite")

LONG = 3_000_000
"""So many rounds take longer than the lock is held."""


def waits_in_a_while(flag):
    rounds = 0
    while flag[0] == 0:
        rounds += 1
    return rounds


def waits_between_loops(flag):
    total = 0
    while flag[0] == 0:
        for i in range(1000):
            total = (total * 3 + i) % 1000003
    return total


def waits_at_each_element(flag):
    total = 0.0
    for i in range(10**12):
        total = total * 0.5 + math.sin(i) + flag[1]
        if flag[0] != 0:
            break
    return total


def waits_with_a_power(flag):
    total = 1.0
    while flag[0] == 0:
        total = (total + 1.5) ** 0.3 + round(total)
    return total


def waits_with_a_list(flag):
    numbers, i = [1, 2, 3], 0
    while flag[0] == 0:
        numbers[i % 3] = numbers[(i + 1) % 3]
        i += 1
    return numbers


def waits_with_a_kernel(flag):
    parts = np.zeros(3)
    while flag[0] == 0:
        parts = np.sort(parts)
    return parts


@pytest.mark.parametrize(
    "function",
    [
        waits_in_a_while,
        waits_between_loops,
        waits_at_each_element,
        waits_with_a_power,
        waits_with_a_list,
        waits_with_a_kernel,
    ],
)
def test_a_loop_sees_what_another_thread_does(function: Callable[..., Any]) -> None:
    """It ends for nothing else."""
    run = staticpy.jit(function, backend="llvm")
    run(np.ones(2, np.int64))
    flag, ended = np.zeros(2, np.int64), []
    thread = threading.Thread(target=lambda: ended.append(run(flag)), daemon=True)
    thread.start()
    time.sleep(0.05)
    flag[0] = 1
    thread.join(60)
    assert len(ended) == 1


def fibonacci(n):
    if n < 2:
        return n
    return fibonacci(n - 1) + fibonacci(n - 2)


def test_two_recursions_at_once() -> None:
    """Both look how deep they are without the lock."""
    run = staticpy.jit(fibonacci, backend="llvm")
    assert run(10) == 55
    together([lambda: run(32)] * 2, 2178309)


def together(calls: list[Callable[[], Any]], expected: Any) -> None:
    """Each call gives, or raises, what is expected, and so do all of them at once."""
    ended: list[Any] = []

    def note(call: Callable[[], Any]) -> None:
        try:
            ended.append(call())
        except Exception as error:
            ended.append((type(error), str(error)))

    threads = [threading.Thread(target=note, args=(each,)) for each in calls]
    for each in threads:
        each.start()
    for each in threads:
        each.join(60)
    assert ended == [expected] * len(calls)


def reads_too_far(x, n):
    total = 0.0
    for i in range(n):
        total = total * 0.5 + x[i % 7 + i // 2_900_000]
    return total


def grows_too_large(x, n):
    total = 1
    for i in range(n):
        total = total + i * 5_000_000_000
        if total < 0:
            break
    return total


def divides_by_zero(x, n):
    total = 0.0
    for i in range(n):
        total += 1.0 / (2_900_000 - i)
    return total


def goes_too_deep(n, left):
    if left > 0:
        count = 0
        for i in range(n):
            count = (count * 3 + i) % 1000003
        return goes_too_deep(n, left - 1) + count
    return 1 // left


RAISING = [reads_too_far, divides_by_zero]


@pytest.mark.parametrize("function", RAISING)
def test_what_is_raised_without_the_lock(function: Callable[..., Any]) -> None:
    x = np.arange(7.0)
    run = staticpy.jit(function, backend="llvm")
    assert run(x, 10) == function(x, 10)
    with pytest.raises((IndexError, ZeroDivisionError)) as raised:
        function(x, LONG)
    together([lambda: run(x, LONG)] * 3, (raised.type, str(raised.value)))


def test_an_int_that_leaves_64_bits_without_the_lock() -> None:
    """All is done again by the twin, which needs the lock."""
    x = np.zeros(1)
    run = staticpy.jit(grows_too_large, backend="llvm")
    assert run(x, 10) == grows_too_large(x, 10)
    together([lambda: run(x, LONG)] * 2, grows_too_large(x, LONG))


def test_what_a_function_raises_that_others_call_without_the_lock() -> None:
    run = staticpy.jit(goes_too_deep, backend="llvm")
    with pytest.raises(ZeroDivisionError) as raised:
        goes_too_deep(2, 3)
    together([lambda: run(LONG, 2)] * 2, (ZeroDivisionError, str(raised.value)))
