"""What the operations of a function can do besides making their results, regions included.

In: a Function. Out: for each operation, its Effect. A ``while`` may never end, and CPython would
hang: for the passes that counts as RAISES, since such a loop can't be dropped or moved either. A
warning counts as RAISES where the program may see it as an exception: in an ``errstate`` that
raises, and in a ``try`` that catches what NumPy raises for it.
"""

from __future__ import annotations

import builtins
from collections.abc import Mapping

from staticpy.ir import Function, Module, Operation, Value, is_mutable_memory, walk
from staticpy.ops import (
    Effect,
    OpDef,
    call,
    constant,
    errstate,
    for_,
    raises_warnings,
    try_,
    while_,
)

_OF_CALLS = Effect.RAISES | Effect.WRITES | Effect.WARNS
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
    op = definition(operation)
    if op.effects is Effect.NONE and op is not while_:
        return Effect.NONE
    if op is while_:
        return Effect.RAISES
    if op is call:
        return _OF_CALLS
    if op is for_ and constant_value(operation.operands[2]):
        return Effect.NONE
    effects = op.effects_of([operand.type for operand in operation.operands], operation.attrs)
    if effects & Effect.WARNS and warnings_raise(operation):
        effects |= Effect.RAISES
    return effects


def all_effects(function: Function) -> dict[Operation, Effect]:
    """What each operation of ``function`` can do, with what its regions hold."""
    operations = list(walk(function.block))
    effects = {operation: own_effects(operation) for operation in operations}
    for operation in reversed(operations):
        own = effects[operation]
        if own is not Effect.NONE and (parent := operation.parent) is not None:
            effects[parent] |= own
    return effects


def write_epochs(effects: Mapping[Operation, Effect]) -> dict[Operation, int]:
    """For each operation how many writes come before it in the text; ``effects`` are those of all
    operations of a function.

    Of two operations of one epoch, the first of which dominates the second, no write can come
    between. A loop that writes is a write before its body as well.
    """
    epochs: dict[Operation, int] = {}
    epoch = 0
    for operation, effect in effects.items():
        epoch += effect is not Effect.NONE and Effect.WRITES in effect
        epochs[operation] = epoch
    return epochs


_NOT_OF_CONTENT = ("any.is", "any.narrow", "dim")
"""What an array, a list or an object is, and of what size an array is, no write changes."""


def reads_memory(operation: Operation) -> bool:
    """Whether what an operation gives may depend on memory that a program can write to."""
    if operation.name in _NOT_OF_CONTENT:
        return False
    return any(is_mutable_memory(operand.type) for operand in operation.operands)


_WARNING_CLASSES = (FloatingPointError, RuntimeWarning)


def warnings_raise(operation: Operation) -> bool:
    """Whether the program may see a warning of ``operation`` as an exception."""
    inner = operation
    while (outer := inner.parent) is not None:
        if outer.op is errstate and raises_warnings(outer.attrs["options"]):
            return True
        if outer.op is try_ and inner.block is outer.regions[0].block and _catches_warnings(outer):
            return True
        inner = outer
    return False


def _catches_warnings(operation: Operation) -> bool:
    caught = [each for entry in operation.attrs["handlers"] for each in entry]
    return any(
        isinstance(each, int)
        or any(issubclass(w, getattr(builtins, each)) for w in _WARNING_CLASSES)
        for each in caught
    )


def innermost_errstate(operation: Operation) -> Operation | None:
    """The ``errstate`` under which an operation runs; None for that of the caller."""
    outer = operation.parent
    while outer is not None and outer.op is not errstate:
        outer = outer.parent
    return outer


def functions_with_raising_warnings(module: Module) -> set[str]:
    """The functions that run, by a call, in an ``errstate`` that raises."""
    pending: list[str] = []
    callees: dict[str, list[str]] = {}
    for name, function in module.functions.items():
        calls = [operation for operation in walk(function.block) if operation.op is call]
        callees[name] = [operation.attrs["callee"] for operation in calls]
        pending += [operation.attrs["callee"] for operation in calls if warnings_raise(operation)]
    reached: set[str] = set()
    while pending:
        name = pending.pop()
        if name not in reached:
            reached.add(name)
            pending += callees[name]
    return reached
