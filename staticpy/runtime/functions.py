"""``Function.apply`` in a compiled function: a function with a derivative of its own.

In plain Python a ``Function`` is an operation on Tensors. A graph has no Tensors, but it has rules
that a program gives, ``custom_vjp``; this is how the one is written in the other, in the language.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from staticpy.autodiff import Function
from staticpy.runtime.custom import call_with_vjp


class GraphContext:
    """What ``forward`` leaves for ``backward`` in a graph."""

    def __init__(self) -> None:
        self.saved_tensors: Any = ()

    def save_for_backward(self, *tensors: Any) -> None:
        """Save arrays for the way back."""
        self.saved_tensors = tensors


def _apply(cls: Any, *args: Any) -> Any:
    """``cls.apply(*args)``."""

    def function(*given: Any) -> Any:
        return cls.forward(GraphContext(), *given)

    def forward(*given: Any) -> Any:
        context = GraphContext()
        return cls.forward(context, *given), context

    def backward(*given: Any) -> Any:
        *_, context, cotangent = given
        flowing = cotangent if isinstance(cotangent, tuple) else (cotangent,)
        found = cls.backward(context, *flowing)
        found = found if isinstance(found, tuple) else (found,)
        return tuple(found[number] for number in numbers)

    inexact = (float, complex, np.inexact, np.ndarray)
    numbers = [number for number, arg in enumerate(args) if isinstance(arg, inexact)]
    others = [number for number in range(len(args)) if number not in numbers]
    return call_with_vjp(function, (forward, backward), tuple(others), args, {})


setattr(Function.apply.__func__, "__staticpy_graph__", _apply)  # type: ignore[attr-defined] # noqa: B010

__all__ = ["Function"]
