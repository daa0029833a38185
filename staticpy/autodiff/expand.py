"""``vjp`` and ``vmap`` operations replaced by what they stand for.

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

from collections.abc import Callable
from typing import Any

from staticpy import ops
from staticpy.autodiff.activity import Activity
from staticpy.autodiff.back import as_value
from staticpy.autodiff.batching import vectorize
from staticpy.autodiff.custom import lift_barriers
from staticpy.autodiff.pullbacks import expand_pullbacks
from staticpy.autodiff.regions import RegionReverse
from staticpy.autodiff.reverse import NOTHING
from staticpy.autodiff.shadows import Shadows
from staticpy.ir import (
    Builder,
    Module,
    Operation,
    TensorType,
    Value,
    rewriter,
    walk,
)
from staticpy.ops import REGISTRY, Traced


def has_derivatives(module: Module) -> bool:
    """Whether there is a transform in ``module``."""
    functions = module.functions.values()
    return any(each.op in _TRANSFORMS for function in functions for each in walk(function.block))


def expand(module: Module) -> None:
    """Replace every ``vjp`` and ``vmap`` of ``module``, whose calls are inlined, those inside of
    others first.

    Raises:
        DiagnosticError: NO_DERIVATIVE, at the span of what has none; NO_PULLBACK.
    """
    for function in module.functions.values():
        expand_pullbacks(function)
        found = [operation for operation in walk(function.block) if operation.op in _EXPANSIONS]
        for operation in reversed(found):
            _EXPANSIONS[operation.op](operation)
        if found:
            rewriter.refresh_uses(function)
        lift_barriers(function)


def _differentiate(operation: Operation) -> None:
    block, outputs = operation.regions[0].block, operation.attrs["outputs"]
    count = len(operation.operands) - outputs
    primals, seeds = operation.operands[:count], operation.operands[count:]
    activity = Activity(block.operations[:-1], block.args)
    shadows = Shadows(activity)
    shadows.make(block)
    terminator = block.operations.pop()
    builder = Builder(block)
    reverse = RegionReverse(activity, shadows, builder, block, NOTHING)
    forward = list(block.operations)
    with builder.current():
        for value, seed in zip(terminator.operands, seeds, strict=False):
            reverse.add(value, Traced(seed))
    reverse.run(forward)
    with builder.current():
        flowing = [_cotangent(reverse, argument) for argument in block.args]
    yielded = list(terminator.operands)  # now: what hands out more has other results
    rewriter.detach(terminator)
    flowing = _apart(builder, flowing, yielded)
    builder.emit(ops.region_yield, [*yielded, *flowing])
    results = rewriter.inline_region(operation.regions[0], primals, operation)
    rewriter.replace(operation, results)


def _apart(builder: Builder, flowing: list[Value], yielded: list[Value]) -> list[Value]:
    """The cotangents as arrays of their own, which their reader may change: a rule may give the
    cotangent that it got, or a view.
    """
    taken, found = set(yielded), []
    for value in flowing:
        made = value.defining_op
        is_fresh = made is not None and not made.regions and not REGISTRY[made.name].view
        if isinstance(value.type, TensorType) and (not is_fresh or value in taken):
            value = builder.emit(ops.copy, [value], {"order": "K"}).result  # noqa: PLW2901
        taken.add(value)
        found.append(value)
    return found


def _cotangent(reverse: RegionReverse, argument: Value) -> Value:
    shadow = reverse.shadows.of.get(argument)
    return shadow or as_value(reverse.cotangents.take(argument), argument)


_EXPANSIONS: dict[Any, Callable[[Operation], None]] = {
    ops.vjp: _differentiate,
    ops.vmap: vectorize,
}
"""By what each transform is replaced."""
_TRANSFORMS = {*_EXPANSIONS, ops.make_pullback}
