"""``recurrence``: a row in which each number is a multiple of the one before it, and some more."""

from __future__ import annotations

from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import TensorType, Type
from staticpy.ops.opdef import Effect, defop
from staticpy.ops.promote import common_dims


def _infer(factors: Type, terms: Type, *, axis: int) -> Type:
    detail = f"recurrence cannot take {factors} and {terms} along axis {axis}"
    if not isinstance(factors, TensorType) or not isinstance(terms, TensorType):
        raise DiagnosticError(catalog.INVALID_IR, detail=detail)
    if factors.dtype != terms.dtype or not 0 <= axis < factors.rank == terms.rank:
        raise DiagnosticError(catalog.INVALID_IR, detail=detail)
    return TensorType(terms.dtype, common_dims(factors.dims, terms.dims))


def _recurrence(factors: Any, terms: Any, *, axis: int) -> Any:
    made = np.array(terms)
    rows, by = np.moveaxis(made, axis, 0), np.moveaxis(factors, axis, 0)
    for at in range(1, len(rows)):
        rows[at] += by[at] * rows[at - 1]
    return made


def _samples(rng: np.random.Generator) -> Any:
    yield (rng.random(5), rng.random(5)), {"axis": 0}
    yield (rng.random((2, 3)), rng.random((2, 3))), {"axis": 1}
    yield (rng.random((2, 3), np.float32), rng.random((2, 3), np.float32)), {"axis": 0}
    yield (np.zeros((2, 0)), np.zeros((2, 0))), {"axis": 1}


recurrence = defop(
    "recurrence", infer=_infer, kernel=_recurrence, effects=Effect.WARNS, samples=_samples
)
"""``y = recurrence a, b``: ``y[0] = b[0]`` and ``y[i] = a[i] * y[i - 1] + b[i]`` along an axis:
what the derivative of ``cumprod`` is, without a division."""
