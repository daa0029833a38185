"""The source lines that a report shows: of standard input as read, of files from the disk."""

from __future__ import annotations

from collections.abc import Sequence

from staticpy.cli.console import lines_on_disk
from staticpy.source import SourceError, decode


class Texts:
    """The lines of files by their names. Of those read from the disk, the last is kept."""

    def __init__(self) -> None:
        self._kept: dict[str, Sequence[str]] = {}
        self._last: tuple[str, Sequence[str]] = ("", ())

    def keep(self, file: str, data: bytes) -> None:
        """Take what ``file`` holds from ``data``."""
        try:
            self._kept[file] = decode(data, file).split("\n")
        except SourceError:
            self._kept[file] = ()

    def forget(self) -> None:
        """Read the files again: they were written."""
        self._last = ("", ())

    def lines(self, file: str) -> Sequence[str]:
        """The lines of a file; none where it can't be read."""
        if file in self._kept:
            return self._kept[file]
        if file != self._last[0]:
            self._last = file, lines_on_disk(file)
        return self._last[1]
