"""The rule of a function that brings its own."""

from __future__ import annotations

from typing import Any, NoReturn

from staticpy.ops.rules.base import NoDerivativeError, defrule
from staticpy.ops.user_function import user_function


def _vjp(g: Any, out: Any, holder: Any, *_: Any, pull_back: Any, **__: Any) -> tuple[Any, ...]:
    return (None, *pull_back(holder, g, out))


def _jvp(*_: Any, **__: Any) -> NoReturn:
    raise NoDerivativeError("it has a backward() alone, which is for reverse mode")


defrule(user_function.name, _vjp, _jvp)
