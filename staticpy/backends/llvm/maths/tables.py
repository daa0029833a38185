"""Constants that are chosen by an index, element by element.

In: 32 constants of f32, and integers below that. Out: one of them for each integer, by the
instruction of AVX-512 that takes them from two registers.
"""

from __future__ import annotations

from collections.abc import Sequence

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.maths.expression import Bits, Real
from staticpy.backends.llvm.vectors import first, splat

_LANES = 16
_NAME = "llvm.x86.avx512.vpermi2var.ps.512"


def looked_up(table: Sequence[float], index: Bits) -> Real:
    """The constants with these numbers; only the lowest five bits of these are looked at."""
    scalars = index.scalars
    builder, number = scalars.builder, ir.FloatType()
    vector = ir.VectorType(number, _LANES)
    halves = [
        ir.Constant(vector, [ir.Constant(number, each) for each in table[start:stop]])
        for start, stop in ((0, _LANES), (_LANES, 2 * _LANES))
    ]
    places = splat(builder, index.value, _LANES // scalars.width)
    function = builder.module.globals.get(_NAME)
    if function is None:
        type_ = ir.FunctionType(vector, [vector, places.type, vector])
        function = ir.Function(builder.module, type_, _NAME)
    found = builder.call(function, [halves[0], places, halves[1]])
    return Real(scalars, first(builder, found, scalars.width))
