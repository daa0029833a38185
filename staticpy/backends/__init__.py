"""Backends: what makes a graph run.

In: an optimized Module. Out: an Executable. A backend of your own implements ``Backend`` and is
made known by ``register_backend``; ``jit(backend=...)`` then finds it by its name.
"""

from importlib.util import find_spec

from staticpy.backends.base import (
    Backend,
    Executable,
    NativeCode,
    get_backend,
    register_backend,
    unsupported,
)
from staticpy.backends.default import default_backend
from staticpy.backends.direct_calls import (
    FUNCTION_DICT,
    FUNCTION_FIELDS,
    KINDS,
    REGISTERS,
    Check,
    DirectCalls,
    DirectPlan,
    Plan,
    has_known_fields,
)
from staticpy.backends.options import LazyBackend, Options, Recorder
from staticpy.backends.python_source import PythonSource
from staticpy.backends.timing import Event, TimedKernel, Timings, now
from staticpy.passes import Kernel, MemoryPlan

register_backend(PythonSource())
if find_spec("llvmlite") is not None:
    _llvm = LazyBackend(
        "llvm", "staticpy.backends.llvm", "Llvm", host=PythonSource(), options=Options("llvm")
    )
    register_backend(_llvm)

__all__ = [
    "FUNCTION_DICT",
    "FUNCTION_FIELDS",
    "KINDS",
    "REGISTERS",
    "Backend",
    "Check",
    "DirectCalls",
    "DirectPlan",
    "Event",
    "Executable",
    "Kernel",
    "MemoryPlan",
    "NativeCode",
    "Options",
    "Plan",
    "PythonSource",
    "Recorder",
    "TimedKernel",
    "Timings",
    "default_backend",
    "get_backend",
    "has_known_fields",
    "now",
    "register_backend",
    "unsupported",
]
