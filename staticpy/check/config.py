"""Reads the settings: ``staticpy.toml``, or ``[tool.staticpy.check]`` of ``pyproject.toml``.

In: the folder to begin in, or a file. Out: ``Settings``, or a ``SettingsError`` that names the key.
The nearest folder upwards that has one of the files counts, ``staticpy.toml`` before the other.
"""

from __future__ import annotations

import difflib
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from importlib import import_module
from pathlib import Path
from typing import Any

from staticpy.check.settings import SCOPES, Settings, SettingsError
from staticpy.diagnostics import Severity

OWN_FILE = "staticpy.toml"
SHARED_FILE = "pyproject.toml"

_LARGEST = 1_000_000


def load(start: Path, config: str | None = None, *, is_isolated: bool = False) -> Settings:
    """The settings for a run in ``start``.

    Args:
        start: the folder to look for a file in, and above.
        config: a file to read instead.
        is_isolated: read no file at all.

    Raises:
        SettingsError: the file can't be read, or a setting can't be meant.
    """
    if is_isolated:
        return Settings(root=start)
    if config is not None:
        file = Path(config)
        table = _table(file)
        if table is None:
            raise SettingsError("it has no table [tool.staticpy.check]", config)
        return read(table, file)
    for folder in (start, *start.parents):
        for name in (OWN_FILE, SHARED_FILE):
            file = folder / name
            table = _table(file) if file.is_file() else None
            if table is not None:
                return read(table, file)
    return Settings(root=start)


def _table(file: Path) -> Mapping[str, Any] | None:
    """The table of the settings in a file; None where a shared file has none."""
    try:
        with file.open("rb") as stream:
            data = stream.read(_LARGEST + 1)
    except OSError as error:
        raise SettingsError(f"cannot be read: {error.strerror}", str(file)) from None
    is_own = file.name != SHARED_FILE
    if len(data) > _LARGEST:
        raise SettingsError("is too large", str(file))
    if not is_own and b"staticpy" not in data.replace(b"\0", b""):  # as it may be UTF-16
        return None
    tomllib = import_module("tomllib")  # most runs read no settings
    try:
        document = tomllib.loads(data.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise SettingsError(f"is not TOML: {error}", str(file)) from None
    table = document if is_own else document.get("tool", {}).get("staticpy")
    if table is None:
        return None
    _known(table, ("check",), str(file))
    found = table.get("check", {})
    if not isinstance(found, dict):
        raise SettingsError("'check' is not a table", str(file))
    return found


def read(table: Mapping[str, Any], file: Path) -> Settings:
    """The settings that a table of ``file`` gives.

    Raises:
        SettingsError: an unknown key, or a value of another type than the key's.
    """
    _known(table, KEYS, str(file))
    values = {}
    for key, value in table.items():
        place = f"{file}: {key}"
        values[key.replace("-", "_")] = KEYS[key].read(value, place)
    return replace(Settings(), root=file.parent, file=file, **values)


def _known(table: object, known: Mapping[str, object] | tuple[str, ...], place: str) -> None:
    if not isinstance(table, dict):
        raise SettingsError("'staticpy' is not a table", place)
    for key in table:
        if key not in known:
            near = difflib.get_close_matches(key, known, n=1)
            hint = f"did you mean '{near[0]}'?" if near else f"there are: {', '.join(known)}"
            raise SettingsError(f"there is no setting '{key}'; {hint}", place)


def _flag(value: object, place: str) -> bool:
    if not isinstance(value, bool):
        raise SettingsError(f"{value!r} is not true or false", place)
    return value


def _text(value: object, place: str) -> str:
    if not isinstance(value, str) or not value:
        raise SettingsError(f"{value!r} is not a text", place)
    return value


def _texts(value: object, place: str) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise SettingsError(f"{value!r} is not a list of texts", place)
    return tuple(_text(item, place) for item in value)


def _text_or_texts(value: object, place: str) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else _texts(value, place)


def _choice(value: object, place: str, choices: tuple[str, ...]) -> str:
    if value not in choices:
        raise SettingsError(f"{value!r} is none of {', '.join(choices)}", place)
    return str(value)


def target_version(value: object, place: str) -> tuple[int, int]:
    """The version of Python that ``py312`` names.

    Raises:
        SettingsError: it names none, or one that is later than the running one.
    """
    match = re.fullmatch(r"py3(\d+)", value) if isinstance(value, str) else None
    if match is None:
        raise SettingsError(f"{value!r} is not a version as py312", place)
    version = 3, int(match[1])
    if version > sys.version_info[:2]:
        raise SettingsError(f"to check for {value}, run staticpy with that Python", place)
    return version


def _scope(value: object, place: str) -> str:
    return _choice(value, place, SCOPES)


def _table_of_texts(value: object, place: str) -> dict[str, tuple[str, ...]]:
    if not isinstance(value, dict):
        raise SettingsError(f"{value!r} is not a table of lists", place)
    return {key: _texts(item, f"{place}.{key}") for key, item in value.items()}


def _severities(value: object, place: str) -> dict[str, Severity]:
    if not isinstance(value, dict):
        raise SettingsError(f"{value!r} is not a table", place)
    levels = tuple(map(str, Severity))
    return {key: Severity(_choice(item, f"{place}.{key}", levels)) for key, item in value.items()}


@dataclass(frozen=True, slots=True)
class Key:
    """A key of the table: what reads its value, and what it is for."""

    read: Callable[[object, str], Any]
    help: str


KEYS: Mapping[str, Key] = {
    "select": Key(_texts, "the rules to report, by code, prefix or name"),
    "ignore": Key(_texts, "rules to leave out of those"),
    "extend-select": Key(_texts, "more rules to report"),
    "preview": Key(_flag, "whether to report rules in preview, which may yet change"),
    "per-file-ignores": Key(_table_of_texts, "rules to leave out in files, by pattern"),
    "severity": Key(_severities, "error, warning or info, by rule"),
    "error-on-warning": Key(_flag, "whether warnings make the command fail"),
    "scope": Key(_scope, "the functions to check: decorated, reachable or all"),
    "target-version": Key(target_version, "the Python that the program runs in: py311, py312"),
    "backend": Key(_text, "the backend that functions are compiled for where they name none"),
    "graph-mode": Key(_flag, "whether Cells are compiled, though a file does not set the mode"),
    "src": Key(_texts, "the folders that the project's modules are imported from"),
    "exclude": Key(_texts, "patterns of what to leave out, in the place of the default ones"),
    "extend-exclude": Key(_texts, "more patterns of what to leave out"),
    "force-exclude": Key(_flag, "whether to leave out what is excluded and named, too"),
    "respect-gitignore": Key(_flag, "whether to leave out what git ignores"),
    "output-format": Key(_text_or_texts, "the format of the report, or FORMAT:FILE, or several"),
    "baseline": Key(_text, "a file of the findings that are not reported"),
    "cache-dir": Key(_text, "the folder of the cache"),
}
"""Every key of the table."""


def as_table(settings: Settings) -> dict[str, object]:
    """The settings by key, as plain values."""
    values = {
        each.name.replace("_", "-"): getattr(settings, each.name) for each in fields(settings)
    }
    return {key: _plain(value) for key, value in values.items() if key in KEYS}


def _plain(value: object) -> object:
    if isinstance(value, tuple) and value and isinstance(value[0], int):
        return "py" + "".join(map(str, value))
    if isinstance(value, tuple):
        return list(value)
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return value
