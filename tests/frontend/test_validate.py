"""The grammar and the validator: what is accepted, what is rejected, and where exactly."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import sys
from pathlib import Path
from typing import Any

import gast
import pytest

from staticpy.diagnostics import Diagnostics, catalog
from staticpy.frontend._grammar import PRODUCTIONS
from staticpy.frontend.parse import parse
from staticpy.frontend.validate import spec_of, validate
from staticpy.source import from_text, read_text
from tests.frontend.helpers import function, unit_of

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT / "grammar"))


def load(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, ROOT / "grammar" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


asdl, generate = load("asdl"), load("generate")


def problems(text: str) -> list[tuple[str, str]]:
    """The code and the text of each rejected stretch of the first function."""
    unit, diagnostics = unit_of(text), Diagnostics()
    validate(parse(unit, diagnostics), unit, diagnostics)
    found = []
    for item in diagnostics:
        span = item.span
        lines = unit.lines[span.line - 1 : span.end_line]
        lines[-1] = lines[-1][: span.end_col]
        found.append((item.code, "\n".join(lines)[span.col :]))
    return found


# --- the grammar ----------------------------------------------------------------------------------


def test_the_generated_module_is_up_to_date() -> None:
    text = generate.generate(generate.SOURCE.read_text(encoding="utf-8"))
    assert generate.TARGET.read_text(encoding="utf-8") == text


NEVER_MET = {
    # above functions
    *("Module", "Interactive", "Expression", "FunctionType", "Suite"),
    # Python 2
    *("Print", "Exec", "Repr"),
    # not made, or only inside of a rejected statement
    *("type_ignore", "AugLoad", "AugStore", "Del"),
}


def test_every_node_is_accepted_or_has_a_code() -> None:
    accepted = {name for productions in PRODUCTIONS.values() for name in productions}
    named = {node for spec in catalog.ALL for node in spec.nodes}
    concrete = {
        name
        for name, class_ in inspect.getmembers(gast, inspect.isclass)
        if issubclass(class_, ast.AST) and (name[0].isupper() or class_._fields) and name != "AST"
    } - {"TypeIgnore"}
    assert concrete - accepted - named - NEVER_MET == set()
    assert accepted & NEVER_MET == set()
    assert {name for name in named if not hasattr(gast, name)} == set()


def test_every_production_names_fields_of_its_class() -> None:
    for productions in PRODUCTIONS.values():
        for name, fields in productions.items():
            assert {field for field, _, _ in fields} <= set(getattr(gast, name)._fields)


def test_every_accepted_node_is_met_in_an_accepted_program() -> None:
    accepted = {name for productions in PRODUCTIONS.values() for name in productions}
    met = {
        type(node).__name__
        for path in (ROOT / "tests" / "cases" / "accept").glob("*.py")
        for unit in from_text(read_text(path), str(path)).units
        for node in gast.walk(gast.ast_to_gast(unit.node))
    }
    assert accepted - met == set()


def test_what_nobody_thought_of_is_rejected() -> None:
    assert spec_of("stmt.Nonsense", "Nonsense") is catalog.UNSUPPORTED_SYNTAX
    unit, diagnostics = unit_of("def f(x): return x"), Diagnostics()
    node = parse(unit, diagnostics)
    node.body[0].value = gast.Repr(node.body[0].value)
    validate(node, unit, diagnostics)
    assert [(item.code, item.message) for item in diagnostics] == [
        ("SPY100", catalog.UNSUPPORTED_SYNTAX.message.format(node="Repr"))
    ]


GRAMMARS = [
    ("", "expected 'module'"),
    ("module a { b = C(d e) }", "unknown type d"),
    ("module a { b = C } c", "after the module"),
    ("module a { b = C | C }", "C twice"),
    ("module a { b = C b = D }", "defined twice"),
    ("module a { b = c }", "cannot include c"),
    ("module a { b = C(identifier 1) }", "expected a name"),
    ("module a { b = $ }", "unexpected '$'"),
    ("module a { b = C(identifier a", "expected ','"),
]


@pytest.mark.parametrize(("text", "message"), GRAMMARS)
def test_bad_grammars(text: str, message: str) -> None:
    with pytest.raises(asdl.GrammarError, match=message.replace("$", r"\$")):
        asdl.parse(text)


def test_a_grammar() -> None:
    grammar = asdl.parse("module m { a = B(a* x, a? y, a?* z) | C -- text\n b = c | D  c = C | E }")
    assert [(f.name, f.type, f.quantifier) for f in grammar["a"]["B"]] == [
        ("x", "a", "*"),
        ("y", "a", "?"),
        ("z", "a", "?*"),
    ]
    assert set(grammar["b"]) == {"C", "D", "E"}


# --- the validator --------------------------------------------------------------------------------

ACCEPTED = """
def f(a, b: int = 1, /, c=2, *, d, e: "x" = 3) -> int:
    '''Docstring.'''
    (p, [q, r]), s = t = a
    u: float = 1.0
    u += a ** 2 @ b // c % d << e >> a & b | c ^ d - a * b / c
    a.b.c(a, b=1)
    s[0], (s.real, s[1:, ...][0].imag) = t[a] = t
    s[0][::-1] += s.flat
    s.imag -= 1
    g = lambda x, y=1: x if y else not x
    if a < b <= c == d != e > a >= b is None is not c in d not in e:
        pass
    elif a and b or not c:
        assert a, "text"
    else:
        assert -a + +b + ~c
    while True:
        for i, (j, k[0]) in enumerate(x):
            if i:
                break
            continue
        return
    def h(x):
        return {1: x, "a": [x], **{}} if 0 else (x, ...)
    return x[0], x[1:, ::2, None, ...], x[:], x[a, b:c], 1j, "s", b"b", True, None, ()
""".replace(", **{}", "")


def test_accepted() -> None:
    assert problems(ACCEPTED) == []


RANGES = [
    (function("del x, x"), [("SPY101", "del x, x")]),
    (function("with a as b, c: pass"), [("SPY102", "with a as b, c")]),
    (function("with a(1): # text: more", "    pass"), [("SPY102", "with a(1)")]),
    (function("try:", "    pass", "finally:", "    pass"), [("SPY105", "try")]),
    (function("class A(B): pass"), [("SPY104", "class A(B)")]),
    (function("class A: pass"), [("SPY104", "class A")]),
    (function("async def g(a, b): pass"), [("SPY103", "async def g(a, b)")]),
    ("async def f(x):\n    pass", [("SPY103", "async def f(x)")]),
    ("async def f(): await g()", [("SPY103", "async def f()")]),
    (function("match x.y:", "    case 1: pass"), [("SPY107", "match x.y")]),
    (function("for i in x: pass", "else: pass"), [("SPY113", "else")]),
    (function("while x:", "    pass", "# else", "else:", "    pass"), [("SPY113", "else")]),
    (function("y: int"), [("SPY114", "y: int")]),
    (function("x[1:]: int = 2"), [("SPY115", "x[1:]")]),
    (function("x.total += 2"), [("SPY116", "x.total")]),
    (function("é = 'ü'; x.é = 2"), [("SPY116", "x.é")]),
    ("def f(*args, a, **kw): pass", [("SPY117", "args"), ("SPY117", "kw")]),
    (function("@a.b(1)", "def g(): pass"), [("SPY118", "a.b(1)")]),
    (function("return (yield)"), [("SPY202", "yield")]),
    (function("return (a := 1)"), [("SPY203", "a := 1")]),
    (function("return [", "    a for a in x", "]"), [("SPY204", "[\n        a for a in x\n    ]")]),
    (function("return g(*x, **y)"), [("SPY207", "*x"), ("SPY208", "**y")]),
    (function("return {**x, 1: 2}"), [("SPY208", "x")]),
    ("g = lambda *a: {a}", [("SPY117", "a"), ("SPY206", "{a}")]),
    ("def f(x={1}): pass", [("SPY206", "{1}")]),
]


@pytest.mark.parametrize(("text", "expected"), RANGES)
def test_ranges(text: str, expected: list[tuple[str, str]]) -> None:
    assert problems(text) == expected


def test_annotations_are_not_looked_at() -> None:
    assert problems("def f(x: [a for a in b] = 1) -> {1}:\n    y: (lambda: 1) = 2") == []


def test_messages_name_what_was_found() -> None:
    unit, diagnostics = unit_of("def f(*parts): x: int"), Diagnostics()
    validate(parse(unit, diagnostics), unit, diagnostics)
    first, second = diagnostics
    assert "parts" in first.message
    assert "x" in second.help
