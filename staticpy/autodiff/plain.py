"""What an operation that changes an array in place computes, as operations that give a new array.

    ipow %x, %y                              pow %x, %y
    sort_in_place %x {axis = 0}              sort %x {axis = 0}
    call_out %x, %a {function = "exp"}       exp %a

The program keeps the operation in place. The others tell derivatives what it has done; of them
remains what a rule reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from staticpy import ops
from staticpy.autodiff.refusals import refusal
from staticpy.autodiff.scattering import scattered
from staticpy.ir import Operation, TensorType, Value
from staticpy.ops import (
    FUNCTIONS,
    IN_PLACE,
    REGISTRY,
    UFUNC_METHODS,
    UFUNC_OPS,
    call_adapter,
    numpy_function,
    trace,
    untrace,
)

SYMBOLS = {op.name: symbol for symbol, op in IN_PLACE.items()}
"""The operators of ``iadd`` and its like."""

CHANGING = (*SYMBOLS, "sort_in_place", "partition_in_place", "call_out")
"""The ops that have a plain form."""


def reads_target(operation: Operation) -> bool:
    """Whether an operation reads the array that it changes."""
    return operation.name != "call_out"


def mask_of(operation: Operation, operands: Sequence[Value]) -> Value | None:
    """The mask of the elements that an operation changes, of the shape of the array; None where it
    changes all of them.
    """
    keywords = operation.attrs.get("keywords", ()) if _is_ufunc(operation) else ()
    return None if "where" not in keywords else _stretched(operands[-1], operands[0])


def _stretched(value: Value, target: Value) -> Value:
    shape = trace(target).shape
    return ops.as_value(untrace(np.broadcast_to(trace(value), shape)))


def plain(operation: Operation, operands: Sequence[Value], mask: Value | None = None) -> Value:
    """Emit what gives the new elements of the array that ``operation`` changes; with a ``mask``
    those that it lets through, in a row. The operands are as they were before.
    """
    if operation.name in SYMBOLS:
        return ops.as_value(ops.binary(SYMBOLS[operation.name], *operands))
    if operation.name == "sort_in_place":
        return ops.emit(REGISTRY["sort"], operands[0], **operation.attrs)  # type: ignore[no-any-return]
    if operation.name == "ufunc.at":
        return scattered(operation, operands)
    if operation.name == "partition_in_place":
        return _partitioned(operation, *operands)
    given = list(operands[1:])
    if mask is not None:
        given = [_picked(each, operands[0], mask) for each in given[:-1]]
    return ops.as_value(untrace(_called(operation, given, mask is not None)))


def _picked(value: Value, target: Value, mask: Value) -> Value:
    """The elements of an operand that a mask lets through; numbers stay what they are."""
    if not isinstance(value.type, TensorType):
        return value
    return untrace(trace(_stretched(value, target))[trace(mask)])  # type: ignore[no-any-return]


def _partitioned(operation: Operation, target: Value, kth: Value) -> Value:
    made = kth.defining_op
    if made is None or made.op is not ops.constant:
        raise refusal(operation, ", since its place is known at run time only")
    attrs = {**operation.attrs, "kth": made.attrs["value"]}
    return ops.emit(REGISTRY["partition"], target, **attrs)  # type: ignore[no-any-return]


def _is_ufunc(operation: Operation) -> bool:
    """Whether an operation calls a ufunc itself, not one of its methods."""
    return operation.name == "call_out" and _function(operation) in UFUNC_OPS


def _function(operation: Operation) -> Any:
    return numpy_function(operation.attrs["function"])


def _called(operation: Operation, operands: Sequence[Value], is_masked: bool) -> Any:
    """What the call gives without ``out=``."""
    attrs = dict(operation.attrs)
    name, keywords = attrs.pop("function"), attrs.pop("keywords", ())
    takes_sequence = attrs.pop("takes_sequence", False)
    keywords = () if is_masked else keywords
    count = len(operands) - len(keywords)
    given = [trace(operand) for operand in operands[:count]]
    named = {key: trace(each) for key, each in zip(keywords, operands[count:], strict=True)}
    function, _, method = name.rpartition(".")
    ufunc = numpy_function(function) if function else None
    if (ufunc, method) in UFUNC_METHODS:
        adapter = UFUNC_METHODS[ufunc, method]
    else:
        adapter = FUNCTIONS[numpy_function(name)]
    return call_adapter(adapter, *([given] if takes_sequence else given), **named, **attrs)
