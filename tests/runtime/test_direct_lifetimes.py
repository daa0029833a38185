"""What calls that native code takes hold, and for how long; and several threads at once."""

from __future__ import annotations

import gc
import sys
import threading
import weakref
from typing import Any

import numpy as np
import pytest

from tests.support.direct import outcome, warm

pytest.importorskip("llvmlite")


class Sub(np.ndarray):
    pass


def scaled(x, n, factor=3.0):
    return x * 2.0 + n * factor


def pair(x, n):
    return x + n, x - n


def filled(x, n):
    x[0] = n


def update(params, x):
    return {"w": params["w"] + x, "old": params, "rest": [params["b"][0] * 2.0]}


PARAMS = {"w": np.ones(3), "b": (np.arange(3.0),)}


def failing(x, params, n):
    return x[n] + params["w"][0]


REFERENCES = [
    (scaled, lambda: (np.arange(4.0), 1000, 2.5)),
    (pair, lambda: (np.arange(4.0), 1000)),
    (filled, lambda: (np.arange(4.0), 1000)),
    (update, lambda: ({"w": np.ones(3), "b": (np.ones(3),)}, np.ones(3))),
    (failing, lambda: (np.arange(4.0), {"w": np.ones(3)}, 2)),
    (failing, lambda: (np.arange(4.0), {"w": np.ones(3)}, 2000)),
    (failing, lambda: (np.arange(4.0), {"w": np.ones(3), "v": 1}, 2000)),
    (scaled, lambda: (np.arange(4.0).view(Sub), 1000, 2.5)),
    (scaled, lambda: (np.arange(4.0),)),
]
WARM = {
    scaled: (np.arange(4.0), 2),
    pair: (np.arange(4.0), 2),
    filled: (np.arange(4.0), 2),
    update: (PARAMS, np.ones(3)),
    failing: (np.arange(4.0), {"w": np.ones(3)}, 2),
}


@pytest.mark.parametrize(("function", "make"), REFERENCES)
def test_no_reference_is_lost_or_kept(function, make):
    compiled, args = warm(function, *WARM[function]), make()
    inner = [args[1]["w"]] if len(args) > 1 and isinstance(args[1], dict) else []
    objects = [*args, *inner, None, compiled, np.dtype("f8")]
    for _ in range(3):
        outcome(compiled, *args)
    gc.collect()
    before = [sys.getrefcount(each) for each in objects]
    for _ in range(200):
        outcome(compiled, *args)
    gc.collect()
    after = [sys.getrefcount(each) for each in objects]
    assert all(abs(new - old) < 20 for old, new in zip(before, after, strict=True))


def test_the_code_goes_with_the_function():
    def local(x):
        return x + 1.0

    compiled = warm(local, np.ones(2))
    dies = [weakref.ref(compiled), weakref.ref(local)]
    del compiled, local
    gc.collect()
    assert [each() for each in dies] == [None, None]


def test_an_argument_is_not_kept():
    params = {"w": np.ones(3), "b": (np.ones(3),)}
    compiled = warm(update, params, np.ones(3))
    ref = weakref.ref(params["w"])
    compiled(PARAMS, np.ones(3))
    del params
    gc.collect()
    assert ref() is None


def test_threads_that_call_and_clear():
    compiled = warm(scaled, np.arange(4.0), 2)
    expected = scaled(np.arange(100_000.0), 2)
    wrong: list[Any] = []
    stop = threading.Event()

    def call() -> None:
        while not stop.is_set():
            result = compiled(np.arange(100_000.0), 2)
            if not np.array_equal(result, expected):
                wrong.append(result)

    threads = [threading.Thread(target=call) for _ in range(4)]
    for thread in threads:
        thread.start()
    for _ in range(10):
        compiled.cache_clear()
        compiled(np.ones(3), 2)
    stop.set()
    for thread in threads:
        thread.join()
    assert not wrong
