"""Dead code elimination: what nobody reads is not computed.

Before:
    %s, %t = for %start, %stop, %step, %x, %y {breaks = false} : f64, f64
        (%i: int, %a: f64, %b: f64) {
      %0 = multiply %a, %b : f64
      %1 = add %b, %b : f64
      region_yield %0, %1
    }
    return %t
After:
    %t = for %start, %stop, %step, %y {breaks = false} : f64 (%i: int, %b: f64) {
      %0 = add %b, %b : f64
      region_yield %0
    }
    return %t

An operation that may raise or write stays, and so does all control flow around it. A ``while``
stays too, since it may never end; a ``for`` always ends. Results and carried values that nobody
reads are taken out of control flow. Functions that the entry doesn't reach are dropped.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import chain

from staticpy.ir import (
    Block,
    BlockArgument,
    Function,
    Module,
    Operation,
    OpResult,
    Value,
    rewriter,
    walk,
)
from staticpy.ops import Effect, call
from staticpy.passes.effects import KEPT, Surroundings, functions_with_raising_warnings
from staticpy.passes.slots import CONTROL, Slot, slots_of, steering


def dce(module: Module) -> None:
    """Drop the dead operations, results and functions of ``module``."""
    _drop_functions(module)
    raising = functions_with_raising_warnings(module)
    for name, function in module.functions.items():
        _Sweeper(function, KEPT | Effect.WARNS if name in raising else KEPT).run()


def _drop_functions(module: Module) -> None:
    if len(module.functions) == 1:
        return
    for name in module.functions.keys() - reached_functions(module, module.entry):
        del module.functions[name]


def reached_functions(module: Module, entry: str) -> set[str]:
    """The names of ``entry`` and of all that it calls, they call, and so on."""
    reached = {entry}
    pending = [entry]
    while pending:
        for operation in walk(module.functions[pending.pop()].block):
            callee = operation.attrs["callee"] if operation.op is call else None
            if callee is not None and callee not in reached:
                reached.add(callee)
                pending.append(callee)
    return reached


class _Sweeper:
    """Marks what lives in one function, from what must stay back to what that reads; then
    sweeps.
    """

    def __init__(self, function: Function, kept: Effect) -> None:
        self._kept = kept
        self._operations = list(walk(function.block))
        self._slots = [slot for each in self._operations if each.regions for slot in slots_of(each)]
        self._slot_of = {member: slot for slot in self._slots for member in slot.members}
        self._live: set[Operation | Slot] = set()
        self._pending: list[Operation | Slot] = []

    def run(self) -> None:
        """Mark, then sweep."""
        around = Surroundings()
        for operation in self._operations:
            effects = around.effects(operation)
            # The terminator of a region lives with the slots that it feeds.
            if effects is Effect.NONE:
                is_kept = operation.op.is_terminator and operation.parent is None
            else:
                is_kept = bool(effects & self._kept)
            if is_kept:
                self._keep(operation)
        while self._pending:
            item = self._pending.pop()
            if isinstance(item, Slot):
                self._read(source.value for source in item.sources)
                self._keep(_control_of(item))
            else:
                self._read(_needed(item))
                if item.parent is not None:
                    self._keep(item.parent)
        self._sweep()

    def _keep(self, item: Operation | Slot) -> None:
        if item not in self._live:
            self._live.add(item)
            self._pending.append(item)

    def _read(self, values: Iterable[Value]) -> None:
        for value in values:
            if value in self._slot_of:
                self._keep(self._slot_of[value])
            elif value.defining_op is not None:
                self._keep(value.defining_op)
            elif isinstance(value, BlockArgument) and (control := value.block.parent) is not None:
                self._keep(control)

    def _sweep(self) -> None:
        dead_slots = [slot for slot in self._slots if slot not in self._live]
        narrowed = [slot for slot in dead_slots if _control_of(slot) in self._live]
        self._drop_sources(narrowed)
        rewriter.erase_all(filter(self._is_dead, self._operations))
        results: dict[Operation, set[int]] = defaultdict(set)
        arguments: dict[Block, set[int]] = defaultdict(set)
        for slot in narrowed:
            for member in slot.members:
                if isinstance(member, BlockArgument):
                    arguments[member.block].add(member.index)
                else:
                    results[member.owner].add(member.index)
        for operation, indices in results.items():
            rewriter.remove_results(operation, indices)
        for block, indices in arguments.items():
            rewriter.remove_args(block, indices)

    def _drop_sources(self, slots: list[Slot]) -> None:
        dropped: dict[Operation, set[int]] = defaultdict(set)
        for slot in slots:
            for source in slot.sources:
                dropped[source.operation].add(source.position)
        for operation, positions in dropped.items():
            kept = [v for i, v in enumerate(operation.operands) if i not in positions]
            rewriter.set_operands(operation, kept)

    def _is_dead(self, operation: Operation) -> bool:
        """Whether an operation goes, by itself and not with the one around it."""
        parent = operation.parent
        if parent is not None and parent not in self._live:
            return False
        return operation not in self._live and not operation.op.is_terminator


def _needed(operation: Operation) -> Iterable[Value]:
    """What an operation reads whatever becomes of its slots."""
    if not operation.regions:
        return operation.operands
    if operation.op in CONTROL:
        return steering(operation)
    # Of an op that this pass doesn't know, everything in its regions is needed.
    inner = (op for region in operation.regions for op in walk(region.block))
    return chain(operation.operands, chain.from_iterable(op.operands for op in inner))


def _control_of(slot: Slot) -> Operation:
    member = slot.members[0]
    control = member.owner if isinstance(member, OpResult) else member.block.parent
    assert control is not None
    return control
