"""A loop over one function of the math library, compiled as the backend compiles it.

In: a name and a dtype. Out: a callable of arrays that gives the results and the processor's flags.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

import numpy as np
from llvmlite import binding, ir

from staticpy.backends.llvm import maths

DTYPES = {"f32": np.float32, "f64": np.float64}
BINARY = {"pow", "arctan2", "hypot", "logaddexp"}
# The sticky bits of MXCSR; underflow and inexact are not looked at, as NumPy's defaults don't.
INVALID, DIVIDE, OVERFLOW = 1, 4, 8
_CLEARED = 0x1F80
_VOID = ir.VoidType()
_I32, _I64, _POINTER = ir.IntType(32), ir.IntType(64), ir.IntType(8).as_pointer()


def _asm(builder: ir.IRBuilder, text: str, pointer: ir.Value) -> None:
    kind = ir.FunctionType(_VOID, [pointer.type])
    code = ir.InlineAsm(kind, text, "r,~{memory},~{dirflag},~{fpsr},~{flags}", side_effect=True)
    builder.call(code, [pointer])


def loop_module(name: str, dtype: str, *, fma: bool) -> ir.Module:
    """``i32 loop(in*, in*, out*, i64 n)``: out[i] = f(in[i]…); gives MXCSR."""
    module = ir.Module()
    module.triple = binding.get_process_triple()
    function = maths.declare(module, name, dtype, fma=fma)
    element = function.return_value.type.as_pointer()
    loop = ir.Function(module, ir.FunctionType(_I32, [element] * 3 + [_I64]), "loop")
    for argument in loop.args[:3]:
        argument.add_attribute("noalias")
    entry, body, end = (loop.append_basic_block(label) for label in ("entry", "body", "end"))
    builder = ir.IRBuilder(entry)
    state = builder.alloca(_I32)
    builder.store(_I32(_CLEARED), state)
    _asm(builder, "ldmxcsr ($0)", state)
    builder.branch(body)
    builder.position_at_end(body)
    i = builder.phi(_I64)
    operands = loop.args[: len(function.args)]
    values = [builder.load(builder.gep(operand, [i])) for operand in operands]
    builder.store(builder.call(function, values), builder.gep(loop.args[2], [i]))
    after = builder.add(i, _I64(1), flags=["nuw", "nsw"])
    i.add_incoming(_I64(0), entry)
    i.add_incoming(after, body)
    builder.cbranch(builder.icmp_unsigned("<", after, loop.args[3]), body, end)
    builder.position_at_end(end)
    _asm(builder, "stmxcsr ($0)", state)
    builder.ret(builder.load(state))
    return module


@dataclass
class Loop:
    """A compiled loop; ``assembly`` is its text."""

    engine: binding.ExecutionEngine
    assembly: str
    dtype: str
    name: str

    def run(self, *arrays: np.ndarray, out: np.ndarray | None = None) -> tuple[np.ndarray, int]:
        """The results and the flags raised, of INVALID, DIVIDE and OVERFLOW."""
        operands = [np.ascontiguousarray(a, DTYPES[self.dtype]) for a in arrays]
        result = np.empty_like(operands[0]) if out is None else out
        address = self.engine.get_function_address("loop")
        call = ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_void_p] * 3, ctypes.c_int64)(address)
        state = call(
            operands[0].ctypes.data, operands[-1].ctypes.data, result.ctypes.data, result.size
        )
        return result, state & (INVALID | DIVIDE | OVERFLOW)


def compiled(name: str, dtype: str, *, fma: bool | None = None) -> Loop:
    """The loop for this machine; without ``fma`` the target is told to have none."""
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    binding.initialize_native_asmparser()
    features = binding.get_host_cpu_features()
    fused = bool(features.get("fma")) if fma is None else fma
    module = binding.parse_assembly(str(loop_module(name, dtype, fma=fused)))
    target = binding.Target.from_default_triple().create_target_machine(
        cpu=binding.get_host_cpu_name(), features=features.flatten(), opt=3
    )
    tuning = binding.create_pipeline_tuning_options(speed_level=3)
    tuning.loop_vectorization = True
    builder = binding.create_pass_builder(target, tuning)
    builder.getModulePassManager().run(module, builder)
    assembly = target.emit_assembly(module)
    engine = binding.create_mcjit_compiler(module, target)
    engine.finalize_object()
    return Loop(engine, assembly, dtype, name)
