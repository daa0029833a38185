"""Text that is safe to show: hidden and reordering characters become escapes; widths in columns.

In: any string, from source code, a message or a file name. Out: a string that no terminal, log or
annotation format can take for anything else, and the number of columns that it fills.
"""

from __future__ import annotations

import unicodedata

TAB = "    "
"""What a tab is shown as, wherever it stands: the marks under it then need no tab stops."""

_LONGEST_VALUE = 300
"""Characters of one value in a message; what is longer (a huge constant) is cut in the middle."""

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_ZERO_WIDTH = frozenset({"Mn", "Me"})


def escape_character(character: str) -> str:
    r"""``character`` itself, or its escape if it is hidden: ``\x1b``, ``\u202e``."""
    if " " <= character <= "~":
        return character
    if unicodedata.category(character) not in _HIDDEN:
        return character
    return character.encode("unicode_escape", "backslashreplace").decode("ascii")


def escape(text: str) -> str:
    """``text`` with every control, bidirectional, invisible or unassigned character escaped."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(escape_character, text))


def shown_value(value: object) -> str:
    """A value of a message as it is shown: escaped, not too long, and never an exception."""
    try:
        text = str(value)
    except Exception:
        # Its class is the user's: a report must not fail because of it.
        text = f"<{type(value).__name__}>"
    if len(text) > _LONGEST_VALUE:
        half = _LONGEST_VALUE // 2
        text = f"{text[:half]}…{text[-half:]}"
    return escape(text)


def shown_source(text: str) -> str:
    """Text of a source line as it is shown."""
    return TAB.join(map(escape, text.split("\t")))


def width(text: str) -> int:
    """How many terminal columns ``text`` (already escaped) fills."""
    if text.isascii():
        return len(text)
    return sum(map(_character_width, text))


def _character_width(character: str) -> int:
    if unicodedata.category(character) in _ZERO_WIDTH:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def split_lines(text: str) -> list[str]:
    """The lines of source text as Python counts them: form feeds and U+2028 don't end one."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
