"""What the operations of a function can do besides making their results, regions included.

In: a Function. Out: for each operation, its Effect. A ``while`` may never end, and CPython would
hang: for the passes that counts as RAISES, since such a loop can't be dropped or moved either. A
warning counts as RAISES where the program may see it as an exception: in an ``errstate`` that
raises, and in a ``try`` that catches what NumPy raises for it.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping
from functools import lru_cache

from staticpy.ir import (
    Block,
    Function,
    Module,
    OpDefinition,
    Operation,
    Type,
    Value,
    is_mutable_memory,
    walk,
)
from staticpy.ops import (
    REGISTRY,
    Effect,
    OpDef,
    call,
    constant_value,
    errstate,
    for_,
    if_,
    is_inexact,
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


def own_effects(operation: Operation) -> Effect:
    """What an operation can do apart from what its regions hold, wherever it stands."""
    always = _ALWAYS.get(operation.op)
    if always is not None:
        return always
    rule = _RULES.get(operation.op)
    return effects_by_op(operation) if rule is None else rule(operation)


def effects_by_op(operation: Operation) -> Effect:
    """What the op says of an operation, by the types of its operands and its attributes."""
    op = definition(operation)
    if isinstance(op.effects, Effect):
        return op.effects
    if operation.attrs:
        return op.effects_of([operand.type for operand in operation.operands], operation.attrs)
    return _plain_effects(op, tuple([operand.type for operand in operation.operands]))


@lru_cache(maxsize=4096)
def _plain_effects(op: OpDef, operands: tuple[Type, ...]) -> Effect:
    """The effects where nothing but the types counts; to find a loop of NumPy takes its time."""
    return op.effects_of(operands, {})


def _effects_of_for(loop: Operation) -> Effect:
    return Effect.NONE if constant_value(loop.operands[2]) else effects_by_op(loop)


def _effects_of_power(operation: Operation) -> Effect:
    base, exponent = operation.operands
    return Effect.WARNS if _fits(base, exponent) else effects_by_op(operation)


def _fits(base: Value, exponent: Value) -> bool:
    """Whether an exponent is an int that any float can hold: others raise."""
    known = constant_value(exponent)
    return is_inexact(base.type) and type(known) is int and abs(known) < 1 << 11


_RULES: dict[OpDefinition, Callable[[Operation], Effect]] = {
    for_: _effects_of_for,
    REGISTRY["pow"]: _effects_of_power,
}
"""Of ops of which more is known here than by the types of the operands."""
_ALWAYS: dict[OpDefinition, Effect] = {while_: Effect.RAISES, call: _OF_CALLS}
for _op in REGISTRY.values():
    if isinstance(_op.effects, Effect) and _op not in _RULES:
        _ALWAYS.setdefault(_op, _op.effects)
"""Of ops whose operations all do the same."""


def all_effects(function: Function) -> dict[Operation, Effect]:
    """What each operation of ``function`` can do, with what its regions hold."""
    operations, around = list(walk(function.block)), Surroundings()
    effects = {operation: around.effects(operation) for operation in operations}
    for operation in reversed(operations):
        own = effects[operation]
        if own is not Effect.NONE and (parent := operation.parent) is not None:
            effects[parent] |= own
    return effects


def write_epochs(effects: Mapping[Operation, Effect]) -> dict[Operation, int]:
    """For each operation how many writes come before it in the text; ``effects`` are those of all
    operations of a function.

    Of two operations of one epoch, the first of which dominates the second, no write can come
    between. A loop that writes is a write before its body as well; a branch is none.
    """
    epochs: dict[Operation, int] = {}
    epoch = 0
    for operation, effect in effects.items():
        if Effect.WRITES in effect and operation.op is not if_:
            epoch += 1
        epochs[operation] = epoch
    return epochs


_NOT_OF_CONTENT = ("any.is", "any.narrow", "dim")
"""What an array, a list or an object is, and of what size an array is, no write changes."""


def reads_memory(operation: Operation) -> bool:
    """Whether what an operation gives may depend on memory that a program can write to."""
    for operand in operation.operands:
        if is_mutable_memory(operand.type):
            return operation.name not in _NOT_OF_CONTENT
    return False


_WARNING_CLASSES = (FloatingPointError, RuntimeWarning)


class Surroundings:
    """The ``errstate`` and ``try`` that operations stand in, as long as no region moves."""

    def __init__(self) -> None:
        self._known: dict[Block | None, tuple[Operation | None, bool]] = {None: (None, False)}

    def effects(self, operation: Operation) -> Effect:
        """What an operation can do where it stands, apart from what its regions hold."""
        effects = own_effects(operation)
        if Effect.WARNS not in effects:
            return effects
        return effects | Effect.RAISES if self.warnings_raise(operation) else effects

    def warnings_raise(self, operation: Operation) -> bool:
        """Whether the program may see a warning of ``operation`` as an exception."""
        return self._of(operation.block)[1]

    def errstate(self, operation: Operation) -> Operation | None:
        """The ``errstate`` under which an operation runs; None for that of the caller."""
        return self._of(operation.block)[0]

    def _of(self, block: Block | None) -> tuple[Operation | None, bool]:
        """The innermost ``errstate`` around a block, and whether warnings are raised there."""
        unknown: list[Block] = []
        while block is not None and block not in self._known:
            unknown.append(block)
            block = _outer(block)
        state, is_raised = self._known[block]
        for inner in reversed(unknown):
            parent = inner.parent
            if parent is not None and parent.op is errstate:
                state = parent
                is_raised = is_raised or raises_warnings(parent.attrs["options"])
            elif parent is not None and parent.op is try_ and inner is parent.regions[0].block:
                is_raised = is_raised or _catches_warnings(parent)
            self._known[inner] = state, is_raised
        return state, is_raised


def _outer(block: Block) -> Block | None:
    """The block that holds the operation whose region is ``block``."""
    parent = block.parent
    return parent.block if parent is not None else None


def _catches_warnings(operation: Operation) -> bool:
    caught = [each for entry in operation.attrs["handlers"] for each in entry]
    return any(
        isinstance(each, int)
        or any(issubclass(w, getattr(builtins, each)) for w in _WARNING_CLASSES)
        for each in caught
    )


def functions_with_raising_warnings(module: Module) -> set[str]:
    """The functions that run, by a call, in an ``errstate`` that raises."""
    pending: list[str] = []
    callees: dict[str, list[str]] = {}
    around = Surroundings()
    for name, function in module.functions.items():
        calls = [operation for operation in walk(function.block) if operation.op is call]
        callees[name] = [operation.attrs["callee"] for operation in calls]
        raising = filter(around.warnings_raise, calls)
        pending += [operation.attrs["callee"] for operation in raising]
    reached: set[str] = set()
    while pending:
        name = pending.pop()
        if name not in reached:
            reached.add(name)
            pending += callees[name]
    return reached
