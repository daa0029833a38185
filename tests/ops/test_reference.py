"""The generated page of the ops says what the code says."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

GENERATOR = Path(__file__).resolve().parents[2] / "docs" / "generate_ops.py"


def _generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_generate_ops", GENERATOR)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_page_is_up_to_date() -> None:
    assert not _generator().differs(), "run: python docs/generate_ops.py"


def test_page_names_what_can_be_called() -> None:
    page = _generator().page()
    for name in ("np.tanh", "np.concatenate", "np.float32", ".astype", "divmod", "py.add"):
        assert f"`{name}`" in page
