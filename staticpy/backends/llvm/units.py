"""The text of an LLVM module, and what LLVM makes of it: object code for this processor.

In: texts, by how much time is worth while. Out: for each its object code. Each is compiled in a
context of its own, so that several threads can compile at once.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from functools import cache, partial
from typing import Any

import llvmlite
from llvmlite import binding
from llvmlite.binding import ffi

from staticpy.backends.llvm.kept import kept_code, name_of
from staticpy.backends.llvm.quiet import has_marks, quieted

_PASSES = "7"
"""To be counted up when the passes change, so that code of earlier runs is compiled anew."""


class Effort(Enum):
    """How much time is spent on a module."""

    RARELY = "rarely"
    """It is run now and then, for much work each time."""
    ONCE = "once"
    """It is run straight through, once in a call: what it does is done by what it calls."""
    LOOPS = "loops"
    """Loops that are written as they should run, over vectors: registers, no calculation twice."""
    NUMBERS = "numbers"
    """Loops over numbers, of which LLVM may make vectors: all that it knows."""


COSTS = {Effort.RARELY: 4, Effort.ONCE: 4, Effort.LOOPS: 25, Effort.NUMBERS: 60}
"""How long a line of a text takes, in about microseconds."""
LEAST_COST = 2_000
"""How long a module takes besides."""


@dataclass(frozen=True, slots=True, eq=False)
class Unit:
    """A module as text, and how much time is spent on it."""

    text: str
    effort: Effort

    @property
    def cost(self) -> int:
        """How long it takes to compile, beside others."""
        return LEAST_COST + self.text.count("\n") * COSTS[self.effort]

    def name(self) -> str:
        """What its code is kept by: all that it depends on."""
        version = ".".join(map(str, (*binding.llvm_version_info, llvmlite.__version__)))
        known = (_PASSES, version, target_machine().triple, *host())
        return name_of((self.text, self.effort.value, *known))

    def compiled(self) -> bytes:
        """The object code."""
        with self._machine() as machine:
            return _emitted(machine, self._optimised(machine))

    def optimised(self) -> str:
        """The text after LLVM's passes."""
        with self._machine() as machine:
            return str(self._optimised(machine))

    def assembly(self) -> str:
        """The text in the language of this processor."""
        with self._machine() as machine:
            return str(machine.emit_assembly(self._optimised(machine)))

    def _optimised(self, machine: Any) -> Any:
        parsed = _parsed(self.text)
        parsed.verify()
        _optimise(parsed, self.effort, machine)
        return _parsed(quieted(str(parsed))) if has_marks(self.text) else parsed

    @contextmanager
    def _machine(self) -> Iterator[Any]:
        """What makes machine code of it, for one thread at a time: the best instructions are worth
        some nanoseconds of a call, and cost as many milliseconds.
        """
        level = 0 if _takes_least(self.effort) else 2
        try:
            machine = _MACHINES[level].pop()
        except IndexError:
            machine = _new_machine(level)
        yield machine
        _MACHINES[level].append(machine)


def compile_units(lanes: Sequence[Sequence[Unit]], *, keeps_code: bool) -> dict[Unit, bytes]:
    """The object code of units, of earlier runs if it was kept; those of each lane are compiled by
    a thread.
    """
    kept = kept_code(is_wanted=keeps_code)
    every = [unit for lane in lanes for unit in lane]
    names = {} if kept is None else {unit: unit.name() for unit in every}
    found = {unit: code for unit, name in names.items() if kept and (code := kept.get(name))}
    missing = [[unit for unit in lane if unit not in found] for lane in lanes]
    made = _compiled([lane for lane in missing if lane])
    for unit, name in names.items():
        if kept and unit in made:
            kept.put(name, made[unit])
    return found | made


def _compiled(lanes: Sequence[Sequence[Unit]]) -> dict[Unit, bytes]:
    made: dict[Unit, bytes] = {}

    def run(lane: Sequence[Unit]) -> None:
        made.update((unit, unit.compiled()) for unit in lane)

    at_once([partial(run, lane) for lane in lanes])
    return made


def at_once(works: Sequence[Callable[[], object]]) -> None:
    """Do all of these, each in a thread, the first in this one; LLVM lets others run meanwhile. An
    exception of one is raised when all have ended.
    """
    failed: list[Exception] = []

    def run(work: Callable[[], object]) -> None:
        try:
            work()
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=run, args=(each,), daemon=True) for each in works[1:]]
    for each in threads:
        each.start()
    for first in works[:1]:
        first()
    for each in threads:
        each.join()
    for error in failed:
        raise error


# --- LLVM -----------------------------------------------------------------------------------------


@cache
def host() -> tuple[str, str]:
    """The name of this processor, and what it can do."""
    return binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten()


_MACHINES: dict[int, list[Any]] = {0: [], 2: []}
"""Those that no thread has, by their level of code generation."""


@cache
def target_machine() -> Any:
    """What LLVM knows of this processor, to be asked about it."""
    return _new_machine(2)


def _new_machine(level: int) -> Any:
    """What makes code of some level for this processor.

    What code calls and reads is within 2 GB of it: at level 0 instructions are then selected one by
    one, which LLVM doesn't do for calls to anywhere.
    """
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    target = binding.Target.from_default_triple()
    cpu, features = host()
    near = {"codemodel": "small", "reloc": "pic"}
    return target.create_target_machine(cpu=cpu, features=features, opt=level, jit=True, **near)


def _takes_least(effort: Effort) -> bool:
    return effort in (Effort.ONCE, Effort.RARELY)


def _optimise(parsed: Any, effort: Effort, machine: Any) -> None:
    options = binding.create_pipeline_tuning_options(speed_level=2)
    options.loop_vectorization = effort is Effort.NUMBERS
    options.slp_vectorization = False
    builder = binding.create_pass_builder(machine, options)
    passes = builder.getModulePassManager() if effort is Effort.NUMBERS else _few_passes(effort)
    try:
        _library().LLVMPY_RunNewModulePassManager(passes, parsed, builder)
    finally:
        _free(passes)


def _free(passes: Any) -> None:
    """Let go of passes, of which the large ones are 90 kB: the class of llvmlite (0.50) inherits
    the method that does so behind one that does nothing.
    """
    dispose = binding.NewPassManager._dispose  # noqa: SLF001
    if type(passes)._dispose is not dispose:  # noqa: SLF001
        dispose(passes)
    passes.close()


def _few_passes(effort: Effort) -> Any:
    """Registers for variables and, where it pays, nothing computed again that is known."""
    passes = binding.create_new_module_pass_manager()
    passes.add_always_inliner_pass()
    passes.add_sroa_pass()
    passes.add_simplify_cfg_pass()
    if _takes_least(effort):
        return passes
    passes.add_instruction_combine_pass()
    passes.add_simplify_cfg_pass()
    return passes


@cache
def _library() -> Any:
    """LLVM's functions that take long, without the lock by which llvmlite lets one thread at a time
    call any of them: what has a context and a machine of its own needs none.
    """
    library = ctypes.CDLL(ffi.lib._name)  # noqa: SLF001
    address = ctypes.c_void_p
    error = ctypes.POINTER(ctypes.c_char_p)
    library.LLVMPY_ParseAssembly.argtypes = [address, ctypes.c_char_p, error]
    library.LLVMPY_ParseAssembly.restype = ffi.LLVMModuleRef
    library.LLVMPY_RunNewModulePassManager.argtypes = [address] * 3
    library.LLVMPY_TargetMachineEmitToMemory.argtypes = [address, address, ctypes.c_int, error]
    library.LLVMPY_TargetMachineEmitToMemory.restype = address
    library.LLVMPY_GetBufferStart.argtypes = [address]
    library.LLVMPY_GetBufferStart.restype = address
    library.LLVMPY_GetBufferSize.argtypes = [address]
    library.LLVMPY_GetBufferSize.restype = ctypes.c_size_t
    library.LLVMPY_DisposeMemoryBuffer.argtypes = [address]
    return library


def _parsed(text: str) -> Any:
    """The module of a text, in a context of its own."""
    library, error, context = _library(), ctypes.c_char_p(), binding.create_context()
    found = library.LLVMPY_ParseAssembly(context, text.encode(), ctypes.byref(error))
    if not found:
        raise RuntimeError(f"LLVM IR parsing error\n{(error.value or b'').decode()}")
    return binding.ModuleRef(found, context)


def _emitted(machine: Any, module: Any) -> bytes:
    library, error = _library(), ctypes.c_char_p()
    buffer = library.LLVMPY_TargetMachineEmitToMemory(machine, module, 1, ctypes.byref(error))
    if not buffer:
        raise RuntimeError((error.value or b"").decode())
    start, size = library.LLVMPY_GetBufferStart(buffer), library.LLVMPY_GetBufferSize(buffer)
    try:
        return ctypes.string_at(start, size)
    finally:
        library.LLVMPY_DisposeMemoryBuffer(buffer)
