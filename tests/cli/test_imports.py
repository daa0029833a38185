"""What a run says of functions that other files call."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from staticpy.cli import main
from tests.support.command import Check

APP = """\
from staticpy import jit
from pkg.tools import helper

@jit
def f(x: float):
    return helper(x)
"""
TOOLS = "def helper(x):\n    return deeper(x)\n\ndef deeper(x):\n    return open(x)\n"


@pytest.fixture(autouse=True)
def project(check: Check) -> None:
    """A file that calls one of a package."""
    write("app.py", APP)
    write("pkg/__init__.py", "")
    write("pkg/tools.py", TOOLS)


def write(name: str, text: str) -> None:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def lines(check: Check, *arguments: str) -> list[str]:
    """The findings, a line each."""
    output = check("--output-format", "concise", "-q", *arguments)[1]
    return [line.partition(" ")[0] + line.partition("[")[2][:6] for line in output.splitlines()]


def test_it_stands_in_its_own_file_with_the_calls(check: Check) -> None:
    code, output, _ = check("app.py")
    assert code == 1
    assert output.startswith("pkg/tools.py:5:12: error[SPY609]")
    assert "pkg/tools.py:2:12 in 'helper': deeper(x)" in output
    assert "app.py:6:12 in 'f': helper(x)" in output
    (item,) = json.loads(check("--output-format", "json", "app.py")[1])
    assert item["filename"] == "pkg/tools.py"
    assert [each["filename"] for each in item["related"]] == ["pkg/tools.py", "app.py"]


@pytest.mark.parametrize("paths", [["."], ["app.py"], ["app.py", "pkg"], ["./pkg", "./app.py"]])
def test_it_is_said_once_for_all_callers(check: Check, paths: list[str]) -> None:
    write("other.py", APP)
    assert lines(check, *paths) == ["pkg/tools.py:5:12:SPY609"]


def test_a_function_that_is_compiled_itself_says_it_once(check: Check) -> None:
    write("pkg/tools.py", "from staticpy import jit\n" + TOOLS.replace("def h", "@jit\ndef h"))
    assert lines(check, ".") == ["pkg/tools.py:7:12:SPY609"]


def test_nothing_is_said_where_nobody_calls_it(check: Check) -> None:
    assert lines(check, "pkg") == []


def test_comments_hide_it_in_its_own_file(check: Check) -> None:
    write("pkg/tools.py", TOOLS.replace("open(x)", "open(x)  # staticpy: ignore[SPY609] later"))
    assert lines(check, ".") == lines(check, "app.py") == lines(check, "pkg") == []
    write("pkg/tools.py", TOOLS.replace("open(x)", "x  # staticpy: ignore[SPY609]"))
    assert lines(check, "--scope", "reachable", ".") == []
    assert lines(check, "--scope", "all", ".") == ["pkg/tools.py:5:15:SPY910"]


def test_settings_count_for_its_own_file(check: Check) -> None:
    assert lines(check, "--per-file-ignores", "pkg/**:SPY609", ".") == []
    assert lines(check, "--per-file-ignores", "app.py:SPY609", ".") != []
    assert check("--warn", "SPY609", ".")[0] == 0


def test_a_baseline_counts_it_in_its_own_file(check: Check) -> None:
    check("--baseline", "base.json", "--update-baseline", ".")
    assert list(json.loads(Path("base.json").read_text())["files"]) == ["pkg/tools.py"]
    assert lines(check, "--baseline", "base.json", ".") == []


def test_add_ignore_writes_into_its_own_file(check: Check) -> None:
    check("--add-ignore", ".")
    assert "open(x)  # staticpy: ignore[SPY609]" in Path("pkg/tools.py").read_text()
    assert Path("app.py").read_text() == APP
    assert lines(check, ".") == []


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_what_is_cached_is_forgotten_with_any_of_the_files(check: Check, jobs: str) -> None:
    def run() -> list[str]:
        return lines(check, "--jobs", jobs, ".")

    assert run() == run() == ["pkg/tools.py:5:12:SPY609"]
    write("pkg/tools.py", TOOLS.replace("open(x)", "x"))
    assert run() == run() == []
    write("pkg/tools/__init__.py", TOOLS)  # a package comes before a module of its name
    assert run() == ["pkg/tools/__init__.py:5:12:SPY609"]
    Path("pkg/tools/__init__.py").unlink()
    Path("pkg/tools.py").unlink()
    assert run() == []


def test_fixes_leave_it_reported(check: Check) -> None:
    write("app.py", APP + "    # staticpy: ignore[SPY104]\n")
    code, output, _ = check("--fix", "--output-format", "concise", ".")
    assert code == 1
    assert Path("app.py").read_text() == APP
    assert output.startswith("pkg/tools.py:5:12: error[SPY609]")


def test_what_is_reachable_needs_no_types(check: Check) -> None:
    write("app.py", APP.replace(": float", ""))
    assert lines(check, ".") == []
    assert lines(check, "--scope", "reachable", ".") == ["pkg/tools.py:5:12:SPY609"]


def test_the_folders_of_imports_are_a_setting(check: Check) -> None:
    Path("pkg").rename("lib")
    write("lib/pkg/tools.py", TOOLS)
    assert lines(check, "app.py") == []
    write("staticpy.toml", '[check]\nsrc = ["lib"]\n')
    assert lines(check, "app.py") == ["lib/pkg/tools.py:5:12:SPY609"]


@pytest.mark.parametrize("text", ["def helper(:", "\0", "# coding: no-such\n", "é"])
def test_a_file_that_cannot_be_read_gives_no_verdict(check: Check, text: str) -> None:
    Path("pkg/tools.py").write_bytes(text.encode("latin-1"))
    assert lines(check, "app.py") == []


def test_nothing_is_run(check: Check) -> None:
    write("pkg/tools.py", "import pathlib\npathlib.Path('app.py').unlink()\n" + TOOLS)
    assert lines(check, "app.py") == ["pkg/tools.py:7:12:SPY609"]
    assert Path("app.py").exists()


def test_what_is_not_a_file_is_not_opened(check: Check) -> None:
    Path("pkg/tools.py").unlink()
    Path("pkg/tools.py").mkdir()
    assert lines(check, "app.py") == []


def test_show_follows_calls(check: Check, capsys: pytest.CaptureFixture[str]) -> None:
    write("pkg/tools.py", "def helper(x):\n    return x * 4.0\n")
    assert main(["show", "app.py:f"]) == 0
    assert "mul" in capsys.readouterr().out


def test_what_is_in_a_library_is_shown_at_the_call(check: Check) -> None:
    write("app.py", "import numpy as np\n" + APP.replace("helper(x)", "g(x)") + LIBRARY)
    code, output, _ = check("app.py")
    assert code == 1
    assert output.startswith("app.py:10:5: error[SPY")
    assert "\napp.py:10:10: error[SPY609] unsupported-call: a call of 'printoptions'" in output
    assert "contextlib.py" not in output


LIBRARY = "\ndef g(x):\n    with np.printoptions(precision=2):\n        return x\n"
