"""Which backend compiles a function that names none.

In: what is installed, the processor, and ``STATICPY_BACKEND``. Out: the name of a backend.
"""

from __future__ import annotations

import os
import platform
import sys
from typing import Final

from staticpy.backends.base import get_backend, is_registered

NATIVE_PROCESSORS: Final = ("x86_64", "AMD64")
"""Those whose register of floating-point flags native code reads."""

_NATIVE, _PORTABLE = "llvm", "python_source"
_VARIABLE = "STATICPY_BACKEND"


def default_backend() -> str:
    """The name of the backend for functions that name none.

    It is the one that the environment variable ``STATICPY_BACKEND`` names; without it, ``llvm``
    where the extra ``native`` is installed, on Linux on x86-64, where all of it is tested; and
    else ``python_source``.

    Raises:
        ValueError: the variable names no backend.
    """
    named = os.environ.get(_VARIABLE)
    if named:
        try:
            return get_backend(named).name
        except ValueError as error:
            raise ValueError(f"{_VARIABLE}: {error}") from None
    is_tested = sys.platform == "linux" and platform.machine() in NATIVE_PROCESSORS
    return _NATIVE if is_tested and is_registered(_NATIVE) else _PORTABLE
