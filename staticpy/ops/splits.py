"""Arrays in parts: ``np.split`` and its kin, as views of what is split.

%a, %b = split %x {sections = 2, axis = 1}
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import UNKNOWN, Dim, TensorType, Type, Value, dims_of
from staticpy.ops.apply import emit
from staticpy.ops.arguments import adapter, needs_static, not_an_array, static_axis, static_int
from staticpy.ops.nested import as_array
from staticpy.ops.opdef import Effect, defop
from staticpy.ops.probed import Dims


def _refuse(function: str, reason: str) -> DiagnosticError:
    return DiagnosticError(catalog.INVALID_ARRAY_CALL, function=function, reason=reason)


def _parts(dims: Dims, axis: int, sections: int | tuple[int, ...]) -> list[Dim]:
    """The size of each part along ``axis``, where it is known."""
    size = dims[axis]
    count = sections if isinstance(sections, int) else len(sections) + 1
    if not isinstance(size, int):
        return [UNKNOWN] * count
    if isinstance(sections, int):
        return [size // count + (at < size % count) for at in range(count)]
    return [len(range(size)[a:b]) for a, b in pairwise((0, *sections, size))]


def _infer_split(
    operand: Type, *, sections: int | tuple[int, ...], axis: int = 0, exact: bool = False
) -> tuple[Type, ...]:
    assert isinstance(operand, TensorType)
    dims, size = operand.dims, operand.dims[axis]
    if exact and isinstance(size, int) and isinstance(sections, int) and size % sections:
        raise _refuse("np.split()", "array split does not result in an equal division")
    return tuple(
        TensorType(operand.dtype, (*dims[:axis], part, *dims[axis + 1 :]))
        for part in _parts(dims, axis, sections)
    )


def _split(
    operand: Any, *, sections: int | tuple[int, ...], axis: int = 0, exact: bool = False
) -> Any:
    function = np.split if exact else np.array_split
    parts = function(operand, sections, axis)
    return parts[0] if len(parts) == 1 else tuple(parts)


split_op = defop(
    "split",
    infer=_infer_split,
    kernel=_split,
    effects=Effect.RAISES,
    view=True,
    samples=lambda rng: [
        ((rng.random(7),), {"sections": 3}),
        ((rng.random((2, 4)),), {"sections": 2, "axis": 1, "exact": True}),
        ((rng.random(5),), {"sections": (1, 3)}),
        ((rng.random(5),), {"sections": 1}),
    ],
)
"""``np.array_split(x, sections, axis)``, or ``np.split`` where ``exact``: views of ``x``."""


def _split_adapter(
    name: str, exact: bool, axis_of: Callable[[int], int] | None, least: int = 1
) -> Any:
    function = f"np.{name}()"

    def parts(ary: Any, indices_or_sections: Any, axis: Any) -> list[Any]:
        value = as_array(ary, function)
        rank = len(dims_of(value.type))
        if axis_of is not None:
            axis = axis_of(rank)
        if rank < least:
            raise _refuse(function, f"it only works on arrays of {least} or more axes")
        place = static_axis(axis, rank, function)
        if isinstance(indices_or_sections, Value):
            raise needs_static(function, "indices_or_sections")
        is_list = isinstance(indices_or_sections, tuple | list)
        if value is not ary and (name == "hsplit" or (exact and not is_list)):
            raise not_an_array(function, ary)  # NumPy asks it for its axes
        given = indices_or_sections if is_list else [indices_or_sections]
        numbers = tuple(static_int(each, function, "indices_or_sections") for each in given)
        if not is_list and numbers[0] <= 0:
            raise _refuse(function, "number sections must be larger than 0")
        sections = numbers if is_list else numbers[0]
        attrs = {"axis": place} if place else {}
        attrs |= {"exact": True} if exact else {}
        found = emit(split_op, value, sections=sections, **attrs)
        return list(found) if isinstance(found, tuple | list) else [found]

    if axis_of is not None:

        @adapter(name)
        def fixed(ary: Any, indices_or_sections: Any) -> list[Any]:
            return parts(ary, indices_or_sections, 0)

        return fixed

    @adapter(name)
    def free(ary: Any, indices_or_sections: Any, axis: Any = 0) -> list[Any]:
        return parts(ary, indices_or_sections, axis)

    return free


ADAPTERS: dict[str, Callable[..., Any]] = {
    "split": _split_adapter("split", True, None),
    "array_split": _split_adapter("array_split", False, None),
    "vsplit": _split_adapter("vsplit", True, lambda rank: 0, 2),
    "hsplit": _split_adapter("hsplit", True, lambda rank: 0 if rank == 1 else 1),
    "dsplit": _split_adapter("dsplit", True, lambda rank: 2, 3),
}
"""The functions by NumPy's name."""
