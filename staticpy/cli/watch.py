"""``staticpy check --watch``: check again whenever a file changes.

In: the paths, and the check. Out: its reports, one after the other, until Ctrl-C. The files are
looked at twice a second: no other way works on all machines and all kinds of folder.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

from staticpy.check import SettingsError
from staticpy.cli.console import warn

_SECONDS = 0.5
_SUFFIXES = (".py", ".pyw", "pyproject.toml", "staticpy.toml", ".gitignore")

State = dict[str, tuple[int, int]]


def watch(
    paths: Sequence[str],
    check: Callable[[], Iterable[str]],
    wait: Callable[[float], None] = time.sleep,
) -> int:
    """Check now and after each change; ends only with KeyboardInterrupt.

    Args:
        paths: the files and folders that are checked.
        check: checks them, and gives the other files that its report depends on.
        wait: waits for so many seconds.
    """
    known: State | None = None
    others: tuple[str, ...] = ()
    while True:
        state = state_of((*paths, *others))
        if state != known:
            if sys.stdout.isatty():
                sys.stdout.write("\x1b[2J\x1b[H")
            try:
                others = tuple(sorted(check()))
            except SettingsError as error:  # it is being written
                warn(str(error))
            sys.stdout.flush()
            # As it was before the check: what has changed meanwhile is checked again.
            after = state_of((*paths, *others))
            known = {file: state.get(file, now) for file, now in after.items()}
        wait(_SECONDS)


def state_of(paths: Sequence[str]) -> State:
    """Size and time of each file that a report could depend on."""
    state: State = {}
    here = (str(folder / "pyproject.toml") for folder in (Path.cwd(), *Path.cwd().parents))
    for file in chain(here, *map(_files, paths)):
        try:
            found = Path(file).stat()
        except OSError:
            continue
        state[file] = found.st_size, found.st_mtime_ns
    return state


def _files(path: str) -> Iterator[str]:
    if not Path(path).is_dir():
        yield path
        return
    for folder, folders, files in os.walk(path):
        folders[:] = [name for name in folders if name not in (".git", "__pycache__")]
        yield from (str(Path(folder, name)) for name in files if name.endswith(_SUFFIXES))
