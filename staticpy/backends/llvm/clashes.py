"""Rounds of a loop that write an element which all of its rounds read.

In: an innermost loop whose accesses hold (``bounds``), which writes ``d[i, j]`` and reads
``d[i, k]``, as that of Floyd and Warshall does. Out: the indexes of such rounds, ``k``. A piece of
the loop before or after such a round reads nothing that it writes: of it LLVM makes vectors.
"""

from __future__ import annotations

from collections.abc import Sequence

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.bounds import Access
from staticpy.backends.llvm.context import Context
from staticpy.backends.llvm.positions import Sum
from staticpy.ir import Value

_MOST = 2
"""In so many places a loop is cut."""


def clashes(cx: Context, index: Value, accesses: Sequence[Access], step: int) -> list[ir.Value]:
    """At which indexes of a loop that goes up one by one there are such rounds."""
    if step != 1:
        return []
    stores = [each for each in accesses if each.operation.op.name == "store"]
    reads = [each for each in accesses if each not in stores]
    found = dict.fromkeys(_clash(index, one, other) for one in stores for other in reads)
    sums = [each for each in found if each is not None]
    return [each.emit(cx) for each in sums] if len(sums) <= _MOST else []


def _clash(index: Value, store: Access, read: Access) -> Sum | None:
    """The index of a round that writes what every round reads, if there can be one."""
    if store.array is not read.array or store.entries is None or read.entries is None:
        return None
    pairs = zip(store.entries, read.entries, strict=True)
    different = [pair for pair in pairs if pair[0] != pair[1]]
    if len(different) != 1 or any(each.value is index for each in read.entries):
        return None
    ((written, wanted),) = different
    is_along = written.value is index and written.times == 1 and not written.others
    if not is_along or (wanted.value is None and wanted.offset < 0):
        return None
    first, known = wanted.sum
    return Sum(first, known - written.offset)
