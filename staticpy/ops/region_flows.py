"""Where values go through the regions of control flow, for passes and for derivatives."""

from __future__ import annotations

from collections.abc import Iterator

from staticpy.ir import Operation, Value
from staticpy.ops.control import for_, while_


def through_regions(operation: Operation) -> Iterator[tuple[Value, Value]]:
    """The pairs (source, target) by which values flow into, through and out of the regions of an
    operation; there are none without regions.
    """
    if operation.op is for_:
        yield from _through_for(operation)
    elif operation.op is while_:
        yield from _through_while(operation)
    else:
        for region in operation.regions:  # a ``vjp`` has results besides what it yields
            yield from zip(region.block.terminator.operands, operation.results, strict=False)


def _through_while(operation: Operation) -> Iterator[tuple[Value, Value]]:
    before, after = (region.block for region in operation.regions)
    forwarded = before.terminator.operands[1:]
    yield from zip(operation.operands, before.args, strict=True)
    yield from zip(forwarded, after.args, strict=True)
    yield from zip(forwarded, operation.results, strict=True)
    yield from zip(after.terminator.operands, before.args, strict=True)


def _through_for(operation: Operation) -> Iterator[tuple[Value, Value]]:
    body = operation.regions[0].block
    carried = operation.operands[3:]
    yielded = body.terminator.operands[bool(operation.attrs["breaks"]) :]
    for sources in (carried, yielded):
        yield from zip(sources, body.args[1:], strict=True)
        yield from zip(sources, operation.results, strict=True)
