"""How many derivatives are taken around what plain Python runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_ORDER: ContextVar[int | None] = ContextVar("staticpy_order", default=None)
_IN_RULE: ContextVar[bool] = ContextVar("staticpy_in_rule", default=False)


def current_order() -> int | None:
    """How many derivatives are taken of what is being run; None where no transform is running."""
    return _ORDER.get()


def is_in_rule() -> bool:
    """Whether a rule that a program gives is running: then the order counts all derivatives, also
    those by Tensors from outside of the transforms.
    """
    return _IN_RULE.get()


@contextmanager
def of_order(order: int) -> Iterator[None]:
    """Run a rule that so many derivatives are taken of."""
    saved, in_rule = _ORDER.set(order), _IN_RULE.set(True)
    try:
        yield
    finally:
        _IN_RULE.reset(in_rule)
        _ORDER.reset(saved)


@contextmanager
def differentiating() -> Iterator[None]:
    """Run what one more derivative is taken of."""
    token = _ORDER.set((current_order() or 0) + 1)
    try:
        yield
    finally:
        _ORDER.reset(token)
