"""``%``, ``//`` and ``np.fmod`` of floats, as NumPy computes them, on one element or on a vector.

In: a dividend and a divisor. Out: what is left of their division, with the sign of the divisor or
of the dividend (``fmod``), or the quotient, rounded down; each bit and flag is NumPy's.

What is left is exact, so that there is one right answer however it is computed. Here it is
``x - q y`` with one rounding, which does nothing, for the quotient q of the processor, cut off: q
may be too large by 1 where its rounding went up, and then y is added again. That is so where q has
fewer bits than the mantissa. Elsewhere, and for infinities, NaNs, zeros and subnormal divisors, the
C library is asked, element by element, with NumPy's steps (``npy_divmod``) one after the other.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.capi import declare
from staticpy.backends.llvm.maths.expression import Bits, Condition, Real, Scalars, unless_rare
from staticpy.backends.llvm.vectors import constant, declare_intrinsic, lanes, type_suffix

Rule = Callable[..., ir.Value]
_Usual = Callable[[Real, Real, Real, Condition], Real]
"""From the operands, what fmod leaves of them, and whether it needs the divisor's sign."""


def _scalars(builder: ir.IRBuilder, value: ir.Value) -> Scalars:
    dtype = "f32" if type_suffix(value.type).endswith("f32") else "f64"
    return Scalars(builder, dtype, fma=True, width=lanes(value))


def _by(name: str, usual: _Usual) -> Rule:
    def rule(builder: ir.IRBuilder, x: ir.Value, y: ir.Value) -> ir.Value:
        scalars = _scalars(builder, x)
        a, b = Real(scalars, x), Real(scalars, y)
        is_usual = _is_usual(a, b, knows_quotient=name == "floor_divide")
        one, other = (is_usual.select(each, 1.0) for each in (a, b))
        left = _fmod(one, other)
        turns = ~_is_zero(left) & ((left.bits() ^ other.bits()) < 0)
        quick = usual(one, other, left, turns)
        (found,) = unless_rare(~is_usual, [quick], partial(_each, name, a, b))
        return found.value

    return rule


def _is_usual(x: Real, y: Real, *, knows_quotient: bool) -> Condition:
    """Whether both are finite, the divisor is normal, and the quotient is below 2^mantissa; and
    whether it doesn't underflow, if that is computed, too.
    """
    scalars = x.scalars
    one, other = x.magnitude_bits(), y.magnitude_bits()
    least, infinite = 1 << scalars.mantissa, scalars.key(float("inf"))
    is_usual = (one < infinite) & (other - least).is_under(infinite - least)
    is_usual &= one - other < (scalars.mantissa - 1) << scalars.mantissa
    if knows_quotient:
        is_far = other - one > (scalars.bias - 2) << scalars.mantissa
        is_usual &= ~is_far | one.equals(0)
    return is_usual


def _fmod(x: Real, y: Real) -> Real:
    """What is left, of usual operands."""
    is_shorter = x.magnitude_bits() < y.magnitude_bits()
    a, b = (is_shorter.select(x.scalars.real(1.0), each.magnitude()) for each in (x, y))
    quotient = _rounded("trunc", a / b)
    left = (-quotient).fused(b, a)
    left += left.is_negative().select(b, x.scalars.real(0.0))
    return is_shorter.select(x, left.with_sign_of(x))


def _rounded(name: str, x: Real) -> Real:
    return Real(x.scalars, x.scalars.intrinsic(f"llvm.{name}", x.value))


def _is_zero(x: Real) -> Condition:
    return x.magnitude_bits().equals(0)


def _zero_with(sign: Bits) -> Real:
    return (sign & sign.scalars.sign).real()


def _remainder(_: Real, y: Real, left: Real, turns: Condition) -> Real:
    turned = left + turns.select(y, 0.0)
    return _is_zero(left).select(_zero_with(y.bits()), turned)


def _floor_divide(x: Real, y: Real, left: Real, turns: Condition) -> Real:
    scalars = x.scalars
    quotient = (x - left) / y - turns.select(scalars.real(1.0), 0.0)
    whole = _rounded("floor", quotient)
    is_above = (quotient - whole).bits() > scalars.key(0.5)
    nearest = whole + is_above.select(scalars.real(1.0), 0.0)
    return _is_zero(quotient).select(_zero_with(x.bits() ^ y.bits()), nearest)


MODULI: dict[str, Rule] = {
    "fmod": _by("fmod", lambda _x, _y, left, _turns: left),
    "remainder": _by("remainder", _remainder),
    "floor_divide": _by("floor_divide", _floor_divide),
}
"""The functions, by their names; all for processors that multiply and add with one rounding."""


# --- one element ----------------------------------------------------------------------------------


def _each(name: str, x: Real, y: Real) -> list[Real]:
    """One element after the other."""
    scalars = x.scalars
    builder, function = scalars.builder, _of_one(scalars, name)
    if scalars.width == 1:
        return [Real(scalars, builder.call(function, [x.value, y.value]))]
    found: ir.Value = ir.Constant(x.value.type, ir.Undefined)
    for place in map(ir.IntType(32), range(scalars.width)):
        pair = [builder.extract_element(each.value, place) for each in (x, y)]
        found = builder.insert_element(found, builder.call(function, pair), place)
    return [Real(scalars, found)]


def _of_one(scalars: Scalars, name: str) -> ir.Function:
    """The function of numbers."""
    module = scalars.builder.module
    symbol = f"staticpy.{name}.{scalars.dtype}"
    known: ir.Function | None = module.globals.get(symbol)
    if known is not None:
        return known
    type_ = ir.FloatType() if scalars.dtype == "f32" else ir.DoubleType()
    function = ir.Function(module, ir.FunctionType(type_, [type_, type_]), symbol)
    function.linkage = "internal"
    function.attributes.add("noinline")
    builder = ir.IRBuilder(function.append_basic_block())
    _OF_ONE[name](_One(builder, function))
    return function


class _One:
    """Emits NumPy's steps for one element."""

    def __init__(self, builder: ir.IRBuilder, function: ir.Function) -> None:
        self.builder = builder
        self.x, self.y = function.args
        self._scalars = _scalars(builder, self.x)

    def _is(self, value: ir.Value, number: float) -> ir.Value:
        return self.builder.fcmp_ordered("==", value, constant(value.type, number))

    def _is_negative(self, value: ir.Value) -> ir.Value:
        """Whether it is below 0, which neither a zero nor a NaN is."""
        real = Real(self._scalars, value)
        is_number = ~(real.is_nan() | _is_zero(real))
        return (real.is_negative() & is_number).value

    def _copysign(self, magnitude: ir.Value, sign: ir.Value) -> ir.Value:
        intrinsic = declare_intrinsic(self.builder.module, "llvm.copysign", sign.type, 2)
        return self.builder.call(intrinsic, [magnitude, sign])

    def _left(self) -> ir.Value:
        name = "fmodf" if self._scalars.dtype == "f32" else "fmod"
        return self.builder.call(declare(self.builder.module, name), [self.x, self.y])

    def _turns(self, left: ir.Value) -> ir.Value:
        builder = self.builder
        signs = builder.xor(self._is_negative(self.y), self._is_negative(left))
        return builder.and_(builder.not_(self._is(left, 0.0)), signs)

    def fmod(self) -> None:
        self.builder.ret(self._left())

    def remainder(self) -> None:
        builder, zero = self.builder, constant(self.x.type, 0.0)
        left = self._left()
        with builder.if_then(self._is(self.y, 0.0)):
            builder.ret(left)
        with builder.if_then(self._is(left, 0.0)):
            builder.ret(self._copysign(zero, self.y))
        with builder.if_then(self._turns(left)):
            builder.ret(builder.fadd(left, self.y))
        builder.ret(left)

    def floor_divide(self) -> None:
        builder, (zero, one) = self.builder, (constant(self.x.type, n) for n in (0, 1))
        with builder.if_then(self._is(self.y, 0.0)):
            builder.ret(builder.fdiv(self.x, self.y))
        left = self._left()
        quotient = builder.fdiv(builder.fsub(self.x, left), self.y)
        quotient = builder.select(self._turns(left), builder.fsub(quotient, one), quotient)
        with builder.if_then(self._is(quotient, 0.0)):
            builder.ret(self._copysign(zero, builder.fdiv(self.x, self.y)))
        floor = declare_intrinsic(builder.module, "llvm.floor", quotient.type, 1)
        whole = builder.call(floor, [quotient])
        rest = Real(self._scalars, builder.fsub(quotient, whole))
        is_above = ~rest.is_nan() & (rest.bits() > self._scalars.key(0.5))
        builder.ret(builder.select(is_above.value, builder.fadd(whole, one), whole))


_OF_ONE: dict[str, Callable[[_One], None]] = {
    "fmod": _One.fmod,
    "remainder": _One.remainder,
    "floor_divide": _One.floor_divide,
}
