"""``jvp`` operations replaced by their region, with the tangents beside the values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from staticpy import ops
from staticpy.autodiff.activity import Activity
from staticpy.autodiff.forward import may_be_view
from staticpy.autodiff.forward_regions import RegionForward
from staticpy.autodiff.results import apart, put_in_place
from staticpy.autodiff.shadows import memory_around
from staticpy.ir import NONE, BlockArgument, Builder, Operation, TensorType, Value, rewriter
from staticpy.ops import REGISTRY

SHARED = "forward mode: two arrays share memory, and the function writes to one: pass a copy"


def push_forward(operation: Operation) -> None:
    """Replace a ``jvp``.

    Raises:
        DiagnosticError: NO_DERIVATIVE, at the span of what has none.
    """
    block, outputs = operation.regions[0].block, operation.attrs["outputs"]
    primals = dict(zip(block.args, operation.operands, strict=False))
    tangents = operation.operands[len(block.args) :]
    pairs = zip(block.args, tangents, strict=True)
    given: dict[Value, Value] = {arg: each for arg, each in pairs if each.type != NONE}
    builder = Builder(block)
    builder.span = operation.span
    forward = RegionForward(Activity(block.operations[:-1], given), builder)
    free = list(dict.fromkeys(value for value in memory_around(block) if value not in given))
    operations, block.operations = block.operations, []
    terminator = operations[-1]
    with builder.current():
        _require_apart(forward, [*block.args, *free], primals)
        forward.begin(given, free)
        forward.run(block, operations)
        yielded = list(terminator.operands)
        flowing = [_tangent(forward, value) for value in yielded[:outputs]]
        rewriter.detach(terminator)
        flowing = apart(builder, flowing, [*yielded, *given.values()])
    put_in_place(operation, builder, [*yielded, *flowing])


def _tangent(forward: RegionForward, value: Value) -> Value:
    if ops.is_inexact(value.type):
        return forward.held(value)
    return forward.builder.emit(ops.constant, [], {"value": None}).result


# --- memory from around ---------------------------------------------------------------------------


def _require_apart(
    forward: RegionForward, values: Sequence[Value], primals: Mapping[BlockArgument, Value]
) -> None:
    """Check at run time that arrays from around which are written to share memory with no others:
    their tangents do not.
    """
    arrays = [each for each in values if isinstance(each.type, TensorType)]
    for left, right in combinations(arrays, 2):
        origins = [primals.get(each, each) for each in (left, right)]  # type: ignore[call-overload]
        is_written = forward.is_memory(left) or forward.is_memory(right)
        if is_written and not _are_apart(*origins):
            _raise_if_shared(forward.builder, left, right)


def _are_apart(left: Value, right: Value) -> bool:
    """Whether two arrays are known to share no memory: an array that an operation has made shares
    none with another, nor with an argument of the function.
    """
    if left is right:
        return False
    made = [_is_made(each) for each in (left, right)]
    return all(made) or (any(made) and any(map(_is_argument, (left, right))))


def _is_made(value: Value) -> bool:
    made = value.defining_op
    return made is not None and not made.regions and not may_be_view(made)


def _is_argument(value: Value) -> bool:
    if not isinstance(value, BlockArgument):
        return False
    region = value.block.region
    return region is None or region.parent is None


def _raise_if_shared(builder: Builder, left: Value, right: Value) -> None:
    shared = builder.emit(REGISTRY["object.shares_memory"], [left, right]).result
    with builder.region() as then:
        builder.emit(ops.raise_, [], {"exception": "ValueError", "args": (SHARED,)})
        builder.emit(ops.region_yield)
    with builder.region() as orelse:
        builder.emit(ops.region_yield)
    builder.emit(ops.if_, [shared], {}, [then, orelse])
