"""Comparisons of arrays of integers with one of Python's become comparisons of elements.

Before:
    %1 = less_int %x, %k : b1[n]                    # %x : u8[n], %k : int
After, where ``%is_above`` says that ``%k`` is larger than any element can be:
    %2 = py.min %k, 255 : int
    %3 = py.max %2, 0 : int
    %4 = from_python %3 {dtype = u8} : u8
    %5, %6 = broadcast %x, %4 : u8[n], u8[n]
    %7 = less %5, %6 : b1[n]
    %8, %9 = broadcast %7, %is_above : b1[n], b1[n]
    %1 = bitwise_or %8, %9 : b1[n]

No pass of the pipeline: it is for backends that make loops, and whose ints have 64 bits.
"""

from __future__ import annotations

import numpy as np

from staticpy.ir import (
    Module,
    Operation,
    TensorType,
    Value,
    builder_before,
    rewriter,
    walk,
)
from staticpy.ops import (
    COMPARE_INT,
    REGISTRY,
    as_value,
    binary,
    compare,
    constant_value,
    emit,
    from_python,
)

_SYMBOLS: dict[object, str] = {op: symbol for symbol, op in COMPARE_INT.items()}
_LEAST, _MOST = -(2**63), 2**63 - 1
"""The ints that there are."""

_WRONG = {"<": ">", ">=": ">", ">": "<", "<=": "<", "==": "<>", "!=": "<>"}
"""On which sides of the elements' range a number compares otherwise than the nearest in it."""

_HOLD = ("<", ">", "!=")
"""What holds for all elements there; others hold for none."""


def compare_elements(module: Module) -> None:
    """Let ``module`` compare elements of arrays with numbers of their own dtype."""
    for function in module.functions.values():
        for operation in list(walk(function.block)):
            if operation.op in _SYMBOLS and _can_be(*operation.operands):
                _compare(operation)


def _can_be(array: Value, number: Value) -> bool:
    known = constant_value(number)
    is_int = known is None or (isinstance(known, int) and _LEAST <= known <= _MOST)
    return is_int and isinstance(array.type, TensorType)


def _compare(operation: Operation) -> None:
    array, number = operation.operands
    assert isinstance(array.type, TensorType)
    symbol, dtype = _SYMBOLS[operation.op], array.type.dtype
    builder = builder_before(operation)
    with builder.current():
        near, beyond = _nearest(number, dtype, _WRONG[symbol])
        made = compare(symbol, array, emit(from_python, near, dtype=dtype))
        for is_beyond in beyond:
            known = is_beyond if symbol in _HOLD else emit(REGISTRY["py.not"], is_beyond)
            flag = emit(from_python, known, dtype=np.dtype(np.bool_))
            made = binary("|" if symbol in _HOLD else "&", made, flag)
    rewriter.replace(operation, [as_value(made)])


def _nearest(number: Value, dtype: np.dtype, sides: str) -> tuple[Value, list[Value]]:
    """The number in the range of ``dtype`` that is next to another one, and whether that is beyond
    it on one of these sides.
    """
    limits = np.iinfo(dtype)
    beyond = []
    for side, end, nearer in ((">", int(limits.max), "py.min"), ("<", int(limits.min), "py.max")):
        if _LEAST < end < _MOST:
            limit = as_value(end)
            if side in sides:
                beyond.append(as_value(compare(side, number, limit)))
            number = emit(REGISTRY[nearer], number, limit)
    return number, beyond
