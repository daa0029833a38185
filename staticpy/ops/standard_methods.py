"""What the array API standard asks of an array and NumPy has since 2.0: its device and namespace.

In: an array or a scalar of NumPy. Out: what is known while compiling, or the array itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ops.arguments import adapter

_CPU = "cpu"
_BLANK = np.zeros(1)


@adapter("to_device")
def to_device(a: Any, device: Any, /, *, stream: Any = None) -> Any:
    """``a.to_device("cpu")``: the array itself.

    Raises:
        DiagnosticError: NumPy has no such device, or no streams.
    """
    if device != _CPU or stream is not None:
        raise _refusal("a.to_device()", "it takes the device 'cpu', and no stream")
    return a


@adapter("__array_namespace__")
def array_namespace(a: Any, /, *, api_version: Any = None) -> Any:
    """``a.__array_namespace__()``: the module ``numpy``.

    Raises:
        DiagnosticError: NumPy does not know this version of the standard.
    """
    del a
    try:
        return _BLANK.__array_namespace__(api_version=api_version)
    except (TypeError, ValueError) as error:
        raise _refusal("a.__array_namespace__()", str(error)) from None


def _refusal(function: str, reason: str) -> DiagnosticError:
    return DiagnosticError(catalog.INVALID_ARRAY_CALL, function=function, reason=reason)


ATTRIBUTES: dict[str, Callable[..., Any]] = {
    "device": lambda _: _CPU,
}
"""The attributes of arrays and NumPy scalars."""

METHODS: dict[str, Callable[..., Any]] = {
    "to_device": to_device,
    "__array_namespace__": array_namespace,
}
"""The methods of arrays and NumPy scalars."""
