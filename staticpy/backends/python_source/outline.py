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

from staticpy.ir import (
    Block,
    BlockArgument,
    Builder,
    Function,
    Module,
    Operation,
    OpResult,
    Value,
    copy_body,
    rewriter,
    walk,
)
from staticpy.ops import call, errstate, for_, return_, try_, while_

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
    copy = Module(module.entry)
    for function in module.functions.values():
        copy.add(_copied(function))
    for function in list(copy.functions.values()):
        _Outliner(copy, function).run()
    return copy


def _copied(function: Function) -> Function:
    block = Block(function.arg_types, [argument.name for argument in function.args])
    builder = Builder(block)
    values: dict[Value, Value] = dict(zip(function.args, block.args, strict=True))
    results = copy_body(function.block, builder, values, lambda span: span)
    builder.span = function.block.terminator.span
    builder.emit(return_, results)
    return Function(function.name, block, function.span)


class _Outliner:
    """Works on one function."""

    def __init__(self, module: Module, function: Function) -> None:
        self._module = module
        self._function = function

    def run(self) -> None:
        """Outline what is too deep, from the inside: so each operation is moved once."""
        for operation in reversed(self._too_deep()):
            self._outline(operation)

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

    def _outline(self, operation: Operation) -> None:
        uses = _free_uses(operation)
        free = list(dict.fromkeys(value for value, _, _ in uses))
        name = f"{self._function.name}.part{len(self._module.functions)}"
        block = Block([value.type for value in free], [value.name for value in free])
        self._replace_by_call(operation, name, free)
        builder = Builder(block)
        end = builder.emit(return_, [])
        rewriter.move_before(operation, end)
        rewriter.set_operands(end, operation.results)
        arguments = dict(zip(free, block.args, strict=True))
        for value, user, position in uses:
            rewriter.set_operand(user, position, arguments[value])
        self._module.add(Function(name, block, operation.span))

    def _replace_by_call(self, operation: Operation, name: str, free: list[Value]) -> None:
        assert operation.block is not None
        builder = Builder(operation.block)
        builder.before(operation)
        builder.span = operation.span
        types = tuple(result.type for result in operation.results)
        made = builder.emit(call, free, {"callee": name, "result_types": types})
        for old, new in zip(operation.results, made.results, strict=True):
            rewriter.replace_all_uses(old, new)


def _blocks(operation: Operation) -> int:
    """How much of CPython's limit an operation takes."""
    if operation.op is try_:
        return 2
    return int(operation.op in (for_, while_, errstate))


def _free_uses(operation: Operation) -> list[tuple[Value, Operation, int]]:
    """Each value from outside that an operation or its regions read, where it is read."""
    inner = [operation]
    for region in operation.regions:
        inner += walk(region.block)
    own = set(inner[1:])
    blocks = {region.block for each in inner for region in each.regions}
    return [
        (operand, user, position)
        for user in inner
        for position, operand in enumerate(user.operands)
        if not _is_inside(operand, own, blocks)
    ]


def _is_inside(value: Value, operations: set[Operation], blocks: set[Block]) -> bool:
    if isinstance(value, BlockArgument):
        return value.block in blocks
    assert isinstance(value, OpResult)
    return value.owner in operations
