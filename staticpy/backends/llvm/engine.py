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
from functools import cache, lru_cache, wraps
from typing import Any, TypeVar

from llvmlite import binding

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.capi import resolve
from staticpy.backends.llvm.pieces import shared_out
from staticpy.backends.llvm.units import Effort, Unit, compile_units, target_machine
from staticpy.backends.threads import get_num_threads

T = TypeVar("T")

_SERIAL = itertools.count()
_LOCK = threading.RLock()
"""One linker is not made for several threads at once."""

_TOGETHER = 16
"""For how many codes there is one linker."""


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
        return "\n".join(unit.optimised() for unit in self.units)

    def assembly(self) -> str:
        """The text in the language of this processor."""
        return "\n".join(unit.assembly() for unit in self.units)


def once(make: Callable[..., T]) -> Callable[..., T]:
    """As ``functools.cache``, but that several threads that ask at once get the same, of which
    there is one: cache forgets one of two, while native code may be in its machine code already.
    """
    known, lock = cache(make), threading.RLock()

    @wraps(make)
    def made(*args: Hashable) -> T:
        with lock:
            return known(*args)

    return made


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
def has_masks() -> bool:
    """Whether this processor loads and stores some elements of a vector, of any type."""
    needed = ("avx512f", "avx512bw", "avx512dq", "avx512vl")
    return all(map(binding.get_host_cpu_features().get, needed))


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
    shared: Iterable[tuple[ir.Module, Effort]] = (),
    keeps_code: bool = False,
) -> Code:
    """Optimise and compile modules that may call each other; the addresses of ``exported`` can be
    asked for. What is compiled is kept for later runs if that is wanted.

    ``shared`` are more, whose functions are shared out among the threads that compile.
    """
    given, pieces = (
        [(module, effort) for module, effort in each if module.globals]
        for each in (modules, shared)
    )
    every = [module for module, _ in (*given, *pieces)]
    machine = target_machine()
    triple, layout = machine.triple, str(machine.target_data)
    for module in every:
        module.triple, module.data_layout = triple, layout
    units = [Unit(str(module), effort) for module, effort in given]
    codes = compile_units(shared_out(units, pieces, get_num_threads()), keeps_code=keeps_code)
    builder = binding.JITLibraryBuilder()
    for code in codes.values():
        builder.add_object_img(code)
    for name in {name: None for module in every for name in module.imports()}:
        address = resolve(name)
        if address is not None:
            builder.import_symbol(name, address)
    builder.add_current_process()
    for name in exported:
        builder.export_symbol(name)
    with _LOCK:
        serial = next(_SERIAL)
        library = builder.link(_linker(serial // _TOGETHER), f"staticpy.{serial}")
    others = [unit for unit in codes if unit not in units]
    return Code((*units, *others), library)
