"""Functions that write their result to an array, as the function and a write, which loops can do.

Before:
    call_out %x, %a, %b {function = "add"}
After:
    %0 = add %a, %b : f64[n]
    output %x, %0

In: a module, and which operations have a form in loops. Out: it, or a copy. It is done where the
result is known to have the sizes and the dtype of the array. What loops can't do after all, since
nobody may write to the array, say, is one call again (``with_outputs_called``): NumPy refuses that
before it computes. No pass of the pipeline: it is for backends that make loops, whose warnings come
when all is written, as NumPy's do here.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from staticpy import ops
from staticpy.diagnostics import DiagnosticError
from staticpy.ir import (
    UNKNOWN,
    Function,
    Module,
    Operation,
    PythonType,
    ScalarType,
    TensorType,
    Type,
    Value,
    builder_before,
    dims_of,
    rewriter,
)
from staticpy.ops import (
    UFUNC_OPS,
    OpDef,
    broadcast_dims,
    call_out,
    constant_value,
    loop_dtypes,
    output,
)
from staticpy.passes.outline import with_replaced

HasForm = Callable[[Operation], bool]


def with_outputs_stored(module: Module, has_form: HasForm) -> Module:
    """``module``, or a copy of it if there is something to do."""
    return with_replaced(module, _is_elementwise, partial(_replace, has_form))


def with_outputs_called(function: Function) -> None:
    """Make of each function and the write of its result one call again."""
    for operation in list(function.block.operations):
        made = operation.operands[1].defining_op if operation.op is output else None
        if made is None or not isinstance(made.op, OpDef) or made.op.ufunc is None:
            continue
        builder = builder_before(operation)
        operands = [operation.operands[0], *made.operands]
        builder.emit(call_out, operands, {"function": made.op.ufunc.__name__})
        rewriter.erase(operation)
        if not made.result.uses:
            rewriter.erase(made)


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


def _replace(has_form: HasForm, operation: Operation) -> None:
    assert operation.block is not None
    before = set(operation.block.operations)
    target, *operands = operation.operands
    builder = builder_before(operation)
    with builder.current():
        result = ops.as_value(ops.FUNCTIONS[_ufunc_of(operation)](*map(_given, operands)))
    made = result.defining_op
    assert made is not None
    if isinstance(made.op, OpDef) and made.op.ufunc is not None and has_form(made):
        builder.emit(output, [target, result])
        rewriter.erase(operation)
    else:
        rewriter.erase_all(each for each in operation.block.operations if each not in before)


def _given(value: Value) -> object:
    """A constant of Python's as itself: it takes the dtype of the other operand."""
    known = constant_value(value)
    return known if isinstance(value.type, PythonType) and known is not None else value
