"""The options of ``check`` that the other tests leave out, and ``config`` and ``clean``."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from staticpy.backends import Executable, get_backend, register_backend, unsupported
from staticpy.check import KEYS
from staticpy.cli import main
from staticpy.cli.watch import watch
from staticpy.ir import Module, walk
from tests.support.command import Check

BAD = "import staticpy\n\n@staticpy.jit\ndef f(x: float):\n    class A: pass\n    return x\n"
WARNING = "import staticpy\n\n@staticpy.jit\ndef f(x: float):\n    return x  # staticpy: ignore\n"


def write(name: str, text: str = BAD) -> None:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(text)


def codes(check: Check, *arguments: str) -> list[str]:
    return [item["code"] for item in json.loads(check("--output-format", "json", *arguments)[1])]


GROWING = """\
import numpy as np
import staticpy

@staticpy.jit
def f(n: int):
    x = np.zeros(0)
    for i in range(n):
        x = np.append(x, i)
    return x
"""


def test_preview(check: Check) -> None:
    write("a.py", GROWING)
    assert codes(check, "a.py") == []
    assert codes(check, "--preview", "a.py") == ["SPY805"]
    write("staticpy.toml", "[check]\npreview = true\n")
    assert codes(check, "a.py") == ["SPY805"]
    assert codes(check, "--no-preview", "a.py") == []
    code, _, said = check("--no-preview", "--select", "growing-array", "a.py")
    assert (code, said) == (
        0,
        "staticpy: 'growing-array' is in preview: it is reported with '--preview' only\n",
    )


def test_the_command_line_counts_before_the_settings(check: Check) -> None:
    write("a.py")
    write("staticpy.toml", "[check]\nignore = ['SPY104']\n")
    assert codes(check, ".") == []
    assert codes(check, "--select", "SPY104", ".") == ["SPY104"]
    assert codes(check, "--isolated", ".") == ["SPY104"]
    write("strict.toml", "[check]\n")
    assert codes(check, "--config", "strict.toml", ".") == ["SPY104"]
    assert check("--config", "strict.toml", "--isolated", ".")[0] == 2


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--select", "SPY2"], []),
        (["--select", "SPY2,class-definition"], ["SPY104"]),
        (["--select", "SPY2", "--extend-select", "SPY104"], ["SPY104"]),
        (["--ignore", "class-definition"], []),
        (["--per-file-ignores", "a.py:SPY1"], []),
        (["--per-file-ignores", "b.py:SPY1"], ["SPY104"]),
    ],
)
def test_selection(check: Check, arguments: list[str], expected: list[str]) -> None:
    write("a.py")
    assert codes(check, *arguments, "a.py") == expected


def test_unknown_rules_are_bad_usage(check: Check) -> None:
    code, out, err = check("--select", "E501", ".")
    assert (code, out) == (2, "")
    assert err == "staticpy: select: there is no rule 'E501'; did you mean SPY501?\n"


def test_severities(check: Check) -> None:
    write("a.py")
    assert check("--warn", "SPY104", "a.py")[0] == 0
    assert "warning[SPY104]" in check("--warn", "SPY1", "a.py")[1]
    assert check("--warn", "SPY104", "--error-on-warning", "a.py")[0] == 1
    assert check("--warn", "SPY1", "--error", "SPY104", "a.py")[0] == 1
    assert "info[SPY104]" in check("--info", "class-definition", "a.py")[1]


def test_error_on_warning(check: Check) -> None:
    write("a.py", WARNING)
    assert check("a.py")[0] == 0
    assert check("--error-on-warning", "a.py")[0] == 1
    write("staticpy.toml", "[check]\nerror-on-warning = true\n")
    assert check("a.py")[0] == 1


def test_statistics(check: Check) -> None:
    write("a.py", BAD + WARNING[16:])
    write("b.py")
    assert (
        check("--statistics", ".")[1]
        == "2  SPY104  class-definition\n1  SPY912  bare-suppression\n"
    )
    rows = json.loads(check("--statistics", "--output-format", "json", ".")[1])
    assert rows[0] == {"code": "SPY104", "name": "class-definition", "count": 2}


def test_show_files_checks_nothing(check: Check) -> None:
    write("a.py")
    write("build/b.py")
    assert check("--show-files", ".") == (0, "a.py\n", "")


def test_show_settings(check: Check) -> None:
    write("staticpy.toml", "[check]\nselect = ['SPY1']\nseverity = {SPY1 = 'warning'}\n")
    shown = json.loads(check("--show-settings", "--ignore", "SPY104", ".")[1])
    assert shown["file"] == str(Path.cwd() / "staticpy.toml")
    assert (shown["select"], shown["ignore"]) == (["SPY1"], ["SPY104"])
    assert shown["severity"] == {"SPY1": "warning"}
    assert set(shown) == {"file", *KEYS}


def test_wrong_settings_are_bad_usage(check: Check) -> None:
    write("a.py")
    write("pyproject.toml", "[tool.staticpy.check]\nselct = []\n")
    code, out, err = check("a.py")
    assert (code, out) == (2, "")
    assert err.endswith("pyproject.toml: there is no setting 'selct'; did you mean 'select'?\n")


@pytest.mark.parametrize("option", ["--diff", "--fix", "--fix-only"])
def test_add_ignore_writes_nothing_where_fixes_are_asked_for(check: Check, option: str) -> None:
    write("a.py", BAD)
    code, _, err = check("--add-ignore", option, "a.py")
    assert code == 2
    assert f"'--add-ignore' and '{option}' contradict each other" in err
    assert Path("a.py").read_text(encoding="utf-8") == BAD


def test_add_ignore(check: Check) -> None:
    write("a.py")
    code, out, _ = check("--add-ignore", "a.py")
    assert (code, out) == (0, "Added comments for 1 finding in 1 file.\n")
    assert "    class A: pass  # staticpy: ignore[SPY104]\n" in Path("a.py").read_text()
    assert check("--error-on-warning", "a.py")[0] == 0
    write("b.py")
    check("--add-ignore=before 2.0", "b.py")
    assert "# staticpy: ignore[SPY104] before 2.0\n" in Path("b.py").read_text()


def test_stdin_has_the_settings_of_its_name(
    check: Check, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    write("text", BAD)
    arguments = ["--stdin-filename", "tests/a.py", "-"]
    for extra, expected in (
        ([], ["SPY104"]),
        (["--per-file-ignores", "tests:SPY1"], []),
        (["--force-exclude", "--extend-exclude", "tests"], []),
    ):
        with Path("text").open() as stream:
            monkeypatch.setattr("sys.stdin", stream)
            assert codes(check, *extra, *arguments) == expected


def test_no_process_is_too_few(check: Check) -> None:
    code, _, errors = check("--jobs", "0", ".")
    assert code == 2
    assert "argument -j/--jobs: it takes one process at least" in errors


def test_jobs_find_the_same(check: Check) -> None:
    for number in range(50):
        write(f"deep/{number}.py", BAD if number % 3 else WARNING)
    write("broken.py", "import staticpy\ndef f(:\n")
    runs = [
        check("--no-cache", "--output-format", "report", "--jobs", jobs, ".")[1]
        for jobs in ("1", "3")
    ]
    assert runs[0] == runs[1]
    assert json.loads(runs[0])["summary"]["files"] == 51


def test_watch(check: Check, capsys: pytest.CaptureFixture[str]) -> None:
    write("a.py", "")
    seen: list[str] = []
    edits = iter([lambda: None, lambda: write("a.py"), lambda: Path("a.py").unlink()])

    def wait(_: float) -> None:
        step = next(edits, None)
        if step is None:
            raise KeyboardInterrupt
        step()

    def run() -> list[str]:
        seen.append(Path("a.py").read_text() if Path("a.py").exists() else "gone")
        return []

    with pytest.raises(KeyboardInterrupt):
        watch(["."], run, wait)
    assert seen == ["", BAD, "gone"]


def test_watch_looks_at_what_the_files_import(check: Check) -> None:
    write("run/a.py", "from tools import f\n")
    write("tools.py", "f = 1\n")
    tools = Path("tools.py").absolute()
    changes = (lambda: None, lambda: write("tools.py", "f = 22\n"), tools.unlink, lambda: None)
    edits = iter(changes)
    seen: list[bool] = []

    def wait(_: float) -> None:
        step = next(edits, None)
        if step is None:
            raise KeyboardInterrupt
        step()

    def run() -> list[str]:
        seen.append(tools.exists())
        return [str(tools), str(tools.with_name("more.py"))]

    with pytest.raises(KeyboardInterrupt):
        watch(["run"], run, wait)
    assert seen == [True, True, False]


def test_watch_goes_on_when_settings_are_wrong(
    check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(_: float) -> None:
        raise KeyboardInterrupt

    write("staticpy.toml", "[check]\nselct = 1\n")
    monkeypatch.setattr(watch, "__defaults__", (stop,))
    code, _, err = check("--watch", ".")
    assert code == 130
    assert "did you mean 'select'?" in err


def test_config(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(KEYS)
    assert main(["config", "scope"]) == 0
    assert 'Default: "decorated"' in capsys.readouterr().out
    assert main(["config", "scopes"]) == 2


def test_clean(check: Check, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["clean"]) == 0
    assert capsys.readouterr().out == "There is no cache.\n"
    Path("data").mkdir()
    assert main(["clean", "--cache-dir", "data"]) == 2
    write("a.py")
    check("a.py")
    assert main(["clean"]) == 0
    assert not Path(".staticpy_cache").exists()


def test_how_far_functions_are_from_being_graphs(check: Check) -> None:
    text = "def f(x: float):\n    return x\n\ndef g(x: float):\n    class A: pass\n    return x\n"
    write("a.py", text)
    write("b.py", text + "\ndef h(x: float):\n    return y\n")
    out = check("--scope", "all", "--output-format", "concise", ".")[1]
    assert out.splitlines()[-3:] == [
        "a.py: 1 not a graph, 1 ready",
        "b.py: 1 not a graph, 1 ready, 1 ready after fixes",
        "All: 2 not a graph, 2 ready, 1 ready after fixes",
    ]
    out = check("--scope", "all", "-v", "b.py")[1]
    assert "  8: h: ready after 1 fix\n" in out
    report = json.loads(check("--scope", "all", "--output-format", "report", "a.py")[1])
    assert [item["verdict"] for item in report["files"][0]["functions"]] == ["ready", "not a graph"]
    assert "ready" not in check("a.py")[1]


class NoSine:
    """A backend without a sine."""

    name = "no-sine"

    def compile(self, module: Module) -> Executable:
        for operation in walk(module.main.block):
            if operation.name == "sin":
                raise unsupported(self.name, "a sine", operation.span)
        return get_backend("python_source").compile(module)


SINES = """\
import numpy as np
from staticpy import f64, jit, grad

@jit
def direct(x: float):
    return np.sin(x)

@jit
def derived(x: float):
    return grad(np.cos)(x)

@jit
def none(x: float):
    return np.cos(x)

@jit(backend="python_source")
def other(x: float):
    return np.sin(x)

@jit(backend="not installed")
def unknown(x: float):
    return np.sin(x)
"""


def test_a_backend_is_asked(check: Check) -> None:
    register_backend(NoSine())
    write("a.py", SINES)
    assert check("a.py")[0] == 0
    code, output, _ = check("--backend", "no-sine", "--output-format", "concise", "a.py")
    assert code == 1
    assert re.findall(r"a\.py:(\d+).*?\[(SPY\d+)\]", output) == [("6", "SPY903"), ("10", "SPY903")]
    write("a.py", SINES.replace("@jit\ndef direct", "@jit(backend='no-sine')\ndef direct"))
    assert re.findall(r"a\.py:(\d+)", check("--output-format", "concise", "a.py")[1]) == ["6"]
    write("staticpy.toml", '[check]\nbackend = "no-sine"\n')
    assert re.findall(r"a\.py:(\d+)", check("--output-format", "concise", "a.py")[1]) == ["6", "10"]


def test_a_backend_that_there_is_not(check: Check) -> None:
    code, _, err = check("--backend", "nosuch")
    assert code == 2
    assert "there is no backend 'nosuch'" in err


LATER = """\
import sys
from staticpy import jit

if sys.version_info >= (3, 12):
    from later import helper
else:
    from earlier import helper

@jit
def f(x: float):
    return helper(x)
"""


def test_the_version_of_python(check: Check) -> None:
    write("a.py", LATER)
    write("later.py", "def helper(x):\n    return x\n")
    write("earlier.py", "def helper(x):\n    return open(x)\n")
    assert check("--target-version", "py311", "a.py")[0] == 1
    assert check("a.py")[0] == (1 if sys.version_info < (3, 12) else 0)
    write("staticpy.toml", "[check]\ntarget-version = 'py311'\n")
    assert check("a.py")[0] == 1
    assert '"target-version": "py311"' in check("--show-settings")[1]
    for wrong in ("py399", "3.11", "py2"):
        code, _, err = check("--target-version", wrong)
        assert code == 2
        assert "--target-version" in err


@pytest.mark.skipif(sys.version_info < (3, 12), reason="this Python has no later syntax")
def test_later_syntax_is_refused(check: Check) -> None:
    write("a.py", "import staticpy\ntype A = int\n")
    assert codes(check, "a.py") == []
    assert codes(check, "--target-version", "py311", "a.py") == ["SPY001"]


TYPES = """\
import numpy as np
from staticpy import f64, jit

N = 3

@jit
def f(x: f64["n", 3], k: int):
    y = x * 2.0
    total = np.float64(0)
    for i in range(k):
        total = total + y[i].sum()
    scale = N
    return total * scale

def plain(x: float):
    y = x
"""


def test_types_are_explained(check: Check) -> None:
    write("a.py", TYPES)
    code, output, _ = check("--explain-types", "a.py")
    assert code == 0
    assert output.splitlines() == [
        "a.py:7:7: x: f64[n, 3]",
        "a.py:7:23: k: int",
        "a.py:8:5: y: f64[n, 3]",
        "a.py:9:5: total: f64",
        "a.py:10:9: i: int",
        "a.py:11:9: total: f64",
        "a.py:12:5: scale = 3",
        "a.py:13:5: return: f64",
    ]
    items = json.loads(check("--explain-types", "--output-format", "json", "a.py")[1])
    assert items[2] == {
        "filename": "a.py",
        "location": {"row": 8, "column": 5},
        "end_location": {"row": 8, "column": 6},
        "function": "f",
        "name": "y",
        "binding": "run-time",
        "type": "f64[n, 3]",
    }
