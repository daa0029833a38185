"""Ops that join arrays: ``concatenate`` and ``stack``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from staticpy.ir import UNKNOWN, Dim, TensorType, Type, dims_of
from staticpy.ops.opdef import Attrs, Effect, OpDef, defop
from staticpy.ops.probe import probe
from staticpy.ops.promote import common_dims

Infer = Callable[..., Type]


def _concatenate(*operands: Any, axis: int = 0, **casts: Any) -> Any:
    return np.concatenate(operands, axis=axis, **casts)


def _stack(*operands: Any, axis: int = 0, **casts: Any) -> Any:
    return np.stack(operands, axis=axis, **casts)


def _joined(known: tuple[Dim, ...], along: list[Dim], axis: int) -> tuple[Dim, ...]:
    numbers = [size for size in along if isinstance(size, int)]
    total: Dim = sum(numbers) if len(numbers) == len(along) else UNKNOWN
    if len(along) == 1:
        total = along[0]
    return (*known[:axis], total, *known[axis + 1 :])


def _infer_concatenate(*operands: Type, axis: int = 0, **casts: Any) -> Type:
    (found,) = probe("np.concatenate()", _concatenate, operands, {"axis": axis, **casts})
    shapes = list(map(dims_of, operands))
    dims = _joined(common_dims(*shapes), [dims[axis] for dims in shapes], axis)
    assert isinstance(found, TensorType)
    return TensorType(found.dtype, dims)


def _infer_stack(*operands: Type, axis: int = 0, **casts: Any) -> Type:
    (found,) = probe("np.stack()", _stack, operands, {"axis": axis, **casts})
    dims = list(common_dims(*map(dims_of, operands)))
    dims.insert(axis, len(operands))
    assert isinstance(found, TensorType)
    return TensorType(found.dtype, tuple(dims))


def _concatenate_effects(operands: Sequence[Type], attrs: Attrs) -> Effect:
    axis = attrs.get("axis", 0)
    others = [(*dims[:axis], *dims[axis + 1 :]) for dims in map(dims_of, operands)]
    return _same_or_raises(others, attrs)


def _stack_effects(operands: Sequence[Type], attrs: Attrs) -> Effect:
    return _same_or_raises([dims_of(operand) for operand in operands], attrs)


def _same_or_raises(shapes: list[tuple[Dim, ...]], attrs: Attrs) -> Effect:
    same = len(set(shapes)) == 1 and (UNKNOWN not in shapes[0] or len(shapes) == 1)
    return Effect.WARNS if same and "dtype" in attrs else Effect.NONE if same else Effect.RAISES


def _concatenate_samples(rng: np.random.Generator) -> Any:
    yield (rng.random((2, 3)), rng.random((4, 3))), {}
    yield (rng.random((2, 3)), rng.integers(0, 9, (2, 1))), {"axis": 1}
    yield (np.ones(2, bool), np.ones(0, np.int8)), {}
    yield (rng.random(2), rng.random(2)), {"dtype": np.dtype("int8"), "casting": "unsafe"}


def _stack_samples(rng: np.random.Generator) -> Any:
    yield (rng.random((2, 3)), rng.random((2, 3))), {}
    yield (rng.random(3), np.ones(3, np.float32)), {"axis": 1}
    yield (np.float32(2), np.array(3)), {}


def _define(name: str, infer: Infer, kernel: Any, effects: Any, samples: Any) -> OpDef:
    return defop(
        name,
        infer=infer,
        kernel=kernel,
        effects=effects,
        numpy=name,
        takes_sequence=True,
        samples=samples,
    )


concatenate = _define(
    "concatenate", _infer_concatenate, _concatenate, _concatenate_effects, _concatenate_samples
)
"""``np.concatenate(operands, axis, dtype, casting)``, the axis counted from the front."""

stack = _define("stack", _infer_stack, _stack, _stack_effects, _stack_samples)
"""``np.stack(operands, axis, dtype, casting)``, the axis counted from the front of the result."""
