"""``last_written``: which of the values that a store is given are there afterwards.

    store %x, %v, %i {spec = ("array",)}           # x[i] = v; i = [0, 2, 0]
    %m = last_written %x, %i {spec = ("array",)}   # [False, True, True]

Where an index names an element twice, NumPy leaves the value that it comes to last.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from staticpy.ir import TensorType, Type, dims_of
from staticpy.ops.index import Spec, index_type, key_of
from staticpy.ops.opdef import Effect, defop

AMBIGUOUS = (
    "an array of indexes that is not in C order names an element twice: which value stays there "
    "depends on memory; pass a copy in C order"
)


def _infer(target: Type, *more: Type, spec: Spec) -> Type:
    return TensorType(np.dtype(bool), dims_of(index_type(target, *more, spec=spec)))


def _last_written(target: Any, *more: Any, spec: Spec) -> Any:
    key = key_of(spec, more)
    numbers = np.empty(target.shape, np.intp)
    shape = numbers[key].shape
    own = np.arange(np.prod(shape, dtype=np.intp)).reshape(shape)
    numbers[key] = own
    found = np.asarray(numbers[key] == own)
    if not found.all() and not _is_in_c_order(list(_arrays(more))):
        raise ValueError(AMBIGUOUS)
    return found


def _arrays(more: tuple[Any, ...]) -> Iterator[np.ndarray]:
    """The index arrays as NumPy goes through them."""
    for each in map(np.asarray, more):
        if each.dtype.kind == "b":
            yield from each.nonzero()
        elif each.ndim:
            yield each


def _is_in_c_order(arrays: list[np.ndarray]) -> bool:
    """Whether NumPy goes through the index in C order, whatever the memory of the values is: it
    goes through memory as that lies, but never against the order of one of the arrays.
    """
    shape = np.broadcast_shapes(*(each.shape for each in arrays))
    if any(each.shape == shape and _lies_in_order(each) for each in arrays):
        return True
    return all(
        _lies_in_order(each) and sum(size > 1 for size in each.shape) <= 1 for each in arrays
    )


def _lies_in_order(array: np.ndarray) -> bool:
    pairs = zip(array.shape, array.strides, strict=True)
    steps = [step for size, step in pairs if size > 1]
    return all(step > 0 for step in steps) and steps == sorted(steps, reverse=True)


def _samples(rng: np.random.Generator) -> Any:
    x, picks = rng.random((4, 3)), np.array([0, 2, 0])
    yield (x, picks), {"spec": ("array",)}
    yield (x, picks[:, None], picks), {"spec": ("array", "array")}
    yield (x, picks), {"spec": ((None, 2, None), "array")}
    yield (x, x[:, 0] > 0.5, 1), {"spec": ("array", "value")}


last_written = defop(
    "last_written", infer=_infer, kernel=_last_written, effects=Effect.RAISES, samples=_samples
)
"""``last_written x, …``: bools of the shape of ``x[…]``; ``spec`` and the other operands are those
of ``index``. Of ``x`` only the shape counts. ValueError where the order can't be told."""
