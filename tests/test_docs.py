"""The Python blocks of the documentation run, one after the other, as one program a page."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [
    "README.md",
    "docs/check.md",
    "docs/quickstart.md",
    "docs/derivatives.md",
    "docs/explain.md",
    "docs/native.md",
    "docs/nn.md",
    "docs/tensors.md",
    "docs/xp.md",
    *sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs" / "internals").glob("*.md")),
]
_BLOCK = re.compile(r"^( *)```python\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\((?!https?:)([^)#]+)")


def _as_users_have_it() -> dict[str, str]:
    """The environment, without what the tests set."""
    return {name: value for name, value in os.environ.items() if name != "STATICPY_BACKEND"}


@pytest.mark.parametrize("page", PAGES)
def test_blocks_run(page: str, tmp_path: Path) -> None:
    if page == "docs/native.md":
        pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")
    text = (ROOT / page).read_text(encoding="utf-8")
    blocks = [textwrap.dedent(block) for _, block in _BLOCK.findall(text)]
    program = tmp_path / "page.py"
    program.write_text("\n\n".join(blocks), encoding="utf-8")
    run = subprocess.run(
        [sys.executable, str(program)],
        check=False,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**_as_users_have_it(), "PYTHONPATH": str(ROOT)},
    )
    assert run.returncode == 0, run.stderr


@pytest.mark.parametrize("page", [*PAGES, "CONTRIBUTING.md", "docs/language.md"])
def test_links_lead_somewhere(page: str) -> None:
    path = ROOT / page
    missing = [
        link
        for link in _LINK.findall(path.read_text(encoding="utf-8"))
        if not (path.parent / link).exists()
    ]
    assert missing == []
