"""The arguments of the command line, and what each command's exit code means."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from staticpy import __version__
from staticpy.cli import check, explain, manage, show
from staticpy.cli.console import drop_output, make_robust
from staticpy.cli.exits import FINDINGS, INTERRUPTED, OK

_REPORTED = ("numpy", "gast", "astunparse", "llvmlite", "scipy")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; bad usage raises SystemExit(2) as argparse does."""
    make_robust(sys.stdout, sys.stderr)
    given = sys.argv[1:] if arguments is None else arguments
    # The reason is optional, and a path that follows is not it.
    given = ["--add-ignore=" if each == "--add-ignore" else each for each in given]
    options = _parser().parse_args(given)
    command: Callable[[argparse.Namespace], int] = options.run
    try:
        code = command(options)
        if not sys.stdout.closed:  # the server ends with its connection
            sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        drop_output()
        return FINDINGS
    return code


class _Formatter(argparse.HelpFormatter):
    """argparse's own formatter, which loads the modules for archives to find the terminal's width;
    it is made for every argument.
    """

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_width())


def _width() -> int:
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and int(columns):
        return int(columns) - 2
    try:
        return os.get_terminal_size(1).columns - 2
    except OSError:
        return 78


class _Parser(argparse.ArgumentParser):
    """A parser whose parts start fast."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"formatter_class": _Formatter, **options})


def _parser() -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = _Parser(
        prog="staticpy",
        description="Compile a static subset of Python over NumPy, or hear why it can't be.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"staticpy {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True, prog="staticpy")
    check.add_parser(commands)
    explain.add_parsers(commands)
    show.add_parser(commands)
    manage.add_parsers(commands)
    version = commands.add_parser("version", help="print versions, for a bug report")
    version.set_defaults(run=_run_version)
    return parser


def _run_version(_: argparse.Namespace) -> int:
    print(f"staticpy {__version__}")
    platform = import_module("platform")
    print(f"{platform.python_implementation()} {platform.python_version()} on {sys.platform}")
    # Loaded here: it takes as long as the whole rest of the command line.
    metadata = import_module("importlib.metadata")
    for name in _REPORTED:
        try:
            print(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            print(f"{name} not installed")
    return OK
