"""Inlining: a call is replaced by the body of the function it calls.

Before:
    func @f(%x: f64[n]) -> f64[n] {
      %y = call %x {callee = "g", result_types = (!f64[n],)} : f64[n]
      return %y
    }
    func @g(%a: f64[n]) -> f64[n] {
      %0 = negative %a : f64[n]
      return %0
    }
After:
    func @f(%x: f64[n]) -> f64[n] {
      %y = negative %x : f64[n]
      return %y
    }

A call of a function that calls itself, directly or by others, stays a call. So does one of a
function that is called in several places, once the caller has grown to a multiple of the module:
functions that each call the next one twice would make code without end. The copies keep their
source spans, as reached through the span of the call.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from staticpy.ir import Builder, Function, Module, Operation, Value, copy_body, rewriter, walk
from staticpy.ops import call
from staticpy.source import NO_SPAN, SourceSpan

_LEAST_LIMIT = 4000
"""How many operations a function may have by inlining, however small the module is."""


def inline(module: Module) -> None:
    """Replace the calls of ``module`` but those of functions that lead back to themselves, and drop
    the functions that nobody calls any more.
    """
    inliner = _Inliner(module)
    pending = [module.entry]
    done: set[str] = set()
    while pending:
        name = pending.pop()
        if name not in done:
            done.add(name)
            pending += inliner.run(module.functions[name])
    for name in module.functions.keys() - done:
        del module.functions[name]


class _Inliner:
    """Works from the callers to the callees, so that nothing is copied that is dropped later."""

    def __init__(self, module: Module) -> None:
        self._functions = module.functions
        self._sizes: dict[str, int] = {}
        self._calls: dict[str, list[Operation]] = {}
        for name, function in module.functions.items():
            operations = list(walk(function.block))
            self._sizes[name] = len(operations)
            self._calls[name] = [operation for operation in operations if operation.op is call]
        callees = {name: list(map(_callee, calls)) for name, calls in self._calls.items()}
        self._recursive = _CallGraph(callees).recursive
        self._sites = Counter(chain.from_iterable(callees.values()))
        self._limit = 2 * sum(self._sizes.values()) + _LEAST_LIMIT

    def run(self, function: Function) -> Iterable[str]:
        """Replace the calls of ``function``; return the functions that it calls still."""
        kept: dict[str, None] = {}
        grown = self._sizes[function.name]
        pending = [(operation, False) for operation in reversed(self._calls[function.name])]
        while pending:
            operation, is_copy = pending.pop()
            callee = operation.attrs["callee"]
            is_copy = is_copy or self._sites[callee] > 1
            size = grown + self._sizes[callee]
            if callee in self._recursive or (is_copy and size > self._limit):
                kept[callee] = None
                continue
            grown = size
            inner = _inline_call(operation, self._functions[callee])
            pending += ((each, is_copy) for each in reversed(inner))
        return kept


def _callee(operation: Operation) -> str:
    name: str = operation.attrs["callee"]
    return name


def _inline_call(operation: Operation, callee: Function) -> list[Operation]:
    """Put the body of ``callee`` in the place of a call; return the calls in the copy."""
    block = operation.block
    assert block is not None
    builder = Builder(block)
    builder.before(operation)
    start = builder.index
    values: dict[Value, Value] = dict(zip(callee.args, operation.operands, strict=True))
    site = operation.span

    def respan(span: SourceSpan) -> SourceSpan:
        return span if site == NO_SPAN else span.inlined(site)

    results = copy_body(callee.block, builder, values, respan)
    copies = block.operations[start : builder.index]
    rewriter.replace(operation, results)
    regions = (region for copy in copies for region in copy.regions)
    inner = [each for region in regions for each in walk(region.block)]
    return [each for each in (*copies, *inner) if each.op is call]


@dataclass(slots=True)
class _Visit:
    """A function on the way down the calls; ``low`` is the first one that it leads back to."""

    name: str
    callees: Iterator[str]
    index: int
    low: int


class _CallGraph:
    """Tarjan's strongly connected components of functions, by the names of what each one calls.

    ``recursive`` are the names of those that lead back to themselves.
    """

    def __init__(self, callees: Mapping[str, Sequence[str]]) -> None:
        self.recursive: set[str] = set()
        self._callees = callees
        self._indices: dict[str, int] = {}
        self._open: dict[str, None] = {}
        for name in callees:
            if name not in self._indices:
                self._visit(name)

    def _visit(self, root: str) -> None:
        pending = [self._enter(root)]
        while pending:
            visit = pending[-1]
            callee = next(visit.callees, None)
            if callee is None:
                self._leave(pending.pop())
                if pending:
                    pending[-1].low = min(pending[-1].low, visit.low)
            elif callee not in self._indices:
                pending.append(self._enter(callee))
            elif callee in self._open:
                visit.low = min(visit.low, self._indices[callee])
                if callee == visit.name:
                    self.recursive.add(callee)

    def _enter(self, name: str) -> _Visit:
        index = self._indices[name] = len(self._indices)
        self._open[name] = None
        return _Visit(name, iter(self._callees[name]), index, index)

    def _leave(self, visit: _Visit) -> None:
        if visit.low < visit.index:
            return
        component: list[str] = []
        while visit.name in self._open:
            component.append(self._open.popitem()[0])
        if len(component) > 1:
            self.recursive.update(component)
