"""The functions of ``math`` that take sequences: ``fsum``, ``prod``, ``dist``.

In: a tuple or list of numbers, a list of the running program, or an array of rank 1. Out: what
Python gives for these boxes.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import (
    FLOAT,
    ListType,
    PythonType,
    ScalarType,
    TensorType,
    Type,
    UnionType,
    Value,
)
from staticpy.ops.apply import emit
from staticpy.ops.math_functions import (
    apply_function,
    check_types,
    conversion_effects,
    refusal,
)
from staticpy.ops.opdef import defop
from staticpy.ops.operators import binary
from staticpy.ops.probe import probe


def _infer_items(function: str) -> Callable[..., Type]:
    def infer(*items: Type, **_: Any) -> Type:
        for item in items:
            check_types(function, math.fabs, (item,))
        return FLOAT

    return infer


def _item_type(function: str, sequence: Type) -> PythonType | ScalarType:
    """The type of the items of an array of rank 1, or of a list of numbers of one type."""
    if isinstance(sequence, TensorType) and sequence.rank == 1:
        return ScalarType(sequence.dtype)
    if isinstance(sequence, ListType) and isinstance(sequence.item, PythonType | ScalarType):
        return sequence.item
    raise DiagnosticError(catalog.UNSUPPORTED_OPERANDS, symbol=function, types=str(sequence))


def _infer_sequences(function: str) -> Callable[..., Type]:
    def infer(*sequences: Type) -> Type:
        for sequence in sequences:
            check_types(function, math.fabs, (_item_type(function, sequence),))
        return FLOAT

    return infer


_ITEMS = (0.5, 1, True, np.float32(0.25), 1e16, -1e16)
_ARRAYS = (np.array([0.5, 1e16, -1e16]), np.array([3, 4, 5], np.int8), np.array([0.5, -1.0, 2.0]))
_LISTS = ([0.5, 1e16, -1e16], [3, 2**70], [np.float32(0.1), np.float32(0.2)])

fsum_ = defop(
    "math.fsum",
    infer=_infer_items("math.fsum"),
    kernel=lambda *items: math.fsum(items),
    effects=conversion_effects,
    samples=lambda _: [(_ITEMS, {}), (_ITEMS[:2], {})],
)
"""``math.fsum`` of the operands."""

fsum_of = defop(
    "math.fsum_of",
    infer=_infer_sequences("math.fsum"),
    kernel=math.fsum,
    effects=conversion_effects,
    samples=lambda _: [((items,), {}) for items in (*_ARRAYS, *_LISTS)],
)
"""``math.fsum(x)`` of a list or an array of rank 1."""


def fsum(seq: Any, /) -> Any:
    """``math.fsum(seq)``."""
    if isinstance(seq, tuple | list):
        return apply_function(fsum_, *seq)
    if isinstance(seq, Value):
        return emit(fsum_of, seq)
    raise refusal("math.fsum", seq)


# --- dist -----------------------------------------------------------------------------------------


def _dist(*coordinates: Any, count: int) -> float:
    return math.dist(coordinates[:count], coordinates[count:])


dist_ = defop(
    "math.dist",
    infer=_infer_items("math.dist"),
    kernel=_dist,
    effects=conversion_effects,
    samples=lambda _: [(_ITEMS, {"count": 3}), ((1, np.int8(3)), {"count": 1})],
)
"""``math.dist(p, q)``; the operands are the coordinates, of which the first ``count`` are ``p``."""

dist_of = defop(
    "math.dist_of",
    infer=_infer_sequences("math.dist"),
    kernel=math.dist,
    effects=conversion_effects,
    samples=lambda _: [(_ARRAYS[:2], {}), (_ARRAYS[1:], {})],
)
"""``math.dist(p, q)`` of two arrays of rank 1."""


def dist(p: Any, q: Any, /) -> Any:
    """``math.dist(p, q)`` of two tuples or lists, or of two arrays."""
    if isinstance(p, tuple | list) and isinstance(q, tuple | list):
        return apply_function(dist_, *p, *q, count=len(p))
    if isinstance(p, Value) and isinstance(q, Value):
        return emit(dist_of, p, q)
    raise refusal("math.dist", p, q)


# --- prod -----------------------------------------------------------------------------------------


def _infer_prod(sequence: Type, start: Type) -> Type:
    item = _item_type("math.prod", sequence)
    (found,) = probe("math.prod()", lambda x, y: math.prod([x], start=y), (item, start), {})
    dims = sequence.dims if isinstance(sequence, TensorType) else (0,)
    if found == start or (isinstance(dims[0], int) and dims[0] > 0):
        return found
    joined: dict[str, Any] = {str(type_): type_ for type_ in (found, start)}
    return UnionType(tuple(joined[name] for name in sorted(joined)))


prod_of = defop(
    "math.prod_of",
    infer=_infer_prod,
    kernel=lambda sequence, start: math.prod(sequence, start=start),
    effects=conversion_effects,
    samples=lambda _: [((items, start), {}) for items in (*_ARRAYS, *_LISTS) for start in (1, 2.5)],
)
"""``math.prod(x, start=…)`` of a list or an array of rank 1: ``start`` itself if it is empty."""


def prod(iterable: Any, /, *, start: Any = 1) -> Any:
    """``math.prod(iterable, start=start)``."""
    if isinstance(iterable, Value):
        return emit(prod_of, iterable, start)
    if not isinstance(iterable, tuple | list | range):
        raise refusal("math.prod", iterable)
    total = start
    for item in iterable:
        total = binary("*", total, item)
    return total


ADAPTERS: dict[Any, Callable[..., Any]] = {math.fsum: fsum, math.dist: dist, math.prod: prod}
"""The adapter of each function, by the function itself."""
