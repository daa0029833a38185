"""What the operations of a function can do besides making their results, regions included.

In: a Function. Out: for each operation, its Effect. A ``while`` may never end, and CPython would
hang: for the passes that counts as RAISES, since such a loop can't be dropped or moved either.
"""

from __future__ import annotations

from staticpy.ir import Function, Operation, Value, walk
from staticpy.ops import Effect, OpDef, call, constant, for_, while_

KEPT = Effect.RAISES | Effect.WRITES
"""The effects for which an operation stays although nobody reads its results."""


def definition(operation: Operation) -> OpDef:
    """The OpDef of an operation."""
    op = operation.op
    assert isinstance(op, OpDef)
    return op


def constant_value(value: Value) -> object | None:
    """The Python or NumPy scalar that ``value`` is known to be; None where it is not known."""
    operation = value.defining_op
    if operation is None or operation.op is not constant:
        return None
    known: object = operation.attrs["value"]
    return known


def constant_range(loop: Operation) -> range | None:
    """The indices of a ``for`` whose bounds are known; None where they are not, or are wrong."""
    bounds = [constant_value(bound) for bound in loop.operands[:3]]
    start, stop, step = (bound if isinstance(bound, int) else None for bound in bounds)
    return None if start is None or stop is None or not step else range(start, stop, step)


def own_effects(operation: Operation) -> Effect:
    """What an operation can do apart from what its regions hold."""
    if operation.op is while_:
        return Effect.RAISES
    if operation.op is call:
        return Effect.RAISES | Effect.WRITES | Effect.WARNS
    if operation.op is for_ and constant_value(operation.operands[2]):
        return Effect.NONE
    op = definition(operation)
    return op.effects_of([operand.type for operand in operation.operands], operation.attrs)


def all_effects(function: Function) -> dict[Operation, Effect]:
    """What each operation of ``function`` can do, with what its regions hold."""
    operations = list(walk(function.block))
    effects = {operation: own_effects(operation) for operation in operations}
    for operation in reversed(operations):
        if operation.parent is not None:
            effects[operation.parent] |= effects[operation]
    return effects
