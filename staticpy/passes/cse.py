"""Common subexpression elimination: what was computed already is not computed again.

Before:
    %0 = exp %x : f64[n]
    %1 = exp %x : f64[n]
    %2 = add %0, %1 : f64[n]
    return %2
After:
    %0 = exp %x : f64[n]
    %1 = add %0, %0 : f64[n]
    return %1

An operation is merged with an equal one that dominates it: earlier in its block or in a block
around it. One that raises or warns may be merged too: the earlier one has done so already. Arrays,
lists and objects are merged only where nobody can tell: not where both reach the caller, not where
they are written to, and no operation that reads one is merged with one before a write. What warns
is not merged across the border of an ``errstate``.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import cached_property

from staticpy.ir import (
    UNKNOWN,
    Block,
    Function,
    Module,
    Operation,
    accepts,
    attributes_key,
    dims_of,
    rewriter,
)
from staticpy.ops import Effect, dim
from staticpy.passes.aliasing import AliasAnalysis
from staticpy.passes.effects import (
    Surroundings,
    all_effects,
    reads_memory,
    write_epochs,
)

_GIVE_WHAT_IS_THERE = ("any.narrow", "dict.getitem", "list.getitem", "tuple.items")
"""Ops that make nothing: without a write in between, each gives the same object again."""


def cse(module: Module) -> None:
    """Merge equal operations in all functions of ``module``."""
    for function in module.functions.values():
        _Merger(function).run()


class _Merger:
    """Walks one function; ``_known`` holds the operations that dominate the one it stands at."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._aliases = AliasAnalysis(function)
        self._effects = all_effects(function)
        self._around = Surroundings()
        self._known: dict[Hashable, Operation] = {}
        self._merged: list[Operation] = []

    @cached_property
    def _epochs(self) -> dict[Operation, int]:
        return write_epochs(self._effects)

    def run(self) -> None:
        """Visit the operations in order; a None on the stack ends the scope of a block."""
        scopes: list[list[Hashable]] = []
        pending: list[Operation | Block | None] = [self._function.block]
        while pending:
            item = pending.pop()
            if item is None:
                for key in scopes.pop():
                    del self._known[key]
            elif isinstance(item, Operation):
                self._visit(item, scopes[-1])
                if item.regions:
                    pending.extend(region.block for region in reversed(item.regions))
            else:
                scopes.append([])
                pending.append(None)
                pending.extend(reversed(item.operations))
        rewriter.erase_all(self._merged)

    def _visit(self, operation: Operation, scope: list[Hashable]) -> None:
        if not operation.results or operation.regions:
            return
        effects = self._effects[operation]
        if Effect.WRITES not in effects:
            key = self._key(operation, effects)
            known = self._known.get(key)
            if known is None:
                self._known[key] = operation
                scope.append(key)
            elif self._may_merge(known, operation):
                self._merge(known, operation)

    def _key(self, operation: Operation, effects: Effect) -> Hashable:
        if operation.op is dim:
            size = dims_of(operation.operands[0].type)[operation.attrs["axis"]]
            if size != UNKNOWN:
                # A symbol stands for one size, whichever array it is read from.
                return dim, size
        operands = tuple(operation.operands)
        epoch = self._epochs[operation] if reads_memory(operation) else 0
        # Of a warning each errstate makes something else.
        warns = Effect.WARNS in effects
        state = self._around.errstate(operation) if warns else None
        return operation.op, operands, attributes_key(operation), epoch, state

    def _may_merge(self, known: Operation, operation: Operation) -> bool:
        is_same_object = operation.name in _GIVE_WHAT_IS_THERE
        for twin, result in zip(known.results, operation.results, strict=True):
            if not accepts(result.type, twin.type):
                return False
            if not is_same_object and not self._aliases.may_stand_for(twin, result):
                return False
        return True

    def _merge(self, known: Operation, operation: Operation) -> None:
        for twin, result in zip(known.results, operation.results, strict=True):
            self._aliases.note_replacement(twin, result)
            rewriter.replace_all_uses(result, twin)
        self._merged.append(operation)
