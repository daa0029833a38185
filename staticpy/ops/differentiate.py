"""``vjp``: a piece of the graph, run and differentiated.

%out, %gx = vjp %x, %seed {outputs = 1} (%x.1: f64) { ... region_yield %out }

A pass replaces it by the operations that compute the results and pull the seeds back.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import Operation, Region, Type
from staticpy.ops.opdef import defop


def _infer(*operands: Type, regions: Sequence[Region], outputs: int, **_: Any) -> tuple[Type, ...]:
    yielded = regions[0].block.terminator.operands
    primals = operands[: len(operands) - outputs]
    return (*(value.type for value in yielded), *primals)


def _verify(operation: Operation) -> None:
    block, outputs = operation.regions[0].block, operation.attrs["outputs"]
    primals = len(operation.operands) - outputs
    if len(block.args) != primals or outputs > len(block.terminator.operands):
        detail = "the region of vjp gets its primals and yields at least its outputs"
        raise DiagnosticError(catalog.INVALID_IR, operation.span, detail=detail)


vjp = defop("vjp", infer=_infer, verify=_verify)
"""Runs its region on the primals; the seeds, the last operands, are the cotangents of the first
``outputs`` values that it yields. Gives all that it yields and the cotangent of each primal."""
