"""Rarer garbage collection: the thresholds of the process come back, whatever happens meanwhile."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from staticpy.source import rare_collection


@pytest.fixture(autouse=True)
def thresholds() -> Iterator[None]:
    before = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    yield
    gc.set_threshold(*before)


def test_the_thresholds_come_back() -> None:
    seen = []

    @rare_collection()
    def fail() -> None:
        seen.append(gc.get_threshold()[0])
        raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert seen[0] > 700
    assert gc.get_threshold() == (700, 10, 10)


def test_the_last_one_gives_them_back() -> None:
    first, second = rare_collection(), rare_collection()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert gc.get_threshold()[0] > 700
    second.__exit__(None, None, None)
    assert gc.get_threshold() == (700, 10, 10)


def test_what_somebody_else_sets_stays() -> None:
    with rare_collection():
        gc.set_threshold(900, 5, 5)
    assert gc.get_threshold() == (900, 5, 5)


@pytest.mark.parametrize("chosen", [(0, 10, 10), (1_000_000, 10, 10)])
def test_what_collects_more_rarely_stays(chosen: tuple[int, int, int]) -> None:
    gc.set_threshold(*chosen)
    with rare_collection():
        assert gc.get_threshold() == chosen
    assert gc.get_threshold() == chosen
