"""Ops by which a program says what its derivative is; ``autodiff.expand`` replaces them.

%y = stop_gradient %x : f64[n]
"""

from __future__ import annotations

from typing import Any

import numpy as np

from staticpy.ir import PYTHON_TYPES, ScalarType, TensorType, Type, members_of
from staticpy.ops.opdef import defop, same_type


def _samples(rng: np.random.Generator) -> Any:
    for operand in (rng.random((2, 3)), 0.5, np.float32(2), 1j):
        yield (operand,), {}


NO_TREE_OF_NUMBERS = "stop_gradient takes numbers and arrays, and tuples, lists and dicts of them"
_NUMBERS = frozenset(PYTHON_TYPES.values())


def is_number(type_: Type) -> bool:
    """Whether values of a type are numbers, flags or arrays of them."""
    members = members_of(type_)
    return all(isinstance(x, ScalarType | TensorType) or x in _NUMBERS for x in members)


stop_gradient = defop(
    "stop_gradient", infer=same_type, kernel=lambda x: x, view=True, samples=_samples
)
"""Its operand itself, and no derivative. It stands in what is differentiated only."""
