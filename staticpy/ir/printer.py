"""The text form of a graph, as ``parser`` reads it back.

In: a Module, a Function or an Operation. Out: text.

    module @f {
      func @f(%x: f64[n, k], %y: f64[k]) -> f64[n, k] {
        %0, %1 = broadcast %x, %y : f64[n, k], f64[n, k]
        %y.1 = add %0, %1 : f64[n, k]
        return %y.1
      }
    }

A value is named by its hint, with a suffix where the name is taken, or by a number where it has no
hint; names are unique within a function, and the same graph always gets the same names. An
operation prints as results, op, operands, attributes, result types, regions (the arguments of a
block before its brace) and, if asked for, its place in the source.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence

from staticpy.ir.attributes import attribute_text
from staticpy.ir.core import Block, Function, Module, Operation, Value, text_form, walk
from staticpy.source import NO_SPAN, SourceSpan

_NOT_IN_NAMES = re.compile(r"[^\w.]+")
_SUFFIX = re.compile(r"(\.[0-9]*)+$")
_SYMBOL = re.compile(r"[\w.]+")


def base_name(name: str) -> str:
    """The hint ``name`` as it is printed, without the suffix that makes it unique.

    "" if nothing is left. The parser takes the same base from a printed name, so that printing
    what was read gives the same text.
    """
    base = _SUFFIX.sub("", _NOT_IN_NAMES.sub("_", name)).strip(".")
    return "" if re.fullmatch("[0-9]+", base) else base


class ValueNames:
    """The printed names of the values of one function, given out in the order of the text."""

    def __init__(self) -> None:
        self._names: dict[Value, str] = {}
        self._taken: dict[str, int] = {}

    def __getitem__(self, value: Value) -> str:
        name = self._names.get(value)
        if name is None:
            name = self._names[value] = self._fresh(base_name(value.name))
        return name

    def listed(self, values: Iterable[Value]) -> str:
        """``%a, %b``."""
        return ", ".join(self[value] for value in values)

    def listed_with_types(self, values: Iterable[Value]) -> str:
        """``%a: int, %b: f64[n]``."""
        return ", ".join(f"{self[value]}: {value.type}" for value in values)

    def _fresh(self, base: str) -> str:
        count = self._taken.get(base, 0)
        self._taken[base] = count + 1
        if not base:
            return f"%{count}"
        return f"%{base}.{count}" if count else f"%{base}"


def print_module(module: Module, *, locations: bool = False) -> str:
    """The text of ``module``, with a final newline; ``locations`` adds every source span."""
    lines = [f"module @{_symbol(module.entry)} {{"]
    for function in module.functions.values():
        lines.extend("  " + line for line in _function_lines(function, locations))
    return "\n".join([*lines, "}", ""])


def print_function(function: Function, *, locations: bool = False) -> str:
    """The text of one function, without a final newline."""
    return "\n".join(_function_lines(function, locations))


def print_operation(operation: Operation, *, locations: bool = False) -> str:
    """The text of one operation with its regions, values named as in its whole function."""
    names = ValueNames()
    block = operation.block
    while block is not None and block.parent is not None:
        block = block.parent.block
    if block:
        _name_block(block, names)
    lines = _operation_lines(operation, names, locations)
    return "\n".join("  " * depth + text for depth, text in lines)


text_form.register(Module, print_module)
text_form.register(Function, print_function)
text_form.register(Operation, print_operation)


def _function_lines(function: Function, locations: bool) -> Iterator[str]:
    names = ValueNames()
    arguments = names.listed_with_types(function.args)
    complete = bool(function.block.operations)
    results = function.result_types if complete else ()
    types = ", ".join(map(str, results))
    # A tuple as the only result is told from several results by a second pair of parentheses.
    is_plain = len(results) == 1 and not types.startswith("(")
    result_text = types if is_plain else f"({types})"
    yield f"func @{_symbol(function.name)}({arguments}) -> {result_text} {{"
    for operation in function.block.operations:
        for depth, text in _operation_lines(operation, names, locations):
            yield "  " * (depth + 1) + text
    yield "}" + _location(function.span, locations)


def _operation_lines(
    operation: Operation, names: ValueNames, locations: bool
) -> Iterator[tuple[int, str]]:
    """The lines of an operation and its regions with their depth.

    Iterative: a stack entry is an operation to begin, a block, or the text between two regions.
    """
    pending: list[tuple[int, Operation | Block | str]] = [(0, operation)]
    while pending:
        depth, item = pending.pop()
        if isinstance(item, str):
            yield depth, item
            continue
        if isinstance(item, Block):
            pending.extend((depth, inner) for inner in reversed(item.operations))
            continue
        head = _head(item, names)
        tail = _location(item.span, locations)
        if not item.regions:
            yield depth, head + tail
            continue
        yield depth, f"{head}{_arguments(item.regions[0].block, names)} {{"
        pending.append((depth, "}" + tail))
        pending.extend(_regions(item, depth, names))


def _regions(
    operation: Operation, depth: int, names: ValueNames
) -> list[tuple[int, Operation | Block | str]]:
    """The blocks of an operation and the lines between them, last first."""
    first, *others = operation.regions
    parts: list[tuple[int, Operation | Block | str]] = [(depth + 1, first.block)]
    for region in others:
        parts.append((depth, f"}}{_arguments(region.block, names)} {{"))
        parts.append((depth + 1, region.block))
    return parts[::-1]


def _arguments(block: Block, names: ValueNames) -> str:
    return f" ({names.listed_with_types(block.args)})" if block.args else ""


def _head(operation: Operation, names: ValueNames) -> str:
    text = operation.name
    if operation.operands:
        text += " " + names.listed(operation.operands)
    if operation.attrs:
        items = (f"{name} = {attribute_text(value)}" for name, value in operation.attrs.items())
        text += f" {{{', '.join(items)}}}"
    if not operation.results:
        return text
    types = ", ".join(str(result.type) for result in operation.results)
    return f"{names.listed(operation.results)} = {text} : {types}"


def _location(span: SourceSpan, locations: bool) -> str:
    if not locations or span == NO_SPAN:
        return ""
    parts: list[str] = []
    current: SourceSpan | None = span
    while current is not None:
        function = f" fn {json.dumps(current.function)}" if current.function else ""
        place = f"{current.line}:{current.col}-{current.end_line}:{current.end_col}"
        parts.append(f"{json.dumps(current.file)}:{place}{function}")
        current = current.inlined_at
    return f" loc({' at '.join(parts)})"


def _symbol(name: str) -> str:
    return name if _SYMBOL.fullmatch(name) else json.dumps(name)


def _name_block(block: Block, names: ValueNames) -> None:
    _name_all(block.args, names)
    for operation in walk(block):
        _name_all(operation.results, names)
        for region in operation.regions:
            _name_all(region.block.args, names)


def _name_all(values: Sequence[Value], names: ValueNames) -> None:
    for value in values:
        names[value]
