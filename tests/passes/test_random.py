"""Whatever a pass does, a caller can't tell: random graphs, before and after, by the
interpreter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from staticpy.ir import Module, parse_module, print_module, verify
from staticpy.ops import REGISTRY
from staticpy.passes import PassManager, cse, dce, default_pipeline, fold, inline, licm, simplify
from tests.passes.random_graphs import GraphMaker, arguments
from tests.passes.random_memory import MemoryMaker, observed
from tests.passes.random_memory import arguments as memory_arguments
from tests.support.graphs import identity_of
from tests.support.interpreter import run

PIPELINES: dict[str, Callable[[], PassManager]] = {
    "inline": lambda: PassManager([inline], verify_each=True),
    "fold": lambda: PassManager([fold], verify_each=True),
    "simplify": lambda: PassManager([simplify], verify_each=True),
    "cse": lambda: PassManager([cse], verify_each=True),
    "dce": lambda: PassManager([dce], verify_each=True),
    "licm": lambda: PassManager([licm], verify_each=True),
    "inline, licm, cse": lambda: PassManager([inline, licm, cse, dce], verify_each=True),
    "default": lambda: default_pipeline(verify_each=True),
}


def observe(module: Module, seed: int) -> tuple[Any, set[str]]:
    """What a caller sees, and the kinds of floating-point warnings on the way.

    That is: results or the class of the exception, the arguments afterwards, and which arrays are
    one object or share memory.
    """
    given = arguments(seed)
    arrays = [value for value in given if isinstance(value, np.ndarray)]
    warned: set[str] = set()
    with np.errstate(all="call", call=lambda kind, _: warned.add(kind)):
        try:
            results = run(module, *given)
        except ArithmeticError as error:
            return (type(error), [identity_of(array) for array in arrays]), warned
    objects = arrays + [value for value in results if isinstance(value, np.ndarray)]
    same = [(a is b, np.shares_memory(a, b)) for a in objects for b in objects]
    return ([identity_of(value) for value in (*results, *arrays)], same), warned


@pytest.mark.parametrize("pipeline", PIPELINES)
@pytest.mark.parametrize("first", range(0, 80, 40))
def test_a_caller_cannot_tell(pipeline: str, first: int) -> None:
    for seed in range(first, first + 40):
        module = GraphMaker(seed).module()
        verify(module)
        expected = [observe(module, k) for k in range(3)]
        before = print_module(module)
        PIPELINES[pipeline]().run(module)
        actual = [observe(module, k) for k in range(3)]
        for (seen, warned), (seen_before, warned_before) in zip(actual, expected, strict=True):
            assert seen == seen_before, f"seed {seed}\n{before}\nbecame\n{module}"
            assert warned <= warned_before, f"seed {seed}\n{before}\nbecame\n{module}"


@pytest.mark.parametrize("pipeline", PIPELINES)
@pytest.mark.parametrize("first", range(0, 120, 40))
def test_a_caller_cannot_tell_with_lists_and_unions(pipeline: str, first: int) -> None:
    for seed in range(first, first + 40):
        module = MemoryMaker(seed).module()
        verify(module)
        before = print_module(module)

        def program(*given: Any, module: Module = module) -> list[Any]:
            return run(module, *given)

        expected = [observed(program, memory_arguments(k)) for k in range(4)]
        PIPELINES[pipeline]().run(module)
        actual = [observed(program, memory_arguments(k)) for k in range(4)]
        for (seen, warned), (seen_before, warned_before) in zip(actual, expected, strict=True):
            assert seen == seen_before, f"seed {seed}\n{before}\nbecame\n{module}"
            assert warned <= warned_before, f"seed {seed}\n{before}\nbecame\n{module}"


def test_the_text_of_random_graphs_reads_back() -> None:
    for seed in range(100):
        module = (MemoryMaker if seed % 2 else GraphMaker)(seed).module()
        text = print_module(module)
        again = parse_module(text, REGISTRY)
        assert again == module
        assert print_module(again) == text
        verify(again)


def test_passes_are_deterministic_and_reach_a_fixed_point() -> None:
    for seed in range(20):
        once, twice = GraphMaker(seed).module(), GraphMaker(seed).module()
        default_pipeline().run(once)
        default_pipeline().run(twice)
        assert print_module(once) == print_module(twice)
        default_pipeline().run(twice)
        default_pipeline().run(twice)
        settled = print_module(twice)
        default_pipeline().run(twice)
        assert print_module(twice) == settled
