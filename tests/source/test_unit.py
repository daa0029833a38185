"""Files and their functions: names, positions, and text that Python can't read."""

from __future__ import annotations

import ast

import gast
import pytest

from staticpy.source import NO_SPAN, SourceError, SourceSpan, from_file, from_text

TEXT = """\
import a

@a.b
@a.c(1)
def f(x, y=lambda: 0):
    def g(): pass
    return g

class A:
    class B:
        async def m(self): pass
    h = lambda self: self
    if a:
        def n(self):
            class C:
                def o(self): pass
"""


def test_functions_in_text_order() -> None:
    source = from_text(TEXT, "a.py")
    assert [unit.qualname for unit in source] == [
        "f",
        "f.<locals>.g",
        "A.B.m",
        "A.n",
        "A.n.<locals>.C.o",
    ]
    lambdas = [unit.qualname for unit in source.functions if unit.name == "<lambda>"]
    assert lambdas == ["f.<locals>.<lambda>", "A.<lambda>"]
    assert [unit.class_name for unit in source] == ["", "", "B", "A", "C"]


def test_a_unit_knows_its_file() -> None:
    unit = from_text(TEXT, "a.py").units[0]
    assert (unit.file, unit.name, unit.first_line) == ("a.py", "f", 3)
    assert unit.text == TEXT
    assert unit.lines[4] == "def f(x, y=lambda: 0):"
    assert [ast.unparse(node) for node in unit.decorators] == ["a.b", "a.c(1)"]
    assert isinstance(unit.statement, ast.FunctionDef)


SPANS = [
    ("x = 1 + 22", "22", (0, 8, 10)),
    ("é = 'ü' + name", "name", (0, 10, 14)),
    ("s = '日本𝄞'; name", "name", (0, 11, 15)),
    ("\tname", "name", (0, 1, 5)),
    ("'\f'; name", "name", (0, 5, 9)),
    ("'''é\né'''; name", "name", (1, 6, 10)),
]


@pytest.mark.parametrize("convert", [lambda node: node, gast.ast_to_gast], ids=["ast", "gast"])
@pytest.mark.parametrize(("text", "wanted", "place"), SPANS)
def test_spans_count_characters(text, wanted, place, convert) -> None:  # type: ignore[no-untyped-def]
    body = "".join(f"    {line}\n" if i == 0 else f"{line}\n" for i, line in enumerate([text]))
    unit = from_text(f"def f():\n{body}", "a.py").units[0]
    nodes = [
        node
        for node in gast.walk(convert(unit.node))
        if getattr(node, "id", getattr(node, "value", "")) in (wanted, 22)
        and type(node).__name__ in ("Name", "Constant")
    ]
    line, start, end = place
    indent = 4 if line == 0 else 0
    assert unit.span(nodes[0]) == SourceSpan(
        "a.py", 2 + line, indent + start, 2 + line, indent + end, "f"
    )


def test_a_node_without_position_is_at_its_function() -> None:
    unit = from_text("def f(): return 1", "a.py").units[0]
    assert unit.span(ast.Load()) == unit.span(unit.node)
    assert str(unit.span(unit.node)) == "a.py:1:1"


def test_inlined_spans_grow_at_the_outer_end() -> None:
    inner, call, outer = (SourceSpan("a.py", line, 0, line, 1) for line in (1, 2, 3))
    chain = inner.inlined(call).inlined(outer)
    assert chain.inlined_at is not None
    assert chain.inlined_at.line == 2
    assert chain.inlined_at.inlined_at == outer
    assert NO_SPAN.inlined_at is None


def test_a_span_outside_of_a_folder() -> None:
    library, deeper = (SourceSpan(f"/lib/{name}.py", 1, 0, 1, 1) for name in "ab")
    user = SourceSpan("/home/u.py", 2, 0, 2, 1)
    assert library.inlined(deeper).inlined(user).outside("/lib/") == user
    assert library.inlined(deeper).outside("/lib/") == deeper
    assert user.inlined(library).outside("/lib/").file == user.file


BAD = [
    ("x = (\n", "SYNTAX_ERROR", 1),
    ("x = 1\nif x\n", "SYNTAX_ERROR", 2),
    ("def f():\nreturn 1\n", "SYNTAX_ERROR", 2),
    ("x = 1\n\tx = 2\n", "SYNTAX_ERROR", 2),
    ("def f():\n    break\n", "SYNTAX_ERROR", 2),
    ("def f(a, a): pass\n", "SYNTAX_ERROR", 1),
    ("return 1\n", "SYNTAX_ERROR", 1),
    ("x = 1\nx = 1\0\n", "NUL_BYTES", 2),
    ("x = '\ud800'\n", "BAD_ENCODING", 1),
    ("x = " + "9" * 5000, "SYNTAX_ERROR", 1),
    ("x = 1\ny = " + "(" * 1000 + ")" * 1000, "SYNTAX_ERROR", 2),
    ("x = 1\ny = " + "-" * 100_000 + "1", "NESTING_TOO_DEEP", 2),
    ("x = 1\ny = a" + ".b" * 100_000, "NESTING_TOO_DEEP", 2),
    ("x = 1\ny = 1" + "\\\n+ 1" * 100_000, "NESTING_TOO_DEEP", 2),
    ("x = 1\nif x: pass\n" + "elif x: pass\n" * 50_000, "NESTING_TOO_DEEP", 3),
    ("x = 1\n" + "".join(f"{' ' * i}if x:\n" for i in range(200)), "SYNTAX_ERROR", 102),
    ("x = 1\ny = " + "lambda: " * 50_000 + "1", "NESTING_TOO_DEEP", 2),
]


@pytest.mark.parametrize(("text", "kind", "line"), BAD, ids=range(len(BAD)))
def test_text_that_python_cannot_read(text: str, kind: str, line: int) -> None:
    with pytest.raises(SourceError) as caught:
        from_text(text, "a.py")
    assert caught.value.kind == kind
    assert caught.value.span is not None
    assert (caught.value.span.file, caught.value.span.line) == ("a.py", line)


def test_from_file(tmp_path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "a.py"
    path.write_bytes(b"\xef\xbb\xbfdef f():\r\n    return 1\r\n")
    source = from_file(path)
    assert source.file == str(path)
    assert [unit.qualname for unit in source] == ["f"]
    assert source.lines[1] == "    return 1"
