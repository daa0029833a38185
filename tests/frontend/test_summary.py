"""How far functions are from being graphs."""

from __future__ import annotations

import pytest

from staticpy.frontend import Verdict, check_file, verdict_on_file

TEXT = """\
import numpy as np
from staticpy import f64


def mean(x: f64["n"]):
    return x.sum() / x.size


def scaled(x: f64["n"]):
    return np.product(x) * scale


def twice(x: f64["n"]):
    return scaled(x) * 2


async def fetch(x: f64["n"]):
    return x


def stream(x: f64["n"]):
    yield x


def read(path):
    with open(path) as file:
        return file.read()


def unknown(x):
    return x + 1


class Model:
    def forward(self, x):
        return x * self.w
"""

EXPECTED = {
    "mean": ("ready", False),
    "scaled": ("ready after 2 fixes", False),
    "twice": ("ready after 2 fixes", False),
    "fetch": ("not a graph", False),
    "stream": ("ready", False),
    "read": ("not a graph", True),
    "unknown": ("ready", True),
    "Model.forward": ("ready", True),
}


def test_functions() -> None:
    report = check_file(TEXT, "m.py", "all")
    found = {each.span.function: (str(each), each.is_partial) for each in report.functions}
    assert found == EXPECTED
    assert verdict_on_file(report.functions) is Verdict.NOT_A_GRAPH


def test_only_what_is_compiled() -> None:
    assert check_file(TEXT, "m.py").functions == ()
    text = f"import staticpy\n{TEXT.replace('def twice', '@staticpy.jit{nl}def twice')}"
    report = check_file(text.replace("{nl}", "\n"), "m.py")
    assert [(each.span.function, each.fixes) for each in report.functions] == [("twice", 2)]


@pytest.mark.parametrize(
    ("names", "verdict"),
    [
        (["mean"], Verdict.READY),
        (["mean", "scaled"], Verdict.AFTER_FIXES),
        (["fetch", "mean"], Verdict.NOT_A_GRAPH),
        ([], Verdict.READY),
    ],
)
def test_a_file_is_as_far_as_its_farthest_function(names: list[str], verdict: Verdict) -> None:
    report = check_file(TEXT, "m.py", "all")
    chosen = [each for each in report.functions if each.span.function in names]
    assert verdict_on_file(chosen) is verdict


def test_a_file_that_is_not_python_has_no_functions() -> None:
    report = check_file("def f(:", "m.py", "all")
    assert report.functions == ()
    assert [item.code for item in report.diagnostics] == ["SPY001"]
