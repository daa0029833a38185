"""Which files a check looks at."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from staticpy.check import Settings, discover

Tree = Callable[..., None]


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tree:
    """Makes empty files, in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def make(*names: str) -> None:
        for name in names:
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            Path(name).touch()

    return make


def found(*paths: str, **settings: object) -> list[str]:
    options = Settings(**settings)  # type: ignore[arg-type]
    return [target.path.replace(os.sep, "/") for target in discover(paths or (".",), options)]


def test_of_a_folder_the_python_files(tree: Tree) -> None:
    tree("a.py", "b.pyw", "c.txt", "d.pyi", "deep/er/e.py")
    assert found() == ["a.py", "b.pyw", "deep/er/e.py"]


def test_what_is_named_is_checked_whatever_it_is(tree: Tree) -> None:
    tree("script", "build/a.py")
    names = ["script", "build/a.py", "absent.py"]
    assert found("script", "build/a.py", "build", "absent.py") == names


def test_exclude(tree: Tree) -> None:
    tree("a.py", "old/b.py", "src/old/c.py", "src/gen_d.py", "build/e.py")
    assert found(extend_exclude=("old", "gen_*.py")) == ["a.py"]
    assert found(extend_exclude=("src/old",)) == ["a.py", "old/b.py", "src/gen_d.py"]
    assert found(exclude=("src",)) == ["a.py", "build/e.py", "old/b.py"]
    assert found("src", extend_exclude=("src/old",)) == ["src/gen_d.py"]


def test_force_exclude(tree: Tree) -> None:
    tree("a.py", "build/b.py")
    assert found("a.py", "build/b.py", "build", force_exclude=True) == ["a.py"]


def test_what_git_ignores(tree: Tree) -> None:
    tree("a.py", "gen/b.py", "src/c.py", "src/d.py", "src/keep/e.py", ".git/config")
    Path(".gitignore").write_text("gen/\n/src/c.py\n*/keep/*\n")
    Path("src/.gitignore").write_text("d.py\n!keep/e.py\n")
    Path(".git/info").mkdir()
    Path(".git/info/exclude").write_text("a.py\n")
    assert found() == ["src/keep/e.py"]
    assert found("src") == ["src/keep/e.py"]
    assert found("gen/b.py") == ["gen/b.py"]
    assert len(found(respect_gitignore=False)) == 5


def test_a_gitignore_outside_of_a_repository_says_nothing(tree: Tree) -> None:
    tree("a.py")
    Path(".gitignore").write_text("*\n")
    assert found() == ["a.py"]


def test_loops_of_links(tree: Tree) -> None:
    tree("src/a.py")
    Path("src/again").symlink_to("..")
    Path("src/self.py").symlink_to("self.py")
    assert found() == ["src/a.py", "src/self.py"]
    assert found("src/self.py") == ["src/self.py"]
