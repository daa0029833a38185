"""What an ``if`` asks.

In: an ``if``. Out: the comparison of two numbers that decides it.
"""

from __future__ import annotations

from staticpy.ir import Operation
from staticpy.ops import REGISTRY

_ORDERS = ("<", "<=", ">", ">=")
_SYMBOLS = {name: op.symbol for name, op in REGISTRY.items() if op.symbol in _ORDERS}


def order_asked(branch: Operation) -> tuple[Operation, str] | None:
    """The comparison by which an ``if`` goes to its sides, and one of ``<``, ``<=``, ``>`` and
    ``>=``; None if something else decides.
    """
    made = branch.operands[0].defining_op
    if made is not None and made.op.name == "truth":
        made = made.operands[0].defining_op
    if made is None or made.op.name not in _SYMBOLS:
        return None
    return made, _SYMBOLS[made.op.name]
