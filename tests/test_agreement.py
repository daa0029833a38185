"""``check`` is clean exactly for what ``jit`` compiles: over random programs.

``tests/test_cases.py`` says so of the programs of the table.
"""

from __future__ import annotations

import ast
import inspect
import os
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import staticpy
from staticpy.diagnostics import Diagnostics, Severity, catalog
from staticpy.frontend import Declared, StaticModule, analyze
from staticpy.ir import TensorType, type_of
from staticpy.source import from_text
from tests.support.fuzz.features import FEATURES
from tests.support.programs import Program, generate, load

HELD = ("lists", "dicts", "objects")
"""The features whose arguments have no annotation that says enough."""
FREE = [name for name in FEATURES if name not in HELD]
QUICK = range(810_000, 810_090)
TURN = int(os.environ.get("STATICPY_TURN", "0")) % 20
WHOLE = range(820_000, 840_000)
"""All of them take hours: ``docs/internals/recorded-runs.md``. Each turn tries another part."""
LONG = WHOLE[1000 * TURN : 1000 * (TURN + 1)]
MISTAKEN = range(841_000 + 400 * TURN, 841_400 + 400 * TURN)
MISTAKES = ("'text'", "abs", "{'a', 'b'}", "np.tenh", "(1, 2)", "None", "missing", "[1.5]", "-1")
PARTS_OF_OTHERS = (ast.JoinedStr, ast.FormattedValue, ast.pattern)
"""The nodes in which only some expressions may stand."""
UNDECIDED_AT_MOST = 0.2


def declared(value: Any, name: str, known: bool = False) -> Any:
    """The type of an argument, as an annotation would give it; with its sizes if they are known."""
    if isinstance(value, tuple):
        items = enumerate(value)
        return tuple(declared(item, f"{name}_{number}", known) for number, item in items)
    found = type_of(value)
    if isinstance(found, TensorType):
        if known:
            return TensorType(found.dtype, value.shape)
        return TensorType(found.dtype, tuple(f"{name}_{axis}" for axis in range(found.rank)))
    assert found is not None
    return found


def program_of(seed: int) -> Program:
    return generate(seed, random.Random(seed).sample(FREE, 9))


def spoilt(seed: int) -> Program:
    """The program of a seed with a mistake: another expression in the place of one."""
    program, rng = program_of(seed), random.Random(seed)
    tree = ast.parse(program.text)
    places = [
        (holder, name)
        for holder in ast.walk(tree.body[-1])
        if not isinstance(holder, PARTS_OF_OTHERS)
        for name, value in ast.iter_fields(holder)
        if isinstance(value, ast.expr) and isinstance(getattr(value, "ctx", ast.Load()), ast.Load)
    ]
    holder, name = rng.choice(places)
    setattr(holder, name, ast.parse(rng.choice(MISTAKES), mode="eval").body)
    return replace(program, text=ast.unparse(tree) + "\n")


def verdicts(seed: int, make: Callable[[int], Program] = program_of) -> tuple[str, str]:
    """What ``check`` says of a program, and what ``jit`` says; empty where that is nothing.

    Sizes are names to ``check``. Where ``jit`` compiles for the sizes of the call (a variable is
    now an array that was given, now one of three numbers) and they don't fit, ``check`` is asked
    again with these sizes.
    """
    program = make(seed)
    function, calls = load(program)
    messages = checked(program, function, calls[0].args)
    if messages == "undecided":
        return messages, ""
    try:
        staticpy.jit(function).lower(*calls[0].args).compile()
    except staticpy.CompileError as error:
        if not messages and catalog.SHAPE_MISMATCH.code in error.codes:
            messages = checked(program, function, calls[0].args, sizes_known=True)
        return messages, str(error)
    return messages, ""


def checked(
    program: Program, function: Callable[..., Any], args: tuple[Any, ...], sizes_known: bool = False
) -> str:
    """The messages of ``check`` of a program whose function gets arguments like these."""
    module = StaticModule(from_text(program.text, "<program>"))
    unit = next(unit for unit in module.source.units if unit.qualname == function.__name__)
    pairs = zip(inspect.signature(function).parameters, args, strict=True)
    arguments = {name: Declared(declared(value, name, sizes_known)) for name, value in pairs}
    found = Diagnostics()
    analyze(unit, module.scope_of(unit), arguments, found, unknown=catalog.UNKNOWN_FROM_TEXT)
    if any(item.spec is catalog.UNKNOWN_FROM_TEXT for item in found):
        return "undecided"
    return " ".join(item.message for item in found if item.spec.severity is Severity.ERROR)


def disagreements(
    seeds: range, make: Callable[[int], Program] = program_of
) -> dict[int, tuple[str, str]]:
    found = {seed: verdicts(seed, make) for seed in seeds}
    undecided = [seed for seed in seeds if found[seed][0] == "undecided"]
    assert len(undecided) < len(seeds) * UNDECIDED_AT_MOST
    decided = {seed: found[seed] for seed in seeds if seed not in undecided}
    return {seed: both for seed, both in decided.items() if bool(both[0]) != bool(both[1])}


def test_check_agrees_with_jit() -> None:
    assert disagreements(QUICK) == {}


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
def test_check_agrees_with_jit_on_mistakes() -> None:
    assert disagreements(QUICK, spoilt) == {}


@pytest.mark.slow
def test_check_agrees_with_jit_long() -> None:
    assert disagreements(LONG) == {}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::SyntaxWarning")
def test_check_agrees_with_jit_on_mistakes_long() -> None:
    assert disagreements(MISTAKEN, spoilt) == {}
