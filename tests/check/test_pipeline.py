"""The pre-commit hooks and the GitHub action run the command as it is."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import Check

yaml: Any = pytest.importorskip("yaml", reason="it comes with pre-commit (extra 'dev')")
ROOT = Path(__file__).parents[2]
BAD = "import staticpy\n\n@staticpy.jit\ndef f(x: float):\n    class A: pass\n    return x\n"
FIXABLE = "import staticpy\n\nx = 1  # staticpy: ignore[SPY104]\n"


def test_the_hooks(check: Check) -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    found = {hook["id"]: hook for hook in hooks}
    assert found["staticpy-check"]["entry"] == "staticpy check --force-exclude"
    for hook in found.values():
        assert (hook["types_or"], hook["require_serial"]) == (["python", "pyi"], True)
        program, command, *options = shlex.split(hook["entry"])
        assert (program, command) == ("staticpy", "check")
        Path("model.py").write_text(BAD)
        Path("build").mkdir(exist_ok=True)
        Path("build/model.py").write_text(BAD)
        Path("fixable.py").write_text(FIXABLE)
        code, out, _ = check(*options, "model.py", "build/model.py", "fixable.py")
        assert code == 1
        assert "build" not in out  # pre-commit names every file that was changed
        is_fixed = "ignore" not in Path("fixable.py").read_text()
        assert is_fixed == (hook["id"] == "staticpy-check-fix")


@pytest.mark.skipif(os.name != "posix", reason="the action's steps are of bash")
@pytest.mark.parametrize("sarif", ["", "out.sarif"])
def test_the_action(tmp_path: Path, sarif: str) -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    *_, step = action["runs"]["steps"]
    command = tmp_path / "staticpy"
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m staticpy "$@"\n')
    command.chmod(0o755)
    (tmp_path / "model.py").write_text(BAD)
    inputs = {"PATHS": "model.py", "ARGS": "--no-cache --select SPY1", "SARIF": sarif}
    assert step["env"].keys() == inputs.keys()
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=tmp_path,
        env={**os.environ, **inputs, "STATICPY": str(command), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert done.stdout.startswith("::error title=staticpy SPY104")
    if sarif:
        (run,) = json.loads((tmp_path / sarif).read_text())["runs"]
        assert [result["ruleId"] for result in run["results"]] == ["SPY104"]
