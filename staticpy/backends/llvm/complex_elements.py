"""What each elementwise op is on complex elements, in LLVM's terms.

In: LLVM values, vectors of parts, as they lie in memory: the real part of an element, then its
imaginary one. Out: the result: such a vector, or bools, one for each element. Products are those of
NumPy's loops for arrays, which add with one rounding where the processor can: what NumPy gives for
a known product tells.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import numpy as np

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.complex_absolutes import absolute
from staticpy.backends.llvm.engine import has_fma, register_bytes
from staticpy.backends.llvm.forms import F32, I32
from staticpy.backends.llvm.vectors import (
    all_computed,
    any_of,
    constant,
    constrained,
    declare_intrinsic,
    lanes,
    like,
)

Rule = Callable[..., ir.Value]
Parts = tuple[ir.Value, ir.Value]
"""The real parts and the imaginary ones, apart."""


def picked(builder: ir.IRBuilder, x: ir.Value, y: ir.Value, places: Sequence[int]) -> ir.Value:
    """The elements of two vectors, one after the other, at some places; a number for one."""
    if len(places) == 1:
        return builder.extract_element(x, I32(places[0]))
    mask = ir.Constant(ir.VectorType(I32, len(places)), [I32(place) for place in places])
    return builder.shuffle_vector(x, y, mask)


def _rearranged(builder: ir.IRBuilder, x: ir.Value, first: int, second: int) -> ir.Value:
    """Of each pair of parts two, by their place in it."""
    starts = range(0, x.type.count, 2)
    places = [start + part for start in starts for part in (first, second)]
    return picked(builder, x, x, places)


def part(builder: ir.IRBuilder, x: ir.Value, place: int) -> ir.Value:
    """The real parts, or the imaginary ones: a number of one element."""
    return picked(builder, x, x, range(place, x.type.count, 2))


def _negated(builder: ir.IRBuilder, x: ir.Value, place: int) -> ir.Value:
    """The same with another sign of the real parts, or of the imaginary ones."""
    count = x.type.count
    other = builder.fneg(x)
    return picked(builder, x, other, [n + count * (n % 2 == place) for n in range(count)])


def product(builder: ir.IRBuilder, x: ir.Value, y: ir.Value) -> ir.Value:
    """``x * y`` as NumPy's loops for arrays compute it: of the two products that are added the one
    with the imaginary part of ``x`` is rounded first.
    """
    real, imaginary = (_rearranged(builder, x, place, place) for place in range(2))
    rest = _negated(builder, builder.fmul(imaginary, _rearranged(builder, y, 1, 0)), 0)
    if fuses_products(np.dtype(np.complex64 if x.type.element == F32 else np.complex128)):
        fma = declare_intrinsic(builder.module, "llvm.fma", x.type, 3)
        return builder.call(fma, [real, y, rest])
    return builder.fadd(builder.fmul(real, y), rest)


@cache
def fuses_products(dtype: np.dtype) -> bool | None:
    """Whether NumPy adds the products of the parts of complex ``dtype`` with one rounding; None
    where it neither does that nor rounds each of them.

    Of ``x = 1 + e`` the square of ``e`` is lost where ``x * x`` is rounded: subtracted from an
    exact one that is all that is left. There are elements for vectors, and some after them.
    """
    lost = 2.0 ** (-12 if dtype.itemsize == 8 else -27)
    numbers = np.full(67, complex(1 + lost, 1 + lost), dtype)
    parts = (numbers * numbers).real, (numbers * -numbers.conj()).imag
    left = {number / lost**2 for part in parts for number in part.tolist()}
    if left == {1.0}:
        return True if has_fma() else None
    return False if left == {0.0} else None


def _is_equal(builder: ir.IRBuilder, x: ir.Value, y: ir.Value) -> ir.Value:
    same = builder.fcmp_ordered("==", x, y)
    return builder.and_(part(builder, same, 0), part(builder, same, 1))


def chosen(builder: ir.IRBuilder, condition: ir.Value, x: ir.Value, y: ir.Value) -> ir.Value:
    """The elements of ``x`` where a condition holds, those of ``y`` elsewhere."""
    if isinstance(condition.type, ir.VectorType):
        places = [n // 2 for n in range(x.type.count)]
        condition = picked(builder, condition, condition, places)
    return builder.select(condition, x, y)


def quotient(
    builder: ir.IRBuilder, x: Parts, y: Parts, is_real: ir.Value, *, divides_once: bool
) -> Parts:
    """``x / y`` by Smith's method, of a ``y`` that isn't 0; NumPy ``divides_once`` and multiplies
    by the reciprocal. ``is_real``: whether the real part of ``y`` isn't the smaller one.
    """
    (a, b), (c, d) = x, y
    large, small = builder.select(is_real, c, d), builder.select(is_real, d, c)
    ratio = builder.fdiv(small, large)
    scale = builder.fadd(large, builder.fmul(small, ratio))
    p, q = builder.select(is_real, a, b), builder.select(is_real, b, a)
    re = builder.fadd(p, builder.fmul(q, ratio))
    scaled = builder.fmul(p, ratio)
    # Of two differences LLVM would make one of parts that aren't subtracted, with flags of its own.
    pair = builder.select(is_real, q, scaled), builder.select(is_real, scaled, q)
    im = builder.fsub(*pair)
    if not divides_once:
        return builder.fdiv(re, scale), builder.fdiv(im, scale)
    scale = builder.fdiv(constant(c.type, 1), scale)
    return builder.fmul(re, scale), builder.fmul(im, scale)


def _is_at_least(builder: ir.IRBuilder, x: ir.Value, y: ir.Value) -> ir.Value:
    """``x >= y``, invalid for a NaN, of which NumPy then warns."""
    return constrained(builder, "fcmps", like(ir.IntType(1), x), [x, y], "oge", "strict")


def _divided(builder: ir.IRBuilder, x: ir.Value, y: ir.Value) -> ir.Value:
    """``x / y`` as NumPy's loops compute it: by 0 each part is divided by it."""
    (a, b), (c, d) = ((part(builder, each, 0), part(builder, each, 1)) for each in (x, y))
    zero, one = constant(c.type, 0), constant(c.type, 1)
    is_zero = builder.and_(*(builder.fcmp_ordered("==", each, zero) for each in (c, d)))
    usual = [builder.select(is_zero, zero, each) for each in (a, b)]
    divisor = builder.select(is_zero, one, c), d
    absolute = declare_intrinsic(builder.module, "llvm.fabs", c.type, 1)
    is_real = _is_at_least(builder, *(builder.call(absolute, [each]) for each in divisor))
    found = quotient(builder, (usual[0], usual[1]), divisor, is_real, divides_once=True)
    before = builder.block
    with builder.if_then(any_of(builder, is_zero), likely=False):
        by_zero = builder.select(is_zero, builder.call(absolute, [c]), one)
        by_zero = all_computed(builder, by_zero, 8 * register_bytes())
        others = [
            builder.select(is_zero, builder.fdiv(each, by_zero), usual_one)
            for each, usual_one in zip((a, b), found, strict=True)
        ]
        inside = builder.block
    parts = []
    for one_, other in zip(found, others, strict=True):
        phi = builder.phi(one_.type)
        phi.add_incoming(one_, before)
        phi.add_incoming(other, inside)
        parts.append(phi)
    return joined(builder, *parts)


def joined(builder: ir.IRBuilder, re: ir.Value, im: ir.Value) -> ir.Value:
    """Elements with these parts."""
    count = lanes(re)
    if count == 1 and not isinstance(re.type, ir.VectorType):
        pair = ir.Constant(ir.VectorType(re.type, 2), ir.Undefined)
        return builder.insert_element(builder.insert_element(pair, re, I32(0)), im, I32(1))
    return picked(builder, re, im, [n + count * each for n in range(count) for each in range(2)])


def complex_elements(builder: ir.IRBuilder, x: ir.Value) -> ir.Value:
    """Real elements with imaginary parts of zero."""
    return joined(builder, x, constant(x.type, 0))


COMPLEX: dict[str, Rule] = {
    "add": lambda builder, x, y: builder.fadd(x, y),
    "subtract": lambda builder, x, y: builder.fsub(x, y),
    "multiply": product,
    "true_divide": _divided,
    "absolute": lambda builder, x: absolute(builder, part(builder, x, 0), part(builder, x, 1)),
    "square": lambda builder, x: product(builder, x, x),
    "negative": lambda builder, x: builder.fneg(x),
    "positive": lambda _, x: x,
    "conjugate": lambda builder, x: _negated(builder, x, 1),
    "equal": _is_equal,
    "not_equal": lambda builder, x, y: builder.not_(_is_equal(builder, x, y)),
}
