"""No compilation takes more than linear time: four times the statements, four times the work.

Work is the number of function calls that the interpreter makes, so that no clock is read.
"""

from __future__ import annotations

import linecache
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

import numpy as np
import pytest

import staticpy

FEW, MANY = 40, 160
MOST = 4.6
"""How many times the work four times the statements may take."""

ARRAY = np.ones(3)


def _lines(line: str, count: int) -> str:
    """``line`` for each number, which it holds as ``$``, in the body of a function."""
    return "".join(f"    {line}\n".replace("$", str(number)) for number in range(count))


def _items(item: str, count: int) -> str:
    return ", ".join(item.replace("$", str(number)) for number in range(count))


KINDS: dict[str, tuple[Callable[[int], str], Any]] = {
    "scalars": (lambda n: _lines("x = x * 2 + $", n) + "    return x\n", 2.5),
    "arrays": (lambda n: _lines("x = np.sin(x) + $", n) + "    return x\n", ARRAY),
    "views": (lambda n: _lines("x = x[::-1]", n) + "    return x + 1\n", ARRAY),
    "writes": (lambda n: _lines("x[$ % 3] = x[0] + $", n) + "    return x\n", ARRAY),
    "branches": (lambda n: _lines("if x > $: x += $", n) + "    return x\n", 2.5),
    "returns": (lambda n: _lines("if x > $ + 9: return $", n) + "    return x\n", 2.5),
    "elif": (
        lambda n: "    if x < 0: x = 1\n" + _lines("elif x < $: x = $", n) + "    return x\n",
        2.5,
    ),
    "loops": (
        lambda n: _lines("for i in range(int(x)): x = i + 2.5", n // 2) + "    return x\n",
        2.5,
    ),
    "while": (lambda n: _lines("while x < $: x = x + 1.5", n // 2) + "    return x\n", 2.5),
    "body of a loop": (
        lambda n: (
            "    for i in range(int(x)):\n" + _lines("    x = x * 0.5 + $", n) + "    return x\n"
        ),
        2.5,
    ),
    "breaks": (
        lambda n: (
            "    for i in range(int(x)):\n"
            + _lines("    if x > $ + 9: break", n)
            + "        x += i\n    return x\n"
        ),
        2.5,
    ),
    "alive": (
        lambda n: _lines("v$ = x + $", n) + f"    return [{_items('v$ * 2', n)}]\n",
        2.5,
    ),
    "alive arrays": (
        lambda n: (
            _lines("v$ = x + $", n) + "    t = x\n" + _lines("t = t + v$", n) + "    return t\n"
        ),
        ARRAY,
    ),
    "carried": (
        lambda n: (
            _lines("v$ = x + $", n)
            + "    for i in range(int(x)):\n"
            + _lines("    v$ = v$ * 0.5", n)
            + "    return v0\n"
        ),
        2.5,
    ),
    "items of a list": (lambda n: f"    return [{_items('x + $', n)}]\n", 2.5),
    "appends": (lambda n: "    l = []\n" + _lines("l.append(x + $)", n) + "    return l\n", 2.5),
    "dict": (lambda n: "    d = {}\n" + _lines("d[$] = x + $", n) + "    return d\n", 2.5),
    "attributes": (
        lambda n: "    o = Cell(x)\n" + _lines("o.n = o.n + $", n) + "    return o.n\n",
        2.5,
    ),
    "calls": (lambda n: _lines("x = half(x, $)", n) + "    return x\n", 2.5),
    "try": (
        lambda n: (
            _lines("try: x = 1 / (x - $)\n    except ZeroDivisionError: x = 1.0", n // 2)
            + "    return x\n"
        ),
        2.5,
    ),
    "body of a try": (
        lambda n: (
            "    try:\n"
            + _lines("    x = 1 / (x - $)", n)
            + "    except ZeroDivisionError: x = 1.0\n    return x\n"
        ),
        2.5,
    ),
    "texts": (lambda n: _lines("s = f'{x:.2f} $'", n) + "    return s\n", 2.5),
    "asserts": (lambda n: _lines("assert x > -$ - 1", n) + "    return x\n", 2.5),
}

HELPERS = """
import numpy as np

class Cell:
    def __init__(self, n):
        self.n = n

def half(a, b):
    return a * 0.5 + b

"""


def _function(body: str, name: str, helpers: str = HELPERS) -> Callable[..., Any]:
    text = f"{helpers}def f(x):\n{body}"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    namespace: dict[str, Any] = {"__name__": "generated"}
    exec(compile(text, name, "exec"), namespace)
    function: Callable[..., Any] = namespace["f"]
    return function


def _work(function: Callable[..., Any], argument: Any) -> int:
    """How many calls of Python functions it takes to compile, on every thread."""
    calls = 0

    def count(frame: FrameType, event: str, detail: object) -> None:
        nonlocal calls
        calls += event == "call"

    before = sys.getprofile()
    threading.setprofile(count)
    sys.setprofile(count)
    try:
        staticpy.jit(function)(argument)
    finally:
        sys.setprofile(before)
        threading.setprofile(None)
    return calls


@pytest.mark.parametrize("kind", KINDS)
def test_work_is_linear(kind: str) -> None:
    body, argument = KINDS[kind]
    few, many = (
        _work(_function(body(count), f"<{kind}, {count}>"), np.copy(argument)[()])
        for count in (FEW, MANY)
    )
    assert many <= MOST * few, (few, many)


def test_a_chain_of_helpers() -> None:
    """Each helper calls the next one."""

    def chain(count: int) -> Callable[..., Any]:
        links = "".join(f"def h{i + 1}(x): return h{i}(x) + 1\n" for i in range(count))
        helpers = f"def h0(x): return x\n{links}"
        return _function(f"    return h{count}(x)\n", f"<chain, {count}>", helpers)

    few, many = (_work(chain(count), 2.5) for count in (FEW, MANY))
    assert many <= MOST * few, (few, many)


@pytest.mark.slow
def test_deep_chain_of_tests() -> None:
    """CPython compiles it without recursion."""
    body = f"    return {' and '.join(f'x > -{i}' for i in range(1, 10_500))}\n"
    assert staticpy.jit(_function(body, "<deep chain>"))(2.5) is True
