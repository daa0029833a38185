"""Functions that write their result to an array, as the function and a write, which loops can do.

Before:
    call_out %x, %a, %b {function = "add"}
After:
    %0 = add %a, %b : f64[n]
    store %x, %0 {spec = ("ellipsis",)}

In: a module. Out: it, or a copy. It is done where the result is known to have the sizes and the
dtype of the array: elsewhere NumPy's refusal has other words than that of a write. No pass of the
pipeline: it is for backends that make loops, whose warnings come when all is written, as NumPy's do
here. Derivatives are taken before.
"""

from __future__ import annotations

import numpy as np

from staticpy import ops
from staticpy.diagnostics import DiagnosticError
from staticpy.ir import (
    UNKNOWN,
    Builder,
    Module,
    Operation,
    PythonType,
    ScalarType,
    TensorType,
    Type,
    Value,
    dims_of,
    rewriter,
)
from staticpy.ops import UFUNC_OPS, broadcast_dims, call_out, constant_value, loop_dtypes
from staticpy.passes.outline import with_replaced


def with_outputs_stored(module: Module) -> Module:
    """``module``, or a copy of it if there is something to do."""
    return with_replaced(module, _is_elementwise, _replace)


def _is_elementwise(operation: Operation) -> bool:
    """Whether it is one of arrays whose result has the sizes and the dtype of the target."""
    if operation.op is not call_out or set(operation.attrs) != {"function"}:
        return False
    ufunc = _ufunc_of(operation)
    target, *types = (value.type for value in operation.operands)
    dims = dims_of(target)
    if ufunc is None or not dims or UNKNOWN in dims or not isinstance(target, TensorType):
        return False
    if not all(isinstance(type_, TensorType | ScalarType | PythonType) for type_ in types):
        return False
    if broadcast_dims(*map(dims_of, types)) != dims:
        return False
    return _result_dtype(ufunc, types) == target.dtype


def _ufunc_of(operation: Operation) -> np.ufunc | None:
    found = getattr(np, operation.attrs["function"], None)
    return found if found in UFUNC_OPS and found.nout == 1 else None


def _result_dtype(ufunc: np.ufunc, types: list[Type]) -> np.dtype | None:
    try:
        return loop_dtypes(ufunc, types)[-1]
    except DiagnosticError:
        return None


def _replace(operation: Operation) -> None:
    assert operation.block is not None
    ufunc = _ufunc_of(operation)
    target, *operands = operation.operands
    builder = Builder(operation.block)
    builder.before(operation)
    builder.span = operation.span
    with builder.current():
        result = ops.FUNCTIONS[ufunc](*map(_given, operands))
        ops.setitem(target, ..., result)
    rewriter.erase(operation)


def _given(value: Value) -> object:
    """A constant of Python's as itself: it takes the dtype of the other operand."""
    known = constant_value(value)
    return known if isinstance(value.type, PythonType) and known is not None else value
