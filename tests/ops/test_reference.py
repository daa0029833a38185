"""The generated pages of the ops and of ``xp`` say what the code says."""

from __future__ import annotations

import importlib.util
import inspect
import operator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from staticpy.ops import FUNCTIONS, REGISTRY

GENERATOR = Path(__file__).resolve().parents[2] / "docs" / "generate_ops.py"
LEAST = 250
"""How many functions of NumPy a graph can call, at least."""


def _generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_generate_ops", GENERATOR)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _tells_parameters() -> bool:
    """Whether NumPy tells the parameters of what is written in C, which the page names."""
    try:
        inspect.signature(np.can_cast)
    except ValueError:
        return False
    return True


@pytest.mark.skipif(not _tells_parameters(), reason="the page has the functions of NumPy from 2.4")
def test_pages_are_up_to_date() -> None:
    assert _generator().outdated() == [], "run: python docs/generate_ops.py"


def test_page_names_what_can_be_called() -> None:
    page = _generator().page()
    names = ("np.tanh", "np.concatenate", "np.float32", ".astype", "divmod", "py.add")
    dotted = (
        "np.linalg.solve",
        "np.fft.rfft",
        "np.random.normal",
        "Generator.normal",
        "np.mgrid[…]",
    )
    for name in (*names, *dotted):
        assert f"`{name}`" in page
    assert "`np.solve`" not in page


def test_functions_stand_under_the_names_of_programs() -> None:
    functions = _generator().functions()
    assert len(functions) >= LEAST
    for name, function in functions.items():
        assert operator.attrgetter(name)(np) is function, name
    known = [f for f in FUNCTIONS if not isinstance(f, type) and f.__name__ != "row_stack"]
    own = _generator().own_functions()
    assert "staticpy.ops.erf" in own
    assert len(functions) + len(own) == len(known)


def test_arguments_are_those_of_the_adapter() -> None:
    rows = {line.split("`")[1]: line for line in _generator().page().splitlines() if "| `" in line}
    assert "| `a, axis, dtype, out, keepdims, initial, where` |" in rows["np.sum"]
    assert "| `shape, dtype, order, device` | `like` |" in rows["np.zeros"]
    assert "| `x1, x2, out, where, casting, order, dtype, subok` |  |" in rows["np.add"]
    assert "| `axis, dtype, out, keepdims, initial, where` |" in rows[".sum"]
    assert "| `a, n, axis, norm` | `out` |" in rows["np.fft.hfft"]


def test_rules_are_those_of_the_ops() -> None:
    rules = _generator().rules
    assert rules("add", [REGISTRY["add"]]) == ["yes", "yes"]
    assert rules("nextafter", [REGISTRY["nextafter"]]) == ["none", "yes"]
    assert rules("floor", [REGISTRY["floor"]]) == ["zero", "yes"]
    assert rules("isin", []) == ["zero", "loop"]
    assert rules("random.normal", []) == ["none", "loop"]
    assert rules("trapezoid", []) == ["yes", "loop"]
    assert rules("linalg.inv", []) == ["yes", "yes"]


def test_ops_that_transforms_go_through_themselves_have_no_rules() -> None:
    rows = {line.split("`")[1]: line for line in _generator().page().splitlines() if "| `" in line}
    assert rows["while"].endswith("| - | - |")
    assert rows["list.append"].endswith("| - | - |")
    assert rows["matmul"].endswith("| yes | yes |")


def test_functions_made_of_several_ops_have_their_derivatives() -> None:
    rows = {line.split("`")[1]: line for line in _generator().page().splitlines() if "| `" in line}
    for name in ("np.hstack", "np.swapaxes", "np.flip", "np.atleast_2d", "np.hsplit"):
        assert rows[name].split(" | ")[-2] == "yes", name
    for name, found in (
        (".sum", "yes"),
        (".astype", "yes"),
        (".argmax", "zero"),
        (".put", "yes"),
    ):
        assert rows[name].split(" | ")[-2] == found, name


def test_page_of_xp() -> None:
    page = _generator().xp_page()
    assert "`xp.sum`, " in page
    assert "| `xp.unstack(x, /, *, axis=0)` | The parts of `x` along an axis, as views. |" in page
    assert "| `xp.linalg.eigvals(x, /)` | The eigenvalues: `x: f[..., n, n]`" in page
