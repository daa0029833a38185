"""How many elements of a row the loops compute at a time.

In: a walk along a row, and its cluster. Out: the widths of its vectors, the widest first.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from staticpy.backends.llvm.engine import has_masks, has_scaling, register_bytes
from staticpy.backends.llvm.members import dtype_of, is_function, is_root, operands_of
from staticpy.backends.llvm.pairwise import WIDTH, accumulators
from staticpy.backends.llvm.reductions import is_pairwise
from staticpy.ir import Dim
from staticpy.passes import Cluster, Walk

_MOST = 64
"""The most elements that are reduced at a time."""

_FEW = 4
"""The operands of so many operations are in registers, where each takes four."""


_SHORT = 4
"""Rows that are known to have no more elements are reduced one by one."""


def widths_of(walk: Walk, cluster: Cluster, length: int | None) -> tuple[int, ...]:
    """How many elements are computed at a time, then of those that are left: a register full of
    narrow ones; two of AVX2's, where each operation of a function and of many others waits for the
    one before; two of AVX-512's with roots of f32, of which half are computed by other operations;
    for reductions a few registers full, since each waits for the one before. No more than it takes
    for a row, if its ``length`` is known or to be expected.
    """
    members = [*walk.elements, *walk.reducing]
    values = [value for each in members for value in (*operands_of(each), *each.results)]
    values += [sink.operands[0] for sink in walk.sinks]
    size = max(dtype_of(value).itemsize for value in values)
    sums = list(filter(is_pairwise, walk.reducing))
    least = min([accumulators(dtype_of(each.results[0])) for each in sums], default=WIDTH)
    if walk.reducing and not sums and _is_short(cluster.domain[-cluster.row_axes :]):
        return (1,)
    has_functions = any(map(is_function, members))
    if sums and not has_functions:
        return (least, 1)
    if has_functions:
        registers = 2 if len(members) > _FEW and register_bytes() == 32 else 1
        width = min(registers * register_bytes() // size, 2 * WIDTH)
    else:
        registers = 2 if size == 4 and has_scaling() and any(map(is_root, members)) else 1
        width = registers * register_bytes() // size
        if walk.reducing and len(members) <= _FEW:
            width = min(4 * width, _MOST)
        while length is not None and width // 2 >= max(length, least):
            width //= 2
    if has_masks() and all(dtype_of(value).kind != "c" for value in values):
        return (max(width, least),)  # and what is left under a mask
    return (width, least, 1) if width > least else (least, 1)


def _is_short(row: Sequence[Dim]) -> bool:
    return all(isinstance(dim, int) for dim in row) and math.prod(map(int, row)) <= _SHORT
