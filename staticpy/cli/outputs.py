"""Where the reports go: to standard output, to files, or to both, each in a format of its own."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from staticpy.check import Settings, SettingsError
from staticpy.cli.console import wants_color, warn
from staticpy.cli.formats import FORMATS, Run, render

_DEFAULT = "full"


@dataclass(frozen=True, slots=True)
class Output:
    """One report: its format, and the file it goes to, or None for standard output."""

    style: str
    file: str | None = None
    color: str = "auto"

    def write(self, run: Run) -> bool:
        """Write the report; False where the file can't be written."""
        is_colored = self.file is None and wants_color(self.color, sys.stdout)
        text = render(self.style, replace(run, color=is_colored))
        if self.file is None:
            sys.stdout.write(text)
            sys.stdout.flush()
            return True
        try:
            Path(self.file).write_text(text, encoding="utf-8", errors="backslashreplace")
        except OSError as error:
            warn(f"cannot write '{self.file}': {error.strerror}")
            return False
        return True


def outputs_of(options: argparse.Namespace, settings: Settings) -> list[Output]:
    """The reports that are asked for, on the command line or else in the settings.

    A file without a format gets the report that standard output would have.

    Raises:
        SettingsError: there is no such format, or a file can't be written.
    """
    given = settings.output_format
    style: str | None = options.output_format
    if style is None:
        plain = [each for each in given if ":" not in each]
        style = plain[-1] if plain else _DEFAULT
    if style not in FORMATS:
        raise SettingsError(f"there is no format '{style}'", "output-format")
    places = options.output_file or [each for each in given if ":" in each]
    files = [_output(place, style) for place in places]
    takes_over = any(not _has_format(place) for place in places)
    for output in files:
        _make(str(output.file))
    return [*([] if takes_over else [Output(style, None, options.color)]), *files]


def _has_format(place: str) -> bool:
    return place.partition(":")[0] in FORMATS and ":" in place


def _output(place: str, style: str) -> Output:
    own, colon, file = place.partition(":")
    if not _has_format(place):
        if colon and own.isalpha() and len(own) > 1:  # a single letter is a drive
            why = f"there is no format '{own}' (for a file of this name write './{place}')"
            raise SettingsError(why, "output-file")
        return Output(style, place)
    if not file:
        raise SettingsError(f"'{place}' names no file", "output-file")
    return Output(own, file)


def _make(file: str) -> None:
    """Find out before the check, which may take long, whether its report can be written."""
    try:
        Path(file).open("a").close()
    except OSError as error:
        raise SettingsError(f"cannot write '{file}': {error.strerror}") from None
