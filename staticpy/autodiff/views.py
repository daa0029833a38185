"""Views of memory that stands beside other memory, which tangents or cotangents are in.

What a view is of the memory, the same view of what stands beside it is for the tangents or
cotangents of the view:

    %a, %b = unpack %x {count = 2}
    %sa, %sb = unpack %sx {count = 2}

Some operations give a view or a copy, by how an array lies in memory. Which it was is asked where
that counts: where something is written while the result is in use, or it is handed on along with
what stands beside it.

    %y = reshape %x {shape = (-1,)}
    %0 = object.shares_memory %y, %x : bool
    %sy = if %0 {
      %1 = reshape %sx {shape = (-1,)}
      region_yield %1
    } {
      %2 = zeros_like %y
      region_yield %2
    }
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from staticpy import ops
from staticpy.autodiff.activity import Activity, may_be_view, writes, written
from staticpy.autodiff.moves import holds_operands
from staticpy.ir import (
    Operation,
    TensorType,
    Type,
    Value,
    current_builder,
    dims_of,
    is_mutable_memory,
)
from staticpy.ops import REGISTRY, Traced, untrace

_VIEWS = (
    *("unpack", "split", "transpose", "expand_dims", "squeeze", "diagonal", "real"),
    *("tensor.new", "strided_like"),
)
"""Ops besides basic ``index`` whose results, where they are memory, are sure to be views of their
first operand."""
_VIEWS_OR_COPIES = frozenset(
    (
        *("reshape", "ravel", "asarray", "astype.itself", "diag", "numpy.shared", "sum_to"),
        *("ascontiguousarray", "asfortranarray"),
    )
)
"""Ops whose result is a view of their first operand, or new memory."""
_WINDOWS = "lib.stride_tricks.sliding_window_view"
LIES_OTHERWISE = (
    "what is a view of an array is none of its derivatives, which lie in memory in another order: "
    "pass or make a copy of the array"
)


def is_view(operation: Operation) -> bool:
    """Whether the results of an operation, where they are memory, are sure to be views of its first
    operand.
    """
    if operation.name == "view":
        return _sees_numbers(operation.operands[0].type, operation.result.type)
    if operation.name == "imag":
        return not _is_imag_of_real(operation)
    if operation.name == "any.narrow":  # the same array, of which more is known
        return all(isinstance(each.type, TensorType) for each in _ends(operation))
    return operation.name in ("index", *_VIEWS) and may_be_view(operation)


def _ends(operation: Operation) -> tuple[Value, ...]:
    return (*operation.operands, *operation.results)


def _sees_numbers(source: Type, made: Type) -> bool:
    """Whether a view of another dtype has the same numbers, or pairs of them."""
    if not isinstance(source, TensorType) or not isinstance(made, TensorType):
        return False
    names = {source.dtype.name, made.dtype.name}
    return len(names) == 1 or names in ({"float64", "complex128"}, {"float32", "complex64"})


def _is_imag_of_real(operation: Operation) -> bool:
    """Whether an operation gives the imaginary part of what has none: zeros."""
    return operation.name == "imag" and operation.operands[0].type == operation.result.type


def is_new(operation: Operation) -> bool:
    """Whether the results of an operation are sure to be memory of their own."""
    is_of_memory = any(is_mutable_memory(operand.type) for operand in operation.operands)
    return not (is_of_memory and may_be_view(operation)) or _is_imag_of_real(operation)


def same_views(operation: Operation, beside: Value) -> Sequence[Value]:
    """Emit views of ``beside`` as the results of ``operation`` are of its first operand."""
    if operation.name == "diagonal":
        return (_diagonal(beside, operation.result, **operation.attrs),)
    if operation.name == "diag" and len(dims_of(beside.type)) > 1:
        return (_diagonal(beside, operation.result, operation.attrs.get("k", 0)),)
    builder, source = current_builder(), source_of(operation)
    operands = [beside if each is operation.operands[0] else each for each in source.operands]
    made = builder.emit(source.op, operands, source.attrs).results
    if source is not operation:
        made = builder.emit(operation.op, [beside, *made], operation.attrs).results
    return made


def source_of(operation: Operation) -> Operation:
    """What has made the result of an operation that gives a view or a copy."""
    if operation.name != "numpy.shared":
        return operation
    made = operation.operands[1].defining_op
    assert made is not None
    return made


def _diagonal(beside: Value, like: Value, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Value:
    """The diagonal as a view that can be written to, which that of ``np.diagonal`` can't."""
    rank = len(dims_of(beside.type))
    rest = [axis for axis in range(rank) if axis not in (axis1, axis2)]
    moved = np.transpose(Traced(beside), (*rest, axis1, axis2))
    row, column, size = max(-offset, 0), max(offset, 0), Traced(like).shape[-1]
    square: Any = moved[..., row : row + size, column : column + size]
    made = np.einsum("...ii->...i", square)
    return untrace(made)  # type: ignore[no-any-return]


# --- stretched views ------------------------------------------------------------------------------


def is_stretched_view(operation: Operation) -> bool:
    """Whether the result of an operation is a view of its first operand, to which nobody can write,
    and which may have an element of that in several places.
    """
    if operation.name == "broadcast_to":
        return isinstance(operation.operands[0].type, TensorType)
    is_windows = operation.attrs.get("function") == _WINDOWS
    return is_windows and operation.attrs.get("writeable", False) is False


def stretched_from(activity: Activity, result: Value) -> Value | None:
    """The array of which a result is a stretched view that nobody writes to; None if it is none."""
    operation = result.defining_op
    assert operation is not None
    if operation.name != "broadcast_arrays":
        return operation.operands[0] if is_stretched_view(operation) else None
    base = operation.operands[operation.results.index(result)]
    is_array = isinstance(base.type, TensorType)
    return base if is_array and not _is_written_through(activity, result) else None


def _is_written_through(activity: Activity, result: Value) -> bool:
    """Whether somebody may write to the memory of ``result`` through it, or a view of it."""
    users = _users(activity, result)
    if any(each.op.is_terminator or each.regions or holds_operands(each) for each in users):
        return True
    seen = {result, *(view for each in users for view in each.results)}
    return any(writes(each) and not seen.isdisjoint(written(each)) for each in users)


def stretched_view(base: Value, result: Value, beside: Value) -> Value:
    """Emit the view of ``beside`` that ``result`` is of ``base``, as one that can be written to."""
    return current_builder().emit(REGISTRY["strided_like"], [beside, base, result]).result


# --- views or copies ------------------------------------------------------------------------------


def is_view_or_copy(operation: Operation) -> bool:
    """Whether an operation gives a view of its first operand or a copy, which can be told apart
    at run time.
    """
    return operation.name in _VIEWS_OR_COPIES and not is_new(operation)


def is_written_in_use(activity: Activity, result: Value, order: Sequence[Operation]) -> bool:
    """Whether something may be written to the memory of ``result`` while that, or a view of it, is
    in use; ``order`` are the operations of its block, as they stand in the program.
    """
    operation = result.defining_op
    if operation is None or activity.writes_to(result) is None:
        return False
    users = _users(activity, result)
    is_handed_on = any(each.op.is_terminator or holds_operands(each) for each in users)
    if is_handed_on or any(each.block is not operation.block for each in users):
        return True
    first = order.index(operation)
    last = max((place for place, each in enumerate(order) if each in users), default=first)
    return any(activity.changes(each, result) for each in order[first + 1 : last + 1])


def _users(activity: Activity, value: Value) -> set[Operation]:
    """What reads ``value``, or a view of it."""
    users: set[Operation] = set()
    due = [value]
    while due:
        for user in due.pop().users:
            if user not in users:
                users.add(user)
                due += (each for each in user.results if activity.may_share(each, value))
    return users


def view_or_copy(
    operation: Operation, beside: Value, copied: Callable[[], Value]
) -> tuple[Value, Value]:
    """Emit the question whether ``operation`` has given a view, and what stands beside its result:
    the same view of ``beside``, or what ``copied`` gives.
    """
    builder = current_builder()
    is_shared = _shares(operation.result, operation.operands[0])
    with builder.region() as then:
        (made,) = same_views(operation, beside)
        _require(_shares(made, beside))
        builder.emit(ops.region_yield, [made])
    with builder.region() as orelse:
        builder.emit(ops.region_yield, [copied()])
    found = builder.emit(ops.if_, [is_shared], {}, [then, orelse]).result
    return is_shared, found


def _shares(left: Value, right: Value) -> Value:
    return current_builder().emit(REGISTRY["object.shares_memory"], [left, right]).result


def _require(condition: Value) -> None:
    """Emit a ValueError that is raised where tangents or cotangents lie otherwise in memory."""
    builder = current_builder()
    with builder.region() as then:
        builder.emit(ops.region_yield)
    with builder.region() as orelse:
        builder.emit(ops.raise_, [], {"exception": "ValueError", "args": (LIES_OTHERWISE,)})
        builder.emit(ops.region_yield)
    builder.emit(ops.if_, [condition], {}, [then, orelse])
