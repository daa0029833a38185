"""Backends: what makes a graph run.

In: an optimized Module. Out: an Executable. A backend of your own implements ``Backend`` and is
made known by ``register_backend``; ``jit(backend=...)`` then finds it by its name.
"""

from staticpy.backends.base import (
    Backend,
    Executable,
    get_backend,
    native_ops,
    register_backend,
    unsupported,
)
from staticpy.backends.python_source import PythonSource
from staticpy.passes import MemoryPlan

register_backend(PythonSource())

__all__ = [
    "Backend",
    "Executable",
    "MemoryPlan",
    "PythonSource",
    "get_backend",
    "native_ops",
    "register_backend",
    "unsupported",
]
