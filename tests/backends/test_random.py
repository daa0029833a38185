"""Whatever the graph, the source does what the interpreter does: random graphs, optimized or
not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from staticpy.backends import get_backend
from staticpy.ir import Module, verify
from staticpy.passes import default_pipeline
from tests.backends.random_traces import TRACE, TraceMaker, registered
from tests.backends.random_traces import arguments as trace_arguments
from tests.passes.random_graphs import GraphMaker, arguments
from tests.support.graphs import identity_of
from tests.support.interpreter import run

Run = Callable[..., Any]
SEEDS_PER_TEST = 50


def compiled(module: Module) -> tuple[Run, str]:
    """The module's executable, as a function that always returns a tuple, and its source."""
    executable = get_backend("python_source").compile(module)
    single = len(module.main.results) == 1

    def call(*args: Any) -> tuple[Any, ...]:
        result = executable(*args)
        return (result,) if single else result

    return call, executable.source


def observe(function: Run, given: list[Any]) -> tuple[Any, set[str]]:
    """Results or the class of the exception, the arguments afterwards, which arrays share memory;
    and the kinds of floating-point warnings."""
    arrays = [value for value in given if isinstance(value, np.ndarray)]
    warned: set[str] = set()
    with np.errstate(all="call", call=lambda kind, _: warned.add(kind)):
        try:
            results = function(*given)
        except ArithmeticError as error:
            return (type(error), [identity_of(array) for array in arrays]), warned
    objects = arrays + [value for value in results if isinstance(value, np.ndarray)]
    same = [(a is b, np.shares_memory(a, b)) for a in objects for b in objects]
    return ([identity_of(value) for value in (*results, *arrays)], same), warned


@pytest.mark.parametrize("optimized", [False, True])
@pytest.mark.parametrize("first", range(0, 400, SEEDS_PER_TEST))
def test_arrays_and_numbers(first: int, optimized: bool) -> None:
    for seed in range(first, first + SEEDS_PER_TEST):
        module = GraphMaker(seed).module()
        if optimized:
            default_pipeline().run(module)
        call, source = compiled(module)
        for k in range(3):
            expected, warned = observe(lambda *args: run(module, *args), arguments(k))  # noqa: B023
            found, warned_too = observe(call, arguments(k))
            assert found == expected, f"seed {seed}\n{module}\n{source}"
            assert warned_too <= warned, f"seed {seed}\n{module}\n{source}"


def traced(function: Run, given: list[Any]) -> tuple[Any, list[Any]]:
    """Results or exception, and the trace."""
    TRACE.clear()
    try:
        result: Any = list(function(*given))
    except (ValueError, IndexError) as error:
        result = type(error), error.args
    return result, list(TRACE)


@pytest.mark.parametrize("first", range(0, 1000, SEEDS_PER_TEST))
def test_order_of_effects(first: int) -> None:
    with registered():
        for seed in range(first, first + SEEDS_PER_TEST):
            module = TraceMaker(seed).module()
            verify(module)
            call, source = compiled(module)
            for k in range(4):
                expected = traced(lambda *args: run(module, *args), trace_arguments(k))  # noqa: B023
                found = traced(call, trace_arguments(k))
                assert repr(found) == repr(expected), f"seed {seed}\n{module}\n{source}"
