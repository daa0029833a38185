"""``staticpy.explain``: the listing of real functions, and what it says of each kind of line."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy

X = np.array([1.0, 2.0, 3.0])
SCALE = 2.0
WEIGHTS = np.ones(3)


def doubled(x: Any) -> Any:
    return x * 2


def factorial(n: Any) -> Any:
    return 1 if n <= 1 else n * factorial(n - 1)


class Model:
    def __init__(self, factor: float) -> None:
        self.factor = factor

    def forward(self, x: Any) -> Any:
        y = x * self.factor
        return y[0]

    @staticpy.jit
    def jitted(self, x: Any) -> Any:
        y = x + self.factor
        return y[0]


# fmt: off
def every_kind(x: Any, n: Any, name: Any = "sum") -> Any:
    size = len(x.shape)
    for i in range(n):
        x[i] = i * 1.0
    for k in (1, 2):
        x = doubled(x) + k
    while n > 0:
        n = n - k
    if name == "sum":
        total = x.sum()
    if total > 0:
        total = total + size
    return total, n


def asserted(x: Any, name: Any = "sum") -> Any:
    assert name
    assert x > 0
    return x if name == "sum" else -x


def waits_for_the_types_of_a_loop(n: Any) -> Any:
    s = 0
    for _ in range(n):
        t = s
        s = t + 0.5
    return s


def refused(x: Any) -> Any:
    global SCALE  # noqa: PLW0603
    SCALE = x
    return x
# fmt: on


def explained(capsys: pytest.CaptureFixture[str], fn: Any, *args: Any, **kwargs: Any) -> str:
    assert staticpy.explain(fn, *args, **kwargs) is None  # type: ignore[func-returns-value]
    out, err = capsys.readouterr()
    assert err == ""
    assert max(map(len, out.split("\n"))) <= 100
    return out


def beside(text: str, source: str) -> list[str]:
    """The notes of the line of source that holds ``source``, a row each, blanks made one."""
    rows = text.split("\n")
    start = next(number for number, row in enumerate(rows) if source in row)
    found = [rows[start].partition(" | ")[2]]
    for row in rows[start + 1 :]:
        left, bar, note = row.partition(" | ")
        if not bar or left.strip():
            break
        found.append(note)
    return [" ".join(row.split()) for row in found if row]


EXPECTED: list[tuple[str, list[str]]] = [
    ("def every_kind", ["run-time x: f64[n0]; n: int", "compile-time name = 'sum'"]),
    ("size = len", ["compile-time size = 1"]),
    ("for i in", ["loop for", "run-time i: int"]),
    ("x[i] =", ["in place writes into x"]),
    ("for k in", ["unrolled 2 rounds", "compile-time k = 1, 2"]),
    ("x = doubled", ["call doubled: a function of its own, 2 times", "run-time x: f64[n0]"]),
    ("while n", ["loop while"]),
    ("n = n - k", ["run-time n: int"]),
    ('if name == "sum"', ["folded if: always true"]),
    ("total = x.sum", ["run-time total: f64"]),
    ("if total", ["run-time if: decided at run time"]),
    ("total = total + size", ["run-time total: f64"]),
    ("return total, n", ["run-time returns (f64, int)"]),
    ("def doubled", ["run-time x: f64[n0]"]),
    ("return x * 2", ["run-time returns f64[n0]"]),
]


@pytest.fixture
def listing(capsys: pytest.CaptureFixture[str]) -> str:
    return explained(capsys, every_kind, X.copy(), 2)


@pytest.mark.parametrize(("source", "notes"), EXPECTED, ids=[source for source, _ in EXPECTED])
def test_each_kind_of_line(listing: str, source: str, notes: list[str]) -> None:
    found = beside(listing, source)
    assert {note.removesuffix(".") for note in notes} <= set(found), found


def test_asserts_and_conditional_expressions(capsys: pytest.CaptureFixture[str]) -> None:
    text = explained(capsys, asserted, 1.0)
    assert beside(text, "assert name") == ["folded assert: always true"]
    assert beside(text, "assert x") == ["run-time assert: decided at run time"]
    assert beside(text, "return x if") == [
        "folded conditional expression: always true",
        "run-time returns float",
    ]


def test_functions_that_are_called_follow(listing: str) -> None:
    heads = [row for row in listing.split("\n") if row.endswith("(test_explain.py)")]
    assert heads == ["every_kind (test_explain.py)", "doubled (test_explain.py)"]


def test_the_legend_explains_what_was_used(listing: str) -> None:
    legend = listing.rstrip("\n").split("\n\n")[-1].split("\n")
    words = {row.split("  ")[0] for row in legend}
    kinds = {"compile-time", "run-time", "folded", "unrolled", "loop", "call", "in place"}
    assert kinds <= words


def test_nothing_is_run(capsys: pytest.CaptureFixture[str]) -> None:
    x = X.copy()
    explained(capsys, every_kind, x, 2)
    assert np.array_equal(x, X)


def test_types_of_a_loop_are_the_last_ones(capsys: pytest.CaptureFixture[str]) -> None:
    text = explained(capsys, waits_for_the_types_of_a_loop, 3)
    assert "run-time t: float|int" in beside(text, "t = s")
    assert len([row for row in text.split("\n") if " for" in row and "loop" in row]) == 1


@pytest.mark.parametrize(
    ("fn", "args", "line", "note"),
    [
        (Model(2.0).forward, (X,), "y = x * self", "run-time y: f64[n0]"),
        (Model.forward, (Model(2.0), X), "y = x * self", "run-time y: f64[n0]"),
        (Model(2.0).jitted, (X,), "y = x + self", "run-time y: f64[n0]"),
        (Model.jitted, (Model(2.0), X), "y = x + self", "run-time y: f64[n0]"),
        (staticpy.jit(doubled), (X,), "return x * 2", "run-time returns f64[n0]"),
        (staticpy.jit(doubled, static_argnames="x"), (3,), "return", "compile-time returns 6"),
        (lambda x: x + 1, (X,), "lambda x: x + 1", "run-time x: f64[n0]; returns f64[n0]"),
    ],
)
def test_whatever_can_be_jitted(
    capsys: pytest.CaptureFixture[str], fn: Callable[..., Any], args: Any, line: str, note: str
) -> None:
    assert note in beside(explained(capsys, fn, *args), line)


def test_keywords_and_sizes(capsys: pytest.CaptureFixture[str]) -> None:
    def product(a: Any, b: Any) -> Any:
        return a @ b

    text = explained(capsys, product, b=np.ones((3, 4)), a=np.ones((2, 3)))
    (types,) = beside(text, "def product")
    assert types.startswith("run-time a: f64[")
    assert types.count("[") == 2


def test_recursion(capsys: pytest.CaptureFixture[str]) -> None:
    text = explained(capsys, factorial, 5)
    assert any(note.startswith("call factorial") for note in beside(text, "return 1 if"))
    assert text.count("factorial (") == 1


def test_nested_functions_are_part_of_the_listing(capsys: pytest.CaptureFixture[str]) -> None:
    def outer(x: Any) -> Any:
        def inner(y: Any) -> Any:
            z = y + 1
            return z * z

        return inner(x) * 2

    text = explained(capsys, outer, X)
    assert "run-time z: f64[n0]" in beside(text, "z = y + 1")
    assert text.count("(test_explain.py)") == 1


def test_what_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    text = explained_error(capsys, refused, X)
    assert "error[SPY" in text
    assert "global" in text


def explained_error(capsys: pytest.CaptureFixture[str], fn: Any, *args: Any) -> str:
    staticpy.explain(fn, *args)
    return capsys.readouterr().out


def test_what_is_no_function() -> None:
    with pytest.raises(staticpy.CompileError):
        staticpy.explain(os.getcwd)


def test_wrong_arguments() -> None:
    with pytest.raises(TypeError):
        staticpy.explain(doubled)
