"""Memory for large arrays that is used again.

A fresh array of some hundred kilobytes and more costs more in page faults than in arithmetic. In:
nothing. Out: a handler of NumPy's memory (NEP 49) that keeps what large arrays leave behind, up to
SLOTS pieces, for the next one of the same size. It is machine code, which NumPy may call from any
thread: what a slot holds is taken and put back by an atomic exchange.
"""

from __future__ import annotations

import ctypes
import os
import sys

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.capi import declare
from staticpy.backends.llvm.context import NULL
from staticpy.backends.llvm.engine import Code, compile_modules, once
from staticpy.backends.llvm.forms import I8, I32, I64, POINTER
from staticpy.backends.llvm.units import Effort

SMALLEST = 1 << 17
"""From how many bytes on memory is kept: from there on the C library asks the system for it."""

LARGEST = 1 << 28
"""Up to how many bytes."""

SLOTS = 4
"""How many pieces are kept at most."""

_HUGE = 1 << 22
"""From how many bytes on the system is asked for pages of 2 MiB, as by NumPy: a page of 4 KiB each
is as much work as what is computed of it.
"""
_PAGE = 1 << 12
_MADV_HUGEPAGE = 14


class Handler(ctypes.Structure):
    """``PyDataMem_Handler``."""

    _fields_ = (
        ("name", ctypes.c_char * 127),
        ("version", ctypes.c_uint8),
        ("context", ctypes.c_void_p),
        ("malloc", ctypes.c_void_p),
        ("calloc", ctypes.c_void_p),
        ("realloc", ctypes.c_void_p),
        ("free", ctypes.c_void_p),
    )


@once
def handler() -> object:
    """The capsule of the handler; one for a process, and for ever."""
    code = compiled()
    made = Handler(b"staticpy", 1, None)
    for name in ("malloc", "calloc", "realloc", "free"):
        setattr(made, name, code.address(f"recycling.{name}"))
    new = ctypes.pythonapi.PyCapsule_New
    new.restype = ctypes.py_object
    new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    name_of_capsule = b"mem_handler"
    # Arrays may be freed when all modules are gone.
    ctypes.pythonapi.Py_IncRef(ctypes.py_object((code, made, name_of_capsule)))
    return new(ctypes.addressof(made), name_of_capsule, None)


@once
def compiled() -> Code:
    """The code of the handler."""
    module = ir.Module("recycling")
    table = ir.GlobalVariable(module, ir.ArrayType(I64, SLOTS), "slots")
    table.initializer = ir.Constant(table.value_type, None)
    table.linkage = "internal"
    names = ("malloc", "calloc", "realloc", "free")
    _malloc(module, table)
    _free(module, table)
    _forward(module, "calloc", [POINTER, I64, I64])
    _forward(module, "realloc", [POINTER, POINTER, I64])
    return compile_modules([(module, Effort.RARELY)], [f"recycling.{name}" for name in names])


def _function(module: ir.Module, name: str, result: ir.Type, types: list[ir.Type]) -> ir.Function:
    return ir.Function(module, ir.FunctionType(result, types), f"recycling.{name}")


def _forward(module: ir.Module, name: str, types: list[ir.Type]) -> None:
    """The function of the C library, which gets no context."""
    function = _function(module, name, POINTER, types)
    builder = ir.IRBuilder(function.append_basic_block())
    builder.ret(builder.call(declare(module, name), function.args[1:]))


def _exchange(builder: ir.IRBuilder, table: ir.Value, number: int, address: ir.Value) -> ir.Value:
    """Put an address into a slot, 0 for none, and take what was there."""
    place = builder.gep(table, [I64(number)], source_etype=I64)
    return builder.atomic_rmw("xchg", place, address, "acq_rel")


def _malloc(module: ir.Module, table: ir.Value) -> None:
    """What a slot holds of the same size, or fresh memory. Kept memory begins with its size."""
    function = _function(module, "malloc", POINTER, [POINTER, I64])
    builder = ir.IRBuilder(function.append_basic_block())
    wanted = function.args[1]
    with builder.if_then(_is_kept(builder, wanted), likely=False):
        for number in range(SLOTS):
            address = _exchange(builder, table, number, I64(0))
            with builder.if_then(builder.icmp_unsigned("!=", address, I64(0))):
                memory = builder.inttoptr(address, POINTER)
                size = builder.load(memory, typ=I64)
                with builder.if_then(builder.icmp_unsigned("==", size, wanted)):
                    builder.ret(memory)
                other = _exchange(builder, table, number, address)
                builder.call(declare(module, "free"), [builder.inttoptr(other, POINTER)])
    memory = builder.call(declare(module, "malloc"), [wanted])
    if _may_be_huge():
        is_huge = builder.icmp_unsigned(">=", wanted, I64(_HUGE))
        is_there = builder.icmp_unsigned("!=", memory, NULL)
        with builder.if_then(builder.and_(is_huge, is_there), likely=False):
            _ask_for_huge_pages(module, builder, memory, wanted)
    builder.ret(memory)


def _may_be_huge() -> bool:
    """Whether NumPy may ask for such pages, too."""
    return sys.platform == "linux" and os.environ.get("NUMPY_MADVISE_HUGEPAGE", "1") != "0"


def _ask_for_huge_pages(
    module: ir.Module, builder: ir.IRBuilder, memory: ir.Value, size: ir.Value
) -> None:
    """From the first whole page on. Where the system can't, the pages are those of ever."""
    begin = builder.ptrtoint(memory, I64)
    margin = builder.and_(builder.sub(I64(0), begin), I64(_PAGE - 1))
    page = builder.gep(memory, [margin], source_etype=I8)
    rest = builder.sub(size, margin)
    builder.call(declare(module, "madvise"), [page, rest, I32(_MADV_HUGEPAGE)])


def _free(module: ir.Module, table: ir.Value) -> None:
    """Keep memory in the first slot, whose memory goes to the next, and so on; what is left over
    is given back.
    """
    function = _function(module, "free", ir.VoidType(), [POINTER, POINTER, I64])
    builder = ir.IRBuilder(function.append_basic_block())
    _, memory, length = function.args
    with builder.if_then(_is_kept(builder, length), likely=False):
        builder.store(length, memory)
        address = builder.ptrtoint(memory, I64)
        for number in range(SLOTS):
            address = _exchange(builder, table, number, address)
            with builder.if_then(builder.icmp_unsigned("==", address, I64(0))):
                builder.ret_void()
        builder.call(declare(module, "free"), [builder.inttoptr(address, POINTER)])
        builder.ret_void()
    builder.call(declare(module, "free"), [memory])
    builder.ret_void()


def _is_kept(builder: ir.IRBuilder, size: ir.Value) -> ir.Value:
    above = builder.icmp_unsigned(">=", size, I64(SMALLEST))
    return builder.and_(above, builder.icmp_unsigned("<=", size, I64(LARGEST)))
