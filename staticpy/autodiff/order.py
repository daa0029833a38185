"""How many derivatives are taken around what plain Python runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_ORDER: ContextVar[int | None] = ContextVar("staticpy_order", default=None)


def current_order() -> int | None:
    """How many derivatives are taken of what is being run; None where no transform is running."""
    return _ORDER.get()


@contextmanager
def of_order(order: int) -> Iterator[None]:
    """Run what so many derivatives are taken of."""
    token = _ORDER.set(order)
    try:
        yield
    finally:
        _ORDER.reset(token)


@contextmanager
def differentiating() -> Iterator[None]:
    """Run what one more derivative is taken of."""
    with of_order((current_order() or 0) + 1):
        yield
