"""Compiled functions that are called with Tensors, on the record.

In: what compiled code has given for Tensors, and a function that finds the cotangents of these.
Out: Tensors, which know of the call as of one operation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from staticpy import ops
from staticpy.autodiff.tensors.functions import recorded_call
from staticpy.autodiff.tensors.memory import Memory, owner_of
from staticpy.autodiff.tensors.tape import Tape, is_grad_enabled
from staticpy.autodiff.tensors.tensor import (
    Tensor,
    constant,
    handed_out,
    is_needed,
    place_on,
)
from staticpy.autodiff.tensors.trees import cell_parameters, leaves_of
from staticpy.ops import Traced, untrace

PullBack = Callable[[Sequence[Any], bool], Sequence[Any]]
"""Gives the cotangents of the operands, None for zero, from those of the results: arrays, or
Tensors where they are to be differentiated in turn, which the second argument says.
"""


def require_unchanged(read: Iterable[tuple[Memory, int]]) -> None:
    """Refuse to go back where memory is of another version.

    Raises:
        DiagnosticError: SAVED_VALUE_CHANGED.
    """
    for memory, version in read:
        memory.require(version, "the way back, through a compiled function,")


def needs_record(tensor: Tensor) -> bool:
    """Whether what is done with a Tensor here is recorded."""
    return is_grad_enabled() and is_needed(tensor)


def holds_tensor(tree: Any) -> bool:
    """Whether one of the leaves of a tree is a Tensor, or a Cell, which has some in it."""
    return any(
        isinstance(leaf, Tensor) or cell_parameters(leaf) is not None for leaf in leaves_of(tree)
    )


class Wrapping:
    """Makes Tensors of what compiled code has given for others, which share their memory."""

    def __init__(self, tensors: Sequence[Tensor]) -> None:
        self._tensors = tensors
        self._memories: dict[int, Memory] = {}
        self._waiting: dict[int, Tensor] = {}
        for tensor in tensors:
            if tensor.memory is not None:
                self._memories[id(tensor.memory.array)] = tensor.memory

    def itself(self, item: Any) -> Tensor | None:
        """The Tensor that was given and is given back, if ``item`` is what it holds."""
        return next((each for each in self._tensors if each.content is item), None)

    def memory_of(self, item: Any) -> Memory | None:
        """The memory that an array is in; None of a number."""
        if not isinstance(item, np.ndarray):
            return None
        owner = owner_of(item)
        return self._memories.setdefault(id(owner), Memory(owner))

    @contextmanager
    def making(self, *, is_recorded: bool) -> Iterator[None]:
        """Let compiled code make Tensors itself, of what it puts into objects, or shows. Where the
        call is recorded, they are known when it has ended.
        """

        def make(item: Any, flows: bool) -> Any:
            if isinstance(item, list):  # which is to be shown
                return [make(each, flows) for each in item]
            if isinstance(item, tuple):
                return tuple.__new__(type(item), [make(each, flows) for each in item])
            return self._waiting_for(item) if is_recorded and flows else self.tree(item)

        token = ops.TENSOR_MAKER.set(make)
        try:
            yield
        finally:
            ops.TENSOR_MAKER.reset(token)

    def _waiting_for(self, item: Any) -> Any:
        """The Tensor of an item, of which it is not known yet where it comes from."""
        if not _is_inexact(item):
            return item
        made = self.itself(item)
        if made is None:
            made = self._waiting.setdefault(id(item), constant(item, self.memory_of(item)))
            made.requires_grad = True  # as it is shown
        return made

    def finished(self, item: Any, tensor: Tensor) -> Tensor:
        """The Tensor of an item: the one that was given, or made before ``tensor``, which knows
        where it comes from.
        """
        itself, made = self.itself(item), self._waiting.get(id(item))
        if itself is not None:
            return itself
        if made is None:
            return tensor
        made.take_over(tensor)
        return made

    def tree(self, item: Any) -> Any:
        """Tensors without a record, in lists, tuples and dicts as they are."""
        if type(item) is list:
            item[:] = [self.tree(each) for each in item]
            return item
        if isinstance(item, tuple):
            return tuple.__new__(type(item), [self.tree(each) for each in item])
        if type(item) is dict:
            item.update({key: self.tree(each) for key, each in item.items()})
            return item
        if not _is_inexact(item):
            return item
        itself = self.itself(item)
        return constant(item, self.memory_of(item)) if itself is None else itself


def _is_inexact(item: Any) -> bool:
    return isinstance(item, np.ndarray | np.inexact) and item.dtype.kind in "fc"


@dataclass(eq=False)
class GraphCall:
    """One call of a compiled function, on a tape.

    Attributes:
        operands: the Tensors that derivatives flow to.
        back: finds their cotangents.
    """

    operands: Sequence[Tensor]
    back: PullBack

    def pull_back(self, tape: Tape, g: tuple[Any, ...], out: tuple[Any, ...]) -> list[Any]:
        """The cotangents of the operands, on the tape."""
        with_history = tape.is_shared or tape.keeps_history
        like = [tape.values[each.value] for each in out]
        flowing = [
            _cotangent(tape, item, each, with_history) for item, each in zip(g, like, strict=True)
        ]
        found = self.back(flowing, with_history)
        return [None if item is None else Traced(_placed(tape, item)) for item in found]


def record(call: GraphCall, contents: Sequence[Any], wrapping: Wrapping) -> tuple[Any, ...]:
    """What a compiled function has given, as Tensors that know of the call."""
    return recorded_call(call, call.operands, contents, wrapping.memory_of)


def _cotangent(tape: Tape, item: Any, like: Any, with_history: bool) -> Any:
    if item is None:
        return np.zeros_like(like)[()] if not isinstance(like, np.ndarray) else np.zeros_like(like)
    value = ops.as_value(untrace(item))
    tape.compute()
    return handed_out(tape, value, True) if with_history else tape.values[value]


def _placed(tape: Tape, item: Any) -> Any:
    return place_on(tape, item) if isinstance(item, Tensor) else tape.argument(item)
