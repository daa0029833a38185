"""What all functions call around what they compute, compiled once for a process.

In: objects, and what is known of a call. Out: a new array, the result of a kernel, or what comes
after the body of a function where it was not all, a warning or the same call again:

    made(dtype, rank, itemsize, sizes, is_reverse)    a new reference to an array; NULL if it raised
    call(function, arguments, count, flags)    what a function gives, which keeps no arguments
    is_due(found)    whether NumPy says something of these flags
    finish(code, found, visible, result, twin, arguments, count)    what Python gets
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.capi import comes_again, declare, declare_object, provide
from staticpy.backends.llvm.context import NULL
from staticpy.backends.llvm.counting import counted
from staticpy.backends.llvm.engine import Code, compile_modules, once
from staticpy.backends.llvm.flags import (
    FLAGS_OF_FLOATS,
    UNDERFLOWED,
    clear_flags,
    keep_flags,
    minds_underflow,
    warn,
)
from staticpy.backends.llvm.forms import I1, I32, I64, POINTER
from staticpy.backends.llvm.linked import LinkedFunction
from staticpy.backends.llvm.packing import number_at
from staticpy.backends.llvm.recycling import SMALLEST, handler
from staticpy.backends.llvm.references import release_function
from staticpy.backends.llvm.status import INTERRUPTED, OVERFLOWED, RAISED
from staticpy.backends.llvm.units import Effort

_F_CONTIGUOUS = 2
_NONE = I64(0)

_HANDLER, _MINDS_UNDERFLOW, _WARN, _OVERFLOW = (
    f"common.{name}" for name in ("handler", "minds_underflow", "warn", "overflow")
)


def overflow() -> None:
    """An int became too large after something visible had happened.

    Raises:
        OverflowError: always.
    """
    raise OverflowError("a Python int became larger than 64 bits in native code")


provide(_HANDLER, lambda: id(handler()))
for _name, _function in (
    (_MINDS_UNDERFLOW, minds_underflow),
    (_WARN, warn),
    (_OVERFLOW, overflow),
):
    provide(_name, partial(id, _function))


def _linked(name: str, result: ir.Type, types: Sequence[ir.Type]) -> LinkedFunction:
    type_ = ir.FunctionType(result, types)
    return LinkedFunction(f"common.{name}", type_, lambda: compiled().address(name))


MADE = _linked("made", POINTER, [POINTER, I32, I64, POINTER, I1])
CALL = _linked("call", POINTER, [POINTER, POINTER, I64, POINTER])
IS_DUE = _linked("is_due", I1, [I32])
FINISH = _linked("finish", POINTER, [I32, I32, I1, *[POINTER] * 3, I64])


@once
def compiled() -> Code:
    """The code of all of them."""
    module = ir.Module("common")
    defined = {"made": _made, "call": _call, "is_due": _is_due, "finish": _finish}
    for (name, define), linked in zip(defined.items(), (MADE, CALL, IS_DUE, FINISH), strict=True):
        define(_Writer(ir.Function(module, linked.type, name)))
    return compile_modules([(module, Effort.ONCE)], list(defined))


class _Writer:
    """Emits one function."""

    def __init__(self, function: ir.Function) -> None:
        self.args = function.args
        self.module = function.module
        self.builder = ir.IRBuilder(function.append_basic_block())

    def call(self, name: str, *arguments: ir.Value) -> ir.Value:
        """A call of a C function."""
        return self.builder.call(declare(self.module, name), arguments)

    def ask(self, name: str, arguments: ir.Value = NULL, count: ir.Value = _NONE) -> ir.Value:
        """A call of one of the objects that are Python functions."""
        function = declare_object(self.module, name)
        return self.call("PyObject_Vectorcall", function, arguments, count, NULL)

    def let_go(self, *references: ir.Value) -> None:
        """Let go of references, some of which may be NULL."""
        for each in references:
            self.call("Py_DecRef", each)

    def raised(self, emit: Callable[[Sequence[ir.Value]], None]) -> None:
        """With no exception set, what is emitted; ``emit`` is given the parts of the one that was,
        which it may let go of. It is set again then.
        """
        places = [self.builder.alloca(POINTER) for _ in range(3)]
        self.call("PyErr_Fetch", *places)
        parts = [self.builder.load(each, typ=POINTER) for each in places]
        emit(parts)
        self.call("PyErr_Restore", *parts)


# --- memory ---------------------------------------------------------------------------------------


def _made(w: _Writer) -> None:
    """A large one is made of memory that others have left."""
    builder = w.builder
    dtype, rank, itemsize, sizes, is_reverse = w.args
    total = builder.alloca(I64)
    builder.store(itemsize, total)
    with counted(builder, I64(0), builder.zext(rank, I64)) as axis:
        size = number_at(builder, sizes, axis)
        builder.store(builder.mul(builder.load(total, typ=I64), size), total)
    order = builder.select(is_reverse, I32(_F_CONTIGUOUS), I32(0))
    kind = declare_object(w.module, "PyArray_Type")
    arguments = [kind, dtype, rank, sizes, NULL, NULL, order, NULL]
    w.call("Py_IncRef", dtype)
    is_large = builder.icmp_unsigned(">=", builder.load(total, typ=I64), I64(SMALLEST))
    with builder.if_then(is_large, likely=False):
        old = w.call("PyDataMem_SetHandler", declare_object(w.module, _HANDLER))
        made = w.call("PyArray_NewFromDescr", *arguments)
        w.let_go(w.call("PyDataMem_SetHandler", old), old)
        builder.ret(made)
    builder.ret(w.call("PyArray_NewFromDescr", *arguments))


# --- kernels --------------------------------------------------------------------------------------


def _call(w: _Writer) -> None:
    """What the processor has raised before is kept, and what the kernel raises forgotten."""
    function, table, count, flags = w.args
    keep_flags(w.builder, flags)
    result = w.call("PyObject_Vectorcall", function, table, count, NULL)
    clear_flags(w.builder)
    w.builder.call(release_function(w.module), [table, count])
    w.builder.ret(result)


# --- flags and what comes of them -----------------------------------------------------------------


def _is_due(w: _Writer) -> None:
    """With the lock of the interpreter held. An exception that is set stays so."""
    builder, (found,) = w.builder, w.args
    others = builder.and_(found, I32(FLAGS_OF_FLOATS & ~UNDERFLOWED))
    with builder.if_then(builder.icmp_signed("!=", others, I32(0))):
        builder.ret(I1(1))
    with builder.if_then(builder.icmp_signed("==", found, I32(0))):
        builder.ret(I1(0))
    is_minded = builder.alloca(I32)

    def emit(_: Sequence[ir.Value]) -> None:
        answer = w.ask(_MINDS_UNDERFLOW)
        builder.store(w.call("PyObject_IsTrue", answer), is_minded)
        w.let_go(answer)

    w.raised(emit)
    builder.ret(builder.icmp_signed("!=", builder.load(is_minded, typ=I32), I32(0)))


def _finish(w: _Writer) -> None:
    """Of a call that an int was too large for, or that raised flags."""
    builder = w.builder
    code, found, visible, result, twin, arguments, count = w.args
    is_overflown = builder.icmp_signed("==", code, I32(OVERFLOWED))

    def again() -> None:
        builder.ret(w.call("PyObject_Vectorcall", twin, arguments, count, NULL))

    with (
        builder.if_then(builder.icmp_signed("!=", code, I32(INTERRUPTED))),
        builder.if_then(builder.call(w.module.globals["is_due"], [found])),
    ):
        with builder.if_then(builder.and_(builder.not_(visible), _may_forget(w, code))):
            w.let_go(result)
            w.call("PyErr_Clear")
            again()
        with builder.if_then(builder.not_(is_overflown)):
            _warn(w, found, result)
    with builder.if_then(is_overflown):
        with builder.if_then(visible):
            builder.ret(w.ask(_OVERFLOW))
        again()
    builder.ret(result)


def _may_forget(w: _Writer, code: ir.Value) -> ir.Value:
    """Whether what was raised, if anything, comes again."""
    has_not = w.builder.icmp_signed("!=", code, I32(RAISED))
    return w.builder.or_(has_not, comes_again(w.module, w.builder))


def _warn(w: _Writer, found: ir.Value, result: ir.Value) -> None:
    """Warn, and go on with the result, or with what was raised after what is warned of."""
    builder = w.builder

    def emit(raised: Sequence[ir.Value]) -> None:
        number = w.call("PyLong_FromLongLong", builder.zext(found, I64))
        table = builder.alloca(POINTER)
        builder.store(number, table)
        none = w.ask(_WARN, table, I64(1))
        w.let_go(number)
        with builder.if_then(builder.icmp_unsigned("==", none, NULL)):
            w.let_go(result, *raised)
            builder.ret(NULL)
        w.let_go(none)

    w.raised(emit)
    builder.ret(result)
