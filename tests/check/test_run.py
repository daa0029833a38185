"""Many files on several processors."""

from __future__ import annotations

import multiprocessing
import os
from pathlib import Path

import pytest

from staticpy.check import Checker, FileResult, Settings, Target, check_files
from staticpy.check.run import _as_plain

BAD = "import staticpy\n\n@staticpy.jit\ndef f(x: float):\n    class A: pass\n    return x\n"


@pytest.fixture
def targets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Target]:
    """Fifty files, every second with a finding."""
    monkeypatch.chdir(tmp_path)
    for number in range(50):
        Path(f"m{number}.py").write_text(BAD if number % 2 else "")
    return [Target(f"m{number}.py", True) for number in range(50)]


def test_the_order_and_the_results_are_those_of_one(targets: list[Target]) -> None:
    checker = Checker(Settings())
    alone, together = (list(check_files(checker, targets, jobs)) for jobs in (1, 3))
    assert [result.file for result in together] == [target.path for target in targets]
    assert [*map(_as_plain, together)] == [*map(_as_plain, alone)]


@pytest.mark.skipif(
    multiprocessing.get_start_method() != "fork", reason="another process has the method unchanged"
)
def test_a_process_that_ends_takes_one_file_with_it(
    targets: list[Target], monkeypatch: pytest.MonkeyPatch
) -> None:
    check, own = Checker.check, os.getpid()

    def end(self: Checker, target: Target) -> FileResult:
        if target.path in ("m3.py", "m30.py") and os.getpid() != own:
            os._exit(1)
        return check(self, target)

    monkeypatch.setattr(Checker, "check", end)
    results = list(check_files(Checker(Settings()), targets, 2))
    assert [result.file for result in results] == [target.path for target in targets]
    assert [result.file for result in results if result.has_failed] == ["m3.py", "m30.py"]
    assert sum(item.code == "SPY104" for each in results for item in each.findings) == 24
