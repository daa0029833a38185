"""``np.diff`` in steps, which loops can do together with what is computed of them.

Before:
    %1 = diff %x : f64[n - 1]
After:
    %2 = view %x {[1:]} : f64[n - 1]
    %3 = view %x {[:-1]} : f64[n - 1]
    %1 = subtract %2, %3 : f64[n - 1]

In: a module. Out: it, or a copy. The steps are NumPy's own, and again for each further order; those
of bools, which are comparisons, stay calls. No pass of the pipeline: it is for backends that make
loops.
"""

from __future__ import annotations

from staticpy import ops
from staticpy.ir import Module, Operation, TensorType, builder_before, dims_of, rewriter
from staticpy.passes.outline import with_replaced


def with_differences_in_steps(module: Module) -> Module:
    """``module``, or a copy of it if there is something to do."""
    return with_replaced(module, _has_steps, _replace)


def _has_steps(operation: Operation) -> bool:
    if operation.op.name != "diff":
        return False
    type_ = operation.operands[0].type
    return isinstance(type_, TensorType) and type_.dtype.kind != "b"


def _replace(operation: Operation) -> None:
    found = operation.operands[0]
    axis = operation.attrs.get("axis", -1) % len(dims_of(found.type))
    before = (slice(None),) * axis
    builder = builder_before(operation)
    with builder.current():
        for _ in range(operation.attrs.get("n", 1)):
            ends = (ops.getitem(found, (*before, each)) for each in _ENDS)
            found = ops.as_value(ops.binary("-", *ends))
    rewriter.replace(operation, [found])


_ENDS = (slice(1, None), slice(None, -1))
