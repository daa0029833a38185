"""One of two floats, by a comparison of floats.

    if value > best:        mask = value > best
        best = value        best = value where mask, else best

In: what is compared, and what is chosen from. Out: the choice, without a branch and without a flag
for a NaN. LLVM has one or the other: of its own comparison it makes ``maxsd``, for which a NaN is
an invalid operation, and behind the one that knows of flags (``elements.compare``) it branches. So
this asks for the instructions by name, which processors with AVX have; others branch.
"""

from __future__ import annotations

import numpy as np

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.elements import Emit, compare
from staticpy.backends.llvm.engine import has_avx
from staticpy.backends.llvm.forms import F32, F64, I32, I64

_I8 = ir.IntType(8)
QUIET = {"==": 0, "!=": 4, "<": 17, "<=": 18, ">=": 29, ">": 30}
"""For each comparison what the instruction is told, so that it raises no flag for a NaN."""

_FORMS = {
    F64: ("sse2.cmp.sd", "sse41.blendvpd", 2, I64),
    F32: ("sse.cmp.ss", "sse41.blendvps", 4, I32),
}
"""For each type the instructions, how many are in their registers, and an integer of its width."""


class Choice:
    """A comparison of two floats of one type, and what it chooses."""

    def __init__(self, builder: ir.IRBuilder, symbol: str, x: ir.Value, y: ir.Value) -> None:
        self._builder = builder
        self._type = x.type
        if has_avx():
            name, _, count, integer = _FORMS[x.type]
            operands = [self._widened(each) for each in (x, y)]
            comparison = self._function(name, _I8)
            self._mask = builder.call(comparison, [*operands, _I8(QUIET[symbol])])
            bits = builder.bitcast(self._mask, ir.VectorType(integer, count))
            self.holds = builder.icmp_signed("<", builder.extract_element(bits, I32(0)), integer(0))
        else:
            self.holds = compare(Emit(builder, np.dtype(np.float64)), symbol, x, y)

    def of(self, one: ir.Value, other: ir.Value) -> ir.Value:
        """``one`` where it holds, else ``other``."""
        if one.type != self._type or not has_avx():
            return self._builder.select(self.holds, one, other)
        blend = self._function(_FORMS[one.type][1], self._vector)
        operands = [self._widened(each) for each in (other, one)]
        chosen = self._builder.call(blend, [*operands, self._mask])
        return self._builder.extract_element(chosen, I32(0))

    def _widened(self, value: ir.Value) -> ir.Value:
        """A vector that begins with ``value``."""
        undefined = ir.Constant(self._vector, ir.Undefined)
        return self._builder.insert_element(undefined, value, I32(0))

    @property
    def _vector(self) -> ir.Type:
        return ir.VectorType(self._type, _FORMS[self._type][2])

    def _function(self, name: str, last: ir.Type) -> ir.Value:
        """An instruction of two vectors and a third operand, of which it makes a vector."""
        module, name = self._builder.module, f"llvm.x86.{name}"
        type_ = ir.FunctionType(self._vector, [self._vector, self._vector, last])
        return module.globals.get(name) or ir.Function(module, type_, name)
