"""``vjp``, ``jvp`` and ``vmap`` operations replaced by what they stand for.

Before:
    %out, %gx = vjp %x, %seed {outputs = 1} (%x.1: f64) {
      %0 = sin %x.1 : f64
      region_yield %0
    }
After:
    %out = sin %x : f64
    %0 = cos %x : f64
    %gx = multiply %seed, %0 : f64

A ``jvp`` has the tangent of the result, which is computed right behind it, in the place of ``%gx``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from staticpy import ops
from staticpy.autodiff.activity import Activity
from staticpy.autodiff.batching import vectorize
from staticpy.autodiff.call_reverse import Recursions
from staticpy.autodiff.calls import DerivedFunctions, mark_calls
from staticpy.autodiff.checkpoints import CheckpointReverse, require_repeatable
from staticpy.autodiff.custom import lift_barriers, open_rules, require_pure_rules
from staticpy.autodiff.held import is_array_sometimes
from staticpy.autodiff.kept_results import drop_unread, take_saved, yield_what_is_saved
from staticpy.autodiff.overlaps import require_apart
from staticpy.autodiff.pieces import divide_loops
from staticpy.autodiff.prepare import prepare_to_go_back
from staticpy.autodiff.pullbacks import expand_pullbacks
from staticpy.autodiff.pushing import push_forward
from staticpy.autodiff.results import apart, cotangent_of, put_in_place
from staticpy.autodiff.reverse import NOTHING
from staticpy.autodiff.scopes import memory_around
from staticpy.autodiff.settling import settle_undefined
from staticpy.autodiff.shadows import Shadows
from staticpy.autodiff.tries import open_tries
from staticpy.ir import Builder, Function, Module, Operation, Value, rewriter, walk
from staticpy.ops import Traced


def has_derivatives(module: Module) -> bool:
    """Whether there is a transform in ``module``."""
    functions = module.functions.values()
    return any(each.op in TRANSFORMS for function in functions for each in walk(function.block))


def expand(module: Module) -> None:
    """Replace every ``vjp``, ``jvp`` and ``vmap`` of ``module``, whose calls are inlined, those
    inside of others first.

    Raises:
        DiagnosticError: NO_DERIVATIVE, at the span of what has none; NO_PULLBACK.
    """
    begun: set[str] = set()
    mark_calls(module)

    def expand_function(function: Function) -> None:
        if function.name in begun:
            return
        begun.add(function.name)
        expand_pullbacks(function)
        while found := [each for each in walk(function.block) if each.op in _EXPANSIONS]:
            last = found[-1]  # it holds none; the way back may hold another one
            mark_calls(module)
            _EXPANSIONS[last.op](last, functions)
            rewriter.refresh_uses(function)
        lift_barriers(function.block)

    functions = DerivedFunctions(module, expand_function)
    for function in list(module.functions.values()):
        expand_function(function)


def _differentiate(operation: Operation, functions: DerivedFunctions) -> None:
    block, outputs = operation.regions[0].block, operation.attrs["outputs"]
    seeds = operation.operands[len(operation.operands) - outputs :]
    open_tries(block, block.args, functions)
    divide_loops(block)
    prepare_to_go_back(block, block.args)
    settle_undefined(block)
    yield_what_is_saved(block)
    ends = (*block.args, *block.terminator.operands[:outputs])
    several: dict[Value, bool] = {x: True for x in ends if is_array_sometimes(x.type)}
    activity = Activity(block.operations[:-1], block.args, shared=several)
    _check_overlaps(activity, operation)
    require_pure_rules(activity)
    require_repeatable(activity)
    shadows = Shadows(activity)
    shadows.make(block)
    terminator = block.operations.pop()
    builder = Builder(block)
    builder.span = operation.span
    reverse = CheckpointReverse(activity, shadows, builder, block, NOTHING)
    reverse.recursions = Recursions(functions)
    forward = list(block.operations)
    with builder.current():
        for value, seed in zip(terminator.operands, seeds, strict=False):
            reverse.add(value, Traced(seed))
    reverse.run(forward)
    with builder.current():
        flowing = [cotangent_of(reverse, argument) for argument in block.args]
    yielded = list(terminator.operands)  # now: what hands out more has other results
    rewriter.detach(terminator)
    flowing = apart(builder, flowing, [*yielded, *seeds])
    builder.emit(ops.region_yield, [*yielded, *flowing])
    take_saved(block)
    open_rules(activity)  # which may be yielded
    is_again = operation.attrs.get("is_again", False)
    put_in_place(operation)
    drop_unread(forward if is_again else ())


def _check_overlaps(activity: Activity, operation: Operation) -> None:
    block = operation.regions[0].block
    builder = Builder(block)
    builder.index, builder.span = 0, operation.span
    origins = dict(zip(block.args, operation.operands, strict=False))
    with builder.current():
        require_apart(activity, [*block.args, *memory_around(block)], origins, builder)


_EXPANSIONS: dict[Any, Callable[[Operation, DerivedFunctions], None]] = {
    ops.vjp: _differentiate,
    ops.jvp: push_forward,
    ops.vmap: lambda operation, _: vectorize(operation),
}
"""By what each transform is replaced."""
TRANSFORMS = {*_EXPANSIONS, ops.make_pullback}
"""The ops that transforms are lowered to, whose regions are run and differentiated."""
