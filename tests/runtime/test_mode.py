"""Modes, and ``disable_jit``."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Iterator

import pytest

import staticpy
from staticpy.runtime import is_jit_disabled


def frames_of(x):  # type: ignore[no-untyped-def]
    return sys._getframe().f_code.co_name


@pytest.fixture(autouse=True)
def restore_mode() -> Iterator[None]:
    mode = staticpy.get_context("mode")
    yield
    staticpy.set_context(mode=mode)


def test_default_mode() -> None:
    assert staticpy.get_context("mode") == staticpy.PYNATIVE_MODE


@pytest.mark.parametrize("mode", [staticpy.GRAPH_MODE, staticpy.PYNATIVE_MODE, 0, 1])
def test_set_context(mode: int) -> None:
    staticpy.set_context(mode=mode)
    assert staticpy.get_context("mode") == mode


def test_unknown_mode_and_key() -> None:
    with pytest.raises(ValueError, match="7"):
        staticpy.set_context(mode=7)
    with pytest.raises(KeyError):
        staticpy.get_context("device")


@pytest.mark.parametrize("mode", [staticpy.GRAPH_MODE, staticpy.PYNATIVE_MODE])
def test_a_decorated_function_is_a_graph_in_every_mode(mode: int) -> None:
    staticpy.set_context(mode=mode)
    double = staticpy.jit(lambda x: x * 2)
    assert double(4) == 8
    assert double.cache_size == 1


def test_disable_jit_runs_the_python_function() -> None:
    f = staticpy.jit(frames_of)
    with staticpy.disable_jit():
        assert f(1) == "frames_of"
        assert f.cache_size == 0
        with staticpy.disable_jit(False):
            assert not is_jit_disabled()
        assert is_jit_disabled()
    assert not is_jit_disabled()


def test_disable_jit_ends_with_an_exception() -> None:
    with pytest.raises(ZeroDivisionError), staticpy.disable_jit():
        staticpy.jit(lambda x: 1 // x)(0)
    assert not is_jit_disabled()


def test_disable_jit_is_of_one_thread() -> None:
    seen: list[bool] = []
    with staticpy.disable_jit():
        thread = threading.Thread(target=lambda: seen.append(is_jit_disabled()))
        thread.start()
        thread.join()
    assert seen == [False]


def test_disable_jit_is_of_one_task() -> None:
    async def disabled(entered: asyncio.Event, leave: asyncio.Event) -> bool:
        with staticpy.disable_jit():
            entered.set()
            await leave.wait()
            return is_jit_disabled()

    async def main() -> tuple[bool, bool]:
        entered, leave = asyncio.Event(), asyncio.Event()
        task = asyncio.create_task(disabled(entered, leave))
        await entered.wait()
        outside = is_jit_disabled()
        leave.set()
        return outside, await task

    assert asyncio.run(main()) == (False, True)
