"""Whether the order in which examples run can be seen: by effects, and by which exception comes.

A loop runs all of the first example before the second one. Operations on all examples run the
first operation of all of them before the second one. Nobody can tell these apart if nothing is
written, and if it doesn't depend on the order which exception is raised.
"""

from __future__ import annotations

from typing import Any

from staticpy import ops
from staticpy.autodiff.activity import writes
from staticpy.autodiff.batched_values import LoopNeededError
from staticpy.ir import Block, Operation, Value, walk
from staticpy.ops import REGISTRY, Effect, operation_effects

_CONTROL = ("if", "while", "for")


_READS_IN_ORDER = ("ravel", "flatten", "reshape")
_LAYOUT = ("stride", "flag", "view", "numpy.view", "flat.getitem", "byteswap")
_OF_LAYOUT = ("isfortran", "lib.stride_tricks.as_strided")


def is_pure(block: Block) -> bool:
    """Whether a block does nothing but compute, and raise exceptions, and nothing in it depends on
    how an array lies in memory: an example of an array of them lies otherwise.
    """
    return all(map(_is_pure, walk(block)))


def _is_pure(operation: Operation) -> bool:
    is_known = not operation.regions or operation.name in _CONTROL
    if not is_known or operation.name == "call" or writes(operation):
        return False
    by_memory = operation.attrs.get("order") in ("A", "K") and operation.name in _READS_IN_ORDER
    return not (
        by_memory or operation.name in _LAYOUT or operation.attrs.get("function") in _OF_LAYOUT
    )


class Order:
    """Notes which operations may raise, in the order of the program.

    What all examples raise alike, the first one raises. What may be raised for one example only
    must be the last, or all that follows must raise the same.

    Raises:
        LoopNeededError: another exception could come first than in a loop over the examples.
    """

    def __init__(self) -> None:
        self._depends: str | None = None
        """What is raised for some examples only, if anything is so far: the class, or "any"."""

    def uniform(self, operation: Operation) -> None:
        """An operation that raises for all examples, or for none."""
        for each in (operation, *(x for r in operation.regions for x in walk(r.block))):
            if may_raise(each):
                self._require(each)

    def batched(self, operation: Operation, is_batched: list[bool]) -> None:
        """An operation that works on all examples by a rule."""
        if not may_raise(operation):
            return
        self._require(operation)
        if operation.name in ("index", "scatter_add") and any(
            is_batched[_INDEXES[operation.name] :]
        ):
            self._depends = _raised_by(operation)
        elif operation.name == "numpy.call":
            self._depends = "any"

    def looped(self, operation: Operation) -> None:
        """An operation that runs in a loop over the examples."""
        if Effect.RAISES in operation_effects(operation):
            self.uniform(operation)
            self._depends = _raised_by(operation)

    def saved(self) -> str | None:
        """What is known so far, for ``restore``."""
        return self._depends

    def restore(self, saved: str | None) -> None:
        """Forget what came since ``saved``."""
        self._depends = saved

    def region(self, operation: Operation, saved: str | None) -> None:
        """A branch or loop is complete: what a round raises, the next one comes after."""
        if operation.name != "if" and self._depends != saved:
            self.uniform(operation)

    def _require(self, operation: Operation) -> None:
        known = self._depends
        if known is not None and (known == "any" or known != _raised_by(operation)):
            raise LoopNeededError


_INDEXES = {"index": 1, "scatter_add": 2}
"""The first of the operands that are indexes."""


def may_raise(operation: Operation) -> bool:
    """Whether an operation itself may raise, apart from what its regions do."""
    if operation.name == "for":
        return _constant(operation.operands[2]) in (None, 0)
    types = [operand.type for operand in operation.operands]
    if operation.name == "pow" and ops.kind_of_type(types[0]) in "fc":
        exponent = _constant(operation.operands[1])  # an int may be too large for a float
        is_small = type(exponent) is int and abs(exponent) < _SMALL
        return not is_small and Effect.RAISES in REGISTRY["pow"].effects_of(types, {})
    return Effect.RAISES in REGISTRY[operation.name].effects_of(types, operation.attrs)


_SMALL = 1 << 31


def _constant(value: Value) -> Any:
    made = value.defining_op
    return made.attrs["value"] if made is not None and made.name == "constant" else None


def _raised_by(operation: Operation) -> str:
    """The class of all that an operation raises; "any" if there are several."""
    if operation.name == "index" and not any(isinstance(e, tuple) for e in operation.attrs["spec"]):
        return "IndexError"
    return "any"
