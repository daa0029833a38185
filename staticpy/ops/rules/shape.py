"""Rules of ops that move elements: reshaping, joining, splitting, repeating.

All of them are linear, so that the tangent of the result is the op applied to the tangents.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from staticpy.ops.rules.arrays import (
    along,
    conj,
    fit,
    made,
    places,
    refuse,
    refuse_sequences,
    scatter_at,
    shape,
)
from staticpy.ops.rules.base import (
    NoDerivativeError,
    add_up,
    call,
    defrule,
    flat,
    flows,
    linear,
    rank_of,
    reapply,
    sum_to,
    wants,
    zeros_like,
)

flat("dim")


def _back(g: Any, x: Any, order: Any = "C") -> Any:
    """A cotangent in the shape of ``x``."""
    return fit(np.reshape(g, shape(x), order=order), x)


def _known_order(function: str, order: Any) -> str:
    """An order of elements that depends on their places only, and not on those in memory."""
    if order not in ("C", "F"):
        raise refuse(function, "order")
    return str(order)


# --- one array in another shape -------------------------------------------------------------------


def _reshape_vjp(g: Any, _out: Any, x: Any, *sizes: Any, order: str = "C", **_: Any) -> Any:
    return (_back(g, x, _known_order("np.reshape()", order)), *(None,) * len(sizes))


def _reshape_jvp(
    tangents: Any, _out: Any, _x: Any, *sizes: Any, order: str = "C", **attrs: Any
) -> Any:
    _known_order("np.reshape()", order)
    return reapply("reshape", tangents[0], *sizes, order=order, **attrs)


def _ravel_vjp(g: Any, _out: Any, x: Any, *, order: str = "C") -> Any:
    return (_back(g, x, _known_order("np.ravel()", order)),)


def _ravel_jvp(tangents: Any, _out: Any, x: Any, *, order: str = "C") -> Any:
    return reapply("ravel", tangents[0], order=_known_order("np.ravel()", order))


def _transpose_vjp(g: Any, _out: Any, _x: Any, *, axes: tuple[int, ...]) -> Any:
    return (np.transpose(g, np.argsort(axes).tolist()) if axes else g,)


def _expand_dims_vjp(g: Any, _out: Any, x: Any, *, axis: int | tuple[int, ...]) -> Any:
    return (fit(np.squeeze(g, axis), x),)


def _squeeze_vjp(g: Any, _out: Any, _x: Any, *, axis: tuple[int, ...]) -> Any:
    return (np.expand_dims(g, axis) if axis else g,)


def _broadcast_to_vjp(g: Any, _out: Any, x: Any, *sizes: Any, **_: Any) -> Any:
    return (fit(sum_to(g, x), x), *(None,) * len(sizes))


def _broadcast_to_jvp(tangents: Any, _out: Any, _x: Any, *sizes: Any, **attrs: Any) -> Any:
    return reapply("broadcast_to", tangents[0], *sizes, **attrs)


def _same(g: Any, _out: Any, x: Any, **_: Any) -> Any:
    return (_back(g, x) if rank_of(g) != rank_of(x) else fit(g, x),)


_PAIRS = ({"float64", "complex128"}, {"float32", "complex64"})
"""Dtypes of which one has the numbers of the other in pairs."""


def _in_pairs(x: Any, dtype: Any) -> bool:
    """Whether a view has the same numbers as pairs, or the other way round."""
    names = {np.dtype(x.dtype).name, np.dtype(x.dtype if dtype is None else dtype).name}
    if len(names) > 1 and names not in _PAIRS:
        raise NoDerivativeError("the bits of numbers as other numbers have no derivative")
    return len(names) > 1


def _view_vjp(g: Any, _out: Any, x: Any, *, dtype: Any = None) -> Any:
    """Of a pair ``a + bi`` the cotangent is that of ``a``, minus ``i`` times that of ``b``."""
    if not _in_pairs(x, dtype):
        return (g,)
    found = made(g, np.ascontiguousarray, conj(g)).view(x.dtype)
    return (conj(found),)


def _view_jvp(tangents: Any, _out: Any, x: Any, **attrs: Any) -> Any:
    t = tangents[0]
    is_view = _in_pairs(x, attrs.get("dtype"))
    return reapply("view", made(t, np.ascontiguousarray, t) if is_view else t, **attrs)


defrule("view", _view_vjp, _view_jvp)
defrule("reshape", _reshape_vjp, _reshape_jvp)
defrule("ravel", _ravel_vjp, _ravel_jvp)
defrule("flatten", _ravel_vjp, _ravel_jvp)
linear("transpose", _transpose_vjp)
linear("expand_dims", _expand_dims_vjp)
linear("squeeze", _squeeze_vjp)
defrule("broadcast_to", _broadcast_to_vjp, _broadcast_to_jvp)
for _name in ("copy", "unwritten", "ascontiguousarray", "asfortranarray", "tensor.new"):
    linear(_name, _same)


# --- rolled, repeated, tiled ----------------------------------------------------------------------


def _roll_vjp(g: Any, _out: Any, x: Any, *shifts: Any, axis: Any = None) -> Any:
    back = tuple(-each if type(each) is int else 0 - call(int, each) for each in shifts)
    found = np.roll(g, back if len(back) > 1 else back[0], axis=axis)
    return (fit(found, x), *(None,) * len(shifts))


def _roll_jvp(tangents: Any, _out: Any, _x: Any, *shifts: Any, **attrs: Any) -> Any:
    return reapply("roll", tangents[0], *shifts, **attrs)


def _repeat_vjp(
    g: Any, _out: Any, x: Any, *repeats: Any, count: int | None = None, axis: int | None = None
) -> Any:
    place = axis if axis is not None and rank_of(x) else 0
    row = x if axis is not None and rank_of(x) else np.ravel(x)
    sizes = shape(row)
    if count is not None:
        parts = np.reshape(g, (*sizes[: place + 1], count, *sizes[place + 1 :]))
        found = np.sum(parts, axis=place + 1)
    else:
        sources = np.repeat(places(row, place), repeats[0])
        found = scatter_at(g, row, along(place, sources))
    return (found if row is x else _back(found, x), *(None,) * len(repeats))


def _repeat_jvp(tangents: Any, _out: Any, _x: Any, *repeats: Any, **attrs: Any) -> Any:
    return reapply("repeat", tangents[0], *repeats, **attrs)


def _tile_vjp(g: Any, _out: Any, x: Any, *more: Any, reps: tuple[int | None, ...]) -> Any:
    given = iter(more)
    counts = [next(given) if each is None else each for each in reps]
    size = max(len(counts), rank_of(x))
    counts = [1] * (size - len(counts)) + counts
    sizes = [1] * (size - rank_of(x)) + list(shape(x))
    parts = np.reshape(g, [each for pair in zip(counts, sizes, strict=True) for each in pair])
    return (_back(np.sum(parts, axis=tuple(range(0, 2 * size, 2))), x), *(None,) * len(more))


def _tile_jvp(tangents: Any, _out: Any, _x: Any, *more: Any, **attrs: Any) -> Any:
    return reapply("tile", tangents[0], *more, **attrs)


defrule("roll", _roll_vjp, _roll_jvp)
defrule("repeat", _repeat_vjp, _repeat_jvp)
defrule("tile", _tile_vjp, _tile_jvp)


# --- triangles and diagonals ----------------------------------------------------------------------


def _tril_vjp(g: Any, _out: Any, x: Any, *, k: int = 0) -> Any:
    found = np.tril(g, k)
    return (np.sum(found, axis=0) if rank_of(x) == 1 else found,)


def _triu_vjp(g: Any, _out: Any, x: Any, *, k: int = 0) -> Any:
    found = np.triu(g, k)
    return (np.sum(found, axis=0) if rank_of(x) == 1 else found,)


def scatter_diagonal(g: Any, x: Any, offset: int, axis1: int, axis2: int) -> Any:
    """Zeros like ``x`` with the last axis of ``g`` on a diagonal."""
    first, second = axis1 % rank_of(x), axis2 % rank_of(x)
    kept = [each for each in range(rank_of(x)) if each not in (first, second)]
    order = (*kept, first, second)
    moved = np.transpose(x, order) if order != tuple(range(rank_of(x))) else x
    numbers = places(g, -1)
    rows = numbers - offset if offset < 0 else numbers
    columns = numbers + offset if offset > 0 else numbers
    found = scatter_at(g, moved, (*(slice(None),) * len(kept), rows, columns))
    return np.transpose(found, np.argsort(order).tolist()) if moved is not x else found


def _diagonal_vjp(
    g: Any, _out: Any, x: Any, *, offset: int = 0, axis1: int = 0, axis2: int = 1
) -> Any:
    return (scatter_diagonal(g, x, offset, axis1, axis2),)


def _diag_vjp(g: Any, _out: Any, x: Any, *, k: int = 0) -> Any:
    return (np.diag(g, k) if rank_of(x) == 1 else scatter_diagonal(g, x, k, 0, 1),)


def _trace_vjp(
    g: Any, _out: Any, x: Any, *, offset: int = 0, axis1: int = 0, axis2: int = 1, **_: Any
) -> Any:
    like = np.diagonal(x, offset, axis1, axis2)
    spread = np.broadcast_to(g[..., None] if rank_of(g) else g, shape(like))
    return (fit(scatter_diagonal(spread, x, offset, axis1, axis2), x),)


linear("tril", _tril_vjp)
linear("triu", _triu_vjp)
linear("diagonal", _diagonal_vjp)
linear("diag", _diag_vjp)
linear("trace", _trace_vjp)


# --- several arrays -------------------------------------------------------------------------------


def _parts(g: Any, joined: Any, axis: int, operands: Any) -> Any:
    """What of ``g`` stands where each operand went along an axis; ``joined`` are the operands as
    they were joined.
    """
    start: Any = 0
    for each, x in zip(joined, operands, strict=True):
        stop = start + shape(each)[axis]
        part = g[along(axis, slice(start, stop))]
        yield fit(part if each is x else np.reshape(part, shape(x)), x)
        start = stop


def _concatenate_vjp(g: Any, _out: Any, *operands: Any, axis: int = 0, **_: Any) -> Any:
    return tuple(_parts(g, operands, axis, operands))


def _stack_vjp(g: Any, _out: Any, *operands: Any, axis: int = 0, **_: Any) -> Any:
    return tuple(fit(g[along(axis, at)], x) for at, x in enumerate(operands))


def filled(parts: Any, like: Any) -> list[Any]:
    """Cotangents of several results, with zeros for those that there are none of."""
    return [zeros_like(x) if g is None else g for g, x in zip(parts, like, strict=True)]


def _split_vjp(g: Any, out: Any, x: Any, *, axis: int = 0, **_: Any) -> Any:
    if not isinstance(out, tuple):
        return (fit(g, x),)
    return (np.concatenate(filled(g, out), axis=axis),)


def _split_jvp(tangents: Any, _out: Any, _x: Any, **attrs: Any) -> Any:
    return reapply("split", tangents[0], **attrs)


def _unpack_vjp(g: Any, out: Any, x: Any, **_: Any) -> Any:
    if not isinstance(out, tuple):
        g, out = (g,), (out,)
    return (fit(np.stack(filled(g, out)), x),)


def _unpack_jvp(tangents: Any, out: Any, _x: Any, **attrs: Any) -> Any:
    found = reapply("unpack", tangents[0], **attrs)
    return found if isinstance(out, tuple) or not isinstance(found, tuple) else found[0]


def _meshgrid_vjp(g: Any, _out: Any, *operands: Any, indexing: str = "xy", **_: Any) -> Any:
    found = []
    for at, (each, x) in enumerate(zip(g, operands, strict=True)):
        place = 1 - at if indexing == "xy" and at < 2 else at
        rest = tuple(axis for axis in range(len(operands)) if axis != place)
        found.append(None if each is None else _back(np.sum(each, axis=rest), x))
    return tuple(found)


def _meshgrid_jvp(tangents: Any, _out: Any, *operands: Any, **attrs: Any) -> Any:
    given = [x if t is None else t for t, x in zip(tangents, operands, strict=True)]
    found = reapply("meshgrid", *given, **attrs)
    return tuple(None if t is None else each for t, each in zip(tangents, found, strict=True))


def _array_vjp(g: Any, _out: Any, *operands: Any, shape: tuple[int, ...], **_: Any) -> Any:
    pairs = zip(np.ndindex(*shape), operands, strict=False)
    return tuple(fit(g[place] if place else g, x) for place, x in pairs)


linear("concatenate", _concatenate_vjp)
linear("stack", _stack_vjp)
defrule("split", _split_vjp, _split_jvp)
defrule("unpack", _unpack_vjp, _unpack_jvp)
defrule("meshgrid", _meshgrid_vjp, _meshgrid_jvp)
linear("array", _array_vjp)


def _diff_vjp(g: Any, _out: Any, x: Any, *, n: int = 1, axis: int = -1) -> Any:
    """A step back is minus the differences of ``g`` with a zero at both ends."""
    place = axis % rank_of(x)
    for level in reversed(range(n)):
        zero = zeros_like(x[along(place, slice(level, level + 1))])
        padded = np.concatenate([zero, g, zero], axis=place)
        g = padded[along(place, slice(None, -1))] - padded[along(place, slice(1, None))]
    return (fit(g, x),)


def _trick_vjp(g: Any, _out: Any, *operands: Any, function: str, spec: Any, **_: Any) -> Any:
    wanted = 1 if function == "r_" else 2
    if any(isinstance(entry, tuple) for entry in spec):  # slices: what they begin and end with
        if any(flows(x) and wants(x) for x in operands):
            raise refuse(f"np.{function}[]", "key")
        return (None,) * len(operands)
    refuse_sequences(f"np.{function}[]", operands)
    if any(rank_of(x) > wanted for x in operands):
        raise refuse(f"np.{function}[]", "key")
    if function == "r_":
        return tuple(_parts(g, [np.atleast_1d(x) for x in operands], 0, operands))
    columns = [x if rank_of(x) == 2 else np.reshape(x, (-1, 1)) for x in operands]
    return tuple(_parts(g, columns, 1, operands))


def _trick_jvp(tangents: Any, _out: Any, *operands: Any, function: str, **attrs: Any) -> Any:
    if any(isinstance(entry, tuple) for entry in attrs["spec"]):
        raise refuse(f"np.{function}[]", "key")
    pairs = zip(tangents, operands, strict=True)
    given = [zeros_like(x) if t is None else t for t, x in pairs]
    return reapply("numpy.trick", *given, function=function, **attrs)


linear("diff", _diff_vjp)
defrule("numpy.trick", _trick_vjp, _trick_jvp)


# --- arrays made of numbers -----------------------------------------------------------------------

flat("zeros", "ones", "zeros_like", "zeros_for", "ones_like", "eye")


def _steps(like: Any) -> Any:
    return np.cumsum(np.ones_like(like)) - 1


def _arange_vjp(g: Any, _out: Any, *operands: Any, **_: Any) -> Any:
    """Item ``i`` is ``start + i * step``; how many there are does not change by a little."""
    flowing = [g.sum(), None, (g * _steps(g)).sum()] if len(operands) > 1 else [None]
    return tuple(
        fit(item, operand) if item is not None and flows(operand) else None
        for item, operand in zip(flowing, operands, strict=False)
    )


def _arange_jvp(tangents: Any, out: Any, *operands: Any, **_: Any) -> Any:
    if len(operands) == 1:
        return None
    start, step = tangents[0], tangents[2] if len(tangents) > 2 else None
    terms = [None if start is None else np.ones_like(out) * start]
    terms.append(None if step is None else _steps(out) * step)
    return add_up([term for term in terms if term is not None])


defrule("arange", _arange_vjp, _arange_jvp)


def _full_vjp(g: Any, _out: Any, value: Any, *sizes: Any, **_: Any) -> Any:
    return (fit(sum_to(g, value), value), *(None,) * len(sizes))


def _full_jvp(tangents: Any, _out: Any, _value: Any, *sizes: Any, **attrs: Any) -> Any:
    return reapply("full", tangents[0], *sizes, **attrs)


def _full_like_vjp(g: Any, _out: Any, _x: Any, value: Any, *sizes: Any, **_: Any) -> Any:
    return None, fit(sum_to(g, value), value), *(None,) * len(sizes)


def _full_like_jvp(tangents: Any, _out: Any, x: Any, _value: Any, *sizes: Any, **attrs: Any) -> Any:
    t = tangents[1]
    return None if t is None else reapply("full_like", x, t, *sizes, **attrs)


def _linspace_vjp(
    g: Any, _out: Any, start: Any, stop: Any, *, num: int, endpoint: bool = True, **_: Any
) -> Any:
    weights = made(g, np.linspace, 0.0, 1.0, num, endpoint)
    return fit(np.sum(g * (1 - weights)), start), fit(np.sum(g * weights), stop)


defrule("full", _full_vjp, _full_jvp)
defrule("full_like", _full_like_vjp, _full_like_jvp)
linear("linspace", _linspace_vjp)
