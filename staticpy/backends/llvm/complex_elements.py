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
from staticpy.backends.llvm.engine import has_fma
from staticpy.backends.llvm.forms import F32, I32
from staticpy.backends.llvm.vectors import constant, declare_intrinsic

Rule = Callable[..., ir.Value]


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


def complex_elements(builder: ir.IRBuilder, x: ir.Value) -> ir.Value:
    """Real elements with imaginary parts of zero."""
    if not isinstance(x.type, ir.VectorType):
        zeros = constant(ir.VectorType(x.type, 2), 0)
        return builder.insert_element(zeros, x, I32(0))
    count = x.type.count
    places = [n + count * imaginary for n in range(count) for imaginary in range(2)]
    return picked(builder, x, constant(x.type, 0), places)


COMPLEX: dict[str, Rule] = {
    "add": lambda builder, x, y: builder.fadd(x, y),
    "subtract": lambda builder, x, y: builder.fsub(x, y),
    "multiply": product,
    "square": lambda builder, x: product(builder, x, x),
    "negative": lambda builder, x: builder.fneg(x),
    "positive": lambda _, x: x,
    "conjugate": lambda builder, x: _negated(builder, x, 1),
    "equal": _is_equal,
    "not_equal": lambda builder, x, y: builder.not_(_is_equal(builder, x, y)),
}
