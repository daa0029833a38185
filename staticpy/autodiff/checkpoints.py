"""``checkpoint``: what the way back runs again, in the place of saving it.

Before, in what is differentiated by %x:
    %y = checkpoint { %h = sin %x ... region_yield %y }
After, on the way back:
    %y, %gx = vjp %x, %gy {outputs = 1} (%x.1: f64) { %h = sin %x.1 ... region_yield %y }
which is expanded in its turn.

Loops in it are divided before (``pieces``); what a policy says is saved is in ``kept_results``.
"""

from __future__ import annotations

from typing import Any

from staticpy import ops
from staticpy.autodiff.activity import Activity, changed_by, is_differentiable, is_unseeded, writes
from staticpy.autodiff.cotangents import as_cotangent
from staticpy.autodiff.custom import CustomReverse, require_own_memory
from staticpy.autodiff.held import is_array_sometimes
from staticpy.autodiff.kept_results import saved_copies
from staticpy.autodiff.origins import Origins
from staticpy.autodiff.scopes import free_values, memory_around
from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import Block, Operation, Region, Value, walk
from staticpy.ops import Traced, untrace

_IS_SEEN = "runs twice, and this is seen by others"
_KEEPS_MEMORY = "runs twice, and others see what this object is given: give it numbers, no arrays"
_WAY_OUT = "do this outside of what checkpoint is given, or leave checkpoint out"


class CheckpointReverse(CustomReverse):
    """Reverse mode that runs parts of the way there again."""

    def region_operation(self, operation: Operation, given: list[Any]) -> None:
        """Pull back through an operation that holds regions."""
        if operation.op is ops.checkpoint:
            self._run_again(operation, given)
        else:
            super().region_operation(operation, given)

    def _run_again(self, operation: Operation, given: list[Any]) -> None:
        block = operation.regions[0].block
        values = self.read_by(operation)
        sources = [value for value in free_values(block) if value in self.activity.varied]
        for value in sources:
            if not is_differentiable(value.type):
                why = f"reads a {value.type} from around it: give it the items"
                raise checkpoint_error(operation, why)
            if is_array_sometimes(value.type):
                why = "reads what is an array on some paths only: ask outside of it which it is"
                raise checkpoint_error(operation, why)
        primals = [self._own(values.get(value, value)) for value in sources]
        saved = saved_copies(operation, self.activity, self.builder)
        due = [number for number, item in enumerate(given) if item is not None]
        region = Region(Block([value.type for value in primals]))
        values.update(zip(sources, region.block.args, strict=True))
        with self.builder.inside(region.block):
            yielded = self.copy_of(block, values)
            for inner, known in saved:
                self.builder.emit(ops.recall, [values[inner], known])
            self.builder.emit(ops.region_yield, [yielded[number] for number in due])
        seeds = [as_cotangent(given[number], operation.results[number].type) for number in due]
        operands = [*primals, *(ops.as_value(untrace(seed)) for seed in seeds)]
        attrs = {"outputs": len(due), "is_again": True}
        made = self.builder.emit(ops.vjp, operands, attrs, [region])
        for source, result in zip(sources, made.results[len(due) :], strict=True):
            self.add(source, Traced(result))

    def _own(self, value: Value) -> Value:
        """An array as another one: what is run again must not be found to be known."""
        return ops.own_copy(value, self.builder)  # type: ignore[no-any-return]


def require_repeatable(activity: Activity) -> None:
    """Refuse checkpoints that can't be run twice.

    Raises:
        DiagnosticError: CUSTOM_RULE.
    """
    for operation in activity.visible:
        if operation.op is not ops.checkpoint:
            continue
        block = operation.regions[0].block
        around, origins = set(memory_around(block)), Origins(block.operations)
        outer = set(map(activity.home_of, around))

        def may_share(target: Value, outer: set[Value] = outer) -> bool:
            return activity.home_of(target) in outer

        for inner in filter(writes, walk(block)):
            if is_unseeded(inner):
                raise checkpoint_error(inner, "runs twice, and this has no seed")
            targets = list(changed_by(inner))
            if not targets or any(origins.may_be_of(x, around, may_share) for x in targets):
                is_made = inner.attrs.get("method") == "__new__"
                raise checkpoint_error(inner, _KEEPS_MEMORY if is_made else _IS_SEEN)
        require_own_memory(operation, block.terminator.operands, block, activity)


def checkpoint_error(operation: Operation, why: str) -> DiagnosticError:
    """What is wrong with a checkpoint."""
    why = f"checkpoint {why}"
    return DiagnosticError(catalog.CUSTOM_RULE, operation.span, why=why, way_out=_WAY_OUT)
