"""Types and values. Two types are equal if their texts are.

In: what a type consists of, or what a constant is. Out: its text.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any


class Type:
    """One of them."""

    __slots__ = ("text",)
    is_pointer = False

    def __init__(self, text: str) -> None:
        self.text = text

    def __str__(self) -> str:
        return self.text

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Type) and self.text == other.text)

    def __hash__(self) -> int:
        return hash(self.text)

    def __call__(self, value: Any) -> Value:
        """A constant."""
        return Constant(self, value)

    def literal(self, value: Any) -> str:
        """The text of a constant."""
        raise TypeError(value)


class VoidType(Type):
    """Of functions that give nothing."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__("void")


class MetaDataType(Type):
    """Of words that tell LLVM something."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__("metadata")


class IntType(Type):
    """Integers of a number of bits."""

    __slots__ = ("width",)

    def __init__(self, width: int) -> None:
        super().__init__(f"i{width}")
        self.width = width

    def literal(self, value: Any) -> str:
        """The text of a constant."""
        return str(int(value))


class DoubleType(Type):
    """Floats of 64 bits."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__("double")

    def literal(self, value: Any) -> str:
        """The text of a constant: its bits."""
        (bits,) = struct.unpack("<Q", struct.pack("<d", value))
        return f"0x{bits:016x}"


class FloatType(Type):
    """Floats of 32 bits."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__("float")

    def literal(self, value: Any) -> str:
        """The text of a constant: the bits of a double that is one of them."""
        (rounded,) = struct.unpack("<f", struct.pack("<f", value))
        return DoubleType().literal(rounded)


class PointerType(Type):
    """Addresses; of a function with its type, where it is called by its address."""

    __slots__ = ("pointee",)
    is_pointer = True

    def __init__(self, pointee: FunctionType | None = None) -> None:
        super().__init__("ptr")
        self.pointee = pointee


class FunctionType(Type):
    """Functions."""

    __slots__ = ("args", "return_type")

    def __init__(self, return_type: Type, args: Sequence[Type]) -> None:
        self.return_type = return_type
        self.args = tuple(args)
        super().__init__(f"{return_type} ({', '.join(map(str, self.args))})")


class VectorType(Type):
    """So many numbers in a register."""

    __slots__ = ("count", "element")

    def __init__(self, element: Type, count: int) -> None:
        super().__init__(f"<{count} x {element}>")
        self.element = element
        self.count = count

    def literal(self, value: Any) -> str:
        """The text of a constant."""
        return f"<{', '.join(each.typed for each in value)}>"


class ArrayType(Type):
    """So many values in memory."""

    __slots__ = ("count", "element")

    def __init__(self, element: Type, count: int) -> None:
        super().__init__(f"[{count} x {element}]")
        self.element = element
        self.count = count

    def literal(self, value: Any) -> str:
        """The text of a constant, of numbers."""
        return f"[{', '.join(f'{self.element} {self.element.literal(each)}' for each in value)}]"


class LiteralStructType(Type):
    """Values of several types."""

    __slots__ = ("elements",)

    def __init__(self, elements: Sequence[Type]) -> None:
        super().__init__(f"{{{', '.join(map(str, elements))}}}")
        self.elements = tuple(elements)

    def literal(self, value: Any) -> str:
        """The text of a constant."""
        return f"{{{', '.join(each.typed for each in value)}}}"


Undefined = object()
"""What a Constant is that may be anything."""


class Value:
    """What an instruction gives, or is about.

    Attributes:
        text: how instructions call it.
    """

    __slots__ = ("text", "type")

    def __init__(self, type_: Type, text: str) -> None:
        self.type: Any = type_
        self.text = text

    @property
    def typed(self) -> str:
        """How it is called, behind its type."""
        return f"{self.type.text} {self.text}"

    @property
    def function_type(self) -> FunctionType:
        """Of a function."""
        return self.type.pointee  # type: ignore[no-any-return]


class Constant(Value):
    """A value that is known; None is the one of zeros. Of a vector, its elements."""

    __slots__ = ("constant",)

    def __init__(self, type_: Type, constant: Any) -> None:
        self.constant = constant
        if constant is Undefined:
            text = "undef"
        elif constant is None:
            text = "null" if type_.is_pointer else "zeroinitializer"
        else:
            text = type_.literal(constant)
        super().__init__(type_, text)


class Address(Constant):
    """A number as an address."""

    __slots__ = ()

    def __init__(self, number: int) -> None:
        super().__init__(PointerType(), None)
        self.constant = number
        self.text = f"inttoptr (i64 {number} to ptr)"
