"""Regions that run under a guard: ``try`` and ``errstate``.

%r = try %own {handlers = (("ValueError", "ZeroDivisionError"), (0,))} : f64 {
  ... region_yield %a
} (%error: object) {
  ... region_yield %b
} (%error.1: object) {
  ... region_yield %c
}
%r = errstate {options = (("divide", "ignore"),)} : f64[n] { ... region_yield %a }

In: what the regions yield. Out: its join. Nothing that warns or raises may move across the border
of either, in or out: what happens inside is not what would happen outside.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import Operation, Region, Type, join
from staticpy.ops.control_verify import verify_errstate, verify_try
from staticpy.ops.opdef import defop

Handlers = tuple[tuple[str | int, ...], ...]
"""For each handler what it catches: names of builtin exceptions, and numbers of operands."""


def _joined(regions: Sequence[Region]) -> tuple[Type, ...]:
    first, *others = (region.block.terminator.operands for region in regions)
    types = [value.type for value in first]
    for yields in others:
        if len(yields) != len(types):
            raise DiagnosticError(catalog.INVALID_IR, detail="the regions yield different numbers")
        for i, value in enumerate(yields):
            joined = join(types[i], value.type)
            if joined is None:
                raise DiagnosticError(catalog.INVALID_IR, detail="what the regions yield differs")
            types[i] = joined
    return tuple(types)


def _infer_try(*_: Type, handlers: Handlers, regions: Sequence[Region]) -> tuple[Type, ...]:
    return _joined(regions)


def _infer_errstate(
    *, options: tuple[tuple[str, str], ...], regions: Sequence[Region]
) -> tuple[Type, ...]:
    return _joined(regions)


try_ = defop("try", infer=_infer_try, verify=verify_try)
"""The body; where it raises what handler i catches, region 1 + i in its place, which gets the
exception. ``handlers`` names builtin exceptions, or the number of an operand that holds a class.
The results are what the body yields, or the handler that ran; an exception that no handler catches
goes on."""

errstate = defop("errstate", infer=_infer_errstate, verify=verify_errstate)
"""The region, under ``np.errstate(**dict(options))``."""


def is_guard(operation: Operation) -> bool:
    """Whether what the regions of an operation do depends on standing inside of it."""
    return operation.op in (try_, errstate)


def raises_warnings(options: Any) -> bool:
    """Whether under these options of an ``errstate`` a warning is an exception."""
    return any(value in ("raise", "call") for _, value in options)
