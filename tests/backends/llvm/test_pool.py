"""The pool of threads: which units who does, in which order."""

from __future__ import annotations

import ctypes
import threading
import time

import pytest

import staticpy

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

from staticpy.backends.llvm import pool, pool_memory

PART = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)
RUN = ctypes.CFUNCTYPE(None, PART, ctypes.c_void_p, *[ctypes.c_int64] * 4, ctypes.c_void_p)


@pytest.fixture(autouse=True)
def the_same_number_afterwards():
    before = staticpy.get_num_threads()
    yield
    staticpy.set_num_threads(before)


def run(part, count, least, turns):
    RUN(pool._pool().run)(PART(part), None, count, least, turns, 0, None)


@pytest.mark.parametrize("number", [1, 2, 3, 7])
@pytest.mark.parametrize("count", [0, 1, 2, 5, 8, 31, 32, 33, 1000])
@pytest.mark.parametrize(("least", "turns"), [(1, 1), (1, 4), (3, 1), (3, 4)])
def test_each_unit_is_done_once(number, count, least, turns):
    staticpy.set_num_threads(number)
    done = []
    run(lambda _, begin, end: done.extend(range(begin, end)), count, least, turns)
    assert sorted(done) == list(range(count))


IS_WORTH = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_bool, ctypes.c_int64)
HOUR = 1 << 43


def forget():
    """Forget what walks have told about the next ones."""
    for place in (pool_memory.STREAK, pool_memory.UNTIL, pool_memory.PENALTY, pool_memory.WATCHED):
        ctypes.c_int64.from_address(pool._pool()._memory + place).value = 0


@pytest.fixture
def nothing_before():
    forget()
    yield
    forget()


def asked(*walks):
    """What is said of walks, each of which is long or not, and takes so many cycles."""
    is_worth = IS_WORTH(pool._pool().is_worth)
    return [is_worth(*walk) for walk in walks]


@pytest.mark.usefixtures("nothing_before")
def test_walks_that_follow_each_other_are_shared_out():
    assert asked(*[(False, HOUR)] * 6) == [False] * 3 + [True] * 3
    asked((False, -HOUR))
    assert asked(*[(False, -HOUR)] * 6) == [False] * 6


@pytest.mark.usefixtures("nothing_before")
def test_a_walk_that_follows_a_long_one_is_shared_out():
    assert asked((True, HOUR), (False, HOUR), (False, HOUR)) == [True, True, True]
    assert asked((True, -HOUR), (False, HOUR)) == [True, False]


@pytest.mark.usefixtures("nothing_before")
def test_when_a_thread_was_held_up_the_next_walks_are_done_alone():
    staticpy.set_num_threads(2)
    asked((True, HOUR))
    assert asked((False, 1)) == [True]
    run(lambda *_: time.sleep(0.01), 4, 1, 4)
    alone = asked(*[(False, HOUR)] * 40)
    assert alone.index(True) in range(16, 40)


def test_a_thread_begins_with_what_it_ended_with():
    staticpy.set_num_threads(2)
    caller, jobs = threading.get_ident(), []
    for _ in range(4):
        own, is_done = [], threading.Event()

        def part(_context, begin, _end, own=own, is_done=is_done):
            if threading.get_ident() != caller:
                is_done.wait(10)
            elif len(own) < 8:
                own.append(begin)
                if len(own) == 8:
                    is_done.set()

        run(part, 16, 1, 8)
        jobs.append(own)
    assert sorted(jobs[0]) == list(range(8))
    assert jobs[0] == jobs[2] == jobs[1][::-1] == jobs[3][::-1]


def test_who_has_done_its_share_does_what_is_left():
    staticpy.set_num_threads(2)
    caller, is_done, by_others = threading.get_ident(), threading.Event(), []

    def part(_context, begin, _end):
        if threading.get_ident() == caller:
            is_done.wait(10)  # until another thread has done all the rest
        else:
            by_others.append(begin)
            if len(by_others) == 7:
                is_done.set()

    run(part, 8, 1, 4)
    assert len(by_others) == 7
