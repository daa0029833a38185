"""Reading elements, rows, slices and selections: ``x[...]``.

In: an array, and an index whose structure is known while compiling. Out: what NumPy gives: a NumPy
scalar where every axis gets an integer, else an array, which is a view unless an array selects. The
attribute ``spec`` is the structure, one entry for each part of the index:

    3                       an integer                 "value"      an operand: an integer
    (1, None, "value")      a slice, its parts being None, an integer, or "value" for an operand
    "newaxis"   "ellipsis"                             "array"      an operand: integers or a mask,
                                                                    as array, list or single bool
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import (
    BOOL,
    UNKNOWN,
    Dim,
    ListType,
    ScalarType,
    TensorType,
    Type,
    array_type,
    dims_of,
    members_of,
)
from staticpy.ops.nested import strong_dtype
from staticpy.ops.opdef import Attrs, Effect, defop
from staticpy.ops.promote import broadcast_dims

Slice = tuple[int | str | None, int | str | None, int | str | None]
Entry = int | str | Slice
Spec = tuple[Entry, ...]


def is_mask(type_: Type) -> bool:
    """Whether an array operand is a mask: bools, be it a single one."""
    if isinstance(type_, ListType):
        items = members_of(type_.item)
        return all(each == BOOL or each == ScalarType(np.dtype(bool)) for each in items)
    return strong_dtype(type_).kind == "b"


def _is_fancy(type_: Type) -> bool:
    """Whether an array operand selects; a 0-d integer array counts as an integer."""
    return bool(dims_of(type_)) or isinstance(type_, ListType) or is_mask(type_)


def consumed(entry: Entry, operand: Type | None) -> int:
    """How many axes of the array an entry of the spec takes."""
    if entry in ("newaxis", "ellipsis"):
        return 0
    if entry == "array" and operand is not None and is_mask(operand):
        return 1 if isinstance(operand, ListType) else len(dims_of(operand))
    return 1


def with_operands(spec: Spec, operands: Sequence[Type]) -> Iterator[tuple[Entry, Type | None]]:
    """Each entry of ``spec`` with the type of its array or integer operand."""
    types = iter(operands)
    for entry in spec:
        if entry in ("value", "array"):
            yield entry, next(types)
            continue
        if isinstance(entry, tuple):
            for part in entry:
                if part == "value":
                    next(types)
        yield entry, None


def slice_dim(size: Dim, part: Slice) -> Dim:
    """The size of a slice of an axis, where it is known."""
    start, stop, step = part
    if stop is None and step in (None, 1) and start in (None, 0):
        return size
    if start is None and stop is None and step == -1:
        return size
    if not isinstance(size, int) or "value" in part:
        return UNKNOWN
    return len(range(*slice(start, stop, step).indices(size)))


@lru_cache(maxsize=4096)
def index_type(operand: Type, *more: Type, spec: Spec) -> Type:
    """The type of ``operand[...]``.

    Raises:
        DiagnosticError: it has fewer axes than are indexed.
    """
    entries = list(with_operands(spec, more))
    rank = len(dims_of(operand))
    taken = sum(consumed(*entry) for entry in entries)
    if taken > rank:
        reason = f"{taken} axes are indexed, and {operand} has {rank}"
        raise DiagnosticError(catalog.INVALID_ARRAY_CALL, function="x[...]", reason=reason)
    if "ellipsis" not in spec:
        entries.append(("ellipsis", None))
    selects = any(type_ is not None and _is_fancy(type_) for _, type_ in entries)
    dims, selected, position = _walk(dims_of(operand), entries, rank - taken, selects)
    dtype = strong_dtype(operand)
    if selects:
        return TensorType(dtype, (*dims[:position], *selected, *dims[position:]))
    return TensorType(dtype, tuple(dims)) if "ellipsis" in spec else array_type(dtype, dims)


def _walk(
    source: tuple[Dim, ...], entries: list[tuple[Entry, Type | None]], rest: int, selects: bool
) -> tuple[list[Dim], tuple[Dim, ...], int]:
    """The sizes of the axes that stay, those of the selection, and where the latter go.

    Next to an array, integers take part in the selection; its axes stand where its parts stand
    if these are neighbours, and first otherwise.
    """
    dims: list[Dim] = []
    shapes: list[tuple[Dim, ...]] = []
    places: list[int] = []
    axis = 0
    for number, (entry, type_) in enumerate(entries):
        if entry == "newaxis":
            dims.append(1)
        elif entry == "ellipsis":
            dims.extend(source[axis : axis + rest])
            axis += rest
        elif isinstance(entry, tuple):
            dims.append(slice_dim(source[axis], entry))
            axis += 1
        else:
            shapes.append(_selection_dims(type_))
            places += [number] if places else [number, len(dims)]
            axis += consumed(entry, type_)
    if not selects:
        return dims, (), 0
    numbers = [places[0], *places[2:]]
    neighbours = numbers[-1] - numbers[0] == len(numbers) - 1
    return dims, broadcast_dims(*shapes), places[1] if neighbours else 0


def _selection_dims(type_: Type | None) -> tuple[Dim, ...]:
    if type_ is None or not _is_fancy(type_):
        return ()
    is_counted = isinstance(type_, ListType) or is_mask(type_)
    return (UNKNOWN,) if is_counted else dims_of(type_)


def key_of(spec: Spec, operands: Sequence[Any]) -> tuple[Any, ...]:
    """The index itself, as Python would pass it to ``x[...]``."""
    rest = iter(operands)

    def part(entry: Any) -> Any:
        if entry in ("value", "array"):
            return next(rest)
        return {"newaxis": None, "ellipsis": ...}.get(entry, entry)

    return tuple(
        slice(*map(part, entry)) if isinstance(entry, tuple) else part(entry) for entry in spec
    )


def _index(operand: Any, *more: Any, spec: Spec) -> Any:
    return operand[key_of(spec, more)]


def _index_effects(operands: Sequence[Type], attrs: Attrs) -> Effect:
    """IndexError out of bounds; ValueError where the step of a slice is zero."""
    source = dims_of(operands[0])
    axis = 0
    for entry in attrs["spec"]:
        if entry in ("value", "array"):
            return Effect.RAISES
        if entry == "ellipsis":
            axis = len(source) - _taken_after(attrs["spec"])
        elif isinstance(entry, tuple):
            if entry[2] == "value":
                return Effect.RAISES
            axis += 1
        elif entry != "newaxis":
            size = source[axis]
            if not isinstance(size, int) or not -size <= entry < size:
                return Effect.RAISES
            axis += 1
    return Effect.NONE


def _taken_after(spec: Spec) -> int:
    return sum(consumed(entry, None) for entry in spec[spec.index("ellipsis") :])


def _index_samples(rng: np.random.Generator) -> Any:
    x = rng.random((4, 3, 5))
    picks = np.array([0, 2, 1])
    yield (x,), {"spec": (1, -1, 0)}
    yield (x,), {"spec": (1,)}
    yield (x, 2, np.int8(1)), {"spec": ("value", (None, None, None), "value")}
    yield (x, 3), {"spec": ((0, "value", 2), "newaxis", "ellipsis", 1)}
    yield (x,), {"spec": (1, 1, 1, "ellipsis")}
    yield (x, picks), {"spec": ("array",)}
    yield (x, picks, picks), {"spec": ("array", (None, None, None), "array")}
    yield (x, picks), {"spec": ((None, None, None), "array", 1)}
    yield (x, x > 0.5), {"spec": ("array",)}
    yield (x, x[:, 0, 0] > 0.5), {"spec": ("array", (None, None, -1))}
    yield (x, np.array(1)), {"spec": ("array",)}
    yield (x, True), {"spec": ("array", 0)}
    yield (x, np.bool_(False)), {"spec": ((None, None, None), "array")}
    yield (np.array(2.5),), {"spec": ("ellipsis",)}
    yield (np.array(2.5),), {"spec": ()}
    yield (np.float32(2.5),), {"spec": ("newaxis",)}


index = defop(
    "index",
    infer=index_type,
    kernel=_index,
    effects=_index_effects,
    view=True,
    samples=_index_samples,
)
"""``x[...]``: operand 0 is the array, the others fill the ``"value"`` and ``"array"`` places of
``spec``."""


# --- unpacking ------------------------------------------------------------------------------------


def _infer_unpack(operand: Type, *, count: int) -> tuple[Type, ...]:
    if not isinstance(operand, TensorType) or operand.rank == 0:
        raise DiagnosticError(catalog.NOT_ITERABLE, type=str(operand))
    item: ScalarType | TensorType = array_type(operand.dtype, operand.dims[1:])
    return (item,) * count


def _unpack(operand: Any, *, count: int) -> tuple[Any, ...]:
    length = len(operand)
    if length > count:
        raise ValueError(f"too many values to unpack (expected {count})")
    if length < count:
        raise ValueError(f"not enough values to unpack (expected {count}, got {length})")
    return tuple(operand)


def _unpack_effects(operands: Sequence[Type], attrs: Attrs) -> Effect:
    known = dims_of(operands[0])[0] == attrs["count"]
    return Effect.NONE if known else Effect.RAISES


unpack = defop(
    "unpack",
    infer=_infer_unpack,
    kernel=_unpack,
    effects=_unpack_effects,
    view=True,
    samples=lambda rng: [
        ((rng.random((2, 3)),), {"count": 2}),
        ((rng.random(3),), {"count": 3}),
        ((rng.random(1),), {"count": 1}),
    ],
)
"""``a, b = x``: the items along the first axis; ValueError if there are not ``count`` of them."""
