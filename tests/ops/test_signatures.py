"""The parameters of functions of NumPy that tell none themselves: those in C before NumPy 2.4."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

from staticpy.ops import signatures
from staticpy.ops.signatures import signature_of


@pytest.mark.parametrize("name", sorted(signatures._UNTOLD))
def test_what_is_written_down_is_what_numpy_tells(name: str) -> None:
    function = getattr(np, name)
    written = inspect.signature(signatures._UNTOLD[name])
    try:
        told = inspect.signature(function)
    except ValueError:
        told = written  # this NumPy says nothing, and what is written stands in for it
    assert str(signature_of(function)) == str(told) == str(written)
