"""Loops of a few known rounds, which LLVM may write out.

In: a loop. Out: whether it is one, ``for k in range(12)`` with nothing in it that takes long, as
``exp`` does. What is around it is then an innermost loop, as far as vectors and signals go.
"""

from __future__ import annotations

from staticpy.backends.llvm.bit_loops import MOST_ROUNDS, bit_loop
from staticpy.backends.llvm.members import is_function
from staticpy.ir import Operation, TensorType
from staticpy.ops import constant_value, for_, while_
from staticpy.passes import FIRST_INDEX, is_of_element

_MOST = 64
"""How many rounds it may have, those of the loops in it counted for each of its own."""

_LOOKING = ("dim", "stride", "item")
"""The ops on arrays that look at one number."""


def is_short(loop: Operation) -> bool:
    """Whether a loop has few rounds, known before."""
    return loop.op is for_ and _rounds(loop) <= _MOST


def is_innermost(operation: Operation) -> bool:
    """Whether it is a ``for`` with no others inside but short ones."""
    return operation.op is for_ and not is_slow(operation)


def is_slow(loop: Operation) -> bool:
    """Whether a loop has others inside that may be long, or makes arrays or walks along them."""
    return _rounds_inside(loop) > _MOST


def takes_long(loop: Operation) -> bool:
    """Whether a round may take any time, without the loops in it, which count their own rounds, and
    without what is called, which looks for signals itself.
    """
    return any(_may_take_long(each) for region in loop.regions for each in region.block.operations)


def _may_take_long(operation: Operation) -> bool:
    if operation.op in (for_, while_):
        return False
    return takes_long(operation) or _walks(operation)


def _walks(operation: Operation) -> bool:
    """Whether an operation is one on whole arrays, or makes one."""
    if operation.regions or operation.op.is_terminator or operation.op.name in _LOOKING:
        return False
    if operation.op.name in FIRST_INDEX and is_of_element(operation):
        return False
    values = (*operation.operands, *operation.results)
    return any(isinstance(value.type, TensorType) for value in values)


def _rounds_inside(operation: Operation) -> float:
    """How many rounds the loops inside an operation have in all, infinite if that isn't known."""
    inside = (each for region in operation.regions for each in region.block.operations)
    return sum(map(_rounds, inside))


def _rounds(operation: Operation) -> float:
    """The same of an operation itself."""
    if _walks(operation) or any(isinstance(each.type, TensorType) for each in operation.results):
        return float("inf")
    if bit_loop(operation) is not None:
        return MOST_ROUNDS * (1 + _rounds_inside(operation))
    if operation.op is while_ or is_function(operation) or _is_of_math(operation):
        return float("inf")
    if operation.op is not for_:
        return _rounds_inside(operation)
    start, stop, step = (constant_value(each) for each in operation.operands[:3])
    if not (isinstance(start, int) and isinstance(stop, int) and isinstance(step, int) and step):
        return float("inf")
    return len(range(start, stop, step)) * (1 + _rounds_inside(operation))


def _is_of_math(operation: Operation) -> bool:
    """Whether an operation is a function of the C library."""
    return operation.op.name.startswith("math.") and operation.op.name != "math.sqrt"


def only_counts(loop: Operation) -> bool:
    """Whether LLVM makes a formula of a ``while``: known numbers are added until one is large."""
    inner = [each for region in loop.regions for each in region.block.operations]
    return all(each.op.is_terminator or each.op.name in _COUNTING for each in inner) and all(
        _adds_constant(each) for each in inner if each.op.name == "py.add"
    )


_COUNTING = ("constant", "py.add", "py.lt", "py.le", "py.gt", "py.ge")


def _adds_constant(operation: Operation) -> bool:
    made = [operand.defining_op for operand in operation.operands]
    return any(each is not None and each.op.name == "constant" for each in made)
