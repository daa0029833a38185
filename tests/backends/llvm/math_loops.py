"""A loop over one function of the math library, compiled as the backend compiles it.

In: a name and a dtype. Out: a callable of arrays that gives the results and the processor's flags.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

import numpy as np
from llvmlite import binding

from staticpy.backends.llvm import ir, maths
from staticpy.backends.llvm.engine import (
    Code,
    compile_modules,
    has_fma,
    has_scaling,
    register_bytes,
)
from staticpy.backends.llvm.units import Effort

DTYPES = {"f32": np.float32, "f64": np.float64}
# The sticky bits of MXCSR; underflow and inexact are not looked at, as NumPy's defaults don't.
INVALID, DIVIDE, OVERFLOW = 1, 4, 8
_CLEARED = 0x1F80
WIDTHS = {"f32": register_bytes() // 4, "f64": register_bytes() // 8}
_VOID = ir.VoidType()
_I32, _I64 = ir.IntType(32), ir.IntType(64)


def _asm(builder: ir.IRBuilder, text: str, pointer: ir.Value) -> None:
    kind = ir.FunctionType(_VOID, [pointer.type])
    builder.asm(kind, text, "r,~{memory},~{dirflag},~{fpsr},~{flags}", [pointer])


def loop_module(name: str, dtype: str, *, fma: bool) -> ir.Module:
    """``i32 loop(in*, in*, out*, i64 n)``: out[i] = f(in[i]…), of n vectors; gives MXCSR."""
    module = ir.Module()
    scaling = fma and has_scaling()
    function = maths.declare(module, name, dtype, fma=fma, scaling=scaling, width=WIDTHS[dtype])
    vector = function.ftype.return_type
    loop = ir.Function(module, ir.FunctionType(_I32, [ir.PointerType()] * 3 + [_I64]), "loop")
    entry, body, end = (loop.append_basic_block(label) for label in ("entry", "body", "end"))
    builder = ir.IRBuilder(entry)
    state = builder.alloca(_I32)
    builder.store(_I32(_CLEARED), state)
    _asm(builder, "ldmxcsr ($0)", state)
    builder.branch(body)
    builder.position_at_end(body)
    i = builder.phi(_I64)
    operands = loop.args[: len(function.args)]
    values = [builder.load(builder.gep(each, [i], vector), vector, align=1) for each in operands]
    builder.store(builder.call(function, values), builder.gep(loop.args[2], [i], vector), align=1)
    after = builder.add(i, _I64(1), flags=["nuw", "nsw"])
    i.add_incoming(_I64(0), entry)
    i.add_incoming(after, body)
    builder.cbranch(builder.icmp_unsigned("<", after, loop.args[3]), body, end)
    builder.position_at_end(end)
    _asm(builder, "stmxcsr ($0)", state)
    builder.ret(builder.load(state, _I32))
    return module


@dataclass
class Loop:
    """A compiled loop."""

    code: Code
    dtype: str

    def run(self, *arrays: np.ndarray) -> tuple[np.ndarray, int]:
        """The results and the flags raised, of INVALID, DIVIDE and OVERFLOW."""
        size = arrays[0].size
        width = WIDTHS[self.dtype]
        missing = -size % width
        operands = [np.pad(a.astype(DTYPES[self.dtype]), (0, missing), "edge") for a in arrays]
        result = np.empty_like(operands[0])
        address = self.code.address("loop")
        call = ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_void_p] * 3, ctypes.c_int64)(address)
        places = (operands[0], operands[-1], result)
        state = call(*(each.ctypes.data for each in places), result.size // width)
        return result[:size], state & (INVALID | DIVIDE | OVERFLOW)


def compiled(name: str, dtype: str, *, fma: bool | None = None) -> Loop:
    """The loop for this machine; without ``fma`` the library is told to have none."""
    binding.initialize_native_asmparser()
    module = loop_module(name, dtype, fma=has_fma() if fma is None else fma)
    return Loop(compile_modules([(module, Effort.LOOPS)], ["loop"]), dtype)
