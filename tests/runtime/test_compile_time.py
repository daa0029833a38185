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
from staticpy.frontend import constant_loops

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
    "elif over arrays": (
        lambda n: (
            "    y = x\n    if x[0] < 0: y = x\n"
            + _lines("elif x[0] < $ + 2: y = y + x * $", n)
            + "    return y\n"
        ),
        ARRAY,
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


def _nest(before: str, head: str, innermost: str, after: str) -> Callable[[int], str]:
    """Statements around each other; ``$`` is the level."""

    def body(depth: int) -> str:
        lines = ["y = 0"]
        for level in range(depth):
            lines += (" " * level + line for line in before.split("\n") if line)
            lines.append(" " * level + head.replace("$", str(level)))
            lines = [line.replace("$", str(level)) for line in lines]
        lines.append(" " * depth + innermost)
        for level in reversed(range(depth)):
            indented = (" " * level + line for line in after.split("\n") if line)
            lines += (line.replace("$", str(level)) for line in indented)
        return "".join(f"    {line}\n" for line in [*lines, "return y"])

    return body


def _brackets(opening: str, closing: str) -> Callable[[int], str]:
    """Comprehensions in each other."""
    return lambda depth: (
        f"    n = int(x)\n    return {opening * depth}x"
        + "".join(closing.replace("$", str(level)) for level in range(depth))
        + "\n"
    )


SUM = " s$ = s$ + y\ny = y + s$"
NESTS = {
    "types that widen": _nest("s$ = 0", "for i$ in range(int(x)):", "y = y + x", SUM),
    "while": _nest("s$ = k$ = 0", "while k$ < x:", "y = y + x", " k$ += 1\n" + SUM),
    "constant range": _nest("s$ = 0", "for i$ in range(2):", "y = y + x", SUM),
    "else of a loop": _nest(
        "", "for i$ in range(int(x)):", "if y > 99: break", " y = y + x\nelse:\n y = y + 1"
    ),
    "return in a loop": _nest("", "for i$ in range(int(x)):", "if y > 99: return y", " y = y + x"),
    "perhaps None": _nest(
        "b$ = None",
        "for i$ in range(int(x)):",
        "y = y + x",
        " if b$ is None or y > b$:\n  b$ = y\nif b$ is not None: y = y + b$",
    ),
    "lists": _nest("l$ = []", "for i$ in range(int(x)):", "y += x", " l$.append(y)\ny += len(l$)"),
    "dicts": _nest("d$ = {}", "for i$ in range(int(x)):", "y += x", " d$[i$] = y\ny += len(d$)"),
    "objects": _nest("o$ = Cell(0)", "for i$ in range(int(x)):", "y += x", " o$.n += y\ny += o$.n"),
    "items of a list": _nest("", "for i$ in [x] * int(x):", "y = y + x", ""),
    "try": _nest("", "try:", "y = 1 / x", "except ZeroDivisionError: y = y + $"),
    "finally": _nest("", "try:", "y = 1 / x", "finally: y = y + $"),
    "a list in each round": _brackets("[", " for i$ in range(n)]"),
    "one list": lambda depth: (
        "    return [x"
        + "".join(f" for i{level} in range(int(x))" for level in range(depth))
        + "]\n"
    ),
    "generators": _brackets("sum(", " for i$ in range(n))"),
}


@pytest.mark.parametrize("kind", NESTS)
def test_a_level_more_does_not_double_the_work(kind: str) -> None:
    few, many = (
        _work(_function(NESTS[kind](depth), f"<nested {kind}, {depth}>"), 1.5) for depth in (4, 8)
    )
    assert many <= 4 * few, (few, many)


def test_lists_in_lists_by_constant_ranges(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are known item by item up to a number of copies of the body, and memory beyond."""
    monkeypatch.setattr(constant_loops, "MOST_COPIES", 16)
    body = _brackets("[", " for i$ in range(2)]")
    few, many = (_work(_function(body(depth), f"<lists, {depth}>"), 1.5) for depth in (4, 12))
    assert many <= 20 * few, (few, many)


def test_an_error_in_nested_constant_loops() -> None:
    """Each loop is tried in both forms, but not in all combinations: those were 256 times more."""

    def attempt(depth: int) -> int:
        body = _nest("", "for i$ in range(9):", "y = eval('x')", "")(depth)
        function, calls = _function(body, f"<error, {depth}>"), 0

        def count(frame: FrameType, event: str, detail: object) -> None:
            nonlocal calls
            calls += event == "call"

        before = sys.getprofile()
        sys.setprofile(count)
        try:
            staticpy.jit(function)(1.5)
        except staticpy.CompileError:
            return calls
        finally:
            sys.setprofile(before)
        raise AssertionError("it compiles")

    few, many = map(attempt, (8, 16))
    assert many <= 10 * few, (few, many)


@pytest.mark.slow
def test_deep_chain_of_tests() -> None:
    """CPython compiles it without recursion."""
    body = f"    return {' and '.join(f'x > -{i}' for i in range(1, 10_500))}\n"
    assert staticpy.jit(_function(body, "<deep chain>"))(2.5) is True
