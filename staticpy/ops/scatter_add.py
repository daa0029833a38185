"""``scatter_add``: the transpose of ``index``."""

from __future__ import annotations

from typing import Any

import numpy as np

from staticpy.ir import ScalarType, TensorType, Type
from staticpy.ops.index import Spec, index_type, key_of
from staticpy.ops.opdef import Effect, defop


def _infer(added: Type, like: Type, *more: Type, spec: Spec) -> Type:
    index_type(like, *more, spec=spec)
    dtype: np.dtype = added.dtype  # type: ignore[attr-defined]
    return TensorType(dtype, like.dims) if isinstance(like, TensorType) else ScalarType(dtype)


def _repeats(more: tuple[Any, ...]) -> bool:
    """Whether an index may name an element twice: only an array of integers does."""
    arrays = [np.asarray(each) for each in more]
    return any(each.ndim and each.size and each.dtype.kind != "b" for each in arrays)


def _scatter_add(added: Any, like: Any, *more: Any, spec: Spec) -> Any:
    made = np.zeros(np.shape(like), added.dtype)
    key = key_of(spec, more)
    if _repeats(more):
        np.add.at(made, key, added)
    else:
        made[key] = added + 0.0  # as it would be if it was added
    return made if isinstance(like, np.ndarray) else made[()]


def _samples(rng: np.random.Generator) -> Any:
    x = rng.random((4, 3, 5))
    picks = np.array([0, 2, 0])
    for operands, spec in (
        ((), (1, -1, 0)),
        ((), (1,)),
        ((2, np.int8(1)), ("value", (None, None, None), "value")),
        ((3,), ((0, "value", 2), "newaxis", "ellipsis", 1)),
        ((picks,), ("array",)),
        ((picks, picks), ("array", (None, None, None), "array")),
        ((x > 0.5,), ("array",)),
        ((x[:, 0, 0] > 0.5,), ("array", (None, None, -1))),
    ):
        yield (x[key_of(spec, operands)] + 1, x, *operands), {"spec": spec}
    yield (np.float32(2), np.array(2.5)), {"spec": ()}
    yield (np.ones(1, np.float32), np.float32(2.5)), {"spec": ("newaxis",)}


scatter_add = defop(
    "scatter_add", infer=_infer, kernel=_scatter_add, effects=Effect.RAISES, samples=_samples
)
"""``scatter_add added, like, …``: zeros of the shape of ``like``, to which ``added`` is added at an
index; ``spec`` and the other operands are those of ``index``. Of ``like`` only the shape counts."""
