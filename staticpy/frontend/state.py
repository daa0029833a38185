"""The state of the abstract run: cells that can be written, a journal of the writes, and undo.

Everything that a program can change while it is lowered is a cell: a variable of a frame, the
content of a list, a dict or an object. Where paths part, each side is lowered in a scope of the
journal: its writes are noted, read off at its end, and undone before the other side begins.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, Protocol


class Absent:
    """The type of ABSENT."""

    def __repr__(self) -> str:
        return "<absent>"


ABSENT: Final = Absent()
"""The value of a cell that nothing has been written to."""

_SERIAL = itertools.count(1)


def next_serial() -> int:
    """A number that grows: what was made earlier has a smaller one."""
    return next(_SERIAL)


class Cells(dict[Any, Any]):
    """A group of cells, by key, whose writes are noted in a journal.

    ``kind`` says what they are: ``variables``, whose ``spans`` say where each was last assigned;
    ``spans``; ``memory``, by Ref; or ``path``, the state of the path itself.
    """

    __slots__ = ("is_state", "journal", "kind", "serial", "spans")
    __hash__ = object.__hash__  # type: ignore[assignment]

    def __init__(self, journal: Journal, kind: str, spans: Cells | None = None) -> None:
        super().__init__()
        self.journal = journal
        self.kind = kind
        self.serial = next_serial()
        self.spans = spans
        self.is_state = False
        """Whether these are the state of an iterator, which an exception leaves as it is."""

    def __eq__(self, other: object) -> bool:
        return self is other

    def __setitem__(self, key: Any, value: Any) -> None:
        self.journal.note(self, key)
        super().__setitem__(key, value)

    def __delitem__(self, key: Any) -> None:
        self.journal.note(self, key)
        super().__delitem__(key)

    def drop(self, key: Any) -> None:
        """Empty a cell, if it holds something."""
        if key in self:
            del self[key]

    def put(self, key: Any, value: Any) -> None:
        """Write a value, or empty the cell where it is ABSENT."""
        if value is ABSENT:
            self.drop(key)
        else:
            self[key] = value


Cell = tuple[Cells, Any]
"""A cell: its group and its key."""


class Log(dict[Cell, Any]):
    """The cells that were written in a scope, each with its value before."""

    def ends(self) -> dict[Cell, Any]:
        """The cells with their values now."""
        return {(cells, key): cells.get(key, ABSENT) for cells, key in self}

    def undo(self) -> None:
        """Give every cell the value that it had before."""
        for (cells, key), value in self.items():
            if value is ABSENT:
                dict.pop(cells, key, None)
            else:
                dict.__setitem__(cells, key, value)


class Listed(Protocol):
    """What is collected while lowering, and forgotten where an attempt fails."""

    def mark(self) -> int:
        """A place to which ``rollback`` returns."""

    def rollback(self, mark: int) -> object:
        """Forget what came since ``mark``."""


class Journal:
    """Notes the first write to each cell in the innermost scope."""

    def __init__(self) -> None:
        self._scopes: list[Log] = []
        self._listed: list[Listed] = []

    def follow(self, listed: Listed) -> None:
        """Roll ``listed`` back, too, where an attempt fails."""
        self._listed.append(listed)

    def note(self, cells: Cells, key: Any) -> None:
        """Remember what a cell holds before it is written."""
        if self._scopes:
            self._scopes[-1].setdefault((cells, key), cells.get(key, ABSENT))

    @contextmanager
    def scope(self) -> Iterator[Log]:
        """Run a piece of the program whose writes are undone at the end; read ``ends()`` before."""
        log = Log()
        self._scopes.append(log)
        try:
            yield log
        finally:
            self._scopes.pop()
            log.undo()

    @contextmanager
    def attempt(self) -> Iterator[Log]:
        """Run a piece of the program whose writes stay, unless it raises."""
        log = Log()
        self._scopes.append(log)
        marks = [(listed, listed.mark()) for listed in self._listed]
        try:
            yield log
        except BaseException:
            self._scopes.pop()
            log.undo()
            for listed, mark in marks:
                listed.rollback(mark)
            raise
        self._scopes.pop()
        if self._scopes:
            for cell, value in log.items():
                self._scopes[-1].setdefault(cell, value)
