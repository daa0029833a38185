"""Marks a transform of functions: what it does in plain Python, and its name in the frontend."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


def lowered_as(name: str) -> Callable[[F], F]:
    """A decorator of a function that runs in plain Python only: in a compiled function a call of
    it is lowered as the transform ``name`` (``TRANSFORMS`` of the frontend).
    """

    def mark(function: F) -> F:
        function.__staticpy_transform__ = name  # type: ignore[attr-defined]
        return function

    return mark
