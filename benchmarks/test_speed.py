"""The same programs under pytest-benchmark: ``pytest benchmarks`` (extra ``bench``).

Each group holds one program, as a graph and as plain Python, measured in one run; compare them by
their ratio. Nothing here passes or fails by time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import staticpy
from benchmarks.programs import CALLS, LOOPS
from examples.perceptron import logits, make_images, make_parameters

PROGRAMS = CALLS | LOOPS
PERCEPTRON = {"perceptron": (logits.__wrapped__, (make_parameters(0), make_images(64, 1)))}


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("route", ["graph", "python"])
def test_call(benchmark: Any, name: str, route: str) -> None:
    benchmark.group = name
    function, args = PROGRAMS[name]
    run: Callable[..., Any] = staticpy.jit(function) if route == "graph" else function
    run(*args)
    benchmark(run, *args)


@pytest.mark.parametrize("name", PROGRAMS | PERCEPTRON)
def test_compile(benchmark: Any, name: str) -> None:
    benchmark.group = f"compile: {name}"
    function, args = (PROGRAMS | PERCEPTRON)[name]
    benchmark(lambda: staticpy.jit(function).lower(*args).compile())
