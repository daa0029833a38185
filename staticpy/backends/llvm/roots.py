"""Square roots of many f64 without the unit that divides, with the bits of a square root.

In: numbers and vectors. Out: their roots, rounded once. One unit of a processor divides and takes
roots, 18 to 32 cycles for eight f64; with AVX-512 others do it by these operations in some 12:

    y = 1 / sqrt(x)     to 14 bits, by one instruction
    g, h = x y, y / 2
    r = 1/2 - g h;  g, h = g + g r, h + h r         twice
    sqrt(x) = g + h (x - g g)

P. Markstein, Computation of elementary functions on the IBM RISC System/6000 processor, 1990.
Before its last rounding this errs by some 2^-52 units of the last place; so only those numbers are
in danger whose roots are that near to the middle of two floats, which are few, and none of them is
rounded otherwise (``test_roots``). Of small numbers ``x - g g`` would not be exact: zero and what
is next to it, negative numbers, infinity and NaN are left to the instruction. In f32, of which 16
roots take 12 cycles, nothing is won: the longer chain of operations takes the processor's places.
"""

from __future__ import annotations

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.engine import has_scaling
from staticpy.backends.llvm.maths.expression import Real, scalars_of
from staticpy.backends.llvm.vectors import halves

_LEAST = 2.0**-960
_REGISTER, _PLACE = 512, ir.IntType(32)


def square_root(builder: ir.IRBuilder, value: ir.Value) -> ir.Value:
    """The square root of a number, or of each of a vector."""
    scalars = scalars_of(builder, value)
    if 64 * scalars.width > _REGISTER and scalars.dtype == "f64":
        low, high = (square_root(builder, half) for half in halves(builder, value))
        places = [_PLACE(number) for number in range(scalars.width)]
        every = ir.Constant(ir.VectorType(_PLACE, scalars.width), places)
        return builder.shuffle_vector(low, high, every)
    x = Real(scalars, value)
    if scalars.width == 1 or scalars.dtype == "f32" or not has_scaling():
        return x.sqrt().value
    least, most = scalars.key(_LEAST), scalars.key(float("inf"))
    is_usual = (x.bits() - least).is_under(most - least)
    with builder.if_else((~is_usual).any(), likely=False) as (then, otherwise):
        with then:
            taken, after_root = x.sqrt(), builder.block
        with otherwise:
            computed, after_sequence = _computed(x), builder.block
    found = builder.phi(value.type)
    found.add_incoming(taken.value, after_root)
    found.add_incoming(computed.value, after_sequence)
    return found


def _computed(x: Real) -> Real:
    y = _reciprocal_root(x)
    g, h = x * y, y * 0.5
    for _ in range(2):
        r = (-g).fused(h, 0.5)
        g, h = g.fused(r, g), h.fused(r, h)
    return h.fused((-g).fused(g, x), g)


def _reciprocal_root(x: Real) -> Real:
    """``1 / sqrt(x)``, to 14 bits."""
    scalars, type_, mask = x.scalars, x.value.type, ir.IntType(8)
    module = scalars.builder.module
    name = f"llvm.x86.avx512.rsqrt14.pd.{64 * scalars.width}"
    function: ir.Function | None = module.globals.get(name)
    if function is None:
        function = ir.Function(module, ir.FunctionType(type_, [type_, type_, mask]), name)
    arguments = [x.value, scalars.real(0.0).value, mask(-1)]
    return Real(scalars, scalars.builder.call(function, arguments))
