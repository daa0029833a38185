"""Compiled functions that are called with Tensors.

In: compiled code of numbers and arrays, and which of its inputs are what Tensors hold. Out: a
callable of the inputs and the Tensors, whose results are Tensors where they depend on them. The
call is one operation on the record of these. Its way back is a graph of its own, which is compiled
when somebody goes back, and runs the function again on what it has read.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from staticpy import autodiff, ops
from staticpy.backends import Executable, Options
from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import (
    DictType,
    ListType,
    Module,
    PythonType,
    TupleType,
    Type,
    UnionType,
    members_of,
    type_of,
)
from staticpy.passes import keep_results
from staticpy.runtime.expansion import transform
from staticpy.source import SourceSpan


class TensorCall:
    """Runs compiled code for calls that Tensors go into.

    Args:
        module: the graph as it was lowered. It is not changed.
        numbers: the inputs that are what Tensors hold.
        flow: what depends on them.
        executable: the compiled graph.
        options: how it was compiled, for the way back.
        count: how many of the results the program gets. The others are what the graph makes Tensors
            of itself.
    """

    def __init__(
        self,
        module: Module,
        numbers: Sequence[int],
        flow: autodiff.TensorFlow,
        executable: Executable,
        options: Options,
        count: int,
    ) -> None:
        self._module = module
        self._numbers = list(numbers)
        self._run = executable.function
        self._executables = [executable]
        self._options = options
        self._count = count
        self._flow = flow
        types = module.main.result_types
        self._is_single = len(types) == 1
        self._changed = [self._numbers.index(each) for each in flow.changed]
        self._written = [self._numbers.index(each) for each in flow.written]
        self._outputs = [each for each in flow.recorded if _is_tensor(types[each])]
        others = set(flow.recorded).difference(self._outputs)
        self._trees = [each for each in others if _may_hold_tensor(types[each])]
        others = set(range(len(module.main.args))).difference(self._numbers)
        self._overwritten = autodiff.recorded_writes(module, others)
        """Which of the arrays that no Tensor holds the code writes to."""
        self.reads: set[int] = set()
        """Of a way back, which of the Tensors there it reads that have memory."""
        self._ways: dict[tuple[int, ...], tuple[TensorCall, list[bool]]] = {}

    def spans(self) -> Mapping[str, Mapping[int, SourceSpan]]:
        """The lines of the program, for each file of generated code."""
        found: dict[str, Mapping[int, SourceSpan]] = {}
        for each in self._executables:
            found.update(each.lines())
        for way, _ in self._ways.values():
            found.update(way.spans())
        return found

    def __call__(self, inputs: Sequence[Any], tensors: Sequence[Any]) -> Any:
        """Run the code: what it gives, or a tuple of that, with Tensors in it.

        Raises:
            RuntimeError: it writes to a leaf that requires grad.
            CompileError: SPY711, it writes to what derivatives flow through; SPY706, derivatives
                are to flow through a list or dict that it makes.
        """
        for number in self._changed:
            autodiff.require_writable(tensors[number])
        recorded = [n for n, tensor in enumerate(tensors) if autodiff.needs_record(tensor)]
        is_recorded = bool(recorded and (self._outputs or self._trees or self._flow.has_inner))
        call = self._recorded(recorded, inputs, tensors) if is_recorded else None
        wrapping = autodiff.Wrapping(tensors)
        with wrapping.making(is_recorded=bool(recorded)):
            given = self._run(*inputs)
        for number in self._written:
            tensors[number].memory.write()
        results = [given] if self._is_single else list(given)
        if call is None:
            self._wrap(results, wrapping)
        else:
            self._put_on_record(call, results, wrapping)
        return results[0] if self._count == 1 else tuple(results[: self._count])

    def _wrap(self, results: list[Any], wrapping: autodiff.Wrapping) -> None:
        """Make Tensors of the results that are some, without a record."""
        for number in self._flow.tensors:
            results[number] = wrapping.tree(results[number])

    def _put_on_record(
        self, call: autodiff.GraphCall, results: list[Any], wrapping: autodiff.Wrapping
    ) -> None:
        contents = [results[number] for number in self._outputs]
        made = autodiff.record(call, contents, wrapping)
        for number, content, tensor in zip(self._outputs, contents, made, strict=True):
            results[number] = wrapping.finished(content, tensor)
        for number in set(self._flow.tensors).difference(self._flow.recorded):
            results[number] = wrapping.tree(results[number])

    # --- the way back -----------------------------------------------------------------------------

    def _recorded(
        self, recorded: Sequence[int], inputs: Sequence[Any], tensors: Sequence[Any]
    ) -> autodiff.GraphCall:
        if self._flow.has_inner:
            why = "it puts what depends on a Tensor into an object, in a loop or branch"
            raise DiagnosticError(catalog.NO_PULLBACK, self._module.main.span, why=why)
        if self._trees:
            why = "it gives a list whose length, or a number whose type is known at run time"
            raise DiagnosticError(catalog.NO_PULLBACK, self._module.main.span, why=why)
        self._require_apart(inputs)
        _, needed = self._backward
        kept = [
            self._kept(number, item) if number in needed else None
            for number, item in enumerate(inputs)
        ]
        seen = [(place, each.memory) for place, each in enumerate(tensors) if each.memory]
        versions = [(place, memory, memory.version) for place, memory in seen]

        def pull_back(given: Sequence[Any], with_history: bool) -> Sequence[Any]:
            way, reached = self._way(tuple(recorded))
            read = (row[1:] for row in versions if row[0] in way.reads)
            autodiff.require_unchanged(read)
            arguments = [*map(self._restored, range(len(kept)), kept), *map(_content, given)]
            found = iter(way.run_back(arguments, [*tensors, *given] if with_history else None))
            return [next(found) if is_reached else None for is_reached in reached]

        return autodiff.GraphCall([tensors[number] for number in recorded], pull_back)

    def run_back(self, arguments: Sequence[Any], tensors: Sequence[Any] | None) -> Sequence[Any]:
        """The cotangents that this way back gives; as Tensors, where it gets some."""
        found = self._run(*arguments) if tensors is None else self(arguments, tensors)
        return [found] if self._is_single else found

    def _kept(self, number: int, item: Any) -> Any:
        """An input as it is now; of what Tensors hold, a version says whether it still is."""
        return item if number in self._numbers else _copied(item)

    def _restored(self, number: int, item: Any) -> Any:
        """What is kept of an input, for one more run."""
        if isinstance(item, _Elsewhere):
            why = f"it reads an object of the class {item.name} from outside"
            raise DiagnosticError(catalog.NO_PULLBACK, None, why=why)
        is_changed = number in self._overwritten or isinstance(item, np.random.Generator)
        return copy.deepcopy(item) if is_changed else item

    @cached_property
    def _backward(self) -> tuple[Module, set[int]]:
        """The graph of the recorded results alone, and the numbers of the inputs that it reads."""
        module = autodiff.copied(self._module)
        return module, keep_results(module.main, self._outputs)

    def _require_apart(self, inputs: Sequence[Any]) -> None:
        """Refuse that the code writes to one of the arrays that it is given and reads the same
        memory by another: of the copies that are kept, one would not show it.
        """
        _, needed = self._backward
        for number in self._overwritten:
            for other in needed:
                item = inputs[other]
                is_array = isinstance(item, np.ndarray) and other != number
                if is_array and np.may_share_memory(inputs[number], item):
                    why = "it writes to an array that shares memory with another one"
                    raise DiagnosticError(catalog.NO_PULLBACK, self._module.main.span, why=why)

    def _way(self, recorded: tuple[int, ...]) -> tuple[TensorCall, list[bool]]:
        """The way back to some of the Tensors, and whether it leads to each of them."""
        if recorded not in self._ways:
            by = [self._numbers[number] for number in recorded]
            reached = [bool(autodiff.recorded_results(self._module, [each])) for each in by]
            by = [each for each, is_reached in zip(by, reached, strict=True) if is_reached]
            module = autodiff.way_back(self._backward[0], by)
            self._ways[recorded] = self._compiled(module, len(by)), reached
        return self._ways[recorded]

    def _compiled(self, module: Module, count: int) -> TensorCall:
        work = autodiff.copied(module)
        transform(work)
        executable = self._options.compile(work)
        first = len(self._module.main.args)
        seeds = range(first, first + len(self._outputs))
        every = tuple(range(count))
        flow = autodiff.TensorFlow(every, (), every, (), has_inner=False)
        numbers = [*self._numbers, *seeds]
        way = TensorCall(module, numbers, flow, executable, self._options, count)
        way.reads = {
            place for place, number in enumerate(self._numbers) if work.main.args[number].uses
        }
        return way


def _is_tensor(type_: Type) -> bool:
    """Whether plain Python has a Tensor where a value of this type depends on one."""
    members = members_of(type_)
    return all(ops.is_inexact(each) and not isinstance(each, PythonType) for each in members)


def _may_hold_tensor(type_: Type) -> bool:
    """Whether there may be Tensors in a value of this type, which can't be known before."""
    if isinstance(type_, UnionType):
        return any(_is_tensor(each) or _may_hold_tensor(each) for each in type_.members)
    return isinstance(type_, ListType | DictType | TupleType)


def _content(item: Any) -> Any:
    return item.content if isinstance(item, autodiff.Tensor) else item


class _Elsewhere:
    """Stands for an object of the program that may be another one when somebody goes back."""

    def __init__(self, item: Any) -> None:
        self.name = type(item).__name__


def _copied(item: Any) -> Any:
    """What the compiled code reads of the program, as it is now."""
    is_own = isinstance(item, np.random.Generator) or is_data(item)
    return copy.deepcopy(item) if is_own else _Elsewhere(item)


def is_data(item: Any) -> bool:
    """Whether nothing but numbers, texts, classes and containers of them is in an object."""
    if type(item) in (tuple, list):
        return all(map(is_data, item))
    if type(item) is dict:
        return all(map(is_data, item.values()))
    if isinstance(item, type):  # of a dataclass, one of which the code makes
        return True
    return type_of(item) is not None
