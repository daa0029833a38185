"""``np.tril`` and ``np.triu`` in steps, which loops can do together with what is computed of them.

Before:
    %1 = triu %x {k = 1} : f64[n, m]
After:
    %2 = arange %n : i64[n]
    %3 = add %2, 1 : i64[n]
    %4 = view %3 {[:, None]} : i64[n, 1]
    %5 = arange %m : i64[m]
    %6 = greater_equal %5, %4 : bool[n, m]
    %1 = where %6, %x, 0 : f64[n, m]

In: a module. Out: it, or a copy. The steps are NumPy's own, which compares the numbers of rows and
columns, too. No pass of the pipeline: it is for backends that make loops.
"""

from __future__ import annotations

import numpy as np

from staticpy import ops
from staticpy.ir import Module, Operation, TensorType, builder_before, rewriter
from staticpy.passes.outline import with_replaced


def with_triangles_in_steps(module: Module) -> Module:
    """``module``, or a copy of it if there is something to do."""
    return with_replaced(module, _has_steps, _replace)


def _has_steps(operation: Operation) -> bool:
    if operation.op.name not in ("tril", "triu"):
        return False
    type_ = operation.operands[0].type
    return isinstance(type_, TensorType) and type_.rank > 1 and type_.dtype.kind in "biufc"


def _replace(operation: Operation) -> None:
    (x,), diagonal = operation.operands, operation.attrs.get("k", 0)
    assert isinstance(x.type, TensorType)
    builder = builder_before(operation)
    with builder.current():
        rows, columns = (ops.FUNCTIONS[np.arange](size) for size in ops.shape_of(x)[-2:])
        first = ops.binary("+", rows, diagonal) if diagonal else rows
        below = ops.getitem(ops.as_value(first), (slice(None), None))
        mask = ops.compare(">=" if operation.op.name == "triu" else "<=", columns, below)
        zero = False if x.type.dtype.kind == "b" else 0
        found = ops.as_value(ops.FUNCTIONS[np.where](mask, x, zero))
    rewriter.replace(operation, [found])
