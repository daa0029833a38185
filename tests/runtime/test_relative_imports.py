"""Imports in a compiled function: of the package that it is in, and of modules not loaded yet."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import staticpy

FILES = {
    "__init__": "",
    "tools": "FACTOR = 3.0\ndef double(x):\n    return x * 2\n",
    "lazy": "FACTOR = 4.0\n",
    "model": """\
import staticpy
from . import tools as loaded

@staticpy.jit
def of_module(x):
    from .tools import double
    return double(x)

@staticpy.jit
def of_package(x):
    from . import tools
    return tools.double(x) * tools.FACTOR

@staticpy.jit
def too_far(x):
    from ...tools import double
    return double(x)

@staticpy.jit
def missing(x):
    from .tools import triple
    return triple(x)

@staticpy.jit
def not_loaded(x):
    try:
        from {package} import lazy
    except ImportError:
        return -1.0
    return x * lazy.FACTOR
""",
}


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The module ``model`` of a fresh package."""
    package = f"package_{tmp_path.name}"
    (tmp_path / package).mkdir()
    for name, text in FILES.items():
        file = tmp_path / package / f"{name}.py"
        file.write_text(text.replace("{package}", package), encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module(f"{package}.model")
    for name in [each for each in sys.modules if each.partition(".")[0] == package]:
        del sys.modules[name]


def test_of_the_package_around(model: ModuleType) -> None:
    assert model.of_module(1.5) == 3.0
    assert model.of_package(1.5) == 9.0
    model.loaded.FACTOR = 1.0
    assert model.of_package(1.5) == 3.0


def test_what_is_not_there(model: ModuleType) -> None:
    with pytest.raises(ImportError, match="attempted relative import beyond top-level package"):
        model.too_far(1.5)
    with pytest.raises(ImportError, match="cannot import name 'triple'"):
        model.missing(1.5)


def test_a_module_of_the_package_that_is_not_loaded(model: ModuleType) -> None:
    """It is there: nobody may take it for missing."""
    with pytest.raises(staticpy.CompileError, match="lazy' is not loaded yet") as caught:
        model.not_loaded(1.5)
    assert caught.value.codes == ("SPY637",)
    importlib.import_module(f"{model.__package__}.lazy")
    assert model.not_loaded(1.5) == 6.0


@pytest.mark.parametrize("package", ["", None])
def test_of_a_file_in_no_package(model: ModuleType, package: str | None) -> None:
    vars(model)["__package__"] = package  # "" in a file that is run, and None in text that is
    if package is None:
        with pytest.raises(staticpy.CompileError, match="SPY637"):
            model.of_module(1.5)
        return
    with pytest.raises(ImportError, match="relative import with no known parent package"):
        model.of_module(1.5)
