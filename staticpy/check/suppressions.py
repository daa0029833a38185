"""Comments that hide findings: ``# staticpy: ignore[SPY104] the reason``.

In: the text of a file and its findings. Out: which of them are hidden, by what comment, and what is
to be said of the comments themselves. A comment counts for the statement that it is on a line of,
or that follows it where it has a line of its own; on a ``def``, for the function;
``file-ignore[…]`` for the file. ``# noqa: SPY104`` counts as well, for the statement.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from staticpy.check.selection import ALWAYS, Rules, codes_of, unknown_rule
from staticpy.diagnostics import Diagnostic, Edit, Fix, catalog
from staticpy.source import SourceError, SourceFile, SourceSpan, parse_text

_COMMENT = re.compile(r"#\s*staticpy:\s*(?P<kind>file-ignore|ignore)(?:\s*\[(?P<codes>[^\]]*)\])?")
_NOQA = re.compile(r"#\s*noqa:\s*(?P<codes>[A-Z]+\d+(?:[,\s]+[A-Z]+\d+)*)", re.IGNORECASE)
_LONGEST = 1000
"""Characters of a comment that are read: who hides more than they can name hides everything."""
_MOST_HINTS = 20
"""Unknown names in a file for which a near one is looked for, which takes milliseconds each."""
_OF_COMMENTS = (
    catalog.UNUSED_SUPPRESSION,
    catalog.UNKNOWN_SUPPRESSION,
    catalog.BARE_SUPPRESSION,
)
SHOWN = ALWAYS.union(spec.code for spec in _OF_COMMENTS)
"""Codes that no comment hides: what was not checked, and what is wrong with comments."""
_HEADS = (ast.stmt, ast.ExceptHandler, ast.match_case)


@dataclass(slots=True)
class Suppression:
    """One comment: what it hides, in which lines, and which of it was needed."""

    span: SourceSpan
    selectors: tuple[str, ...]
    reason: str
    first_line: int
    last_line: int
    functions: tuple[int, ...] = ()
    """The lines of the definitions of the functions around it."""
    is_noqa: bool = False
    used: set[str] = field(default_factory=set)

    def hides(self, finding: Diagnostic) -> bool:
        """Whether it hides a finding in its lines, which then counts as a use."""
        found = [each for each in self.selectors if finding.code in codes_of(each)]
        self.used.update(found)
        return bool(found)


def may_have_suppressions(text: str | bytes) -> bool:
    """Whether it is worth to look for comments."""
    if isinstance(text, bytes):
        return _has_mark(text) and any(
            _has_mark(line.partition(b"#")[2]) for line in text.split(b"\n")
        )
    return _has_mark(text) and any(_has_mark(line.partition("#")[2]) for line in text.split("\n"))


def _has_mark(text: str | bytes) -> bool:
    if isinstance(text, bytes):
        return b"staticpy:" in text or b"SPY" in text
    return "staticpy:" in text or "SPY" in text


def suppressions(text: str, file: str) -> list[Suppression]:
    """The comments of a file that hide findings; none where it can't be parsed."""
    if not may_have_suppressions(text):
        return []
    comments = list(_comments(text))
    if not comments:
        return []
    try:
        places = Statements(parse_text(text, file))
    except SourceError:
        return []
    return [each for token in comments for each in _read(token, file, places)]


def _comments(text: str) -> Iterator[tokenize.TokenInfo]:
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT and may_have_suppressions(token.string):
                yield token
    except (tokenize.TokenError, SyntaxError):
        return


def _read(token: tokenize.TokenInfo, file: str, places: Statements) -> Iterator[Suppression]:
    line, col = token.start
    text = token.string[:_LONGEST]
    for match in _COMMENT.finditer(text):
        rest = text[match.end() :]
        reason, _, _ = rest.partition("#")
        end = match.end() + len(reason.rstrip())
        span = SourceSpan(file, line, col + match.start(), line, col + end)
        selectors = tuple(dict.fromkeys(re.findall(r"[^\s,]+", match["codes"] or "")))
        first, last = 1, places.count
        if match["kind"] == "ignore":
            first, last = places.around(line, is_own_line=not token.line[:col].strip())
        functions = places.functions_around(line)
        yield Suppression(span, selectors, reason.strip(" -:—"), first, last, functions)
    for match in _NOQA.finditer(text):
        names = re.findall(r"[A-Za-z]+\d+", match["codes"])
        codes = dict.fromkeys(map(str.upper, names))
        own = tuple(each for each in codes if each.startswith("SPY"))
        if own:
            span = SourceSpan(file, line, col + match.start(), line, col + match.end())
            first, last = places.around(line, is_own_line=False)
            functions = places.functions_around(line)
            yield Suppression(span, own, "", first, last, functions, is_noqa=True)


class Statements:
    """The lines of the statements of a file."""

    def __init__(self, source: SourceFile) -> None:
        self.count = len(source.lines)
        self._heads: list[_Head] = []
        self._functions: list[tuple[int, int, int]] = []
        pending: list[ast.AST] = [source.tree]
        while pending:
            node = pending.pop()
            if isinstance(node, _HEADS):
                self._heads.append(_head(node))
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                place = _first_line(node), node.end_lineno or node.lineno, node.lineno
                self._functions.append(place)
            pending.extend(ast.iter_child_nodes(node))
        self._heads.sort(key=lambda head: (head.first, -head.last))
        self._firsts = [head.first for head in self._heads]

    def around(self, line: int, *, is_own_line: bool) -> tuple[int, int]:
        """The lines that a comment covers."""
        head = self._at(line)
        if head and line <= (head.last_inside if is_own_line else head.last):
            return head.first, head.covered
        following = bisect_right(self._firsts, line)
        if is_own_line and following < len(self._heads):
            return self._heads[following].first, self._heads[following].covered
        return line, line

    def functions_around(self, line: int) -> tuple[int, ...]:
        """The lines of the definitions of the functions that a line is in."""
        return tuple(place for first, last, place in self._functions if first <= line <= last)

    def lines(self, line: int) -> tuple[int, int]:
        """The first and the last line of the head of the statement around a line."""
        head = self._at(line)
        return (head.first, head.last) if head and line <= head.last else (line, line)

    def _at(self, line: int) -> _Head | None:
        """The last head to begin before a line ends: heads hold no statements, so that only those
        on one line can share it, and of these it is the innermost.
        """
        number = bisect_right(self._firsts, line)
        return self._heads[number - 1] if number else None


@dataclass(frozen=True, slots=True)
class _Head:
    """The lines of a statement without the statements in it.

    ``last_inside``: the last on which a comment of its own line is still inside of it; ``covered``:
    the last that a comment on it covers, which for a function is its end.
    """

    first: int
    last: int
    last_inside: int
    covered: int


def _first_line(node: ast.AST) -> int:
    place = node.pattern if isinstance(node, ast.match_case) else node
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min(int(getattr(each, "lineno", 0)) for each in (place, *decorators))


def _head(node: ast.AST) -> _Head:
    first = _first_line(node)
    inside = getattr(node, "body", None) or getattr(node, "cases", None)
    if not inside:
        end = int(getattr(node, "end_lineno", first))
        return _Head(first, end, end - 1, end)
    last = max(first, _first_line(inside[0]) - 1)
    parts = [each for each in ast.iter_child_nodes(node) if not isinstance(each, _HEADS)]
    ends = [getattr(each, "end_lineno", first) for part in parts for each in ast.walk(part)]
    is_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    end = int(getattr(node, "end_lineno", last)) if is_function else last
    return _Head(first, last, max([first, *ends]) - 1, end)


def apply(
    found: Sequence[Diagnostic], comments: Sequence[Suppression]
) -> tuple[list[Diagnostic], list[tuple[Diagnostic, Suppression]]]:
    """The findings that stay, and those that a comment hides, with the comment."""
    kept: list[Diagnostic] = []
    hidden: list[tuple[Diagnostic, Suppression]] = []
    by_line = defaultdict[int, list[Suppression]](list)
    lines = sorted({finding.span.line for finding in found})
    for comment in comments:
        start = bisect_left(lines, comment.first_line)
        for line in lines[start : bisect_right(lines, comment.last_line)]:
            by_line[line].append(comment)
    for finding in found:
        near = () if finding.code in SHOWN else by_line.get(finding.span.line, ())
        # Every comment that hides it is in use, so that none of two is called unused.
        hiding = [each for each in near if each.hides(finding)]
        if hiding:
            hidden.append((finding, hiding[0]))
        else:
            kept.append(finding)
    return kept, hidden


def said_of(
    comments: Sequence[Suppression],
    rules: Rules,
    lines: Sequence[str],
    checked: Collection[int] | None = None,
) -> list[Diagnostic]:
    """What there is to say of the comments themselves, after ``apply``.

    Args:
        comments: the comments of a file.
        rules: what is reported.
        lines: the lines of the file.
        checked: the lines of the functions that were checked, None for all. Of a comment in another
            one it is not known whether it is needed: the function may be called from another file.
    """
    found: list[Diagnostic] = []
    for comment in comments:
        unknown = [each for each in comment.selectors if not codes_of(each)]
        for name in unknown:
            detail: dict[str, object] = {
                "detail": unknown_rule(name, hint=len(found) < _MOST_HINTS)
            }
            found.append(Diagnostic(catalog.UNKNOWN_SUPPRESSION, comment.span, detail))
        if not comment.selectors:
            found.append(Diagnostic(catalog.BARE_SUPPRESSION, comment.span))
        is_checked = checked is None or not comment.functions
        is_checked = is_checked or any(line in (checked or ()) for line in comment.functions)
        unused = [
            each
            for each in comment.selectors
            if is_checked
            and each not in comment.used
            and not codes_of(each).isdisjoint(rules.levels)
        ]
        if unused:
            fix = _without(comment, [*unused, *unknown], lines)
            codes: dict[str, object] = {"codes": ", ".join(unused)}
            found.append(Diagnostic(catalog.UNUSED_SUPPRESSION, comment.span, codes, fix=fix))
    return found


def _without(comment: Suppression, names: Sequence[str], lines: Sequence[str]) -> Fix | None:
    """The fix that takes names out of a comment, and the comment away where none is left."""
    if comment.is_noqa:
        return None  # its other codes are another tool's
    left = [each for each in comment.selectors if each not in names]
    span, line = comment.span, lines[comment.span.line - 1]
    if left:
        start = line.index("[", span.col) + 1
        stop = line.index("]", start)
        place = SourceSpan(span.file, span.line, start, span.line, stop)
        return Fix(f"Remove {', '.join(names)}", (Edit(place, ", ".join(left)),), is_safe=True)
    start = len(line[: span.col].rstrip())
    place = SourceSpan(span.file, span.line, start, span.line, span.end_col)
    if start == 0 and span.end_col == len(line.rstrip()) and span.line < len(lines):
        place = SourceSpan(span.file, span.line, 0, span.line + 1, 0)
    return Fix("Remove the comment", (Edit(place, ""),), is_safe=True)
