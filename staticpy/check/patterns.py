"""Patterns of paths, in the language of ``.gitignore``.

In: a pattern and a path with slashes, relative to the folder that the pattern stands in. Out:
whether it matches. A pattern without a slash in its middle matches a name at any depth; ``**``
stands for any folders; a pattern that matches a folder matches what is in it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True)
class Pattern:
    """One line of a ``.gitignore``."""

    regex: re.Pattern[str]
    is_negated: bool
    is_for_folders: bool


@cache
def compiled(pattern: str) -> Pattern:
    """The meaning of a pattern."""
    is_negated = pattern.startswith("!")
    text = pattern[is_negated:]
    text = text.removeprefix("\\") if text[:2] in ("\\!", "\\#") else text
    is_for_folders = text.endswith("/")
    text = text.rstrip("/")
    is_anchored = "/" in text
    text = text.removeprefix("./").removeprefix("/")
    start = "" if is_anchored else "(?:.*/)?"
    return Pattern(_regex(start, text), is_negated, is_for_folders)


def _regex(start: str, text: str) -> re.Pattern[str]:
    try:
        return re.compile(f"{start}{_translated(text)}", re.DOTALL)
    except re.error:  # a class such as "[z-a]", which no name is in
        return re.compile(r"(?!)")


def _translated(text: str) -> str:
    parts, index = [], 0
    while index < len(text):
        for token, regex in _TOKENS:
            if text.startswith(token, index):
                parts.append(regex)
                index += len(token)
                break
        else:
            part, index = _one(text, index)
            parts.append(part)
    return "".join(parts)


_TOKENS = (
    ("/**/", "/(?:.*/)?"),
    ("**/", "(?:.*/)?"),
    ("/**", "/.*"),
    ("**", ".*"),
    ("*", "[^/]*"),
    ("?", "[^/]"),
)


def _one(text: str, index: int) -> tuple[str, int]:
    """A class, an escaped character or a plain one, and where what follows begins."""
    if text[index] == "[":
        end = text.find("]", index + 2)
        if end > 0:
            inside = text[index + 1 : end].replace("\\", "\\\\")
            inside = f"^{inside[1:]}" if inside[0] in "!^" else inside
            return f"[{inside}]", end + 1
    if text[index] == "\\" and index + 1 < len(text):
        return re.escape(text[index + 1]), index + 2
    return re.escape(text[index]), index + 1


def matches(path: str, pattern: str) -> bool:
    """Whether a pattern matches a file, or a folder that the file is in."""
    meaning = compiled(pattern)
    parts = path.split("/")
    last = len(parts) - 1 if meaning.is_for_folders else len(parts)
    found = any(meaning.regex.fullmatch("/".join(parts[:end])) for end in range(1, last + 1))
    return found is not meaning.is_negated


def ignored(name: str, lines: tuple[str, ...], *, is_folder: bool) -> bool | None:
    """What the lines of one ``.gitignore`` say of a path: the last that matches counts; None where
    none does.
    """
    for line in reversed(lines):
        meaning = compiled(line)
        if (is_folder or not meaning.is_for_folders) and meaning.regex.fullmatch(name):
            return not meaning.is_negated
    return None


def lines_of(text: str) -> tuple[str, ...]:
    """The patterns of a ``.gitignore``: its lines without comments and trailing blanks."""
    lines = (re.sub(r"(?<!\\)[ \t\r]+$", "", line) for line in text.split("\n"))
    return tuple(line for line in lines if line and not line.startswith("#"))
