"""Compiled functions that are called with Tensors.

In: compiled code of numbers and arrays, and which of its inputs are what Tensors hold. Out: a
callable of the inputs and the Tensors, whose results are Tensors where they depend on them. The
call is one operation on the record of these. Its way back is a graph of its own, which is compiled
when somebody goes back, and runs the function again on what it has read.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from staticpy import autodiff, ops
from staticpy.backends import Executable, Options
from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import (
    Builder,
    DictType,
    Function,
    ListType,
    Module,
    PythonType,
    ScalarType,
    TensorType,
    TupleType,
    Type,
    UnionType,
    Value,
    copy_module,
    members_of,
    rewriter,
    type_of,
    union_of,
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
        self._outputs = [each for each in flow.recorded if _may_be_tensor(types[each])]
        others = set(flow.recorded).difference(self._outputs)
        self._trees = [each for each in others if _may_hold_tensor(types[each])]
        others = set(range(len(module.main.args))).difference(self._numbers)
        self._overwritten = autodiff.recorded_writes(module, others)
        """Which of the arrays that no Tensor holds the code writes to."""
        self.reads: set[int] = set()
        """Of a way back, which of the Tensors there it reads that have memory."""
        self._ways: dict[tuple[Numbers, Numbers], tuple[TensorCall, list[bool]]] = {}
        self._forward: dict[Numbers, tuple[Module, set[int]]] = {}

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
        self,
        call: Callable[[Numbers], autodiff.GraphCall],
        results: list[Any],
        wrapping: autodiff.Wrapping,
    ) -> None:
        """Make Tensors of results that know of the call. What is a number of Python's, as a sum
        that begins with 0 where nothing is added to it, stays one.
        """
        outputs = tuple(each for each in self._outputs if _is_inexact(results[each]))
        contents = [results[number] for number in outputs]
        made = autodiff.record(call(outputs), contents, wrapping) if outputs else ()
        for number, content, tensor in zip(outputs, contents, made, strict=True):
            results[number] = wrapping.finished(content, tensor)
        for number in set(self._flow.tensors).difference(self._flow.recorded):
            results[number] = wrapping.tree(results[number])

    # --- the way back -----------------------------------------------------------------------------

    def _recorded(
        self, recorded: Sequence[int], inputs: Sequence[Any], tensors: Sequence[Any]
    ) -> Callable[[Numbers], autodiff.GraphCall]:
        """What is put on record, of some of the outputs."""
        if self._flow.has_inner:
            why = "it puts what depends on a Tensor into an object, in a loop or branch"
            raise DiagnosticError(catalog.NO_PULLBACK, self._module.main.span, why=why)
        if self._trees:
            why = "it gives a list or dict, of which only the run tells what is in it"
            raise DiagnosticError(catalog.NO_PULLBACK, self._module.main.span, why=why)
        self._require_apart(inputs)
        _, needed = self._leading_to(tuple(self._outputs))
        kept = [
            self._kept(number, item) if number in needed else None
            for number, item in enumerate(inputs)
        ]
        seen = [(place, each.memory) for place, each in enumerate(tensors) if each.memory]
        versions = [(place, memory, memory.version) for place, memory in seen]

        def pull_back(outputs: Numbers, given: Sequence[Any], with_history: bool) -> Sequence[Any]:
            way, reached = self._way(tuple(recorded), outputs)
            read = (row[1:] for row in versions if row[0] in way.reads)
            autodiff.require_unchanged(read)
            arguments = [*map(self._restored, range(len(kept)), kept), *map(_content, given)]
            found = iter(way.run_back(arguments, [*tensors, *given] if with_history else None))
            return [next(found) if is_reached else None for is_reached in reached]

        operands = [tensors[number] for number in recorded]
        return lambda outputs: autodiff.GraphCall(operands, partial(pull_back, outputs))

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

    def _leading_to(self, outputs: Numbers) -> tuple[Module, set[int]]:
        """The graph of some results alone, which are arrays and numbers of NumPy's, and the numbers
        of the inputs that it reads.
        """
        if outputs not in self._forward:
            module = copy_module(self._module)
            read = keep_results(module.main, outputs)
            _narrow_results(module.main)
            self._forward[outputs] = module, read
        return self._forward[outputs]

    def _require_apart(self, inputs: Sequence[Any]) -> None:
        """Refuse that the code writes to one of the arrays that it is given and reads the same
        memory by another: of the copies that are kept, one would not show it.
        """
        _, needed = self._leading_to(tuple(self._outputs))
        for number in self._overwritten:
            for other in needed:
                item = inputs[other]
                is_array = isinstance(item, np.ndarray) and other != number
                if is_array and np.may_share_memory(inputs[number], item):
                    why = "it writes to an array that shares memory with another one"
                    raise DiagnosticError(catalog.NO_PULLBACK, self._module.main.span, why=why)

    def _way(self, recorded: Numbers, outputs: Numbers) -> tuple[TensorCall, list[bool]]:
        """The way back from some of the outputs to some of the Tensors, and whether it leads to
        each of these.
        """
        if (recorded, outputs) not in self._ways:
            by = [self._numbers[number] for number in recorded]
            reached = [bool(autodiff.recorded_results(self._module, [each])) for each in by]
            by = [each for each, is_reached in zip(by, reached, strict=True) if is_reached]
            module = autodiff.way_back(self._leading_to(outputs)[0], by)
            way = self._compiled(module, len(by), len(outputs))
            self._ways[recorded, outputs] = way, reached
        return self._ways[recorded, outputs]

    def _compiled(self, module: Module, count: int, seed_count: int) -> TensorCall:
        work = copy_module(module)
        transform(work)
        executable = self._options.compile(work)
        first = len(self._module.main.args)
        seeds = range(first, first + seed_count)
        every = tuple(range(count))
        flow = autodiff.TensorFlow(every, (), every, (), has_inner=False)
        numbers = [*self._numbers, *seeds]
        way = TensorCall(module, numbers, flow, executable, self._options, count)
        way.reads = {
            place for place, number in enumerate(self._numbers) if work.main.args[number].uses
        }
        return way


Numbers = tuple[int, ...]
"""Of inputs, Tensors or results."""


def _is_inexact(item: Any) -> bool:
    return isinstance(item, np.ndarray | np.generic) and item.dtype.kind in "fc"


def _narrow_results(function: Function) -> None:
    """Let results of several types be of those that Tensors are made of: they are in this run."""
    end = function.block.terminator
    builder = Builder(function.block)
    builder.before(end)
    with builder.at(function.span):
        rewriter.set_operands(end, [_narrowed(builder, each) for each in end.operands])


def _narrowed(builder: Builder, value: Value) -> Value:
    kept = [each for each in members_of(value.type) if _is_tensor(each)]
    if len(kept) == len(members_of(value.type)):
        return value
    attrs = {"type": union_of(kept)}
    return builder.emit(ops.dynamic.inexact, [value], attrs).result


def _is_tensor(type_: Type) -> bool:
    """Whether plain Python has a Tensor where a value of this type depends on one."""
    members = members_of(type_)
    return all(ops.is_inexact(each) and not isinstance(each, PythonType) for each in members)


def _may_be_tensor(type_: Type) -> bool:
    """Whether plain Python may have a Tensor for a value of this type, and else a number of its own
    or None.
    """
    members = members_of(type_)
    are_single = all(isinstance(each, PythonType | ScalarType | TensorType) for each in members)
    return are_single and any(map(_is_tensor, members))


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
