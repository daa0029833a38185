"""Operands that are stretched once for operations far from each other are stretched for each.

Before:
    %1, %2 = broadcast %x, %zero : f32[m, n], f32[m, n]
    %3 = maximum %x, %2 : f32[m, n]
    ...
    %4 = equal %x, %2 : b1[m, n]
After:
    %1, %2 = broadcast %x, %zero : f32[m, n], f32[m, n]
    %3 = maximum %x, %2 : f32[m, n]
    ...
    %5, %6 = broadcast %x, %zero : f32[m, n], f32[m, n]
    %4 = equal %x, %6 : b1[m, n]

In loops over elements it costs nothing to stretch an operand, but what two of them read has to be
an array. No pass of the pipeline: it is for backends that make loops.
"""

from __future__ import annotations

from staticpy.ir import Builder, Module, Operation, Value, rewriter, walk
from staticpy.ops import broadcast
from staticpy.passes.loop_kinds import is_elementwise


def stretch_again(module: Module) -> None:
    """Let each elementwise operation of ``module`` have stretched operands of its own, but for the
    first that reads them, behind which no other raises.
    """
    for function in module.functions.values():
        for operation in list(walk(function.block)):
            if operation.op is broadcast:
                _stretch_for_each(operation)


def _stretch_for_each(operation: Operation) -> None:
    block = operation.block
    assert block is not None
    users = {user for value in operation.results for user in value.users if user.block is block}
    if len(users) < 2:
        return
    for user in [each for each in block.operations if each in users][1:]:
        if is_elementwise(user):
            builder = Builder(block)
            builder.before(user)
            builder.span = operation.span
            again = builder.emit(broadcast, operation.operands, operation.attrs)
            pairs = zip(operation.results, again.results, strict=True)
            mine: dict[Value, Value] = dict(pairs)
            rewriter.set_operands(user, [mine.get(value, value) for value in user.operands])
