"""``jvp`` operations replaced by their region, with the tangents beside the values."""

from __future__ import annotations

from functools import partial

from staticpy import ops
from staticpy.autodiff.activity import Activity
from staticpy.autodiff.calls import DerivedFunctions, written_around
from staticpy.autodiff.custom import open_rules, require_pure_rules
from staticpy.autodiff.custom_tangents import CustomForward
from staticpy.autodiff.overlaps import require_apart
from staticpy.autodiff.prepare import prepare
from staticpy.autodiff.results import apart, put_in_place
from staticpy.autodiff.scopes import memory_around
from staticpy.autodiff.tangents import places_with_tangents, tangent_type
from staticpy.autodiff.tries import open_tries
from staticpy.ir import NONE, Builder, Operation, Value, rewriter


def push_forward(operation: Operation, functions: DerivedFunctions) -> None:
    """Replace a ``jvp``.

    Raises:
        DiagnosticError: NO_DERIVATIVE, at the span of what has none.
    """
    block, outputs = operation.regions[0].block, operation.attrs["outputs"]
    primals = dict(zip(block.args, operation.operands, strict=False))
    tangents = operation.operands[len(block.args) :]
    pairs = zip(block.args, tangents, strict=True)
    given: dict[Value, Value] = {arg: each for arg, each in pairs if each.type != NONE}
    open_tries(block, given, functions)
    builder = Builder(block)
    builder.span = operation.span
    prepare(block, given)
    activity = Activity(block.operations[:-1], given)
    require_pure_rules(activity)
    forward = CustomForward(activity, builder, partial(_pushed, functions))
    free = list(dict.fromkeys(value for value in memory_around(block) if value not in given))
    operations, block.operations = block.operations, []
    terminator = operations[-1]
    with builder.current():
        require_apart(activity, [*block.args, *free], primals, builder)
        forward.begin(given, free)
        forward.run(block, operations)
        yielded = list(terminator.operands)
        flowing = [_tangent(forward, value) for value in yielded[:outputs]]
        rewriter.detach(terminator)
        flowing = apart(builder, flowing, [*yielded, *given.values()])
    builder.emit(ops.region_yield, [*yielded, *flowing])
    open_rules(activity)  # which may be yielded
    put_in_place(operation)


def _pushed(
    functions: DerivedFunctions, call: Operation, places: tuple[int, ...], is_written: bool
) -> str:
    """The name of a function that gives tangents of its results behind these, and takes those of
    the arguments at ``places`` behind all arguments. ``is_written`` says whether others may write
    to its arguments or results: then tangents share memory as these do, and no more.
    """
    key = ("tangent", call.attrs["callee"], places, is_written)
    if known := functions.name_of(key):
        return known
    function = functions.begin(call, "tangent", key)
    block = function.block
    arguments = [block.args[place] for place in places]
    given: dict[Value, Value] = {each: block.add_arg(tangent_type(each.type)) for each in arguments}
    open_tries(block, given, functions)
    prepare(block, given)
    activity = Activity(block.operations[:-1], given, written_around(block, is_written))
    require_pure_rules(activity)
    builder = Builder(block)
    forward = CustomForward(activity, builder, partial(_pushed, functions))
    forward.tangents.update(given)
    operations, block.operations = block.operations, []
    end = operations[-1]
    with builder.current(), builder.at(call.span):
        forward.run(block, operations)
        types = call.attrs["result_types"]
        places_given = places_with_tangents(call)
        flowing = [forward.held(end.operands[place], types[place]) for place in places_given]
    block.operations.append(end)
    rewriter.set_operands(end, [*end.operands, *flowing])
    open_rules(activity)
    rewriter.refresh_uses(function)
    return function.name


def _tangent(forward: CustomForward, value: Value) -> Value:
    if ops.is_inexact(value.type):
        return forward.held(value)
    return forward.builder.emit(ops.constant, [], {"value": None}).result
