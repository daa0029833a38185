"""The generated pages of the ops and of ``xp`` say what the code says."""

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


def test_pages_are_up_to_date() -> None:
    assert _generator().outdated() == [], "run: python docs/generate_ops.py"


def test_page_names_what_can_be_called() -> None:
    page = _generator().page()
    for name in ("np.tanh", "np.concatenate", "np.float32", ".astype", "divmod", "py.add"):
        assert f"`{name}`" in page


def test_page_of_xp() -> None:
    page = _generator().xp_page()
    assert "`xp.sum`, " in page
    assert "| `xp.unstack(x, /, *, axis=0)` | The parts of `x` along an axis, as views. |" in page
    assert "| `xp.linalg.eigvals(x, /)` | The eigenvalues: `x: f[..., n, n]`" in page
