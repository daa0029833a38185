"""What an undefined name was meant to be.

In: a name that nothing binds, and the names that are known where it stands. Out: the known one that
is spelt most like it.
"""

from __future__ import annotations

import ast
import builtins
import difflib
from collections.abc import Callable, Collection
from weakref import WeakKeyDictionary

from staticpy.source import SourceFile

_NEAR = 0.75
"""The share of letters that a name has in common with one that may have been meant."""

_MOST = 50_000
"""So many comparisons are made for one file, half a second's worth: where more names are undefined,
something else is wrong than their spelling."""


class Spelling:
    """The names of a file and the builtins, among which those that were meant are looked for."""

    def __init__(self, source: SourceFile) -> None:
        named = {getattr(node, "id", "") for node in ast.walk(source.tree)}
        named |= {getattr(node, "name", "") for node in source.tree.body}
        named |= {
            alias.asname or alias.name
            for node in source.tree.body
            if isinstance(node, ast.Import | ast.ImportFrom)
            for alias in node.names
        }
        self._names = [*(named - {"", None}), *dir(builtins)]
        self._left = _MOST

    def nearest(self, name: str, visible: Collection[str], exists: Callable[[str], bool]) -> str:
        """The name that is spelt most like ``name``, of those that are ``visible`` in a function
        and of those of the file that exist there; empty if none is near.
        """
        if self._left <= 0:
            return ""
        self._left -= len(visible) + len(self._names)
        near = {other for other in visible if _may_be_near(name, other)}
        outer = (other for other in self._names if _may_be_near(name, other))
        near.update(other for other in outer if exists(other))
        matches = difflib.get_close_matches(name, sorted(near - {name}), n=1, cutoff=_NEAR)
        return matches[0] if matches else ""


_KNOWN: WeakKeyDictionary[SourceFile, Spelling] = WeakKeyDictionary()


def spelling_of(source: SourceFile) -> Spelling:
    """The names of a file, which are gathered once."""
    if source not in _KNOWN:
        _KNOWN[source] = Spelling(source)
    return _KNOWN[source]


def _may_be_near(name: str, other: str) -> bool:
    """Whether names of these lengths can have enough letters in common."""
    return 2 * min(len(name), len(other)) >= _NEAR * (len(name) + len(other))
