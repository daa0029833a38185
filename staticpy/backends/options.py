"""How a function is compiled: which backend, and what it is asked for beside the code.

In: Options and a Module. Out: an Executable.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import import_module
from typing import Any

from staticpy.backends.base import Backend, Executable, get_backend
from staticpy.backends.timing import TimedKernel, Timings, now
from staticpy.ir import Module


@dataclass(eq=False, slots=True)
class Recorder:
    """Gets the timings of what is compiled.

    Attributes:
        timings: by the order in which it was compiled.
    """

    timings: list[Timings] = field(default_factory=list)

    def timed(self, executable: Executable, function: TimedKernel) -> Executable:
        """``executable`` with all its calls timed."""
        timings = executable.timings or Timings()
        number = len(timings.kernels)
        timings.kernels.append(function)
        self.timings.append(timings)
        return replace(executable, function=_timed(executable.function, timings, number))


def _timed(run: Callable[..., Any], timings: Timings, number: int) -> Callable[..., Any]:
    def timed(*leaves: Any) -> Any:
        start = now()
        try:
            return run(*leaves)
        finally:
            timings.record(number, start)

    return timed


@dataclass(frozen=True, slots=True)
class Options:
    """Which backend compiles, and what for.

    A backend for which there is more to ask than ``compile`` has a method ``with_options``, which
    takes Options and gives the backend that does so; and ``can_keep_code``, which says whether
    it knows ``keeps_code``. One that takes long to load has a method ``load``.

    Attributes:
        backend: its name.
        keeps_code: what is compiled is kept for later runs.
        recorder: gets to know how long the code and its kernels take; None where nobody asks.
    """

    backend: str
    keeps_code: bool = False
    recorder: Recorder | None = None

    @property
    def is_timed(self) -> bool:
        """Whether the code writes down how long its kernels take."""
        return self.recorder is not None

    def chosen(self) -> Backend:
        """The backend.

        Raises:
            ValueError: there is none of this name, or it keeps nothing.
        """
        backend = get_backend(self.backend)
        if self.keeps_code and not getattr(backend, "can_keep_code", False):
            raise ValueError(
                f"cache: the backend {self.backend!r} keeps no code between runs; "
                "jit(cache=True) goes with backend='llvm'"
            )
        with_options = getattr(backend, "with_options", None)
        chosen: Backend = backend if with_options is None else with_options(self)
        return chosen

    def load(self) -> None:
        """Load the backend, so that the first call of a function has only to compile it.

        Raises:
            ValueError: as ``chosen``.
        """
        load = getattr(self.chosen(), "load", None)
        if load is not None:
            load()

    def compile(self, module: Module) -> Executable:
        """Compile ``module``, which is not changed.

        Raises:
            DiagnosticError: UNSUPPORTED_BY_BACKEND, for what the backend has no form of.
        """
        executable = self.chosen().compile(module)
        if self.recorder is None:
            return executable
        main = module.main
        spans = tuple(each.span for each in main.block.operations[:1])
        return self.recorder.timed(executable, TimedKernel("function", main.name, (), spans))


class LazyBackend:
    """A backend whose package is imported when a function is decorated that it is to compile.

    Args:
        name: the name by which users choose it.
        package: where its class is.
        class_name: the name of the class, which is called with ``arguments``.
    """

    can_keep_code = True

    def __init__(self, name: str, package: str, class_name: str, **arguments: Any) -> None:
        self.name = name
        self._package = package
        self._class_name = class_name
        self._arguments = arguments

    def with_options(self, options: Options) -> LazyBackend:
        """The same with these options, of which its class gets to know."""
        arguments = {**self._arguments, "options": options}
        return LazyBackend(self.name, self._package, self._class_name, **arguments)

    def load(self) -> None:
        """Import the package, and let its ``prepare`` do what it does once for a process."""
        import_module(self._package).prepare()

    @cached_property
    def _backend(self) -> Backend:
        made: Backend = getattr(import_module(self._package), self._class_name)(**self._arguments)
        return made

    def compile(self, module: Module) -> Executable:
        """Compile ``module``, which is not changed.

        Raises:
            DiagnosticError: UNSUPPORTED_BY_BACKEND, for what this backend has no form of.
        """
        return self._backend.compile(module)
