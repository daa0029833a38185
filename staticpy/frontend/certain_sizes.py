"""Sizes that are written in the text and never fit: an index beyond an axis, too few names for the
items of an array, an operand that ``+=`` can't stretch.

In: a lowered module. Out: for each operation that raises for its sizes whenever it is reached, the
exception. Looked at is what no condition guards, as that may have asked for the sizes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from math import prod
from typing import Any

from staticpy import ops
from staticpy.ir import Dim, Module, Operation, ShapeFacts, TensorType, Value, walk

Reason = tuple[str, str]
"""The class of an exception and what it says."""

_IN_PLACE = frozenset(op.name for symbol, op in ops.IN_PLACE.items() if symbol != "@")
_GUARDS = ("if", "while")


def never_fit(module: Module, facts: ShapeFacts) -> Iterator[tuple[Operation, Reason]]:
    """The operations of a module that always raise because of sizes, and what they raise."""
    for function in module.functions.values():
        for operation in walk(function.block):
            reason = _reason(operation, facts)
            if reason is not None and not _is_guarded(operation, module):
                yield operation, reason


def calls_to(operation: Operation, module: Module) -> Iterator[Operation]:
    """The calls of the function in whose body an operation stands."""
    names = [name for name, each in module.functions.items() if each.block is operation.block]
    for function in module.functions.values():
        for each in walk(function.block):
            if each.name == "call" and each.attrs["callee"] in names:
                yield each


def _is_guarded(operation: Operation, module: Module, around: tuple[Operation, ...] = ()) -> bool:
    """Whether a condition decides if it is reached, here or around a call that leads here."""
    inner, outer = operation, operation.parent
    while outer is not None:
        if outer.name in _GUARDS:
            return True
        inner, outer = outer, outer.parent
    around = (*around, operation)
    callers = (call for call in calls_to(inner, module) if call not in around)
    return any(_is_guarded(each, module, around) for each in callers)


def _reason(operation: Operation, facts: ShapeFacts) -> Reason | None:
    name, operands = operation.name, operation.operands
    if name in ("index", "store"):
        return _beyond(_dims(operands[0], facts), operation.attrs["spec"])
    if name == "unpack":
        return _unpacked(_dims(operands[0], facts), operation.attrs["count"])
    if name == "reshape":
        return _reshaped(_dims(operands[0], facts), operation.attrs["shape"])
    if name in _IN_PLACE:
        return _stretched(_dims(operands[0], facts), _dims(operands[1], facts))
    return None


def _dims(value: Value, facts: ShapeFacts) -> tuple[Dim, ...] | None:
    """The sizes of an array."""
    found = facts.resolve_type(value.type)
    return found.dims if isinstance(found, TensorType) else None


def _beyond(dims: tuple[Dim, ...] | None, spec: Sequence[Any]) -> Reason | None:
    """For ``x[5]`` and ``x[5] = v``: an integer beyond its axis. Arrays may take several axes."""
    if dims is None or "array" in spec:
        return None
    entries = [entry for entry in spec if entry != "newaxis"]
    behind = entries[entries.index("ellipsis") + 1 :] if "ellipsis" in entries else []
    before = entries[: len(entries) - len(behind) - 1] if "ellipsis" in entries else entries
    axes = [*range(len(before)), *range(len(dims) - len(behind), len(dims))]
    for axis, entry in zip(axes, [*before, *behind], strict=True):
        size = dims[axis]
        if isinstance(entry, int) and isinstance(size, int) and not -size <= entry < size:
            return "IndexError", f"index {entry} is out of bounds for axis {axis} with size {size}"
    return None


def _unpacked(dims: tuple[Dim, ...] | None, count: int) -> Reason | None:
    """For ``a, b = x``."""
    size = dims[0] if dims else None
    if not isinstance(size, int) or size == count:
        return None
    if size > count:
        return "ValueError", f"too many values to unpack (expected {count})"
    return "ValueError", f"not enough values to unpack (expected {count}, got {size})"


def _reshaped(dims: tuple[Dim, ...] | None, shape: Sequence[Any]) -> Reason | None:
    """For ``x.reshape(-1, 5)``."""
    if dims is None:
        return None
    sizes = [dim for dim in dims if isinstance(dim, int)]
    parts = [each for each in shape if isinstance(each, int) and each >= 0]
    free = len(shape) - len(parts)
    if len(sizes) < len(dims) or free > shape.count(-1) or 0 in parts:
        return None
    total, known = prod(sizes), prod(parts)
    if total % known == 0 and (free or total == known):
        return None
    message = f"cannot reshape array of size {total} into shape {_written(shape)}"
    return "ValueError", message


def _stretched(dims: tuple[Dim, ...] | None, given: tuple[Dim, ...] | None) -> Reason | None:
    """For ``x += y``, which keeps the sizes of ``x``."""
    if dims is None or given is None:
        return None
    pairs = zip_longest(reversed(dims), reversed(given), fillvalue=1)
    if not any(
        isinstance(to, int) and isinstance(of, int) and of not in (1, to) for to, of in pairs
    ):
        return None
    shapes = f"{_written(dims)} {_written(given)}"
    return "ValueError", f"operands could not be broadcast together with shapes {shapes}"


def _written(shape: Sequence[Any]) -> str:
    """A shape as NumPy writes it."""
    return f"({','.join(map(str, shape))}{',' if len(shape) == 1 else ''})"
