"""The reader of the text form that ``printer`` writes.

In: text, and a registry that gives the op of each name. Out: a Module with the types and positions
of the text; what the text leaves out (positions, suffixes of names) is left out. ``verify`` says
whether the result is a valid graph: the parser checks the text alone, so that an invalid graph can
be read and looked at. ``parse_module(print_module(m), registry) == m``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from staticpy.ir.attribute_parser import AttributeParser
from staticpy.ir.builder import Builder
from staticpy.ir.core import Block, Function, Module, OpDefinition, Region, Value
from staticpy.ir.lexer import TokenStream
from staticpy.ir.printer import base_name
from staticpy.ir.types import Type
from staticpy.source import NO_SPAN, SourceSpan


def parse_module(text: str, registry: Mapping[str, OpDefinition], *, file: str = "<ir>") -> Module:
    """The module that ``text`` describes; ``file`` is what errors call it.

    Raises:
        DiagnosticError: IR_SYNTAX_ERROR, with line and column of the first mistake.
    """
    tokens = TokenStream(text, file)
    tokens.expect("module")
    module = Module(_symbol(tokens))
    tokens.expect("{")
    while not tokens.accept("}"):
        name_token = tokens.peek(1)
        function = _FunctionParser(tokens, registry).function()
        if function.name in module.functions:
            tokens.fail(f"the function @{function.name} is defined twice", name_token)
        module.add(function)
    if tokens.peek().kind != "end":
        tokens.fail("expected the end of the text")
    return module


@dataclass(slots=True)
class _Head:
    """An operation of which everything before its regions has been read."""

    op: OpDefinition
    names: list[str]
    operands: list[Value]
    attrs: dict[str, Any]
    types: list[Type]
    regions: list[Region] = field(default_factory=list)


@dataclass(slots=True)
class _Open:
    """A block that is being read.

    ``head`` is the operation it belongs to, None for the function; ``names`` are defined in it.
    """

    head: _Head | None
    block: Block
    names: list[str] = field(default_factory=list)


class _FunctionParser:
    """Reads one function. Open blocks are kept on a stack, so that nesting has no limit."""

    def __init__(self, tokens: TokenStream, registry: Mapping[str, OpDefinition]) -> None:
        self._tokens = tokens
        self._registry = registry
        self._attributes = AttributeParser(tokens)
        self._visible: dict[str, Value] = {}
        self._open: list[_Open] = []

    def function(self) -> Function:
        tokens = self._tokens
        tokens.expect("func")
        name = _symbol(tokens)
        if tokens.peek().text != "(":
            tokens.fail("expected '('")
        block = self._open_block(None)
        start = tokens.peek()
        tokens.expect("->")
        types = self._result_types()
        tokens.expect("{")
        while self._open:
            self._step()
        function = Function(name, block, self._location())
        if block.operations and list(function.result_types) != types:
            tokens.fail("the function returns other types than it declares", start)
        return function

    def _result_types(self) -> list[Type]:
        if not self._tokens.accept("("):
            return [self._attributes.type()]
        types: list[Type] = []
        while not self._tokens.accept(")"):
            types.append(self._attributes.type())
            if self._tokens.peek().text != ")":
                self._tokens.expect(",")
        return types

    def _step(self) -> None:
        """Read the end of the innermost block, or an operation up to its first region."""
        if not self._tokens.accept("}"):
            head = self._head()
        else:
            closed = self._open.pop()
            for name in closed.names:
                del self._visible[name]
            if closed.head is None:
                return
            head = closed.head
            head.regions.append(Region(closed.block))
        if self._tokens.peek().text in ("{", "("):
            self._open_block(head)
            self._tokens.expect("{")
        else:
            self._finish(head)

    def _open_block(self, head: _Head | None) -> Block:
        block = Block()
        self._open.append(_Open(head, block))
        if self._tokens.accept("("):
            while not self._tokens.accept(")"):
                name = self._new_name()
                self._tokens.expect(":")
                self._define(name, block.add_arg(self._attributes.type()))
                if self._tokens.peek().text != ")":
                    self._tokens.expect(",")
        return block

    def _head(self) -> _Head:
        names: list[str] = []
        if self._tokens.peek().kind == "value":
            names.append(self._new_name())
            while self._tokens.accept(","):
                names.append(self._new_name(names))
            self._tokens.expect("=")
        op = self._op()
        operands = self._operands()
        attrs = self._attributes.attributes()
        start = self._tokens.peek()
        types: list[Type] = []
        if self._tokens.accept(":"):
            types.append(self._attributes.type())
            while self._tokens.accept(","):
                types.append(self._attributes.type())
        if len(types) != len(names):
            self._tokens.fail(f"{len(names)} results, but {len(types)} types", start)
        return _Head(op, names, operands, attrs, types)

    def _op(self) -> OpDefinition:
        token = self._tokens.expect_kind("name")
        op = self._registry.get(token.text)
        if op is None:
            self._tokens.fail(f"there is no op {token.text!r}", token)
        return op

    def _operands(self) -> list[Value]:
        operands: list[Value] = []
        if self._tokens.peek().kind != "value":
            return operands
        operands.append(self._operand())
        while self._tokens.accept(","):
            operands.append(self._operand())
        return operands

    def _operand(self) -> Value:
        token = self._tokens.expect_kind("value")
        value = self._visible.get(token.text)
        if value is None:
            self._tokens.fail(f"{token.text} is not defined here", token)
        return value

    def _new_name(self, others: Sequence[str] = ()) -> str:
        """A name that is not in use: blocks that don't see each other may use the same one."""
        token = self._tokens.expect_kind("value")
        if token.text in self._visible or token.text in others:
            self._tokens.fail(f"{token.text} is defined twice", token)
        return token.text

    def _define(self, name: str, value: Value) -> None:
        value.name = base_name(name[1:])
        self._visible[name] = value
        self._open[-1].names.append(name)

    def _finish(self, head: _Head) -> None:
        builder = Builder(self._open[-1].block)
        builder.span = self._location()
        operation = builder.emit_typed(head.op, head.operands, head.types, head.attrs, head.regions)
        for name, result in zip(head.names, operation.results, strict=True):
            self._define(name, result)

    def _location(self) -> SourceSpan:
        if self._tokens.peek().text != "loc" or self._tokens.peek(1).text != "(":
            return NO_SPAN
        self._tokens.take()
        self._tokens.expect("(")
        spans = [self._span()]
        while self._tokens.accept("at"):
            spans.append(self._span())
        self._tokens.expect(")")
        return _chain(spans)

    def _span(self) -> SourceSpan:
        tokens = self._tokens
        file = _string(tokens)
        numbers: list[int] = []
        for separator in (":", ":", "-", ":"):
            tokens.expect(separator)
            numbers.append(int(tokens.expect_kind("int").text))
        function = _string(tokens) if tokens.accept("fn") else ""
        line, col, end_line, end_col = numbers
        return SourceSpan(file, line, col, end_line, end_col, function)


def _chain(spans: Sequence[SourceSpan]) -> SourceSpan:
    """One span that was reached through the others, the first being the innermost."""
    chained: SourceSpan | None = None
    for span in reversed(spans):
        chained = SourceSpan(
            span.file, span.line, span.col, span.end_line, span.end_col, span.function, chained
        )
    assert chained is not None
    return chained


def _symbol(tokens: TokenStream) -> str:
    tokens.expect("@")
    if tokens.peek().kind == "string":
        return _string(tokens)
    if tokens.peek().kind not in ("name", "int"):
        tokens.fail("expected a name")
    return tokens.take().text


def _string(tokens: TokenStream) -> str:
    token = tokens.expect_kind("string")
    try:
        text: str = json.loads(token.text)
    except ValueError:
        tokens.fail("this is no string", token)
    return text
