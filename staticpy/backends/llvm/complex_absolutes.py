"""The absolute value of complex elements, as NumPy's vectors compute it.

In: vectors of parts. Out: for each element a float: ``m sqrt(1 + (n/m)²)`` of the larger part m and
the smaller one n, the sum rounded once, which is not always the nearest number. NumPy warns of
nothing here. What could set a flag is rare, and computed with the flags kept.
"""

from __future__ import annotations

from functools import cache, partial

import numpy as np

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.engine import has_fma, register_bytes
from staticpy.backends.llvm.flags import move_register
from staticpy.backends.llvm.forms import F32, I32
from staticpy.backends.llvm.maths.expression import Bits, Real, Scalars, unless_rare
from staticpy.backends.llvm.vectors import all_computed, lanes

_KNOWN = {
    np.dtype(np.complex64): (34 + 47j, float.fromhex("0x1.d011a6p+5")),
    np.dtype(np.complex128): (37 + 123j, 128.44454056128663),
}
"""By dtype a number, and its absolute value if it is computed so. Any other way gives the next."""


@cache
def has_absolute(dtype: np.dtype) -> bool:
    """Whether NumPy computes it so: there are elements for vectors, and some after them."""
    number, expected = _KNOWN[dtype]
    return has_fma() and bool((np.abs(np.full(67, number, dtype)) == expected).all())


def absolute(builder: ir.IRBuilder, re: ir.Value, im: ir.Value) -> ir.Value:
    """The absolute values of elements with these parts."""
    element = re.type.element if isinstance(re.type, ir.VectorType) else re.type
    scalars = Scalars(builder, "f32" if element == F32 else "f64", fma=True, width=lanes(re))
    large, small = _sorted(Real(scalars, re), Real(scalars, im))
    least, infinite = 1 << scalars.mantissa, scalars.key(float("inf"))
    one, other = large.bits(), small.bits()
    is_normal = (one - least).is_under(infinite - 2 * least)
    is_near = (one - other).is_under(infinite - 2 * least)
    is_usual = one.equals(0) | (is_normal & (is_near | other.equals(0)))
    safe = is_usual.select(large, 1.0), is_usual.select(small, 0.0)
    quick = _formula(*safe)
    rare = partial(_without_flags, scalars, large, small)
    (found,) = unless_rare(~is_usual, [quick], lambda: [rare()])
    return found.value


def _sorted(x: Real, y: Real) -> tuple[Real, Real]:
    """The larger magnitude and the smaller one; a NaN is larger than all others."""
    one, other = x.magnitude_bits(), y.magnitude_bits()
    is_less = one < other
    pairs: tuple[tuple[Bits, Bits], ...] = ((other, one), (one, other))
    large, small = (is_less.choose(*pair).real() for pair in pairs)
    return large, small


def _formula(large: Real, small: Real) -> Real:
    scalars = large.scalars
    divisor = large.is_magnitude(0.0).select(scalars.real(1.0), large)
    ratio = small / divisor
    return ratio.fused(ratio, scalars.real(1.0)).sqrt() * large


def _without_flags(scalars: Scalars, large: Real, small: Real) -> Real:
    """By a function that sets no flag."""
    module, type_ = scalars.builder.module, large.value.type
    name = f"staticpy.absolute.{scalars.dtype}x{scalars.width}"
    function = module.globals.get(name)
    if function is None:
        function = ir.Function(module, ir.FunctionType(type_, [type_, type_]), name)
        function.linkage = "internal"
        function.attributes.add("noinline")
        _define(function, scalars)
    return Real(scalars, scalars.builder.call(function, [large.value, small.value]))


def _define(function: ir.Function, outer: Scalars) -> None:
    builder = ir.IRBuilder(function.append_basic_block())
    scalars = Scalars(builder, outer.dtype, fma=True, width=outer.width)
    kept, bits = builder.alloca(I32), 8 * register_bytes()
    move_register(builder, "st", kept)
    # Nothing is computed before the flags are kept, nor after they are set again.
    large, small = (Real(scalars, all_computed(builder, each, bits)) for each in function.args)
    infinite = scalars.real(float("inf"))
    root = _formula(large, small)
    root = large.is_nan().select(scalars.real(float("nan")), root)
    is_infinite = large.is_magnitude(float("inf")) | small.is_magnitude(float("inf"))
    found = all_computed(builder, is_infinite.select(infinite, root).value, bits)
    move_register(builder, "ld", kept)
    builder.ret(found)
