"""The pytest plugin: ``pytest --staticpy-check`` makes a test of each Python file.

In: the files that pytest collects. Out: a test for each, that fails with the findings that
``staticpy check`` reports as errors. Nothing is loaded until the option is given.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    group = parser.getgroup("staticpy")
    group.addoption(
        "--staticpy-check",
        action="store_true",
        help="test that what is given to staticpy.jit can be compiled",
    )


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> Any:
    """A collector for a Python file, if it is to be checked."""
    if file_path.suffix != ".py" or not parent.config.getoption("--staticpy-check"):
        return None
    collector = import_module("staticpy.pytest_items").CheckFile
    return collector.from_parent(parent, path=file_path)
