"""What ``np.f.at(x, index, v)`` computes, as operations that give a new array.

The values that go to one place are put side by side and reduced; then ``f`` is applied once to each
place that was named. In: the operands as they were. Out: the new array.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from staticpy import ops
from staticpy.autodiff.refusals import refusal
from staticpy.ir import Operation, Value
from staticpy.ops import FUNCTIONS, REGISTRY, call_adapter, numpy_function, trace, untrace

_REDUCING = {
    "divide": "multiply",
    "true_divide": "multiply",
    **{name: name for name in ("multiply", "maximum", "minimum", "fmax", "fmin")},
    **{name: name for name in ("logaddexp", "logaddexp2", "hypot")},
}
"""The ufuncs of which several steps are one, and by which the values of all are put together."""


def scattered(operation: Operation, operands: Sequence[Value]) -> Value:
    """Emit the array that ``np.f.at`` leaves.

    Raises:
        DiagnosticError: steps of ``f`` can't be put together.
    """
    name, count = operation.attrs["ufunc"], operation.attrs["count"]
    if name not in _REDUCING or count != 1:
        known = ", ".join(("add", "subtract", *_REDUCING))
        raise refusal(operation, f", but for .at of np.{{{known}}}")
    target, value, *more = operands
    x, f = trace(target), numpy_function(name)
    numbers = np.reshape(_made(np.arange, x.size), x.shape)
    picked = ops.emit(REGISTRY["index"], untrace(numbers), *more, spec=operation.attrs["spec"])
    places, values = _rows(trace(picked), value, x.dtype)
    order = np.argsort(places, kind="stable")
    places, values = places[order], values[order]
    is_first = np.concatenate([places[:1] == places[:1], places[1:] != places[:-1]])
    starts = np.flatnonzero(is_first)
    found = numpy_function(f"{_REDUCING[name]}.reduceat")(values, starts)
    hit = np.bincount(places[starts], minlength=x.size)
    one = _made(np.ones, 1, x.dtype)
    slots = np.maximum(np.cumsum(hit) - 1, 0)
    given = np.where(hit > 0, np.concatenate([found, one])[slots], one[0])
    row = np.ravel(x)
    made = np.reshape(np.where(hit > 0, f(row, given), row), x.shape)
    return ops.as_value(untrace(made))


def _rows(picked: Any, value: Value, dtype: Any) -> tuple[Any, Any]:
    """The numbers of the places, and the value for each of them, in rows."""
    places = _made(np.atleast_1d, picked)
    spread = np.broadcast_to(trace(value), places.shape)
    return np.ravel(places), np.ravel(spread).astype(dtype)


def _made(function: Any, *args: Any) -> Any:
    return trace(call_adapter(FUNCTIONS[function], *args))
