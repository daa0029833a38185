"""Loops of a few known rounds, which LLVM may write out.

In: a loop. Out: whether it is one, ``for k in range(12)`` with nothing in it that takes long, as
``exp`` does. What is around it is then an innermost loop, as far as vectors and signals go.
"""

from __future__ import annotations

from staticpy.backends.llvm.members import is_function
from staticpy.ir import Operation, TensorType
from staticpy.ops import constant_value, for_, while_

_MOST = 64
"""How many rounds it may have, those of the loops in it counted for each of its own."""


def is_short(loop: Operation) -> bool:
    """Whether a loop has few rounds, known before."""
    return loop.op is for_ and _rounds(loop) <= _MOST


def is_innermost(operation: Operation) -> bool:
    """Whether it is a ``for`` with no others inside but short ones."""
    return operation.op is for_ and not is_slow(operation)


def is_slow(loop: Operation) -> bool:
    """Whether a loop has others inside that may be long, or makes arrays."""
    return _rounds_inside(loop) > _MOST


def _rounds_inside(operation: Operation) -> float:
    """How many rounds the loops inside an operation have in all, infinite if that isn't known."""
    inside = (each for region in operation.regions for each in region.block.operations)
    return sum(map(_rounds, inside))


def _rounds(operation: Operation) -> float:
    """The same of an operation itself."""
    if any(isinstance(value.type, TensorType) for value in operation.results):
        return float("inf")
    if operation.op is while_ or is_function(operation) or operation.op.name.startswith("math."):
        return float("inf")
    if operation.op is not for_:
        return _rounds_inside(operation)
    start, stop, step = (constant_value(each) for each in operation.operands[:3])
    if not (isinstance(start, int) and isinstance(stop, int) and isinstance(step, int) and step):
        return float("inf")
    return len(range(start, stop, step)) * (1 + _rounds_inside(operation))
