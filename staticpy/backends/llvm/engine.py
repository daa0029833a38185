"""From the text of an LLVM module to machine code of this processor.

In: modules of ``ir``. Out: Code, which keeps the machine code in memory as long as somebody holds
it.
"""

from __future__ import annotations

import itertools
import sys
import threading
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from enum import Enum
from functools import cache, lru_cache, wraps
from typing import Any, TypeVar

import llvmlite
from llvmlite import binding

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.capi import resolve
from staticpy.backends.llvm.kept import kept_code, name_of

T = TypeVar("T")

_SERIAL = itertools.count()
_LOCK = threading.RLock()
"""LLVM's global context is not made for several threads at once."""

_PASSES = "4"
"""To be counted up when the passes change, so that code of earlier runs is compiled anew."""

_TOGETHER = 16
"""For how many codes there is one linker."""


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


@dataclass(frozen=True, slots=True, eq=False)
class Unit:
    """A module as text, how much time is spent on it, and what it calls by name."""

    text: str
    effort: Effort
    imports: tuple[str, ...]

    def code(self, *, keeps_code: bool) -> bytes:
        """The object code, of an earlier run if it was kept."""
        kept = kept_code(is_wanted=keeps_code)
        if kept is None:
            return self._compiled()
        version = ".".join(map(str, (*binding.llvm_version_info, llvmlite.__version__)))
        known = (_PASSES, version, self.machine.triple, *_host())
        name = name_of((self.text, self.effort.value, *known))
        code = kept.get(name)
        if code is None:
            code = self._compiled()
            kept.put(name, code)
        return code

    def _compiled(self) -> bytes:
        return bytes(self.machine.emit_object(self.optimised()))

    def optimised(self) -> Any:
        """The module after LLVM's passes."""
        parsed = binding.parse_assembly(self.text)
        parsed.verify()
        _optimise(parsed, self)
        return parsed

    @property
    def machine(self) -> Any:
        """What makes machine code of it."""
        return target_machine(0 if self.takes_least else 2)

    @property
    def takes_least(self) -> bool:
        """Whether the least time is spent on it: the best instructions are worth some nanoseconds
        of a call, and cost as many milliseconds.
        """
        return self.effort in (Effort.ONCE, Effort.RARELY)


@dataclass(frozen=True, slots=True, eq=False)
class Code:
    """Machine code in memory. Whoever holds an address of it must hold this.

    Attributes:
        units: what it was made of.
    """

    units: tuple[Unit, ...]
    _library: Any

    def address(self, name: str) -> int:
        """The address of something that was exported."""
        return int(self._library[name])

    def text(self) -> str:
        """The optimised LLVM IR, which is made anew: few look at it."""
        with _LOCK:
            return "\n".join(str(unit.optimised()) for unit in self.units)

    def assembly(self) -> str:
        """The text in the language of this processor."""
        with _LOCK:
            made = [unit.machine.emit_assembly(unit.optimised()) for unit in self.units]
        return "\n".join(made)


def once(make: Callable[..., T]) -> Callable[..., T]:
    """As ``functools.cache``, but that several threads that ask at once get the same, of which
    there is one: cache forgets one of two, while native code may be in its machine code already.
    """
    known = cache(make)

    @wraps(make)
    def made(*args: Hashable) -> T:
        with _LOCK:
            return known(*args)

    return made


@cache
def _host() -> tuple[str, str]:
    """The name of this processor, and what it can do."""
    return binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten()


@cache
def target_machine(level: int = 2) -> Any:
    """What LLVM knows of this processor; one for a process and level of code generation.

    What code calls and reads is within 2 GB of it: at level 0 instructions are then selected one by
    one, which LLVM doesn't do for calls to anywhere.
    """
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    target = binding.Target.from_default_triple()
    cpu, features = _host()
    near = {"codemodel": "small", "reloc": "pic"}
    return target.create_target_machine(cpu=cpu, features=features, opt=level, jit=True, **near)


@lru_cache(maxsize=1)
def _linker(_group: int) -> Any:
    """What puts machine code into memory. It keeps some kB of each code until all that it has put
    there are gone, and takes 85 kB itself: so there is one for each few.

    JITLink puts all parts of a code, and jumps to what is far away, into one piece of memory.
    """
    return binding.create_lljit_compiler(use_jit_link=True)


@cache
def has_fma() -> bool:
    """Whether this processor multiplies and adds with one rounding."""
    return bool(binding.get_host_cpu_features().get("fma"))


@cache
def has_avx() -> bool:
    """Whether this processor compares floats in 32 ways."""
    return bool(binding.get_host_cpu_features().get("avx"))


@cache
def has_scaling() -> bool:
    """Whether this processor multiplies numbers by powers of two, whatever the exponents."""
    return all(map(binding.get_host_cpu_features().get, ("avx512f", "avx512vl")))


@cache
def numpy_has_vectors() -> bool:
    """Whether NumPy has vector code for all functions: Intel's, of which it takes the AVX-512."""
    features = binding.get_host_cpu_features()
    needed = ("avx512f", "avx512cd", "avx512bw", "avx512dq", "avx512vl")
    return sys.platform == "linux" and all(map(features.get, needed))


@cache
def register_bytes() -> int:
    """How many bytes a register for vectors of floats has."""
    return 64 if binding.get_host_cpu_features().get("avx512f") else 32


def compile_modules(
    modules: Iterable[tuple[ir.Module, Effort]],
    exported: Iterable[str],
    *,
    keeps_code: bool = False,
) -> Code:
    """Optimise and compile modules that may call each other; the addresses of ``exported`` can be
    asked for. What is compiled is kept for later runs if that is wanted.
    """
    with _LOCK:
        units = tuple(_unit(module, effort) for module, effort in modules if module.globals)
        builder = binding.JITLibraryBuilder()
        for unit in units:
            builder.add_object_img(unit.code(keeps_code=keeps_code))
            for name in unit.imports:
                address = resolve(name)
                if address is not None:
                    builder.import_symbol(name, address)
        builder.add_current_process()
        for name in exported:
            builder.export_symbol(name)
        serial = next(_SERIAL)
        linker = _linker(serial // _TOGETHER)
        return Code(units, builder.link(linker, f"staticpy.{serial}"))


def _unit(module: ir.Module, effort: Effort) -> Unit:
    machine = target_machine()
    module.triple = machine.triple
    module.data_layout = str(machine.target_data)
    imports = [name for name, symbol in module.globals.items() if _is_declaration(symbol)]
    return Unit(str(module), effort, tuple(imports))


def _is_declaration(symbol: Any) -> bool:
    if isinstance(symbol, ir.Function):
        return bool(symbol.is_declaration)
    return symbol.initializer is None


def _optimise(parsed: Any, unit: Unit) -> None:
    options = binding.create_pipeline_tuning_options(speed_level=2)
    options.loop_vectorization = unit.effort is Effort.NUMBERS
    options.slp_vectorization = False
    builder = binding.create_pass_builder(target_machine(), options)
    passes = builder.getModulePassManager() if unit.effort is Effort.NUMBERS else _few_passes(unit)
    try:
        passes.run(parsed, builder)
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


def _few_passes(unit: Unit) -> Any:
    """Registers for variables; where it pays one function for several that are the same, and
    nothing computed again that is known.
    """
    passes = binding.create_new_module_pass_manager()
    if unit.effort is Effort.LOOPS:
        passes.add_merge_functions_pass()
    passes.add_always_inliner_pass()
    passes.add_sroa_pass()
    passes.add_simplify_cfg_pass()
    if unit.takes_least:
        return passes
    passes.add_instruction_combine_pass()
    passes.add_simplify_cfg_pass()
    return passes
