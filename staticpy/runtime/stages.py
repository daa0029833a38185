"""The stages of one compilation, to look at: ``jit(f).lower(*args)`` and ``.compile()``.

In: a Target and the arguments of a call by name, of which only the types and compile-time values
matter. Out: a Lowered with the graph, and from it a Compiled with the generated source and the
memory plan.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from staticpy.backends import Kernel, MemoryPlan, NativeCode, PythonSource
from staticpy.frontend import Note
from staticpy.ir import Module, print_module
from staticpy.runtime.entry import MISS
from staticpy.runtime.specialization import (
    Specialization,
    Target,
    analyze_call,
    compile_analysis,
)


class Lowered:
    """The graph of a function for arguments of some types, as the frontend made it.

    Attributes:
        module: the graph; nothing has been optimised yet.
        diagnostics: what was found while lowering: warnings and hints.
        notes: what lowering found out of each line, for ``explain``.
    """

    def __init__(self, target: Target, arguments: Mapping[str, Any]) -> None:
        self._target = target
        self._arguments = arguments
        self._compiled: Compiled | None = None
        self.diagnostics = target.diagnostics()
        analysis = analyze_call(target, arguments, self.diagnostics)
        self.module: Module = analysis.module
        self.notes: tuple[Note, ...] = analysis.notes

    @property
    def ir(self) -> str:
        """The text of the graph, as lowered."""
        return print_module(self.module)

    @property
    def optimized_ir(self) -> str:
        """The text of the graph after all passes: what is compiled."""
        return self.compile().ir

    def compile(self) -> Compiled:
        """Compile the graph.

        Raises:
            CompileError: the backend can't run it.
        """
        if self._compiled is None:
            # The passes change a module in place, and this one stays as lowered.
            analysis = analyze_call(self._target, self._arguments, self._target.diagnostics())
            specialization = compile_analysis(self._target, analysis, self.diagnostics)
            self._compiled = Compiled(specialization)
        return self._compiled


class Compiled:
    """Compiled code for arguments of some types. Called with others it raises TypeError.

    Attributes:
        module: the graph that was compiled, optimised.
    """

    def __init__(self, specialization: Specialization) -> None:
        self._specialization = specialization
        self.module: Module = specialization.module

    @property
    def ir(self) -> str:
        """The text of the graph that was compiled."""
        return print_module(self.module)

    @property
    def source(self) -> str:
        """The graph as readable NumPy: what the backend ``python_source`` makes of it."""
        executable = self._specialization.executable
        if executable.native is not None:
            executable = PythonSource().compile(self.module)
        return executable.source

    @property
    def llvm_ir(self) -> str:
        """The code of LLVM, optimised.

        Raises:
            ValueError: the backend makes no native code.
        """
        return self._native.optimise()

    @property
    def assembly(self) -> str:
        """The machine code, as text.

        Raises:
            ValueError: the backend makes no native code.
        """
        return self._native.assemble()

    @property
    def kernels(self) -> tuple[Kernel, ...]:
        """The loops of the native code: what was fused, bytes moved, operations on floats.

        Raises:
            ValueError: the backend makes no native code.
        """
        return self._native.kernels

    @property
    def _native(self) -> NativeCode:
        native = self._specialization.executable.native
        if native is None:
            raise ValueError('this backend makes no native code: compile with jit(backend="llvm")')
        return native

    @property
    def memory_plan(self) -> MemoryPlan:
        """Which buffers are used again, and how many bytes that saves."""
        return self._specialization.executable.memory_plan

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the code.

        Raises:
            TypeError: the arguments are not of the types that the code was compiled for.
        """
        result = self._specialization.entry(*args, **kwargs)
        if result is MISS:
            expected = ", ".join(str(argument.type) for argument in self.module.main.args)
            raise TypeError(f"these arguments don't fit the code compiled for ({expected})")
        return result
