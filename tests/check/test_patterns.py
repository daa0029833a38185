"""The language of ``.gitignore``: by its manual, and as git itself understands it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from staticpy.check.patterns import ignored, lines_of, matches


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("build", "build/a.py", True),
        ("build", "src/build/a.py", True),
        ("build", "src/builder/a.py", False),
        ("/build", "src/build/a.py", False),
        ("src/build", "src/build/deep/a.py", True),
        ("src/build", "other/src/build/a.py", False),
        ("*.py", "src/a.py", True),
        ("*.py", "src/a.pyi", False),
        ("src/*.py", "src/deep/a.py", False),
        ("src/**/a.py", "src/a.py", True),
        ("src/**/a.py", "src/very/deep/a.py", True),
        ("**/a.py", "a.py", True),
        ("src/**", "src/deep/a.py", True),
        ("src/**", "src", False),
        ("a?.py", "ab.py", True),
        ("a[0-9].py", "a7.py", True),
        ("a[!0-9].py", "a7.py", False),
        ("a\\*.py", "a*.py", True),
        ("a\\*.py", "ab.py", False),
        ("a.py/", "a.py", False),
        ("tests/", "tests/a.py", True),
        ("a(b).py", "a(b).py", True),
        ("[z-a].py", "b.py", False),
    ],
)
def test_matches(pattern: str, path: str, expected: bool) -> None:
    assert matches(path, pattern) is expected


def test_lines() -> None:
    text = "# a comment\n\n*.py  \n\\#odd.py\nname\\ \r\n"
    assert lines_of(text) == ("*.py", "\\#odd.py", "name\\ ")


GITIGNORE = """\
*.gen.py
!keep.gen.py
/only_here.py
out/
docs/*.py
**/deep/x?.py
[a-c]z.py
\\!odd.py
"""
NAMES = ["a.gen.py", "keep.gen.py", "only_here.py", "out.py", "az.py", "dz.py", "!odd.py", "xy.py"]


def test_git_says_the_same(tmp_path: Path) -> None:
    folders = ["", "out", "docs", "docs/in", "sub/deep", "sub/out"]
    paths = [f"{folder}/{name}".lstrip("/") for folder in folders for name in NAMES]
    for path in paths:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).touch()
    (tmp_path / ".gitignore").write_text(GITIGNORE)
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--others", "--exclude-standard"],
        cwd=tmp_path,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split("\0")
    lines = lines_of(GITIGNORE)

    def is_ignored(path: str) -> bool:
        parts = path.split("/")
        return any(
            ignored("/".join(parts[:end]), lines, is_folder=end < len(parts))
            for end in range(1, len(parts) + 1)
        )

    seen = [path for path in paths if not is_ignored(path)]
    assert seen == [path for path in paths if path in listed]
    assert 10 < len(seen) < len(paths)
