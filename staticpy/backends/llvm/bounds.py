"""Checks of indexes before a loop, for all of its rounds.

In: an innermost ``for`` whose rounds read and write elements at the loop's index, or so far from
it: ``a[i, j + 1]``. Out: one condition under which all of them are in bounds, the arrays that are
written to can be, and neighbours along the last axis lie side by side. Where it holds a form of
the loop runs that asks no more, of which LLVM makes vectors; elsewhere one that asks in each round.
Of an element at an index that is known only then, ``table[i[j]]``, the condition says that much of
its neighbours: where it is needs no multiplication.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import reduce
from typing import Any, NamedTuple

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.boxes import FLAGS, WRITEABLE
from staticpy.backends.llvm.context import Context
from staticpy.backends.llvm.forms import I1, I32, I64, Form, Native, form_of
from staticpy.backends.llvm.positions import Ends, Entry, entry_of, sums_in
from staticpy.backends.llvm.short_loops import is_short
from staticpy.ir import Operation, Value, walk
from staticpy.ops import for_, if_
from staticpy.passes import FIRST_INDEX, made_in


class Access(NamedTuple):
    """Where an operation reads or writes an element.

    Attributes:
        entries: its index along each axis; None if each round asks whether it is in bounds.
        is_along_row: whether the last of them goes with the loop, or anywhere.
        sums: what is added up to the index, which doesn't leave 64 bits where it is in bounds.
    """

    operation: Operation
    entries: tuple[Entry, ...] | None
    is_along_row: bool
    sums: frozenset[Operation] = frozenset()

    @property
    def array(self) -> Value:
        """What is read or written."""
        return self.operation.operands[0]


def accesses_of(loop: Operation, steady: Collection[Value] = ()) -> list[Access]:
    """The accesses of an innermost loop that can be checked before it; none if a round does more
    than compute with numbers and elements. What is ``steady`` is known before the loop.
    """
    block = loop.regions[0].block
    operations = list(walk(block))
    if not all(map(_is_plain, operations)):
        return []
    inside = set(made_in(block)).difference(steady)
    found = [_access(each, block.args[0], inside) for each in operations]
    accesses = [each for each in found if each is not None]
    if any(each.op is for_ for each in operations):  # it looks for itself at what is known there
        return accesses if all(each.entries is not None for each in accesses) else []
    return accesses


def _is_plain(operation: Operation) -> bool:
    """Whether an operation computes a number, or is a branch, or writes an element."""
    if operation.regions:
        return operation.op is if_ or is_short(operation)
    if operation.op.name == "store":
        array, number = (form_of(value.type) for value in operation.operands[:2])
        return number.is_scalar and is_one_element(operation.attrs["spec"], array)
    are_numbers = all(form_of(value.type).is_scalar for value in operation.results)
    return are_numbers and bool(operation.results or operation.op.is_terminator)


def is_one_element(spec: Sequence[Any], array: Form) -> bool:
    """Whether an index is that of one element of an array: one number may be written to many."""
    is_full = array.kind == "array" and len(spec) == array.rank
    return is_full and all(isinstance(each, int) or each == "value" for each in spec)


def _access(operation: Operation, index: Value, inside: set[Value]) -> Access | None:
    first = FIRST_INDEX.get(operation.op.name)
    if first is None:
        return None
    array, spec = operation.operands[0], operation.attrs["spec"]
    form = form_of(array.type)
    if array in inside or form.kind != "array" or len(spec) != form.rank:
        return None
    indexes = operation.operands[first:]
    values = iter(indexes)
    entries = []
    for part in spec:
        entry = Entry(None, part) if isinstance(part, int) else None
        if part == "value":
            entry = entry_of(next(values), operation, index, inside)
        if entry is None:
            return Access(operation, None, is_along_row=True) if spec[-1] == "value" else None
        entries.append(entry)
    is_along_row = bool(entries) and entries[-1].value is index
    sums = frozenset(each for value in indexes for each in sums_in(value, inside))
    return Access(operation, tuple(entries), is_along_row, sums)


def all_hold(cx: Context, accesses: Sequence[Access], ends_of: Callable[[Value], Ends]) -> ir.Value:
    """Whether all accesses can be done without a look, where ``ends_of`` says between which
    numbers an index is.
    """
    conditions = [each for access in accesses for each in _conditions(cx, access, ends_of)]
    return reduce(cx.builder.and_, conditions, I1(1))


def is_never(condition: ir.Value) -> bool:
    """Whether it is known that a condition doesn't hold."""
    return isinstance(condition, ir.Constant) and not condition.constant


def _conditions(
    cx: Context, access: Access, ends_of: Callable[[Value], Ends]
) -> Iterator[ir.Value]:
    builder, array = cx.builder, cx.get(access.array)
    for entry, size in zip(access.entries or (), array.sizes, strict=access.entries is not None):
        yield from entry.conditions(cx, size, ends_of)
    if access.is_along_row and not cx.new_arrays.get(access.array):
        assert array.form.dtype is not None
        yield builder.icmp_signed("==", array.strides[-1], I64(array.form.dtype.itemsize))
    is_store = access.operation.op.name == "store" and access.entries is not None
    if is_store and not can_be_written(cx, access.array):
        yield is_writeable(cx, array)


def can_be_written(cx: Context, array: Value) -> bool:
    """Whether it is known that an array can be written to."""
    return array in cx.new_arrays or array in cx.writeable


def is_writeable(cx: Context, array: Native) -> ir.Value:
    """Whether an array can be written to."""
    flags = cx.builder.load(cx.at(array.value, FLAGS), typ=I32)
    return cx.builder.icmp_signed("!=", cx.builder.and_(flags, I32(WRITEABLE)), I32(0))


def as_checked(array: Native, access: Access) -> Native:
    """The array of an access that holds, of which LLVM knows how neighbours lie."""
    return in_row(array) if access.is_along_row else array


def in_row(array: Native) -> Native:
    """An array of which neighbours along the last axis lie side by side."""
    assert array.form.dtype is not None
    return Native(array.form, (*array.parts[:-1], I64(array.form.dtype.itemsize)))


def element_address(cx: Context, access: Access, array: Native) -> ir.Value:
    """Where an element is whose access holds."""
    builder, data = cx.builder, array.data
    assert access.entries is not None
    for entry, size, stride in zip(access.entries, array.sizes, array.strides, strict=True):
        data = cx.at(data, builder.mul(entry.position(cx, size), stride))
    return data
