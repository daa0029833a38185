"""What an operation is to loops over elements: one for each element, a view, a gather, a reduction,
or a write to an array that is there already.

In: an operation. Out: whether it is one of these, by its op, its attributes and the types of its
operands.
"""

from __future__ import annotations

from collections.abc import Sequence

from staticpy.ir import UNKNOWN, Dim, Operation, TensorType, Type, Value, dims_of, is_mutable_memory
from staticpy.ops import IN_PLACE, broadcast, cast, index_type, output, rows_op

REDUCTIONS = ("sum", "mean", "prod", "max", "min", "any", "all", "var.mean", "var.quotient")
"""The reductions that a cluster can hold."""


_ELEMENTWISE = ("pow", "where", "round")
"""What is elementwise beside ufuncs and casts."""


def is_view(operation: Operation) -> bool:
    """Whether an operation gives other sizes and strides for an array, and reads no element."""
    if operation.op.name == "transpose":
        return True
    is_array = isinstance(operation.results[0].type, TensorType) if operation.results else False
    return operation.op.name == "index" and is_array and "array" not in operation.attrs["spec"]


def stretches(operation: Operation) -> bool:
    """Whether an operation only says how its operands are stretched: as a member of a cluster it
    computes nothing. A view does so by an axis of size 1, ``m[:, None]``.
    """
    return operation.op is broadcast or is_view(operation)


def adds_axes(operation: Operation) -> bool:
    """Whether an operation gives a view of a whole array with more axes, of size 1."""
    if operation.op.name != "index" or not is_view(operation):
        return False
    spec = operation.attrs["spec"]
    return "newaxis" in spec and all(each in ("newaxis", "ellipsis", _WHOLE) for each in spec)


_WHOLE = (None, None, None)


def is_elementwise(operation: Operation) -> bool:
    """Whether an operation gives one array or number, each element from those at its place."""
    op = operation.op
    if len(operation.results) != 1:
        return False
    is_one = getattr(op, "ufunc", None) is not None or op is cast or op.name in _ELEMENTWISE
    return is_one and all(map(_is_numpy, (*operation.operands, *operation.results)))


def is_gather(operation: Operation) -> bool:
    """Whether an operation reads one element of an array for each place: the one that arrays of
    integers, stretched to one shape, say. ``x[i]`` of a vector, ``x[i, j]`` and ``x[i, 0]`` of a
    matrix, ``take``. Or those of rows that they say.
    """
    if is_row_gather(operation):
        return True
    if operation.op.name not in ("index", "take") or len(operation.operands) < 2:
        return False
    table, *indices = (value.type for value in operation.operands)
    rank = len(dims_of(table))
    if not isinstance(table, TensorType) or not all(map(is_of_integers, indices)):
        return False
    if operation.op.name == "take":
        return rank == 1 and "mode" not in operation.attrs
    spec = gathered_by(operation)
    return len(spec) == rank and all(each == "array" or type(each) is int for each in spec)


def gathered_by(gather: Operation) -> tuple[object, ...]:
    """For each axis of an array that is gathered from the known integer, or "array"."""
    return ("array",) if gather.op.name == "take" else gather.attrs["spec"]


def is_row_gather(operation: Operation) -> bool:
    """Whether an operation reads rows of a matrix, each by one number for it."""
    if operation.op is not rows_op:
        return False
    table, places = (dims_of(operand.type) for operand in operation.operands)
    return table[1] != UNKNOWN and places[-1] == 1


def is_of_integers(type_: Type) -> bool:
    """Whether a type is that of an array of integers, with axes."""
    return isinstance(type_, TensorType) and type_.dtype.kind in "iu" and bool(type_.dims)


def read_in_place(operation: Operation) -> Sequence[Value]:
    """The operands of which an operation reads the element at its own place; of a sink, what it
    writes, and where if it is masked.
    """
    if is_gather(operation):
        return operation.operands[1:]
    if is_sink(operation):
        return operation.operands[1 : 3 if is_masked(operation) else 2]
    return operation.operands


def stretched_from(value: Value) -> Value:
    """What a stretched operand is made of; any other is its own."""
    made = value.defining_op
    while made is not None and made.op is broadcast:
        value = made.operands[made.results.index(value)]
        made = value.defining_op
    return value


def _is_numpy(value: Value) -> bool:
    return not is_mutable_memory(value.type) or isinstance(value.type, TensorType)


def is_sink(operation: Operation) -> bool:
    """Whether an operation writes elements, each computed from those at its place, to an array."""
    if operation.op.name == "store":
        is_basic = "array" not in operation.attrs["spec"]
        is_one = is_basic or is_masked(operation)
        return is_one and _is_numpy_or_number(operation.operands[1])
    if operation.op is output:
        return True
    if operation.op not in IN_PLACE.values() or operation.op.name == "imatmul":
        return False
    return isinstance(operation.operands[0].type, TensorType)


def is_masked(sink: Operation) -> bool:
    """Whether a store writes a number wherever an array of bools of the same sizes says so:
    ``x[x < 0] = 0``.
    """
    if sink.op.name != "store" or sink.attrs["spec"] != ("array",):
        return False
    target, value, mask = (operand.type for operand in sink.operands)
    is_mask = isinstance(mask, TensorType) and mask.dtype.kind == "b"
    return is_mask and not is_mutable_memory(value) and len(dims_of(mask)) == len(dims_of(target))


def _is_numpy_or_number(value: Value) -> bool:
    return isinstance(value.type, TensorType) or not is_mutable_memory(value.type)


def target_dims(sink: Operation) -> tuple[Dim, ...]:
    """The sizes of what a sink writes to."""
    target, _, *more = (value.type for value in sink.operands)
    if sink.op.name != "store" or is_masked(sink):
        return dims_of(target)
    return dims_of(index_type(target, *more, spec=sink.attrs["spec"]))


def reduced_axes(operation: Operation) -> tuple[int, ...]:
    """The axes that a reduction reduces, in order; none for what no cluster can hold."""
    if operation.op.name not in REDUCTIONS or len(operation.operands) != 1:
        return ()
    if set(operation.attrs) - {"axis", "keepdims", "ddof"}:
        return ()
    return axes_of(operation)


def axes_of(operation: Operation) -> tuple[int, ...]:
    """The axes that an operation with an attribute for them reduces, in order."""
    rank = len(dims_of(operation.operands[0].type))
    axis = operation.attrs.get("axis")
    if axis is None:
        return tuple(range(rank))
    axes = axis if isinstance(axis, tuple) else (axis,)
    return tuple(sorted(each % rank for each in axes)) if rank else ()


def is_reduction(operation: Operation) -> bool:
    """Whether an operation reduces the last axis of an array, or the last few, and these alone."""
    axes = reduced_axes(operation)
    return bool(axes) and are_last(axes, len(dims_of(operation.operands[0].type)))


def are_last(axes: tuple[int, ...], rank: int) -> bool:
    """Whether axes of an array are its last one, or its last few."""
    return axes == tuple(range(rank - len(axes), rank))


def is_accumulation(operation: Operation) -> bool:
    """Whether an operation reduces axes of an array, but not the last; or it reduces each row, and
    then several of these.
    """
    axes = reduced_axes(operation)
    return bool(axes) and last_axes(operation) < len(axes)


def accumulates_rows(operation: Operation) -> bool:
    """Whether an operation reduces the last few axes of an array, and others apart from these."""
    return 0 < last_axes(operation) < len(reduced_axes(operation))


def last_axes(operation: Operation) -> int:
    """How many of the last axes an operation reduces, one after the other."""
    axes = reduced_axes(operation)
    rank = len(dims_of(operation.operands[0].type)) if axes else 0
    return next(count for count in range(rank + 1) if rank - 1 - count not in axes)
