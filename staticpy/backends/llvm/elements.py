"""What each elementwise op is on one element, or on a vector of elements, in LLVM's terms.

In: LLVM values, all of one type, a number or a vector of numbers. Out: the result. One row for each
op; a row for floats, integers or bools tells what it is for these. Nothing here is reordered or
contracted: the results of ``+ - * / sqrt`` and of comparisons are NumPy's, bit for bit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from staticpy.backends.llvm import ir, maths
from staticpy.backends.llvm.complex_absolutes import has_absolute
from staticpy.backends.llvm.complex_elements import COMPLEX, complex_elements, fuses_products
from staticpy.backends.llvm.divisions import divided
from staticpy.backends.llvm.engine import has_fma, has_scaling
from staticpy.backends.llvm.forms import register_type
from staticpy.backends.llvm.moduli import MODULI
from staticpy.backends.llvm.quiet import compared, extremum_beside_known, is_infinity
from staticpy.backends.llvm.roots import square_root
from staticpy.backends.llvm.vectors import (
    constant,
    constrained,
    declare_intrinsic,
    lanes,
    like,
    type_suffix,
)


@dataclass(frozen=True, slots=True)
class Emit:
    """Where to emit, for elements of which dtype, and whether LLVM is to make vectors of them."""

    builder: ir.IRBuilder
    dtype: np.dtype
    in_vectors: bool = False

    @property
    def is_signed(self) -> bool:
        """Whether the elements are integers with a sign."""
        return self.dtype.kind == "i"

    def intrinsic(self, name: str, *arguments: ir.Value) -> ir.Value:
        """A call of an intrinsic function whose arguments and result are of one type."""
        type_ = arguments[0].type
        return self.builder.call(
            declare_intrinsic(self.builder.module, name, type_, len(arguments)), arguments
        )


def element_type(dtype: np.dtype, count: int) -> ir.Type:
    """The type of ``count`` elements of ``dtype`` in a register: of complex ones their parts, as
    they lie in memory.
    """
    type_ = register_type(dtype)
    if isinstance(type_, ir.VectorType):
        return ir.VectorType(type_.element, type_.count * count)
    return type_ if count == 1 else ir.VectorType(type_, count)


def count_of(x: ir.Value, dtype: np.dtype) -> int:
    """How many elements of ``dtype`` there are in a register."""
    return lanes(x) // 2 if dtype.kind == "c" else lanes(x)


def memory_type(dtype: np.dtype, count: int) -> ir.Type:
    """The type of ``count`` elements of ``dtype`` in memory, where a bool takes a byte."""
    return element_type(np.dtype(np.uint8) if dtype.kind == "b" else dtype, count)


def in_memory(builder: ir.IRBuilder, dtype: np.dtype, value: ir.Value) -> ir.Value:
    """A number or vector of elements of ``dtype`` as it is written to memory."""
    if dtype.kind != "b":
        return value
    return builder.zext(value, memory_type(dtype, lanes(value)))


def from_memory(builder: ir.IRBuilder, dtype: np.dtype, loaded: ir.Value) -> ir.Value:
    """The same as elements, of what was read from memory."""
    if dtype.kind != "b":
        return loaded
    return builder.icmp_unsigned("!=", loaded, constant(loaded.type, 0))


Rule = Callable[..., ir.Value]


def _builder(name: str) -> Rule:
    """An instruction."""
    return lambda e, *xs: getattr(e.builder, name)(*xs)


def _intrinsic(name: str) -> Rule:
    return lambda e, *xs: e.intrinsic(f"llvm.{name}", *xs)


def is_nan(e: Emit, x: ir.Value) -> ir.Value:
    """Whether an element is no number."""
    return e.builder.fcmp_unordered("uno", x, x)


def compare(e: Emit, symbol: str, x: ir.Value, y: ir.Value) -> ir.Value:
    """A comparison: with NaN false, but for ``!=``."""
    if e.dtype.kind == "f" and (symbol in _ORDERED or is_infinity(x) or is_infinity(y)):
        return _quietly(e, _PREDICATES[symbol], x, y)
    if e.dtype.kind == "f":
        kind = "fcmp_unordered" if symbol == "!=" else "fcmp_ordered"
    else:
        kind = "icmp_signed" if e.is_signed else "icmp_unsigned"
    compared: ir.Value = getattr(e.builder, kind)(symbol, x, y)
    return compared


_ORDERED = {"<": "olt", "<=": "ole", ">": "ogt", ">=": "oge"}
_PREDICATES = {**_ORDERED, "==": "oeq", "!=": "une"}


def _quietly(e: Emit, predicate: str, x: ir.Value, y: ir.Value) -> ir.Value:
    """A comparison for which a NaN is no invalid operation: for LLVM's own instruction it takes one
    of the processor for which it is. Of the one that knows of flags it makes no vectors.
    """
    if e.in_vectors:
        return compared(e.builder, predicate, x, y)
    return constrained(e.builder, "fcmp", like(ir.IntType(1), x), (x, y), predicate, "maytrap")


ON_BOTH_SIDES = ("add", "subtract", "multiply")
"""What LLVM may compute for both sides of a branch, where all can be done again: it raises flags
for the other side only where that overflows or is infinite, and the twin sees that it need not."""

_ARITHMETIC = {"add": "fadd", "subtract": "fsub", "multiply": "fmul", "true_divide": "fdiv"}


def arithmetic_rule(name: str, dtype: np.dtype) -> Rule | None:
    """An operator of floats that isn't computed where the program doesn't come by: LLVM would do so
    for both sides of a branch, and raise flags.
    """
    instruction = _ARITHMETIC.get(name)
    if instruction is None or dtype.char not in "fd":
        return None
    how = "round.tonearest", "strict"
    return lambda e, x, y: constrained(e.builder, instruction, x.type, (x, y), *how)


def _comparison(symbol: str) -> Rule:
    return lambda e, x, y: compare(e, symbol, x, y)


def _truth(e: Emit, x: ir.Value) -> ir.Value:
    return x if e.dtype.kind == "b" else compare(e, "!=", x, constant(x.type, 0))


def _logical(name: str) -> Rule:
    def rule(e: Emit, x: ir.Value, y: ir.Value) -> ir.Value:
        found: ir.Value = getattr(e.builder, name)(_truth(e, x), _truth(e, y))
        return found

    return rule


def _extremum(symbol: str, *, numbers_win: bool) -> Rule:
    """``maximum`` gives NaN where there is one, ``fmax`` where both are."""

    def rule(e: Emit, x: ir.Value, y: ir.Value) -> ir.Value:
        if e.in_vectors and e.dtype.kind == "f":
            found = extremum_beside_known(e.builder, symbol, x, y, numbers_win=numbers_win)
            if found is not None:
                return found
        wins = compare(e, symbol, x, y)
        if e.dtype.kind == "f":
            wins = e.builder.or_(wins, is_nan(e, y if numbers_win else x))
        return e.builder.select(wins, x, y)

    return rule


def _absolute(e: Emit, x: ir.Value) -> ir.Value:
    if e.dtype.kind == "f":
        return e.intrinsic("llvm.fabs", x)
    if not e.is_signed:
        return x
    negative = compare(e, "<", x, constant(x.type, 0))
    return e.builder.select(negative, e.builder.sub(constant(x.type, 0), x), x)


def _sign(e: Emit, x: ir.Value) -> ir.Value:
    zero, one = constant(x.type, 0), constant(x.type, 1)
    if e.dtype.kind == "u":
        return e.builder.select(compare(e, ">", x, zero), one, zero)
    below = e.builder.select(compare(e, "<", x, zero), constant(x.type, -1), zero)
    result = e.builder.select(compare(e, ">", x, zero), one, below)
    return e.builder.select(is_nan(e, x), x, result) if e.dtype.kind == "f" else result


def _shift(name: str) -> Rule:
    """By the width or more, which for LLVM has no meaning, all bits go out."""

    def rule(e: Emit, x: ir.Value, y: ir.Value) -> ir.Value:
        width = 8 * e.dtype.itemsize
        fits = e.builder.icmp_unsigned("<", y, constant(y.type, width))
        count = e.builder.select(fits, y, constant(y.type, width - 1))
        if name == "shr" and e.is_signed:
            return e.builder.ashr(x, count)
        shifted = (e.builder.shl if name == "shl" else e.builder.lshr)(x, count)
        return e.builder.select(fits, shifted, constant(x.type, 0))

    return rule


def _division(*, gives_rest: bool) -> Rule:
    def rule(e: Emit, x: ir.Value, y: ir.Value) -> ir.Value:
        return divided(e.builder, e.dtype, x, y, gives_rest=gives_rest)

    return rule


def _signbit(e: Emit, x: ir.Value) -> ir.Value:
    bits = like(ir.IntType(8 * e.dtype.itemsize), x)
    return e.builder.icmp_signed("<", e.builder.bitcast(x, bits), constant(bits, 0))


def _is_infinite(e: Emit, x: ir.Value) -> ir.Value:
    magnitude = e.intrinsic("llvm.fabs", x)
    return e.builder.fcmp_ordered("==", magnitude, constant(x.type, float("inf")))


def _is_finite(e: Emit, x: ir.Value) -> ir.Value:
    return compare(e, "<", e.intrinsic("llvm.fabs", x), constant(x.type, float("inf")))


def _reciprocal(e: Emit, x: ir.Value) -> ir.Value:
    return e.builder.fdiv(constant(x.type, 1), x)


def _clip(e: Emit, x: ir.Value, low: ir.Value, high: ir.Value) -> ir.Value:
    """Between bounds that are numbers, for which NumPy has loops of their own: of a bound and an
    element that are both zeros they take the element.
    """
    above = e.builder.select(compare(e, "<", x, low), low, x)
    found = e.builder.select(compare(e, ">", above, high), high, above)
    if e.dtype.kind == "f":
        for bound in (high, low):
            found = e.builder.select(is_nan(e, bound), bound, found)
    return found


def _heaviside(e: Emit, x: ir.Value, at_zero: ir.Value) -> ir.Value:
    zero, one = constant(x.type, 0), constant(x.type, 1)
    step = e.builder.select(compare(e, "<", x, zero), zero, one)
    step = e.builder.select(compare(e, "==", x, zero), at_zero, step)
    return e.builder.select(is_nan(e, x), constant(x.type, np.nan), step)


def _scaled(numerator: float, denominator: float) -> Rule:
    """Times a constant, which NumPy has rounded to the dtype."""

    def rule(e: Emit, x: ir.Value) -> ir.Value:
        factor = e.dtype.type(numerator) / e.dtype.type(denominator)
        return e.builder.fmul(x, constant(x.type, float(factor)))

    return rule


def _bit_count(e: Emit, x: ir.Value) -> ir.Value:
    count = e.intrinsic("llvm.ctpop", _absolute(e, x))
    byte = element_type(np.dtype(np.uint8), lanes(x))
    return count if count.type == byte else e.builder.trunc(count, byte)


def _never(_: Emit, x: ir.Value) -> ir.Value:
    return constant(like(ir.IntType(1), x), 0)


def _always(_: Emit, x: ir.Value) -> ir.Value:
    return constant(like(ir.IntType(1), x), 1)


def _logical_not(e: Emit, x: ir.Value) -> ir.Value:
    return e.builder.not_(_truth(e, x))


def _of_builder(rule: Rule) -> Rule:
    """A rule for which nothing but the builder and the types of the elements count."""
    return lambda e, *xs: rule(e.builder, *xs)


def _itself(_: Emit, x: ir.Value) -> ir.Value:
    return x


_COMPARISONS: dict[str, Rule] = {
    "less": _comparison("<"),
    "less_equal": _comparison("<="),
    "greater": _comparison(">"),
    "greater_equal": _comparison(">="),
    "equal": _comparison("=="),
    "not_equal": _comparison("!="),
}
_LOGIC: dict[str, Rule] = {
    "logical_and": _logical("and_"),
    "logical_or": _logical("or_"),
    "logical_xor": _logical("xor"),
    "logical_not": _logical_not,
}
_BITS: dict[str, Rule] = {
    "bitwise_and": _builder("and_"),
    "bitwise_or": _builder("or_"),
    "bitwise_xor": _builder("xor"),
    "invert": _builder("not_"),
}
_ORDER: dict[str, Rule] = {
    "maximum": _extremum(">", numbers_win=False),
    "minimum": _extremum("<", numbers_win=False),
    "fmax": _extremum(">", numbers_win=True),
    "fmin": _extremum("<", numbers_win=True),
}


def _math(name: str) -> Rule:
    """A function of the math library, which is part of the module that it is used in."""

    def rule(e: Emit, *xs: ir.Value) -> ir.Value:
        dtype = "f32" if e.dtype.itemsize == 4 else "f64"
        target = {"fma": has_fma(), "scaling": has_scaling()}
        function = maths.declare(e.builder.module, name, dtype, width=lanes(xs[0]), **target)
        return e.builder.call(function, xs)

    return rule


FLOATS: dict[str, Rule] = {
    **{name: _math(name) for name in maths.NAMES if name != "sigmoid"},
    **_COMPARISONS,
    **_LOGIC,
    **_ORDER,
    "add": _builder("fadd"),
    "subtract": _builder("fsub"),
    "multiply": _builder("fmul"),
    "true_divide": _builder("fdiv"),
    "negative": _builder("fneg"),
    "positive": _itself,
    "conjugate": _itself,
    "absolute": _absolute,
    "fabs": _absolute,
    "clip": _clip,
    "heaviside": _heaviside,
    **dict.fromkeys(("deg2rad", "radians"), _scaled(np.pi, 180)),
    **dict.fromkeys(("rad2deg", "degrees"), _scaled(180, np.pi)),
    **{name: _of_builder(rule) for name, rule in MODULI.items()},
    "square": lambda e, x: e.builder.fmul(x, x),
    "reciprocal": _reciprocal,
    "sign": _sign,
    "sqrt": _of_builder(square_root),
    "floor": _intrinsic("floor"),
    "ceil": _intrinsic("ceil"),
    "trunc": _intrinsic("trunc"),
    "rint": _intrinsic("rint"),
    "copysign": _intrinsic("copysign"),
    "isnan": is_nan,
    "isinf": _is_infinite,
    "isfinite": _is_finite,
    "signbit": _signbit,
}
INTEGERS: dict[str, Rule] = {
    **_COMPARISONS,
    **_LOGIC,
    **_BITS,
    **_ORDER,
    "add": _builder("add"),
    "subtract": _builder("sub"),
    "multiply": _builder("mul"),
    "negative": lambda e, x: e.builder.sub(constant(x.type, 0), x),
    "positive": _itself,
    "conjugate": _itself,
    **dict.fromkeys(("floor", "ceil", "trunc"), _itself),
    **dict.fromkeys(("isnan", "isinf"), _never),
    "isfinite": _always,
    "absolute": _absolute,
    "clip": _clip,
    "bitwise_count": _bit_count,
    "square": lambda e, x: e.builder.mul(x, x),
    "sign": _sign,
    "floor_divide": _division(gives_rest=False),
    "remainder": _division(gives_rest=True),
    "left_shift": _shift("shl"),
    "right_shift": _shift("shr"),
}
BOOLS: dict[str, Rule] = {
    **_LOGIC,
    **_BITS,
    "add": _builder("or_"),
    "multiply": _builder("and_"),
    "equal": _builder("icmp_unsigned"),
    "logical_not": _builder("not_"),
    "maximum": _builder("or_"),
    "minimum": _builder("and_"),
    "not_equal": _builder("xor"),
}
BOOLS["equal"] = lambda e, x, y: e.builder.icmp_unsigned("==", x, y)


_BY_KIND = {
    "f": FLOATS,
    "i": INTEGERS,
    "u": INTEGERS,
    "b": BOOLS,
    "c": {name: _of_builder(rule) for name, rule in COMPLEX.items()},
}


def element_rule(name: str, dtype: np.dtype) -> Rule | None:
    """What the op ``name`` is on elements of ``dtype``; None where it has no native form."""
    if dtype.kind == "f" and name in MODULI and not has_fma():
        return None
    if dtype.kind == "c" and name == "absolute" and not has_absolute(dtype):
        return None
    if dtype.kind == "c" and name in ("multiply", "square") and fuses_products(dtype) is None:
        return None
    return _BY_KIND.get(dtype.kind, {}).get(name)


# --- casts ----------------------------------------------------------------------------------------


def can_cast(source: np.dtype, target: np.dtype) -> bool:
    """Whether ``cast`` has a form. What a float that doesn't fit becomes as uint32 depends in NumPy
    on whether it is one of many, and of a complex number as a real one it warns.
    """
    if source.kind == "c":
        return target.kind == "c"
    return not (source.kind == "f" and target == np.uint32)


def _integer(builder: ir.IRBuilder, x: ir.Value, target: np.dtype, type_: ir.Type) -> ir.Value:
    """Floats as integers, by the conversions that NumPy's loops do: to 32 or 64 bits with a sign,
    of which lower bits are taken. What doesn't fit there is the lowest number, and sets a flag.
    """
    if target != np.uint64:
        wide = (
            type_ if target.itemsize >= 4 else element_type(np.dtype(np.int32), count_of(x, target))
        )
        found = truncated(builder, x, wide)
        return found if wide == type_ else builder.trunc(found, type_)
    half = constant(x.type, 2.0**63)
    is_high = compare(Emit(builder, np.dtype(np.float64)), ">=", x, half)
    low = builder.select(is_high, builder.fsub(x, half), x)
    top = builder.select(is_high, constant(type_, 1 << 63), constant(type_, 0))
    return builder.xor(truncated(builder, low, type_), top)


def truncated(builder: ir.IRBuilder, x: ir.Value, type_: ir.Type) -> ir.Value:
    """The processor's conversion, which stays where it is: LLVM's own instruction has no meaning
    for what doesn't fit, and may come before a condition, where it sets a flag.
    """
    return constrained(builder, f"fptosi.{type_suffix(type_)}", type_, [x], "strict")


def cast(builder: ir.IRBuilder, value: ir.Value, source: np.dtype, target: np.dtype) -> ir.Value:
    """Elements of one dtype as another, where ``can_cast`` holds."""
    type_ = element_type(target, count_of(value, source))
    if source == target:
        return value
    if target.kind == "c" and source.kind != "c":
        parts = np.dtype(np.float32 if target.itemsize == 8 else np.float64)
        return complex_elements(builder, cast(builder, value, source, parts))
    if target.kind == "b":
        return _truth(Emit(builder, source), value)
    if source.kind == "f" and target.kind in "iu":
        return _integer(builder, value, target, type_)
    if source.kind in "fc":
        return (builder.fpext if target.itemsize > source.itemsize else builder.fptrunc)(
            value, type_
        )
    if target.kind == "f":
        convert = builder.sitofp if source.kind == "i" else builder.uitofp
        return convert(value, type_)
    if source.kind == "b":
        return builder.zext(value, type_)
    if target.itemsize <= source.itemsize:
        return value if target.itemsize == source.itemsize else builder.trunc(value, type_)
    return (builder.sext if source.kind == "i" else builder.zext)(value, type_)
