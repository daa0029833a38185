"""The C function that Python calls: arguments in, the body, warnings, result out.

In: the body of a function. Out: ``entry(self, arguments, count)``, the form of METH_FASTCALL. The
caller has checked the types of the arguments. What the body can't finish, because an int is too
large or a warning is due, is run again from the start by the twin, a Python function for the same
arguments, as long as nothing visible has happened; else an int that is too large is an
OverflowError. Where NumPy is told to raise instead of warning, what writes to what others see is
the twin's: it stops where NumPy does.
"""

from __future__ import annotations

import contextvars
import ctypes
from collections.abc import Callable, Sequence
from typing import Any

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.common import FINISH
from staticpy.backends.llvm.constants import Constants
from staticpy.backends.llvm.context import NULL, Context
from staticpy.backends.llvm.editions import Whole, cell
from staticpy.backends.llvm.engine import Code
from staticpy.backends.llvm.flags import TOLD, clear_flags, keep_flags, stops
from staticpy.backends.llvm.forms import I1, I32, I64, POINTER
from staticpy.backends.llvm.status import (
    CLEAR_FLAGS,
    FLAGS,
    KEEP_FLAGS,
    LEFT_OUT,
    LETS_GO,
    NEXT,
    OVERFLOWED,
    PIN_FLAGS,
    SIZE,
    STATE,
    VISIBLE,
)

_FASTCALL = 0x0080
_NONE = I64(0)


class Method(ctypes.Structure):
    """``PyMethodDef``."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("address", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


class Reruns:
    """What the entry calls where the body can't finish; all are Python functions."""

    def __init__(self, twin: Callable[..., Any], whole: Whole) -> None:
        self.twin, self.whole = twin, whole


class EntryWriter:
    """Emits ``entry``.

    Args:
        cx: the body, finished.
        constants: where Python functions are kept.
        reruns: what is called where the body can't finish.
        writes: whether it writes to what others see.
    """

    def __init__(self, cx: Context, constants: Constants, reruns: Reruns, *, writes: bool) -> None:
        self._writes = writes
        self._cx = cx
        self._constants = constants
        self._reruns = reruns
        self._define_flags()
        type_ = ir.FunctionType(POINTER, [POINTER, POINTER, I64])
        self._function = ir.Function(cx.module, type_, "entry")
        self._builder = ir.IRBuilder(self._function.append_basic_block())
        cx.builder = self._builder
        self._emit()

    def _emit(self) -> None:
        builder, cx = self._builder, self._cx
        if cx.leaves_out:
            self._go_to_whole()
        if cx.warns and self._writes:
            self._go_to_twin()
        status = builder.alloca(ir.ArrayType(I64, SIZE // 8))
        flags = cx.at(status, FLAGS)
        builder.store(I32(0), flags)
        builder.store(NULL, cx.at(status, STATE))  # what raises takes the lock, if it is gone
        if cx.polls:
            builder.store(I32(0), cx.at(status, LETS_GO))
            builder.store(I64(0), cx.at(status, NEXT))
        if cx.warns:
            builder.call(cx.module.globals[CLEAR_FLAGS], [flags])
        result = builder.call(cx.body, [status, self._function.args[1]])
        code = builder.load(status, typ=I32)
        visible = builder.icmp_signed("!=", builder.load(cx.at(status, VISIBLE), typ=I32), I32(0))
        if cx.leaves_out:
            with builder.if_then(builder.icmp_signed("==", code, I32(LEFT_OUT)), likely=False):
                builder.ret(self._call(self._reruns.whole, *self._function.args[1:]))
        found = I32(0)
        needs_more = builder.icmp_signed("==", code, I32(OVERFLOWED))
        if cx.warns:
            builder.call(cx.module.globals[KEEP_FLAGS], [flags])
            found = builder.load(flags, typ=I32)
            needs_more = builder.or_(needs_more, builder.icmp_signed("!=", found, I32(0)))
        with builder.if_then(needs_more, likely=False):
            twin = self._constants.load(cx, self._reruns.twin)
            again = (twin, *self._function.args[1:])
            builder.ret(FINISH.call(builder, code, found, visible, result, *again))
        builder.ret(result)

    def _go_to_whole(self) -> None:
        """Where the whole edition is compiled already, it takes the call."""
        builder = self._builder
        address = builder.load(cell(self._cx.module), typ=I64)
        with builder.if_then(builder.icmp_signed("!=", address, I64(0)), likely=False):
            whole = builder.inttoptr(address, ir.PointerType(self._function.function_type))
            builder.ret(builder.call(whole, self._function.args))

    def _go_to_twin(self) -> None:
        """Where NumPy is told to raise, the twin takes the call."""
        builder, cx = self._builder, self._cx
        is_told: ir.Value = I1(1)
        if TOLD is not None:
            nothing = contextvars.Context().run(TOLD.get)
            variable, usual = (self._constants.load(cx, each) for each in (TOLD, nothing))
            place = builder.alloca(POINTER)
            cx.call("PyContextVar_Get", variable, NULL, place)
            now = builder.load(place, typ=POINTER)
            cx.call("Py_DecRef", now)
            is_told = builder.icmp_unsigned("!=", now, usual)
        with builder.if_then(is_told, likely=False):
            answer = self._call(stops)
            does_stop = cx.call("PyObject_IsTrue", answer)
            cx.call("Py_DecRef", answer)
            with builder.if_then(builder.icmp_signed("==", does_stop, I32(1))):
                self._run_again()

    def _run_again(self) -> None:
        _, arguments, count = self._function.args
        self._builder.ret(self._call(self._reruns.twin, arguments, count))

    def _call(
        self, function: Callable[..., Any], arguments: ir.Value = NULL, count: ir.Value = _NONE
    ) -> ir.Value:
        reference = self._constants.load(self._cx, function)
        return self._cx.call("PyObject_Vectorcall", reference, arguments, count, NULL)

    def _define_flags(self) -> None:
        """The functions that keep and clear the flags; empty where nobody asks for them."""
        cx = self._cx
        keep, clear = (cx.flags_function(name) for name in (KEEP_FLAGS, CLEAR_FLAGS))
        keeping, clearing = (ir.IRBuilder(each.append_basic_block()) for each in (keep, clear))
        if cx.warns:
            keep_flags(keeping, keep.args[0])
            clear_flags(clearing)
        for builder in (keeping, clearing):
            builder.ret_void()
        for function in cx.module.functions:
            if function.name.startswith(PIN_FLAGS):
                self._pin(ir.IRBuilder(function.append_basic_block()), function.args[0])

    def _pin(self, builder: ir.IRBuilder, value: ir.Value) -> None:
        """Nothing in what has loops over numbers, which it would keep from being vectors."""
        if not self._cx.has_number_loops:
            type_ = ir.FunctionType(ir.VoidType(), [value.type])
            builder.asm(type_, "", "x", [value])
        builder.ret_void()


def function_of(code: Code, name: str, self_: object, keep: Sequence[object]) -> Callable[..., Any]:
    """The function ``entry`` of ``code`` as a Python object.

    Args:
        code: where it is.
        name: how it is called.
        self_: the object that the function gets as its ``self``, a list.
        keep: what must live as long as the function does.
    """
    method = Method(name.encode(), code.address("entry"), _FASTCALL, None)
    owner = [self_, method, code, *keep]
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.restype = ctypes.py_object
    make.argtypes = [ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p]
    return make(ctypes.addressof(method), owner, None)  # type: ignore[no-any-return]
