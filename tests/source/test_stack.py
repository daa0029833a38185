"""Deep stacks: text that is nested as deep as CPython accepts, whatever the stack of the caller."""

from __future__ import annotations

import sys
from contextvars import ContextVar

import pytest

from staticpy.source import from_text, has_deep_stack, recursion_limit, run_deep

LOCAL: ContextVar[int] = ContextVar("local", default=0)


def descend(depth: int) -> int:
    return 0 if depth == 0 else 1 + descend(depth - 1)


def test_recursion_goes_deep() -> None:
    limit = sys.getrecursionlimit()
    assert run_deep(lambda: descend(60_000)) == 60_000
    assert sys.getrecursionlimit() == limit


def test_without_the_higher_limit_the_stack_is_only_empty() -> None:
    assert run_deep(lambda: descend(sys.getrecursionlimit() - 50), raise_limit=False) > 0
    with pytest.raises(RecursionError):
        run_deep(lambda: descend(sys.getrecursionlimit()), raise_limit=False)


def test_the_context_is_the_callers() -> None:
    token = LOCAL.set(7)
    try:
        assert run_deep(LOCAL.get) == 7
    finally:
        LOCAL.reset(token)


def test_what_is_raised_reaches_the_caller() -> None:
    with pytest.raises(KeyError, match="deep"):
        run_deep(lambda: {}["deep"])


def test_a_deep_stack_is_used_again() -> None:
    assert not has_deep_stack()
    assert run_deep(lambda: (has_deep_stack(), run_deep(has_deep_stack))) == (True, True)
    assert not has_deep_stack()


def test_limits_that_overlap() -> None:
    before = sys.getrecursionlimit()
    first, second = recursion_limit(before + 100), recursion_limit(before + 50)
    first.__enter__()
    second.__enter__()
    assert sys.getrecursionlimit() == before + 100
    first.__exit__(None, None, None)
    assert sys.getrecursionlimit() == before + 50
    second.__exit__(None, None, None)
    assert sys.getrecursionlimit() == before


DEEP = {
    "sum": "x" + " + x" * 2_900,
    "minus": "-" * 2_900 + "x",
    "attributes": "x" + ".T" * 2_900,
    "choice": "".join(f"{i} if x == {i} else " for i in range(2_900)) + "0",
    "brackets": "(" * 190 + "x" + " + 1)" * 190,
}


@pytest.mark.parametrize("name", DEEP)
def test_deep_text_is_parsed(name: str) -> None:
    text = f"def f(x):\n    return {DEEP[name]}\n"

    def parse_at(depth: int) -> int:
        return len(list(from_text(text).units)) if depth == 0 else parse_at(depth - 1)

    assert parse_at(sys.getrecursionlimit() // 2) == 1
