"""``x.flat[...]``: the elements of an array in their order, whatever its axes are.

    %y = flat.getitem %x, %i {spec = ("value",)}        # x.flat[i]
    flat.setitem %x, %v {spec = ((None, 2, None),)}     # x.flat[:2] = v

In: the array, then what is stored, then what the index needs, as in ``index``. Out: a NumPy scalar
or a new array of one axis. A stored array is repeated until all places are filled.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import UNKNOWN, TensorType, Type, Value, dims_of
from staticpy.ops.apply import emit
from staticpy.ops.index import Spec, index_type, key_of
from staticpy.ops.index_functions import split_key
from staticpy.ops.opdef import Effect, defop
from staticpy.ops.shape import ravel
from staticpy.ops.store import WRITES, require_array
from staticpy.ops.store_functions import as_item


def _infer_get(array: Type, *more: Type, spec: Spec) -> Type:
    return index_type(TensorType(require_array(array).dtype, (UNKNOWN,)), *more, spec=spec)


def _key(more: Sequence[Any], spec: Spec) -> Any:
    (key,) = key_of(spec, more)
    return key


def _get_samples(rng: np.random.Generator) -> Any:
    x = rng.random((2, 3))
    yield (x,), {"spec": (4,)}
    yield (x.T, -1), {"spec": ("value",)}
    yield (x.T, 1), {"spec": (("value", None, 2),)}
    yield (x, np.array([0, 5])), {"spec": ("array",)}


get = defop(
    "flat.getitem",
    infer=_infer_get,
    kernel=lambda array, *more, spec: array.flat[_key(more, spec)],
    effects=Effect.RAISES,
    samples=_get_samples,
)
"""``x.flat[...]``: always a copy."""


def _infer_set(array: Type, _value: Type, *more: Type, spec: Spec) -> tuple[Type, ...]:
    _infer_get(array, *more, spec=spec)
    return ()


def _set(array: Any, value: Any, *more: Any, spec: Spec) -> tuple[()]:
    array.flat[_key(more, spec)] = value
    return ()


def _set_samples(rng: np.random.Generator) -> Any:
    x = rng.random((2, 3))
    yield (x, 2), {"spec": (4,)}
    yield (x.T, np.arange(2)), {"spec": ((None, None, None),)}
    yield (x, 7, 1), {"spec": ("value",)}


set_ = defop("flat.setitem", infer=_infer_set, kernel=_set, effects=WRITES, samples=_set_samples)
"""``x.flat[...] = v``."""


def _split(array: Value, key: Any) -> tuple[Spec, list[Value]]:
    """The index as the ops are told it.

    Raises:
        DiagnosticError: it is no number, no slice and no list of numbers.
    """
    row: Value = emit(ravel, array)  # only its type is asked for
    spec, operands = split_key(row, key)
    is_one = len(spec) == 1 and spec[0] not in ("newaxis", "ellipsis")
    if not is_one or any(len(dims_of(operand.type)) > 1 for operand in operands):
        raise DiagnosticError(
            catalog.UNSUPPORTED_SUBSCRIPT, type=f"{array.type}.flat", index="such an index"
        )
    return spec, operands


def flat_getitem(array: Value, key: Any) -> Any:
    """``array.flat[key]``."""
    spec, operands = _split(array, key)
    return emit(get, array, *operands, spec=spec)


def flat_setitem(array: Value, key: Any, item: Any) -> None:
    """``array.flat[key] = item``."""
    spec, operands = _split(array, key)
    emit(set_, array, as_item(item), *operands, spec=spec)
