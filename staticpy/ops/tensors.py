"""What is an array to the graph and a Tensor to the program around it.

%y = tensor.new %x : f64[n]
%t = tensor.make %y : object

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
from staticpy.ops.opdef import defop, same_type

TENSOR_MAKER: ContextVar[Callable[[Any, bool], Any] | None] = ContextVar(
    "staticpy_maker", default=None
)
"""Makes Tensors for the compiled code that is running."""


def _infer(_: Type, *, flows: bool, shown: bool) -> Type:
    return OBJECT


def _make(value: Any, *, flows: bool, shown: bool) -> Any:
    maker = TENSOR_MAKER.get()
    return value if maker is None else maker(value, flows)


def _samples(rng: np.random.Generator) -> Any:
    yield (rng.random(3),), {}
    yield (np.float32(2),), {}


def _make_samples(rng: np.random.Generator) -> Any:
    for operands, _ in _samples(rng):
        yield operands, {"flows": True, "shown": False}


new_tensor = defop(
    "tensor.new", infer=same_type, kernel=lambda value: value, view=True, samples=_samples
)
"""Its operand, which the program has made a Tensor of: so is what depends on it."""

make_tensor = defop("tensor.make", infer=_infer, kernel=_make, view=True, samples=_make_samples)
"""The Tensor of an array or number; the array itself, where nobody makes Tensors. ``flows`` says
whether derivatives flow to it, ``shown`` that it becomes a text, and is gone."""
