"""``check`` is clean exactly for what ``jit`` compiles: over random programs.

``tests/test_cases.py`` says so of the programs of the table.
"""

from __future__ import annotations

import inspect
import random
from typing import Any

import pytest

import staticpy
from staticpy.diagnostics import Diagnostics, Severity, catalog
from staticpy.frontend import Declared, StaticModule, analyze
from staticpy.ir import TensorType, type_of
from staticpy.source import from_text
from tests.support.fuzz.features import FEATURES
from tests.support.programs import generate, load

HELD = ("lists", "dicts", "objects")
"""The features whose arguments have no annotation that says enough."""
FREE = [name for name in FEATURES if name not in HELD]
QUICK = range(810_000, 810_090)
LONG = range(811_000, 813_000)
UNDECIDED_AT_MOST = 0.2


def declared(value: Any, name: str) -> Any:
    """The type of an argument, as an annotation would give it."""
    if isinstance(value, tuple):
        return tuple(declared(item, f"{name}_{number}") for number, item in enumerate(value))
    found = type_of(value)
    if isinstance(found, TensorType):
        return TensorType(found.dtype, tuple(f"{name}_{axis}" for axis in range(found.rank)))
    assert found is not None
    return found


def verdicts(seed: int) -> tuple[str, str]:
    """What ``check`` says of a program, and what ``jit`` says; empty where that is nothing."""
    features = random.Random(seed).sample(FREE, 9)
    program = generate(seed, features)
    function, calls = load(program)
    module = StaticModule(from_text(program.text, "<program>"))
    unit = next(unit for unit in module.source.units if unit.qualname == function.__name__)
    pairs = zip(inspect.signature(function).parameters, calls[0].args, strict=True)
    arguments = {name: Declared(declared(value, name)) for name, value in pairs}
    found = Diagnostics()
    analyze(unit, module.scope_of(unit), arguments, found, unknown=catalog.UNKNOWN_FROM_TEXT)
    if any(item.spec is catalog.UNKNOWN_FROM_TEXT for item in found):
        return "undecided", ""
    errors = [item for item in found if item.spec.severity is Severity.ERROR]
    messages = " ".join(item.message for item in errors)
    try:
        staticpy.jit(function).lower(*calls[0].args).compile()
    except staticpy.CompileError as error:
        return messages, str(error)
    return messages, ""


def disagreements(seeds: range) -> dict[int, tuple[str, str]]:
    found = {seed: verdicts(seed) for seed in seeds}
    undecided = [seed for seed in seeds if found[seed][0] == "undecided"]
    assert len(undecided) < len(seeds) * UNDECIDED_AT_MOST
    decided = {seed: found[seed] for seed in seeds if seed not in undecided}
    return {seed: both for seed, both in decided.items() if bool(both[0]) != bool(both[1])}


def test_check_agrees_with_jit() -> None:
    assert disagreements(QUICK) == {}


@pytest.mark.slow
def test_check_agrees_with_jit_long() -> None:
    assert disagreements(LONG) == {}
