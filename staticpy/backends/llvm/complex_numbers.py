"""Complex numbers of Python and of NumPy in LLVM's terms.

In: ``py.*`` on complex numbers and elementwise ops on NumPy's complex scalars, in registers: a
vector of two, the real part first. Out: the same numbers as CPython's ``complexobject.c`` and
NumPy's ``scalarmath.c.src``, bit for bit: products without a fused addition, quotients by Smith's
method ("Algorithm 116: Complex division", 1962). Where these raise or warn, and where NumPy's
functions for arrays have other bits than its operators (``np.abs``), the kernel is called.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.complex_elements import quotient
from staticpy.backends.llvm.context import Context, Rule
from staticpy.backends.llvm.forms import F32, F64, I32, Form, Native, form_of
from staticpy.backends.llvm.library import intrinsic, is_finite
from staticpy.backends.llvm.members import is_known, is_of_arrays
from staticpy.backends.llvm.python_numbers import as_double
from staticpy.ir import Operation
from staticpy.ops import Effect
from staticpy.passes import effects_by_op

Pair = tuple[ir.Value, ir.Value]
"""The real part and the imaginary one."""

_REAL = ("int", "float", "bool")
_MIXES_BY_PARTS = sys.version_info >= (3, 14)
"""Whether Python's operators don't make a real operand complex first, and mend products of
infinities: these go to the kernel."""

_POWERS = (2, 3, 4)
"""The exponents for which a power is products."""


def parts_of(cx: Context, native: Native) -> Pair:
    """The parts of a complex number, or of one of Python's real ones."""
    if native.form.is_complex:
        re, im = (cx.builder.extract_element(native.value, I32(place)) for place in range(2))
        return re, im
    return as_double(cx, native), F64(0.0)


def complex_of(builder: ir.IRBuilder, re: ir.Value, im: ir.Value) -> ir.Value:
    """The complex number with these parts."""
    pair = ir.Constant(ir.VectorType(re.type, 2), ir.Undefined)
    return builder.insert_element(builder.insert_element(pair, re, I32(0)), im, I32(1))


def _made(operation: Operation, value: ir.Value) -> list[Native]:
    return [Native(form_of(operation.results[0].type), (value,))]


def _are_pythons(operands: Sequence[Native]) -> bool:
    """Whether operands are Python's numbers, one of them complex at least."""
    kinds = {each.form.kind for each in operands}
    return "complex" in kinds and kinds <= {"complex", *_REAL}


def _are_numpys(operands: Sequence[Native]) -> bool:
    """Whether operands are complex scalars of one dtype."""
    forms = {each.form for each in operands}
    return len(forms) == 1 and all(f.kind == "number" and f.is_complex for f in forms)


def _is_for_the_kernel(operation: Operation) -> bool:
    """Whether an operation is one on arrays without axes, whose products are fused, or one of
    numbers that are known, of which no flag of the processor would tell.
    """
    return is_of_arrays(operation) or all(map(is_known, operation.operands))


def _read_here(cx: Context, operation: Operation, operands: Sequence[Native]) -> tuple[Pair, Pair]:
    """The parts of both operands; where NumPy warns, not before they are due."""
    if Effect.WARNS in effects_by_op(operation):
        operands = [replace(each, parts=(cx.read_here(each.value),)) for each in operands]
    left, right = (parts_of(cx, each) for each in operands)
    return left, right


# --- arithmetic -----------------------------------------------------------------------------------


def product(builder: ir.IRBuilder, x: Pair, y: Pair) -> Pair:
    """``x * y``, each product rounded."""
    (a, b), (c, d) = x, y
    re = builder.fsub(builder.fmul(a, c), builder.fmul(b, d))
    return re, builder.fadd(builder.fmul(a, d), builder.fmul(b, c))


def _is_nonzero(builder: ir.IRBuilder, x: Pair) -> ir.Value:
    """Whether a number is true: NaN is."""
    re, im = (builder.fcmp_unordered("!=", part, part.type(0.0)) for part in x)
    return builder.or_(re, im)


def _is_regular(builder: ir.IRBuilder, x: Pair) -> ir.Value:
    """Whether a number is neither zero nor NaN."""
    is_number = builder.fcmp_ordered("ord", *x)
    return builder.and_(is_number, _is_nonzero(builder, x))


def _arithmetic(combine: Callable[[Context, Pair, Pair], Pair]) -> Rule:
    """``+``, ``-`` and ``*``."""

    def rule(
        cx: Context, operation: Operation, operands: Sequence[Native]
    ) -> Sequence[Native] | None:
        if _are_pythons(operands):
            if _MIXES_BY_PARTS:
                return None
        elif not _are_numpys(operands) or _is_for_the_kernel(operation):
            return None
        x, y = _read_here(cx, operation, operands)
        return _pinned(cx, operation, complex_of(cx.builder, *combine(cx, x, y)))

    return rule


def _pinned(cx: Context, operation: Operation, value: ir.Value) -> list[Native]:
    """A result of which NumPy warns by the flags of the processor."""
    if Effect.WARNS in effects_by_op(operation):
        cx.warns = True
        cx.pin_flags(value)
    return _made(operation, value)


def _by_parts(name: str) -> Callable[[Context, Pair, Pair], Pair]:
    def combine(cx: Context, x: Pair, y: Pair) -> Pair:
        re, im = (getattr(cx.builder, name)(*parts) for parts in zip(x, y, strict=True))
        return re, im

    return combine


def _divide(
    cx: Context, operation: Operation, operands: Sequence[Native]
) -> Sequence[Native] | None:
    is_numpys = _are_numpys(operands)
    if is_numpys and _is_for_the_kernel(operation):
        return None
    if not is_numpys and (_MIXES_BY_PARTS or not _are_pythons(operands)):
        return None
    x, y = _read_here(cx, operation, operands)
    cx.warns |= Effect.WARNS in effects_by_op(operation)

    def fast() -> ir.Value:
        absolute = intrinsic(cx, "llvm.fabs", y[0].type, 1)
        sizes = [cx.builder.call(absolute, [part]) for part in y]
        is_real = cx.builder.fcmp_ordered(">=", *sizes)
        found = quotient(cx.builder, x, y, is_real, divides_once=is_numpys)
        return complex_of(cx.builder, *found)

    return [cx.where(_is_regular(cx.builder, y), fast)]


def _power(
    cx: Context, operation: Operation, operands: Sequence[Native]
) -> Sequence[Native] | None:
    """``z ** 2`` and its like, by the squares that CPython multiplies."""
    base, exponent = operands
    known = exponent.value.constant if isinstance(exponent.value, ir.Constant) else None
    if base.form.kind != "complex" or exponent.form.kind != "int" or known not in _POWERS:
        return None
    if _MIXES_BY_PARTS:
        return None
    assert isinstance(known, int)
    square = parts_of(cx, base)

    def fast() -> ir.Value:
        power: Pair = (F64(1.0), F64(0.0))
        factor = square
        for place in range(known.bit_length()):
            if known >> place & 1:
                power = product(cx.builder, power, factor)
            factor = product(cx.builder, factor, factor)
        for part in power:
            cx.where_also(is_finite(cx, part))
        return complex_of(cx.builder, *power)

    finite = cx.builder.and_(*(is_finite(cx, part) for part in square))
    return [cx.where(finite, fast)]


# --- one operand ----------------------------------------------------------------------------------


def _unary(emit: Callable[[Context, Native], ir.Value]) -> Rule:
    """What neither raises nor warns."""

    def rule(
        cx: Context, operation: Operation, operands: Sequence[Native]
    ) -> Sequence[Native] | None:
        if len(operands) != 1 or not (_are_pythons(operands) or _are_numpys(operands)):
            return None
        return _made(operation, emit(cx, operands[0]))

    return rule


def _conjugate(cx: Context, native: Native) -> ir.Value:
    re, im = parts_of(cx, native)
    return complex_of(cx.builder, re, cx.builder.fneg(im))


def _truth(cx: Context, native: Native) -> ir.Value:
    return _is_nonzero(cx.builder, parts_of(cx, native))


def _abs(cx: Context, operation: Operation, operands: Sequence[Native]) -> Sequence[Native] | None:
    """``abs(z)``; what isn't finite goes to the kernel."""
    if len(operands) != 1 or not (_are_pythons(operands) or _are_numpys(operands)):
        return None
    re, im = parts_of(cx, operands[0])
    if re.type != F64:
        return None
    cx.warns |= Effect.WARNS in effects_by_op(operation)

    def fast() -> ir.Value:
        size = cx.call("hypot", re, im)
        cx.where_also(is_finite(cx, size))
        return size

    return [cx.where(cx.builder.and_(is_finite(cx, re), is_finite(cx, im)), fast)]


# --- comparisons ----------------------------------------------------------------------------------


def _equality(*, is_equal: bool) -> Rule:
    def rule(
        cx: Context, operation: Operation, operands: Sequence[Native]
    ) -> Sequence[Native] | None:
        kinds = [each.form.kind for each in operands]
        if not (_are_numpys(operands) or (_are_pythons(operands) and "int" not in kinds)):
            return None  # an int is compared without rounding
        x, y = (parts_of(cx, each) for each in operands)
        pairs = zip(x, y, strict=True)
        same = cx.builder.and_(*(cx.builder.fcmp_ordered("==", *each) for each in pairs))
        return _made(operation, same if is_equal else cx.builder.not_(same))

    return rule


# --- conversions ----------------------------------------------------------------------------------


def resized(builder: ir.IRBuilder, value: ir.Value, form: Form) -> ir.Value:
    """A complex number, or a float, as wide as the parts of ``form``."""
    wanted: ir.Type = form.parts[0]
    if isinstance(wanted, ir.VectorType) and not isinstance(value.type, ir.VectorType):
        wanted = wanted.element
    if value.type == wanted:
        return value
    is_wider = value.type in (F32, ir.VectorType(F32, 2))
    return (builder.fpext if is_wider else builder.fptrunc)(value, wanted)


def _complex(
    cx: Context, operation: Operation, operands: Sequence[Native]
) -> Sequence[Native] | None:
    """``complex(x)`` of one of Python's numbers."""
    if any(each.form.kind not in ("complex", *_REAL) for each in operands):
        return None
    return _made(operation, complex_of(cx.builder, *parts_of(cx, operands[0])))


def _complex_of(
    cx: Context, operation: Operation, operands: Sequence[Native]
) -> Sequence[Native] | None:
    """``complex(x, y)`` of real numbers."""
    if any(each.form.kind not in _REAL for each in operands):
        return None
    re, im = (as_double(cx, each) for each in operands)
    return _made(operation, complex_of(cx.builder, re, im))


def _item(cx: Context, operation: Operation, operands: Sequence[Native]) -> Sequence[Native] | None:
    """``w.item()``, and what else makes NumPy's scalar a number of Python."""
    form = form_of(operation.results[0].type)
    if not _are_numpys(operands) or form.kind != "complex":
        return None
    return _made(operation, resized(cx.builder, operands[0].value, form))


def _cast(cx: Context, operation: Operation, operands: Sequence[Native]) -> Sequence[Native] | None:
    """A complex scalar of another width."""
    form = form_of(operation.results[0].type)
    if not _are_numpys(operands) or form.kind != "number" or not form.is_complex:
        return None
    return _pinned(cx, operation, resized(cx.builder, operands[0].value, form))


_ADD, _SUB, _MUL = (
    _arithmetic(_by_parts("fadd")),
    _arithmetic(_by_parts("fsub")),
    _arithmetic(lambda cx, x, y: product(cx.builder, x, y)),
)
_NEGATIVE = _unary(lambda cx, native: cx.builder.fneg(native.value))
_ITSELF = _unary(lambda cx, native: native.value)
_REAL_PART = _unary(lambda cx, native: parts_of(cx, native)[0])
_IMAGINARY_PART = _unary(lambda cx, native: parts_of(cx, native)[1])
_TRUTH = _unary(_truth)

RULES: dict[str, Rule] = {
    "py.add": _ADD,
    "py.sub": _SUB,
    "py.mul": _MUL,
    "py.truediv": _divide,
    "py.pow": _power,
    "py.neg": _NEGATIVE,
    "py.pos": _ITSELF,
    "py.abs": _abs,
    "py.bool": _TRUTH,
    "py.not": _unary(lambda cx, native: cx.builder.not_(_truth(cx, native))),
    "py.eq": _equality(is_equal=True),
    "py.ne": _equality(is_equal=False),
    "py.real": _REAL_PART,
    "py.imag": _IMAGINARY_PART,
    "py.conjugate": _unary(_conjugate),
    "py.complex": _complex,
    "py.complex_of": _complex_of,
    "add": _ADD,
    "subtract": _SUB,
    "multiply": _MUL,
    "true_divide": _divide,
    "negative": _NEGATIVE,
    "positive": _ITSELF,
    "conjugate": _unary(_conjugate),
    "real": _REAL_PART,
    "imag": _IMAGINARY_PART,
    "any.abs": _abs,
    "equal": _equality(is_equal=True),
    "not_equal": _equality(is_equal=False),
    "truth": _TRUTH,
    "item": _item,
    "cast": _cast,
}
