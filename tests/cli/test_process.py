"""The command as a process of its own: what it loads, runs and prints."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GOOD = "import staticpy\n\n\n@staticpy.jit\ndef f(x: int):\n    return x + 1\n"
BAD = GOOD.replace("return x + 1", "class A: pass")


def staticpy(
    folder: Path, *arguments: str, stdin: bytes = b"", **environment: str
) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    return subprocess.run(
        [sys.executable, "-m", "staticpy", *arguments],
        check=False,
        cwd=folder,
        input=stdin,
        capture_output=True,
        env=environment,
        timeout=60,
    )


def test_stdin(tmp_path: Path) -> None:
    run = staticpy(tmp_path, "check", "-", "--stdin-filename", "model.py", stdin=BAD.encode())
    assert run.returncode == 1
    assert run.stdout.startswith(b"model.py:6:5: error[SPY104]")
    assert staticpy(tmp_path, "check", "-", stdin=GOOD.encode()).returncode == 0
    run = staticpy(tmp_path, "check", "-", stdin=b"\x00")
    assert b"<stdin>:1:1: error[SPY004]" in run.stdout


def test_what_is_checked_is_never_run(tmp_path: Path) -> None:
    trap = "open('ran', 'w').close()\n"
    for name in ("json", "typing", "re", "argparse", "numpy", "gast", "ast", "string", "conftest"):
        (tmp_path / f"{name}.py").write_text(trap)
    (tmp_path / "model.py").write_text(trap + "import json, typing\n" + BAD)
    run = staticpy(tmp_path, "check", "--scope", "all", "--output-format", "json", ".")
    assert not (tmp_path / "ran").exists()
    assert (run.returncode, run.stderr) == (1, b"")


def test_a_file_without_functions_to_check_loads_no_numpy(tmp_path: Path) -> None:
    (tmp_path / "plain.py").write_text("def f(x):\n    return x\n")
    program = (
        "import sys; from staticpy.cli import main; code = main(['check', '-q', 'plain.py']);"
        "sys.exit(code or ','.join(sys.modules.keys() & {'numpy', 'gast', 'llvmlite'}) or None)"
    )
    run = subprocess.run(
        [sys.executable, "-c", program],
        check=False,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
    )
    assert (run.returncode, run.stderr) == (0, b"")


def test_check_loads_no_backend(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(GOOD)
    program = (
        "import sys; from staticpy.cli import main; code = main(['check', '-q', 'model.py']);"
        "sys.exit(code or ','.join(name for name in sys.modules if 'llvmlite' in name or"
        " name.startswith(('staticpy.backends', 'staticpy.runtime', 'astunparse'))) or None)"
    )
    run = subprocess.run(
        [sys.executable, "-c", program],
        check=False,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
    )
    assert (run.returncode, run.stderr) == (0, b"")


@pytest.mark.parametrize("encoding", ["ascii", "utf-8", "cp1252"])
def test_any_output_encoding(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "漢字.py").write_text(
        BAD.replace("class A: pass", "class A: pass  # 漢字 \U0001f642"), "utf-8"
    )
    run = staticpy(tmp_path, "check", ".", PYTHONIOENCODING=encoding)
    assert run.returncode == 1
    assert run.stderr == b""
    assert b"SPY104" in run.stdout


def test_a_reader_that_goes_away(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(
        "import staticpy\n"
        + "".join(f"@staticpy.jit\ndef f{i}(x: int):\n    class A: pass\n" for i in range(3000))
    )
    process = subprocess.Popen(
        [sys.executable, "-m", "staticpy", "check", "model.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.read(10)
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(60) == 1
