"""What lowering resorts to where its first way does not do gives what CPython gives, too.

Objects of the user's classes are put into memory, and generators taken apart into steps, only where
nothing else serves. Here every program of the table is lowered in that way from the start: it may
be refused, as the other way is there for it, but it must not differ.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from staticpy.frontend.attempts import Attempts
from staticpy.frontend.instances import fits_memory
from staticpy.frontend.lower_base import Compilation
from tests.support.cases import Case, load_cases
from tests.support.observing import compare_outcomes, observe
from tests.support.routes import routes_of
from tests.support.world import World

need_another = Attempts.need_another


class Every(frozenset[Any]):
    """The set of everything."""

    def __contains__(self, item: object) -> bool:
        return True

    def __or__(self, other: object) -> Every:
        return self


def put_objects_into_memory(attempts: Attempts, compilation: Compilation, mark: int) -> bool:
    """Ask for one more attempt, with the objects of all classes that were made in memory."""
    if need_another(attempts, compilation, mark):
        return True
    instances = attempts.instances
    if compilation.diagnostics.has_errors or instances.classes:
        return False
    instances.classes = set(filter(fits_memory, instances.made))
    return bool(instances.classes)


def take_generators_apart(attempts: Attempts, compilation: Compilation, mark: int) -> bool:
    """Ask for one more attempt, with all generators in steps."""
    if need_another(attempts, compilation, mark):
        return True
    if compilation.diagnostics.has_errors or isinstance(attempts.in_steps, Every):
        return False
    attempts.in_steps = Every()
    return True


@pytest.mark.slow
@pytest.mark.parametrize("strategy", [put_objects_into_memory, take_generators_apart])
@pytest.mark.parametrize("item", load_cases(), ids=lambda item: item.id)
def test_same_or_refused(
    item: Case, strategy: Callable[..., bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Attempts, "need_another", strategy)
    graph = routes_of(item.function, ("graph",))["graph"]
    world = World(item.function)
    for call in item.calls:
        actual = observe(graph, call, world)
        if actual.refusal is not None:
            assert not any(code.startswith("SPY9") for code in actual.refusal.codes)
        else:
            assert list(compare_outcomes(observe(item.function, call, world), actual)) == []
