"""The reduction of sin, cos and tan: x = k π/2 + r with |r| ≤ π/4.

Below 2^20 by Cody and Waite's scheme: π/2 in parts, of which k times all but the last is exact.
Above, where x holds more turns than these parts have bits, by Payne and Hanek's (Radian reduction
for trigonometric functions, 1983): of 2/π only the bits are multiplied that matter for the fraction
of x · 2/π and for k modulo 4. That is a function of a number, which is seldom called.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.maths.expression import (
    Bits,
    Condition,
    Real,
    Scalars,
    fast_two_sum,
    two_product,
    unless_rare,
)

_LARGE = 2.0**20
"""From here on k has more than 20 bits."""

_PARTS = (1.5707963267341256, 6.077100506303966e-11, 2.0222662487111665e-21, 8.4784276603689e-32)
"""π/2: three parts of 33 bits, and the rest."""

_TWO_PARTS = (_PARTS[0], 6.077100506506192e-11)
_PER_HALF_PI = 0.6366197723675814
_HALF_PI = (1.5707963267948966, 6.123233995736766e-17)

_I8, _I32, _I64, _WIDE = (ir.IntType(width) for width in (8, 32, 64, 256))

_TWO_OVER_PI = int(
    "a2f9836e4e441529fc2757d1f534ddc0db6295993c439041fe5163abdebbc561b7246e3a424dd2e006492eea09d192"
    "1cfe1deb1cb129a73ee88235f52ebb4484e99c7026b45f7e413991d639835339f49c845f8bbdf9283b1ff897ffde05"
    "980fef2f118b5a0a6d1f6d367ecf27cb09b74f463f669e5fea2d7527bac7ebe5f17b3d0739f78a5292ea6bfb5fb11f"
    "8d5d0856033046fc7b6babf0",
    16,
)
_FRACTION_BITS = 1224
"""2/π is the number above divided by 2^1224."""


def quadrant(x: Real) -> tuple[Real, Real, Bits]:
    """(r, low, k) with |x| = k π/2 + r + low and |r| ≤ π/4, k modulo 4; of an f64.

    Of an infinite number a NaN, which is an invalid operation.
    """
    is_small = x.below(_LARGE)
    size = is_small.select(x.magnitude(), 0.0)
    k_real, k = _count(size * _PER_HALF_PI)
    r = size - k_real * _PARTS[0]
    r, lost = fast_two_sum(r, -(k_real * _PARTS[1]))
    r, lost_too = fast_two_sum(r, -(k_real * _PARTS[2]))
    low = (lost + lost_too) - k_real * _PARTS[3]
    r, low, k_bits = _or_large(_Turn(1, 0), x.magnitude(), is_small, (r, low, k.real()))
    return r, low, k_bits.bits()


def turn_of_single(x: Real, *, quarters: int, added: int = 0) -> tuple[Real, Bits]:
    """(r, k) with x + added · π/2 = k · quarters · π/2 + r, of an f32 that was widened.

    r is at most half of that and near enough for an f32; k is right modulo 4 / quarters.
    """
    is_small = x.below(_LARGE)
    size = is_small.select(x, 0.0)
    shift = added / quarters
    k_real, k = _count(size.times_plus(_PER_HALF_PI / quarters, shift))
    count = k_real - shift
    r = count.times_plus(-quarters * _TWO_PARTS[0], size)
    r = count.times_plus(-quarters * _TWO_PARTS[1], r)
    r, _, k_bits = _or_large(_Turn(quarters, added), x, is_small, (r, r, k.real()))
    return r, k_bits.bits()


def _count(x: Real) -> tuple[Real, Bits]:
    """The nearest integer, as a number and, in its lowest bits, as an integer."""
    shifted = x + x.scalars.rounding
    return shifted - x.scalars.rounding, shifted.bits()


@dataclass(frozen=True)
class _Turn:
    """What large numbers are reduced by: so many quarters, after so many were added."""

    quarters: int
    added: int


def _or_large(turn: _Turn, x: Real, is_small: Condition, found: Sequence[Real]) -> list[Real]:
    """What was found or, for elements that are large, infinite or NaN, what `_large` gives."""

    def large() -> list[Real]:
        usable = (~is_small & x.is_finite()).select(x, _LARGE)
        r, low, k = _large_elements(turn, usable)
        # Infinity less itself is no number.
        r = x.is_finite().select(r, x - x)
        return [is_small.select(*pair) for pair in zip(found, (r, low, k), strict=True)]

    return unless_rare(~is_small, found, large)


def _large_elements(turn: _Turn, x: Real) -> list[Real]:
    """`_large` of each element; k as the number that has its bits."""
    scalars = x.scalars
    builder = scalars.builder
    function = _large(turn, builder.module, fma=scalars.fma)
    if scalars.width == 1:
        found = builder.call(function, [x.value])
        return [Real(scalars, builder.extract_value(found, part)) for part in range(3)]
    results: list[ir.Value] = [ir.Constant(scalars.float_type, ir.Undefined)] * 3
    for place in map(_I32, range(scalars.width)):
        found = builder.call(function, [builder.extract_element(x.value, place)])
        results = [
            builder.insert_element(result, builder.extract_value(found, part), place)
            for part, result in enumerate(results)
        ]
    return [Real(scalars, result) for result in results]


def _large(turn: _Turn, module: ir.Module, *, fma: bool) -> ir.Function:
    """(r, low, k) of an f64 that is finite and whose magnitude is not below 2^20."""
    name = f"staticpy.large_in_turns.{turn.quarters}.{turn.added}"
    known: ir.Function | None = module.globals.get(name)
    if known is not None:
        return known
    number = ir.DoubleType()
    result = ir.LiteralStructType([number] * 3)
    function = ir.Function(module, ir.FunctionType(result, [number]), name)
    function.linkage = "internal"
    for attribute in ("noinline", "cold", "nounwind"):
        function.attributes.add(attribute)
    builder = ir.IRBuilder(function.append_basic_block())
    scalars = Scalars(builder, "f64", fma)
    x = Real(scalars, function.args[0])
    quarters = builder.add(_quarters(x), _WIDE(turn.added << 254))
    unit = 253 + turn.quarters
    rounded = builder.lshr(builder.add(quarters, _WIDE(1 << unit - 1)), _WIDE(unit))
    k = Bits(scalars, builder.trunc(rounded, _I64))
    r, low = _fraction(scalars, builder.shl(quarters, _WIDE(256 - unit)), turn.quarters)
    found: ir.Value = ir.Constant(result, ir.Undefined)
    for place, part in enumerate((r, low, k.real())):
        found = builder.insert_value(found, part.value, place)
    builder.ret(found)
    return function


def _quarters(x: Real) -> ir.Value:
    """The quarters in x modulo 4, x · 2/π, in units of 2^-254.

    |x| is m · 2^e. m is multiplied by 256 bits of 2/π, from a byte on such that the product, modulo
    2^256, has its point between the bits 247 and 254.
    """
    scalars = x.scalars
    builder = scalars.builder
    bits = x.magnitude_bits()
    exponent = (bits >> 52) - (scalars.bias + 52)
    mantissa = (bits & ((1 << 52) - 1)) | 1 << 52
    above = scalars.bits(_FRACTION_BITS - 247) - exponent
    place = builder.gep(_table(builder.module), [(above >> 3).value], source_etype=_I8)
    digits = builder.load(place, typ=_WIDE, align=1)
    product = builder.mul(digits, builder.zext(mantissa.value, _WIDE))
    missing = scalars.bits(7) - (above & 7)
    turned = builder.shl(product, builder.zext(missing.value, _WIDE))
    return builder.select(x.is_negative().value, builder.neg(turned), turned)


def _fraction(scalars: Scalars, fraction: ir.Value, quarters: int) -> tuple[Real, Real]:
    """A fraction between -½ and ½, in units of 2^-256, of so many quarters, in two parts."""
    builder = scalars.builder
    negative = builder.icmp_signed("<", fraction, _WIDE(0))
    size = builder.select(negative, builder.neg(fraction), fraction)
    zeros = builder.ctlz(size, ir.IntType(1)(0))
    digits = builder.shl(size, zeros)
    high, low = (_digits(scalars, digits, 256 - 53 * number) for number in (1, 2))
    scale = scalars.bits(scalars.bias - 53) - Bits(scalars, builder.trunc(zeros, _I64))
    sign = Bits(scalars, builder.select(negative, _I64(scalars.sign), _I64(0)))
    unit = ((scale << 52) | sign).real()
    high, low = high * unit, low * unit * 2.0**-53
    first, second = (quarters * part for part in _HALF_PI)
    product, lost = two_product(high, scalars.real(first))
    return fast_two_sum(product, lost + (high * second + low * first))


def _digits(scalars: Scalars, digits: ir.Value, lowest: int) -> Real:
    """53 bits as a number."""
    builder = scalars.builder
    found = builder.trunc(builder.lshr(digits, _WIDE(lowest)), _I64)
    found = builder.and_(found, _I64((1 << 53) - 1))
    return Real(scalars, builder.uitofp(found, scalars.float_type))


def _table(module: ir.Module) -> ir.GlobalVariable:
    """The bytes of 2/π, the lowest first, and room for the last ones to be read as 256 bits."""
    name = "staticpy.two_over_pi"
    known: ir.GlobalVariable | None = module.globals.get(name)
    if known is not None:
        return known
    content = bytearray(_TWO_OVER_PI.to_bytes(160, "little"))
    type_ = ir.ArrayType(_I8, len(content))
    table = ir.GlobalVariable(module, type_, name)
    table.global_constant = True
    table.linkage = "internal"
    table.initializer = ir.Constant(type_, content)
    return table
