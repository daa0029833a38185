"""``vjp`` operations replaced by what they stand for.

Before:
    %out, %gx = vjp %x, %seed {outputs = 1} (%x.1: f64) {
      %0 = sin %x.1 : f64
      region_yield %0
    }
After:
    %out = sin %x : f64
    %0 = cos %x : f64
    %gx = multiply %seed, %0 : f64
"""

from __future__ import annotations

from staticpy import ops
from staticpy.autodiff.activity import Activity
from staticpy.autodiff.back import as_value
from staticpy.autodiff.regions import RegionReverse
from staticpy.ir import Builder, Module, Operation, Value, rewriter, walk
from staticpy.ops import Traced


def expand(module: Module) -> None:
    """Replace every ``vjp`` of ``module``, those inside of others first.

    Raises:
        DiagnosticError: NO_DERIVATIVE, at the span of what has none.
    """
    for function in module.functions.values():
        found = [operation for operation in walk(function.block) if operation.op is ops.vjp]
        for operation in reversed(found):
            _expand(operation)
        if found:
            rewriter.refresh_uses(function)


def _expand(operation: Operation) -> None:
    block, outputs = operation.regions[0].block, operation.attrs["outputs"]
    count = len(operation.operands) - outputs
    primals, seeds = operation.operands[:count], operation.operands[count:]
    terminator = block.operations.pop()
    yielded = list(terminator.operands)
    rewriter.detach(terminator)
    builder = Builder(block)
    reverse = RegionReverse(Activity(block, block.args), builder, block, _nothing)
    forward = list(block.operations)
    with builder.current():
        for value, seed in zip(yielded, seeds, strict=False):
            reverse.add(value, Traced(seed))
    reverse.run(forward)
    with builder.current():
        flowing = [as_value(reverse.cotangents.take(argument), argument) for argument in block.args]
    builder.emit(ops.region_yield, [*yielded, *flowing])
    results = rewriter.inline_region(operation.regions[0], primals, operation)
    rewriter.replace(operation, results)


def _nothing(value: Value, _: object) -> None:
    raise AssertionError(f"a cotangent for {value}, which is not differentiated by")
