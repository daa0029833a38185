"""Batching rules of shapes, indexes, joins and products."""

from __future__ import annotations

from typing import Any

import numpy as np

from staticpy.ir import PythonType, ScalarType, TensorType, dims_of
from staticpy.ops import scatter_add, sum_to  # noqa: F401 - they enter their ops
from staticpy.ops.rules.base import reapply
from staticpy.ops.rules.batching import (
    Alike,
    BatchingRule,
    Operand,
    broadcast_to,
    defbatch,
    first,
    raised,
    require,
    stretched,
)

_ALL = (None, None, None)
"""A slice of a whole axis, as ``index`` has it."""

# --- shapes ---------------------------------------------------------------------------------------


@defbatch("dim")
def _dim(_size: Any, x: Operand, *, axis: int) -> Any:
    return Alike(reapply("dim", x.value, axis=axis + 1))


def _like(name: str) -> BatchingRule:
    """An array like one of the examples, which are all of one shape."""

    def rule(_size: Any, x: Operand, *sizes: Operand, **attrs: Any) -> Any:
        require(x.is_batched and not any(each.is_batched for each in sizes))
        return Alike(reapply(name, first(x), *(each.value for each in sizes), **attrs))

    return rule


for _name in ("zeros_like", "ones_like", "full_like"):
    defbatch(_name)(_like(_name))


def _shape(size: Any, shape: Any, sizes: tuple[Operand, ...]) -> tuple[Any, ...]:
    """A shape with the number of examples in front; None stands for an operand."""
    require(not any(each.is_batched for each in sizes))
    given = iter(sizes)
    return (size, *(next(given).value if each is None else each for each in shape))


@defbatch("reshape")
def _reshape(
    size: Any, x: Operand, *sizes: Operand, shape: Any, order: str = "C", **attrs: Any
) -> Any:
    require(x.is_batched and order == "C" and "copy" not in attrs)
    return np.reshape(x.value, _shape(size, shape, sizes))


@defbatch("broadcast_to")
def _broadcast_to(size: Any, x: Operand, *sizes: Operand, shape: Any, **_: Any) -> Any:
    require(x.is_batched)
    return broadcast_to(raised(x, len(shape)), _shape(size, shape, sizes))


@defbatch("ravel", "flatten")
def _ravel(size: Any, x: Operand, *, order: str = "C") -> Any:
    require(order == "C")
    return np.reshape(x.value, (size, -1))


@defbatch("transpose")
def _transpose(_size: Any, x: Operand, *, axes: tuple[int, ...]) -> Any:
    return np.transpose(x.value, (0, *(axis + 1 for axis in axes)))


def _behind(axis: Any) -> tuple[int, ...]:
    return tuple(each + 1 for each in (axis if isinstance(axis, tuple) else (axis,)))


@defbatch("expand_dims")
def _expand_dims(_size: Any, x: Operand, *, axis: Any) -> Any:
    return np.expand_dims(x.value, _behind(axis))


@defbatch("squeeze")
def _squeeze(_size: Any, x: Operand, *, axis: Any) -> Any:
    return np.squeeze(x.value, _behind(axis))


@defbatch("sum_to")
def _sum_to(size: Any, x: Operand, like: Operand) -> Any:
    require(isinstance(x.type, ScalarType | TensorType) and not isinstance(like.type, PythonType))
    shape = first(like).shape if like.rank else ()
    if not x.is_batched:
        return Alike(reapply("sum_to", x.value, first(like)))
    full = (size, *[1] * (x.rank - like.rank), *shape)
    summed = reapply("sum_to", x.value, broadcast_to(_zero(x), full))
    return np.reshape(summed, (size, *shape)) if x.rank != like.rank else summed


def _zero(x: Operand) -> Any:
    return x.type.dtype.type(0)  # type: ignore[attr-defined]


@defbatch("pad")
def _pad(_size: Any, x: Operand, *values: Operand, pad_width: Any, **attrs: Any) -> Any:
    """Nothing goes beside the examples, for which the options of another axis will do."""
    require(x.is_batched and not any(each.is_batched or each.rank for each in values))
    for name in {"stat_length", "end_values"} & set(attrs):
        pairs = np.broadcast_to(np.array(attrs[name]), (x.rank, 2)).tolist()
        attrs[name] = tuple(map(tuple, [pairs[0], *pairs]))
    given = (each.value for each in values)
    return reapply("pad", x.value, *given, pad_width=((0, 0), *pad_width), **attrs)


@defbatch("unpack")
def _unpack(_size: Any, x: Operand, *, count: int) -> Any:
    require(dims_of(x.type)[0] == count)
    return tuple(x.value[:, place] for place in range(count))


def _triangle(name: str) -> BatchingRule:
    def rule(_size: Any, x: Operand, **attrs: Any) -> Any:
        require(x.rank > 1)
        return reapply(name, x.value, **attrs)

    return rule


for _name in ("tril", "triu"):
    defbatch(_name)(_triangle(_name))


@defbatch("trace")
def _trace(_size: Any, x: Operand, *, axis1: int = 0, axis2: int = 1, **attrs: Any) -> Any:
    return reapply("trace", x.value, axis1=axis1 + 1, axis2=axis2 + 1, **attrs)


def _along(name: str) -> BatchingRule:
    def rule(_size: Any, x: Operand, *more: Operand, axis: Any = None, **attrs: Any) -> Any:
        require(axis is not None and not any(each.is_batched for each in more))
        axis = tuple(each + 1 for each in axis) if isinstance(axis, tuple) else axis + 1
        return reapply(name, x.value, *(each.value for each in more), axis=axis, **attrs)

    return rule


for _name in ("repeat", "roll"):
    defbatch(_name)(_along(_name))


# --- joins ----------------------------------------------------------------------------------------


@defbatch("concatenate")
def _concatenate(size: Any, *operands: Operand, axis: int = 0, **attrs: Any) -> Any:
    given = [stretched(x, size) for x in operands]
    return reapply("concatenate", *given, axis=axis + 1, **attrs)


@defbatch("stack")
def _stack(size: Any, *operands: Operand, axis: int = 0, **attrs: Any) -> Any:
    require(all(isinstance(x.type, ScalarType | TensorType) for x in operands))
    return reapply("stack", *(stretched(x, size) for x in operands), axis=axis + 1, **attrs)


@defbatch("take")
def _take(_size: Any, x: Operand, places: Operand, *, axis: Any = None, **attrs: Any) -> Any:
    require(axis is not None and x.is_batched and not places.is_batched and not attrs)
    return reapply("take", x.value, places.value, axis=axis % x.rank + 1)


# --- products -------------------------------------------------------------------------------------


@defbatch("matmul")
def _matmul(_size: Any, a: Operand, b: Operand) -> Any:
    """Stacks of matrices; vectors become matrices of one row or column."""
    if b.rank == 1 and not b.is_batched:
        return np.matmul(a.value, b.value)
    if a.rank == 1 and not a.is_batched:
        return np.matmul(*((b.value, a.value) if b.rank == 1 else (a.value, b.value)))
    if a.rank == 1 and not b.is_batched and b.rank == 2:
        return np.matmul(a.value, b.value)
    left = a.value[..., None, :] if a.rank == 1 else a.value
    right = b.value[..., None] if b.rank == 1 else b.value
    ranks = max(a.rank, 2), max(b.rank, 2)
    left = _aligned(left, a.is_batched, max(ranks) - ranks[0])
    right = _aligned(right, b.is_batched, max(ranks) - ranks[1])
    made = np.matmul(left, right)
    made = made[..., 0] if b.rank == 1 else made
    if a.rank == 1:
        made = made[..., 0] if b.rank == 1 else made[..., 0, :]
    return made


def _aligned(value: Any, is_batched: bool, missing: int) -> Any:
    """New axes behind that of the examples."""
    if not is_batched or not missing:
        return value
    return np.expand_dims(value, tuple(range(1, 1 + missing)))


@defbatch("dot")
def _dot(size: Any, a: Operand, b: Operand) -> Any:
    require(1 <= a.rank <= 2 and 1 <= b.rank <= 2)
    return _matmul(size, a, b)


@defbatch("inner")
def _inner(size: Any, a: Operand, b: Operand) -> Any:
    require(a.rank == b.rank == 1)
    return _matmul(size, a, b)


@defbatch("outer")
def _outer(_size: Any, a: Operand, b: Operand) -> Any:
    require(a.rank == b.rank == 1 and a.kind == b.kind)
    return np.multiply(a.value[..., None], b.value[..., None, :])


# --- indexes --------------------------------------------------------------------------------------


@defbatch("index")
def _index(size: Any, x: Operand, *more: Operand, spec: Any) -> Any:
    if not any(each.is_batched for each in more):
        require(_is_simple(spec, more))
        operands = [each.value for each in more]
        return reapply("index", x.value, *operands, spec=(_ALL, *spec))
    key, operands = _gathered(size, x, more, spec)
    if x.is_batched:
        return reapply("index", x.value, *operands, spec=key)
    made = reapply("index", x.value, *operands, spec=key)
    place = _place(spec)
    return np.moveaxis(made, place, 0) if place else made


@defbatch("scatter_add")
def _scatter_add(size: Any, added: Operand, like: Operand, *more: Operand, spec: Any) -> Any:
    require(isinstance(like.type, TensorType))
    full = (size, *first(like).shape) if like.rank else (size,)
    whole = like.value if like.is_batched else broadcast_to(_zero(added), full)
    if not any(each.is_batched for each in more):
        require(_is_simple(spec, more))
        key, operands = (_ALL, *spec), [each.value for each in more]
    else:
        examples = Operand(whole, like.type, True)
        key, operands = _gathered(size, examples, more, spec)
    return reapply("scatter_add", stretched(added, size), whole, *operands, spec=key)


def _is_simple(spec: Any, more: tuple[Operand, ...]) -> bool:
    """Whether what an index selects stays where it is with an axis in front: there is no array, or
    one, and no integers beside it.
    """
    del more
    arrays = [entry for entry in spec if entry == "array"]
    numbers = [entry for entry in spec if type(entry) is int or entry == "value"]
    return not arrays or (len(arrays) == 1 and not numbers)


def _gathered(size: Any, x: Operand, more: tuple[Operand, ...], spec: Any) -> tuple[Any, list[Any]]:
    """The index of all examples where each has its own integers: arrays of integers, which NumPy
    goes through side by side.
    """
    require("array" not in spec)
    require(not any(each.is_batched for each in _of_slices(spec, more)))
    places = [each for each in more if each.is_batched]
    require(all(isinstance(each.type, ScalarType) and each.kind in "iu" for each in places))
    given = iter(more)
    key: list[Any] = []
    operands: list[Any] = []
    if x.is_batched:
        key.append("array")
        operands.append(reapply("arange", size, dtype=np.dtype(np.int64)))
    for entry in spec:
        parts = entry if isinstance(entry, tuple) else (entry,)
        taken = [next(given) for part in parts if part == "value"]
        operands += [each.value for each in taken]
        is_array = entry == "value" and taken[0].is_batched
        key.append("array" if is_array else entry)
    return tuple(key), operands


def _of_slices(spec: Any, more: tuple[Operand, ...]) -> list[Operand]:
    given, found = iter(more), []
    for entry in spec:
        if isinstance(entry, tuple):
            found += [next(given) for part in entry if part == "value"]
        elif entry == "value":
            next(given)
    return found


def _place(spec: Any) -> int:
    """Where the axis of the examples is, if each has integers of its own for one array: where the
    integers stand if they are neighbours, and in front otherwise.
    """
    numbers = [n for n, entry in enumerate(spec) if type(entry) is int or entry == "value"]
    if numbers[-1] - numbers[0] != len(numbers) - 1:
        return 0
    require("ellipsis" not in spec[: numbers[0]])
    return numbers[0]
