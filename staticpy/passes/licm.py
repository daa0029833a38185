"""Loop-invariant code motion: what is the same in each round is computed once, before the loop.

Before:
    %s = for %start, %stop, %step, %x {breaks = false} : f64[n] (%i: int, %a: f64[n]) {
      %w = transpose %v {axes = (0,)} : f64[n]
      %0 = add %a, %w : f64[n]
      region_yield %0
    }
After:
    %w = transpose %v {axes = (0,)} : f64[n]
    %s = for %start, %stop, %step, %x {breaks = false} : f64[n] (%i: int, %a: f64[n]) {
      %0 = add %a, %w : f64[n]
      region_yield %0
    }

Moved is what neither raises nor warns, and in a loop that is known to run also what warns, as long
as nothing before it in the body may raise. An array, list or object is moved only where nobody can
tell one from many: it doesn't reach the caller and is not written to; and what reads such memory
stays in a loop that writes any. What reads a variable that may be unbound stays behind the test
that it is bound, and ``any.narrow`` behind the test of the type.
"""

from __future__ import annotations

from staticpy.ir import (
    Block,
    BlockArgument,
    Function,
    Module,
    Operation,
    OpResult,
    Value,
    rewriter,
    walk,
)
from staticpy.ops import Effect, constant_range, for_, narrow, while_
from staticpy.passes.aliasing import AliasAnalysis, possibly_undefined
from staticpy.passes.effects import KEPT, all_effects, reads_memory


def licm(module: Module) -> None:
    """Move invariant operations out of the loops of all functions of ``module``."""
    for function in module.functions.values():
        loops = [op for op in walk(function.block) if op.op in (for_, while_)]
        if loops:
            _Mover(function).run(loops)


class _Mover:
    """Works on one function, from the innermost loops outwards."""

    def __init__(self, function: Function) -> None:
        self._aliases = AliasAnalysis(function)
        self._effects = all_effects(function)
        self._undefined = possibly_undefined(function)

    def run(self, loops: list[Operation]) -> None:
        """Treat ``loops``, which stand in the order of the text: an inner one after its outer
        one.
        """
        for loop in reversed(loops):
            for number, region in enumerate(loop.regions):
                surely_runs = number == 0 and (loop.op is while_ or bool(constant_range(loop)))
                self._hoist(loop, region.block, surely_runs)

    def _hoist(self, loop: Operation, block: Block, surely_runs: bool) -> None:
        writes = Effect.WRITES in self._effects[loop]
        moved: dict[Operation, None] = {}
        for operation in block.operations[:-1]:
            effects = self._effects[operation]
            if effects & KEPT:
                surely_runs = False
                continue
            is_safe = surely_runs or effects is Effect.NONE
            if is_safe and self._is_invariant(operation, block, moved, writes):
                moved[operation] = None
        rewriter.move_all_before(list(moved), loop)

    def _is_invariant(
        self, operation: Operation, block: Block, moved: dict[Operation, None], writes: bool
    ) -> bool:
        if operation.regions or not operation.results:
            return False
        if operation.op is narrow or (writes and reads_memory(operation)):
            return False
        if not all(map(self._aliases.is_private, operation.results)):
            return False
        return all(
            _is_outside(operand, block, moved) and operand not in self._undefined
            for operand in operation.operands
        )


def _is_outside(value: Value, block: Block, moved: dict[Operation, None]) -> bool:
    """Whether ``value``, which an operation of ``block`` reads, is there before the loop begins."""
    if isinstance(value, BlockArgument):
        return value.block is not block
    assert isinstance(value, OpResult)
    return value.owner.block is not block or value.owner in moved
