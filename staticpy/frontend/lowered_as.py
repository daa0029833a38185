"""Marks a transform of functions: what it does in plain Python, and its name in the frontend."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


def lowered_as(name: str) -> Callable[[F], F]:
    """A decorator of a function that runs in plain Python only: in a compiled function a call of
    it is lowered as the transform ``name`` (``TRANSFORMS``).
    """

    def mark(function: F) -> F:
        function.__staticpy_transform__ = name  # type: ignore[attr-defined]
        return function

    return mark


def transform_name(value: Any) -> str | None:
    """The name of the transform that ``value`` is, as ``value_and_gradient``, by which
    ``staticpy.grad`` is written; None for other things.
    """
    is_function = isinstance(value, types.FunctionType)
    return getattr(value, "__staticpy_transform__", None) if is_function else None
