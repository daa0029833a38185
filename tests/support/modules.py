"""Programs in a folder, imported for a test and then forgotten."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType


@contextmanager
def imported(folder: Path, name: str) -> Iterator[ModuleType]:
    """The module of a name, as a program in ``folder`` finds it: there, or in ``src``."""
    places = [str(folder), str(folder / "src")]
    sys.path[:0] = places
    importlib.invalidate_caches()
    try:
        yield importlib.import_module(name)
    finally:
        own = {path.stem for path in (*folder.iterdir(), *folder.glob("src/*"))}
        for each in [each for each in sys.modules if each.partition(".")[0] in own]:
            del sys.modules[each]
        for place in places:
            sys.path.remove(place)
