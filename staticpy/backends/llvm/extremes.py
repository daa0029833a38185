"""``min`` and ``max`` of numbers, in LLVM's terms: the first wins a tie.

In: numbers of one type, ints of Python's and NumPy's, or doubles beside ints that are doubles. Out:
one of them, as what it was.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.choices import Choice
from staticpy.backends.llvm.context import Context, Rule
from staticpy.backends.llvm.either import is_one, unwrapped, wrapped
from staticpy.backends.llvm.elements import Emit, cast, compare
from staticpy.backends.llvm.forms import F64, Form, Native, form_of
from staticpy.backends.llvm.python_numbers import EXACT, as_double, is_exact
from staticpy.backends.llvm.status import OVERFLOWED
from staticpy.ir import BlockArgument, Operation, Value
from staticpy.ops import while_

_INT64, _DOUBLE = np.dtype(np.int64), np.dtype(np.float64)


def _extremum(symbol: str) -> Rule:
    """``min`` and ``max``: the first wins a tie."""

    def rule(
        cx: Context, operation: Operation, operands: Sequence[Native]
    ) -> Sequence[Native] | None:
        forms = {each.form for each in operands}
        if operation.attrs:
            return None
        if len(forms) != 1 or not all(map(_is_ordered, forms)):
            return _mixed_extremum(cx, operation, operands, symbol)
        is_float = operands[0].form.is_float
        best, *others = (each.value for each in (operands if is_float else _in_time(cx, operation)))
        for other in others:
            if is_float and cx.shows:
                best = Choice(cx.builder, symbol, other, best).of(other, best)
                continue
            if is_float:  # a NaN sets a flag, and the twin sees that it need not
                wins = cx.builder.fcmp_ordered(symbol, other, best)
            elif operands[0].form.is_signed:
                wins = cx.builder.icmp_signed(symbol, other, best)
            else:
                wins = cx.builder.icmp_unsigned(symbol, other, best)
            best = cx.builder.select(wins, other, best)
        return [Native(form_of(operation.results[0].type), (best,))]

    return rule


def _in_time(cx: Context, operation: Operation) -> list[Native]:
    """The operands of an operation on ints, whose order nobody sees: last those for which the round
    of a loop waits for the one before, so that it waits for one comparison.
    """
    waiting = {each: _waits(cx, each) for each in operation.operands}
    return [cx.get(each) for each in sorted(operation.operands, key=waiting.__getitem__)]


def _waits(cx: Context, value: Value) -> bool:
    """Whether a number is computed from what the round before has handed on."""
    block, loop = cx.operation.block, cx.operation.parent
    pending, seen = [value], {value}
    while pending:
        each = pending.pop()
        if isinstance(each, BlockArgument):
            if each.block is block and loop is not None and (loop.op is while_ or each.index > 0):
                return True
        elif (made := each.defining_op) is not None and made.block is block:
            if cx.handed_on is not None and cx.handed_on.read(made) is not None:
                return True
            pending += [other for other in made.operands if other not in seen]
            seen.update(made.operands)
    return False


def _mixed_extremum(
    cx: Context, operation: Operation, operands: Sequence[Native], symbol: str
) -> Sequence[Native] | None:
    """That of ints, Python's and NumPy's, or of doubles and ints that are doubles."""
    form = form_of(operation.results[0].type)
    if form.kind != "either":
        return None
    are_ints = all(map(_is_int, operands))
    if not are_ints and not all(_has_double(cx, each) for each in operands):
        return None
    number_of = _as_int if are_ints else _exact_double
    emit = Emit(cx.builder, _INT64 if are_ints else _DOUBLE, cx.makes_vectors)
    best, kept = number_of(cx, operands[0]), wrapped(cx.builder, operands[0], form)
    for operand in operands[1:]:
        other, new = number_of(cx, operand), wrapped(cx.builder, operand, form)
        wins = compare(emit, symbol, other, best)
        best = cx.builder.select(wins, other, best)
        pairs = zip(new.parts, kept.parts, strict=True)
        kept = Native(form, tuple(cx.builder.select(wins, *each) for each in pairs))
    return [kept]


def _is_int(native: Native) -> bool:
    """Whether a number is an integer that 64 bits with a sign hold."""
    members = native.form.members if native.form.kind == "either" else (native.form,)
    return all(
        each.kind == "int"
        or (each.dtype is not None and each.dtype.kind in "iu" and np.can_cast(each.dtype, _INT64))
        for each in members
    )


def _as_int(cx: Context, native: Native) -> ir.Value:
    """A number as an int of 64 bits."""
    if native.form.kind != "either":
        dtype = native.form.dtype
        return native.value if dtype is None else cast(cx.builder, native.value, dtype, _INT64)
    found: ir.Value | None = None
    for member in native.form.members:
        value = _as_int(cx, unwrapped(cx.builder, native, member))
        is_it = is_one(cx.builder, native, member)
        found = value if found is None else cx.builder.select(is_it, value, found)
    assert found is not None
    return found


def _has_double(cx: Context, native: Native) -> bool:
    """Whether ``_exact_double`` can take a number."""
    if native.form.kind == "int" and isinstance(native.value, ir.Constant):
        return bool(abs(native.value.constant) <= EXACT)
    return all(
        each.parts[0] == F64 or (each.kind == "int" and cx.can_run_again and cx.leaving is None)
        for each in (native.form.members if native.form.kind == "either" else (native.form,))
    )


def _exact_double(cx: Context, native: Native) -> ir.Value:
    """A number as a double, which is the same; with a larger int the twin does all of it."""
    form, builder = native.form, cx.builder
    if form.kind == "either":
        found: ir.Value | None = None
        for member in form.members:
            number = unwrapped(builder, native, member)
            is_it = is_one(builder, native, member)
            if member.kind == "int":
                cx.exit_if(builder.and_(is_it, builder.not_(is_exact(cx, number))), OVERFLOWED)
            value = as_double(cx, number) if member.kind == "int" else number.value
            found = value if found is None else builder.select(is_it, value, found)
        assert found is not None
        return found
    if form.kind == "int" and not isinstance(native.value, ir.Constant):
        cx.exit_if(builder.not_(is_exact(cx, native)), OVERFLOWED)
    return as_double(cx, native) if form.kind == "int" else native.value


def _is_ordered(form: Form) -> bool:
    if form.kind != "number":
        return form.kind in ("int", "float")
    assert form.dtype is not None
    return form.dtype.kind in "iuf"


RULES: dict[str, Rule] = {"py.min": _extremum("<"), "py.max": _extremum(">")}
