"""Ints of which nobody reads more than their low bits.

In: an operation on Python's ints, as the product in ``(h * 31 + c) & 0xFFFFFFFF`` or the shift in
``x ^= (x << 13) & mask``. Out: whether its result may leave 64 bits without anybody seeing it, as
the low bits of sums, products and shifts follow from those of what they are made of.
"""

from __future__ import annotations

from staticpy.backends.llvm.forms import UNSIGNED
from staticpy.ir import BOOL, INT, Operation
from staticpy.ops import constant_value

_WRAPPING = ("py.add", "py.sub", "py.mul", "py.neg", "py.invert", "py.and", "py.or", "py.xor")
_LARGEST = 1 << 62


def has_low_bits_read(operation: Operation) -> bool:
    """Whether all that is made of a result, by operations of this kind, is cut to the bits below
    the 64th.
    """
    if not _wraps(operation):
        return False
    pending, seen = [operation], {operation}
    while pending:
        users = list(pending.pop().result.users)
        further = [each for each in users if not _cuts(each)]
        if not users or not all(map(_wraps, further)):
            return False
        pending += [each for each in further if each not in seen]
        seen.update(further)
    return True


def _wraps(operation: Operation) -> bool:
    """Whether low bits follow from low bits."""
    if any(each.type not in (INT, BOOL, UNSIGNED) for each in operation.operands):
        return False
    if operation.op.name == "py.lshift":
        distance = constant_value(operation.operands[1])
        return not isinstance(distance, int) or 0 <= distance < 64
    return operation.op.name in _WRAPPING and operation.result.type == INT


def _cuts(operation: Operation) -> bool:
    """Whether an operation reads low bits, and gives an int of no more than 64."""
    if operation.op.name == "py.and":
        if operation.result.type == UNSIGNED:
            return True
        masks = [constant_value(each) for each in operation.operands]
        return any(isinstance(mask, int) and 0 <= mask < 2 * _LARGEST for mask in masks)
    if operation.op.name != "py.mod" or operation.operands[0].type != INT:
        return False
    divisor = constant_value(operation.operands[1])
    return isinstance(divisor, int) and 0 < divisor <= _LARGEST and divisor & (divisor - 1) == 0
