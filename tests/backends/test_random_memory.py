"""Whatever is done to lists, the source does what the interpreter does, in the same order."""

from __future__ import annotations

from typing import Any

import pytest

from staticpy.ir import Module, parse_module, print_module, verify
from staticpy.ops import REGISTRY
from staticpy.passes import default_pipeline
from tests.backends.random_memory import MemoryMaker, arguments
from tests.backends.random_traces import TRACE, registered
from tests.backends.test_random import Run, compiled
from tests.support.interpreter import run

SEEDS_PER_TEST = 50


def observe(function: Run, seed: int) -> Any:
    """What comes out, what is left of the arguments, which results are one object, and the
    trace."""
    given = arguments(seed)
    TRACE.clear()
    try:
        results = list(function(*given))
    except (ValueError, LookupError) as error:
        return type(error), given, list(TRACE)
    objects = [*given[3:], *(each for each in results if isinstance(each, list | tuple))]
    same = [a is b for a in objects if isinstance(a, list) for b in objects]
    return [(type(each), each) for each in results], same, given, list(TRACE)


@pytest.mark.parametrize("optimized", [False, True])
@pytest.mark.parametrize("first", range(0, 500, SEEDS_PER_TEST))
def test_lists(first: int, optimized: bool) -> None:
    with registered():
        for seed in range(first, first + SEEDS_PER_TEST):
            module = MemoryMaker(seed).module()
            verify(module)
            if optimized:
                default_pipeline().run(module)
            call, source = compiled(module)
            expected = observe(lambda *args: run(MemoryMaker(seed).module(), *args), seed)  # noqa: B023
            found = observe(call, seed)
            if optimized:  # two equal operations that trace may become one
                expected, found = expected[:-1], found[:-1]
            assert found == expected, f"seed {seed}\n{source}"


def test_the_text_reads_back() -> None:
    with registered():
        for seed in range(60):
            module: Module = MemoryMaker(seed).module()
            text = print_module(module)
            assert print_module(parse_module(text, REGISTRY)) == text
