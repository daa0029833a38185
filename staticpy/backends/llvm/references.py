"""References in slots: what native code does with the counts of them.

In: a module. Out: its functions that keep a reference in a slot, and let go of a table of them.
"""

from __future__ import annotations

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.capi import declare
from staticpy.backends.llvm.forms import I64, POINTER


def release_function(module: ir.Module) -> ir.Function:
    """``release(table, count)``, which lets go of the references in a table; some may be NULL."""
    known: ir.Function | None = module.globals.get("release")
    if known is not None:
        return known
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), [POINTER, I64]), "release")
    function.linkage = "internal"
    function.attributes.add("noinline")
    start, head, body, rest = (function.append_basic_block() for _ in range(4))
    ir.IRBuilder(start).branch(head)
    builder = ir.IRBuilder(head)
    number = builder.phi(I64)
    number.add_incoming(I64(0), start)
    builder.cbranch(builder.icmp_unsigned("<", number, function.args[1]), body, rest)
    builder = ir.IRBuilder(body)
    place = builder.gep(function.args[0], [number], source_etype=POINTER)
    builder.call(declare(module, "Py_DecRef"), [builder.load(place, typ=POINTER)])
    number.add_incoming(builder.add(number, I64(1)), body)
    builder.branch(head)
    ir.IRBuilder(rest).ret_void()
    return function


def keep_function(module: ir.Module) -> ir.Function:
    """``keep(reference, slot)``."""
    known: ir.Function | None = module.globals.get("keep")
    if known is not None:
        return known
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), [POINTER, POINTER]), "keep")
    function.linkage = "internal"
    reference, slot = function.args
    builder = ir.IRBuilder(function.append_basic_block())
    old = builder.load(slot, typ=POINTER)
    builder.store(reference, slot)
    builder.call(declare(module, "Py_DecRef"), [old])
    builder.ret_void()
    return function
