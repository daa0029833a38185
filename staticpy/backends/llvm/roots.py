"""Square roots of many floats, with the bits of a square root, beside the unit that divides.

In: numbers and vectors. Out: their roots, rounded once. One unit of a processor divides and takes
roots, 18 to 32 cycles for eight f64; with AVX-512 others do it by these operations in some 12:

    y = 1 / sqrt(x)     to 14 bits, by one instruction
    g, h = x y, y / 2
    r = 1/2 - g h;  g, h = g + g r, h + h r         twice, in f32 once
    sqrt(x) = g + h (x - g g)

P. Markstein, Computation of elementary functions on the IBM RISC System/6000 processor, 1990.
Before its last rounding this errs by some 2^-52 units of the last place; so only those numbers are
in danger whose roots are that near to the middle of two floats, which are few, and none of them is
rounded otherwise (``test_roots``, of f32 all there are). Of small numbers ``x - g g`` would not be
exact: zero and what is next to it, negative numbers, infinity and NaN are left to the instruction.

Of 16 f32 the instruction takes 10 cycles, no more than the operations, which take places that
others need as well. So the two do half of the elements each, where there are two registers full.
"""

from __future__ import annotations

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.engine import has_scaling
from staticpy.backends.llvm.maths.expression import Real, scalars_of
from staticpy.backends.llvm.vectors import halves

_BITS = {"f32": 32, "f64": 64}
_LEAST = {"f32": 2.0**-100, "f64": 2.0**-960}
_STEPS = {"f32": 1, "f64": 2}
_REGISTER, _PLACE = 512, ir.IntType(32)


def square_root(builder: ir.IRBuilder, value: ir.Value) -> ir.Value:
    """The square root of a number, or of each of a vector."""
    scalars = scalars_of(builder, value)
    bits = _BITS[scalars.dtype] * scalars.width
    if scalars.width == 1 or not has_scaling() or (scalars.dtype == "f32" and bits <= _REGISTER):
        return Real(scalars, value).sqrt().value
    if bits <= _REGISTER:
        return _computed(builder, value)
    low, high = halves(builder, value)
    is_shared = scalars.dtype == "f32" and bits == 2 * _REGISTER
    second = _computed(builder, high) if is_shared else square_root(builder, high)
    places = [_PLACE(number) for number in range(scalars.width)]
    every = ir.Constant(ir.VectorType(_PLACE, scalars.width), places)
    return builder.shuffle_vector(square_root(builder, low), second, every)


def _computed(builder: ir.IRBuilder, value: ir.Value) -> ir.Value:
    """The roots of a vector, by operations if all its elements are usual."""
    scalars = scalars_of(builder, value)
    x = Real(scalars, value)
    least, most = scalars.key(_LEAST[scalars.dtype]), scalars.key(float("inf"))
    is_usual = (x.bits() - least).is_under(most - least)
    with builder.if_else((~is_usual).any(), likely=False) as (then, otherwise):
        with then:
            taken, after_root = x.sqrt(), builder.block
        with otherwise:
            computed, after_sequence = _of_usual(x), builder.block
    found = builder.phi(value.type)
    found.add_incoming(taken.value, after_root)
    found.add_incoming(computed.value, after_sequence)
    return found


def _of_usual(x: Real) -> Real:
    y = _reciprocal_root(x)
    g, h = x * y, y * 0.5
    for _ in range(_STEPS[x.scalars.dtype]):
        r = (-g).fused(h, 0.5)
        g, h = g.fused(r, g), h.fused(r, h)
    return h.fused((-g).fused(g, x), g)


def _reciprocal_root(x: Real) -> Real:
    """``1 / sqrt(x)``, to 14 bits."""
    scalars, type_ = x.scalars, x.value.type
    mask = ir.IntType(max(scalars.width, 8))
    module = scalars.builder.module
    suffix = "ps" if scalars.dtype == "f32" else "pd"
    name = f"llvm.x86.avx512.rsqrt14.{suffix}.{_BITS[scalars.dtype] * scalars.width}"
    function: ir.Function | None = module.globals.get(name)
    if function is None:
        function = ir.Function(module, ir.FunctionType(type_, [type_, type_, mask]), name)
    arguments = [x.value, scalars.real(0.0).value, mask(-1)]
    return Real(scalars, scalars.builder.call(function, arguments))
