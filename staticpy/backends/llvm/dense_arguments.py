"""Arguments whose elements lie side by side, as far as the lean edition goes.

In: a function of the graph. Out: the arrays among its arguments whose elements its loops read or
write one at a time where no condition before the loop speaks of them: in a ``while``, or at an
index that is known no sooner. The lean edition (``editions``) takes for granted that neighbours
along their last axes lie side by side, and that those that are written to can be. So an element is
found without a multiplication, and no round asks for flags.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from staticpy.backends.llvm.bounds import accesses_of
from staticpy.backends.llvm.forms import form_of
from staticpy.backends.llvm.short_loops import is_innermost
from staticpy.ir import Block, Function, Operation, Value, walk
from staticpy.ops import call, constant, for_, while_
from staticpy.passes import FIRST_INDEX, is_of_element


class Dense(NamedTuple):
    """Arguments.

    Attributes:
        read: those whose elements are read or written in loops.
        written: those of them that are written to there, and whose flags nobody changes meanwhile.
    """

    read: frozenset[Value]
    written: frozenset[Value]


def dense_arguments(function: Function) -> Dense:
    """Those of ``function``."""
    arrays = {each for each in function.args if form_of(each.type).rank}
    found = [each for each in _in_loops(function.block) if each.operands[0] in arrays]
    if not found:
        return Dense(frozenset(), frozenset())
    read = frozenset(each.operands[0] for each in found)
    written = frozenset(each.operands[0] for each in found if each.op.name == "store")
    return Dense(read, written if _keeps_flags(function) else frozenset())


def _in_loops(block: Block) -> Iterator[Operation]:
    """The accesses to elements in loops which no condition before a loop speaks of."""
    for operation in block.operations:
        if operation.op in (for_, while_):
            yield from _in_loop(operation)
        else:
            for region in operation.regions:
                yield from _in_loops(region.block)


def _in_loop(loop: Operation) -> Iterator[Operation]:
    inside = [each for region in loop.regions for each in walk(region.block)]
    known: set[Operation] = set()
    for each in (loop, *inside):
        if is_innermost(each):
            held = (access for access in accesses_of(each) if access.entries is not None)
            known.update(access.operation for access in held)
    yield from (each for each in inside if each not in known and _is_along_row(each))


def _is_along_row(operation: Operation) -> bool:
    """Whether an operation is one on an element whose last index isn't known."""
    if operation.op.name not in FIRST_INDEX or form_of(operation.operands[0].type).kind != "array":
        return False
    return is_of_element(operation) and operation.attrs["spec"][-1:] == ("value",)


def _keeps_flags(function: Function) -> bool:
    """Whether nothing but NumPy sees what the function has: the language has nothing that makes an
    array read-only, but what is called from here has.
    """
    for operation in walk(function.block):
        if operation.op is call:
            return False
        if operation.op is constant or operation.op.name == "return":
            continue
        values = (*operation.operands, *operation.results)
        if any(form_of(each.type).kind == "object" for each in values):
            return False
    return True
