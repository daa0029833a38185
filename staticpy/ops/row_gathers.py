"""Rows of a matrix, by an array of integers: what ``table[i]`` is to backends with loops.

In: the matrix, and the integers with an axis of size 1 after theirs, which stands for the row. Out:
what NumPy gives for ``table[i]`` or, if ``takes``, for ``np.take(table, i, axis=0)``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from staticpy.ir import TensorType, Type
from staticpy.ops.opdef import Effect, defop


def _rows(table: np.ndarray, places: np.ndarray, *, takes: bool = False) -> np.ndarray:
    return np.take(table, places[..., 0], axis=0) if takes else table[places[..., 0]]


def _infer(table: Type, places: Type, *, takes: bool = False) -> Type:
    del takes
    assert isinstance(table, TensorType)
    assert isinstance(places, TensorType)
    return TensorType(table.dtype, (*places.dims[:-1], table.dims[1]))


def _samples(rng: np.random.Generator) -> Any:
    table = rng.random((3, 4))
    yield (table, np.array([[2], [0]])), {}
    yield (table, np.array([[[2], [-1]]], np.int8)), {"takes": True}


rows_op = defop("index.rows", infer=_infer, kernel=_rows, effects=Effect.RAISES, samples=_samples)
