"""No file can hurt: each is answered with a finding, in little time and memory, and none is run."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SECONDS = 4.0
"""Twice what it may take, for a machine that has more to do; see `limit`."""

MEGABYTES = 500

Run = tuple[int, list[str], float, float]

LAUNCHER = """
import json, resource, subprocess, sys
with open("report.json", "wb") as report:  # no pipe, which a report of 10 MB would fill
    command = [sys.executable, "-m", "staticpy", "check", "--output-format", "json"]
    code = subprocess.call([*command, *sys.argv[1:]], stdout=report)
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps([code, usage.ru_utime + usage.ru_stime, usage.ru_maxrss]))
"""
"""Measures the command. The memory of a process counts what its parent had when it was made: that
of the tests is large."""


def check(folder: Path, *arguments: str) -> Run:
    """Exit code, codes of the findings, seconds of the processor, megabytes of memory."""
    run = subprocess.run(
        [sys.executable, "-c", LAUNCHER, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=True,
    )
    assert run.stderr == b""
    code, seconds, memory = json.loads(run.stdout)
    found = json.loads((folder / "report.json").read_bytes())
    unit = 1 if sys.platform == "darwin" else 1024
    return code, [each["code"] for each in found], seconds, memory * unit / 1e6


@pytest.fixture(scope="module")
def limit(tmp_path_factory: pytest.TempPathFactory) -> float:
    """Seconds of the processor: more where a file of one line takes long, so that a slow or busy
    machine is not taken for a slow check."""
    folder = tmp_path_factory.mktemp("limit")
    (folder / "harmless.py").write_bytes(HEAD)
    return max(SECONDS, 5 * check(folder, "--no-cache", "harmless.py")[2])


HEAD = b"import staticpy\n"
HOSTILE = {
    "a line of 50 MB": (HEAD + b"x = '" + b"a" * 50_000_000 + b"'\n", ["SPY005"]),
    "a list of 9 MB": (HEAD + b"x = [" + b"1," * 4_500_000 + b"]\n", ["SPY005"]),
    "a long list": (HEAD + b"x = [" + b"1," * 100_000 + b"]\n", []),
    "a long sum": (HEAD + b"x = 1" + b"+1" * 100_000 + b"\n", ["SPY006"]),
    "brackets": (HEAD + b"(" * 100_000 + b")" * 100_000, ["SPY001", "SPY006"]),
    "open brackets": (HEAD + b"[" * 100_000, ["SPY001", "SPY006"]),
    "operators": (HEAD + b"x = " + b"-" * 100_000 + b"1\n", ["SPY006"]),
    "NUL bytes": (HEAD + b"\0" * 1_000_000, ["SPY004"]),
    "noise": (HEAD + bytes(range(128, 256)) * 10_000, ["SPY003"]),
    "lines": (HEAD + b"\n" * 5_000_000, []),
    "a comment of 9 MB": (HEAD + b"#" + b"a" * 9_000_000, []),
    "a text of 9 MB": (HEAD + b"x = '''" + b"\n" * 9_000_000 + b"'''", []),
    "comments that hide": (HEAD + b"x = 1  # staticpy: ignore[SPY104]\n" * 3_000, ["SPY910"]),
    "a long list of codes": (HEAD + b"# staticpy: ignore[" + b"A," * 140_000 + b"]\n", ["SPY912"]),
    "unknown codes": (
        HEAD + b"".join(b"x = 1  # staticpy: ignore[X%d]\n" % n for n in range(1_000)),
        ["SPY911"],
    ),
    "an open list of codes": (HEAD + b"# staticpy: ignore[" + b" A" * 280_000 + b"\n", ["SPY912"]),
    "lists of noqa": (HEAD + b"# noqa: " + b"SPY1 " * 200_000 + b"!\n", ["SPY910"]),
}


@pytest.mark.skipif(sys.platform == "win32", reason="has no module resource")
@pytest.mark.parametrize("name", HOSTILE)
def test_within_seconds_and_memory(name: str, tmp_path: Path, limit: float) -> None:
    content, codes = HOSTILE[name]
    (tmp_path / "hostile.py").write_bytes(content)
    code, found, seconds, megabytes = check(tmp_path, "--no-cache", "hostile.py")
    assert set(found) <= set(codes)
    assert bool(found) is bool(codes)
    assert code == any(each < "SPY9" for each in found)
    assert seconds < limit
    assert megabytes < MEGABYTES


def loop_of_links(folder: Path) -> None:
    (folder / "a.py").symlink_to("b.py")
    (folder / "b.py").symlink_to("a.py")


def pipe(folder: Path) -> None:
    os.mkfifo(folder / "a.py")


def device(folder: Path) -> None:
    (folder / "a.py").symlink_to("/dev/zero")


def folder_of_that_name(folder: Path) -> None:
    (folder / "a.py").mkdir()
    (folder / "a.py" / "b.py").symlink_to("/nowhere")


@pytest.mark.skipif(sys.platform == "win32", reason="has no such files")
@pytest.mark.parametrize("make", [loop_of_links, pipe, device, folder_of_that_name])
def test_what_is_no_regular_file_is_not_read(
    make: Callable[[Path], None], tmp_path: Path, limit: float
) -> None:
    make(tmp_path)
    code, found, seconds, _ = check(tmp_path, ".")
    assert (code, set(found)) == (1, {"SPY002"})
    assert seconds < limit


def test_a_file_that_would_delete_everything_is_never_run(tmp_path: Path) -> None:
    keep = tmp_path / "keep.txt"
    keep.write_text("precious")
    bomb = (
        f"import pathlib; pathlib.Path({str(keep)!r}).unlink()\n"
        "import staticpy, numpy as np\n"
        "@staticpy.jit(static_argnames=pathlib.Path('x').touch())\n"
        f"def f(x: pathlib.Path({str(keep)!r}).unlink(), y: 'pathlib.Path().unlink()' = exit(7)):\n"
        "    return x\n"
        "class Meta(type):\n"
        "    def __prepare__(*_): raise SystemExit\n"
        "class A(metaclass=Meta): pass\n"
    )
    for name in ("bomb.py", "conftest.py", "sitecustomize.py", "numpy.py", "setup.py"):
        (tmp_path / name).write_text(bomb)
    (tmp_path / "pyproject.toml").write_text("[tool.staticpy.check]\nscope = 'all'\n")
    for arguments in (["."], ["--fix", "."], ["--diff", "."], ["--add-ignore", "."]):
        subprocess.run(
            [sys.executable, "-m", "staticpy", "check", *arguments],
            check=False,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
        )
    assert keep.read_text() == "precious"
    assert not (tmp_path / "x").exists()


def _wait_until_it_compiles(pid: int) -> None:
    """Until a process or a child of it has loaded NumPy, which is done for the first function,
    where that can be seen; and a moment more.
    """
    children = Path(f"/proc/{pid}/task/{pid}/children")
    end = time.monotonic() + 60
    while children.exists():
        maps = [Path(f"/proc/{each}/maps") for each in (pid, *children.read_text().split())]
        if any("_multiarray_umath" in each.read_text() for each in maps if each.exists()):
            break
        assert time.monotonic() < end
        time.sleep(0.05)
    time.sleep(1.0)


@pytest.mark.skipif(sys.platform == "win32", reason="has other signals")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c(tmp_path: Path, jobs: str) -> None:
    """The command ends at once, with 130 and without a traceback."""
    body = "".join(f"    x = x + {number}.0\n" for number in range(400))
    for number in range(200):
        text = f"import staticpy\n@staticpy.jit\ndef f{number}(x: float):\n{body}    return x\n"
        (tmp_path / f"m{number}.py").write_text(text)
    process = subprocess.Popen(
        [sys.executable, "-m", "staticpy", "check", "--no-cache", "--jobs", jobs, "."],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    _wait_until_it_compiles(process.pid)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Traceback" not in errors


@pytest.mark.skipif(sys.platform == "win32", reason="has other signals")
def test_ctrl_c_while_modules_are_loaded(tmp_path: Path) -> None:
    """Also where that executes text, of which CPython knows later on that it was interrupted."""
    loaded = tmp_path / "loaded"
    loaded.mkdir()
    (loaded / "gast.py").write_text("exec('raise KeyboardInterrupt')\n")
    (tmp_path / "m.py").write_text(
        "import staticpy\n@staticpy.jit\ndef f(x: float):\n    return x\n"
    )
    ended = subprocess.run(
        [sys.executable, "-m", "staticpy", "check", "--no-cache", "--jobs", "1", "m.py"],
        check=False,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (loaded, ROOT)))},
        capture_output=True,
    )
    assert (ended.returncode, ended.stderr) == (130, b"")


def test_the_same_twice(tmp_path: Path) -> None:
    for number in range(5):
        (tmp_path / f"m{number}.py").write_text(
            "import staticpy\n@staticpy.jit\ndef f(x: float):\n    class A: pass\n    return y\n"
        )
    reports = []
    for _ in range(3):
        check(tmp_path, ".")
        reports.append((tmp_path / "report.json").read_bytes())
    assert len(set(reports)) == 1
