"""``pullback.make`` and ``pullback.call``: a piece of the graph, and its way back later.

%out, %back = pullback.make %x {outputs = 1} (%x.1: f64) { ... region_yield %out }
%gx = pullback.call %back, %g {result_types = (!f64,)}
%tout = pushforward.call %back, %tx {result_types = (!f64,)}

A pass puts a ``vjp`` or ``jvp`` with a copy of the region into the place of each call, and the
region itself into the place of ``pullback.make``. What ``%back`` is at run time nobody sees.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import (
    INT,
    Operation,
    PythonType,
    Region,
    ScalarType,
    TensorType,
    Type,
    dims_of,
    members_of,
)
from staticpy.ops.opdef import defop


def _infer_make(*_: Type, regions: Sequence[Region], **__: Any) -> tuple[Type, ...]:
    yielded = regions[0].block.terminator.operands
    return (*(value.type for value in yielded), INT)


def _verify_make(operation: Operation) -> None:
    block = operation.regions[0].block
    is_short = operation.attrs["outputs"] > len(block.terminator.operands)
    if len(block.args) != len(operation.operands) or is_short:
        detail = "the region of pullback.make gets its operands and yields at least its outputs"
        raise DiagnosticError(catalog.INVALID_IR, operation.span, detail=detail)


make_pullback = defop("pullback.make", infer=_infer_make, verify=_verify_make)
"""Runs its region on the primals. Gives all that it yields, of which the first ``outputs`` can be
differentiated, and what the calls of the way back name it by."""

call_pullback = defop(
    "pullback.call",
    infer=lambda *_, result_types, **__: result_types,
)
"""The cotangents of the primals, for those of the outputs."""

call_pushforward = defop(
    "pushforward.call",
    infer=lambda *_, result_types, **__: result_types,
)
"""The tangents of the outputs, for those of the primals, where None stands for zero."""


# --- cotangents -----------------------------------------------------------------------------------

NO_NUMBERS = "its result holds what is no number and no array"
NO_REAL_NUMBERS = (
    "jacrev takes the derivatives of real numbers"
    ", and the function gives others; of a holomorphic function of complex ones: holomorphic=True"
)
COTANGENT_STRUCTURE = "the cotangents have another structure than the result of the function"
_DTYPE = "a cotangent is no number of the dtype of the result that it is for"
COTANGENT_SHAPE = "a cotangent has another shape than the result that it is for"


def cotangent_problem(type_: Type, given: Type | None) -> tuple[str, str] | None:
    """What is wrong with a cotangent of the type ``given`` for a result of ``type_``, as the name
    of an exception and its message; None if nothing is, as far as the types tell.

    It has the dtype of the result; a Python float or complex is taken for any that can hold it.
    """
    for each in (None,) if given is None else members_of(given):
        found = [_problem(member, each) for member in members_of(type_)]
        if None not in found:
            return found[0]
    return None


def _problem(type_: Type, given: Type | None) -> tuple[str, str] | None:
    wanted, own = _dtype_of(type_), _dtype_of(given)
    if wanted is None or own is None:
        return "TypeError", _DTYPE
    is_weak = isinstance(given, PythonType) and wanted.kind in (own.kind, "c")
    if own != wanted and not is_weak:
        return "TypeError", _DTYPE
    assert given is not None
    pairs = list(zip_longest(dims_of(type_), dims_of(given)))
    is_wrong = any(None in pair for pair in pairs)
    is_wrong |= any(isinstance(a, int) and isinstance(b, int) and a != b for a, b in pairs)
    return ("ValueError", COTANGENT_SHAPE) if is_wrong else None


def _dtype_of(type_: Type | None) -> np.dtype | None:
    if isinstance(type_, PythonType):
        return {"float": np.dtype("f8"), "complex": np.dtype("c16")}.get(type_.kind)
    is_inexact = isinstance(type_, ScalarType | TensorType) and type_.dtype.kind in "fc"
    return type_.dtype if is_inexact else None  # type: ignore[union-attr]


def is_real(type_: Type | None) -> bool:
    """Whether values of a type are real numbers of floating point, or arrays of them."""
    dtypes = [_dtype_of(each) for each in (() if type_ is None else members_of(type_))]
    return bool(dtypes) and all(dtype is not None and dtype.kind == "f" for dtype in dtypes)
