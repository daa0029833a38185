"""Each program of ``examples/gallery`` is compiled as it stands, and does what CPython does."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from types import FrameType, FunctionType
from typing import Any

import pytest

from examples.gallery import FOLDER, NAMES, load
from staticpy.cli import main
from tests.support.describing import compare_trees
from tests.support.observing import Call, differences
from tests.support.routes import TEXT, routes_of

SIZES = (1, 2, 4, 9)
by_name = pytest.mark.parametrize("name", NAMES)


def calls_of(name: str) -> list[Call]:
    return [Call(load(name).arguments(size)) for size in SIZES]


def run_by_cpython(function: Callable[..., Any], args: tuple[Any, ...]) -> set[str]:
    """The functions of the gallery that CPython itself runs during a call; but for the methods of
    exceptions, which are real ones wherever they are made.
    """
    found: set[str] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if isinstance(frame.f_locals.get("self"), BaseException):
            return
        if event == "call" and frame.f_code.co_filename.startswith(str(FOLDER)):
            found.add(frame.f_code.co_qualname)

    sys.setprofile(note)
    try:
        function(*args)
    finally:
        sys.setprofile(None)
    return found


def test_size_of_the_gallery() -> None:
    assert len(NAMES) >= 50


@by_name
def test_same_as_cpython(name: str) -> None:
    program = load(name).program
    assert isinstance(program, FunctionType), "the gallery is plain NumPy"
    routes = routes_of(program, ("graph",))
    assert differences(program, calls_of(name), routes) == []
    assert "program" in run_by_cpython(program, load(name).arguments(4))
    assert run_by_cpython(routes["graph"], load(name).arguments(4)) == set()


@pytest.mark.slow
@by_name
def test_same_eagerly_and_from_text(name: str) -> None:
    program = load(name).program
    routes = routes_of(program, ("eager", TEXT, "without passes"))
    assert differences(program, calls_of(name), routes) == []


def test_check_finds_no_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--scope", "all", str(FOLDER)]) == 0, capsys.readouterr().out


@by_name
def test_arguments_are_made_from_a_seed(name: str) -> None:
    arguments = load(name).arguments
    assert list(compare_trees(arguments(4), arguments(4), "arguments")) == []


def test_every_program_is_listed() -> None:
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| \[(\w+)\]\((\w+/\w+)\.py\)", text, re.MULTILINE) == [
        (name.partition("/")[2], name) for name in NAMES
    ]


@by_name
def test_a_program_names_its_source(name: str) -> None:
    assert re.search(r"\n\nSource: \S", load(name).__doc__)
