"""Floats that LLVM is not to know while it compiles: it computes with what it knows, and no flag of
the processor tells what NumPy warns of.

In: a float that was an integer or one of Python's floats. Out: the same, combined with bits that
are 0, which LLVM can't see. It knows the counter of a loop that it writes out, or of a round that
it does before the others: in ``for i in range(4)`` it would compute ``1 / np.float64(i)``. And it
knows of integers what ``y - y`` is. Vectors are made of this as of any other instruction.
"""

from __future__ import annotations

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.forms import F64
from staticpy.backends.llvm.vectors import lanes, like, splat


def hidden(builder: ir.IRBuilder, value: ir.Value) -> ir.Value:
    """``value``, floats, so that LLVM doesn't know them."""
    is_vector = isinstance(value.type, ir.VectorType)
    item = value.type.element if is_vector else value.type
    bits = ir.IntType(64 if item == F64 else 32)
    with builder.goto_entry_block():
        zero = builder.asm(ir.FunctionType(bits, [bits]), "", "=r,0", [bits(0)])
        zeros = splat(builder, zero, lanes(value))
    found = builder.or_(builder.bitcast(value, like(bits, value)), zeros)
    return builder.bitcast(found, value.type)
