"""The modules whose real objects stand for what a text imports: NumPy, this package, and some of
Python's own, none of which runs anything of the user's.

In: a dotted path. Out: the object, or UNKNOWN_VALUE.
"""

from __future__ import annotations

import importlib.util
import sys
import types
from collections.abc import Callable
from functools import cache
from importlib.machinery import (
    BYTECODE_SUFFIXES,
    EXTENSION_SUFFIXES,
    SOURCE_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    PathFinder,
    SourceFileLoader,
    SourcelessFileLoader,
)
from pathlib import Path
from typing import Any

from staticpy.frontend.inputs import UNKNOWN_VALUE

_HARMLESS = ("numpy", "math", "cmath", "operator", "itertools", "functools", "collections")
_LOADERS = (
    (SourceFileLoader, SOURCE_SUFFIXES),
    (ExtensionFileLoader, EXTENSION_SUFFIXES),
    (SourcelessFileLoader, BYTECODE_SUFFIXES),
)
_TRUSTED = (
    "numpy", "staticpy", "bisect", "cmath", "collections", "contextlib", "copy", "datetime",
    "functools", "heapq", "itertools", "math", "operator",
)  # fmt: skip
"""None of Python's is here that NumPy and this package do without: where a project has a file of
such a name, as ``statistics.py``, that is what it means.
"""


def is_trusted(module: str) -> bool:
    """Whether a dotted path begins with a trusted module."""
    return module.partition(".")[0] in _TRUSTED


def imported(origin: str) -> Any:
    """The object at a dotted path of a trusted module."""
    top, *attributes = origin.split(".")
    if top not in _TRUSTED:
        return UNKNOWN_VALUE
    value: Any = importlib.import_module(top)
    for attribute in attributes:
        value = getattr(value, attribute, UNKNOWN_VALUE)
    return value


def exported(module: str) -> frozenset[str] | None:
    """The names that ``from module import *`` takes of a trusted module; None if there is none."""
    found = imported(module)
    if found is UNKNOWN_VALUE:
        return None
    public = (name for name in vars(found) if not name.startswith("_"))
    return frozenset(getattr(found, "__all__", public))


def is_harmless(module: str) -> bool:
    """Whether loading a module has no effect that anybody sees."""
    return module.partition(".")[0] in _HARMLESS


def has_submodule(package: types.ModuleType, name: str) -> bool:
    """Whether a package that is loaded has a module of this name, which may not be."""
    path = getattr(package, "__path__", None)
    return path is not None and PathFinder.find_spec(f"{package.__name__}.{name}", path) is not None


def require_module(name: str) -> None:
    """Raise ModuleNotFoundError if the running program has no module of this name. Nothing is
    loaded.
    """
    _require(name, lambda top: importlib.util.find_spec(top) is not None)


def require_file(name: str) -> None:
    """Raise ModuleNotFoundError if no file can be the module of this name. No import hook is asked,
    as it may run anything: only the names of files are looked at.
    """
    _require(name, _is_on_path)


def _require(name: str, exists: Callable[[str], bool]) -> None:
    top = name.partition(".")[0]
    if top not in sys.stdlib_module_names and not exists(top):
        raise ModuleNotFoundError(f"No module named '{name}'")


def _is_on_path(top: str) -> bool:
    """Whether there is a file or a folder for a module, or what may lead to one."""
    folders = [Path(entry).absolute() for entry in sys.path]
    if any(folder.is_file() for folder in folders):  # an archive, which only an import would open
        return True
    if any(_finder(str(folder)).find_spec(top) is not None for folder in folders):
        return True
    return any(_is_linked(folder, top) for folder in folders)


@cache
def _finder(folder: str) -> FileFinder:
    """What knows the files of a folder, and looks anew when that has changed."""
    return FileFinder(folder, *_LOADERS)


def _is_linked(folder: Path, top: str) -> bool:
    """Whether a module is installed as a link to where it is written, for a finder of its own."""
    links = folder.glob("__editable__*finder.py")
    return any(f"'{top}'" in each.read_text("utf-8", "replace") for each in links)


_OFTEN_LOADED = (
    "__future__ abc argparse array ast asyncio atexit base64 binascii bisect builtins bz2 "
    "codecs concurrent contextlib contextvars copy copyreg ctypes dataclasses datetime difflib "
    "dis email encodings enum errno fnmatch fractions gc genericpath getopt gettext glob gzip "
    "hashlib heapq hmac importlib inspect io ipaddress json keyword linecache locale logging "
    "lzma marshal ntpath numbers opcode os pathlib pickle pkgutil platform posix posixpath "
    "queue random re reprlib secrets selectors shutil signal site socket stat statistics string "
    "struct subprocess sys sysconfig tempfile textwrap threading time token tokenize traceback "
    "types typing unicodedata unittest urllib uuid warnings weakref zipfile zipimport zlib"
)
"""What Python, NumPy and this package load at their start, and what many programs do."""


def may_be_loaded(name: str) -> bool:
    """Whether a program may have loaded a module before its functions run: all but modules of
    Python's own that few load, such as ``turtle``.
    """
    top = name.partition(".")[0]
    return top not in sys.stdlib_module_names or top.startswith("_") or top in _OFTEN_LOADED.split()
