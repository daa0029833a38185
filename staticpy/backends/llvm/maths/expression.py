"""LLVM expressions that read like formulas: all of this library is written in them.

In: an IRBuilder, a dtype (``f32``, ``f64``), and what the target has: fused multiply-add. Out:
arithmetic, selects and bit tricks, with no call but intrinsics, of one number or of a vector of
them. The only branch is `unless_rare`.

Reals are compared through their bits (``Real.below``): the packed ``<`` and ``min`` of x86 raise
the invalid flag for a NaN, at which NumPy's functions are silent.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.vectors import (
    any_of,
    constant,
    declare_intrinsic,
    have_bits,
    lanes,
)

MANTISSA = {"f32": 23, "f64": 52}
_BIAS = {"f32": 127, "f64": 1023}
_FLOAT = {"f32": ir.FloatType(), "f64": ir.DoubleType()}
_WORD = {"f32": ir.IntType(32), "f64": ir.IntType(64)}


def type_of(dtype: str, width: int) -> ir.Type:
    """The type of a number of ``dtype``, or of a vector of ``width`` numbers."""
    return _FLOAT[dtype] if width == 1 else ir.VectorType(_FLOAT[dtype], width)


_AS_SET = 4
"""How AVX-512's instructions are told to round as the processor is set to."""

_SPLIT = {"f32": 0x1001, "f64": 0x8000001}


@dataclass(frozen=True)
class Scalars:
    """The builder of one function, with the format of its numbers, and how many it takes."""

    builder: ir.IRBuilder
    dtype: str
    fma: bool
    scaling: bool = False
    width: int = 1

    @property
    def float_type(self) -> ir.Type:
        """The type of the numbers."""
        return type_of(self.dtype, self.width)

    @property
    def word_type(self) -> ir.Type:
        """The type of integers as wide as the numbers."""
        word = _WORD[self.dtype]
        return word if self.width == 1 else ir.VectorType(word, self.width)

    @property
    def mantissa(self) -> int:
        """How many bits of the mantissa are stored."""
        return MANTISSA[self.dtype]

    @property
    def bias(self) -> int:
        """What is added to the exponent in a number's bits."""
        return _BIAS[self.dtype]

    @property
    def sign(self) -> int:
        """The bit of the sign."""
        return 1 << 31 if self.dtype == "f32" else 1 << 63

    @property
    def rounding(self) -> float:
        """1.5 · 2^mantissa: a number added to it is rounded to an integer, in the lowest bits."""
        return 1.5 * 2.0**self.mantissa

    def real(self, value: float) -> Real:
        """A constant, rounded to the format."""
        return Real(self, constant(self.float_type, value))

    def bits(self, value: int) -> Bits:
        """An integer constant of the numbers' width."""
        return Bits(self, constant(self.word_type, value))

    def intrinsic(self, name: str, *arguments: ir.Value) -> ir.Value:
        """A call of an intrinsic function on the numbers."""
        module = self.builder.module
        function = declare_intrinsic(module, name, self.float_type, len(arguments))
        return self.builder.call(function, arguments)

    @property
    def _width_in_bits(self) -> int:
        return self.width * self.sign.bit_length()

    @property
    def scales(self) -> bool:
        """Whether ``scalef`` is there for such vectors."""
        return self.scaling and self._width_in_bits in (256, 512)

    def scalef(self, number: ir.Value, exponent: ir.Value) -> ir.Value:
        """``number`` times 2^``exponent``, rounded once: AVX-512's instruction on vectors."""
        bits = self._width_in_bits
        kind = "ps" if self.dtype == "f32" else "pd"
        name = f"llvm.x86.avx512.mask.scalef.{kind}.{bits}"
        mask = ir.IntType(max(self.width, 8))
        rest: list[ir.Value] = [self.real(0.0).value, mask(-1)]
        if bits == 512:
            rest.append(ir.IntType(32)(_AS_SET))
        arguments = [number, exponent, *rest]
        function: ir.Function | None = self.builder.module.globals.get(name)
        if function is None:
            type_ = ir.FunctionType(self.float_type, [each.type for each in arguments])
            function = ir.Function(self.builder.module, type_, name)
        return self.builder.call(function, arguments)

    def key(self, value: float) -> int:
        """The bits of a constant that isn't negative: the magnitudes' order is theirs."""
        float_code, word_code = ("<f", "<i") if self.dtype == "f32" else ("<d", "<q")
        key: int = struct.unpack(word_code, struct.pack(float_code, value))[0]
        return key


def scalars_of(builder: ir.IRBuilder, value: ir.Value) -> Scalars:
    """The format of a float or of a vector of them, on a target with fused multiply-add."""
    element = value.type.element if isinstance(value.type, ir.VectorType) else value.type
    dtype = "f32" if isinstance(element, ir.FloatType) else "f64"
    return Scalars(builder, dtype, fma=True, width=lanes(value))


@dataclass(frozen=True)
class Condition:
    """A truth value of each element."""

    scalars: Scalars
    value: ir.Value

    def __and__(self, other: Condition) -> Condition:
        return Condition(self.scalars, self.scalars.builder.and_(self.value, other.value))

    def __or__(self, other: Condition) -> Condition:
        return Condition(self.scalars, self.scalars.builder.or_(self.value, other.value))

    def __invert__(self) -> Condition:
        return Condition(self.scalars, self.scalars.builder.not_(self.value))

    def any(self) -> ir.Value:
        """Whether it holds for an element: one bit, to branch on."""
        return any_of(self.scalars.builder, self.value)

    def select(self, yes: Real, no: Real | float) -> Real:
        """``yes`` where it holds, else ``no``; both have been computed."""
        other = no if isinstance(no, Real) else self.scalars.real(no)
        return Real(self.scalars, self.scalars.builder.select(self.value, yes.value, other.value))

    def choose(self, yes: Bits, no: Bits) -> Bits:
        """As ``select``, of integers."""
        return Bits(self.scalars, self.scalars.builder.select(self.value, yes.value, no.value))


@dataclass(frozen=True)
class Bits:
    """An integer as wide as the numbers."""

    scalars: Scalars
    value: ir.Value

    def _other(self, other: Bits | int) -> ir.Value:
        return other.value if isinstance(other, Bits) else self.scalars.bits(other).value

    def _made(self, value: ir.Value) -> Bits:
        return Bits(self.scalars, value)

    def __add__(self, other: Bits | int) -> Bits:
        return self._made(self.scalars.builder.add(self.value, self._other(other)))

    def __sub__(self, other: Bits | int) -> Bits:
        return self._made(self.scalars.builder.sub(self.value, self._other(other)))

    def __and__(self, other: Bits | int) -> Bits:
        return self._made(self.scalars.builder.and_(self.value, self._other(other)))

    def __or__(self, other: Bits | int) -> Bits:
        return self._made(self.scalars.builder.or_(self.value, self._other(other)))

    def __xor__(self, other: Bits | int) -> Bits:
        return self._made(self.scalars.builder.xor(self.value, self._other(other)))

    def __lshift__(self, count: int) -> Bits:
        return self._made(self.scalars.builder.shl(self.value, self._other(count)))

    def __rshift__(self, count: int) -> Bits:
        """The shift that brings zeros in: AVX2 has no other one for 64 bits."""
        return self._made(self.scalars.builder.lshr(self.value, self._other(count)))

    def __lt__(self, other: Bits | int) -> Condition:
        found = self.scalars.builder.icmp_signed("<", self.value, self._other(other))
        return Condition(self.scalars, found)

    def __gt__(self, other: Bits | int) -> Condition:
        found = self.scalars.builder.icmp_signed(">", self.value, self._other(other))
        return Condition(self.scalars, found)

    def is_under(self, other: Bits | int) -> Condition:
        """Whether it is less, of integers without a sign."""
        found = self.scalars.builder.icmp_unsigned("<", self.value, self._other(other))
        return Condition(self.scalars, found)

    def least(self, other: Bits | int, *, is_signed: bool) -> Bits:
        """The smaller one, of integers with a sign or without."""
        builder, value = self.scalars.builder, self._other(other)
        compare = builder.icmp_signed if is_signed else builder.icmp_unsigned
        return self._made(builder.select(compare("<", self.value, value), self.value, value))

    def most(self, other: Bits | int) -> Bits:
        """The larger one, of integers with a sign."""
        return (self > other).choose(self, self._made(self._other(other)))

    def equals(self, other: Bits | int) -> Condition:
        """Whether both are the same."""
        found = self.scalars.builder.icmp_signed("==", self.value, self._other(other))
        return Condition(self.scalars, found)

    def has(self, mask: int) -> ir.Value:
        """Whether an element has one of these bits: one bit, to branch on."""
        return have_bits(self.scalars.builder, self.value, mask)

    def real(self) -> Real:
        """The number that has these bits."""
        scalars = self.scalars
        return Real(scalars, scalars.builder.bitcast(self.value, scalars.float_type))

    def converted(self) -> Real:
        """The number that this small integer is (|i| < 2^(mantissa - 1)), by an addition alone."""
        rounding = self.scalars.rounding
        return (self + self.scalars.key(rounding)).real() - rounding


@dataclass(frozen=True)
class Real:
    """A floating-point number; every operator rounds once, as IEEE 754 says."""

    scalars: Scalars
    value: ir.Value

    def _other(self, other: Real | float) -> ir.Value:
        return other.value if isinstance(other, Real) else self.scalars.real(other).value

    def _made(self, value: ir.Value) -> Real:
        return Real(self.scalars, value)

    def __add__(self, other: Real | float) -> Real:
        return self._made(self.scalars.builder.fadd(self.value, self._other(other)))

    def __sub__(self, other: Real | float) -> Real:
        return self._made(self.scalars.builder.fsub(self.value, self._other(other)))

    def __mul__(self, other: Real | float) -> Real:
        return self._made(self.scalars.builder.fmul(self.value, self._other(other)))

    def __truediv__(self, other: Real | float) -> Real:
        return self._made(self.scalars.builder.fdiv(self.value, self._other(other)))

    def __neg__(self) -> Real:
        return self._made(self.scalars.builder.fneg(self.value))

    def __radd__(self, other: float) -> Real:
        return self.scalars.real(other) + self

    def __rsub__(self, other: float) -> Real:
        return self.scalars.real(other) - self

    def __rmul__(self, other: float) -> Real:
        return self.scalars.real(other) * self

    def __rtruediv__(self, other: float) -> Real:
        return self.scalars.real(other) / self

    def bits(self) -> Bits:
        """The bits, as an integer."""
        return Bits(
            self.scalars,
            self.scalars.builder.bitcast(self.value, self.scalars.word_type),
        )

    def magnitude_bits(self) -> Bits:
        """The bits without the sign: in the order of the magnitudes, infinity and then NaN last."""
        return self.bits() & (self.scalars.sign - 1)

    def magnitude(self) -> Real:
        """|x|."""
        return self.magnitude_bits().real()

    def sign_bit(self) -> Bits:
        """The bit of the sign alone."""
        return self.bits() ^ self.magnitude_bits()

    def with_sign_of(self, other: Real) -> Real:
        """|x| with the sign of ``other``."""
        return (self.magnitude_bits() | other.sign_bit()).real()

    def below(self, bound: float) -> Condition:
        """Whether |x| < bound; false for a NaN."""
        return self.magnitude_bits() < self.scalars.key(bound)

    def between(self, below: float, above: float) -> Real:
        """The number, or the nearest of -``below`` and ``above``; above it for a NaN or below.

        The bits of numbers that aren't negative are in their order; those of negative ones are
        above them as integers without a sign, in the order of the magnitudes.
        """
        scalars = self.scalars
        bits = self.bits().least(scalars.key(above), is_signed=True)
        return bits.least(scalars.sign | scalars.key(below), is_signed=False).real()

    def is_magnitude(self, value: float) -> Condition:
        """Whether |x| is a constant: 0 and infinity for instance."""
        return self.magnitude_bits().equals(self.scalars.key(value))

    def is_negative(self) -> Condition:
        """Whether the sign is set, of -0 and of a NaN too."""
        return self.bits() < 0

    def is_nan(self) -> Condition:
        """Whether it is a NaN."""
        return self.magnitude_bits() > self.scalars.key(float("inf"))

    def if_nan(self, result: Real) -> Real:
        """The number where it is a NaN, else ``result``: by the one comparison of floats that says
        nothing of a NaN by a flag.
        """
        found = self.scalars.builder.fcmp_unordered("uno", self.value, self.value)
        return Condition(self.scalars, found).select(self, result)

    def is_finite(self) -> Condition:
        """Whether it is neither infinite nor a NaN."""
        return self.below(float("inf"))

    def times_plus(self, factor: Real | float, term: Real | float) -> Real:
        """The number times factor + term: rounded once where the target can, else twice."""
        if not self.scalars.fma:
            return self * factor + term
        return self.fused(factor, term)

    def fused(self, factor: Real | float, term: Real | float) -> Real:
        """The number times factor + term, rounded once; only for a target that has it."""
        arguments = [self.value, self._other(factor), self._other(term)]
        return self._made(self.scalars.intrinsic("llvm.fma", *arguments))

    def sqrt(self) -> Real:
        """The square root, rounded correctly; invalid for what is negative."""
        return self._made(self.scalars.intrinsic("llvm.sqrt", self.value))

    def is_integer(self) -> Condition:
        """Whether it is an integer or infinite."""
        nearest_ = self._made(self.scalars.intrinsic("llvm.rint", self.value))
        return nearest_.bits().equals(self.bits())

    def widened(self) -> Real:
        """The same number in f64."""
        wide = replace(self.scalars, dtype="f64")
        return Real(wide, wide.builder.fpext(self.value, wide.float_type))

    def narrowed(self) -> Real:
        """The nearest number in f32."""
        narrow = replace(self.scalars, dtype="f32")
        return Real(narrow, narrow.builder.fptrunc(self.value, narrow.float_type))

    def scaled(self, exponent: Exponent, *, is_normal: bool = False) -> Real:
        """The number times 2^exponent, of an exponent that one of a number is, or twice that.

        Where the target has no instruction for it, in two steps, so that a subnormal result is
        rounded once; in one where the power and the result are known to be normal.
        """
        scalars, k = self.scalars, exponent.bits
        if scalars.scales:
            return self._made(scalars.scalef(self.value, exponent.number.value))
        if is_normal:
            return self * power_of_two(k)
        half = (k + 4096 >> 1) - 2048
        return self * power_of_two(half) * power_of_two(k - half)


@dataclass(frozen=True)
class Exponent:
    """An integer (below 2^(mantissa - 1)), as a number and as one."""

    number: Real
    bits: Bits


def unless_rare(
    rare: Condition, usual: Sequence[Real], otherwise: Callable[[], Sequence[Real]]
) -> list[Real]:
    """What has been computed or, where something is rare about one of the elements, what
    ``otherwise`` emits behind a branch.
    """
    builder = rare.scalars.builder
    before = builder.block
    with builder.if_then(rare.any(), likely=False):
        others = otherwise()
        inside = builder.block
    found = []
    for one, other in zip(usual, others, strict=True):
        phi = builder.phi(one.value.type)
        phi.add_incoming(one.value, before)
        phi.add_incoming(other.value, inside)
        found.append(Real(one.scalars, phi))
    return found


def power_of_two(exponent: Bits) -> Real:
    """2^exponent, of an exponent that a normal number has."""
    scalars = exponent.scalars
    return (exponent + scalars.bias << scalars.mantissa).real()


def raised(x: Real, exponent: Bits) -> Real:
    """X · 2^exponent where it and x are normal numbers."""
    return (x.bits() + (exponent << x.scalars.mantissa)).real()


def polynomial(x: Real, coefficients: Sequence[float]) -> Real:
    """c0 + c1 x + c2 x² + …, by Horner's rule."""
    *rest, last = coefficients
    result = x.scalars.real(last)
    for coefficient in reversed(rest):
        result = result.times_plus(x, coefficient)
    return result


def polynomial_by_pairs(x: Real, coefficients: Sequence[float]) -> Real:
    """The same in half the steps, one after the other, by Estrin's scheme."""
    terms = [
        x.times_plus(pair[1], pair[0]) if len(pair) == 2 else x.scalars.real(pair[0])
        for pair in (coefficients[start : start + 2] for start in range(0, len(coefficients), 2))
    ]
    square = x * x
    result = terms.pop()
    for term in reversed(terms):
        result = result.times_plus(square, term)
    return result


def nearest(x: Real, factor: float) -> Exponent:
    """The integer nearest to x · factor."""
    rounding = x.scalars.rounding
    shifted = x.times_plus(factor, rounding)
    return Exponent(shifted - rounding, shifted.bits() - x.scalars.key(rounding))


def two_sum(a: Real, b: Real) -> tuple[Real, Real]:
    """A + b and what its rounding lost, exactly (Knuth)."""
    total = a + b
    rounded = total - a
    return total, (a - (total - rounded)) + (b - rounded)


def fast_two_sum(a: Real, b: Real) -> tuple[Real, Real]:
    """As ``two_sum``, where |a| ≥ |b| or a = 0 (Dekker)."""
    total = a + b
    return total, b - (total - a)


def split(a: Real) -> tuple[Real, Real]:
    """Two numbers of half the bits each, whose sum is ``a`` (Veltkamp)."""
    scaled = a * _SPLIT[a.scalars.dtype]
    high = scaled - (scaled - a)
    return high, a - high


def two_product(a: Real, b: Real) -> tuple[Real, Real]:
    """A · b and what its rounding lost, exactly (Dekker where there is no fused operation)."""
    product = a * b
    if a.scalars.fma:
        return product, a.fused(b, -product)
    a1, a2 = split(a)
    b1, b2 = split(b)
    return product, ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2
