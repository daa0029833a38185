"""The parser of ``staticpy.asdl``.

In: the text of a grammar in a dialect of ASDL. Out: for each type, the productions by gast class,
each a tuple of fields.

    module   = "module" name "{" type* "}"
    type     = name "=" alternative ("|" alternative)*
    alternative = Class [ "(" [ field ("," field)* ] ")" ]     a production
                | name                                         the productions of another type
    field    = name quantifier name                            the type, then the field
    quantifier = "" one | "?" may be None | "*" a list | "?*" a list that may hold None

A class that is named before the name of another type in the same alternative list has its own
production; the other type adds those that are missing. Comments start with ``--``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

TERMINALS = ("identifier", "constant", "annotation")
"""The types without productions: a name, a literal, and an annotation, which is not looked at."""

_TOKEN = re.compile(r"\s+|--[^\n]*|(?P<token>\w+|[{}()=|,]|\?\*|[?*])")


class GrammarError(ValueError):
    """The text is not a grammar."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a node; the quantifier is ``""``, ``"?"``, ``"*"`` or ``"?*"``."""

    name: str
    type: str
    quantifier: str


Productions = dict[str, tuple[Field, ...]]


class Grammar(dict[str, Productions]):
    """The productions of each type; ``includes`` has, for a type, those that are a part of it."""

    def __init__(self) -> None:
        super().__init__()
        self.includes: dict[str, list[str]] = {}


def parse(text: str) -> Grammar:
    """The grammar that ``text`` describes.

    Raises:
        GrammarError: it is no grammar, or it uses a type that it doesn't define.
    """
    return _Parser(_tokens(text)).module()


def _tokens(text: str) -> list[str]:
    tokens, position = [], 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise GrammarError(f"unexpected {text[position]!r}")
        position = match.end()
        if match["token"]:
            tokens.append(match["token"])
    return tokens


class _Parser:
    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens
        self._position = 0
        self._grammar = Grammar()

    def module(self) -> Grammar:
        self._expect("module")
        self._name()
        self._expect("{")
        grammar = self._grammar
        while not self._accept("}"):
            name = self._name()
            if name in grammar or name in TERMINALS:
                raise GrammarError(f"{name} is defined twice")
            grammar[name] = self._alternatives(name)
        if self._position != len(self._tokens):
            raise GrammarError(f"unexpected {self._tokens[self._position]!r} after the module")
        _include(grammar)
        _check_types(grammar)
        return grammar

    def _alternatives(self, type_: str) -> Productions:
        self._expect("=")
        productions: Productions = {}
        while True:
            name = self._name()
            is_class = name[0].isupper() or self._peek() == "("
            if not is_class:
                self._grammar.includes.setdefault(type_, []).append(name)
            elif name in productions:
                raise GrammarError(f"{type_} has {name} twice")
            else:
                productions[name] = self._fields()
            if not self._accept("|"):
                return productions

    def _fields(self) -> tuple[Field, ...]:
        fields: list[Field] = []
        if self._accept("("):
            while not self._accept(")"):
                if fields:
                    self._expect(",")
                type_ = self._name()
                quantifier = next((q for q in ("?*", "?", "*") if self._accept(q)), "")
                fields.append(Field(self._name(), type_, quantifier))
        return tuple(fields)

    def _peek(self) -> str:
        return self._tokens[self._position] if self._position < len(self._tokens) else ""

    def _accept(self, token: str) -> bool:
        found = self._peek() == token
        self._position += found
        return found

    def _expect(self, token: str) -> None:
        if not self._accept(token):
            raise GrammarError(f"expected {token!r}, found {self._peek()!r}")

    def _name(self) -> str:
        token = self._peek()
        if not token.isidentifier():
            raise GrammarError(f"expected a name, found {token!r}")
        self._position += 1
        return token


def _include(grammar: Grammar) -> None:
    for type_, others in grammar.includes.items():
        for other in others:
            if other in grammar.includes or other not in grammar:
                raise GrammarError(f"{type_} cannot include {other}")
            grammar[type_] = {**grammar[other], **grammar[type_]}


def _check_types(grammar: Grammar) -> None:
    for type_, productions in grammar.items():
        for name, fields in productions.items():
            for field in fields:
                if field.type not in grammar and field.type not in TERMINALS:
                    raise GrammarError(f"{type_}.{name} uses the unknown type {field.type}")
