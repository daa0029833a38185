"""Differences of neighbours: ``np.diff``.

In: an array, and what stands before and behind it. Out: a new array.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import Type, Value, dims_of
from staticpy.ops.apply import emit
from staticpy.ops.arguments import adapter, static_axis, static_int
from staticpy.ops.nested import as_array
from staticpy.ops.opdef import Attrs, Effect
from staticpy.ops.probed import Dims, plus, probed_op
from staticpy.ops.shape import shape_of
from staticpy.ops.shape_functions import broadcast_to, concatenate

_GIVEN_NOTHING: Any = ...


def _diff_dims(operands: Sequence[Type], attrs: Attrs) -> Dims:
    dims, axis = dims_of(operands[0]), attrs.get("axis", -1)
    place = axis % len(dims)
    return (*dims[:place], plus(dims[place], -attrs.get("n", 1)), *dims[place + 1 :])


diff_op = probed_op(
    "diff",
    np.diff,
    _diff_dims,
    lambda rng: [
        ((rng.random((2, 3)),), {}),
        ((rng.integers(0, 9, (4, 3)),), {"n": 2, "axis": 0}),
        ((rng.random(3) > 0.5,), {}),
    ],
    effects=Effect.WARNS,
    numpy="diff",
)
"""``np.diff(x, n, axis)``."""


@adapter("diff")
def diff(
    a: Any,
    n: Any = 1,
    axis: Any = -1,
    prepend: Any = _GIVEN_NOTHING,
    append: Any = _GIVEN_NOTHING,
) -> Any:
    """``np.diff``; with ``n = 0`` NumPy returns ``a`` itself."""
    function = "np.diff()"
    value = as_array(a, function)
    rank = len(dims_of(value.type))
    count = static_int(n, function, "n")
    if count == 0:
        return value
    if count < 0 or rank == 0:
        reason = "it takes an array of one axis or more, and n >= 0"
        raise DiagnosticError(catalog.INVALID_ARRAY_CALL, function=function, reason=reason)
    place = static_axis(axis, rank, function)
    parts = [_part(each, value, place) for each in (prepend, value, append) if each is not ...]
    joined = concatenate(parts, place) if len(parts) > 1 else value
    attrs = {"n": count} if count != 1 else {}
    return emit(diff_op, joined, **attrs, **({} if place == rank - 1 else {"axis": place}))


def _part(part: Any, value: Value, place: int) -> Value:
    """What is joined to ``value`` along an axis; one element stands for one along it."""
    given = as_array(part, "np.diff()")
    if dims_of(given.type):
        return given
    shape = list(shape_of(value))
    shape[place] = 1
    found: Value = broadcast_to(given, tuple(shape))
    return found


ADAPTERS: dict[str, Callable[..., Any]] = {"diff": diff}
"""The functions by NumPy's name."""
