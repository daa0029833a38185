"""``np.linalg.norm`` of floats in steps, which loops and products can do.

Before:
    %1 = numpy.call %x {function = "linalg.norm", axis = 1} : f64[n]
After:
    %2 = multiply %x, %x : f64[n, m]
    %3 = sum %2 {axis = 1} : f64[n]
    %1 = sqrt %3 : f64[n]

In: a module. Out: it, or a copy. The steps are NumPy's own: without axes it is the root of the
product of the array with itself, as one vector in the order of its memory. Other orders, and norms
of complex numbers, stay calls. No pass of the pipeline: it is for backends that make loops, behind
derivatives, whose rule of the norm says what it is at 0.
"""

from __future__ import annotations

import numpy as np

from staticpy import ops
from staticpy.ir import Module, Operation, TensorType, builder_before, dims_of, rewriter
from staticpy.passes.outline import with_replaced

_KNOWN = {"function", "axis", "keepdims", "results"}


def with_norms_in_steps(module: Module) -> Module:
    """``module``, or a copy of it if there is something to do."""
    return with_replaced(module, _has_steps, _replace)


def _has_steps(operation: Operation) -> bool:
    """Whether it is one, of floats, whose order is the default, along axes that there are."""
    if operation.attrs.get("function") != "linalg.norm" or len(operation.operands) != 1:
        return False
    (type_,) = (operand.type for operand in operation.operands)
    if not isinstance(type_, TensorType) or type_.dtype.char not in "fd" or not type_.dims:
        return False
    if set(operation.attrs) - _KNOWN:
        return False
    axis, keeps = operation.attrs.get("axis"), operation.attrs.get("keepdims", False)
    if axis is None or isinstance(axis, tuple):
        is_plain = axis is None or (len(axis) == 2 and len({a % type_.rank for a in axis}) == 2)
        return is_plain and keeps is False
    return type(axis) is int and -type_.rank <= axis < type_.rank


def _replace(operation: Operation) -> None:
    (x,), axis = operation.operands, operation.attrs.get("axis")
    builder = builder_before(operation)
    with builder.current():
        if axis is None:
            line = x if len(dims_of(x.type)) == 1 else ops.FUNCTIONS[np.ravel](x, "K")
            total = ops.FUNCTIONS[np.dot](line, line)
        else:
            keeps = operation.attrs.get("keepdims", False)
            squares = ops.binary("*", x, x)
            total = ops.FUNCTIONS[np.sum](squares, axis=axis, keepdims=keeps)
        found = ops.as_value(ops.FUNCTIONS[np.sqrt](total))
    rewriter.replace(operation, [found])
