"""``np.outer`` and ``np.add.outer`` in steps, which loops can do together with what is computed of
them.

Before:
    %1 = outer %a, %b : f64[n, m]
After:
    %2 = view %a {[:, None]} : f64[n, 1]
    %1 = multiply %2, %b : f64[n, m]

In: a module. Out: it, or a copy. The steps are NumPy's own; ``np.outer`` of matrices, which it
makes vectors of, stays a call. No pass of the pipeline: it is for backends that make loops.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from staticpy import ops
from staticpy.ir import Module, Operation, TensorType, builder_before, dims_of, rewriter
from staticpy.passes.outline import with_replaced


def with_outer_products_in_steps(module: Module) -> Module:
    """``module``, or a copy of it if there is something to do."""
    return with_replaced(module, _has_steps, _replace)


def _has_steps(operation: Operation) -> bool:
    types = [operand.type for operand in operation.operands]
    if len(types) != 2 or len(operation.results) != 1 or _function_of(operation) is None:
        return False
    ranks = [type_.rank if isinstance(type_, TensorType) else 0 for type_ in types]
    return all(ranks) and (operation.op.name != "outer" or ranks == [1, 1])


def _function_of(operation: Operation) -> Callable[..., Any] | None:
    """What is computed of each pair."""
    if operation.op.name == "outer":
        return ops.FUNCTIONS[np.multiply]
    if operation.op.name != "ufunc.method" or set(operation.attrs) != {"function"}:
        return None
    name, _, method = operation.attrs["function"].partition(".")
    return ops.FUNCTIONS.get(getattr(np, name, None)) if method == "outer" else None


def _replace(operation: Operation) -> None:
    function, (a, b) = _function_of(operation), operation.operands
    assert function is not None
    with builder_before(operation).current():
        column = ops.getitem(a, (..., *[None] * len(dims_of(b.type))))
        found = ops.as_value(function(column, b))
    rewriter.replace(operation, [found])
