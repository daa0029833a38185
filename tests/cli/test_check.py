"""``staticpy check``: files in, findings and exit codes out."""

from __future__ import annotations

import json
import linecache
import os
import textwrap
from pathlib import Path
from typing import Any

import pytest

from staticpy.diagnostics import CompileError, Diagnostics, catalog
from staticpy.frontend.check import FileReport
from staticpy.source import SourceSpan
from tests.support.command import Check

BAD = "import staticpy\n\n\n@staticpy.jit\ndef f(x: int):\n    class A: pass\n    return 1\n"
GOOD = "import staticpy\n\n\n@staticpy.jit\ndef f(x: int):\n    return x + 1\n"


def write(name: str, content: str | bytes) -> None:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())


def test_a_finding(check: Check) -> None:
    write("model.py", BAD)
    code, out, err = check("model.py")
    assert (code, err) == (1, "")
    assert out.startswith("model.py:6:5: error[SPY104] class-definition: ")
    assert "6 |     class A: pass\n  |     ^^^^^^^\n" in out
    assert out.endswith("\nFound 1 error in 1 of 1 file.\n")


def test_no_finding(check: Check) -> None:
    write("model.py", GOOD)
    assert check("model.py") == (0, "No errors in 1 file.\n", "")


def test_quiet_and_exit_zero(check: Check) -> None:
    write("good.py", GOOD)
    write("bad.py", BAD)
    assert check("-q", "good.py") == (0, "", "")
    code, out, _ = check("--exit-zero", "--output-format", "concise", "-q", "bad.py")
    assert code == 0
    assert len(out.splitlines()) == 1


def test_json(check: Check) -> None:
    write("model.py", BAD)
    write("good.py", GOOD)
    code, out, _ = check("--output-format", "json", ".")
    (finding,) = json.loads(out)
    assert code == 1
    assert finding["code"] == "SPY104"
    assert finding["filename"] == "model.py"
    assert finding["function"] == "f"
    assert finding["location"] == {"row": 6, "column": 5}
    assert json.loads(check("--output-format", "json", "good.py")[1]) == []


def test_output_file(check: Check) -> None:
    write("model.py", BAD)
    code, out, _ = check("--output-format", "json", "--output-file", "out.json", "model.py")
    assert (code, out) == (1, "")
    assert json.loads(Path("out.json").read_text())[0]["code"] == "SPY104"
    code, _, err = check("--output-file", "missing/out.json", "model.py")
    assert code == 2
    assert "cannot write" in err


def test_folders(check: Check) -> None:
    for name in ("a/b.py", "a/c.py", "a/data.txt", ".venv/x.py", "node_modules/y.py", "z.py"):
        write(name, BAD)
    _, out, _ = check("--output-format", "concise", "-q")
    assert [line.split(":")[0] for line in out.splitlines()] == ["z.py", "a/b.py", "a/c.py"]
    _, out, _ = check("--output-format", "concise", "-q", ".venv", "a/b.py", "a", "a/data.txt")
    names = [line.split(":")[0] for line in out.splitlines()]
    assert names == [".venv/x.py", "a/b.py", "a/c.py", "a/data.txt"]


def test_no_files(check: Check) -> None:
    code, _, err = check(".")
    assert code == 0
    assert "no Python files" in err


def test_a_missing_path_is_bad_usage(check: Check) -> None:
    write("bad.py", BAD)
    code, out, err = check("missing.py", "bad.py")
    assert code == 2
    assert "cannot read 'missing.py': No such file" in err
    assert "SPY104" in out
    assert check("")[0] == 2  # not this folder


@pytest.mark.parametrize("option", ["--diff", "--fix-only", "--add-ignore", "--explain-types"])
def test_a_missing_path_is_bad_usage_whatever_is_asked_for(check: Check, option: str) -> None:
    write("good.py", "factor = 2.0\n")
    code, _, err = check(option, "missing.py", "good.py")
    assert code == 2
    assert "missing.py" in err
    assert "No such file" in err


NOT_PYTHON = {
    b"x = = 3\n": "bad.py:1:5: this is not Python",
    b"import staticpy\nx = \0\n": "bad.py:2:5: the file holds a NUL byte",
    b"import staticpy\nx = '\xff'\n": "bad.py:2:6: the text cannot be decoded",
}


@pytest.mark.parametrize("option", ["--diff", "--fix-only", "--add-ignore"])
@pytest.mark.parametrize("content", NOT_PYTHON)
def test_what_is_not_python_is_said_whatever_is_asked_for(
    check: Check, option: str, content: bytes
) -> None:
    write("bad.py", content)
    write("good.py", GOOD)
    code, _, err = check(option, "bad.py", "good.py")
    assert code == 1
    assert err.startswith(f"staticpy: {NOT_PYTHON[content]}")
    assert err.count("\n") == 1


def test_why_no_comment_is_written(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("staticpy.cli.rewriting.write", refuse)
    write("bad.py", BAD)
    code, _, err = check("--add-ignore", "bad.py")
    assert (code, err) == (2, "staticpy: cannot write 'bad.py': Permission denied\n")


def test_types_of_what_is_not_python(check: Check) -> None:
    write("bad.py", "import staticpy\ndef f(:\n")
    code, _, err = check("--explain-types", "bad.py")
    assert code == 1
    assert err.startswith("staticpy: bad.py:2:7: this is not Python")
    assert check("--explain-types", ".")[0] == 0


def test_a_notebook_is_not_read(check: Check) -> None:
    write("good.py", "factor = 2.0\n")
    write("book.ipynb", '{"cells": [{"cell_type": "code", "source": ["import staticpy"]}]}')
    for option in ("--no-cache", "--explain-types", "--fix"):
        code, _, err = check(option, "book.ipynb")
        assert code == 2
        assert "it is a notebook; save its cells as a .py file" in err
    assert check(".")[0] == 0


def test_a_pipe_is_never_opened_for_reading(check: Check) -> None:
    Path("folder").mkdir()
    os.mkfifo("folder/pipe.py")
    code, out, _ = check("folder")
    assert code == 1
    assert "SPY002" in out
    assert check("folder/pipe.py")[0] == 2


def test_bad_usage(check: Check) -> None:
    code, _, err = check("--output-format", "yaml")
    assert code == 2
    assert "invalid choice" in err


ODD_FILES = [
    ("bom", b"\xef\xbb\xbf" + BAD.encode(), {"SPY104"}),
    ("crlf", BAD.replace("\n", "\r\n").encode(), {"SPY104"}),
    ("cr", BAD.replace("\n", "\r").encode(), {"SPY104"}),
    ("latin", b"# coding: latin-1\nx = '\xe9'\n" + BAD.encode(), {"SPY104"}),
    ("empty", b"", set()),
    ("no_newline", GOOD.rstrip().encode(), set()),
    ("nul", b"x = 1\n\x00\n", {"SPY004"}),
    ("utf16", GOOD.encode("utf-16"), {"SPY003", "SPY004"}),
    ("not_utf8", b"x = '\xe9'\n", {"SPY003"}),
    ("unknown_codec", b"# coding: klingon\nx = 1\n", {"SPY003"}),
    ("no_text_codec", b"# coding: rot13\nk = 1\n", {"SPY003"}),
    ("no_text_codec_2", b"# coding: hex\n00\n", {"SPY003"}),
    ("syntax", b"import staticpy\ndef f(:\n", {"SPY001"}),
    ("indent", b"if x:\ny = 1\n", {"SPY001"}),
    ("unclosed", b"x = (1,\n" * 3, {"SPY001"}),
    ("open_string", b"x = '''abc\n", {"SPY001"}),
    ("brackets", b"x = " + b"(" * 50_000 + b")" * 50_000, {"SPY001", "SPY006"}),
    ("open_brackets", b"[" * 100_000, {"SPY001", "SPY006"}),
    ("minus", b"x = " + b"-" * 100_000 + b"1\n", {"SPY006"}),
    ("nots", b"x = " + b"not " * 100_000 + b"1\n", {"SPY006"}),
    ("powers", b"x = " + b"1 ** " * 50_000 + b"1\n", {"SPY006"}),
    ("lambdas", b"x = " + b"lambda: " * 50_000 + b"1\n", {"SPY006"}),
    ("ifs", b"x = " + b"a if b else " * 50_000 + b"1\n", {"SPY006"}),
    ("elifs", b"if a: pass\n" + b"elif a: pass\n" * 30_000, {"SPY006"}),
    ("calls", b"x = f" + b"()" * 100_000 + b"\n", {"SPY006"}),
    ("attributes", b"x = f" + b".a" * 100_000 + b"\n", {"SPY006"}),
    ("blocks", b"".join(b" " * n + b"if x:\n" for n in range(200)) + b" " * 200 + b"pass\n",
     {"SPY001", "SPY006"}),
    ("digits", b"x = " + b"9" * 10_000 + b"\n", {"SPY001"}),
    ("nested_f_strings", b"x = " + b"f'{" * 200 + b"1" + b"}'" * 200 + b"\n", {"SPY001", "SPY006"}),
]  # fmt: skip


@pytest.mark.parametrize(("content", "codes"), [case[1:] for case in ODD_FILES],
                         ids=[case[0] for case in ODD_FILES])  # fmt: skip
@pytest.mark.parametrize("scope", ["decorated", "all"])
def test_odd_files(check: Check, content: bytes, codes: set[str], scope: str) -> None:
    """A wrong file gets one of ``codes`` at one of its lines; a good one gets none."""
    write("odd.py", content)
    code, out, err = check("--scope", scope, "--output-format", "json", "odd.py")
    found = json.loads(out)
    assert err == ""
    assert {item["code"] for item in found} <= codes
    assert code == bool(codes) == bool(found)
    for item in found:
        assert 1 <= item["location"]["row"] <= content.count(b"\n") + content.count(b"\r") + 1


def test_a_file_of_a_folder_that_cannot_hold_a_jit_is_not_parsed(check: Check) -> None:
    write("folder/broken.py", "def f(:\n")
    assert check("folder")[0] == 0
    assert check("folder/broken.py")[0] == 1
    assert check("--scope", "all", "folder")[0] == 1


def test_a_failing_stage_is_a_finding_and_the_next_file_is_checked(
    check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    def check_file(_text: str, file: str, *_: str, **_options: bool) -> FileReport:
        if file == "a.py":
            raise RuntimeError("odd\x1b state")
        diagnostics = Diagnostics()
        diagnostics.add(catalog.CLASS_DEFINITION, SourceSpan(file, 6, 4, 6, 9, "f"))
        return FileReport(diagnostics)

    monkeypatch.setattr("staticpy.frontend.check_file", check_file)
    write("a.py", GOOD)
    write("b.py", BAD)
    code, out, err = check("--output-format", "concise", ".")
    first, second, summary = out.splitlines()
    assert (code, err) == (3, "")
    assert first.startswith("a.py:1:1: error[SPY902] internal-error: ")
    assert first.endswith("RuntimeError: odd\\x1b state")
    assert second.startswith("b.py:6:5: error[SPY104]")
    assert summary == "Found 2 errors in 2 of 2 files."
    assert "RuntimeError" in check("--verbose", "a.py")[2]


PARTLY = """\
import other
import staticpy

@staticpy.jit
def f(n: int):
    return other.size + n

@staticpy.jit
def g(x, n: int):
    return x[n]
"""


def test_what_is_checked_in_part(check: Check) -> None:
    write("a.py", PARTLY)
    code, out, _ = check("a.py")
    first, second = out.splitlines()
    assert (code, first) == (0, "No errors in 1 file.")
    assert second == "2 functions could be checked only in part; -v shows where and why."
    assert check("-q", "a.py")[1] == ""
    assert json.loads(check("--output-format", "json", "a.py")[1]) == []
    code, out, _ = check("-v", "--output-format", "concise", "a.py")
    first, second, summary = out.splitlines()
    assert first.startswith("a.py:6:12: info[SPY307] unchecked-rest: ")
    assert second.startswith("a.py:9:7: info[SPY615] unchecked-types: ")
    assert (code, summary) == (0, "Found 2 info in 1 of 1 file.")


def test_ctrl_c(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    def check_file(*_: str, **_options: bool) -> FileReport:
        raise KeyboardInterrupt

    monkeypatch.setattr("staticpy.frontend.check_file", check_file)
    write("a.py", GOOD)
    assert check("a.py")[0] == 130


def test_a_hostile_file_name(check: Check) -> None:
    name = "a\n::error::b\u202e.py"
    write(name, BAD)
    _, out, _ = check("--output-format", "concise", ".")
    assert len(out.splitlines()) == 2
    assert "a\\n::error::b\\u202e.py:6:5" in out


def test_colours(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    write("bad.py", BAD)
    for names, expected in [
        ((), False),
        (("FORCE_COLOR",), True),
        (("NO_COLOR",), False),
        (("FORCE_COLOR", "NO_COLOR"), False),
    ]:
        for name in ("FORCE_COLOR", "NO_COLOR"):
            monkeypatch.delenv(name, raising=False)
        for name in names:
            monkeypatch.setenv(name, "1")
        assert ("\x1b[" in check("bad.py")[1]) is expected
    assert "\x1b[" in check("--color", "always", "bad.py")[1]


# --- derivatives ----------------------------------------------------------------------------------

DERIVATIVES = {
    "inside of a compiled function": (
        """
        def square(x: float):
            return x * x
        @staticpy.jit
        def f(x: float):
            return staticpy.grad(square)(x) + 1.0
        """,
        """
        def next_to(x: float):
            return np.nextafter(x, 1.0)
        @staticpy.jit
        def f(x: float):
            return staticpy.grad(next_to)(x) + 1.0
        """,
    ),
    "of a compiled function": (
        """
        @staticpy.jit
        def loss(x: float, y: float):
            return x * np.sin(y)
        f = staticpy.value_and_grad(loss, argnums=(0, 1))
        """,
        """
        @staticpy.jit
        def loss(x: float, y: float):
            return x * np.nextafter(y, 1.0)
        f = staticpy.value_and_grad(loss, argnums=(0, 1))
        """,
    ),
    "by an argument": (
        """
        @staticpy.jit
        def loss(x: float, y: float):
            return x * np.nextafter(y, 1.0)
        f = staticpy.grad(loss, 0)
        """,
        """
        @staticpy.jit
        def loss(x: float, y: float):
            return x * np.nextafter(y, 1.0)
        f = staticpy.grad(loss, 1)
        """,
    ),
    "decorated, twice": (
        """
        @staticpy.jit
        @staticpy.grad
        @staticpy.grad
        def f(x: float):
            return x**3
        """,
        """
        @staticpy.jit
        @staticpy.grad
        @staticpy.grad
        def f(x: float):
            return np.nextafter(x**3, 1.0) * x
        """,
    ),
    "of a result": (
        """
        @staticpy.grad
        @staticpy.jit
        def f(x: float):
            return np.ones(3)[1] * x
        """,
        """
        @staticpy.grad
        @staticpy.jit
        def f(x: float):
            return np.ones(3) * x
        """,
    ),
}


@pytest.mark.parametrize("name", DERIVATIVES)
def test_derivatives_are_checked_as_jit_makes_them(name: str, check: Check) -> None:
    for is_good, program in zip((True, False), DERIVATIVES[name], strict=True):
        text = "import numpy as np\nimport staticpy\n" + textwrap.dedent(program)
        write("program.py", text)
        code, out, _ = check("program.py", "-v", "--color", "never")
        assert (code == 0) == is_good, out
        linecache.checkcache()
        namespace: dict[str, Any] = {"__name__": "program", "__file__": "program.py"}
        exec(compile(text, str(Path("program.py").absolute()), "exec"), namespace)
        function = namespace["f"]
        args = [0.5, 0.25][: 2 if "y: float" in program else 1]
        if is_good:
            function(*args)
            continue
        with pytest.raises(CompileError) as caught:
            function(*args)
        (diagnostic,) = caught.value.diagnostics
        assert f"program.py:{diagnostic.span.line}:" in out
        assert diagnostic.code in out


def test_derivatives_of_plain_functions_are_not_compiled(check: Check) -> None:
    text = "import staticpy\ndef f(x: float): return print(x)\nslope = staticpy.grad(f)\n"
    write("program.py", text)
    assert check("program.py")[0] == 0
