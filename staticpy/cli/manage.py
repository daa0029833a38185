"""``staticpy config``, ``clean`` and ``server``: the settings, the cache, and the editor's side."""

from __future__ import annotations

import argparse
import json
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from staticpy.check import KEYS, Settings, SettingsError, as_table, clean, load
from staticpy.cli.console import warn
from staticpy.cli.exits import OK, USAGE


def add_parsers(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The arguments of the commands."""
    config = commands.add_parser("config", help="list the settings, or describe one")
    config.add_argument("key", nargs="?", metavar="KEY", help="a setting: select")
    config.set_defaults(run=_run_config)
    cleaning = commands.add_parser("clean", help="remove the cache of 'check'")
    cleaning.add_argument("--cache-dir", metavar="FOLDER", help="default: that of the settings")
    cleaning.set_defaults(run=_run_clean)
    server = commands.add_parser("server", help="answer an editor (Language Server Protocol)")
    server.set_defaults(run=_run_server)


def _run_config(options: argparse.Namespace) -> int:
    """Print what the keys of ``[tool.staticpy.check]`` mean, and their defaults."""
    if options.key is not None and options.key not in KEYS:
        warn(f"there is no setting '{options.key}'; there are: {', '.join(KEYS)}")
        return USAGE
    defaults = as_table(Settings())
    longest = max(map(len, KEYS))
    for key, setting in KEYS.items():
        if options.key is None:
            print(f"{key:{longest}}  {setting.help}")
        elif key == options.key:
            print(f"{key}: {setting.help}\nDefault: {json.dumps(defaults[key])}")
    return OK


def _run_clean(options: argparse.Namespace) -> int:
    """Remove the entries of the cache."""
    try:
        settings = load(Path.cwd())
    except SettingsError as error:
        warn(str(error))
        return USAGE
    folder = settings.path(settings.cache_dir)
    if options.cache_dir is not None:
        folder = Path(options.cache_dir)
    if not folder.exists():
        print("There is no cache.")
        return OK
    count = clean(folder)
    if count is None:
        warn(f"'{folder}' is not a cache of staticpy")
        return USAGE
    print(f"Removed {count} entries from '{folder}'.")
    return OK


def _run_server(_: argparse.Namespace) -> int:
    """Answer an editor on standard input and output."""
    if find_spec("pygls") is None:
        warn("the server needs pygls: pip install 'staticpy[lsp]'")
        return USAGE
    import_module("staticpy.server").serve()
    return OK
