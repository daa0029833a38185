"""Instructions, one after the other.

In: what is to be done, with values. Out: a line of a block, and the value that it gives.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from staticpy.backends.llvm.ir.types import (
    Constant,
    FunctionType,
    IntType,
    LiteralStructType,
    PointerType,
    Type,
    Value,
    VectorType,
)
from staticpy.backends.llvm.ir.values import Block, Function, Line, Module

_I1 = IntType(1)
_POINTER = PointerType()
_PREDICATES = {">": "gt", "<": "lt", "==": "eq", "!=": "ne", ">=": "ge", "<=": "le"}
_LIKELY, _UNLIKELY = (99, 1), (1, 99)


class Alloca(Line):
    """Memory on the stack, of a type that may still change."""

    __slots__ = ("allocated_type", "size")

    def __init__(self, text: str, type_: Type, size: Value | None) -> None:
        super().__init__(_POINTER, text)
        self.allocated_type = type_
        self.size = size

    def line(self) -> str:
        """The text."""
        size = "" if self.size is None else f", {self.size.typed}"
        return f"{self.text} = alloca {self.allocated_type}{size}"


class Phi(Line):
    """What it is depends on the block before."""

    __slots__ = ("_incoming",)

    def __init__(self, type_: Type, text: str) -> None:
        super().__init__(type_, text)
        self._incoming: list[tuple[Value, Block]] = []

    def add_incoming(self, value: Value, block: Block) -> None:
        """It is ``value`` if ``block`` was before."""
        self._incoming.append((value, block))

    def line(self) -> str:
        """The text."""
        ways = ", ".join(f"[{value.text}, %{block.text}]" for value, block in self._incoming)
        return f"{self.text} = phi {self.type} {ways}"


class Branch(Line):
    """A jump to one of two blocks."""

    __slots__ = ("_module", "_weights")

    def __init__(self, module: Module, text: str) -> None:
        super().__init__(_I1, text)
        self._module = module
        self._weights = ""

    def set_weights(self, numbers: Sequence[int]) -> None:
        """How often it goes to the first, and how often to the second."""
        self._weights = self._module.weights(numbers)

    def compute_whole(self) -> None:
        """Let the condition be no branches on its parts, of which none can be foreseen."""
        self._weights += ", !unpredictable !{}"

    def line(self) -> str:
        """The text."""
        return self.text + self._weights


class Switch(Line):
    """A jump to the block of a number."""

    __slots__ = ("_cases",)

    def __init__(self, value: Value, default: Block) -> None:
        super().__init__(value.type, f"switch {value.typed}, label %{default.text}")
        self._cases: list[str] = []

    def add_case(self, value: Value, block: Block) -> None:
        """Where it goes for a number."""
        self._cases.append(f"{value.typed}, label %{block.text}")

    def line(self) -> str:
        """The text."""
        return f"{self.text} [{' '.join(self._cases)}]"


_NEUTRAL: dict[str, int] = dict.fromkeys(("add", "sub", "or", "xor"), 0)
_COMPARES: dict[str, Callable[[int, int], bool]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "slt": operator.lt,
    "sle": operator.le,
    "sgt": operator.gt,
    "sge": operator.ge,
}


def _known(value: Value) -> int | None:
    """The number that an integer is, if that is known."""
    known = value.constant if isinstance(value, Constant) else None
    return known if isinstance(known, int) else None


def _of_integers(opcode: str) -> Callable[..., Value]:
    """An operation that is not done again in a block, or where an operand that is known decides."""
    is_symmetric = opcode != "sub"

    def emit(builder: IRBuilder, left: Value, right: Value, flags: Sequence[str] = ()) -> Value:
        kind = left.type
        neutral = 1 if opcode == "and" and kind == _I1 else _NEUTRAL.get(opcode)
        if neutral is not None:
            if _known(right) == neutral:
                return left
            if is_symmetric and _known(left) == neutral:
                return right
        if opcode == "and" and 0 in (_known(left), _known(right)):
            return Constant(kind, 0)
        words = " ".join((opcode, *flags)) if flags else opcode
        return builder.once(kind, f"{words} {kind.text} {left.text}, {right.text}")

    return emit


def _binary(opcode: str) -> Callable[..., Value]:
    def emit(builder: IRBuilder, left: Value, right: Value, flags: Sequence[str] = ()) -> Value:
        words = " ".join((opcode, *flags)) if flags else opcode
        kind = left.type
        return builder.gives(kind, f"{words} {kind.text} {left.text}, {right.text}")

    return emit


def _cast(opcode: str, *, is_of_integers: bool = False) -> Callable[..., Value]:
    def emit(builder: IRBuilder, value: Value, type_: Type) -> Value:
        if value.type == type_:
            return value
        text = f"{opcode} {value.typed} to {type_.text}"
        return builder.once(type_, text) if is_of_integers else builder.gives(type_, text)

    return emit


def _with_overflow(name: str) -> Callable[..., Value]:
    def emit(builder: IRBuilder, left: Value, right: Value) -> Value:
        kind = left.type
        full = f"llvm.{name}.with.overflow.{kind}"
        result = LiteralStructType([kind, _I1])
        function = builder.module.declared(full, FunctionType(result, [kind, kind]))
        return builder.call(function, [left, right])

    return emit


def _truth(type_: Any) -> Type:
    """The type of comparisons."""
    return VectorType(_I1, type_.count) if isinstance(type_, VectorType) else _I1


class IRBuilder:
    """Writes to a block, at its end or before what is there.

    Attributes:
        block: that block.
    """

    __slots__ = ("_place", "block")

    def __init__(self, block: Block) -> None:
        self.block = block
        self._place: int | None = None

    # --- where ------------------------------------------------------------------------------------

    @property
    def function(self) -> Function:
        """That of the block."""
        return self.block.function

    @property
    def module(self) -> Module:
        """That of the function."""
        return self.block.function.module

    def append_basic_block(self, name: str = "") -> Block:
        """A block at the end of the function."""
        return self.function.append_basic_block(name)

    def position_at_end(self, block: Block) -> None:
        """Go to the end of a block."""
        self.block, self._place = block, None

    def position_at_start(self, block: Block) -> None:
        """Go to the start of a block."""
        self.block, self._place = block, 0

    def position_after(self, block: Block, line: str | Line) -> None:
        """Go to where a line of a block ends."""
        place = next(place for place, each in enumerate(block.instructions) if each is line)
        self.block, self._place = block, place + 1

    @contextmanager
    def _at(self, block: Block) -> Iterator[None]:
        """Before the jump of a block; then to the end of the one that was left."""
        old, self.block = self.block, block
        self._place = len(block.instructions) - 1 if block.is_terminated else None
        yield
        self.position_at_end(old)

    def goto_entry_block(self) -> AbstractContextManager[None]:
        """What is emitted within is at the end of the function's first block."""
        return self._at(self.function.blocks[0])

    @contextmanager
    def if_then(self, condition: Value, likely: bool | None = None) -> Iterator[Block]:
        """What is emitted within runs where ``condition`` holds."""
        then, rest = self.append_basic_block("if"), self.append_basic_block()
        branch = self.cbranch(condition, then, rest)
        if likely is not None:
            branch.set_weights(_LIKELY if likely else _UNLIKELY)
        self.position_at_end(then)
        yield rest
        if not self.block.is_terminated:
            self.branch(rest)
        self.position_at_end(rest)

    @contextmanager
    def if_else(
        self, condition: Value, likely: bool | None = None
    ) -> Iterator[tuple[AbstractContextManager[None], AbstractContextManager[None]]]:
        """Two ways: what is emitted within the first runs where ``condition`` holds."""
        names = "if", "else", ""
        then, otherwise, rest = (self.append_basic_block(name) for name in names)
        branch = self.cbranch(condition, then, otherwise)
        if likely is not None:
            branch.set_weights(_LIKELY if likely else _UNLIKELY)
        yield self._way(then, rest), self._way(otherwise, rest)
        self.position_at_end(rest)

    @contextmanager
    def _way(self, block: Block, rest: Block) -> Iterator[None]:
        self.position_at_end(block)
        yield
        if not self.block.is_terminated:
            self.branch(rest)

    # --- lines ------------------------------------------------------------------------------------

    def _write(self, line: str | Line) -> None:
        if self._place is None:
            assert not self.block.is_terminated
            self.block.instructions.append(line)
            return
        self.block.instructions.insert(self._place, line)
        self._place += 1

    def gives(self, type_: Type, text: str) -> Value:
        """Write an instruction that gives a value."""
        value = Value(type_, f"%v{self.block.function.new_name()}")
        self._write(f"{value.text} = {text}")
        return value

    def once(self, type_: Type, text: str) -> Value:
        """A value that depends on its operands alone: what the block had before counts."""
        if self._place is not None:
            return self.gives(type_, text)
        known = self.block.known.get(text)
        if known is None:
            known = self.block.known[text] = self.gives(type_, text)
        return known

    def _jump(self, line: str | Line) -> None:
        self._write(line)
        self.block.is_terminated = True

    def _new(self) -> str:
        return f"%v{self.block.function.new_name()}"

    # --- arithmetic -------------------------------------------------------------------------------

    add, sub, mul = _of_integers("add"), _of_integers("sub"), _of_integers("mul")
    sdiv, udiv, srem, urem = _binary("sdiv"), _binary("udiv"), _binary("srem"), _binary("urem")
    and_, or_, xor = _of_integers("and"), _of_integers("or"), _of_integers("xor")
    shl, lshr, ashr = _of_integers("shl"), _of_integers("lshr"), _of_integers("ashr")
    fadd, fsub, fmul, fdiv = _binary("fadd"), _binary("fsub"), _binary("fmul"), _binary("fdiv")
    frem = _binary("frem")
    trunc, zext, sext = (_cast(name, is_of_integers=True) for name in ("trunc", "zext", "sext"))
    fptrunc, fpext, bitcast = _cast("fptrunc"), _cast("fpext"), _cast("bitcast")
    fptosi, fptoui, sitofp, uitofp = (
        _cast("fptosi"),
        _cast("fptoui"),
        _cast("sitofp"),
        _cast("uitofp"),
    )
    inttoptr, ptrtoint = _cast("inttoptr"), _cast("ptrtoint")
    sadd_with_overflow, uadd_with_overflow = _with_overflow("sadd"), _with_overflow("uadd")
    ssub_with_overflow, usub_with_overflow = _with_overflow("ssub"), _with_overflow("usub")
    smul_with_overflow, umul_with_overflow = _with_overflow("smul"), _with_overflow("umul")

    def not_(self, value: Value) -> Value:
        """Each bit turned over."""
        if isinstance(value.type, VectorType):
            element = value.type.element
            ones = Constant(value.type, [Constant(element, -1)] * value.type.count)
        else:
            ones = Constant(value.type, -1)
        return self.xor(value, ones)

    def neg(self, value: Value) -> Value:
        """An integer with the other sign."""
        return self.gives(value.type, f"sub {value.type} zeroinitializer, {value.text}")

    def fneg(self, value: Value) -> Value:
        """A float with the other sign."""
        return self.gives(value.type, f"fneg {value.typed}")

    def ctlz(self, value: Value, flag: Value) -> Value:
        """How many zeros are before the first one."""
        name = f"llvm.ctlz.{value.type}"
        type_ = FunctionType(value.type, [value.type, flag.type])
        return self.call(self.module.declared(name, type_), [value, flag])

    def _compare(self, words: str, left: Value, right: Value) -> Value:
        return self.gives(_truth(left.type), f"{words} {left.typed}, {right.text}")

    def _compare_integers(self, word: str, left: Value, right: Value) -> Value:
        one, other = _known(left), _known(right)
        if one is not None and other is not None and word in _COMPARES:
            return Constant(_I1, int(_COMPARES[word](one, other)))
        type_ = left.type
        return self.once(_truth(type_), f"icmp {word} {type_.text} {left.text}, {right.text}")

    def icmp_signed(self, symbol: str, left: Value, right: Value) -> Value:
        """A comparison of integers with a sign."""
        word = _PREDICATES[symbol]
        word = word if symbol in ("==", "!=") else f"s{word}"
        return self._compare_integers(word, left, right)

    def icmp_unsigned(self, symbol: str, left: Value, right: Value) -> Value:
        """A comparison of integers without a sign, or of addresses."""
        word = _PREDICATES[symbol]
        word = word if symbol in ("==", "!=") else f"u{word}"
        return self._compare_integers(word, left, right)

    def fcmp_ordered(self, symbol: str, left: Value, right: Value, *, flag: str = "") -> Value:
        """A comparison of floats that doesn't hold of NaN."""
        word = f"o{_PREDICATES[symbol]}" if symbol in _PREDICATES else symbol
        return self._compare(f"fcmp {flag} {word}" if flag else f"fcmp {word}", left, right)

    def fcmp_unordered(self, symbol: str, left: Value, right: Value) -> Value:
        """A comparison of floats that holds of NaN."""
        word = f"u{_PREDICATES[symbol]}" if symbol in _PREDICATES else symbol
        return self._compare(f"fcmp {word}", left, right)

    def select(self, condition: Value, one: Value, other: Value) -> Value:
        """One where ``condition`` holds, else the other."""
        known = _known(condition)
        if known is not None:
            return one if known else other
        return self.gives(one.type, f"select {condition.typed}, {one.typed}, {other.typed}")

    # --- parts of values --------------------------------------------------------------------------

    def extract_value(self, value: Value, place: int) -> Value:
        """A part of a struct."""
        return self.gives(value.type.elements[place], f"extractvalue {value.typed}, {place}")

    def insert_value(self, value: Value, part: Value, place: int) -> Value:
        """A struct with another part."""
        return self.gives(value.type, f"insertvalue {value.typed}, {part.typed}, {place}")

    def extract_element(self, vector: Value, place: Value) -> Value:
        """An element of a vector."""
        return self.gives(vector.type.element, f"extractelement {vector.typed}, {place.typed}")

    def insert_element(self, vector: Value, element: Value, place: Value) -> Value:
        """A vector with another element."""
        parts = f"{vector.typed}, {element.typed}, {place.typed}"
        return self.gives(vector.type, f"insertelement {parts}")

    def shuffle_vector(self, one: Value, other: Value, places: Value) -> Value:
        """Elements of two vectors."""
        type_ = VectorType(one.type.element, places.type.count)
        return self.gives(type_, f"shufflevector {one.typed}, {other.typed}, {places.typed}")

    # --- memory -----------------------------------------------------------------------------------

    def alloca(self, type_: Type, size: Value | None = None) -> Alloca:
        """Memory on the stack."""
        made = Alloca(self._new(), type_, size)
        self._write(made)
        return made

    def gep(self, place: Value, indices: Sequence[Value], source_etype: Type) -> Value:
        """An address by indices from another."""
        words = ", ".join([place.typed, *[each.typed for each in indices]])
        return self.once(_POINTER, f"getelementptr {source_etype.text}, {words}")

    def load(self, place: Value, typ: Type, align: int | None = None) -> Value:
        """What is at an address."""
        end = "" if align is None else f", align {align}"
        return self.gives(typ, f"load {typ.text}, ptr {place.text}{end}")

    def store(self, value: Value, place: Value, align: int | None = None) -> None:
        """Let something be at an address."""
        end = "" if align is None else f", align {align}"
        self._write(f"store {value.type.text} {value.text}, ptr {place.text}{end}")

    def load_atomic(self, place: Value, ordering: str, align: int, typ: Type) -> Value:
        """What is at an address, where other threads write."""
        return self.gives(typ, f"load atomic {typ}, ptr {place.text} {ordering}, align {align}")

    def atomic_rmw(self, name: str, place: Value, value: Value, ordering: str) -> Value:
        """Change what is at an address at once; what it was."""
        return self.gives(
            value.type, f"atomicrmw {name} ptr {place.text}, {value.typed} {ordering}"
        )

    def cmpxchg(
        self, place: Value, old: Value, new: Value, ordering: str, failordering: str
    ) -> Value:
        """Change what is at an address if it is ``old``; what it was, and whether it was."""
        words = f"{old.typed}, {new.typed} {ordering} {failordering}"
        type_ = LiteralStructType([old.type, _I1])
        return self.gives(type_, f"cmpxchg ptr {place.text}, {words}")

    # --- jumps and calls --------------------------------------------------------------------------

    def phi(self, type_: Type) -> Phi:
        """What depends on the block before."""
        made = Phi(type_, self._new())
        self._write(made)
        return made

    def branch(self, block: Block) -> None:
        """Go to a block."""
        self._jump(f"br label %{block.text}")

    def cbranch(self, condition: Value, then: Block, otherwise: Block) -> Branch:
        """Go to one of two blocks."""
        targets = f"label %{then.text}, label %{otherwise.text}"
        made = Branch(self.module, f"br {condition.typed}, {targets}")
        self._jump(made)
        return made

    def switch(self, value: Value, default: Block) -> Switch:
        """Go to the block of a number."""
        made = Switch(value, default)
        self._jump(made)
        return made

    def ret(self, value: Value) -> None:
        """Leave the function with a value."""
        self._jump(f"ret {value.typed}")

    def ret_void(self) -> None:
        """Leave the function."""
        self._jump("ret void")

    def call(self, function: Value, arguments: Sequence[Value]) -> Value:
        """Call a function, or what is at an address whose type says that it is one."""
        type_ = function.function_type
        assert type_.args == tuple(each.type for each in arguments), function.text
        how = getattr(function, "convention", "")
        return self._called(function.text, type_.return_type, arguments, how)

    def asm(
        self, type_: FunctionType, text: str, constraint: str, arguments: Sequence[Value]
    ) -> Value:
        """Instructions of the processor, which may have effects."""
        words = f'asm sideeffect "{text}", "{constraint}"'
        return self._called(words, type_.return_type, arguments)

    def _called(self, what: str, type_: Type, arguments: Sequence[Value], how: str = "") -> Value:
        words = ", ".join([each.typed for each in arguments])
        text = f"call {how} {type_.text} {what}({words})"
        if type_.text != "void":
            return self.gives(type_, text)
        self._write(text)
        return Value(type_, "void")
