"""Standard output and error, whether they get colours, and the source lines to show there."""

from __future__ import annotations

import argparse
import io
import os
import sys
from typing import TextIO

from staticpy.diagnostics import escape
from staticpy.source import SourceError, read_text


def make_robust(*streams: TextIO) -> None:
    """Let a stream escape the characters that its encoding doesn't have, instead of failing."""
    for stream in streams:
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def add_color(parser: argparse.ArgumentParser) -> None:
    """The argument that ``wants_color`` is for."""
    parser.add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="colours (default: on terminals; NO_COLOR and FORCE_COLOR are honoured)",
    )


def wants_color(choice: str, stream: TextIO) -> bool:
    """Whether to write colours: as asked for, else by NO_COLOR, FORCE_COLOR, the terminal."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def warn(message: str) -> None:
    """One line on standard error."""
    print(f"staticpy: {escape(message)}", file=sys.stderr)


def lines_on_disk(file: str) -> list[str]:
    """The lines of a file as it is now; none where it can't be read.

    ``linecache`` keeps what a relative name stood for in another folder.
    """
    try:
        return read_text(file).split("\n")
    except SourceError:
        return []


def drop_output() -> None:
    """Send what is still buffered nowhere: the reader of the pipe has gone."""
    try:
        descriptor = sys.stdout.fileno()
    except (OSError, ValueError):
        return
    os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)
