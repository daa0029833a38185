"""What a way back hands out: the cotangents of what it was differentiated by."""

from __future__ import annotations

from collections.abc import Iterable

from staticpy import ops
from staticpy.autodiff.back import as_value
from staticpy.autodiff.reverse import Reverse
from staticpy.ir import Builder, TensorType, Value
from staticpy.ops import REGISTRY


def apart(builder: Builder, flowing: list[Value], others: Iterable[Value]) -> list[Value]:
    """The cotangents as arrays of their own, which their reader may change: a rule may give the
    cotangent that it got, or a view. ``others`` are what somebody else may read.
    """
    taken, found = set(others), []
    for value in flowing:
        made = value.defining_op
        is_fresh = made is not None and not made.regions and not REGISTRY[made.name].view
        if isinstance(value.type, TensorType) and (not is_fresh or value in taken):
            value = builder.emit(ops.copy, [value], {"order": "K"}).result  # noqa: PLW2901
        taken.add(value)
        found.append(value)
    return found


def cotangent_of(reverse: Reverse, argument: Value) -> Value:
    """What has flown to an argument."""
    shadow = reverse.shadows.of.get(argument)
    return shadow or as_value(reverse.cotangents.take(argument), argument)
