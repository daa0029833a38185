"""The tokens of the text form, each with its place; the first step of ``parser``.

In: text. Out: a TokenStream that the parser looks into and takes from. ``#`` starts a comment.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, NoReturn

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.source import SourceSpan

_TOKEN = re.compile(
    r"""
    (?P<space> \s+ | \#[^\n]* )
  | (?P<string> "(?:[^"\\\n]|\\.)*" )
  | (?P<value> %[\w.]+ )
  | (?P<hex> 0x[0-9a-fA-F]+ )
  | (?P<float> [0-9]+ (?: \.[0-9]+ (?:[eE][+-]?[0-9]+)? | [eE][+-]?[0-9]+ ) )
  | (?P<int> [0-9]+ )
  | (?P<punctuation> -> | \.\.\. | [{}()\[\],:=!?@|-] )
  | (?P<name> [^\W\d][\w.]* )
    """,
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the text: its kind (a group of the pattern, or ``end``), its text and its
    offset.
    """

    kind: str
    text: str
    offset: int


class TokenStream:
    """The tokens of a text, read from left to right."""

    def __init__(self, text: str, file: str) -> None:
        self._text = text
        self._file = file
        self._position = 0
        self._tokens: list[Token] = []
        offset = 0
        while offset < len(text):
            match = _TOKEN.match(text, offset)
            if match is None:
                self.fail(f"unexpected {text[offset]!r}", Token("", "", offset))
            kind = match.lastgroup
            assert kind is not None
            if kind != "space":
                self._tokens.append(Token(kind, match[0], offset))
            offset = match.end()
        self._tokens.append(Token("end", "", offset))

    def peek(self, ahead: int = 0) -> Token:
        """The next token, or one after it, which stays where it is."""
        return self._tokens[min(self._position + ahead, len(self._tokens) - 1)]

    def take(self) -> Token:
        """The next token."""
        token = self.peek()
        self._position += 1
        return token

    def accept(self, text: str) -> bool:
        """Take the next token if it is ``text``."""
        found = self.peek().text == text and self.peek().kind != "string"
        self._position += found
        return found

    def expect(self, text: str) -> None:
        """Take the next token, which must be ``text``."""
        if not self.accept(text):
            self.fail(f"expected {text!r}")

    def expect_kind(self, kind: str) -> Token:
        """Take the next token, which must be of this kind."""
        if self.peek().kind != kind:
            self.fail(f"expected a {kind}")
        return self.take()

    def fail(self, detail: str, token: Token | None = None) -> NoReturn:
        """Give up at ``token``, or at the next one.

        Raises:
            DiagnosticError: IR_SYNTAX_ERROR, always.
        """
        if token is None:
            token = self.peek()
            detail += f", found {token.text!r}" if token.text else ", found the end of the text"
        line = self._text.count("\n", 0, token.offset) + 1
        col = token.offset - (self._text.rfind("\n", 0, token.offset) + 1)
        span = SourceSpan(self._file, line, col, line, col + max(len(token.text), 1))
        place: dict[str, Any] = {"detail": f"{detail} (line {line}, column {col + 1})"}
        raise DiagnosticError(catalog.IR_SYNTAX_ERROR, span, **place)
