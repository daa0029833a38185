"""The parameters of functions of NumPy.

In: a function. Out: its signature; before NumPy 2.4 few of those written in C tell it, and for
these it is written down here.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

_UNTOLD: dict[str, Callable[..., Any]] = {
    "bincount": lambda x, /, weights=None, minlength=0: ...,
    "concatenate": lambda arrays, /, axis=0, out=None, *, dtype=None, casting="same_kind": ...,
    "dot": lambda a, b, out=None: ...,
    "inner": lambda a, b, /: ...,
    "lexsort": lambda keys, axis=-1: ...,
    "packbits": lambda a, /, axis=None, bitorder="big": ...,
    "ravel_multi_index": lambda multi_index, dims, mode="raise", order="C": ...,
    "unpackbits": lambda a, /, axis=None, count=None, bitorder="big": ...,
    "unravel_index": lambda indices, shape, order="C": ...,
    "vdot": lambda a, b, /: ...,
    "where": lambda condition, x=None, y=None, /: ...,
}


def signature_of(function: Callable[..., Any]) -> inspect.Signature | None:
    """The parameters; None where neither NumPy nor this module tells them."""
    try:
        return inspect.signature(function)
    except ValueError:
        written = _UNTOLD.get(getattr(function, "__name__", ""))
        return inspect.signature(written) if written is not None else None
