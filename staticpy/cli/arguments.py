"""The arguments of ``staticpy check``, and the settings that they make of those of the file."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from staticpy.check import SCOPES, Settings, SettingsError, load, target_version
from staticpy.cli.console import add_color
from staticpy.cli.formats import FORMATS
from staticpy.diagnostics import Severity

_EPILOG = (
    "Exit codes: 0 no errors, 1 errors, 2 bad usage or a named path that is missing or unreadable, "
    "3 an internal error (SPY902), 130 interrupted."
)


def add_parser(
    commands: argparse._SubParsersAction[argparse.ArgumentParser],
) -> argparse.ArgumentParser:
    """The arguments of ``staticpy check``."""
    parser = commands.add_parser(
        "check",
        help="report what cannot be compiled, without running it",
        description="Report what cannot be compiled in Python files. Nothing is imported or run.",
        epilog=_EPILOG,
        allow_abbrev=False,
    )
    parser.add_argument(
        "paths", nargs="*", default=["."], metavar="PATH", help="files, folders, or - (default: .)"
    )
    for add in (_add_output, _add_selection, _add_fixes, _add_files, _add_adoption, _add_run):
        add(parser)
    return parser


def _add_output(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("report")
    group.add_argument(
        "--output-format",
        choices=tuple(FORMATS),
        metavar="FORMAT",
        help=f"one of {', '.join(FORMATS)} (default: full)",
    )
    group.add_argument(
        "-o",
        "--output-file",
        action="append",
        default=[],
        metavar="[FORMAT:]FILE",
        help="write the report there; with a format, one more report. Repeatable",
    )
    group.add_argument("--statistics", action="store_true", help="count the findings of each rule")
    group.add_argument(
        "--explain-types",
        action="store_true",
        help="list the type of each variable of what is compiled, instead of findings",
    )
    group.add_argument("--exit-zero", action="store_true", help="end with 0 in spite of errors")
    group.add_argument("-q", "--quiet", action="store_true", help="no summary")
    group.add_argument(
        "-v",
        "--verbose",
        action="store_true",
        help="show where a function is checked only in part; tracebacks of internal errors",
    )
    add_color(parser)


def _add_selection(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group(
        "rules", "A RULE is a code, the beginning of one, a name, or ALL; several with commas."
    )
    for name, text in (
        ("--select", "report these and no others, whatever the settings select and ignore"),
        ("--ignore", "leave these out"),
        ("--extend-select", "report these, too"),
        ("--error", "take these for errors"),
        ("--warn", "take these for warnings"),
        ("--info", "take these for information"),
    ):
        group.add_argument(name, action="append", type=_rules, metavar="RULES", help=text)
    group.add_argument(
        "--preview",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="report rules in preview, too, which may yet change",
    )
    group.add_argument(
        "--per-file-ignores",
        action="append",
        type=_file_rule,
        metavar="PATTERN:RULES",
        help="leave these out in files. Repeatable",
    )
    group.add_argument(
        "--error-on-warning", action="store_true", default=None, help="end with 1 for warnings, too"
    )
    group.add_argument(
        "--scope",
        choices=SCOPES,
        help="decorated: the functions given to "
        "staticpy.jit (default); reachable: what they call, too; all: every "
        "function, as if it were decorated",
    )
    group.add_argument(
        "--target-version",
        metavar="PYNNN",
        help="the Python that the program runs in, as py311 (default: the one that runs this)",
    )
    group.add_argument(
        "--backend",
        metavar="NAME",
        help="compile for this backend, too, and report what it has no form of",
    )


def _add_fixes(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("fixes")
    group.add_argument("--fix", action="store_true", help="write the fixes that change no meaning")
    group.add_argument("--unsafe-fixes", action="store_true", help="make the other ones, too")
    group.add_argument("--diff", action="store_true", help="show what '--fix' would write")
    group.add_argument("--show-fixes", action="store_true", help="list what was fixed")
    group.add_argument("--fix-only", action="store_true", help="fix, and report nothing")


def _add_files(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("files")
    group.add_argument(
        "--exclude",
        action="append",
        type=_texts,
        metavar="PATTERNS",
        help="leave these out, in the place of the default ones",
    )
    group.add_argument(
        "--extend-exclude",
        action="append",
        type=_texts,
        metavar="PATTERNS",
        help="leave these out, too",
    )
    for name, text in (
        ("--force-exclude", "leave out what is excluded also where it is named"),
        ("--respect-gitignore", "leave out what git ignores (default)"),
    ):
        group.add_argument(name, action=argparse.BooleanOptionalAction, default=None, help=text)
    group.add_argument(
        "--stdin-filename", metavar="NAME", default="<stdin>", help="what to call the input of -"
    )
    group.add_argument("--show-files", action="store_true", help="list the files, check nothing")
    group.add_argument("--show-settings", action="store_true", help="print the settings as JSON")


def _add_adoption(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("adoption")
    group.add_argument("--baseline", metavar="FILE", help="don't report the findings it counts")
    group.add_argument("--update-baseline", action="store_true", help="count them anew")
    group.add_argument(
        "--add-ignore",
        metavar="=REASON",
        help="write a comment that hides it beside each finding; the reason is optional",
    )


def _add_run(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("run")
    group.add_argument("--config", metavar="FILE", help="read the settings of this file")
    group.add_argument("--isolated", action="store_true", help="read no settings")
    group.add_argument("--no-cache", action="store_true", help="check everything anew")
    group.add_argument("--cache-dir", metavar="FOLDER", help="default: .staticpy_cache")
    group.add_argument(
        "-j",
        "--jobs",
        type=_count,
        default=0,
        metavar="N",
        help="processes (default: as many as there are processors, if it pays)",
    )
    group.add_argument("-w", "--watch", action="store_true", help="check again when files change")


def _texts(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


_rules = _texts


def _file_rule(text: str) -> tuple[str, tuple[str, ...]]:
    pattern, colon, rules = text.rpartition(":")
    if not colon or not pattern or not _texts(rules):
        raise argparse.ArgumentTypeError(f"'{text}' is not PATTERN:RULES")
    return pattern, _texts(rules)


def _count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"'{text}' is not a number")
    if not int(text):
        raise argparse.ArgumentTypeError("it takes one process at least")
    return int(text)


def settings_of(options: argparse.Namespace) -> Settings:
    """The settings of the file, as the arguments change them.

    Raises:
        SettingsError: a setting can't be meant.
    """
    if options.config and options.isolated:
        raise SettingsError("'--config' and '--isolated' contradict each other")
    for name in ("fix", "diff", "fix_only") if options.add_ignore is not None else ():
        if getattr(options, name):
            flag = name.replace("_", "-")
            raise SettingsError(f"'--add-ignore' and '--{flag}' contradict each other")
    settings = load(Path.cwd(), options.config, is_isolated=options.isolated)
    return replace(settings, **_selection(options, settings), **_others(options, settings))


def _selection(options: argparse.Namespace, settings: Settings) -> dict[str, Any]:
    changed: dict[str, Any] = {}
    ignore, extended = settings.ignore, settings.extend_select
    if options.select is not None:
        changed["select"] = _flat(options.select)
        ignore, extended = (), ()
    changed["ignore"] = (*ignore, *_flat(options.ignore))
    changed["extend_select"] = (*extended, *_flat(options.extend_select))
    severity = dict(settings.severity)
    for level, given in (
        (Severity.ERROR, options.error),
        (Severity.WARNING, options.warn),
        (Severity.INFO, options.info),
    ):
        severity.update(dict.fromkeys(_flat(given), level))
    changed["severity"] = severity
    ignores = dict(settings.per_file_ignores)
    for pattern, rules in options.per_file_ignores or ():
        ignores[pattern] = (*ignores.get(pattern, ()), *rules)
    changed["per_file_ignores"] = ignores
    return changed


_PLAIN = (
    "preview",
    "error_on_warning",
    "scope",
    "backend",
    "force_exclude",
    "respect_gitignore",
)
"""Arguments that take the place of the settings of their names."""


def _others(options: argparse.Namespace, settings: Settings) -> dict[str, Any]:
    changed: dict[str, Any] = {
        name: getattr(options, name) for name in _PLAIN if getattr(options, name) is not None
    }
    if options.target_version is not None:
        changed["target_version"] = target_version(options.target_version, "--target-version")
    for name in ("baseline", "cache_dir"):
        # What the command line names is relative to the current folder, not to the settings.
        if getattr(options, name) is not None:
            changed[name] = str(Path(getattr(options, name)).absolute())
    if options.exclude is not None:
        changed["exclude"] = _flat(options.exclude)
    if options.extend_exclude is not None:
        changed["extend_exclude"] = (*settings.extend_exclude, *_flat(options.extend_exclude))
    return changed


def _flat(given: Sequence[Sequence[str]] | None) -> tuple[str, ...]:
    return tuple(each for part in given or () for each in part)
