"""The difference of two texts, as the smallest edits that make one of the other.

In: a text that an editor has open, and the text that it should be. Out: edits of what differs: the
editor keeps its cursors, folds and marks in all other lines.
"""

from __future__ import annotations

import difflib
import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import takewhile

from staticpy.diagnostics import Edit
from staticpy.source import SourceSpan

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")


def edits_between(before: str, after: str, file: str) -> list[Edit]:
    """The edits of ``before`` that make it ``after``, without the text that the two share."""
    old, new = _LINE.findall(before), _LINE.findall(after)
    starts = [0]
    for line in old:
        starts.append(starts[-1] + len(line))
    edits = []
    for kind, first, last, new_first, new_last in difflib.SequenceMatcher(
        None, old, new
    ).get_opcodes():
        if kind == "equal":
            continue
        removed, added = "".join(old[first:last]), "".join(new[new_first:new_last])
        head, tail = _shared(removed, added)
        start, end = starts[first] + head, starts[last] - tail
        span = SourceSpan(file, *_point(starts, start, old), *_point(starts, end, old))
        edits.append(Edit(span, added[head : len(added) - tail]))
    return edits


def _shared(one: str, other: str) -> tuple[int, int]:
    """How many characters two texts share at their beginnings, and of the rest at their ends; a
    line end of two characters is not split.
    """
    head = _beginning(one, other)
    if one[:head].endswith("\r"):
        head -= 1
    tail = _beginning(one[head:][::-1], other[head:][::-1])
    ends = (text[len(text) - tail - 1 : len(text) - tail] for text in (one[head:], other[head:]))
    if tail and one[len(one) - tail] == "\n" and "\r" in ends:
        tail -= 1
    return head, tail


def _beginning(one: str, other: str) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _point(starts: Sequence[int], offset: int, lines: Sequence[str]) -> tuple[int, int]:
    """Line, from 1, and column of an offset. What follows the last line end is a line, too."""
    line = bisect_right(starts, offset) - 1
    is_end = line == len(lines) and bool(lines) and not lines[-1].endswith(("\r", "\n"))
    line -= is_end
    return line + 1, offset - starts[line]
