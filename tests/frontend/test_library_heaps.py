"""The functions of ``heapq`` that are compiled where derivatives are taken: as Python's own do."""

from __future__ import annotations

import heapq
import random
from typing import Any

import pytest

from staticpy.frontend import library_heaps

NAMES = ["heappush", "heappop", "heapreplace", "heappushpop"]


@pytest.mark.parametrize("seed", range(200))
def test_items_lie_where_those_of_python_lie(seed: int) -> None:
    chance = random.Random(seed)

    def item() -> Any:
        key = chance.randrange(9)
        return (key, chance.random()) if seed % 2 else float(key)

    found = [item() for _ in range(chance.randrange(40))]
    expected = list(found)
    library_heaps.heapify(found)
    heapq.heapify(expected)
    assert found == expected
    for name in chance.choices(NAMES, k=40):
        args = () if name == "heappop" else (item(),)
        if found or name in ("heappush", "heappushpop"):
            made = getattr(library_heaps, name)(found, *args)
            assert made == getattr(heapq, name)(expected, *args)
        assert found == expected


@pytest.mark.parametrize("name", ["heappop", "heapreplace"])
def test_empty_heaps(name: str) -> None:
    args = ([],) if name == "heappop" else ([], 1)
    told = []
    for module in (heapq, library_heaps):
        with pytest.raises(IndexError) as caught:
            getattr(module, name)(*args)
        told.append(str(caught.value))
    assert told[0] == told[1]
