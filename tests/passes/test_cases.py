"""Passes, graph by graph: each file of ``tests/cases/passes`` holds a graph before and after."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from staticpy import passes
from staticpy.ir import parse_module, print_module, verify
from staticpy.ops import REGISTRY
from staticpy.passes import PassManager

CASES = sorted((Path(__file__).parent.parent / "cases" / "passes").glob("*.ir"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    before, after = text.split("# after\n")
    names = re.search("^# passes: (.*)$", before, re.MULTILINE)
    assert names is not None, "the file doesn't say which passes to run"
    module = parse_module(before, REGISTRY)
    expected = parse_module(after, REGISTRY)
    verify(expected)
    PassManager([getattr(passes, n) for n in names[1].split(", ")], verify_each=True).run(module)
    assert print_module(module) == print_module(expected)
    assert module == expected


def test_each_pass_has_cases() -> None:
    stems = {path.stem.split("_")[0] for path in CASES}
    assert stems == {"inline", "fold", "cse", "dce", "simplify", "licm"}
