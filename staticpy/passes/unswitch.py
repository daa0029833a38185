"""What all rounds of a loop over numbers ask alike is asked once, and there are two loops.

In: a Module, and which types of numbers a backend computes with. Out: the same Module. No pass of
the pipeline: to Python the loop is as good, and it is what the user wrote.

Before, where ``%c`` is the same in each round:
    %r = for %0, %n, %1, %s : f64 (%j: int, %a: f64) {
      %2 = if %c : f64 { ... } { region_yield %a }
      region_yield %2
    }
After:
    %r = if %c : f64 {
      %3 = for %0, %n, %1, %s : f64 (%j: int, %a: f64) { ... }
      region_yield %3
    } {
      %4 = for %0, %n, %1, %s : f64 (%j: int, %a: f64) { region_yield %a }
      region_yield %4
    }

LLVM does so as well, but not with all that may raise a flag of the processor.
"""

from __future__ import annotations

from collections.abc import Callable

from staticpy.ir import (
    Module,
    Operation,
    Type,
    Value,
    builder_before,
    copy_operations,
    rewriter,
    walk,
)
from staticpy.ops import as_value, constant_value, for_, if_, region_yield
from staticpy.passes.dce import dce
from staticpy.passes.edge_rounds import is_simple
from staticpy.passes.fold import fold
from staticpy.passes.independence import made_in

_MOST = 200
"""About how many operations may come of one loop: each has to be compiled."""


def unswitch(module: Module, is_number: Callable[[Type], bool]) -> None:
    """Ask once what the innermost loops of ``module`` ask in each round, of those that compute with
    numbers, for whose types ``is_number`` holds, and elements of arrays.
    """
    loops = [
        (loop, sum(1 for _ in walk(loop.regions[0].block)))
        for function in module.functions.values()
        for loop in walk(function.block)
        if loop.op is for_ and is_simple(loop, is_number)
    ]
    changed = False
    while loops:
        loop, size = loops.pop()
        asked = _asked(loop)
        if asked is not None and 2 * size <= _MOST:
            loops += [(each, 2 * size) for each in _unswitch(loop, asked)]
            changed = True
    if changed:
        fold(module)
        dce(module)


def _asked(loop: Operation) -> Value | None:
    """What a branch in a loop asks that is known before it."""
    block = loop.regions[0].block
    inside = set(made_in(block))
    for operation in walk(block):
        if operation.op is not if_:
            continue
        asked = operation.operands[0]
        if asked not in inside and constant_value(asked) is None:
            return asked
    return None


def _unswitch(loop: Operation, asked: Value) -> list[Operation]:
    """Replace a loop by two, which are given."""
    builder = builder_before(loop)
    made, regions = [], []
    with builder.current():
        for answer in (True, False):
            with builder.region() as region:
                values = {asked: as_value(answer)}
                copy_operations([loop], builder, values)
                made.append(region.block.operations[-1])
                builder.emit(region_yield, made[-1].results)
            regions.append(region)
        builder.span = loop.span
        rewriter.replace(loop, builder.emit(if_, [asked], {}, regions).results)
    return made
