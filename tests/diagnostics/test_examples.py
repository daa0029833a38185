"""Each code's bad program gets the code, and its good one is compiled.

A program is a module that is run. One that ends in ``# $ staticpy …`` has made the files for that
command, whose report counts. ``(Python 3.12)`` after it says which Python can read them: an older
one has to call that a syntax error.
"""

from __future__ import annotations

import importlib.util
import re
import shlex
import sys
from pathlib import Path

import pytest

from staticpy.cli import main
from staticpy.diagnostics import (
    CompileError,
    DiagnosticError,
    DiagnosticSpec,
    Severity,
    catalog,
)
from staticpy.source import OWN_FILES

_COMMAND = re.compile(r"^# \$ staticpy ([^(\n]+)(?:\(Python 3\.(\d+)\))?$", re.MULTILINE)
_CODE = re.compile(r"\[(SPY\d{3})\]")

SPECS = [pytest.param(spec, id=f"{spec.code}-{spec.slug}") for spec in catalog.ALL]


@pytest.fixture
def run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> object:
    """Runs a program in a folder of its own; returns the codes that it got."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    modules = set(sys.modules)

    def run_program(program: str) -> set[str]:
        path = tmp_path / "program.py"
        path.write_text(program, encoding="utf-8")
        spec = importlib.util.spec_from_file_location("program", path)
        assert spec is not None
        assert spec.loader is not None
        try:
            spec.loader.exec_module(importlib.util.module_from_spec(spec))
        except CompileError as error:
            return codes_of(error)
        except DiagnosticError as error:
            return {error.spec.code}
        command = _COMMAND.search(program)
        if command is None:
            return set()
        capsys.readouterr()
        exit_code = main(shlex.split(command[1]))
        shown = capsys.readouterr().out
        assert OWN_FILES not in shown
        codes = set(_CODE.findall(shown))
        errors = {code for code in codes if catalog.by_code(code).severity is Severity.ERROR}
        assert exit_code == (3 if "SPY902" in codes else bool(errors))
        return codes

    yield run_program
    for name in set(sys.modules) - modules:
        if name.endswith("_model"):
            del sys.modules[name]


def codes_of(error: CompileError) -> set[str]:
    """The codes; nothing that the diagnostics point to is in a file of this package."""
    for item in error.diagnostics:
        spans = [item.span, *item.chain, *(label.span for label in item.labels)]
        assert not any(span.file.startswith(OWN_FILES) for span in spans)
    return set(error.codes)


def is_readable(program: str) -> bool:
    command = _COMMAND.search(program)
    return not (command and command[2]) or sys.version_info >= (3, int(command[2]))


@pytest.mark.parametrize("spec", SPECS)
def test_bad(spec: DiagnosticSpec, run) -> None:  # type: ignore[no-untyped-def]
    expected = spec.code if is_readable(spec.bad) else "SPY001"
    assert expected in run(spec.bad)


@pytest.mark.parametrize("spec", SPECS)
def test_good(spec: DiagnosticSpec, run) -> None:  # type: ignore[no-untyped-def]
    expected = set() if is_readable(spec.good) else {"SPY001"}
    assert run(spec.good) == expected
