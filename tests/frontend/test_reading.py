"""What is said of a function without types: of its ``ast`` tree as of its ``gast`` tree."""

from __future__ import annotations

import os
import sysconfig
from pathlib import Path

import pytest

from staticpy.diagnostics import Diagnostics
from staticpy.frontend import check_text
from staticpy.frontend.analyze import deep_recursion, prepare
from staticpy.frontend.reading import read_function
from staticpy.frontend.resolve import FunctionNames, resolve
from staticpy.frontend.static_scope import StaticModule
from staticpy.source import SourceError, from_file

CASES = sorted((Path(__file__).parent.parent / "cases").rglob("*.py"))
LIBRARY = sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py"))
TURN = int(os.environ.get("STATICPY_TURN", "0"))


def told(names: FunctionNames | None) -> object:
    """What there is to know of the names of a function and of those in it, in words."""
    found = []
    for each in names.walk() if names is not None else ():
        reads = [(read.id, read.lineno, read.col_offset) for read in each.reads]
        sets = (each.free, each.from_module, each.rebinds, each.late, each.captured, each.rebound)
        binding = each.params, set(each.locals), each.globals_declared, each.nonlocals_declared
        found.append((type(each.node).__name__, binding, sets, reads, each.is_generator))
    return found


def compare(path: Path) -> int:
    """Read each function of a file in both ways; how many there are."""
    module = StaticModule(from_file(path))
    for unit in module.source.functions:
        scope = module.scope_of(unit)
        found, expected = Diagnostics(), Diagnostics()
        names = read_function(unit, scope, found)
        with deep_recursion():
            prepared = prepare(unit, scope, expected)
        assert list(found) == list(expected), unit.qualname
        assert told(names) == told(prepared and resolve(prepared.node)), unit.qualname
    return len(module.source.functions)


def test_cases_read_alike() -> None:
    functions = 0
    for path in CASES:
        try:
            functions += compare(path)
        except SourceError:
            assert "reject" in path.parts
    assert functions > 1_000


@pytest.mark.slow
def test_the_library_reads_alike() -> None:
    assert sum(map(compare, LIBRARY[TURN % 8 :: 8])) > 300


TRICKY = {
    "caught": """
def f(x):
    try:
        return x.a
    except ValueError as error:
        print(error)
    def g():
        nonlocal x
        try:
            return 1 / 0
        except OSError:
            raise
        except (TypeError, ZeroDivisionError) as x:
            return x
    return g
""",
    "annotations": """
def f(x, y: int = 1):
    def g(a: x.b, *c: [e for e in d]) -> (yield):
        return a
    def h() -> "int":
        async def i(j: (k := 1)): pass
    return lambda l: (m for m in l)
""",
    "decorators": """
@print
@(lambda f: f)
def f(x):
    @x
    def g(y=x): return y
    class A(x):
        z = 1
        def h(self): return z
    return g, z
""",
    "private": """
class A:
    def f(self, __x):
        return self.__y + self._\uff3fz + __x + __w + __v__

    def \uff47(self): return _\uff3fu
""",
    "patterns": """
def f(x):
    match x:
        case {"a": 1, **rest}: return rest
        case [a, *b] | (a, b) if (c := a): return b
        case A(d, e=f): return d
        case g: return g
    *h, x.y, x[0] = x
    del h[0], x
    x: int
    for x.a in x: pass
    with x as (i, [j]): pass
    print(f"{x!r:{i}}", *j, **{**x})
""",
    "statements in statements": "def f(x):\n  if x: y = 1\n"
    + "  elif x: y = 1\n" * 550
    + "  return y",
    "module": """
def f(x):
    global y, print
    y += 1
    import os.path, sys as z
    from os import path as y
    return [a := b for b in x for c in b if c] + await_
""",
}


@pytest.mark.parametrize("text", TRICKY.values(), ids=TRICKY)
def test_what_differs_between_the_trees(text: str, tmp_path: Path) -> None:
    path = tmp_path / "tricky.py"
    path.write_text(text, encoding="utf-8")
    assert compare(path) > 0


def test_a_global_that_a_handler_binds_is_shown_there() -> None:
    text = (
        "def f():\n    global e\n    try:\n        pass\n    except OSError as e:\n        pass\n"
    )
    (found,) = check_text(text, scope="all")
    assert found.code == "SPY108"
    assert (found.span.line, found.span.col, found.span.end_col) == (5, 4, 23)


def test_private_names_in_other_letters() -> None:
    text = "class A:\n    def f(self):\n        _\uff3fx = 1\n        return _A__x\n"
    assert not check_text(text, scope="all")


def test_deep_text_is_refused_as_before() -> None:
    deep = "def f(x):\n    return " + "x + " * 12_000 + "x\n"
    assert [each.code for each in check_text(deep, scope="all")] == ["SPY006"]
