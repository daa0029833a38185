"""Hints: what gets one, and what is near to it and gets none."""

from __future__ import annotations

import pytest

from staticpy.frontend import Stages, check_text
from staticpy.runtime import derive

HEAD = """\
import numpy as np
import staticpy
from staticpy import f64


"""


def hints(body: str) -> list[tuple[int, str]]:
    """The line in ``body`` and the code of each finding."""
    found = check_text(HEAD + body, "m.py", stages=Stages(derive))
    return [(item.span.line - HEAD.count("\n"), item.code) for item in found]


def jitted(line: str, parameters: str = 'x: f64["n"], y: float') -> str:
    return f"@staticpy.jit\ndef f({parameters}):\n    {line}\n    return x\n"


# --- SPY801 array-condition -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "if x > 0: x = -x",
        "while x.sum() > 0 and x > 1: x = x - 1",
        "x = x if not x else x + 1",
        "assert x == x",
    ],
)
def test_a_condition_on_an_array(line: str) -> None:
    assert hints(jitted(line)) == [(3, "SPY801")]


@pytest.mark.parametrize(
    "line",
    [
        "if (x > 0).all(): x = -x",
        "if x.sum() > 0: x = -x",
        "if x.size: x = -x",
        "if y > 0: x = -x",
        "if x[0] > 0: x = -x",
        "if len(x) > 1 and x[1] > 0: x = -x",
        "if np.ones((1, 1)) > 0: x = -x",
        "x = np.where(x > 0, x, -x)",
        "if x is None: x = y",
        "try: x = x + bool(x > 0)\n    except ValueError: x = -x",
    ],
)
def test_a_condition_on_a_number(line: str) -> None:
    assert hints(jitted(line)) == []


def test_an_array_of_one_element_has_a_truth() -> None:
    assert hints(jitted("if x > 0: x = -x", "x: f64[1, 1]")) == []
    assert hints(jitted("if x > 0: x = -x", "x: f64[()]")) == []


# --- SPY802 derivative-cut ------------------------------------------------------------------------


def differentiated(line: str, arguments: str = "") -> str:
    text = f"@staticpy.jit\ndef loss(x: float, n: int, t: float):\n    y = x * 2\n    {line}\n"
    return f"{text}    return y\n\n\nslope = staticpy.grad(loss{arguments})\n"


@pytest.mark.parametrize(
    "line",
    [
        "y = y * int(x)",
        "y = y * round(y)",
        "y = y + float(np.floor(x * 3))",
        "y = y + np.rint(np.sin(x))",
    ],
)
def test_what_cuts_a_derivative_off(line: str) -> None:
    assert hints(differentiated(line)) == [(4, "SPY802")]


@pytest.mark.parametrize(
    "line",
    [
        "y = y * int(n)",
        "y = y * n",
        "y = y * int(t)",  # the derivative is not taken by t
        "y = y * int(staticpy.stop_gradient(x))",
        "y = y + np.abs(x)",
        "y = y * float(int(n / 2))",
    ],
)
def test_what_leaves_it(line: str) -> None:
    assert hints(differentiated(line)) == []


def test_without_a_derivative_nothing_is_cut_off() -> None:
    assert hints("@staticpy.jit\ndef f(x: float):\n    return x * round(x)\n") == []


# --- SPY803 jit-in-loop ---------------------------------------------------------------------------

STEP = "def step(x: float):\n    return x / 2\n\n\n"


@pytest.mark.parametrize(
    "loop",
    [
        "for i in range(9):\n    staticpy.jit(step)(1.0)\n",
        "while True:\n    g = staticpy.jit(step)\n",
        "def run(xs):\n    for x in xs:\n        print(staticpy.jit(step)(x))\n",
        "for i in (1, 2):\n    if i:\n        staticpy.jit(step, static_argnames=())\n",
    ],
)
def test_jit_in_a_loop(loop: str) -> None:
    assert [code for _, code in hints(STEP + loop)] == ["SPY803"]


@pytest.mark.parametrize(
    "loop",
    [
        "g = staticpy.jit(step)\nfor i in range(9):\n    g(1.0)\n",
        "for h in (step, abs):\n    staticpy.jit(h)(1.0)\n",  # another function in each round
        "for i in range(3):\n    def run():\n        return staticpy.jit(step)\n",
        "for x in staticpy.jit(step), 2:\n    pass\n",
    ],
)
def test_jit_outside_of_a_loop(loop: str) -> None:
    assert hints(STEP + loop) == []


# --- SPY804 static-argument-changes ---------------------------------------------------------------

POWER = "@staticpy.jit(static_argnames='n')\ndef power(x: float, n: int):\n    return x**n\n\n\n"


@pytest.mark.parametrize(
    "loop",
    [
        "for i in range(9):\n    power(2.0, i)\n",
        "for i in range(9):\n    power(2.0, n=i)\n",
        "def run():\n    for i, x in enumerate([1.0]):\n        yield power(x, i)\n",
    ],
)
def test_a_static_argument_that_changes(loop: str) -> None:
    assert [code for _, code in hints(POWER + loop) if code != "SPY615"] == ["SPY804"]


@pytest.mark.parametrize(
    "loop",
    [
        "for x in (1.0, 2.0):\n    power(x, 3)\n",
        "k = 3\nfor i in range(9):\n    power(i * 1.0, k)\n",
        "for i in range(9):\n    power(x=2.0, n=4)\n",
        "power(2.0, 5)\n",
    ],
)
def test_a_static_argument_that_stays(loop: str) -> None:
    assert hints(POWER + loop) == []


def test_the_place_that_asks_for_the_derivative_is_shown() -> None:
    text = HEAD + differentiated("y = y * int(y)")
    (found,) = check_text(text, "m.py", stages=Stages(derive))
    (label,) = found.labels
    assert label.text == "the derivative is asked for here"
    assert text.split("\n")[label.span.line - 1] == "slope = staticpy.grad(loss)"
    assert label.span.col == len("slope = ")
