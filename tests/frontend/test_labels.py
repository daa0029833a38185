"""What an error points to besides its own place, and how it would be fixed."""

from __future__ import annotations

import pytest

from staticpy.diagnostics import Diagnostic, edited
from staticpy.frontend import check_text

HEAD = """\
import numpy as np
import staticpy
from staticpy import f32, f64
"""


def finding(body: str) -> tuple[str, Diagnostic]:
    """The text of a file, and the one thing that is found in it."""
    text = f"{HEAD}\n\n{body}"
    (found,) = check_text(text, "m.py")
    return text, found


def labels(body: str) -> dict[str, str]:
    """The text of each label, by the source that it marks."""
    text, found = finding(body)
    lines = text.split("\n")
    spans = {label.text: label.span for label in found.labels}
    return {lines[at.line - 1][at.col : at.end_col]: said for said, at in spans.items()}


# --- labels ---------------------------------------------------------------------------------------


def test_sizes_of_a_product_come_from_the_annotations() -> None:
    assert labels("""\
@staticpy.jit
def f(x: f32[64, 784], w: f32[512, 10]):
    return x @ w
""") == {"x: f32[64, 784]": "'x' is f32[64, 784]", "w: f32[512, 10]": "'w' is f32[512, 10]"}


def test_sizes_of_a_sum_come_from_an_assignment_and_an_expression() -> None:
    assert labels("""\
@staticpy.jit
def f(x: f32["n", 3], w: f32["n", 4]):
    y = x * 2
    return y + w * 3
""") == {"y": "'y' is f32[n, 3]", "w * 3": "f32[n, 4]"}


def test_what_does_not_fit_where_it_is_stored() -> None:
    assert labels("""\
@staticpy.jit
def f(x: f32[3]):
    y = np.zeros((2, 2))
    y[0] = x
    return y
""") == {"y": "'y' is f64[2, 2]", "x: f32[3]": "'x' is f32[3]"}


@pytest.mark.parametrize("call", ["np.concatenate([x, w])", "np.vstack((x, w))"])
def test_items_that_are_written_out(call: str) -> None:
    assert labels(f"""\
@staticpy.jit
def f(x: f32[2, 3], w: f32[4, 5]):
    return {call}
""") == {"x: f32[2, 3]": "'x' is f32[2, 3]", "w: f32[4, 5]": "'w' is f32[4, 5]"}


def test_items_of_a_list_with_a_name() -> None:
    assert labels("""\
@staticpy.jit
def f(x: f32[2, 3], w: f32[4, 5]):
    both = [x, w]
    return np.concatenate(both)
""") == {"[x, w]": "'both' is list[f32[2, 3] | f32[4, 5]]"}


@pytest.mark.parametrize("call", ["np.add(x, w)", "np.matmul(x, w)", "x.dot(w)", "x < w"])
def test_calls_methods_and_comparisons(call: str) -> None:
    assert labels(f"""\
@staticpy.jit
def f(x: f32[2, 3], w: f32[4]):
    return {call}
""") == {"x: f32[2, 3]": "'x' is f32[2, 3]", "w: f32[4]": "'w' is f32[4]"}


def test_operands_of_types_without_the_operator() -> None:
    assert labels("""\
@staticpy.jit
def f(x: f64["n"]):
    unit = "m"
    return x + unit
""") == {'x: f64["n"]': "'x' is f64[n]", "unit": "'unit' is str"}


def test_what_is_wrong_in_a_function_that_is_called() -> None:
    body = """\
def inner(a, b):
    return np.dot(a, b)


@staticpy.jit
def f(x: f32[3], w: f32[4]):
    return inner(x, w)
"""
    assert labels(body) == {"a": "f32[3]", "b": "f32[4]"}
    _, found = finding(body)
    assert [(call.line, call.function) for call in found.chain] == [(12, "f")]


def test_a_type_that_grows_in_a_loop() -> None:
    body = """\
@staticpy.jit
def f(x: f64["n"], n: int):
    i = 0
    row = x
    while i < n:
        row = (row, x)
        i = i + 1
    return row
"""
    _, found = finding(body)
    assert (found.code, found.span.line, found.span.end_line) == ("SPY403", 10, 10)
    assert [(label.span.line, label.text) for label in found.labels] == [
        (9, "first assigned here as one type"),
        (11, "becomes ever wider ones here"),
    ]


@pytest.mark.parametrize(
    ("body", "head"),
    [
        ("for v in 3:\n        n += v", "for v in 3:"),
        ("for v in {'a', 'b'}:\n        print(v)", "for v in {'a', 'b'}:"),
        ("for v in (\n        3\n    ):\n        n += v", "for v in ("),
    ],
)
def test_of_a_loop_its_head_is_marked(body: str, head: str) -> None:
    text, found = finding(f"@staticpy.jit\ndef f(n: int):\n    {body}\n    return n\n")
    line = text.split("\n")[found.span.line - 1]
    assert line.strip() == head
    assert found.span.end_line < found.span.line + body.count("\n")


# --- fixes ----------------------------------------------------------------------------------------

FIXES = [
    ("return np.product(x)  # all", "return np.prod(x)  # all", True),
    ("return np.float_(2.0) * x", "return np.float64(2.0) * x", True),
    ("return np . cumproduct (x)", "return np . cumprod (x)", True),
    ("return np.tenh(x)", "return np.tanh(x)", False),
    ("y = x; return abs(y) + fliat(1)", "y = x; return abs(y) + float(1)", False),
    ("del x[0]", "x = np.delete(x, 0)", False),
    ("for i in {3, 9}: x = x + i", "for i in sorted({3, 9}): x = x + i", False),
]


@pytest.mark.parametrize(("line", "fixed", "is_safe"), FIXES)
def test_fixes(line: str, fixed: str, is_safe: bool) -> None:
    body = f'@staticpy.jit\ndef f(x: f64["n"]):\n    {line}\n'
    text, found = finding(body)
    assert found.fix is not None
    assert found.fix.is_safe is is_safe
    assert edited(text, found.fix.edits) == text.replace(line, fixed)
    assert not list(check_text(text.replace(line, fixed)))


IMPORTS = [
    ("import staticpy  # c\n", "import staticpy  # c\nimport math\n"),
    (
        '"""Doc."""\nfrom staticpy import jit\n',
        '"""Doc."""\nfrom staticpy import jit\nimport math\n',
    ),
]


@pytest.mark.parametrize(("before", "after"), IMPORTS)
def test_a_missing_import(before: str, after: str) -> None:
    name = "jit" if "import jit" in before else "staticpy.jit"
    text = f"{before}\n\n@{name}\ndef f(x: float):\n    return math.sin(x)\n"
    (found,) = check_text(text)
    assert found.fix is not None
    mended = edited(text, found.fix.edits)
    assert mended == text.replace(before, after)
    assert not list(check_text(mended))


NO_FIXES = [
    "return np.frobnicate(x)",  # nothing is near
    "return np.load(x)",  # exists, and is no misspelling
    "del x[0], x[1]",  # two targets
    "del x[1:]",  # no plain index
]


@pytest.mark.parametrize("line", NO_FIXES)
def test_no_fix(line: str) -> None:
    text = f'{HEAD}\n\n@staticpy.jit\ndef f(x: f64["n"]):\n    {line}\n'
    found = list(check_text(text))
    assert found
    assert all(item.fix is None for item in found)
