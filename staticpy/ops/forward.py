"""``jvp``: a piece of the graph, run and pushed forward.

%out, %tout = jvp %x, %tx {outputs = 1} (%x.1: f64) { ... region_yield %out }

A pass replaces it by the operations that compute the results and, beside them, their tangents.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import NONE, Operation, Region, Type
from staticpy.ops.differentiate import is_inexact
from staticpy.ops.opdef import defop


def _infer(*_: Type, regions: Sequence[Region], outputs: int, **__: Any) -> tuple[Type, ...]:
    yielded = [value.type for value in regions[0].block.terminator.operands]
    return (*yielded, *(type_ if is_inexact(type_) else NONE for type_ in yielded[:outputs]))


def _verify(operation: Operation) -> None:
    block, outputs = operation.regions[0].block, operation.attrs["outputs"]
    is_even = len(operation.operands) == 2 * len(block.args)
    if not is_even or outputs > len(block.terminator.operands):
        detail = "the region of jvp gets its primals and yields at least its outputs"
        raise DiagnosticError(catalog.INVALID_IR, operation.span, detail=detail)


jvp = defop("jvp", infer=_infer, verify=_verify)
"""Runs its region on the primals, the first half of the operands; the other half are their
tangents. Gives all that it yields and the tangents of the first ``outputs`` of these, None for what
has none, an int for example."""
