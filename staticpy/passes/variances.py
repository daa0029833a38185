"""``np.var`` and ``np.std`` of floats in steps, which loops over elements can do.

Before:
    %1 = std %x {axis = 1} : f64[n]
After:
    %1 = var.mean %x {axis = 1} : f64[n, 1]
    %2, %3 = broadcast %x, %1 : f64[n, m], f64[n, m]
    %4 = subtract %2, %3 : f64[n, m]
    %5 = square %4 : f64[n, m]
    %6 = var.quotient %5 {axis = 1} : f64[n]
    %7 = sqrt %6 : f64[n]

In: a module. Out: it, or a copy. The steps are NumPy's own, so that bits and warnings are the same;
those of complex numbers and of integers, which it converts piece by piece, stay as they are. No
pass of the pipeline: it is for backends that make loops.
"""

from __future__ import annotations

from staticpy import ops
from staticpy.ir import Module, Operation, TensorType, builder_before, dims_of, rewriter
from staticpy.ops import REGISTRY
from staticpy.passes.loop_kinds import are_last, axes_of
from staticpy.passes.outline import with_replaced

_SQUARE, _SQRT = REGISTRY["square"], REGISTRY["sqrt"]


def with_variances_in_steps(module: Module) -> Module:
    """``module``, or a copy of it if there is something to do."""
    return with_replaced(module, _has_steps, _replace)


def _has_steps(operation: Operation) -> bool:
    """Whether it is one, of floats, along axes that loops can reduce."""
    if operation.name not in ("var", "std") or len(operation.operands) != 1:
        return False
    (type_,) = (operand.type for operand in operation.operands)
    ddof = operation.attrs.get("ddof", 0)
    if set(operation.attrs) - {"axis", "keepdims", "ddof"} or type(ddof) is not int or ddof < 0:
        return False
    if not isinstance(type_, TensorType) or type_.dtype.char not in "fd":
        return False
    axes, rank = axes_of(operation), len(dims_of(type_))
    if operation.name == "std":
        # NumPy takes the root in place, so that it lies as the variance does
        return bool(axes) and (are_last(axes, rank) or rank - 1 not in axes)
    return bool(axes)


def _replace(operation: Operation) -> None:
    (x,), attrs = operation.operands, dict(operation.attrs)
    builder = builder_before(operation)
    with builder.current():
        keeps = {name: value for name, value in attrs.items() if name != "keepdims"}
        mean = builder.emit(ops.var_mean, [x], keeps).result
        left = ops.as_value(ops.binary("-", x, mean))
        square = builder.emit(_SQUARE, [left]).result
        found = builder.emit(ops.var_quotient, [square], attrs).result
        if operation.name == "std":
            found = builder.emit(_SQRT, [found]).result
    rewriter.replace(operation, [found])
