"""The structures of the SSA graph.

A Module holds Functions; a Function has one Region; a Region has one Block; a Block has arguments
and a list of Operations, the last of which is its terminator. A Value is defined once, as the
result of an operation or as an argument of a block, and knows its uses. A region may read the
values of the blocks around it; a function is closed. Only Builder and Rewriter change these
structures.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import singledispatch
from typing import Any, Protocol

from staticpy.ir.types import Type
from staticpy.source import NO_SPAN, SourceSpan


@singledispatch
def text_form(node: object) -> str:
    """The text of a Module, Function or Operation; ``printer`` registers how each is printed."""
    raise TypeError(f"{type(node).__name__} has no text form")


@singledispatch
def same_structure(left: object, right: object) -> bool:
    """Whether two graphs are alike; ``equality`` registers what that means for each class."""
    raise TypeError(f"{type(left).__name__} and {type(right).__name__} can't be compared")


class OpDefinition(Protocol):
    """What the IR needs to know of an op; ``ops.OpDef`` is the one implementation."""

    @property
    def name(self) -> str:
        """The unique name that the text form shows."""

    @property
    def is_terminator(self) -> bool:
        """Whether it ends a block."""

    def __hash__(self) -> int:
        """An op is itself alone."""

    def result_types(
        self, operands: Sequence[Type], attrs: Mapping[str, Any], regions: Sequence[Region]
    ) -> tuple[Type, ...]:
        """The types of the results, by the type rule.

        Raises:
            DiagnosticError: the rule refuses the operands.
        """

    def verify_operation(self, operation: Operation) -> None:
        """Check what the type rule can't see: regions, terminators, attributes.

        Raises:
            DiagnosticError: INVALID_IR, with what is wrong.
        """


class Value:
    """A value that is defined once.

    ``name`` is a hint taken from the user's variable; ``uses`` lists each reader as the operation
    and the position among its operands.
    """

    __slots__ = ("name", "type", "uses")

    def __init__(self, type_: Type, name: str = "") -> None:
        self.type = type_
        self.name = name
        self.uses: dict[tuple[Operation, int], None] = {}

    @property
    def users(self) -> Iterator[Operation]:
        """The operations that read this value, each once, in the order they came."""
        return iter(dict.fromkeys(operation for operation, _ in self.uses))

    @property
    def defining_op(self) -> Operation | None:
        """The operation that made this value; None for a block argument."""
        return None


class OpResult(Value):
    """The result number ``index`` of ``owner``."""

    __slots__ = ("index", "owner")

    def __init__(self, owner: Operation, index: int, type_: Type, name: str = "") -> None:
        # Most objects of a graph are results: they are made without a call of the base class.
        self.type = type_
        self.name = name
        self.uses = {}
        self.owner = owner
        self.index = index

    @property
    def defining_op(self) -> Operation | None:
        """The operation that made this value."""
        return self.owner


class BlockArgument(Value):
    """The argument number ``index`` of ``block``."""

    __slots__ = ("block", "index")

    def __init__(self, block: Block, index: int, type_: Type, name: str = "") -> None:
        super().__init__(type_, name)
        self.block = block
        self.index = index


class Operation:
    """One application of an op. Made by ``Builder.emit`` alone."""

    __slots__ = ("attrs", "block", "op", "operands", "regions", "results", "span")

    def __init__(
        self,
        op: OpDefinition,
        operands: Sequence[Value],
        result_types: Sequence[Type],
        attrs: Mapping[str, Any],
        regions: Sequence[Region],
        span: SourceSpan = NO_SPAN,
    ) -> None:
        self.op = op
        self.operands: list[Value] = list(operands)
        self.results = tuple([OpResult(self, i, type_) for i, type_ in enumerate(result_types)])
        self.attrs = dict(attrs)
        self.regions = tuple(regions)
        self.span = span
        self.block: Block | None = None

    @property
    def name(self) -> str:
        """The name of the op."""
        return self.op.name

    @property
    def result(self) -> OpResult:
        """The only result of an operation that has one."""
        (result,) = self.results
        return result

    @property
    def parent(self) -> Operation | None:
        """The operation whose region holds this one; None in the body of a function."""
        return self.block.parent if self.block is not None else None

    def __str__(self) -> str:
        return text_form(self)


class Block:
    """A straight line of operations. The last one is the terminator."""

    __slots__ = ("_found", "args", "operations", "region")

    def __init__(self, arg_types: Sequence[Type] = (), names: Sequence[str] = ()) -> None:
        self.args: list[BlockArgument] = []
        self.operations: list[Operation] = []
        self._found = 0
        self.region: Region | None = None
        for i, type_ in enumerate(arg_types):
            self.add_arg(type_, names[i] if i < len(names) else "")

    def add_arg(self, type_: Type, name: str = "") -> BlockArgument:
        """Append an argument."""
        argument = BlockArgument(self, len(self.args), type_, name)
        self.args.append(argument)
        return argument

    @property
    def parent(self) -> Operation | None:
        """The operation that this is a region of; None for the body of a function."""
        return self.region.parent if self.region is not None else None

    def position(self, operation: Operation) -> int:
        """The position of an operation of this block.

        The search begins around where the last one ended: who goes through the operations in their
        order, or from the last to the first, and asks for each takes linear time.
        """
        operations, reach = self.operations, 8
        while True:
            start, stop = max(self._found - reach, 0), self._found + reach
            try:
                self._found = operations.index(operation, start, stop)
            except ValueError:
                if start == 0 and stop >= len(operations):
                    raise
                reach *= 4
            else:
                return self._found

    @property
    def terminator(self) -> Operation:
        """The operation that ends this block.

        Raises:
            IndexError: the block is still being built and holds nothing.
        """
        return self.operations[-1]


class Region:
    """A block with an owner: an operation, or a function."""

    __slots__ = ("block", "parent")

    def __init__(self, block: Block, parent: Operation | None = None) -> None:
        self.block = block
        self.parent = parent
        block.region = self


class Function:
    """A named, closed piece of the graph: what it needs comes in by the arguments of its block."""

    __slots__ = ("body", "name", "span")

    def __init__(self, name: str, block: Block, span: SourceSpan = NO_SPAN) -> None:
        self.name = name
        self.body = Region(block)
        self.span = span

    @property
    def block(self) -> Block:
        """The block of the body."""
        return self.body.block

    @property
    def args(self) -> list[BlockArgument]:
        """The arguments of the function: those of its block."""
        return self.block.args

    @property
    def arg_types(self) -> tuple[Type, ...]:
        """The types of the arguments."""
        return tuple(argument.type for argument in self.args)

    @property
    def results(self) -> list[Value]:
        """The values that the function returns."""
        return self.block.terminator.operands

    @property
    def result_types(self) -> tuple[Type, ...]:
        """The types of the values that the function returns."""
        return tuple(value.type for value in self.results)

    def __str__(self) -> str:
        return text_form(self)


class Module:
    """Functions by name. ``entry`` names the one that a caller outside runs.

    Two modules are equal when they have the same structure: entry, functions, operations,
    attributes (bit for bit), types. Spans and hints don't count.

    ``hints`` says what sizes the symbols stood for in the call that it was made for. Another call
    may have others: a backend may count on them, but has to look.
    """

    __slots__ = ("entry", "functions", "hints")

    def __init__(self, entry: str) -> None:
        self.entry = entry
        self.functions: dict[str, Function] = {}
        self.hints: Mapping[str, int] = {}

    def add(self, function: Function) -> Function:
        """Enter a function under its name."""
        self.functions[function.name] = function
        return function

    @property
    def main(self) -> Function:
        """The entry."""
        return self.functions[self.entry]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Module) and same_structure(self, other)

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        return text_form(self)


def with_inner(operations: Iterable[Operation]) -> Iterator[Operation]:
    """Operations, with those in their regions."""
    for operation in operations:
        yield operation
        for region in operation.regions:
            yield from walk(region.block)


def walk(block: Block) -> Iterator[Operation]:
    """Every operation of ``block`` and of the regions in it, in order.

    An operation comes before its own regions. Iterative, so that depth has no limit; safe while the
    visited operation is erased.
    """
    pending = block.operations[::-1]
    while pending:
        operation = pending.pop()
        yield operation
        if operation.regions:
            for region in reversed(operation.regions):
                pending += region.block.operations[::-1]
