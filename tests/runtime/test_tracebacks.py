"""Tracebacks show the user's source in place of generated code."""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy.runtime.tracebacks import in_users_terms
from staticpy.source import SourceSpan

SOURCE = "def inner(é, x):\n    return é + g(x // 0)\n\n\ninner(1, 2)\n"


def run_generated(code: str, spans: dict[int, SourceSpan]) -> traceback.StackSummary:
    """The frames, below this one, that a caller sees of an exception in ``code``."""
    compiled = compile(code, "<generated>", "exec")

    def call() -> None:
        try:
            exec(compiled)
        except Exception as error:
            raise in_users_terms(error, {"<generated>": spans})  # noqa: B904

    with pytest.raises(ZeroDivisionError) as caught:
        call()
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None
    return traceback.extract_tb(caught.value.__traceback__.tb_next.tb_next)  # type: ignore[union-attr]


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "user.py"
    path.write_text(SOURCE, encoding="utf-8")
    return str(path)


def test_line_columns_and_function(file: str) -> None:
    span = SourceSpan(file, 2, 17, 2, 23, "Model.inner")
    (frame,) = run_generated("\n\nx = 1 // 0", {3: span})
    assert (frame.filename, frame.lineno, frame.name) == (file, 2, "inner")
    assert (frame.end_lineno, frame.colno, frame.end_colno) == (2, 18, 24)  # é takes two bytes
    assert frame.line == "return é + g(x // 0)"


def test_each_inlined_call_has_a_frame(file: str) -> None:
    call = SourceSpan(file, 5, 0, 5, 11, "")
    span = SourceSpan(file, 2, 17, 2, 23, "inner").inlined(call)
    frames = run_generated("1 // 0", {1: span})
    assert [(frame.lineno, frame.name) for frame in frames] == [(5, "<module>"), (2, "inner")]


def test_lines_without_a_span_disappear(file: str) -> None:
    assert len(run_generated("1 // 0", {})) == 0


def test_frames_of_others_stay(file: str) -> None:
    code = "import fractions\nfractions.Fraction(1, 0)"
    frames = run_generated(code, {2: SourceSpan(file, 2, 4, 2, 24, "inner")})
    assert frames[0].name == "inner"
    assert frames[-1].filename.endswith("fractions.py")


def test_a_file_that_is_gone(tmp_path: Path) -> None:
    missing = str(tmp_path / "gone.py")
    (frame,) = run_generated("1 // 0", {1: SourceSpan(missing, 7, 3, 8, 5, "f")})
    assert (frame.filename, frame.lineno, frame.name) == (missing, 7, "f")


def test_a_long_span(file: str) -> None:
    (frame,) = run_generated("1 // 0", {1: SourceSpan(file, 1, 0, 2, 24, "inner")})
    assert (frame.lineno, frame.end_lineno) == (1, 2)


def test_the_second_call_in_place_is_named_where_it_fails() -> None:
    def noted(x: int, seen: list[int]) -> int:
        seen.append(x)
        return 1 // x

    def both(a: int, b: int) -> int:
        seen: list[int] = []
        first = noted(a, seen)
        return first + noted(b, seen)

    lines = []
    for function in (both, staticpy.jit(both)):
        with pytest.raises(ZeroDivisionError) as error:
            function(1, 0)
        lines.append(
            [
                (entry.name, entry.lineno)
                for entry in error.traceback
                if entry.path == Path(__file__)
            ][1:]
        )
    assert lines[0] == lines[1]


def test_what_only_the_values_tell_is_refused_at_its_line() -> None:
    @staticpy.jit
    def collected(n: int) -> Any:
        items = []
        for i in range(n):
            items.append(i)  # noqa: PERF402
        return np.array(items)

    assert list(collected(3)) == [0, 1, 2]
    with pytest.raises(staticpy.CompileError) as error:
        collected(0)
    (diagnostic,) = error.value.diagnostics
    assert diagnostic.code == "SPY626"
    assert diagnostic.span.function.endswith("collected")
    assert error.traceback[-1].name == "collected"


def test_a_refusal_at_run_time_passes_every_handler() -> None:
    @staticpy.jit
    def power(i: Any, seen: Any) -> Any:
        try:
            try:
                return i**0.5
            except Exception:
                return "handled"
            finally:
                seen.append("finally")
        except BaseException:
            return "handled outside"

    seen: list[str] = []
    assert power(4, seen) == 2.0
    with pytest.raises(staticpy.CompileError, match="SPY625"):
        power(-4, seen)
    assert seen == ["finally"]


class _Kept(Exception):
    """Keeps a number, and has one of its class."""

    limit = 1

    def __init__(self, value: float) -> None:
        self.value = value


def test_an_exception_that_keeps_something_else_is_refused() -> None:
    @staticpy.jit
    def read(error: Any, make: Any) -> Any:
        try:
            if make:
                raise _Kept(0.5)
            raise error
        except _Kept as caught:
            return caught.limit, caught.value

    assert read(_Kept(2.0), True) == (1, 0.5)
    assert read(_Kept(2.0), False) == (1, 2.0)
    other = _Kept(2.0)
    other.limit = 5
    with pytest.raises(staticpy.CompileError, match=r"_Kept\(limit, value\)"):
        read(other, False)
    with pytest.raises(staticpy.CompileError, match="attribute 'value'' gives str"):
        read(_Kept("text"), False)  # type: ignore[arg-type]
