"""What instructions are about: values, blocks of instructions, functions, and the module of all.

In: types and names. Out: the text of a module. A line of a block is a string, or something that
becomes one at the end, as it may still change.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from staticpy.backends.llvm.ir.types import (
    Constant,
    FunctionType,
    MetaDataType,
    PointerType,
    Type,
    Value,
)

_POINTER = PointerType()


class MetaDataString(Value):
    """A word that tells LLVM something."""

    __slots__ = ()

    def __init__(self, _: Module, word: str) -> None:
        super().__init__(MetaDataType(), f'!"{word}"')


class Line(Value):
    """An instruction that may still change: its text is made at the end."""

    __slots__ = ()

    def line(self) -> str:
        """The text."""
        raise NotImplementedError

    def __str__(self) -> str:
        return self.line()


class Block:
    """Instructions up to a jump.

    Attributes:
        known: what its values are that depend on their operands alone, by their text.
    """

    __slots__ = ("function", "instructions", "is_terminated", "known", "text")

    def __init__(self, function: Function, text: str) -> None:
        self.function = function
        self.text = text
        self.instructions: list[str | Line] = []
        self.known: dict[str, Value] = {}
        self.is_terminated = False

    def __str__(self) -> str:
        return "\n  ".join([f"{self.text}:", *map(str, self.instructions)])


class Function(Value):
    """A function, of another module until it has a block."""

    __slots__ = (
        *("args", "attributes", "blocks", "convention", "ftype", "linkage", "module", "name"),
        "names",
    )

    def __init__(self, module: Module, ftype: FunctionType, name: str) -> None:
        super().__init__(PointerType(ftype), f'@"{name}"')
        self.module = module
        self.name = name
        self.ftype = ftype
        self.linkage = ""
        self.convention = ""
        self.attributes: set[str] = set()
        self.blocks: list[Block] = []
        self.names = 0
        self.args = tuple(Value(each, f"%a{place}") for place, each in enumerate(ftype.args))
        module.add(name, self)

    @property
    def is_declaration(self) -> bool:
        """Whether it is a function of another module."""
        return not self.blocks

    def new_name(self) -> int:
        """A number that nothing in the function is called by."""
        self.names += 1
        return self.names

    def append_basic_block(self, name: str = "") -> Block:
        """A block at the end."""
        block = Block(self, f"{name or 'b'}.{self.new_name()}")
        self.blocks.append(block)
        return block

    @property
    def declaration(self) -> str:
        """Its text in other modules, which call it."""
        types = ", ".join(map(str, self.ftype.args))
        return f"declare {self.ftype.return_type} {self.text}({types}) {self._words}"

    @property
    def _words(self) -> str:
        return " ".join(sorted(self.attributes))

    def __str__(self) -> str:
        if self.is_declaration:
            return self.declaration
        result = self.ftype.return_type
        arguments = ", ".join(each.typed for each in self.args)
        kind = f"{self.linkage} {self.convention} {result}"
        head = f"define {kind} {self.text}({arguments}) {self._words}"
        return "\n".join([head, "{", *map(str, self.blocks), "}"])


class GlobalVariable(Value):
    """Memory of the module, or of another one where nothing says what is in it."""

    __slots__ = ("align", "global_constant", "initializer", "linkage", "name", "value_type")

    def __init__(self, module: Module, value_type: Type, name: str) -> None:
        super().__init__(_POINTER, f'@"{name}"')
        self.name = name
        self.value_type = value_type
        self.linkage = ""
        self.global_constant = False
        self.initializer: Constant | None = None
        self.align: int | None = None
        module.add(name, self)

    @property
    def is_declaration(self) -> bool:
        """Whether it is memory of another module."""
        return self.initializer is None

    def __str__(self) -> str:
        kind = "constant" if self.global_constant else "global"
        if self.initializer is None:
            return f"{self.text} = external {kind} {self.value_type}"
        align = "" if self.align is None else f", align {self.align}"
        content = f"{self.value_type} {self.initializer.text}{align}"
        return f"{self.text} = {self.linkage} {kind} {content}"


class Module:
    """Functions and memory, by their names."""

    def __init__(self, name: str = "") -> None:
        self.name = name
        self.triple = ""
        self.data_layout = ""
        self.globals: dict[str, Any] = {}
        self._weights: dict[tuple[int, ...], int] = {}

    def add(self, name: str, symbol: Value) -> None:
        """Make a new symbol known."""
        assert name not in self.globals
        self.globals[name] = symbol

    def declared(self, name: str, ftype: FunctionType) -> Function:
        """The function of a name, which is one of another module if it isn't known yet."""
        known: Function | None = self.globals.get(name)
        return known if known is not None else Function(self, ftype, name)

    @property
    def functions(self) -> list[Function]:
        """Those of the module, and those it knows of others."""
        return [each for each in self.globals.values() if isinstance(each, Function)]

    def imports(self) -> list[str]:
        """The names of what is in other modules."""
        return [name for name, each in self.globals.items() if each.is_declaration]

    def weights(self, numbers: Sequence[int]) -> str:
        """How a branch is marked that goes to its targets with such frequencies."""
        known = self._weights.setdefault(tuple(numbers), len(self._weights))
        return f", !prof !{known}"

    @property
    def head(self) -> str:
        """What its text begins with."""
        return "\n".join(
            [
                f'; ModuleID = "{self.name}"',
                f'target triple = "{self.triple}"',
                f'target datalayout = "{self.data_layout}"',
            ]
        )

    @property
    def foot(self) -> str:
        """What its text ends with: what the marks of branches say."""
        lines = []
        for numbers, place in self._weights.items():
            words = "".join(f", i32 {number}" for number in numbers)
            lines.append(f'!{place} = !{{!"branch_weights"{words}}}\n')
        return "".join(lines)

    def __str__(self) -> str:
        return "\n".join([self.head, *map(str, self.globals.values()), self.foot])
