"""Rules that no file of ``tests/cases/rules`` can hold: they are about the bytes of a file, about
its comments, about later Pythons, or say what was not checked. Each has at least three texts that
it refuses, and at least two that come near and must pass.
"""

from __future__ import annotations

import sys

import pytest

from staticpy.check import Checker, Settings, Target
from staticpy.source import MAX_BYTES

HEAD = b"import staticpy\n\n\n@staticpy.jit\n"
F = HEAD + b"def f(x: float):\n"
SAME = F + b"    return x\n"


def chained(link: bytes, count: int) -> bytes:
    return F + b"    return x" + link * count + b"\n"


def hidden(comment: bytes) -> bytes:
    return F + b"    class A: ...  # staticpy: " + comment + b"\n    return x\n"


REFUSED: dict[str, list[bytes]] = {
    "SPY001": [b"def f(:\n", b"if True:\npass\n", b"x = 'a\n"],
    "SPY003": [b"x = '\xff'\n", b"# coding: rot13\n", b"\xef\xbb\xbf# coding: latin-1\n"],
    "SPY004": [b"\0", b"x = 1\n\0\n", b"# \0\n"],
    "SPY005": [b"#" * (MAX_BYTES + 1), b"\n" * (MAX_BYTES + 1), b"x = 1\n" * 200_000],
    "SPY006": [chained(b" + x", 50_000), chained(b".T", 50_000), chained(b" if x else x", 20_000)],
    "SPY100": [
        F + b"    type A = int\n    return x\n",
        HEAD + b"def f[T](x: float):\n    return x\n",
        F + b"    def g[T](y):\n        return y\n    return g(x)\n",
    ],
    "SPY205": [F + b"    return %s\n" % text for text in (b"t''", b"t'{x}'", b"(t'a' t'b', x)")],
    "SPY307": [
        b"import numpy.random as r\nfrom elsewhere import g\n%s    return g(x)\n" % F,
        b"RATE = open('rate')\n%s    return x * RATE\n" % F,
        b"class Model:\n    rate = 2.0\n\n%s    return x * Model.rate\n" % F,
    ],
    "SPY615": [
        HEAD + b"def f(x):\n    return x\n",
        HEAD + b"def f(x: 'Model'):\n    return x\n",
        HEAD + b"def f(x: float, *rest):\n    return x\n",
    ],
    "SPY910": [
        hidden(b"ignore[SPY104, SPY501]"),
        b"# staticpy: file-ignore[SPY402]\n" + SAME,
        F + b"    return x  # noqa: SPY104\n",
    ],
    "SPY911": [hidden(b"ignore[SPY999]"), hidden(b"ignore[class-defs]"), hidden(b"ignore[E501]")],
    "SPY912": [hidden(b"ignore"), hidden(b"ignore[]"), b"# staticpy: file-ignore\n" + SAME],
}
PASSED: dict[str, list[bytes]] = {
    "SPY001": [b"", b"x = 1  # )\n"],
    "SPY003": ["x = '漢'\n".encode(), b"# coding: latin-1\nx = '\xff'\n"],
    "SPY004": [b"x = '\\0'\n", b"x = b'\\x00'\n"],
    "SPY005": [b"# " + b"x" * (MAX_BYTES - 2), b"x = 1\n" * 10_000],
    "SPY006": [chained(b" + x", 50), chained(b".real", 50)],
    "SPY100": [b"type A = int\n" + SAME, b"def g[T](y): ...\n\n\n" + SAME],
    "SPY205": [F + b"    return f'{x}'\n", b"y = 1\ntext = t'{y}'\n" + SAME],
    "SPY307": [
        b"RATE = 2.0\n%s    return x * RATE\n" % F,
        b"import numpy as r\n%s    return r.sin(x)\n" % F,
    ],
    "SPY615": [SAME, HEAD + b"def f(x: 'float'):\n    return x\n"],
    "SPY910": [
        hidden(b"ignore[SPY104] why"),
        F + b"    class A: ...  # noqa: SPY104\n    return x\n",
    ],
    "SPY911": [hidden(b"ignore[class-definition]"), hidden(b"ignore[SPY1]")],
    "SPY912": [b"# staticpy: a comment\n" + SAME, b"# staticpy: file-ignore[SPY104]\n" + SAME],
}
SINCE = {"SPY100": (3, 12), "SPY205": (3, 14)}
"""The Python that reads the texts; an earlier one calls them syntax errors, whatever they are."""


def codes(data: bytes) -> set[str]:
    found = Checker(Settings(), is_verbose=True).check(Target("model.py", True, data)).findings
    return {item.code for item in found}


def texts(table: dict[str, list[bytes]]) -> list[object]:
    return [
        pytest.param(code, data, id=f"{code}-{number}")
        for code, each in table.items()
        for number, data in enumerate(each)
        if sys.version_info >= SINCE.get(code, (3, 11))
    ]


@pytest.mark.parametrize(("code", "data"), texts(REFUSED))
def test_refused(code: str, data: bytes) -> None:
    assert code in codes(data)


@pytest.mark.parametrize(("code", "data"), texts(PASSED))
def test_near_misses_pass(code: str, data: bytes) -> None:
    assert code not in codes(data)


def test_there_are_enough_of_them() -> None:
    assert REFUSED.keys() == PASSED.keys()
    assert all(len(each) >= 3 for each in REFUSED.values())
    assert all(len(each) >= 2 for each in PASSED.values())
