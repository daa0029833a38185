"""Floats that are never below 0.

In: a number of the graph, as what ``math.sqrt`` is asked of. Out: whether it is known to be 0 or
more, or NaN: a square, a magnitude, and what sums, products and quotients make of these, in loops
as well. The root of such a number raises no exception. Integers are left out: those of NumPy's go
on below 0 where they leave their bits.
"""

from __future__ import annotations

from staticpy.backends.llvm.forms import is_float
from staticpy.ir import BlockArgument, Operation, OpResult, Value
from staticpy.ops import constant_value, for_, if_, through_regions, while_

_ALWAYS = (
    *("py.abs", "absolute", "fabs", "square", "hypot", "exp"),
    *("math.fabs", "math.hypot", "math.exp"),
)
_AS_ALL = (
    *("py.add", "add", "any.add", "py.min", "minimum", "math.sqrt", "sqrt"),
    *("from_python", "py.float", "item", "cast", "any.narrow"),
)
_PRODUCTS = ("py.mul", "multiply", "any.mul")
_QUOTIENTS = ("py.truediv", "true_divide", "divide", "any.truediv")
_POWERS = ("py.pow", "pow", "power", "any.pow")
_LARGEST = ("py.max", "maximum")


def is_never_negative(value: Value) -> bool:
    """Whether a number isn't below 0, if it isn't NaN."""
    asked, pending = {value}, [value]
    while pending:
        needed = _needed(pending.pop())
        if needed is None:
            return False
        # What is asked on the way already, as a sum that a loop carries, holds if all else does.
        pending += [each for each in needed if each not in asked]
        asked.update(needed)
    return True


def _needed(value: Value) -> list[Value] | None:
    """The values that mustn't be below 0, so that this one isn't; None where nothing is known."""
    if constant_value(value) is not None:
        return [] if _is_positive(value, or_zero=True) else None
    if not is_float(value.type):
        return None
    around = value.block.parent if isinstance(value, BlockArgument) else value.defining_op
    if around is not None and around.op in (if_, for_, while_):
        return [source for source, target in through_regions(around) if target is value] or None
    return _needed_by(around) if isinstance(value, OpResult) and around is not None else None


def _needed_by(made: Operation) -> list[Value] | None:
    name, operands = made.op.name, list(made.operands)
    if made.attrs.get("key") is not None:  # ``max`` of what it gives
        return None
    if name in _ALWAYS or (name in _PRODUCTS and operands[0] is operands[1]):
        return []
    if name in _AS_ALL or name in _PRODUCTS:
        return operands
    if name in _LARGEST:
        return [] if any(_is_positive(each, or_zero=True) for each in operands) else operands
    if name in _POWERS and _is_even(operands[1]):
        return []
    if name in (*_POWERS, *_QUOTIENTS) and _is_positive(operands[1]):
        return operands[:1]
    return None


def _is_positive(value: Value, *, or_zero: bool = False) -> bool:
    """Whether a number is known, and above 0."""
    number = constant_value(value)
    return isinstance(number, int | float) and (number > 0 or (or_zero and number == 0))


def _is_even(exponent: Value) -> bool:
    number = constant_value(exponent)
    return isinstance(number, int | float) and number % 2 == 0
