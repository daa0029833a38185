"""Machine code of earlier runs: found, never stale, never damaged, nobody else's."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import staticpy

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

engine = pytest.importorskip("staticpy.backends.llvm.engine")
kept = pytest.importorskip("staticpy.backends.llvm.kept")

FACTOR = 2.0
X = np.arange(6.0).reshape(2, 3)


def scaled(x):
    return FACTOR * x - x.mean(axis=-1, keepdims=True)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = tmp_path / "code"
    monkeypatch.setenv(kept.VARIABLE, str(made))
    return made


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that are compiled, not found."""
    found: list[str] = []
    compile_unit = engine.Unit._compiled

    def counted(unit):
        found.append(unit.text)
        return compile_unit(unit)

    monkeypatch.setattr(engine.Unit, "_compiled", counted)
    return found


def run():
    return staticpy.jit(scaled, backend="llvm")(X)


def entries(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.o"))


def test_code_is_found_again(folder, compiled):
    expected = scaled(X)
    assert run().tobytes() == expected.tobytes()
    first = len(compiled)
    assert first == len(entries(folder)) > 0
    assert run().tobytes() == expected.tobytes()
    assert len(compiled) == first


def test_what_is_compiled_in_is_part_of_the_key(folder, compiled, monkeypatch):
    run()
    count = len(compiled)
    monkeypatch.setattr(sys.modules[__name__], "FACTOR", np.float64(3.0))
    assert run().tobytes() == scaled(X).tobytes()
    assert len(compiled) > count


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        lambda content: content[: len(content) // 2],
        lambda content: os.urandom(len(content)),
        lambda content: content[:-1] + bytes([content[-1] ^ 1]),
        lambda content: content + b"\0",
        lambda content: b"another form\n" + content,
    ],
    ids=["empty", "truncated", "garbage", "a bit", "longer", "another form"],
)
def test_what_is_damaged_is_compiled_anew(folder, compiled, damage):
    run()
    count, paths = len(compiled), entries(folder)
    whole = [path.read_bytes() for path in paths]
    for path, content in zip(paths, whole, strict=True):
        path.write_bytes(damage(content))
    assert run().tobytes() == scaled(X).tobytes()
    assert len(compiled) == 2 * count
    assert [path.read_bytes() for path in paths] == whole


def test_code_of_another_processor_is_not_found(folder, compiled, monkeypatch):
    run()
    count = len(compiled)
    cpu, features = engine._host()
    monkeypatch.setattr(engine, "_host", lambda: (cpu, f"{features},-avx512bf16,"))
    run()
    assert len(compiled) == 2 * count


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_only_the_user_can_read_it(folder):
    run()
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in entries(folder)} == {0o600}


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
@pytest.mark.parametrize("mode", [0o777, 0o770, 0o722])
def test_a_folder_of_others_is_not_used(folder, mode):
    folder.mkdir()
    folder.chmod(mode)
    with pytest.warns(kept.CacheWarning, match="others can write to it"):
        run()
    assert not entries(folder)
    with warnings.catch_warnings():  # said once
        warnings.simplefilter("error")
        run()


def test_a_folder_that_cannot_be_made(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(kept.VARIABLE, str(tmp_path / "file"))
    with pytest.warns(kept.CacheWarning, match="is not used"):
        assert run().tobytes() == scaled(X).tobytes()


def test_what_was_used_longest_ago_makes_room(folder, monkeypatch):
    store = kept.KeptCode(folder)
    folder.mkdir()
    for number, name in enumerate("abcd"):
        store.put(name, bytes(100))
        os.utime(folder / f"{name}.o", (number, number))
    assert store.get("a") == bytes(100)  # used now
    monkeypatch.setattr(kept, "LARGEST", 400)
    store.put("e", bytes(100))
    assert [path.stem for path in entries(folder)] == ["a", "d", "e"]


PROGRAM = """
import numpy as np, staticpy
def f(x):
    return np.exp(x) / (1.0 + np.exp(x))
x = np.linspace(-3.0, 3.0, 50)
print(abs(staticpy.jit(f, backend="llvm")(x) - f(x)).max() < 1e-12)
"""


def test_several_processes_at_once(folder, tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    command = [sys.executable, str(tmp_path / "program.py")]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    assert [process.communicate(timeout=120)[0] for process in running] == ["True\n"] * 3
    assert entries(folder)
    assert not [path for path in folder.iterdir() if path.suffix != ".o"]
