"""Calls of NumPy's functions where ``None`` is given for a number or an array.

    numpy.of_none %none, %x {function = "dot"}            # TypeError, or a refusal

Which exception NumPy raises may depend on the other arguments: of an empty array it often raises
none. So it is asked when the program runs, and by its own function; what it returns instead, None
or an array of objects, is nothing that a compiled function goes on with.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import Type
from staticpy.ops.library import call_numpy
from staticpy.ops.namespace import FUNCTIONS, METHODS
from staticpy.ops.opdef import Effect, defop
from staticpy.ops.store import numpy_function
from staticpy.ops.ufunc_functions import UFUNC_METHODS

_WRITING = ("copyto", "fill_diagonal", "place", "put", "put_along_axis", "putmask")
_WRITING_METHODS = ("at", "fill", "itemset", "partition", "put", "resize", "setfield", "sort")
"""What may have written a part before it raises."""


def _infer(*_: Type, function: str, **_attrs: Any) -> tuple[Type, ...]:
    del function
    return ()


def _call(*operands: Any, function: str, **attrs: Any) -> tuple[()]:
    call_numpy(*operands, function=function, **attrs)
    raise DiagnosticError(catalog.NOT_AN_ARRAY, function=f"np.{function}()", type="None")


def _samples(_: np.random.Generator) -> Any:
    x = np.ones(3)
    yield (None,), {"function": "sqrt"}
    yield (x, None), {"function": "dot"}
    yield (x, None), {"function": "concatenate", "nesting": (("list", (None, None)),)}
    yield (x, None), {"function": "linalg.norm", "keywords": ("ord",)}
    yield (None,), {"function": "sum"}


none_call = defop(
    "numpy.of_none", infer=_infer, kernel=_call, effects=Effect.RAISES, samples=_samples
)
"""``np.function(…)`` with ``None`` for a number or an array: raises for certain."""


@cache
def _names() -> dict[Callable[..., Any], str]:
    found = {}
    for function, adapter in FUNCTIONS.items():
        name = _dotted_name(function)
        if name is not None and name not in _WRITING and not name.startswith("random."):
            found[adapter] = name
    for (ufunc, method), adapter in UFUNC_METHODS.items():
        if method not in _WRITING_METHODS:
            found[adapter] = f"{ufunc.__name__}.{method}"
    for name, adapter in METHODS.items():
        if hasattr(np.ndarray, name) and name not in _WRITING_METHODS:
            found.setdefault(adapter, f"ndarray.{name}")
    return found


def _dotted_name(function: Any) -> str | None:
    """The name of a function under ``numpy``; None where it has another one there."""
    module = getattr(function, "__module__", None) or "numpy"
    name = getattr(function, "__name__", "")
    dotted = ".".join([*module.split(".")[1:], name])
    try:
        return dotted if numpy_function(dotted) is function else None
    except AttributeError:
        return None


def numpy_name(adapter: Callable[..., Any]) -> str | None:
    """The dotted name of the function of NumPy, or the method of arrays, that an adapter stands
    for; None where there is none, and of those that write to an array.
    """
    return _names().get(adapter)
