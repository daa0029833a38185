"""Calls of kernels that give a number, as one instruction of a loop that seldom needs them.

In: what a kernel gets, where native code can't do an operation on numbers: an integer of NumPy's
that goes round, of which it warns. Out: a call of a function that makes Python objects of the
numbers, calls the kernel and keeps the number that it gives. That function leaves almost all
registers as they are, so that what the loop has in registers stays there: around a call of any
other it would be in memory, in rounds without one as well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from staticpy.backends.llvm import ir, lock
from staticpy.backends.llvm.boxes import Boxes, load_number, store_number
from staticpy.backends.llvm.context import NULL, Context
from staticpy.backends.llvm.forms import I32, I64, POINTER, Form, Native
from staticpy.backends.llvm.status import FLAGS, OVERFLOWED, RAISED, RETURNED

RECOVER = "recover."
"""How the names of the functions begin."""

CONVENTION = "preserve_mostcc"
"""How functions are called that leave registers as they are."""

Call = Callable[[Context, ir.Value, Sequence[Native], ir.Value], ir.Value]
"""Calls the kernel: gets its function, the operands, and where the flags are kept."""

_NUMBERS = ("int", "float", "bool", "number")


def recovered(
    cx: Context,
    function: ir.Value,
    operands: Sequence[Native],
    form: Form,
    call: Call,
    boxes: Boxes,
) -> Native | None:
    """The number of a ``form`` that the kernel ``function`` gives; the function is left where it
    raises. None, and nothing is emitted, where not all are numbers.
    """
    different = list({id(each): each for each in operands}.values())
    if not all(each.form.kind in _NUMBERS for each in [*different, Native(form, ())]):
        return None
    places = [[each is one for each in different].index(True) for one in operands]
    kinds = (*(each.form for each in different), form)
    name = f"{RECOVER}{'.'.join(map(_kind, kinds))}.{'.'.join(map(str, places))}"
    types = [POINTER, POINTER, POINTER, *(each.value.type for each in different)]
    known: ir.Function | None = cx.module.globals.get(name)
    if known is None:
        known = ir.Function(cx.module, ir.FunctionType(I32, types), name)
        known.linkage, known.convention = "internal", CONVENTION
        known.attributes |= {"noinline", "cold"}
        kernel, its_flags, place, *arguments = known.args
        pairs = zip(different, arguments, strict=True)
        made = [Native(each.form, (number,)) for each, number in pairs]
        with cx.inside(known):
            flag = cx.variable(I32)
            lock.take(cx.builder, cx.at(its_flags, -FLAGS))
            reference = call(cx, kernel, [made[place] for place in places], its_flags)
            _deliver(cx, reference, form, (place, flag), boxes)
    result, flags = cx.variable(ir.ArrayType(I64, 2)), cx.at(cx.body.args[0], FLAGS)
    given = [function, flags, result, *(each.value for each in different)]
    how = cx.builder.call(known, given)
    if form.kind == "int":
        cx.exit_if(cx.builder.icmp_signed("==", how, I32(OVERFLOWED)), OVERFLOWED)
    cx.exit_if(cx.builder.icmp_signed("==", how, I32(RAISED)), RAISED)
    return Native(form, (load_number(cx.builder, result, form.parts[0]),))


def _kind(form: Form) -> str:
    return form.kind if form.dtype is None else form.dtype.str


def _deliver(
    cx: Context, reference: ir.Value, form: Form, places: tuple[ir.Value, ir.Value], boxes: Boxes
) -> None:
    """Store the number in an object, and return how it went."""
    place, flag = places
    is_none = cx.builder.icmp_unsigned("==", reference, NULL)
    with cx.builder.if_then(is_none, likely=False):
        cx.builder.ret(I32(RAISED))
    how: ir.Value = I32(RETURNED)
    if form.kind == "int":
        number = cx.call("PyLong_AsLongLongAndOverflow", reference, flag)
        is_beyond = cx.builder.icmp_signed("!=", cx.builder.load(flag, typ=I32), I32(0))
        how = cx.builder.select(is_beyond, I32(OVERFLOWED), I32(RETURNED))
    else:
        number = boxes.unbox(cx, form, reference).value
    store_number(cx.builder, number, place)
    cx.call("Py_DecRef", reference)
    cx.builder.ret(how)
