"""Comments that hide findings: where they count, and what is said of those that hide nothing."""

from __future__ import annotations

import pytest

from staticpy.check import Checker, Settings, with_ignores
from staticpy.check.core import FileResult

HEAD = "import staticpy\n\n\n"


def check(program: str, **settings: object) -> FileResult:
    options = Settings(**settings)  # type: ignore[arg-type]
    return Checker(options).check_text(HEAD + program, "model.py")


def codes(program: str, **settings: object) -> list[str]:
    return [item.code for item in check(program, **settings).findings]


def test_without_a_comment() -> None:
    assert codes("@staticpy.jit\ndef f(x: float):\n    class A: pass\n    return x\n") == ["SPY104"]


HIDDEN = {
    "on the line": """\
@staticpy.jit
def f(x: float):
    class A: pass  # staticpy: ignore[SPY104]
    return x
""",
    "by name, with a reason, behind another comment": """\
@staticpy.jit
def f(x: float):
    class A: pass  # type: ignore  # staticpy: ignore[class-definition] removed in 2.0
    return x
""",
    "by the beginning of the code": """\
@staticpy.jit
def f(x: float):
    class A: pass  # staticpy: ignore[SPY1]
    return x
""",
    "on the line above": """\
@staticpy.jit
def f(x: float):
    # staticpy: ignore[SPY104]
    # which is why it is here
    class A: pass
    return x
""",
    "on another line of the statement": """\
@staticpy.jit
def f(x: float):
    y = (
        x + (yield),
        1,
    )  # staticpy: ignore[SPY2, SPY1, SPY4]
    return x
""",
    "inside of the statement, on a line of its own": """\
@staticpy.jit
def f(x: float):
    y = (
        # staticpy: ignore[SPY2, SPY1, SPY4]
        x + (yield),
    )
    return x
""",
    "on a def": """\
@staticpy.jit
def f(x: float):  # staticpy: ignore[SPY104]
    if x > 0:
        class A: pass
    return x
""",
    "on a decorator": """\
@staticpy.jit  # staticpy: ignore[SPY104]
def f(x: float):
    class A: pass
    return x
""",
    "above a def": """\
# staticpy: ignore[SPY104]
@staticpy.jit
def f(x: float):
    class A: pass
    return x
""",
    "in the file": """\
@staticpy.jit
def f(x: float):
    class A: pass
    return x
# staticpy: file-ignore[SPY104]
""",
    "as flake8 has it": """\
@staticpy.jit
def f(x: float):
    class A: pass  # noqa: E701, SPY104
    return x
""",
}


@pytest.mark.parametrize("program", HIDDEN.values(), ids=HIDDEN)
def test_hidden(program: str) -> None:
    result = check(program)
    shown = [item.code for item in result.findings if item.code < "SPY9"]
    assert shown == []
    assert result.hidden
    assert {item.kind for item in result.hidden} == {"inSource"}


SHOWN = {
    "another line": """\
@staticpy.jit
def f(x: float):
    class A: pass
    return x  # staticpy: ignore[SPY104]
""",
    "another code": """\
@staticpy.jit
def f(x: float):
    class A: pass  # staticpy: ignore[SPY105]
    return x
""",
    "between a def and its body": """\
@staticpy.jit
def f(x: float):
    # staticpy: ignore[SPY104]
    y = x
    class A: pass
    return y
""",
    "the head of an if": """\
@staticpy.jit
def f(x: float):
    if x > 0:  # staticpy: ignore[SPY104]
        class A: pass
    return x
""",
    "inside of a text": """\
@staticpy.jit
def f(x: float):
    class A: '''  # staticpy: ignore[SPY104]'''
    return x
""",
    "a bare one": """\
@staticpy.jit
def f(x: float):
    class A: pass  # staticpy: ignore
    return x
""",
    "a bare noqa": """\
@staticpy.jit
def f(x: float):
    class A: pass  # noqa
    return x
""",
}


@pytest.mark.parametrize("program", SHOWN.values(), ids=SHOWN)
def test_shown(program: str) -> None:
    assert "SPY104" in codes(program)


def test_the_reason_is_kept() -> None:
    (hidden,) = check(HIDDEN["by name, with a reason, behind another comment"]).hidden
    assert hidden.reason == "removed in 2.0"


@pytest.mark.parametrize(
    ("comment", "code", "message"),
    [
        ("ignore[SPY104]", "SPY910", "the code that this comment hides: SPY104"),
        ("ignore[SPY104, SPY105]", "SPY910", "this comment hides: SPY104, SPY105"),
        ("ignore[SPY999]", "SPY911", "there is no rule 'SPY999'"),
        ("ignore[class-definitoin]", "SPY911", "did you mean class-definition?"),
        ("ignore", "SPY912", "names no code"),
        ("ignore[]", "SPY912", "names no code"),
    ],
)
def test_comments_that_hide_nothing(comment: str, code: str, message: str) -> None:
    result = check(f"@staticpy.jit\ndef f(x: float):\n    return x  # staticpy: {comment} odd\n")
    (finding,) = result.findings
    assert finding.code == code
    assert message in finding.message
    assert (finding.span.line, finding.span.col) == (6, 14)


def test_a_rule_that_is_not_selected_leaves_its_comment_in_use() -> None:
    program = HIDDEN["on the line"]
    assert codes(program, ignore=("SPY104",)) == []
    assert codes(program.replace("class A: pass", "y = x"), ignore=("SPY104",)) == []


def test_what_says_that_a_file_was_not_checked_is_not_hidden() -> None:
    assert codes("def f(:  # staticpy: ignore[ALL]\n") == ["SPY001"]


ADDED = {
    "at the end of the line": (
        "    class A: pass\n    return x\n",
        "    class A: pass  # staticpy: ignore[SPY104] old\n    return x\n",
    ),
    "in the comment that is there": (
        "    class A: pass  # staticpy: ignore[SPY105] why\n    return x\n",
        "    class A: pass  # staticpy: ignore[SPY105, SPY104] why\n    return x\n",
    ),
    "behind what ends a text": (
        "    class A: '''\n    '''\n    return x\n",
        None,
    ),
    "before a backslash": (
        "    class A: \\\n        pass\n    return x\n",
        None,
    ),
}


@pytest.mark.parametrize(("body", "expected"), ADDED.values(), ids=ADDED)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_comments_are_written(body: str, expected: str | None, end: str) -> None:
    """They hide what they were written for, and change nothing but comments."""
    program = (HEAD + "@staticpy.jit\ndef f(x: float):\n" + body).replace("\n", end)
    checker = Checker(Settings())
    found = [i for i in checker.check_text(program, "model.py").findings if i.code == "SPY104"]
    text, count = with_ignores(program, found, "old")
    assert count == len(found) == 1
    left = checker.check_text(text, "model.py").findings
    assert [item.code for item in left if item.code == "SPY104"] == []
    compile(text, "model.py", "exec")
    if expected is not None:
        assert text.endswith(expected.replace("\n", end))


@pytest.mark.parametrize("comment", ["ignore[SPY104]", "ignore[SPY999]", "ignore"])
def test_no_comment_is_written_for_a_comment(comment: str) -> None:
    program = f"{HEAD}@staticpy.jit\ndef f(x: float):\n    return x  # staticpy: {comment}\n"
    found = Checker(Settings()).check_text(program, "model.py").findings
    assert found
    assert with_ignores(program, found) == (program, 0)


def test_no_comment_inside_of_an_f_string() -> None:
    # Since 3.12 one could be there; but 3.11 would not read the file any more.
    body = '    return f"""{\n        x.missing\n    } and {\n        other}\n"""\n'
    program = f"{HEAD}@staticpy.jit\ndef f(x: float):\n{body}"
    found = Checker(Settings()).check_text(program, "model.py").findings
    text, count = with_ignores(program, found)
    assert count == len(found) > 0
    assert text.startswith(f"{program[:-1]}  # staticpy: ignore[")


def test_what_looks_like_a_comment_in_a_string_stays() -> None:
    body = '    return "# staticpy: ignore[SPY104]" + missing\n'
    program = f"{HEAD}@staticpy.jit\ndef f(x: float):\n{body}"
    found = Checker(Settings()).check_text(program, "model.py").findings
    text, count = with_ignores(program, found)
    assert count == len(found) > 0
    assert text == f"{program[:-1]}  # staticpy: ignore[SPY301]\n"
