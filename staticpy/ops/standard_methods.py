"""What the array API standard asks of an array and NumPy has since 2.0: its device and namespace.

In: an array or a scalar of NumPy. Out: what is known while compiling, or the array itself.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import ScalarType, Value
from staticpy.ops.arguments import adapter, describe

_CPU = "cpu"
_BLANK = np.zeros(1)


def _where_numpy_has(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
    """An adapter of what arrays have, and scalars only from some version on."""

    @functools.wraps(call)
    def checked(value: Value, *args: Any, **kwargs: Any) -> Any:
        if isinstance(value.type, ScalarType) and not hasattr(np.generic, name):
            raise DiagnosticError(catalog.UNSUPPORTED_ATTRIBUTE, name=name, type=describe(value))
        return call(value, *args, **kwargs)

    return checked


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
    "device": _where_numpy_has("device", lambda _: _CPU),
}
"""The attributes of arrays and NumPy scalars."""

METHODS: dict[str, Callable[..., Any]] = {
    "to_device": _where_numpy_has("to_device", to_device),
    "__array_namespace__": _where_numpy_has("__array_namespace__", array_namespace),
}
"""The methods of arrays and NumPy scalars."""
