"""Warnings of what always raises where it is reached."""

from __future__ import annotations

import numpy as np
import pytest

import staticpy
from staticpy.diagnostics import Diagnostic, Severity
from staticpy.frontend import check_text

HEAD = """\
import contextlib
import numpy as np
import staticpy

def shape_of(x):
    return x.shape

def checked(x):
    try:
        return shape_of(x)
    except AttributeError:
        return 0
"""


def warnings_of(body: str, head: str = HEAD) -> list[Diagnostic]:
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    found = list(check_text(f"{head}\n@staticpy.jit\ndef f(n: int):\n{lines}", "a.py"))
    assert all(item.spec.severity is Severity.WARNING for item in found), found
    return found


CERTAIN = [
    ("return [1, n][2]", "IndexError: list index out of range"),
    ("return (1, n)[-3]", "IndexError: tuple index out of range"),
    ("return {'a': n}['b']", "KeyError: 'b'"),
    ("return {1: n}[2]", "KeyError: 2"),
    ("items = [n]\nitems[1] = 2", "IndexError: list assignment index out of range"),
    ("items = []\nreturn items.pop()", "IndexError: pop from empty list"),
    ("a, b = 1, 2, n", "ValueError: too many values to unpack (expected 2)"),
    ("return n / 0", "ZeroDivisionError: '/' by 0"),
    ("n //= 0\nreturn n", "ZeroDivisionError: '//' by 0"),
    ("return 1 % 0", "ZeroDivisionError: '%' by 0"),
    ("return None.real", "AttributeError: 'NoneType' object has no attribute 'real'"),
    ("return shape_of('a')", "AttributeError: 'str' object has no attribute 'shape'"),
    ("return int('x')", "ValueError: invalid literal for int() with base 10: 'x'"),
    ("if n > 2:\n    return [1][1]\nreturn n", "IndexError: list index out of range"),
    ("for i in range(n):\n    n = [1][1]\nreturn n", "IndexError: list index out of range"),
    (
        "try:\n    return [1][1]\nexcept KeyError:\n    return n",
        "IndexError: list index out of range",
    ),
    ("try:\n    return [1][1]\nfinally:\n    print(n)", "IndexError: list index out of range"),
    (
        "try:\n    return [1][1]\nexcept IndexError:\n    print(n)\n    raise",
        "IndexError: list index out of range",
    ),
    (
        "try:\n    return n // 2\nexcept IndexError:\n    return [1][1]",
        "IndexError: list index out of range",
    ),
]
SILENT = [
    "return [1, 2][n]",
    "return [1, n][-2]",
    "raise ValueError('meant')",
    "assert False, 'meant'",
    "if n > 2:\n    raise KeyError(n)\nreturn n",
    "return n / 2",
    "return np.int64(n) // 0",
    "return np.float64(n) / 0.0",
    "try:\n    return [1][1]\nexcept IndexError:\n    return n",
    "try:\n    return [1][1]\nexcept LookupError:\n    return n",
    "try:\n    return [1][1]\nexcept:\n    return n",
    "with contextlib.suppress(IndexError):\n    return [1][1]\nreturn n",
    "try:\n    return shape_of(None)\nexcept (KeyError, AttributeError):\n    return n",
    "return checked(None)",
    "x = None if n > 2 else n\nreturn x + 1",
    "for i in range(5):\n    if n == i:\n        break\n    n += (1, 2, 3)[i]\nreturn n",
    "if False:\n    return [1][1]\nreturn n",
    "import no_module_has_this_name\nreturn n",
]


@pytest.mark.parametrize(("body", "detail"), CERTAIN)
def test_certain(body: str, detail: str) -> None:
    (found,) = warnings_of(body)
    assert found.code == "SPY407"
    assert found.message == f"this raises an exception whenever it is reached: {detail}"


@pytest.mark.parametrize("body", SILENT)
def test_silent(body: str) -> None:
    assert warnings_of(body) == []


LABELS = [
    ("items = [1, n]\nitems.append(3)\nreturn items[3]", 16, "3 items"),
    ("pair = (1, n)\nreturn pair[2]", 16, "2 items"),
    ("table = {'a': 1, 'b': n}\nreturn table['c']", 16, "its keys are 'a', 'b'"),
    ("table = {}\nreturn table['c']", 16, "it is empty"),
    ("y = None\nreturn y.real", 16, "None here"),
    ("print(m)\nm = n", 17, "bound here, on no path to the use"),
]


@pytest.mark.parametrize(("body", "line", "text"), LABELS)
def test_where_it_comes_from(body: str, line: int, text: str) -> None:
    (found,) = warnings_of(body)
    assert [(label.span.line, label.text) for label in found.labels] == [(line, text)]


def test_the_calls_that_lead_there() -> None:
    (found,) = warnings_of("return shape_of(None)")
    assert found.span.line == 6
    assert found.span.inlined_at is not None
    assert found.span.inlined_at.line == 16


SIZES = [
    ("x[5]", "IndexError: index 5 is out of bounds for axis 0 with size 3"),
    ("x[-4, 0]", "IndexError: index -4 is out of bounds for axis 0 with size 3"),
    ("x[0, 4]", "IndexError: index 4 is out of bounds for axis 1 with size 4"),
    ("x[..., 4]", "IndexError: index 4 is out of bounds for axis 1 with size 4"),
    ("x[None, 3]", "IndexError: index 3 is out of bounds for axis 0 with size 3"),
    ("x[:, 1:][0, 3]", "IndexError: index 3 is out of bounds for axis 1 with size 3"),
    ("[row[4] for row in x]", "IndexError: index 4 is out of bounds for axis 0 with size 4"),
    ("x.reshape(-1, 5)", "ValueError: cannot reshape array of size 12 into shape (-1,5)"),
    ("third(x)", "IndexError: index 3 is out of bounds for axis 0 with size 3"),
]
SIZES_THAT_FIT = [
    "x[2]", "x[-3, 3]", "x[..., 3]", "x[None, 2]", "x[5:]", "x[[0, 2], 3]", "x[x > 0][11]",
    "x.reshape(-1, 6)", "x.reshape(12)", "x.reshape(n, 5)", "third(y)", "x[n]", "y[7]",
    "x[5] if n > 2 else x[0]", "third_if_there(x)", "x[y > 0, 2]",
]  # fmt: skip
OF_SIZES = """\
import numpy as np
import staticpy
from staticpy import f64

def third(v):
    return v[3]

def third_if_there(v):
    if len(v) > 3:
        return v[3]
    return v[0]

@staticpy.jit
def f(x: f64[3, 4], y: f64["n"], z: f64[2], n: int):
"""


def of_sizes(body: str) -> list[Diagnostic]:
    return list(check_text(f"{OF_SIZES}    {body}\n", "a.py"))


@pytest.mark.parametrize(("expression", "detail"), SIZES)
def test_sizes_that_never_fit(expression: str, detail: str) -> None:
    (found,) = of_sizes(f"return {expression}")
    assert found.args["detail"] == detail
    names = {"x": np.zeros((3, 4)), "third": lambda v: v[3]}
    with pytest.raises((IndexError, ValueError)) as raised:
        eval(expression, names)
    assert type(raised.value).__name__ == detail.partition(":")[0]


@pytest.mark.parametrize("expression", SIZES_THAT_FIT)
def test_sizes_that_may_fit(expression: str) -> None:
    assert of_sizes(f"return {expression}") == []


@pytest.mark.parametrize(
    ("statement", "label"),
    [
        ("a, b = x", "'x' is f64[3, 4]"),
        ("z[2] = n", "'z' is f64[2]"),
        ("z += x[0]", "'z' is f64[2]"),
        ("z *= x", "'x' is f64[3, 4]"),
    ],
)
def test_sizes_come_from_annotations(statement: str, label: str) -> None:
    (found,) = of_sizes(statement)
    assert label in [each.text for each in found.labels]


@pytest.mark.parametrize("statement", ["a, b, c = x", "z[1] = n", "z += x[0, :2]", "z *= y"])
def test_statements_that_fit(statement: str) -> None:
    assert of_sizes(statement) == []


def test_a_warning_keeps_nothing_from_being_compiled() -> None:
    @staticpy.jit
    def f(n: int) -> int:
        items = [1, 2]
        return items[2] if n > 0 else n

    assert f(-1) == -1
    with pytest.raises(IndexError):
        f(1)
    (found,) = f.lower(1).diagnostics
    assert found.code == "SPY407"
