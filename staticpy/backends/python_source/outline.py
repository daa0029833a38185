"""Control flow that Python can't hold in one function.

In: a Module. Out: a copy of it, in which control flow that is nested too deep has become functions
of its own. CPython takes at most 20 loops, ``try`` and ``with`` statements inside of each other and
99 levels of indentation; inlining and early returns may nest a graph deeper than its program was.

Before:
    %r = for %0, %n, %1, %x {breaks = false} : f64 (%i: int, %a: f64) { ... }
After:
    %r = call %0, %n, %1, %x {callee = "f.part1", result_types = (!f64,)} : f64
"""

from __future__ import annotations

from staticpy.ir import Block, Function, Module, Operation, copy_module
from staticpy.ops import errstate, for_, try_, while_
from staticpy.passes import outline

_MOST_BLOCKS = 16
_DEEPEST = 80
_DEEPEST_READ = 6000


def is_hopeless(module: Module) -> bool:
    """Whether operations are nested deeper than Python's parser reads anything."""
    pending = [(function.block, 0) for function in module.functions.values()]
    while pending:
        block, depth = pending.pop()
        if depth > _DEEPEST_READ:
            return True
        for operation in block.operations:
            if operation.regions:
                pending += [(region.block, depth + 1) for region in operation.regions]
    return False


def outlined(module: Module) -> Module:
    """A copy of ``module`` that Python can hold."""
    copy = copy_module(module)
    for function in list(copy.functions.values()):
        _Outliner(copy, function).run()
    return copy


class _Outliner:
    """Works on one function."""

    def __init__(self, module: Module, function: Function) -> None:
        self._module = module
        self._function = function

    def run(self) -> None:
        """Outline what is too deep, from the inside: so each operation is moved once."""
        for operation in reversed(self._too_deep()):
            outline(self._module, self._function, operation)

    def _too_deep(self) -> list[Operation]:
        """The operations that must begin a function, what is around them first."""
        found: list[Operation] = []
        pending: list[tuple[Block, int, int]] = [(self._function.block, 0, 0)]
        while pending:
            block, blocks, depth = pending.pop()
            for operation in block.operations:
                if not operation.regions:
                    continue
                inner, level = blocks + _blocks(operation), depth + 1
                if depth >= _DEEPEST or inner > _MOST_BLOCKS:
                    found.append(operation)
                    inner, level = _blocks(operation), 1
                pending += ((region.block, inner, level) for region in operation.regions)
        return found


def _blocks(operation: Operation) -> int:
    """How much of CPython's limit an operation takes."""
    if operation.op is try_:
        return 2
    return int(operation.op in (for_, while_, errstate))
