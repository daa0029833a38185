"""Calls of kernels that raise, as one instruction of a loop that seldom does so.

In: what a kernel gets. Out: a call of a function that makes Python objects of it and calls the
kernel; one function for all operations with operands of the same kinds. Each access to an element
has such a call, and LLVM takes its time over each instruction of a loop.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.boxes import Boxes, store_number
from staticpy.backends.llvm.context import NULL, Context
from staticpy.backends.llvm.forms import I64, POINTER, Native

Call = Callable[[Context, Sequence[ir.Value]], ir.Value]
"""Calls the kernel: gets its function, a table of references, their count, and the flags."""


def refuse(
    cx: Context,
    boxes: Boxes,
    function: ir.Value,
    operands: Sequence[Native],
    flags: ir.Value,
    call: Call,
) -> bool:
    """Let ``function`` be called with ``operands``; False where one of them is more than a number
    or a reference, and nothing is emitted.
    """
    different = list({id(each): each for each in operands}.values())
    if not all(map(_is_plain, different)):
        return False
    places = [[each is one for each in different].index(True) for one in operands]
    kinds = [_kind(each) for each in different]
    name = f"refuse.{'.'.join(kinds)}.{'.'.join(map(str, places))}"
    given = [_given(each) for each in different]
    type_ = ir.FunctionType(ir.VoidType(), [POINTER, POINTER, *(each.type for each in given)])
    known: ir.Function | None = cx.module.globals.get(name)
    if known is None:
        known = ir.Function(cx.module, type_, name)
        known.linkage = "internal"
        known.attributes |= {"noinline", "cold"}
        with cx.inside(known):
            _emit(cx, boxes, known, different, places, call)
    cx.builder.call(known, [function, flags, *given])
    return True


def _is_plain(native: Native) -> bool:
    return _is_reference(native) or native.form.kind in ("int", "float", "number")


def _is_reference(native: Native) -> bool:
    """Whether there is an object of it already."""
    is_array = native.form.kind == "array" and native.view is None
    return native.original is not None or is_array or native.form.kind == "object"


def _kind(native: Native) -> str:
    if _is_reference(native):
        return "object"
    dtype = native.form.dtype
    return native.form.kind if dtype is None else dtype.str


def _given(native: Native) -> ir.Value:
    return native.value if native.original is None else native.original


def _emit(
    cx: Context,
    boxes: Boxes,
    function: ir.Function,
    operands: Sequence[Native],
    places: Sequence[int],
    call: Call,
) -> None:
    """The body, of operands of the kinds of ``operands``, the one at each of ``places``."""
    builder, (kernel, flags, *given) = cx.builder, function.args
    table = builder.alloca(ir.ArrayType(POINTER, max(len(places), 1)))
    made: dict[int, ir.Value] = {}
    for number, place in enumerate(places):
        if place not in made:  # ``is`` must find the same object
            made[place] = _boxed(cx, boxes, operands[place], given[place])
        else:
            cx.call("Py_IncRef", made[place])
        builder.store(made[place], cx.at(table, 8 * number))
    call(cx, [kernel, table, I64(len(places)), flags])
    builder.ret_void()


def _boxed(cx: Context, boxes: Boxes, operand: Native, value: ir.Value) -> ir.Value:
    if _is_reference(operand):
        cx.call("Py_IncRef", value)
        return value
    if operand.form.dtype is None:
        return boxes.box(cx, Native(operand.form, (value,)))
    place = cx.builder.alloca(ir.ArrayType(I64, 2))
    store_number(cx.builder, value, place)
    return cx.call("PyArray_Scalar", place, boxes.constants.load(cx, operand.form.dtype), NULL)
