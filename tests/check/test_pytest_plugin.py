"""``pytest --staticpy-check``, in a pytest of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
BAD = "import staticpy\n\n@staticpy.jit\ndef f(x: float):\n    class A: pass\n    return x\n"
SETTINGS = "[check]\nextend-exclude = ['old']\nper-file-ignores = {'known.py' = ['SPY104']}\n"


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    options = ["-p", "staticpy.pytest_plugin", "-p", "no:cacheprovider", "--rootdir=."]
    return subprocess.run(
        [sys.executable, "-m", "pytest", *options, *arguments],
        check=False,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_a_test_for_each_file(tmp_path: Path) -> None:
    for name in ("model.py", "known.py", "old/gone.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("raise SystemExit('imported')\n" + BAD)
    (tmp_path / "good.py").write_text("import staticpy\n")
    (tmp_path / "test_it.py").write_text("def test_it():\n    pass\n")
    (tmp_path / "staticpy.toml").write_text(SETTINGS)
    result = run(tmp_path, "--staticpy-check", "-v")
    assert result.returncode == 1
    assert "model.py::staticpy FAILED" in result.stdout
    assert "known.py::staticpy PASSED" in result.stdout
    assert "good.py::staticpy PASSED" in result.stdout
    assert "test_it.py::test_it PASSED" in result.stdout
    assert "gone.py" not in result.stdout
    assert "error[SPY104] class-definition" in result.stdout
    assert "6 |     class A: pass" in result.stdout
    assert "Traceback" not in result.stdout + result.stderr


def test_files_that_are_not_text(tmp_path: Path) -> None:
    (tmp_path / "bytes.py").write_bytes(b"import staticpy\nx = '\xff'\n")
    (tmp_path / "nul.py").write_bytes(b"import staticpy\x00\n")
    result = run(tmp_path, "--staticpy-check")
    assert result.returncode == 1
    assert "error[SPY003] bad-encoding" in result.stdout
    assert "error[SPY004] nul-bytes" in result.stdout
    assert "Traceback" not in result.stdout + result.stderr
    assert "SourceError" not in result.stdout


def test_beside_a_plugin_that_asks_for_arguments(tmp_path: Path) -> None:
    (tmp_path / "good.py").write_text("import staticpy\n")
    (tmp_path / "conftest.py").write_text(
        "import pytest\n\n@pytest.hookimpl(wrapper=True)\ndef pytest_runtest_call(item):\n"
        "    assert list(item.funcargs) == []\n    return (yield)\n"
    )
    result = run(tmp_path, "--staticpy-check", "good.py")
    assert result.returncode == 0, result.stdout


def test_without_the_option_nothing_is_checked(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(BAD)
    (tmp_path / "test_it.py").write_text(
        "import sys\n\ndef test_it():\n    assert 'staticpy.check' not in sys.modules\n"
    )
    result = run(tmp_path)
    assert (result.returncode, "1 passed" in result.stdout) == (0, True)
