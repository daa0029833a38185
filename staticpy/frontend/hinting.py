"""Hints: what is compiled as it stands, and hardly meant so.

In: while a function is lowered, the conditions on arrays, and what rounds where a derivative is
taken. Out: a warning for each that is left in the graph. A part of the lowerer that lowers nothing
itself.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from staticpy import ops
from staticpy.diagnostics import Diagnostic, DiagnosticSpec, catalog
from staticpy.frontend.certain_errors import is_caught
from staticpy.frontend.labelled import Labelled
from staticpy.frontend.lower_base import Compilation, Frame, Graph
from staticpy.ir import Block, BlockArgument, Operation, OpResult, TensorType, Value, walk

_ROUNDING: Final = frozenset(
    ("ceil", "fix", "floor", "int", "rint", "round", "sign", "trunc"),
)
"""The functions, by name, whose derivative is 0 wherever they have one."""
_FARTHEST = 10_000
"""How many operations are gone through to find what a number comes from."""


class Hinting(Labelled):
    """Notes what deserves a hint."""

    def __init__(self, compilation: Compilation, graph: Graph, frame: Frame) -> None:
        super().__init__(compilation, graph, frame)
        self._hints: dict[Operation, Diagnostic] = {}
        self._rounded: dict[Operation, Value] = {}
        """What is rounded where a derivative is taken, by the last operation of that."""
        self._primals: set[Value] = set()
        """What derivatives are taken by."""

    def _value_truth(self, value: Value, node: Any) -> Any:
        found = super()._value_truth(value, node)
        type_ = value.type
        if isinstance(type_, TensorType) and isinstance(found, Value):
            sizes = [self.builder.facts.size(dim) for dim in type_.dims]
            if any(size != 1 for size in sizes):
                self._hint(catalog.ARRAY_CONDITION, node, {"type": self._shown(type_)})
        return found

    def call_adapter(
        self,
        adapter: Callable[..., Any],
        args: list[Any],
        kwargs: dict[str, Any],
        name: str,
        node: Any,
    ) -> Any:
        found = super().call_adapter(adapter, args, kwargs, name, node)
        given = args[0] if args and name in _ROUNDING and self.compilation.derivatives else None
        if isinstance(given, Value) and isinstance(found, Value):
            self._rounded[self._hint(catalog.DERIVATIVE_CUT, node, {"name": name})] = given
        return found

    def call_on(self, chosen: Any, given: Sequence[Value], has_aux: Any, node: Any) -> Any:
        self._primals.update(given)
        return super().call_on(chosen, given, has_aux, node)

    def _hint(self, spec: DiagnosticSpec, node: Any, args: dict[str, object]) -> Operation:
        """Note it with the operation that was just emitted, which is given back."""
        operation = self.builder.block.operations[-1]
        self._hints[operation] = Diagnostic(spec, self.full_span(node), args)
        return operation

    def hints(self) -> Iterator[Diagnostic]:
        """A warning for each place that is left in the module."""
        if not self._hints:
            return
        functions = self.compilation.module.functions
        operations = [each for function in functions.values() for each in walk(function.block)]
        hinted = [each for each in operations if each in self._hints]
        calls: dict[Block, list[Operation]] = {}
        for each in operations if self._primals and hinted else ():
            if each.name == "call":
                calls.setdefault(functions[each.attrs["callee"]].block, []).append(each)
        for each in hinted:
            rounded = self._rounded.get(each)
            if rounded is None:
                is_meant = is_caught(each, "ValueError", self.compilation.module)
            else:
                is_meant = not self._is_differentiated(rounded, calls)
            if not is_meant:
                yield self._hints[each]

    def _is_differentiated(self, value: Value, calls: Mapping[Block, list[Operation]]) -> bool:
        """Whether a number comes from what a derivative is taken by, through real numbers."""
        pending, seen = [value], set[Value]()
        while pending and len(seen) < _FARTHEST:
            each = pending.pop()
            if each in seen or not ops.is_inexact(each.type):
                continue
            if each in self._primals:
                return True
            seen.add(each)
            pending += _sources(each, calls)
        return False


def _sources(value: Value, calls: Mapping[Block, list[Operation]]) -> Sequence[Value]:
    """What a number is computed from. That of a loop's or branch's region is from all that the
    operation takes; an argument of a function, from each call.
    """
    if isinstance(value, OpResult):
        owner = value.owner
        if owner.name == "stop_gradient":
            return ()
        ends = (region.block.terminator.operands for region in owner.regions)
        return [*owner.operands, *itertools.chain.from_iterable(ends)]
    assert isinstance(value, BlockArgument)
    if value.block.parent is not None:
        return value.block.parent.operands
    return [call.operands[value.index] for call in calls.get(value.block, ())]
