"""Structural equality of graphs, and of attribute values.

In: two Modules or Functions. Out: whether they differ in nothing but spans and name hints: that is
what ``parse_module(print_module(m)) == m`` means. Attribute values are compared bit for bit: 1,
True and 1.0 are three values, so are 0.0 and -0.0, and a NaN equals itself.
"""

from __future__ import annotations

import struct
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from staticpy.ir.core import Block, Function, Module, Operation, Value, same_structure


def attribute_key(value: Any) -> Hashable:
    """A hashable key that two attribute values share only where they are the same value."""
    kind = type(value)
    if kind in _PLAIN:
        return (kind, value)
    if isinstance(value, tuple):
        return (tuple, *map(attribute_key, value))
    if isinstance(value, np.generic):
        return (type(value), value.dtype, value.tobytes())
    if isinstance(value, float):
        return (float, struct.pack("<d", value))
    if isinstance(value, complex):
        return (complex, struct.pack("<dd", value.real, value.imag))
    if isinstance(value, slice):
        return (slice, *map(attribute_key, (value.start, value.stop, value.step)))
    return (type(value), value)


def attributes_key(operation: Operation) -> Hashable:
    """The key of all attributes of an operation, whatever their order."""
    attrs = operation.attrs
    if not attrs:
        return _NO_ATTRIBUTES
    return frozenset([(name, attribute_key(value)) for name, value in attrs.items()])


_PLAIN = frozenset((int, bool, str, type(None)))
"""The types whose values are equal only where they are the same."""
_NO_ATTRIBUTES: Hashable = frozenset()


@same_structure.register
def _same_module(left: Module, right: object) -> bool:
    if not isinstance(right, Module) or left.entry != right.entry:
        return False
    return left.functions.keys() == right.functions.keys() and all(
        _same_function(function, right.functions[name]) for name, function in left.functions.items()
    )


@same_structure.register
def _same_function(left: Function, right: object) -> bool:
    return (
        isinstance(right, Function)
        and left.name == right.name
        and _same_blocks(left.block, right.block)
    )


def _same_blocks(left: Block, right: Block) -> bool:
    twins: dict[Value, Value] = {}
    pending = [(left, right)]
    while pending:
        ours, theirs = pending.pop()
        if len(ours.operations) != len(theirs.operations):
            return False
        if not _pair(twins, ours.args, theirs.args):
            return False
        for a, b in zip(ours.operations, theirs.operations, strict=True):
            if not (_same_operation(twins, a, b) and _pair(twins, a.results, b.results)):
                return False
        for a, b in zip(ours.operations, theirs.operations, strict=True):
            pending.extend((r.block, s.block) for r, s in zip(a.regions, b.regions, strict=True))
    return True


def _pair(twins: dict[Value, Value], left: Sequence[Value], right: Sequence[Value]) -> bool:
    """Note that values defined at the same place are twins, if their types agree."""
    if [value.type for value in left] != [value.type for value in right]:
        return False
    twins.update(zip(left, right, strict=True))
    return True


def _same_operation(twins: dict[Value, Value], left: Operation, right: Operation) -> bool:
    return (
        left.name == right.name
        and len(left.regions) == len(right.regions)
        and attributes_key(left) == attributes_key(right)
        and len(left.operands) == len(right.operands)
        and all(twins.get(a) is b for a, b in zip(left.operands, right.operands, strict=True))
    )
