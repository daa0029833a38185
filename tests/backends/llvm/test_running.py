"""Native code beside everything else in the process: signals, threads, memory."""

from __future__ import annotations

import contextlib
import gc
import signal
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import Any

import numpy as np
import pytest

import staticpy

pytest.importorskip("llvmlite", reason="the backend llvm needs llvmlite")


class StoppedError(Exception):
    """What the handler of the signal raises."""


def long_loops(n):
    total = 0
    for i in range(n):
        for j in range(1000):
            total = (total * 3 + i * j) % 1000003
    return total


def long_while(n):
    total, i = 0, 0
    while i < n:
        for j in range(1000):
            total = (total * 3 + i * j) % 1000003
        i += 1
    return total


def long_calculation(n):
    total, i = 0, 0
    while i < n:
        total = (total * 3 + i) % 1000003
        i += 1
    return total


def long_range(n):
    total = 0
    for i in range(n * n, 0, -n):
        total = (total * 3 + i) % 1000003
    return total


def sums_of_an_array(n):
    x, total = np.zeros(2_000_000), 0.0
    for i in range(n):
        x[i % 10] += 1
        total += x.sum()
    return total


def an_array_that_is_filled(n):
    x, i = np.zeros(2_000_000), 0
    while i < n:
        x[i % 2 :] = i
        i += 1
    return x[-1]


def short_loops(n):
    total = 0
    for i in range(n):
        for j in range(n):
            if j > i % 3:
                break
            total = (total * 3 + j) % 1000003
        k = i % 5
        while k > 0:
            total = (total * 3 + k) % 1000003
            k -= 1
    return total


LONG = [
    long_loops,
    long_while,
    long_calculation,
    long_range,
    sums_of_an_array,
    an_array_that_is_filled,
    short_loops,
]


@pytest.mark.parametrize("function", LONG)
def test_a_signal_stops_loops(function: Callable[..., Any]) -> None:
    run = staticpy.jit(function, backend="llvm")
    assert run(3) == function(3)

    def stop(number: int, frame: FrameType | None) -> None:
        raise StoppedError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    start = time.monotonic()
    try:
        with pytest.raises(StoppedError):
            run(10**9)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert time.monotonic() - start < 5.0


def test_threads_compile_and_call_at_once() -> None:
    def work(x, n):
        total = 0.0
        for i in range(n):
            total += float(x[i % 3]) * i
        return total, x * total

    x = np.array([1.0, -2.0, 0.5])
    expected = work(x, 50)
    failures: list[object] = []

    def one() -> None:
        for _ in range(3):
            run = staticpy.jit(work, backend="llvm")
            for _ in range(50):
                total, array = run(x, 50)
                if total != expected[0] or not np.array_equal(array, expected[1]):
                    failures.append(total)

    threads = [threading.Thread(target=one) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def rows(x, n):
    total = 0.0
    for i in range(n):
        row = x[i]
        total += float(row.sum())
    return x[1:], x.T, total


def item_of_a_part(x, i):
    part = x[1:]
    return (part * 2.0)[i]


def in_a_handler(x, i):
    y = x[:2]
    try:
        y = x[i:] + x[i]
    except IndexError:
        return y, 0
    return y, 1


@pytest.mark.parametrize(
    ("function", "argument"),
    [(rows, 4), (item_of_a_part, 1), (item_of_a_part, 9), (in_a_handler, 1), (in_a_handler, 9)],
)
def test_references_are_balanced(function: Callable[..., Any], argument: int) -> None:
    run = staticpy.jit(function, backend="llvm")
    x = np.arange(12.0).reshape(4, 3)

    def call_often() -> tuple[int, int]:
        for _ in range(1000):
            with contextlib.suppress(IndexError):
                run(x, argument)
        gc.collect()
        return sys.getrefcount(x), sys.getrefcount(x.dtype)

    first = call_often()
    again = call_often()
    assert abs(again[0] - first[0]) < 10
    assert abs(again[1] - first[1]) < 10


@pytest.mark.parametrize(
    "transform",
    [
        staticpy.grad,
        staticpy.value_and_grad,
        staticpy.vmap,
        staticpy.jacrev,
        staticpy.jacfwd,
        staticpy.checkpoint,
    ],
)
def test_what_is_made_of_a_native_function_is_native(transform):
    assert transform(staticpy.jit(lambda x: x * x, backend="llvm")).backend == "llvm"
