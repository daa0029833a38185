"""Elements that all rounds of a loop read and none of them writes, read once before it.

In: an innermost loop that reads ``weight[i]`` in its rounds over ``c``. Out: the number, if it is
in bounds. LLVM would read it in each round of a loop that writes to another array, since the two
might overlap; and by what is read in a loop an index, ``t[i, c - weight[i]]``, is not known before
it. Handlers of signals and other threads may write to it meanwhile: where no index goes by it, it
is read again whenever they have run.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.bounds import Access, as_checked, element_address
from staticpy.backends.llvm.boxes import load_number
from staticpy.backends.llvm.context import Context
from staticpy.backends.llvm.forms import Native, form_of
from staticpy.ir import Operation, Value


class Steady(NamedTuple):
    """A variable that holds an element."""

    variable: ir.Value
    access: Access


def steady_reads(cx: Context, index: Value, accesses: Collection[Access]) -> list[Access]:
    """Those of the ``accesses`` of a loop that read what no round changes, whose index is
    ``index``.
    """
    written = {each.array for each in accesses if each.operation.op.name == "store"}
    return [
        each
        for each in accesses
        if each.operation.op.name == "index"
        and _is_fixed(each, index)
        and all(cx.are_apart(array, each.array) for array in written)
    ]


def _is_fixed(access: Access, index: Value) -> bool:
    entries = access.entries
    return entries is not None and all(
        each.value is not index and each.is_always_in_bounds for each in entries
    )


def read_steady(cx: Context, accesses: Sequence[Access]) -> None:
    """Read elements that are in bounds."""
    for access in accesses:
        result = access.operation.results[0]
        native = _read(cx, access)
        cx.set(result, native)
        variable = cx.variable(native.value.type)
        cx.builder.store(native.value, variable)
        cx.steady = {**cx.steady, access.operation: Steady(variable, access)}


def read_again(cx: Context) -> None:
    """Read those again by which no index goes: others may have written to them."""
    for steady in cx.steady.values():
        if steady.access.operation not in cx.relied_on:
            cx.builder.store(_read(cx, steady.access).value, steady.variable)


def rely_on(cx: Context, steady: Sequence[Access], accesses: Sequence[Access]) -> None:
    """Note those by which the index of an access goes."""
    read = {value for each in accesses for value in _read_for(each)}
    found = (each.operation for each in steady if each.operation.results[0] in read)
    cx.relied_on = {*cx.relied_on, *found}


@contextmanager
def knowing_steady(cx: Context) -> Iterator[None]:
    """What is read within, before a loop, is known as long as that."""
    outside = cx.steady, cx.relied_on
    yield
    cx.steady, cx.relied_on = outside


def _read_for(access: Access) -> Iterator[Value]:
    for entry in access.entries or ():
        for sum_ in (entry.sum, entry.low, entry.high):
            yield from (value for value, _ in (sum_.terms if sum_ is not None else ()))


def steady_element(cx: Context, operation: Operation) -> Native | None:
    """What an operation reads, if it was read before the loop."""
    steady = cx.steady.get(operation)
    if steady is None:
        return None
    form = form_of(operation.results[0].type)
    return Native(form, (cx.builder.load(steady.variable, typ=form.parts[0]),))


def _read(cx: Context, access: Access) -> Native:
    form = form_of(access.operation.results[0].type)
    array = as_checked(cx.get(access.array), cx.checked.get(access.operation, access))
    data = element_address(cx, access, array)
    return Native(form, (load_number(cx.builder, data, form.parts[0]),))
