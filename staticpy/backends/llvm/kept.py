"""Machine code of earlier runs, kept in the folder that STATICPY_CACHE_DIR names; that of functions
which ask for it, in the user's own folder for caches where the variable isn't set.

In: the text of a module, and how it is compiled. Out: its object code, if it was compiled so
before. The text is all that the code depends on besides LLVM and the processor: the types, the
values that are compiled in, each function that is called are in it, and no address. So an entry is
never stale. It lies behind a digest in a folder that nobody else can write to; what is damaged is
not found. Nothing in it is run or unpickled before it is found to be whole.
"""

from __future__ import annotations

import contextlib
import os
import sys
import warnings
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from staticpy.source import new_digest, read_stored, write_stored

VARIABLE = "STATICPY_CACHE_DIR"
LARGEST = 1 << 28
"""Up to how many bytes all entries may have together; then the ones used longest ago go."""

_SUFFIX = ".o"
_OTHERS_WRITE = 0o022


class CacheWarning(UserWarning):
    """A cache can't be used."""


def kept_code(*, is_wanted: bool = False) -> KeptCode | None:
    """The cache that the environment asks for, or the function that is compiled."""
    folder = os.environ.get(VARIABLE)
    if folder:
        return _opened(folder, VARIABLE)
    return _opened(_users_folder(), "jit(cache=True)") if is_wanted else None


def _users_folder() -> str:
    """Where programs keep what they can make again, as the rules of the platform say."""
    if sys.platform == "win32":
        return str(Path(os.environ.get("LOCALAPPDATA", "~/AppData/Local"), "staticpy", "Cache"))
    if sys.platform == "darwin":
        return "~/Library/Caches/staticpy"
    known = os.environ.get("XDG_CACHE_HOME", "")
    return str(Path(known if Path(known).is_absolute() else "~/.cache", "staticpy"))


@cache
def _opened(folder: str, asked_by: str) -> KeptCode | None:
    try:
        path = Path(folder).expanduser().absolute()
        reason = _reason_against(path)
    except RuntimeError:  # of expanduser
        reason = "there is no home folder"
    if reason:
        warnings.warn(f"{asked_by}: {folder!r} is not used: {reason}", CacheWarning, stacklevel=2)
        return None
    return KeptCode(path, asked_by)


def _reason_against(folder: Path) -> str:
    """Why code is not kept in a folder, which is made if it isn't there; "" if it can be."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        state = folder.stat()
    except OSError as error:
        return error.strerror or "it can't be made"
    if hasattr(os, "getuid") and state.st_uid != os.getuid():
        return "it belongs to somebody else"
    if os.name == "posix" and state.st_mode & _OTHERS_WRITE:
        return "others can write to it"
    return ""


class KeptCode:
    """Object code in a folder, and what has asked for it."""

    def __init__(self, folder: Path, asked_by: str = VARIABLE) -> None:
        self._folder = folder
        self._asked_by = asked_by
        self._has_warned = False

    def get(self, name: str) -> bytes | None:
        """What is kept by a name."""
        path = self._path(name)
        content = read_stored(path, LARGEST)
        if content is not None:
            with contextlib.suppress(OSError):
                os.utime(path)
        return content

    def put(self, name: str, content: bytes) -> None:
        """Keep something; the first time that the folder can't be written is warned of."""
        try:
            write_stored(self._path(name), content)
        except (FileExistsError, FileNotFoundError):
            return  # another thread keeps the same at this moment
        except OSError as error:
            self._warn(error.strerror or str(error))
        else:
            with contextlib.suppress(OSError):
                self._make_room()

    def _warn(self, reason: str) -> None:
        if self._has_warned:
            return
        self._has_warned = True
        message = f"{self._asked_by}: {str(self._folder)!r} can't be written to: {reason}"
        warnings.warn(message, CacheWarning, stacklevel=2)

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}{_SUFFIX}"

    def _make_room(self) -> None:
        with os.scandir(self._folder) as entries:
            states = [(each.stat(), each.path) for each in entries if each.name.endswith(_SUFFIX)]
        size = sum(state.st_size for state, _ in states)
        for state, path in sorted(states, key=lambda pair: pair[0].st_mtime_ns):
            if size <= LARGEST:
                return
            Path(path).unlink(missing_ok=True)
            size -= state.st_size


def name_of(parts: Iterable[str]) -> str:
    """The name of what is made from ``parts``, and from nothing else."""
    key = new_digest()
    for part in parts:
        data = part.encode()
        key.update(len(data).to_bytes(8, "little") + data)
    return str(key.hexdigest())
