"""What holds where a condition does.

``a and b`` is an ``if`` in the graph:
    %2 = if %a : bool { region_yield %b } { region_yield false }
"""

from __future__ import annotations

from collections.abc import Iterator

from staticpy.ir import Value
from staticpy.ops import constant_value, if_


def conjuncts(condition: Value) -> Iterator[Value]:
    """A condition, and what else holds where it does: of ``a and b`` both."""
    pending = [condition]
    while pending:
        value = pending.pop()
        yield value
        made = value.defining_op
        if made is not None and made.op.name == "truth":
            pending.append(made.operands[0])
        if made is not None and made.op is if_:
            place = made.results.index(value)
            then, otherwise = (each.block.terminator.operands[place] for each in made.regions)
            if constant_value(otherwise) is False:
                pending += [made.operands[0], then]
