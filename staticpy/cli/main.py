"""The arguments of the command line, and what each command's exit code means."""

from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Callable, Sequence
from importlib import import_module

from staticpy import __version__
from staticpy.cli import check, explain, show
from staticpy.cli.console import drop_output, make_robust
from staticpy.cli.exits import FINDINGS, INTERRUPTED, OK

_REPORTED = ("numpy", "gast", "astunparse", "llvmlite", "scipy")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; bad usage raises SystemExit(2) as argparse does."""
    make_robust(sys.stdout, sys.stderr)
    options = _parser().parse_args(arguments)
    command: Callable[[argparse.Namespace], int] = options.run
    try:
        code = command(options)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        drop_output()
        return FINDINGS
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="staticpy",
        description="Compile a static subset of Python over NumPy, or hear why it can't be.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"staticpy {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    check.add_parser(commands)
    explain.add_parsers(commands)
    show.add_parser(commands)
    version = commands.add_parser("version", help="print versions, for a bug report")
    version.set_defaults(run=_run_version)
    return parser


def _run_version(_: argparse.Namespace) -> int:
    print(f"staticpy {__version__}")
    print(f"{platform.python_implementation()} {platform.python_version()} on {sys.platform}")
    # Loaded here: it takes as long as the whole rest of the command line.
    metadata = import_module("importlib.metadata")
    for name in _REPORTED:
        try:
            print(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            print(f"{name} not installed")
    return OK
