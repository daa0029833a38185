"""Sums of 64 bits of which a loop asks at the end whether one has overflowed, and numbers whether
one has no root, or isn't within 64 bits.

In: an innermost ``for`` that does nothing but add up, compare and choose integers, whose accesses
hold, and which can be done again. Out: whether its sums may go on with what is left of them: an
exit in each round would keep LLVM from making vectors of it. Nothing that others can see is done
with a wrong number, and no address is computed of one.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.context import Context
from staticpy.backends.llvm.float_signs import is_never_negative
from staticpy.backends.llvm.forms import I64, Form, form_of
from staticpy.backends.llvm.selects import is_select
from staticpy.backends.llvm.short_loops import is_short
from staticpy.backends.llvm.status import OVERFLOWED
from staticpy.ir import Operation, walk
from staticpy.ops import REGISTRY, if_, region_yield
from staticpy.passes import FIRST_INDEX

_SUMS = ("add", "subtract", "py.add", "py.sub")
_ON_NUMBERS = (
    *("constant", "index", "store", "if", "region_yield", "truth", "from_python", "item", "cast"),
    "pow",
)
_WHOLE = ("py.int", "py.round", "math.floor", "math.ceil", "math.trunc")
_CHECKED = (*_SUMS, "py.mul", "multiply", "py.neg", "negative", "py.abs", "absolute")
_COMPARISONS = ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal")
_OTHERS = (
    *_COMPARISONS,
    *(f"{each}_int" for each in _COMPARISONS),
    *("constant", "index", "store", "if", "region_yield", "truth", "from_python", "item"),
    *("any.is", "any.narrow"),
    *("py.lt", "py.le", "py.gt", "py.ge", "py.eq", "py.ne", "py.not", "py.min", "py.max"),
    *("bitwise_and", "bitwise_or", "bitwise_xor", "py.and", "py.or", "py.xor", "py.bool"),
)


def can_ask_later(loop: Operation, accesses: Collection[Operation]) -> bool:
    """Whether the sums of a loop are asked at the end; ``accesses`` are those that hold."""
    (block,) = (region.block for region in loop.regions)
    inside = list(walk(block))
    sums = [each for each in inside if each.op.name in _SUMS]
    return (
        len(block.args) == 1
        and not loop.attrs["breaks"]
        and bool(sums)
        and not any(each.op is if_ and is_select(each) for each in inside)
        and all(each.op.name in _SUMS or each.op.name in _OTHERS for each in inside)
        and all(each in accesses for each in inside if each.op.name in ("index", "store"))
        and all(map(_is_of_integers, inside))
    )


def _is_of_integers(operation: Operation) -> bool:
    """Whether all numbers are integers of 64 bits, or bools, or one or the other."""
    forms = [form_of(value.type) for value in (*operation.operands, *operation.results)]
    return all(map(_is_integer, forms)) and not operation.attrs.get("checked")


def _is_integer(form: Form) -> bool:
    if form.kind == "either":
        return all(map(_is_integer, form.members))
    if form.dtype is not None:
        return form.dtype in (np.dtype(np.int64), np.dtype(np.bool_))
    return form.kind in ("int", "bool")


def can_ask_for_numbers_later(cx: Context, loop: Operation) -> bool:
    """Whether a loop of which LLVM may make vectors asks at the end whether a number below 0 had no
    root, and one that is made an int has too many bits: each round asks for one, nothing else is
    asked of integers, and no function is called with what isn't there.
    """
    (block,) = (region.block for region in loop.regions)
    inside = list(walk(block))
    roots = [each for each in inside if each.op.name == "math.sqrt"]
    ints = [each for each in inside if is_made_whole(each)]
    return (
        not is_short(loop)
        and (bool(ints) or any(not is_never_negative(each.operands[0]) for each in roots))
        # Of those on one side of a branch LLVM would compute all, with a flag.
        and all(each.block is block for each in (*roots, *ints))
        and all(map(_is_on_numbers, inside))
        and all(each in cx.within for each in inside if _is_checked(each))
        and not any(_goes_by(each) for each in ints)
    )


def is_made_whole(operation: Operation) -> bool:
    """Whether a float is made an int of Python's."""
    is_int = operation.op.name in _WHOLE and form_of(operation.results[0].type).kind == "int"
    return is_int and form_of(operation.operands[0].type).is_float


def _goes_by(operation: Operation) -> bool:
    """Whether an index, or the way that is taken, may depend on what an operation gives."""
    pending, seen = [operation], {operation}
    while pending:
        for user, place in (use for each in pending.pop().results for use in each.uses):
            first = FIRST_INDEX.get(user.op.name)
            if user.op in (if_, region_yield) or (first is not None and place >= first):
                return True
            if user not in seen:
                seen.add(user)
                pending.append(user)
    return False


def _is_on_numbers(operation: Operation) -> bool:
    name = operation.op.name
    is_plain = name in _ON_NUMBERS or name.startswith(("py.", "any.", "math."))
    return is_plain or REGISTRY[name].ufunc is not None


def _is_checked(operation: Operation) -> bool:
    return operation.op.name in _CHECKED and _is_of_integers(operation)


def note(cx: Context, is_wrong: ir.Value) -> None:
    """Note in the sign of ``cx.overflown`` that a number isn't what it should be."""
    builder, noted = cx.builder, cx.overflown
    assert noted is not None
    sign = builder.sext(is_wrong, I64)
    builder.store(builder.or_(builder.load(noted, typ=I64), sign), noted)


def leave_if_overflown(cx: Context) -> None:
    """Leave the function where a sum has, before anything is done with it that calls something."""
    if cx.overflown is not None:
        signs = cx.builder.load(cx.overflown, typ=I64)
        cx.exit_if(cx.builder.icmp_signed("<", signs, I64(0)), OVERFLOWED)


def summed(cx: Context, name: str, left: ir.Value, right: ir.Value) -> ir.Value:
    """A sum or difference, whose overflow is noted in the sign of ``cx.overflown``."""
    builder, noted = cx.builder, cx.overflown
    assert noted is not None
    if name == "sadd":
        made = builder.add(left, right)
        signs = builder.and_(builder.xor(left, made), builder.xor(right, made))
    else:
        made = builder.sub(left, right)
        signs = builder.and_(builder.xor(left, right), builder.xor(left, made))
    builder.store(builder.or_(builder.load(noted, typ=left.type), signs), noted)
    return made
