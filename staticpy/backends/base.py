"""What a backend is: a Module goes in, something that runs comes out.

In: a verified Module whose ``main`` is to be run. Out: an Executable. A backend that has no form
of an operation or type says so with UNSUPPORTED_BY_BACKEND; it never falls back silently. An
embedder makes a backend of its own known with ``register_backend``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import Module
from staticpy.passes import MemoryPlan
from staticpy.source import SourceSpan


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
    """

    function: Callable[..., Any]
    source: str
    filename: str
    spans: Mapping[int, SourceSpan]
    memory_plan: MemoryPlan

    def __call__(self, *leaves: Any) -> Any:
        """Run the code."""
        return self.function(*leaves)


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


def register_backend(backend: Backend) -> None:
    """Make ``backend`` known by its name; it replaces one of the same name."""
    _BACKENDS[backend.name] = backend


def get_backend(name: str) -> Backend:
    """The backend called ``name``.

    Raises:
        ValueError: there is none; the message lists those that there are.
    """
    if name not in _BACKENDS:
        known = ", ".join(sorted(_BACKENDS))
        raise ValueError(f"there is no backend {name!r}; there are: {known}")
    return _BACKENDS[name]


def native_ops() -> frozenset[str]:
    """The ops for which a backend makes native code, by its ``native_ops`` if it has any."""
    known = (getattr(backend, "native_ops", ()) for backend in _BACKENDS.values())
    return frozenset(name for names in known for name in names)


def unsupported(backend: str, what: str, span: SourceSpan | None = None) -> DiagnosticError:
    """The error of a backend that has no form of ``what``."""
    return DiagnosticError(catalog.UNSUPPORTED_BY_BACKEND, span, backend=backend, what=what)
