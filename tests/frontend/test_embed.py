"""The frontend as a library: ``build_module``."""

from __future__ import annotations

import numpy as np
import pytest

from staticpy import CompileError
from staticpy.frontend import build_module
from staticpy.ir import FLOAT, INT, TensorType, verify
from tests.support.interpreter import run

TEXT = """
import numpy as np
import somewhere

SCALE = 2.0

def first(x, n):
    return np.sum(x) * n * SCALE

class Model:
    def total(pair):
        return pair[0] + pair[1]

def unknown(x):
    return somewhere.f(x)
"""
VECTOR = TensorType(np.dtype("float64"), ("n",))


def scaled(x, factor=2):
    return x * factor


def test_text() -> None:
    module = build_module(TEXT, VECTOR, INT)
    verify(module)
    assert module.entry == "first"
    assert run(module, np.ones(3), 4) == [24.0]


def test_a_method_and_a_tuple() -> None:
    module = build_module(TEXT, (INT, FLOAT), name="Model.total")
    assert run(module, 1, 0.5) == [1.5]


def test_a_live_function() -> None:
    (result,) = run(build_module(scaled, VECTOR, INT), np.ones(2), 3)
    assert result.tolist() == [3.0, 3.0]


@pytest.mark.parametrize(
    ("text", "types", "name", "code"),
    [
        (TEXT, (VECTOR,), "unknown", "SPY306"),
        ("def f(x): return x +", (INT,), None, "SPY001"),
        ("def f(x): return (yield x)", (INT,), None, "SPY202"),
        ("def f(x): return x @ x", (INT,), None, "SPY605"),
    ],
)
def test_refusals(text: str, types: tuple[object, ...], name: str | None, code: str) -> None:
    with pytest.raises(CompileError) as error:
        build_module(text, *types, name=name)
    assert error.value.codes == (code,)


def test_misuse() -> None:
    with pytest.raises(TypeError, match="takes 2 types, but 1 given"):
        build_module(TEXT, VECTOR)
    with pytest.raises(LookupError, match="no function nowhere"):
        build_module(TEXT, name="nowhere")
