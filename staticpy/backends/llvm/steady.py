"""Elements that all rounds of a loop read and none of them writes, read once before it.

In: an innermost loop that reads ``weight[i]`` in its rounds over ``c``. Out: the number, if it is
in bounds. LLVM would read it in each round of a loop that writes to another array, since the two
might overlap; and by what is read in a loop an index, ``t[i, c - weight[i]]``, is not known before
it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from staticpy.backends.llvm.bounds import Access, as_checked, element_address
from staticpy.backends.llvm.boxes import load_number
from staticpy.backends.llvm.context import Context
from staticpy.backends.llvm.forms import Native, form_of
from staticpy.ir import Value


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
        form = form_of(result.type)
        array = as_checked(cx.get(access.array), cx.checked.get(access.operation, access))
        data = element_address(cx, access, array)
        native = Native(form, (load_number(cx.builder, data, form.parts[0]),))
        cx.set(result, native)
        cx.steady[access.operation] = native
