"""Derivatives that a program gives itself, in plain Python on Tensors."""

from __future__ import annotations

from typing import Any

from staticpy import ops
from staticpy.autodiff.tensor import Tensor
from staticpy.autodiff.trees import each
from staticpy.ir import Value, type_of


def stop_gradient(tree: Any) -> Any:
    """``tree`` with leaves that nothing is differentiated by.

    Raises:
        TypeError: a leaf is no number and no array.
    """
    return each(tree, _stopped)


def _stopped(leaf: Any) -> Any:
    if isinstance(leaf, Tensor):
        return leaf.apply(_emit_stop, leaf)
    type_ = type_of(leaf)
    if type_ is None or not ops.is_number(type_):
        raise TypeError(ops.NO_TREE_OF_NUMBERS)
    return leaf


def _emit_stop(value: Value) -> Value:
    return ops.emit(ops.stop_gradient, value)  # type: ignore[no-any-return]
