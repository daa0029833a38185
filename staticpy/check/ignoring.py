"""Writes the comments that hide findings: ``staticpy check --add-ignore``.

In: a text and its findings. Out: the text with a comment ``# staticpy: ignore[…]`` in each
statement that has a finding, and nothing else changed. A comment that is there already gets the
code, too.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections import defaultdict
from collections.abc import Iterator, Sequence

from staticpy.check.suppressions import SHOWN, Statements
from staticpy.diagnostics import Diagnostic
from staticpy.source import SourceError, normalize, parse_text

_COMMENT = re.compile(r"#\s*staticpy:\s*ignore\s*\[([^\]]*)\]")


def with_ignores(text: str, found: Sequence[Diagnostic], reason: str = "") -> tuple[str, int]:
    """The text with its comments, and how many findings they hide."""
    try:
        places = Statements(parse_text(text, "<text>"))
        free = _free_lines(normalize(text))
        comments = _comments(normalize(text))
    except (SourceError, tokenize.TokenError, SyntaxError):
        return text, 0
    wanted: dict[int, dict[str, None]] = defaultdict(dict)
    count = 0
    for item in found:
        if item.code not in SHOWN:
            line = _line_for(item.span.line, places, free)
            wanted[line][item.code] = None
            count += 1
    lines = re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z", text)
    for line, codes in sorted(wanted.items(), reverse=True):
        start = comments.get(line) if line in free else None
        _comment(lines, line, tuple(codes), reason, start, is_free=line in free)
    return "".join(lines), count


def _free_lines(text: str) -> frozenset[int]:
    """The lines at whose end a comment can stand: not inside a text, not before a backslash."""
    lines = text.split("\n")
    free = {number for number, line in enumerate(lines, 1) if not line.endswith("\\")}
    for first, last in _texts(text):
        free.difference_update(range(first, last))
    return frozenset(free)


def _comments(text: str) -> dict[int, int]:
    """The columns of the comments, by line: what looks like one may be in a string."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return dict(token.start for token in tokens if token.type == tokenize.COMMENT)


def _texts(text: str) -> Iterator[tuple[int, int]]:
    """The lines of the tokens that hold the ends of lines, and of f-strings as a whole: since 3.12
    their pieces are tokens, and a comment in the braces is read, but in no Python before, and by
    ``{x=}`` it is printed.
    """
    depth = first = 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        name = tokenize.tok_name[token.type]
        if name.endswith("STRING_START"):
            first = first if depth else token.start[0]
            depth += 1
        elif name.endswith("STRING_END"):
            depth -= 1
            yield first, token.end[0]
        elif token.type not in (tokenize.NEWLINE, tokenize.NL):
            yield token.start[0], token.end[0]


def _line_for(line: int, places: Statements, free: frozenset[int]) -> int:
    """The line of the statement around ``line`` to comment; its first, to be commented above, where
    none of them can hold a comment.
    """
    first, last = places.lines(line)
    return next(
        (each for each in (*range(line, last + 1), *range(first, line)) if each in free), first
    )


def _comment(
    lines: list[str],
    line: int,
    codes: tuple[str, ...],
    reason: str,
    start: int | None,
    *,
    is_free: bool,
) -> None:
    """Write a comment to a line, or into the one that begins at ``start``."""
    body = lines[line - 1].rstrip("\r\n")
    end = lines[line - 1][len(body) :]
    note = f" {reason}" if reason else ""
    if not is_free:
        indent = body[: len(body) - len(body.lstrip())]
        newline = end or "\n"
        lines.insert(line - 1, f"{indent}# staticpy: ignore[{', '.join(codes)}]{note}{newline}")
        return
    there = None if start is None else _COMMENT.search(body, start)
    if there:
        names = [each for each in re.split(r"[\s,]+", there[1]) if each]
        merged = ", ".join(dict.fromkeys([*names, *codes]))
        lines[line - 1] = f"{body[: there.start(1)]}{merged}{body[there.end(1) :]}{end}"
        return
    lines[line - 1] = f"{body.rstrip()}  # staticpy: ignore[{', '.join(codes)}]{note}{end}"
