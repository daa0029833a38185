"""``tensor.make``: what is an array to the graph and a Tensor to the program around it.

%t = tensor.make %x : object

A graph computes with what Tensors hold. Where such an array is shown, or put into an object that
the program sees, it is to be a Tensor again; if it depends on none, it stays what it is, and a pass
removes the operation.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

import numpy as np

from staticpy.ir import OBJECT, Type
from staticpy.ops.opdef import defop

TENSOR_MAKER: ContextVar[Callable[[Any], Any] | None] = ContextVar("staticpy_maker", default=None)
"""Makes Tensors for the compiled code that is running."""


def _infer(_: Type) -> Type:
    return OBJECT


def _make(value: Any) -> Any:
    maker = TENSOR_MAKER.get()
    return value if maker is None else maker(value)


def _samples(rng: np.random.Generator) -> Any:
    yield (rng.random(3),), {}
    yield (np.float32(2),), {}


make_tensor = defop("tensor.make", infer=_infer, kernel=_make, view=True, samples=_samples)
"""The Tensor of an array or number; the array itself, where nobody makes Tensors."""
