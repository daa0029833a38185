"""Random programs: CPython against native code (``tests/test_programs.py`` says more of them).

The long test tries other programs at each turn (``STATICPY_TURN``).
"""

from __future__ import annotations

import os
from collections.abc import Callable

import numpy as np
import pytest

import staticpy
from tests.support.fuzz import trial
from tests.support.observing import compare_outcomes, observe
from tests.support.programs import Program, generate, load
from tests.support.world import World

pytest.importorskip("llvmlite", reason="the backend llvm needs llvmlite")
pytestmark = pytest.mark.usefixtures("numpys_functions")

TURN = int(os.environ.get("STATICPY_TURN", "0")) % 50
QUICK = range(3_000_000, 3_000_020)
LONG = range(3_001_000 + 300 * TURN, 3_001_300 + 300 * TURN)
REFUSED_AT_MOST = 0.25
SECONDS = 60.0


def attempt(program: Program) -> trial.Verdict:
    """Try a program on all of its calls."""
    function, calls = load(program)
    native, world = staticpy.jit(function, backend="llvm"), World(function)
    with trial.time_limit(SECONDS), np.errstate(all="ignore"):
        for call in calls:
            expected, actual = observe(function, call, world), observe(native, call, world)
            if actual.refusal is not None:
                return trial.refusal(actual.refusal)
            found = list(compare_outcomes(expected, actual))
            if found:
                return trial.Verdict(trial.DIFFERENT, (), "\n".join(found))
    return trial.Verdict(trial.SAME)


def check(seeds: range, make: Callable[[int], Program] = generate) -> None:
    """Try the programs that ``make`` makes of some seeds."""
    found = {seed: attempt(make(seed)) for seed in seeds}
    assert {seed: verdict for seed, verdict in found.items() if verdict.is_failure} == {}
    refused = [seed for seed, verdict in found.items() if verdict.kind == trial.REFUSED]
    assert len(refused) <= REFUSED_AT_MOST * len(seeds)


def test_same_as_cpython() -> None:
    check(QUICK)


@pytest.mark.slow
def test_same_as_cpython_long() -> None:
    check(LONG)
