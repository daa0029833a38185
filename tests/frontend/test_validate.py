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
    *("type_ignore", "AugLoad", "AugStore"),
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
def f(a, b: int = 1, /, c=2, *args, d, e: "x" = 3, **kwargs) -> int:
    '''Docstring.'''
    global total
    (p, [q, *r]), s = t = a
    u: float = 1.0
    v: int
    u += a ** 2 @ b // c % d << e >> a & b | c ^ d - a * b / c
    a.b.c(a, *args, b=1, **kwargs)
    s[0], (s.real, s[1:, ...][0].imag) = t[a] = t
    s[0][::-1] += s.flat
    s.imag -= 1
    s.x: int = 1
    del s[0], s.real, (p, [q]), u
    g = lambda x, *y, z=1, **k: x if y else not x
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
        else:
            pass
        return
    else:
        raise ValueError("text") from None
    try:
        import math, os.path as path
        from . import here as there
    except (ValueError, KeyError) as error:
        raise
    except TypeError:
        pass
    else:
        yield a
    finally:
        yield from b
    with open(a) as b, c, d as (e, f[0]):
        n = 0
    match a:
        case None | 1 | "text" | -1.5:
            pass
        case [b, *c, (d, _)] if d:
            pass
        case {"a": 1, **rest}:
            pass
        case A.B | C(1, e=None) as h:
            pass
    @a.b(1)
    @c
    def h(x):
        nonlocal n
        return {1: x, "a": [x, *x], **{}} if 0 else (x, *x, ...)
    if (m := a) > 1:
        print(f"{m} {m!r:>{10}}", {m, *a}, {i: j for i, j in m if i if j})
    w = [i for i in (j for j in x)], {i for i in x}
    return x[0], x[1:, ::2, None, ...], x[:], x[a, b:c], 1j, "s", b"b", True, None, ()
"""


def test_accepted() -> None:
    assert problems(ACCEPTED) == []


RANGES = [
    (function("class A(B): pass"), [("SPY104", "class A(B)")]),
    (function("class A: pass"), [("SPY104", "class A")]),
    (function("async def g(a, b): pass"), [("SPY103", "async def g(a, b)")]),
    ("async def f(x):\n    pass", [("SPY103", "async def f(x)")]),
    ("async def f(): await g()", [("SPY103", "async def f()")]),
    (function("try: pass", "except* A: pass"), [("SPY105", "try")]),
    (function("while x: # text: more", "    é = (yield x)"), [("SPY202", "yield x")]),
    (function("with a((yield)) as b: pass"), [("SPY202", "yield")]),
    (function("return (yield)"), [("SPY202", "yield")]),
    (function("y = yield from x"), [("SPY202", "yield from x")]),
    (function("return [", "    (yield), 1", "]"), [("SPY202", "yield")]),
    (function("return (yield", "    x", ")"), [("SPY202", "yield\n        x")]),
    ("g = lambda a: (yield a)", [("SPY202", "yield a")]),
]


@pytest.mark.parametrize(("text", "expected"), RANGES)
def test_ranges(text: str, expected: list[tuple[str, str]]) -> None:
    assert problems(text) == expected


def test_annotations_are_not_looked_at() -> None:
    assert problems("def f(x: [a for a in b] = 1) -> {1}:\n    y: (lambda: 1) = 2") == []
