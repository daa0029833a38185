"""Random programs: CPython against the graph.

Each program runs on six argument lists of several sizes. It may be refused, with a diagnostic;
where it is not, value, box, dtype, exception, mutated arguments and sharing of memory must be
CPython's. A failure names its seed: ``tests.support.programs.load(seed)`` gives the program.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy

import numpy as np
import pytest

import staticpy
from tests.support.cases import Call, compare, compare_trees, run
from tests.support.programs import arguments, load

QUICK = range(120)
LONG = range(1000, 2200)
REFUSED_AT_MOST = 0.05
BLOCK = 60


def blocks(seeds: range) -> list[range]:
    return [seeds[start : start + BLOCK] for start in range(0, len(seeds), BLOCK)]


def differences(seed: int) -> Iterator[str]:
    """What the graph does otherwise than CPython; the word ``refused`` for a diagnostic."""
    text, program = load(seed)
    compiled = staticpy.jit(program)
    for values in arguments(seed):
        expected = run(program, Call(deepcopy(values)))
        actual = run(compiled, Call(deepcopy(values)))
        if isinstance(actual.error, staticpy.CompileError):
            assert all(not code.startswith("SPY9") for code in actual.error.codes), actual.error
            yield "refused"
            return
        mutations = compare_trees(expected.arguments, actual.arguments, "arguments", flags=False)
        for difference in (*compare(expected, actual), *mutations):
            yield f"seed {seed}: {difference}\n{text}"


def check(seeds: range) -> None:
    with np.errstate(all="ignore"):
        found = [difference for seed in seeds for difference in differences(seed)]
    wrong = [difference for difference in found if difference != "refused"]
    assert not wrong, wrong[0]
    assert len(found) <= max(2, REFUSED_AT_MOST * len(seeds)), f"{len(found)} programs refused"


@pytest.mark.parametrize("seeds", blocks(QUICK), ids=str)
def test_same_as_cpython(seeds: range) -> None:
    check(seeds)


@pytest.mark.slow
@pytest.mark.parametrize("seeds", blocks(LONG), ids=str)
def test_same_as_cpython_long(seeds: range) -> None:
    check(seeds)
