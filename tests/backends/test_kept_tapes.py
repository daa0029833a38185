"""Tapes of numbers whose memory is kept from call to call."""

from __future__ import annotations

import pytest

import staticpy
from staticpy.ops import keep_tapes, take_tape

MOST_ITEMS = 1 << 20


@pytest.fixture(autouse=True)
def _nothing_kept() -> None:
    """No tape is kept when a test begins, whatever ran in this process before it."""
    keep_tapes([0.0] * MOST_ITEMS)  # in the place of all others
    take_tape(MOST_ITEMS)


def root(x: float, n: int) -> float:
    guess = x
    for _ in range(n):
        guess = 0.5 * (guess + x / guess)
    return guess


def from_two(x: float, n: int) -> float:
    y = x
    for i in range(2, n):
        y = y * x if i % 3 else y + x * x
    return y


def falling(x: float, n: int) -> float:
    y = x
    for _ in range(n):
        y = y * y / (x - 1.0)
        x = x - 1.0
    return y


def caught(x: float, n: int) -> float:
    y = x
    try:
        for _ in range(n):
            y = y * y / (x - 1.0)
            x = x - 1.0
    except ZeroDivisionError:
        y = y * 2.0
    return y


def in_rows(x: float, n: int) -> float:
    guess = x
    for i in range(1, n):
        for _ in range(2, n):
            for _ in range(3):
                guess = 0.5 * (guess + x / guess)
        guess = guess * x + 0.01 * i
    return guess


def in_rows_of_other_lengths(x: float, n: int) -> float:
    y = x
    for i in range(n):
        for _ in range(i):
            y = 0.5 * (y + x / y)
    return y


def rows_that_fall(x: float, n: int, m: int) -> float:
    y = x
    for _ in range(n):
        for _ in range(m):
            y = y * y / (x - 1.0)
            x = x - 1.0
    return y


def source(function: object) -> str:
    return staticpy.grad(staticpy.jit(function)).lower(0.5, 3).compile().source


@pytest.mark.parametrize("function", [root, from_two, in_rows])
def test_tapes_are_set_anew_by_each_call(function: object) -> None:
    compiled = staticpy.grad(staticpy.jit(function))
    for n in (5, 3, 8, 0, 8, -2, 1, 5):
        for x in (0.7, 1.3):
            assert compiled(x, n) == staticpy.grad(function)(x, n)
    assert "take_tape" in source(function)


def test_what_a_call_leaves_unfinished_is_not_kept() -> None:
    compiled = staticpy.grad(staticpy.jit(falling))
    expected = compiled(5.5, 4)
    with pytest.raises(ZeroDivisionError):
        compiled(4.0, 4)
    assert compiled(5.5, 4) == expected == staticpy.grad(falling)(5.5, 4)


def test_more_rounds_than_there_is_memory_for_need_not_be_run() -> None:
    with pytest.raises(ZeroDivisionError):
        staticpy.grad(staticpy.jit(falling))(4.0, 10**15)


def test_a_loop_that_a_handler_may_see_unfinished_appends() -> None:
    assert "take_tape" not in source(caught)
    assert staticpy.grad(staticpy.jit(caught))(3.0, 9) == staticpy.grad(caught)(3.0, 9)


def test_a_tape_is_used_by_one_call_at_a_time() -> None:
    one = take_tape(3)
    keep_tapes(one)
    assert take_tape(4) is not one
    assert take_tape(3) is one
    assert take_tape(3) is not one


def test_the_longest_tapes_are_let_go() -> None:
    keep_tapes([0.0] * 7)
    keep_tapes([0.0] * MOST_ITEMS)
    keep_tapes(longer := [0.0] * (MOST_ITEMS + 1))
    assert take_tape(7) == [None] * 7
    assert take_tape(MOST_ITEMS + 1) is not longer


def test_rows_of_other_lengths_are_appended_to() -> None:
    assert ".append(" in source(in_rows_of_other_lengths)
    compiled = staticpy.grad(staticpy.jit(in_rows_of_other_lengths))
    assert compiled(0.7, 4) == staticpy.grad(in_rows_of_other_lengths)(0.7, 4)


@pytest.mark.parametrize("rounds", [(10**12, 1), (3, 10**12), (1, 10**12)])
def test_more_rows_than_there_is_memory_for_need_not_be_run(rounds: tuple[int, int]) -> None:
    compiled = staticpy.grad(staticpy.jit(rows_that_fall))
    with pytest.raises(ZeroDivisionError):
        compiled(4.0, *rounds)
    assert compiled(5.5, 2, 2) == staticpy.grad(rows_that_fall)(5.5, 2, 2)


def test_rows_are_kept_by_their_lengths() -> None:
    keep_tapes(one := [[0.5, 0.5], [0.5, 0.5], [0.5, 0.5]])
    assert take_tape(6) == [None] * 6
    assert take_tape(2, 3) == [[None] * 3] * 2
    assert take_tape(3, 2) is one
    assert take_tape(3, 2) == [[None] * 2] * 3


def test_tapes_of_no_items_are_not_kept() -> None:
    keep_tapes(empty := [], rows := [[], []])
    assert take_tape(0) is not empty
    assert take_tape(2, 0) == [[], []]
    assert take_tape(2, 0) is not rows
    assert take_tape(-1, 2) == take_tape(-1) == []
