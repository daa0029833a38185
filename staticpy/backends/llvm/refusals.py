"""Calls of kernels that raise, as one instruction of a loop that seldom does so.

In: what a kernel gets. Out: a call of a function that makes Python objects of it and calls the
kernel; one function for all operations with operands of the same kinds. Each access to an element
has such a call, and LLVM takes its time over each instruction of a loop.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from staticpy.backends.llvm import ir, lock
from staticpy.backends.llvm.context import Context
from staticpy.backends.llvm.forms import POINTER, Native
from staticpy.backends.llvm.status import FLAGS

REFUSE = "refuse."
"""How the names of the functions begin."""

Call = Callable[[Context, ir.Value, Sequence[Native], ir.Value], object]
"""Calls the kernel: gets its function, the operands, and where the flags are kept."""


def refuse(
    cx: Context, function: ir.Value, operands: Sequence[Native], flags: ir.Value, call: Call
) -> bool:
    """Let ``function`` be called with ``operands``; False where one of them is more than a number
    or a reference, and nothing is emitted.
    """
    different = list({id(each): each for each in operands}.values())
    if not all(map(_is_plain, different)):
        return False
    places = [[each is one for each in different].index(True) for one in operands]
    name = f"{REFUSE}{'.'.join(map(_kind, different))}.{'.'.join(map(str, places))}"
    given = [each.value if each.original is None else each.original for each in different]
    type_ = ir.FunctionType(ir.VoidType(), [POINTER, POINTER, *(each.type for each in given)])
    known: ir.Function | None = cx.module.globals.get(name)
    if known is None:
        known = ir.Function(cx.module, type_, name)
        known.linkage = "internal"
        known.attributes |= {"noinline", "cold"}
        kernel, its_flags, *arguments = known.args
        made = list(map(_as_argument, different, arguments))
        with cx.inside(known):
            lock.take(cx.builder, cx.at(its_flags, -FLAGS))
            call(cx, kernel, [made[place] for place in places], its_flags)
            cx.builder.ret_void()
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


def _as_argument(native: Native, argument: ir.Value) -> Native:
    """An operand as the function gets it."""
    if _is_reference(native):
        return Native(native.form, (argument,), original=argument)
    return Native(native.form, (argument,))
