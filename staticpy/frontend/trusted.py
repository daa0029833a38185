"""The modules whose real objects stand for what a text imports: NumPy, this package, and some of
Python's own, none of which runs anything of the user's.

In: a dotted path. Out: the object, or UNKNOWN_VALUE.
"""

from __future__ import annotations

import importlib
from typing import Any

from staticpy.frontend.inputs import UNKNOWN_VALUE

_TRUSTED = ("numpy", "math", "staticpy", "itertools", "functools", "operator", "contextlib")


def is_trusted(module: str) -> bool:
    """Whether a dotted path begins with a trusted module."""
    return module.partition(".")[0] in _TRUSTED


def imported(origin: str) -> Any:
    """The object at a dotted path of a trusted module."""
    top, *attributes = origin.split(".")
    if top not in _TRUSTED:
        return UNKNOWN_VALUE
    value: Any = importlib.import_module(top)
    for attribute in attributes:
        value = getattr(value, attribute, UNKNOWN_VALUE)
    return value


def exported(module: str) -> frozenset[str] | None:
    """The names that ``from module import *`` takes of a trusted module; None if there is none."""
    found = imported(module)
    if found is UNKNOWN_VALUE:
        return None
    public = (name for name in vars(found) if not name.startswith("_"))
    return frozenset(getattr(found, "__all__", public))
