"""New arrays made of the elements of others: ``roll``, ``repeat``, ``tile``, ``pad``, ``tril``,
``meshgrid``.

In: an array. Out: a new array.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import UNKNOWN, TensorType, Type, Value, dims_of
from staticpy.ops.apply import emit
from staticpy.ops.arguments import (
    adapter,
    axis_of_many,
    is_int_type,
    needs_static,
    static_axis,
    static_bool,
    static_dtype,
    static_int,
    static_text,
)
from staticpy.ops.calls import into
from staticpy.ops.create import copy as copy_op
from staticpy.ops.nested import as_array, as_numpy, as_operand, strong_dtype
from staticpy.ops.opdef import Attrs, Effect, defop
from staticpy.ops.probed import Dims, plus, probed_op, same_dims, times
from staticpy.ops.promote import broadcast_arrays, broadcast_together
from staticpy.ops.shape import ravel, reshape

_NOTHING: Any = ...


def _refuse(function: str, reason: str) -> DiagnosticError:
    return DiagnosticError(catalog.INVALID_ARRAY_CALL, function=function, reason=reason)


# --- roll, repeat, tile ---------------------------------------------------------------------------


def _roll(operand: Any, *shifts: Any, axis: int | tuple[int, ...] | None = None) -> Any:
    return np.roll(operand, shifts if len(shifts) > 1 else shifts[0], axis)


roll_op = probed_op(
    "roll",
    _roll,
    same_dims,
    lambda rng: [
        ((rng.random((2, 3)), 2), {}),
        ((rng.random((2, 3)), -1), {"axis": 1}),
        ((rng.random((2, 3)), 1, 2), {"axis": (0, 1)}),
    ],
    effects=Effect.RAISES,
)
"""``np.roll(x, shift, axis)``; several shifts are operands, one by one."""


@adapter("roll")
def roll(a: Any, shift: Any, axis: Any = None) -> Any:
    """``np.roll``."""
    function = "np.roll()"
    value = as_array(a, function)
    shifts = list(shift) if isinstance(shift, tuple | list) else [shift]
    for each in shifts:
        if isinstance(each, Value) and not is_int_type(each.type):
            raise _refuse(function, f"'shift' must be made of ints, not {each.type}")
    axes, rank = axis, len(dims_of(value.type))
    if isinstance(axis, tuple | list):  # one that stands twice is rolled by the sum
        axes = tuple(_rolled_axis(each, rank) for each in axis)
    elif axis is not None:
        axes = _rolled_axis(axis, rank)
    given = [
        each if isinstance(each, Value) else static_int(each, function, "shift") for each in shifts
    ]
    return emit(roll_op, value, *given, **({} if axes is None else {"axis": axes}))


def _rolled_axis(axis: Any, rank: int) -> int:
    """One axis; NumPy takes it as an index, and so False and True."""
    return static_axis(int(axis) if isinstance(axis, bool) else axis, rank, "np.roll()")


def _repeat_dims(operands: Sequence[Type], attrs: Attrs) -> Dims:
    dims, axis = dims_of(operands[0]), attrs.get("axis")
    count = attrs.get("count")
    if axis is None:
        return (times(dims[0], count) if count is not None and len(dims) == 1 else UNKNOWN,)
    size = UNKNOWN if count is None else times(dims[axis], count)
    return (*dims[:axis], size, *dims[axis + 1 :])


def _repeat(operand: Any, *repeats: Any, count: int | None = None, **attrs: Any) -> Any:
    return np.repeat(operand, repeats[0] if count is None else count, **attrs)


repeat_op = probed_op(
    "repeat",
    _repeat,
    _repeat_dims,
    lambda rng: [
        ((rng.random(3),), {"count": 2}),
        ((rng.random((2, 3)),), {"count": 2, "axis": 1}),
        ((rng.random(3), np.array([2, 0, 1])), {}),
        ((rng.random((2, 3)), 3), {"axis": 0}),
    ],
    effects=Effect.RAISES,
)
"""``np.repeat(x, repeats, axis)``; ``repeats`` is an operand, or the attribute ``count``."""


@adapter("repeat")
def repeat(a: Any, repeats: Any, axis: Any = None) -> Any:
    """``np.repeat`` and ``a.repeat``."""
    function = "np.repeat()"
    value = as_numpy(a, function)
    attrs = axis_of_many(axis, len(dims_of(value.type)), function)
    if isinstance(repeats, Value | tuple | list):
        return emit(repeat_op, value, as_operand(repeats, function), **attrs)
    count = static_int(repeats, function, "repeats")
    if count < 0:
        raise _refuse(function, f"an array can't be repeated {count} times")
    return emit(repeat_op, value, count=count, **attrs)


def _tile(operand: Any, *more: Any, reps: tuple[int | None, ...]) -> Any:
    given = iter(more)
    return np.tile(operand, tuple(next(given) if each is None else each for each in reps))


def _tile_dims(operands: Sequence[Type], attrs: Attrs) -> Dims:
    dims, reps = dims_of(operands[0]), attrs["reps"]
    rank = max(len(dims), len(reps))
    sizes = (1,) * (rank - len(dims)) + dims
    counts = (1,) * (rank - len(reps)) + reps
    return tuple(
        UNKNOWN if count is None else times(size, count)
        for size, count in zip(sizes, counts, strict=True)
    )


tile_op = probed_op(
    "tile",
    _tile,
    _tile_dims,
    lambda rng: [
        ((rng.random(3),), {"reps": (2,)}),
        ((rng.random(3), 2), {"reps": (None, 2)}),
        ((rng.random((2, 3)),), {"reps": (2,)}),
        ((np.float32(2),), {"reps": (2, 1)}),
    ],
    effects=Effect.RAISES,
)
"""``np.tile(x, reps)``, with None in ``reps`` for each number that comes as an operand."""


@adapter("tile")
def tile(A: Any, reps: Any) -> Any:  # noqa: N803
    """``np.tile``."""
    function = "np.tile()"
    given = list(reps) if isinstance(reps, tuple | list) else [reps]
    operands = [each for each in given if isinstance(each, Value)]
    for each in operands:
        if not is_int_type(each.type):
            raise _refuse(function, f"'reps' must be made of ints, not {each.type}")
    counts = tuple(
        None if isinstance(each, Value) else static_int(each, function, "reps") for each in given
    )
    if any(count is not None and count < 0 for count in counts):
        raise _refuse(function, "negative sizes are not allowed")
    return emit(tile_op, as_array(A, function), *operands, reps=counts)


# --- triangles and traces -------------------------------------------------------------------------


def _triangle_dims(operands: Sequence[Type], _attrs: Attrs) -> Dims:
    dims = dims_of(operands[0])
    return dims * 2 if len(dims) == 1 else dims


def _triangle_samples(rng: np.random.Generator) -> Any:
    yield (rng.random((3, 3)),), {}
    yield (rng.random((2, 3, 4)),), {"k": -1}
    yield (rng.random(3),), {"k": 1}


tril_op = probed_op("tril", np.tril, _triangle_dims, _triangle_samples, numpy="tril")
triu_op = probed_op("triu", np.triu, _triangle_dims, _triangle_samples, numpy="triu")
"""``np.triu(x, k)``."""


@adapter("tril")
def tril(m: Any, k: Any = 0) -> Any:
    """``np.tril``."""
    diagonal = static_int(k, "np.tril()", "k")
    return emit(tril_op, as_array(m, "np.tril()"), **({"k": diagonal} if diagonal else {}))


@adapter("triu")
def triu(m: Any, k: Any = 0) -> Any:
    """``np.triu``."""
    diagonal = static_int(k, "np.triu()", "k")
    return emit(triu_op, as_array(m, "np.triu()"), **({"k": diagonal} if diagonal else {}))


def _trace_dims(operands: Sequence[Type], attrs: Attrs) -> Dims:
    axes = (attrs.get("axis1", 0), attrs.get("axis2", 1))
    return tuple(dim for axis, dim in enumerate(dims_of(operands[0])) if axis not in axes)


trace_op = probed_op(
    "trace",
    np.trace,
    _trace_dims,
    lambda rng: [
        ((rng.random((3, 3)),), {}),
        ((rng.integers(0, 9, (3, 4)).astype("i1"),), {"offset": 1}),
        ((rng.random((2, 3, 4)),), {"axis1": 1, "axis2": 2}),
    ],
    effects=Effect.WARNS,
    numpy="trace",
)
"""``np.trace(x, offset, axis1, axis2)``."""


@adapter("trace")
def trace(
    a: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1, dtype: Any = None, out: Any = None
) -> Any:
    """``np.trace`` and ``a.trace``."""
    function = "np.trace()"
    value = as_numpy(a, function)
    rank = len(dims_of(value.type))
    if rank < 2:
        raise _refuse(function, "it takes an array of at least two axes")
    attrs: dict[str, Any] = {}
    if static_int(offset, function, "offset"):
        attrs["offset"] = static_int(offset, function, "offset")
    for name, axis, default in (("axis1", axis1, 0), ("axis2", axis2, 1)):
        place = static_axis(axis, rank, function)
        attrs |= {} if place == default else {name: place}
    wanted = static_dtype(dtype, function)
    attrs |= {} if wanted is None else {"dtype": wanted}
    return emit(trace_op, value, **attrs) if out is None else into(out, "trace", value, **attrs)


# --- pad ------------------------------------------------------------------------------------------


Widths = tuple[tuple[int, int], ...]


def _pad(
    operand: Any, *values: Any, pad_width: Widths, mode: Any = "constant", **options: Any
) -> Any:
    named = {"constant_values": values[0]} if values else {}
    return np.pad(operand, pad_width, mode, **named, **options)


def _infer_pad(operand: Type, *_: Type, pad_width: Widths, **_attrs: Any) -> Type:
    rows = zip(dims_of(operand), pad_width, strict=True)
    dims = tuple(plus(size, before + after) for size, (before, after) in rows)
    return TensorType(strong_dtype(operand), dims)


pad_op = defop(
    "pad",
    infer=_infer_pad,
    kernel=_pad,
    effects=Effect.RAISES,
    samples=lambda rng: [
        ((rng.random((2, 3)),), {"pad_width": ((1, 0), (2, 2))}),
        ((rng.random(3), 7), {"pad_width": ((1, 1),)}),
        ((rng.random(3),), {"pad_width": ((2, 1),), "mode": "edge"}),
        ((rng.random(3),), {"pad_width": ((2, 1),), "mode": "linear_ramp", "end_values": 2}),
        ((rng.random((2, 3)),), {"pad_width": ((2, 1), (0, 1)), "mode": "mean", "stat_length": 2}),
    ],
)
"""``np.pad(x, pad_width, mode, constant_values)``; ``constant_values`` is an operand, if there. The
other options of a mode are attributes."""


def _widths(pad_width: Any, rank: int) -> Widths:
    function = "np.pad()"

    def number(each: Any) -> int:
        return static_int(each, function, "pad_width")

    if isinstance(pad_width, dict):
        pad_width = _widths_by_axis(pad_width, rank)
    if not isinstance(pad_width, tuple | list):
        return ((number(pad_width), number(pad_width)),) * rank
    if not any(isinstance(each, tuple | list) for each in pad_width):
        pad_width = (pad_width,)
    rows = [tuple(map(number, each)) for each in pad_width]
    pairs = [row * 2 if len(row) == 1 else row for row in rows]
    if any(len(pair) != 2 for pair in pairs) or len(pairs) not in (1, rank):
        raise _refuse(function, f"'pad_width' does not fit an array of {rank} axes")
    if any(width < 0 for pair in pairs for width in pair):
        raise _refuse(function, "'pad_width' can't contain negative values")
    found = pairs * rank if len(pairs) == 1 else pairs
    return tuple((before, after) for before, after in found)


def _widths_by_axis(given: dict[Any, Any], rank: int) -> list[Any]:
    """``{axis: width}`` as a pair for each axis; those that are not named get nothing."""
    found: list[Any] = [(0, 0)] * rank
    for axis, width in given.items():
        at = static_axis(axis, rank, "np.pad()")
        found[at] = width if isinstance(width, tuple | list) else (width, width)
        if len(found[at]) != 2:
            raise _refuse("np.pad()", f"the width of axis {axis} must be a number or a pair")
    return found


def _known_option(value: Any, name: str) -> Any:
    """An option of a mode: text, numbers, or tuples of numbers, known while compiling."""
    if isinstance(value, tuple | list):
        return tuple(_known_option(each, name) for each in value)
    if type(value) not in (int, float, str):
        raise needs_static("np.pad()", name)
    return value


@adapter("pad")
def pad(  # noqa: PLR0913
    array: Any,
    pad_width: Any,
    mode: Any = "constant",
    *,
    constant_values: Any = 0,
    end_values: Any = None,
    stat_length: Any = None,
    reflect_type: Any = None,
) -> Any:
    """``np.pad``."""
    function = "np.pad()"
    value = as_array(array, function)
    rank = len(dims_of(value.type))
    options = {
        "end_values": end_values, "stat_length": stat_length, "reflect_type": reflect_type,
    }  # fmt: skip
    attrs: dict[str, Any] = {"pad_width": _widths(pad_width, rank)}
    attrs |= {k: _known_option(v, k) for k, v in options.items() if v is not None}
    if rank == 0:  # there is nothing beside its element
        return emit(copy_op, value, order="C")
    if static_text(mode, function, "mode") != "constant":
        attrs["mode"] = mode
    if constant_values == 0 and type(constant_values) is int:
        return emit(pad_op, value, **attrs)
    if mode != "constant":
        raise _refuse(function, f"'constant_values' has no meaning for mode {mode!r}")
    return emit(pad_op, value, as_operand(constant_values, function), **attrs)


# --- meshgrid -------------------------------------------------------------------------------------


def _infer_meshgrid(*operands: Type, indexing: str = "xy", sparse: bool = False) -> Any:
    sizes = [dims_of(operand)[0] if dims_of(operand) else 1 for operand in operands]
    order = list(range(len(sizes)))
    if indexing == "xy" and len(sizes) > 1:
        order[:2] = [1, 0]
    full = tuple(sizes[at] for at in order)
    shapes = (
        tuple(size if not sparse or order[axis] == at else 1 for axis, size in enumerate(full))
        for at in range(len(sizes))
    )
    return tuple(TensorType(strong_dtype(x), s) for x, s in zip(operands, shapes, strict=True))


meshgrid_op = defop(
    "meshgrid",
    infer=_infer_meshgrid,
    kernel=lambda *operands, **attrs: tuple(np.meshgrid(*operands, **attrs)),
    samples=lambda rng: [
        ((rng.random(2), np.arange(3)), {}),
        ((rng.random(2), np.arange(3), rng.random(4)), {"indexing": "ij"}),
        ((rng.random(2), np.arange(3)), {"sparse": True}),
    ],
)
"""``np.meshgrid(*x, indexing, sparse)``: copies."""


_SPARSE_VIEWS: type = type(np.meshgrid(0, sparse=True, copy=False))
"""What sparse views come in: a list, from NumPy 2.5 on a tuple."""


def _along(value: Value, axis: int, rank: int) -> Value:
    """All elements along one of ``rank`` axes."""
    sizes = (1,) * axis + (-1,) + (1,) * (rank - axis - 1)
    return emit(reshape, value, shape=sizes)  # type: ignore[no-any-return]


def _grid_of_views(values: list[Value], indexing: str, *, sparse: bool) -> Any:
    """``np.meshgrid(*x, copy=False)``: views of the arrays."""
    rank = len(values)
    rows = [_along(value, axis, rank) for axis, value in enumerate(values)]
    if indexing == "xy" and rank > 1:
        rows[:2] = _along(rows[0], 1, rank), _along(rows[1], 0, rank)
    if sparse:
        return _SPARSE_VIEWS(rows)
    return tuple(broadcast_together(rows, broadcast_arrays)) if rows else ()


@adapter("meshgrid")
def meshgrid(
    *xi: Any, copy: Any = True, sparse: Any = False, indexing: Any = "xy"
) -> tuple[Any, ...] | list[Any]:
    """``np.meshgrid``: NumPy flattens what has several axes."""
    function = "np.meshgrid()"
    values = [as_array(each, function) for each in xi]
    if static_text(indexing, function, "indexing") not in ("xy", "ij"):
        raise _refuse(function, "'indexing' must be 'xy' or 'ij'")
    if not static_bool(copy, function, "copy"):
        is_sparse = static_bool(sparse, function, "sparse")
        return _grid_of_views(values, indexing, sparse=is_sparse)  # type: ignore[no-any-return]
    rows = [emit(ravel, v) if len(dims_of(v.type)) > 1 else v for v in values]
    attrs = {} if indexing == "xy" else {"indexing": indexing}
    attrs |= {"sparse": True} if static_bool(sparse, function, "sparse") else {}
    if not rows:
        return ()
    if len(rows) == 1:
        row = rows[0]
        flat = row if dims_of(row.type) else emit(ravel, row)
        return (emit(copy_op, flat, order="C"),)
    return tuple(emit(meshgrid_op, *rows, **attrs))


ADAPTERS: dict[str, Callable[..., Any]] = {
    "roll": roll,
    "repeat": repeat,
    "tile": tile,
    "tril": tril,
    "triu": triu,
    "trace": trace,
    "pad": pad,
    "meshgrid": meshgrid,
}
"""The functions by NumPy's name."""

METHODS: dict[str, Callable[..., Any]] = {"repeat": repeat, "trace": trace}
"""The methods of arrays and NumPy scalars."""
