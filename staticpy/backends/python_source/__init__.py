"""The backend that writes NumPy source: what a person reads is what runs.

In: an optimized Module. Out: an Executable. It is always there, runs everything in the language,
and is what the other backends are compared with.
"""

from staticpy.backends.python_source.backend import PythonSource

__all__ = ["PythonSource"]
