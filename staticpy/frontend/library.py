"""Functions of Python's library that are no Python there, as Python, for the compiler to compile."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any


def cached(function: Callable[..., Any]) -> Callable[..., Any]:
    """``functools.cache(function)``, of positional arguments."""
    results: dict[Any, Any] = {}

    @functools.wraps(function)
    def from_cache(*args: Any) -> Any:
        key = args
        if len(args) == 1:
            if type(args[0]) is int:
                key = args[0]
            elif type(args[0]) is str:
                key = args[0]
        if key in results:
            return results[key]
        result = function(*args)
        results[key] = result
        return result

    return from_cache
