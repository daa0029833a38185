"""A function is lowered again as long as that may help, and no longer."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import pytest

import staticpy
from staticpy import CompileError


@contextlib.contextmanager
def translating() -> Iterator[None]:
    try:
        yield
    except ZeroDivisionError as error:
        raise ValueError("zero") from error


def test_objects_that_do_not_fit_memory() -> None:
    def f(x: float) -> Any:
        try:
            with translating():
                return 1 / x
        except ValueError as error:
            return str(error), 1

    assert staticpy.value_and_grad(staticpy.jit(f))(4.0) == (0.25, -0.0625)
    with pytest.raises(CompileError, match="SPY702"):
        staticpy.value_and_grad(staticpy.jit(f))(0.0)


def test_a_list_in_itself() -> None:
    items: list[Any] = [1.5]
    items.append(items)
    assert staticpy.jit(lambda items: items[0])(items) == 1.5


class Node:
    def __init__(self, value: Any, after: Any) -> None:
        self.value = value
        self.after = after


def test_an_attribute_that_holds_what_it_was() -> None:
    def f(n: int) -> int:
        head = None
        for i in range(n):
            head = Node(i, head)
            if head.after is not None:
                head.value = (head.after.value, head.value)
        count = 0
        while head is not None:
            count, head = count + 1, head.after
        return count

    with pytest.raises(CompileError, match=r"SPY403|SPY632"):
        staticpy.jit(f)(4)
