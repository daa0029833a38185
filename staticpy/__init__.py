"""staticpy: plain NumPy functions as compiled graphs that do exactly what Python would have done.

In: ``import staticpy``. Out: the names below, each of which loads its part of the package when it
is first used, so that the command line starts without NumPy and an embedder of the frontend loads
no backend.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from staticpy.diagnostics import CompileError
    from staticpy.runtime import (
        GRAPH_MODE,
        PYNATIVE_MODE,
        RecompilationWarning,
        disable_jit,
        get_context,
        jit,
        set_context,
    )

__version__ = "0.1.0"

__all__ = [
    "GRAPH_MODE",
    "PYNATIVE_MODE",
    "CompileError",
    "RecompilationWarning",
    "__version__",
    "disable_jit",
    "get_context",
    "jit",
    "set_context",
]

_HOME = dict.fromkeys(__all__, "staticpy.runtime") | {"CompileError": "staticpy.diagnostics"}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'staticpy' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
