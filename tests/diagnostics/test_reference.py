"""The generated pages are what the generator writes."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from staticpy.diagnostics import catalog

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_generate", DOCS / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_pages_are_up_to_date(generator: ModuleType) -> None:
    assert generator.differing() == [], "run: python docs/generate.py"


def test_every_code_has_a_page(generator: ModuleType) -> None:
    pages = generator.pages()
    for spec in catalog.ALL:
        page = pages[f"{spec.code}.md"]
        assert page.startswith("<!-- Generated")
        assert spec.message in page
        assert spec.bad.strip() in page
        assert f"({spec.code}.md)" in pages["index.md"]
