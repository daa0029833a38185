"""Gradients of the programs of ``tests/cases/accept``, of plain Python against those of graphs."""

from __future__ import annotations

import contextlib
import io
import re
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy.diagnostics import CompileError
from tests.support.cases import Case, load_cases
from tests.support.describing import compare_trees
from tests.support.observing import Call
from tests.support.walking import copied
from tests.support.world import World

TABLE = load_cases()
LIMITS = re.compile(r"@staticpy\.jit|detach\(\)|no implementation found for|attribute|Tensor")
"""What Tensors say of what plain Python does not record."""
OF_CLASSES = {"matching_structure.recursive_structures"}
"""Programs that ask whether a number is of the class float, which a Tensor is not."""


def measured(function: Callable[..., Any], places: tuple[tuple[Any, ...], ...]) -> Any:
    """A function that gives one number: of some items of what ``function`` gives."""

    def measure(*args: Any) -> Any:
        result = function(*args)
        total = 0.0
        for steps in places:
            item = result
            for step in steps:
                item = item[step]
            total = total + np.sum(item) * 0.75
        return total

    return measure


def places_in(tree: Any, kinds: str, steps: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where numbers and arrays of these kinds of dtypes are in a tree."""
    if isinstance(tree, float | complex | np.ndarray | np.inexact):
        if np.asarray(tree).dtype.kind in kinds:
            yield steps
    elif isinstance(tree, tuple | list | dict) and len(steps) < 4:
        items = tree.items() if isinstance(tree, dict) else enumerate(tree)
        for key, item in items:
            if isinstance(key, str | int):
                yield from places_in(item, kinds, (*steps, key))


def outcome(function: Any, call: Call, world: World) -> Any:
    """The value and the gradient, or what was raised."""
    world.restore()
    quiet = contextlib.redirect_stdout(io.StringIO())
    try:
        with warnings.catch_warnings(), quiet:
            warnings.simplefilter("ignore", RuntimeWarning)
            return function(*copied(call.args))
    except Exception as error:
        return error


def is_limit(error: object) -> bool:
    """Whether plain Python can't record a program that graphs may differentiate, and says so."""
    return isinstance(error, CompileError) or (
        isinstance(error, Exception) and LIMITS.search(f"{error} {error.__cause__}") is not None
    )


def differences(item: Case, call: Call) -> list[str]:
    """What the gradient of plain Python has otherwise than that of the graph."""
    world = World(item.function)
    numbers = tuple(number for number, arg in enumerate(call.args) if list(places_in(arg, "fc")))
    plain = outcome(item.function, call, world)
    places = ((),) if isinstance(plain, Exception) else tuple(places_in(plain, "f"))[:6]
    if not (numbers and places) or call.kwargs:
        return []
    loss = measured(item.function, places)
    by: dict[str, Any] = {"argnums": numbers, "allow_int": True}
    eager = outcome(staticpy.value_and_grad(loss, **by), call, world)
    graph = outcome(staticpy.value_and_grad(staticpy.jit(loss), **by), call, world)
    world.restore()
    if isinstance(graph, CompileError):
        return [str(graph)] if "SPY902" in str(graph) else []
    if is_limit(eager) or item.id in OF_CLASSES:
        return []
    if isinstance(eager, Exception) or isinstance(graph, Exception):
        return [] if type(eager) is type(graph) else [f"{eager!r}", f"{graph!r}"]
    return list(compare_trees(eager, graph, "value and gradient"))


CALLS = [(item, number) for item in TABLE for number in range(len(item.calls[:2]))]
IDS = [f"{item.id}-{number}" for item, number in CALLS]


@pytest.mark.parametrize(("item", "number"), CALLS[::16], ids=IDS[::16])
def test_of_some(item: Case, number: int) -> None:
    assert differences(item, item.calls[number]) == []


@pytest.mark.slow
@pytest.mark.parametrize(("item", "number"), CALLS, ids=IDS)
def test_of_all(item: Case, number: int) -> None:
    assert differences(item, item.calls[number]) == []
