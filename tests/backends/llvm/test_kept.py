"""Machine code of earlier runs: found, never stale, never damaged, nobody else's."""

from __future__ import annotations

import errno
import os
import re
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import staticpy

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

backend = pytest.importorskip("staticpy.backends.llvm.backend")
kept = pytest.importorskip("staticpy.backends.llvm.kept")
units = pytest.importorskip("staticpy.backends.llvm.units")

backend.prepare()  # what all functions call is there before

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
    compile_unit = units.Unit.compiled

    def counted(unit):
        found.append(unit.text)
        return compile_unit(unit)

    monkeypatch.setattr(units.Unit, "compiled", counted)
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
    cpu, features = units.host()
    monkeypatch.setattr(units, "host", lambda: (cpu, f"{features},-avx512bf16,"))
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


def test_a_folder_that_cannot_be_written_to_is_warned_of_once(folder, monkeypatch):
    def refuse(path, _content):
        raise OSError(errno.EROFS, "Read-only file system", str(path))

    monkeypatch.setattr(kept, "write_stored", refuse)
    cache = kept.KeptCode(folder)
    expected = f"{kept.VARIABLE}: {str(folder)!r} can't be written to: Read-only file system"
    with pytest.warns(kept.CacheWarning, match=re.escape(expected)):
        cache.put("a", b"code")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cache.put("b", b"code")


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


# --- jit(cache=True) ------------------------------------------------------------------------------


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user whose environment names no folder."""
    for name in (kept.VARIABLE, "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    kept._opened.cache_clear()  # which knows the folders of other users by the same names
    return tmp_path


def run_cached():
    return staticpy.jit(scaled, backend="llvm", cache=True)(X)


@pytest.mark.skipif(sys.platform != "linux", reason="the rule of Linux")
def test_a_function_that_asks_is_kept_in_the_users_folder(home, compiled):
    run()
    assert not list(home.iterdir())
    count = len(compiled)
    assert run_cached().tobytes() == scaled(X).tobytes()
    assert len(compiled) == 2 * count
    folder = home / ".cache" / "staticpy"
    assert len(entries(folder)) == count
    assert folder.stat().st_mode & 0o777 == 0o700
    run_cached()
    assert len(compiled) == 2 * count


@pytest.mark.parametrize(
    ("platform", "variable", "given", "expected"),
    [
        ("linux", "XDG_CACHE_HOME", "/some/where", "/some/where/staticpy"),
        ("linux", "XDG_CACHE_HOME", "not/absolute", "~/.cache/staticpy"),
        ("linux", "HOME", "/home/me", "~/.cache/staticpy"),
        ("darwin", "XDG_CACHE_HOME", "/some/where", "~/Library/Caches/staticpy"),
        ("win32", "LOCALAPPDATA", "/some/where", "/some/where/staticpy/Cache"),
    ],
)
def test_where_the_users_folder_is(home, monkeypatch, platform, variable, given, expected):
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setenv(variable, given)
    assert Path(kept._users_folder()) == Path(expected)


def test_the_folder_that_the_environment_names_comes_first(home, folder, compiled):
    run_cached()
    count = len(compiled)
    assert len(entries(folder)) == count
    run()
    assert len(compiled) == count


def test_a_user_without_a_home(home, monkeypatch):
    def no_home(path):
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "expanduser", no_home)
    with pytest.warns(kept.CacheWarning, match="no home folder"):
        assert run_cached().tobytes() == scaled(X).tobytes()


def test_what_is_made_of_a_function_is_kept_too(home, folder, compiled):
    square = staticpy.jit(lambda x: (x * x).sum(), backend="llvm", cache=True)
    gradient = staticpy.grad(square)
    assert (gradient.backend, gradient.options.keeps_code) == ("llvm", True)
    assert gradient(X).tobytes() == (2 * X).tobytes()
    assert len(entries(folder)) == len(compiled) > 0


@pytest.mark.parametrize(
    "apply", [lambda: staticpy.jit(scaled, cache=True), lambda: staticpy.jit(cache=True)]
)
def test_a_backend_that_keeps_nothing_says_so(apply):
    with pytest.raises(ValueError, match="'python_source' keeps no code between runs"):
        apply()


def test_compiled_as_asked_is_compiled():
    plain = staticpy.jit(scaled, backend="llvm")
    cached = staticpy.jit(plain, backend="llvm", cache=True)
    assert cached is not plain
    assert staticpy.jit(cached, backend="llvm", cache=True) is cached
    assert staticpy.jit(cached, backend="llvm") is cached


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
