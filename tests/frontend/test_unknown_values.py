"""What is checked beside values of which nothing is known."""

from __future__ import annotations

import pytest

from staticpy.diagnostics import Severity
from staticpy.frontend import check_text, lower_function

HEAD = """\
import numpy as np
import other
import staticpy
from numpy.typing import NDArray
from staticpy import f64

class Layer:
    @staticpy.jit
    def f(self, x: f64["n", 3], y: f64[4, 5], plain, rankless: NDArray[np.float32], n: int):
"""


def errors_of(body: str) -> list[tuple[int, str]]:
    """The errors in a method, by the line of its body."""
    lines = "".join(f"        {line}\n" for line in body.split("\n"))
    found = check_text(HEAD + lines, "a.py")
    first = HEAD.count("\n")
    return [
        (item.span.line - first, item.code)
        for item in found
        if item.spec.severity is Severity.ERROR
    ]


FOUND = {
    "after an attribute": "a = self.rate * 2\nreturn x @ y  # SPY606",
    "after a call": "self.note(x)\nother.log(y)\nreturn n + [1]  # SPY605",
    "after a parameter without a type": "a = plain + 1\nb = plain(a)\nreturn x @ y  # SPY606",
    "after an array of unknown rank": "a = np.sin(rankless)\nreturn x @ y  # SPY606",
    "after a loop": "for each in self.layers:\n    n = each(n)\nreturn x @ y  # SPY606",
    "after a branch": "if self.rate:\n    n = 2\nreturn x @ y  # SPY606",
    "in what runs for sure": "with np.errstate():\n    x @ y  # SPY606\nreturn self.rate",
    "before an exit": "a = x @ y  # SPY606\nif self.rate:\n    return a\nreturn n",
    "of several": "a = self.rate\nb = x @ y  # SPY606\nc = plain\nreturn n + [1]  # SPY605",
}
SILENT = {
    "what depends on it": "a = self.rate\nb = a + [1]\nreturn b @ y",
    "behind an exit": "if self.is_done:\n    return x\nreturn x @ y",
    "behind an exit in a loop": "for each in plain:\n    if each:\n        return n\nreturn x @ y",
    "behind an exit that depends on it": "a = self.rate\nif a:\n    return n\nreturn x @ y",
    "behind a raise": "if plain is None:\n    raise ValueError\nreturn x @ y",
    "in a branch": "if self.rate:\n    x @ y\nreturn n",
    "a list that may be longer": "items = [1]\nself.fill(items)\na, b = items\nreturn x",
    "a list in a tuple": "items = [1]\npair = items, 1\nself.fill(pair)\na, b = items\nreturn x",
    "a variable of a function inside": (
        "z = 1\ndef g():\n    nonlocal z\n    z = x\nself.call(g)\nreturn z @ x.T"
    ),
    "a variable that is assigned": "z = y\nz = self.rate\nreturn x @ z",
    "a variable that a loop assigns": "z = y\nfor z in plain:\n    pass\nreturn x @ z",
}


@pytest.mark.parametrize("body", FOUND.values(), ids=FOUND)
def test_what_does_not_depend_on_it_is_checked(body: str) -> None:
    lines = body.split("\n")
    expected = [(i, line[-6:]) for i, line in enumerate(lines, start=1) if "# SPY" in line]
    assert errors_of(body) == expected


@pytest.mark.parametrize("body", SILENT.values(), ids=SILENT)
def test_what_depends_on_it_is_not(body: str) -> None:
    assert errors_of(body) == []


@pytest.mark.parametrize(
    "body",
    [
        "for _ in range(60):\n    new = a / 2\n    a = new\nreturn new",
        "while True:\n    new = a / 2\n    if new < 1:\n        break\n    a = new\nreturn new",
        "k = 0\nfor _ in range(n):\n    k = new = a / 2\nreturn k.real + new",
        "for k in range(n):\n    for _ in range(k):\n        new = a / 2\nreturn new",
        "for k in range(n):\n    if k > 2:\n        continue\n    new = a / 2\nreturn new",
    ],
)
def test_what_a_loop_binds_to_it_is_bound_after_the_loop(body: str) -> None:
    lines = "".join(f"        {line}\n" for line in f"a = plain\n{body}".split("\n"))
    found = check_text(HEAD + lines, "a.py")
    assert "SPY407" not in [item.code for item in found]


def test_the_first_such_place_is_said() -> None:
    text = HEAD.replace(", plain, rankless: NDArray[np.float32]", "")
    found = check_text(
        text + "        a = self.b\n        return self.c\n", "a.py", say_unchecked=True
    )
    assert [(item.code, item.span.line) for item in found] == [("SPY307", text.count("\n") + 1)]


METHODS = (
    HEAD[: HEAD.index("    @staticpy.jit")]
    + """\
    def plain(self, x: float):
        return x * 2
    def reads(self, x: float):
        return x * self.rate
    def lacks(self, x):
        return x
"""
)


@pytest.mark.parametrize(
    ("name", "codes"), [("plain", []), ("reads", ["SPY306"]), ("lacks", ["SPY610"])]
)
def test_the_graph_of_a_method_needs_no_annotation_of_its_object(
    name: str, codes: list[str]
) -> None:
    module, found = lower_function(METHODS, "a.py", f"Layer.{name}")
    assert (module is not None) == (not codes)
    assert [item.code for item in found] == codes
    assert all("self" in item.message for item in found if item.code == "SPY306")
