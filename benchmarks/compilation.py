"""The time of a fresh compilation: the first call of a function less a warm one.

And how it grows: of functions of many statements, and of statements nested in each other.
"""

from __future__ import annotations

import ast
import linecache
import statistics
from collections.abc import Callable, Iterator
from time import process_time
from typing import Any

import numpy as np

import staticpy
from benchmarks.programs import CALLS, mandelbrot
from benchmarks.timing import Measurement, medians, no_garbage_collection, seconds
from examples.perceptron import logits, make_images, make_parameters


def _compilation(function: Callable[..., Any], args: tuple[Any, ...], rounds: int) -> float:
    """Seconds that the first call takes above a warm one, as median of fresh compilations."""
    taken = []
    staticpy.jit(function)(*args)  # imports, and the caches of the source
    with no_garbage_collection():
        for _ in range(rounds):
            jitted = staticpy.jit(function)
            first = seconds(lambda jitted=jitted: jitted(*args), 1)
            taken.append(first - seconds(lambda jitted=jitted: jitted(*args), 1))
    return statistics.median(taken)


def compile_time(rounds: int) -> Iterator[Measurement]:
    """The perceptron, a two-line function, and nested loops."""
    line, line_args = CALLS["w * x + b, 8 elements"]
    programs = {
        "perceptron, batch of 64": (logits.__wrapped__, (make_parameters(0), make_images(64, 1))),
        "w * x + b": (line, line_args),
        "Mandelbrot set": (mandelbrot, (2, 2, 5)),
    }
    for name, (function, args) in programs.items():
        time = _compilation(function, args, rounds)
        eager = medians({"eager": lambda: function(*args)}, 5)["eager"]  # noqa: B023
        target = "≤ 50 ms" if name.startswith("perceptron") else ""
        yield Measurement(f"compile: {name}", time * 1e3, "ms", "eager call", eager * 1e3, target)


ARRAY = np.ones(8)
STATEMENTS: dict[str, tuple[str, Any]] = {
    "x = x * 0.5 + 1": ("x = x * 0.5 + 1", 2.5),
    "x[i] = …": ("x[$ % 8] = x[0] * 0.5 + $", ARRAY),
    "if": ("if x > $: x = x - 1", 2.5),
    "if, else, arrays": ("if x[0] > $:\n  x = x + 1\n else:\n  x = x - 1", ARRAY),
    "if, return": ("if x == $ + 0.25: return $", 2.5),
    "try": ("try: x = 1 / (x + $)\n except ZeroDivisionError: x = 1.0", 2.5),
    "for": ("for i in range(int(x)): x = i + 0.5", 2.5),
    "while": ("while x > $ + 9: x = x - 1", 2.5),
    "call": ("x = half(x, $)", 2.5),
}
"""For each kind the statement, with its number as ``$``, and the argument ``x``."""
MANY, FEW = 10_000, 2_500


def _statements(line: str, count: int) -> Callable[..., Any]:
    body = "".join(f" {line}\n".replace("$", str(number)) for number in range(count))
    helper = "def half(a, b):\n return a * 0.5 + b\n"
    return _function(f"{helper}def f(x):\n{body} return x\n", f"<{line}, {count}>")


def _terms(word: str, count: int) -> Callable[..., Any]:
    terms = f" {word} ".join(f"x > {number + 9}" for number in range(count))
    return _function(f"def f(x):\n return {terms}\n", f"<{word}, {count}>")


def _brackets(opening: str, closing: str, depth: int) -> Callable[..., Any]:
    loops = "".join(f" for i{level} in range({closing})]" for level in range(depth))
    return _function(f"def f(x):\n n = int(x)\n return {opening * depth}x{loops}\n", loops)


def _function(text: str, name: str) -> Callable[..., Any]:
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    namespace: dict[str, Any] = {"__name__": "generated"}
    exec(compile(text, name, "exec"), namespace)
    function: Callable[..., Any] = namespace["f"]
    return function


def _growth(
    name: str,
    make: Callable[[int], Callable[..., Any]],
    argument: Any,
    sizes: tuple[int, int],
    target: str = "",
) -> Measurement:
    """The CPU time of the larger size, beside that of the smaller one in proportion."""
    few, many = sizes
    times = []
    for size in sizes:
        jitted = staticpy.jit(make(size))
        start = process_time()
        jitted(np.copy(argument)[()])
        times.append(process_time() - start)
    return Measurement(name, times[1], "s", f"{few} x{many / few:g}", times[0] * many / few, target)


def _target(line: str) -> str:
    """10 seconds for 10,000 statements, those inside of others included."""
    tree = ast.parse(f"def f(x):\n {line}\n".replace("$", "1"))
    count = sum(isinstance(node, ast.stmt) for node in ast.walk(tree)) - 1  # but for the 'def'
    return f"≤ {10 * count} s"


def compile_growth(_rounds: int) -> Iterator[Measurement]:
    """Ten thousand times the statements of a kind; terms of ``or``; and comprehensions in each
    other.
    """
    for kind, (line, argument) in STATEMENTS.items():

        def make(count: int, line: str = line) -> Callable[..., Any]:
            return _statements(line, count)

        yield _growth(f"compile: {MANY} x {kind}", make, argument, (FEW, MANY), _target(line))
    terms = lambda count: _terms("or", count)  # noqa: E731
    yield _growth(f"compile: {MANY} x or", terms, 2.5, (FEW, MANY), "≤ 10 s")
    for closing in ("n", "2"):

        def nest(depth: int, closing: str = closing) -> Callable[..., Any]:
            return _brackets("[", closing, depth)

        yield _growth(f"compile: 15 x […] for i in range({closing})", nest, 1.5, (5, 15))
