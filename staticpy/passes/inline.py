"""Inlining: every call is replaced by the body of the function it calls.

Before:
    func @f(%x: f64[n]) -> f64[n] {
      %y = call %x {callee = "g", result_types = (!f64[n],)} : f64[n]
      return %y
    }
    func @g(%a: f64[n]) -> f64[n] {
      %0 = negative %a : f64[n]
      return %0
    }
After (``dce`` drops a function that nobody calls any more):
    func @f(%x: f64[n]) -> f64[n] {
      %y = negative %x : f64[n]
      return %y
    }

The copies keep their source spans, as reached through the span of the call.
"""

from __future__ import annotations

from collections.abc import Iterator

from staticpy.ir import Builder, Function, Module, Operation, Value, copy_body, rewriter, walk
from staticpy.ops import call
from staticpy.source import NO_SPAN, SourceSpan


def inline(module: Module) -> None:
    """Replace all calls of ``module``; calls form no cycle, as the verifier demands."""
    for function in _callees_first(module):
        for operation in _calls(function):
            _inline_call(operation, module.functions[operation.attrs["callee"]])


def _calls(function: Function) -> list[Operation]:
    return [operation for operation in walk(function.block) if operation.op is call]


def _inline_call(operation: Operation, callee: Function) -> None:
    assert operation.block is not None
    builder = Builder(operation.block)
    builder.before(operation)
    values: dict[Value, Value] = dict(zip(callee.args, operation.operands, strict=True))
    site = operation.span

    def respan(span: SourceSpan) -> SourceSpan:
        return span if site == NO_SPAN else span.inlined(site)

    rewriter.replace(operation, copy_body(callee.block, builder, values, respan))


def _callees_first(module: Module) -> list[Function]:
    """All functions, each after those that it calls."""
    order: dict[str, Function] = {}
    for root in module.functions:
        pending: list[tuple[str, Iterator[Operation]]] = []
        if root not in order:
            pending.append((root, iter(_calls(module.functions[root]))))
        while pending:
            name, calls = pending[-1]
            operation = next(calls, None)
            if operation is None:
                pending.pop()
                order[name] = module.functions[name]
            elif (callee := operation.attrs["callee"]) not in order:
                pending.append((callee, iter(_calls(module.functions[callee]))))
    return list(order.values())
