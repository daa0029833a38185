"""Random programs: CPython against the graph.

Each program runs on four argument lists of several sizes. It may be refused, with a diagnostic;
where it is not, everything that there is to see must be CPython's. A failure names its seed:
``generate(seed)`` of ``tests.support.programs`` gives the program, and ``python -m
tests.support.record --seeds N:N+1`` makes it small and writes it as a case.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.support import record
from tests.support.fuzz import batch, trial
from tests.support.fuzz.features import FEATURES, checked
from tests.support.fuzz.shrink import Shrinker
from tests.support.observing import observe
from tests.support.programs import Program, generate, load
from tests.support.world import World

QUICK = range(120)
LONG = batch.Job(1000, 6000)
REFUSED_AT_MOST = 0.25
BLOCK = 30
CORES = 2


def blocks(seeds: range) -> list[range]:
    return [seeds[start : start + BLOCK] for start in range(0, len(seeds), BLOCK)]


@pytest.mark.parametrize("seeds", blocks(QUICK), ids=str)
def test_same_as_cpython(seeds: range) -> None:
    found = {seed: trial.attempt(generate(seed)) for seed in seeds}
    failed = {seed: verdict.detail for seed, verdict in found.items() if verdict.is_failure}
    assert failed == {}


@pytest.mark.slow
def test_same_as_cpython_long() -> None:
    summary = record.run(LONG, CORES)
    print("\n".join(summary.report()))
    assert summary.total == LONG.stop - LONG.start
    assert summary.failures == []
    assert summary.refused <= REFUSED_AT_MOST


# --- the programs ---------------------------------------------------------------------------------


def test_a_seed_gives_one_program() -> None:
    assert [generate(seed) for seed in QUICK] == [generate(seed) for seed in QUICK]
    assert len({generate(seed).text for seed in QUICK}) == len(QUICK)


def test_a_program_prints_as_ordinary_source() -> None:
    for seed in QUICK:
        text = generate(seed).text
        compile(text, "<program>", "exec")
        assert ast.parse(text).body[-1].name == "program"  # type: ignore[attr-defined]


@pytest.mark.filterwarnings("ignore")
def test_programs_end_and_most_end_well() -> None:
    calls = raised = 0
    for seed in QUICK:
        function, found = load(generate(seed))
        with trial.time_limit(5.0):
            outcomes = [observe(function, call, World(function)) for call in found]
        calls += len(outcomes)
        raised += sum(outcome.states[0].error is not None for outcome in outcomes)
    assert calls == 4 * len(QUICK)
    assert raised < calls * 0.4


@pytest.mark.parametrize("feature", FEATURES)
def test_a_feature_is_used_alone(feature: str) -> None:
    programs = [generate(seed, (feature,)) for seed in QUICK]
    assert all(program.features <= {feature} for program in programs)
    assert any(program.features == {feature} for program in programs)
    for program in programs:
        load(program)


NODES: dict[str, tuple[type[ast.AST], ...]] = {
    "branches": (ast.If,),
    "loops": (ast.For, ast.While),
    "exits": (ast.Break, ast.Continue),
    "closures": (ast.Nonlocal, ast.Lambda),
    "comprehensions": (ast.ListComp, ast.GeneratorExp),
    "dicts": (ast.Dict,),
    "exceptions": (ast.Try, ast.Raise, ast.Assert),
    "generators": (ast.Yield,),
    "lists": (ast.List,),
    "match": (ast.Match,),
    "mutation": (ast.AugAssign, ast.Slice),
    "objects": (ast.ClassDef, ast.Attribute),
    "strings": (ast.JoinedStr,),
    "tuples": (ast.Starred,),
    "walrus": (ast.NamedExpr,),
}


@pytest.mark.parametrize("feature", NODES)
def test_a_feature_brings_its_syntax(feature: str) -> None:
    wanted = {feature, "loops", "branches"}
    trees = [ast.parse(generate(seed, wanted).text) for seed in QUICK]
    found = {type(node) for tree in trees for node in ast.walk(tree)}
    assert found >= set(NODES[feature])


def test_unknown_features_are_refused() -> None:
    assert checked(["loops"]) == ("loops",)
    with pytest.raises(ValueError, match="no such feature: magic"):
        checked(["loops", "magic"])


# --- failures -------------------------------------------------------------------------------------


def failing_routes(program: Program) -> Callable[..., dict[str, Any]]:
    """Routes whose one route takes minus for plus, as a wrong compiler might."""

    def routes_of(function: Any, names: Any) -> dict[str, Any]:
        text = Path(function.__code__.co_filename).name
        wrong, _ = load(replace(CURRENT[text], text=CURRENT[text].text.replace(" - ", " + ")))
        return {"graph": wrong}

    return routes_of


CURRENT: dict[str, Program] = {}


@pytest.fixture
def wrong_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """A compiler that takes minus for plus."""
    current: list[Program] = []

    def remember(program: Program) -> Any:
        current[:] = [program]
        return load(program)

    def routes_of(function: Any, names: Any) -> dict[str, Any]:
        text = current[0].text.replace(" - ", " + ")
        return {"graph": load(replace(current[0], text=text))[0]}

    monkeypatch.setattr(trial, "load", remember)
    monkeypatch.setattr(trial, "routes_of", routes_of)


@pytest.mark.usefixtures("wrong_compiler")
@pytest.mark.parametrize("seed", [1, 15, 18])
def test_a_failing_program_is_made_small(seed: int) -> None:
    program = generate(seed, ("loops", "branches", "calls"))
    verdict = trial.attempt(program)
    assert verdict.kind == trial.DIFFERENT
    small = batch.shrunk(program, verdict, batch.Job(0, 1, seconds=7.5))
    assert trial.attempt(small).kind == trial.DIFFERENT
    assert " - " in small.text
    assert len(small.calls) == 1
    assert len(small.text.splitlines()) <= 12
    again = Shrinker(lambda smaller: trial.attempt(smaller).kind == trial.DIFFERENT, 20.0)
    function = small.text[small.text.index("def program") :]
    assert again.shrink(small).text.endswith(function)
