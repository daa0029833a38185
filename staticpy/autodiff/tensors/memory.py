"""The memory of Tensors: arrays, and how often they were written to."""

from __future__ import annotations

from typing import Any
from weakref import ref

import numpy as np

from staticpy.autodiff.tensors.users_line import users_line
from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.source import NO_SPAN


class Counter:
    """How often Tensors have written to an array, and where they did last."""

    __slots__ = ("version", "written_at")

    def __init__(self) -> None:
        self.version = 0
        self.written_at = NO_SPAN


class Memory:
    """An array, of which all Tensors that are views of it know.

    Attributes:
        array: the array that owns the elements.
        counter: counts the writes, also those by Tensors that are detached from these.
        is_given: whether it is a copy of an array of the program: a write to it would be lost.
        tensors: the Tensors that show elements of it.
    """

    __slots__ = ("array", "counter", "is_given", "tensors")

    def __init__(self, array: np.ndarray, *, is_given: bool = False) -> None:
        self.array = array
        self.counter = Counter()
        self.is_given = is_given
        self.tensors: list[ref[Any]] = []

    @property
    def version(self) -> int:
        """How often it was written to."""
        return self.counter.version

    def detached(self) -> Memory:
        """The same array for Tensors of which these ones' records know nothing."""
        memory = Memory(self.array, is_given=self.is_given)
        memory.counter = self.counter
        return memory

    def write(self) -> None:
        """Count a write."""
        self.counter.version += 1
        self.counter.written_at = users_line()

    def require(self, version: int, what: str) -> None:
        """Refuse that ``what`` reads an older version.

        Raises:
            DiagnosticError: SAVED_VALUE_CHANGED.
        """
        if version != self.version:
            span = self.counter.written_at
            raise DiagnosticError(catalog.SAVED_VALUE_CHANGED, span, what=what)

    def alive(self) -> list[Any]:
        """The Tensors that are still there."""
        found = [(each, tensor) for each in self.tensors if (tensor := each()) is not None]
        self.tensors = [each for each, _ in found]
        return [tensor for _, tensor in found]

    def add(self, tensor: Any) -> None:
        """Know of one more Tensor."""
        count = len(self.tensors)
        if count >= 8 and count & (count - 1) == 0:  # at powers of two: linear in all
            self.alive()
        self.tensors.append(ref(tensor))


def owner_of(array: np.ndarray) -> np.ndarray:
    """The array that owns the elements of a view."""
    base: Any = array
    while (base := getattr(base, "base", None)) is not None:
        if isinstance(base, np.ndarray):
            array = base
    return array
