"""Annotations that leave something open, and names for annotations: what is wrong whatever the
argument is among what they admit.
"""

from __future__ import annotations

import pytest

from staticpy.frontend import check_file

_HEAD = """\
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import NDArray
from jaxtyping import Float, Int, Num, Shaped
import staticpy
from staticpy import f32, f64

Vector = f64["n"]
Matrix = NDArray[np.float64]
Image: "TypeAlias" = f32["h", "w"]

"""


def _findings(function: str) -> list[tuple[str, int]]:
    text = f"{_HEAD}\n@staticpy.jit\n{function}\n"
    first = _HEAD.count("\n") + 2
    found = check_file(text, "m.py").diagnostics
    return [(item.code, item.span.line - first) for item in found]


_WRONG = {
    "no such attribute": ("def f(x: NDArray[np.float64]):\n    return x.summ()", "SPY407", 2),
    "of any dtype": ("def f(x: np.ndarray):\n    return np.convolve(x)", "SPY503", 2),
    "a condition": ("def f(x: np.ndarray):\n    if x > 0:\n        return x", None, 0),
    "sizes of floats": (
        'def f(x: Float[np.ndarray, "64 784"], w: Float[np.ndarray, "512 10"]):\n    return x @ w',
        "SPY606",
        2,
    ),
    "a shift of floats": (
        'def f(x: Float[np.ndarray, "n"], k: int):\n    return x << k',
        "SPY601",
        2,
    ),
    "an invert of floats": ("def f(x: NDArray[np.float32]):\n    return ~x", "SPY601", 2),
    "after a question for the rank": (
        "def f(x: NDArray[np.float64]):\n"
        "    if x.ndim != 2:\n        raise ValueError('a matrix')\n"
        "    return x.sum(axis=2)",
        "SPY505",
        4,
    ),
    "after the sizes were taken apart": (
        "def f(x: NDArray[np.float64]):\n    rows, columns = x.shape\n    return x.sum(axis=2)",
        "SPY505",
        3,
    ),
    "two arrays": (
        "def f(x: NDArray[np.float64], y: Matrix):\n    return x + abs(y, 3)",
        "SPY503",
        2,
    ),
    "a union": ("def f(x: int | float):\n    return x[0]", "SPY507", 2),
    "an Optional": (
        'def f(x: Optional[f64["n"]] = None):\n'
        "    if x is None:\n        x = np.zeros(3)\n"
        "    return x.sum(axis=1)",
        "SPY505",
        4,
    ),
    "any number of axes": ('def f(x: f64["*batch", 3]):\n    return x.sum(axis=99)', "SPY505", 2),
    "a name for a type": ("def f(x: Vector):\n    return x.sum(axis=1)", "SPY505", 2),
    "a name for one that is open": ("def f(x: Matrix):\n    return ~x", "SPY601", 2),
    "a name with an annotation": ("def f(x: Image):\n    return x.sum(axis=2)", "SPY505", 2),
    "a name in a tuple": ("def f(x: tuple[Vector, int]):\n    return x[0] @ 'a'", "SPY605", 2),
}


@pytest.mark.parametrize("name", [name for name, row in _WRONG.items() if row[1]])
def test_wrong_whatever_it_is(name: str) -> None:
    function, code, line = _WRONG[name]
    assert _findings(function) == [(code, line)]


@pytest.mark.parametrize(
    "function",
    [
        "def f(x: NDArray[np.float64]):\n    return x.sum(axis=3)",
        "def f(x: NDArray[np.float64], y: NDArray[np.float64]):\n    return x @ y",
        "def f(x: NDArray[np.float64]):\n    rows, columns = x.shape\n    return x[:, 0]",
        "def f(x: np.ndarray):\n    a, b, c, d = x.shape\n    return x.sum(axis=3)",
        "def f(x: np.ndarray):\n    return ~x",
        "def f(x: np.ndarray, k: np.ndarray):\n    return x << k",
        "def f(x: Float[np.ndarray, 'n k'], w: Float[np.ndarray, 'k m']):\n    return x @ w",
        "def f(x: Num[np.ndarray, 'n']):\n    return x % 2",
        "def f(x: int | f64['n']):\n    return x + 1",
        "def f(x: Optional[float] = None):\n    return 1.0 if x is None else x * 2",
        "def f(x: f64['...', 3]):\n    return x[..., 0]",
        "def f(x: Vector, y: Vector):\n    return x @ y",
        "def f(x: Union[str, 'Any']):\n    return x.anything()",
        "def f(x: NDArray[np.float64]):\n    assert x.ndim == 3\n    return x[0, 0, 0]",
    ],
)
def test_right_for_some(function: str) -> None:
    assert _findings(function) == []


def test_says_for_what_it_is_shown() -> None:
    text = f"{_HEAD}\n@staticpy.jit\ndef f(x: NDArray[np.float32], k: int):\n    return x << k\n"
    (found,) = check_file(text, "m.py").diagnostics
    labels = [label.text for label in found.labels]
    assert "'x' is taken for f32[?]; it is the same for all that this admits" in labels
