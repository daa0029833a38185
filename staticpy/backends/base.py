"""What a backend is: a Module goes in, something that runs comes out.

In: a verified Module whose ``main`` is to be run. Out: an Executable. A backend that has no form
of an operation or type says so with UNSUPPORTED_BY_BACKEND; it never falls back silently. An
embedder makes a backend of its own known with ``register_backend``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from staticpy.backends.timing import Timings
from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import Module
from staticpy.passes import Kernel, MemoryPlan
from staticpy.source import SourceSpan


@dataclass(frozen=True, eq=False, slots=True)
class NativeCode:
    """What a backend of machine code has made, to look at.

    Attributes:
        optimise: gives the text of the code before machine code is made of it, optimised.
        kernels: the loops, and what each does in one pass over memory.
        assemble: gives the text of the machine code.
        entry: the address of a C function that runs the code; of the form of METH_FASTCALL.
        dispatcher: gives the address of a C function that takes calls by the plans of
            ``direct_calls``.
    """

    optimise: Callable[[], str]
    kernels: tuple[Kernel, ...]
    assemble: Callable[[], str]
    entry: int
    dispatcher: Callable[[], int]


@dataclass(frozen=True, eq=False, slots=True)
class Executable:
    """A compiled function.

    Attributes:
        function: takes the arguments of ``main`` in order, and returns its result where there is
            exactly one, else a tuple of the results.
        source: the text that was generated.
        filename: the file name that tracebacks show for it.
        spans: for each line of ``source``, counted from 1, its place in the user's source.
        memory_plan: which buffers are used again.
        native: the machine code, of a backend that makes some.
        parts: executables that the function calls; there may come more while it runs.
        timings: how long its kernels take, if it is timed.
    """

    function: Callable[..., Any]
    source: str
    filename: str
    spans: Mapping[int, SourceSpan]
    memory_plan: MemoryPlan
    native: NativeCode | None = None
    parts: Sequence[Executable] = ()
    timings: Timings | None = None

    def __call__(self, *leaves: Any) -> Any:
        """Run the code."""
        return self.function(*leaves)

    def lines(self) -> dict[str, Mapping[int, SourceSpan]]:
        """``spans`` by the name of the file, those of the parts included."""
        found = {self.filename: self.spans}
        for part in self.parts:
            found.update(part.lines())
        return found


class Backend(Protocol):
    """What turns a Module into an Executable."""

    @property
    def name(self) -> str:
        """The name by which users choose it."""
        ...

    def compile(self, module: Module) -> Executable:
        """Compile ``module``, which is not changed.

        Raises:
            DiagnosticError: UNSUPPORTED_BY_BACKEND, for what this backend has no form of.
        """
        ...


_BACKENDS: dict[str, Backend] = {}
EXTRAS = {"llvm": "native"}
"""What has to be installed for a backend that needs more than staticpy does, by the extra."""


def register_backend(backend: Backend) -> None:
    """Make ``backend`` known by its name; it replaces one of the same name."""
    _BACKENDS[backend.name] = backend


def is_registered(name: str) -> bool:
    """Whether there is a backend called ``name``."""
    return name in _BACKENDS


def get_backend(name: str) -> Backend:
    """The backend called ``name``.

    Raises:
        ValueError: there is none; the message lists those that there are.
    """
    if not is_registered(name):
        known = ", ".join(sorted(_BACKENDS))
        extra = EXTRAS.get(name)
        install = f"; it comes with pip install 'staticpy[{extra}]'" if extra else ""
        raise ValueError(f"there is no backend {name!r}; there are: {known}{install}")
    return _BACKENDS[name]


def unsupported(backend: str, what: str, span: SourceSpan | None = None) -> DiagnosticError:
    """The error of a backend that has no form of ``what``."""
    return DiagnosticError(catalog.UNSUPPORTED_BY_BACKEND, span, backend=backend, what=what)
