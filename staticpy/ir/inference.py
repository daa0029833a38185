"""What the type rule of an op gives.

In: an op with the types of its operands, its attributes and regions. Out: the types of its results.
A rule looks at nothing else, and most operations are like many others, so that what the rules of
plain ones gave is remembered: the verifier asks again for what the builder has asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from staticpy.ir.core import OpDefinition, Region
from staticpy.ir.types import Type

_REMEMBERED = 4096


def infer_types(
    op: OpDefinition,
    operands: Sequence[Type],
    attrs: Mapping[str, Any],
    regions: Sequence[Region] = (),
) -> tuple[Type, ...]:
    """The types of the results.

    Raises:
        DiagnosticError: the rule refuses the operands.
    """
    if attrs or regions:
        return op.result_types(operands, attrs, regions)
    return _infer_plain(op, tuple(operands))


@lru_cache(maxsize=_REMEMBERED)
def _infer_plain(op: OpDefinition, operands: tuple[Type, ...]) -> tuple[Type, ...]:
    """The types where nothing but the operands counts."""
    return op.result_types(operands, {}, ())
