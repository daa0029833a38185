"""Programs in the style of scientific Python: plain NumPy that runs unmodified when decorated.

Each module has a function ``program`` and a function ``arguments(size)``, which makes the arguments
of a call from a seed; ``size`` scales the work. ``README.md`` lists them.
"""

import importlib
from pathlib import Path
from types import ModuleType

FOLDER = Path(__file__).parent
NAMES = sorted(
    path.relative_to(FOLDER).with_suffix("").as_posix() for path in FOLDER.glob("*/[a-z]*.py")
)
"""The name of every program: ``area/program``."""


def load(name: str) -> ModuleType:
    """The module of a program."""
    return importlib.import_module(f"{__name__}.{name.replace('/', '.')}")
