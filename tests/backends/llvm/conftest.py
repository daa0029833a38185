"""What the tests of native code share."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

import pytest


@pytest.fixture
def numpys_functions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Functions such as exp are NumPy's own, so that results are the same bit for bit; how near the
    native ones come is for the tests of them to say. So are fmax and fmin: which of two zeros they
    give depends on where in an array they stand.
    """
    if find_spec("llvmlite") is not None:
        elements = import_module("staticpy.backends.llvm.elements")
        for name in (*elements.maths.NAMES, "fmax", "fmin"):
            monkeypatch.delitem(elements.FLOATS, name, raising=False)
