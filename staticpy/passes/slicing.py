"""What some of the results of a function need.

Before, of the result 0:                         After:
    %0 = multiply %w, %x : f64[n]                    %0 = multiply %w, %x : f64[n]
    print %0                                         return %0
    %1 = iadd %w, %x : f64[n]
    return %0, %1

What else the function does is gone, with its effects. It is for another run on the same arguments:
whatever may raise has not, and what is written to memory that is not read afterwards doesn't
matter. Control flow stays whole where it stays. Weiser (1984) calls this a backward slice.
"""

from __future__ import annotations

from collections.abc import Sequence

from staticpy.ir import Function, Operation, Value, is_mutable_memory, rewriter, walk
from staticpy.ops import Effect
from staticpy.passes.aliasing import AliasAnalysis, written_operands
from staticpy.passes.effects import own_effects


def keep_results(function: Function, numbers: Sequence[int]) -> set[int]:
    """Drop the results of ``function`` but for ``numbers``, and all that these don't need.

    Returns:
        The numbers of the arguments that they do. The others are taken to share no memory with
        them.
    """
    *operations, end = function.block.operations
    aliases = AliasAnalysis(function)
    rewriter.set_operands(end, [end.operands[number] for number in numbers])
    needed: set[Value] = set().union(*map(aliases.aliases, end.operands))
    dropped: list[Operation] = []
    for operation in reversed(operations):
        inner = [operation, *(each for region in operation.regions for each in walk(region.block))]
        changed = {*operation.results, *(value for each in inner for value in _written(each))}
        if needed.isdisjoint(changed):
            dropped.append(operation)
        else:
            needed.update(*(aliases.aliases(read) for each in inner for read in each.operands))
    rewriter.erase_all(dropped)
    return {number for number, each in enumerate(function.args) if each in needed}


def _written(operation: Operation) -> Sequence[Value]:
    """The memory that an operation without its regions may write to."""
    if Effect.WRITES not in own_effects(operation):
        return ()
    return [value for value in written_operands(operation) if is_mutable_memory(value.type)]
