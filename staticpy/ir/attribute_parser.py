"""The reader of types and attribute values in the text form; ``attributes`` writes them."""

from __future__ import annotations

import json
from typing import Any

from staticpy.ir.attributes import float_from_bits, scalar_from_parts
from staticpy.ir.lexer import Token, TokenStream
from staticpy.ir.types import (
    ARRAY_DTYPES,
    NEVER,
    OBJECT,
    UNKNOWN,
    DictType,
    Dim,
    ListType,
    ObjectType,
    PythonType,
    ScalarType,
    TensorType,
    TupleType,
    Type,
    union_of,
)

_WORDS: dict[str, Any] = {
    "none": None,
    "true": True,
    "false": False,
    "inf": float("inf"),
    "nan": float("nan"),
}
_SINGLE_TYPES: dict[str, Type] = {
    **{kind: PythonType(kind) for kind in ("bool", "int", "float", "complex", "None", "str")},
    "object": OBJECT,
    "never": NEVER,
}
_MAX_DEPTH = 100


class AttributeParser:
    """Reads types, attribute values and attribute dictionaries from a TokenStream."""

    def __init__(self, tokens: TokenStream) -> None:
        self._tokens = tokens
        self._depth = 0

    def attributes(self) -> dict[str, Any]:
        """``{name = value, ...}``; nothing where a region or something else begins."""
        attrs: dict[str, Any] = {}
        starts = self._tokens.peek().text == "{" and self._tokens.peek(1).kind == "name"
        if not (starts and self._tokens.peek(2).text == "="):
            return attrs
        self._tokens.expect("{")
        while True:
            token = self._tokens.expect_kind("name")
            if token.text in attrs:
                self._tokens.fail(f"the attribute {token.text!r} comes twice", token)
            self._tokens.expect("=")
            attrs[token.text] = self.value()
            if self._tokens.accept("}"):
                return attrs
            self._tokens.expect(",")

    def type(self) -> Type:
        """``int``, ``f64``, ``f64[n, 3, ?]``, ``(int, f64)``, ``list[f64]`` or ``f64|int``."""
        self._enter("types")
        members = [self._single_type()]
        while self._tokens.accept("|"):
            members.append(self._single_type())
        self._depth -= 1
        return union_of(members) if len(members) > 1 else members[0]

    def _single_type(self) -> Type:
        if self._tokens.accept("("):
            return self._tuple_type()
        token = self._tokens.expect_kind("name")
        if token.text == "object" and self._tokens.accept("["):
            name = self._string(self._tokens.expect_kind("string"))
            self._tokens.expect("]")
            return ObjectType(name)
        if token.text in _SINGLE_TYPES:
            return _SINGLE_TYPES[token.text]
        if token.text in ("list", "dict"):
            return self._container_type(token.text)
        if token.text not in ARRAY_DTYPES:
            self._tokens.fail(f"there is no type {token.text!r}", token)
        dtype = ARRAY_DTYPES[token.text]
        if not self._tokens.accept("["):
            return ScalarType(dtype)
        dims: list[Dim] = []
        while not self._tokens.accept("]"):
            dims.append(self._dim())
            if self._tokens.peek().text != "]":
                self._tokens.expect(",")
        return TensorType(dtype, tuple(dims))

    def _container_type(self, kind: str) -> Type:
        self._tokens.expect("[")
        first = self.type()
        if kind == "dict":
            self._tokens.expect(",")
        made = ListType(first) if kind == "list" else DictType(first, self.type())
        self._tokens.expect("]")
        return made

    def _tuple_type(self) -> Type:
        items: list[Type] = []
        while not self._tokens.accept(")"):
            items.append(self.type())
            self._end_item(items)
        return TupleType(tuple(items))

    def value(self) -> Any:
        """One attribute value."""
        token = self._tokens.take()
        if token.kind == "string":
            return self._string(token)
        if token.text == "!":
            return self.type()
        if token.text == "...":
            return Ellipsis
        if token.text == "(":
            return self._tuple()
        if token.kind == "name":
            return self._word(token)
        return self._number(token)

    def _dim(self) -> Dim:
        if self._tokens.accept(UNKNOWN):
            return UNKNOWN
        if self._tokens.peek().kind == "int":
            return int(self._tokens.take().text)
        return self._tokens.expect_kind("name").text

    def _tuple(self) -> tuple[Any, ...]:
        self._enter("tuples")
        items: list[Any] = []
        while not self._tokens.accept(")"):
            items.append(self.value())
            self._end_item(items)
        self._depth -= 1
        return tuple(items)

    def _end_item(self, items: list[Any]) -> None:
        """Read what stands after an item of a tuple."""
        if self._tokens.peek().text != ")":
            self._tokens.expect(",")
        elif len(items) == 1 and self._tokens.peek(-1).text != ",":
            self._tokens.fail("expected ',': a tuple of one item ends in a comma")

    def _enter(self, what: str) -> None:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            self._tokens.fail(f"{what} are nested too deeply")

    def _word(self, token: Token) -> Any:
        calls = self._tokens.peek().text == "("
        if token.text in ARRAY_DTYPES:
            return self._scalar(token) if calls else ARRAY_DTYPES[token.text]
        if calls and token.text in ("complex", "float", "slice"):
            return self._call(token)
        if token.text not in _WORDS:
            self._tokens.fail(f"{token.text!r} is no attribute value", token)
        return _WORDS[token.text]

    def _scalar(self, token: Token) -> Any:
        try:
            return scalar_from_parts(token.text, self._parts())
        except ValueError as error:
            return self._tokens.fail(str(error), token)

    def _call(self, token: Token) -> Any:
        match token.text, self._parts():
            case "complex", [float() as real, float() as imag]:
                return complex(real, imag)
            case "slice", [start, stop, step]:
                return slice(start, stop, step)
            case "float", [int() as bits] if 0 <= bits < 1 << 64:
                return float_from_bits(bits)
        return self._tokens.fail(f"this is no {token.text}", token)

    def _parts(self) -> list[Any]:
        self._tokens.expect("(")
        parts = [self.value()]
        while self._tokens.accept(","):
            parts.append(self.value())
        self._tokens.expect(")")
        return parts

    def _string(self, token: Token) -> str:
        try:
            text: str = json.loads(token.text)
        except ValueError:
            self._tokens.fail("this is no string", token)
        return text

    def _number(self, token: Token) -> int | float:
        sign, digits = 1, token
        if token.text == "-":
            sign, digits = -1, self._tokens.take()
        if digits.kind == "int":
            return sign * int(digits.text)
        if digits.kind == "hex":
            return sign * int(digits.text, 16)
        if digits.kind == "float":
            return sign * float(digits.text)
        if digits.text == "inf":
            return sign * float("inf")
        return self._tokens.fail("expected an attribute value", token)
