"""Calls of compiled functions: whether Python runs in them, and what they give, every bit of it."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable
from typing import Any

import numpy as np

import staticpy


def frames_of(function: Callable[..., Any], *args: Any, **kwargs: Any) -> list[str]:
    """The Python functions that run during a call."""
    names: list[str] = []

    def note(frame: types.FrameType, event: str, _: Any) -> None:
        if event == "call":
            names.append(frame.f_code.co_name)

    old = sys.getprofile()
    sys.setprofile(note)
    try:
        function(*args, **kwargs)
    finally:
        sys.setprofile(old)
    return names


def warm(function: Callable[..., Any], *args: Any) -> Callable[..., Any]:
    """The function compiled, whose calls like this one are taken by native code."""
    compiled = staticpy.jit(function, backend="llvm")
    compiled(*args)
    compiled(*args)
    return compiled


def outcome(function: Callable[..., Any], *args: Any) -> Any:
    """What a call gives, in a form that shows every difference."""
    with np.errstate(all="ignore"):
        try:
            result = function(*args)
        except Exception as error:
            return type(error), str(error)
    return described(result)


def described(value: Any) -> Any:
    if isinstance(value, np.ndarray | np.generic):
        return type(value), value.dtype, value.shape, np.asarray(value).tobytes()
    if isinstance(value, tuple | list):
        return type(value), [described(item) for item in value]
    if isinstance(value, dict):
        return type(value), [(key, described(item)) for key, item in value.items()]
    return type(value), value
