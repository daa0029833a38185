"""Rows of matrices that arrays of integers select, in the form that loops over elements can do.

Before:
    %1 = index %table, %i {spec = ("array",)} : f64[k, m]
After:
    %2 = index %i {spec = ("ellipsis", "newaxis")} : i64[k, 1]
    %1 = index.rows %table, %2 : f64[k, m]

In: a module. Out: it, or a copy. Now an index is a number of each row, as what is stretched is. No
pass of the pipeline: it is for backends that make loops.
"""

from __future__ import annotations

from staticpy.ir import (
    UNKNOWN,
    Module,
    Operation,
    TensorType,
    builder_before,
    dims_of,
    rewriter,
)
from staticpy.ops import broadcast, index, rows_op
from staticpy.passes.loop_kinds import is_elementwise, is_of_integers, reduced_axes
from staticpy.passes.outline import with_replaced


def with_row_gathers(module: Module) -> Module:
    """``module``, or a copy of it if there is something to do."""
    return with_replaced(module, _selects_rows, _replace)


def _selects_rows(operation: Operation) -> bool:
    """Whether it is one of a matrix whose rows are as long as the result says."""
    if operation.name not in ("index", "take") or len(operation.operands) != 2:
        return False
    table, places = (operand.type for operand in operation.operands)
    dims = dims_of(table)
    if not isinstance(table, TensorType) or len(dims) != 2 or dims[1] == UNKNOWN:
        return False
    if operation.name == "index":
        selects = operation.attrs["spec"] in (("array",), ("array", "ellipsis"))
    else:
        axis = operation.attrs.get("axis")
        selects = axis in (0, -2) and "mode" not in operation.attrs and _is_read(operation)
    return selects and is_of_integers(places)


def _is_read(take: Operation) -> bool:
    """Whether loops may read its elements: what just copies rows, NumPy does as fast, and short
    ones faster.
    """
    users = take.result.users
    return any(user.op is broadcast or is_elementwise(user) or reduced_axes(user) for user in users)


def _replace(operation: Operation) -> None:
    table, places = operation.operands
    builder = builder_before(operation)
    column = builder.emit(index, [places], {"spec": ("ellipsis", "newaxis")}).result
    attrs = {"takes": True} if operation.name == "take" else {}
    rewriter.replace(operation, [builder.emit(rows_op, [table, column], attrs).result])
