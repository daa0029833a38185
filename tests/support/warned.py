"""What a call gives or raises, together with what it warns of."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any


def with_warnings(
    function: Callable[..., Any],
    *arguments: Any,
    raises: type[Exception] | tuple[type[Exception], ...] = Exception,
) -> tuple[Any, list[warnings.WarningMessage]]:
    """The result of a call, or the exception of one of these classes, and each warning."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found = function(*arguments)
        except raises as error:
            found = error
    return found, caught
